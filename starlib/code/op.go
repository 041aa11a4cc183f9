package code

import "go.starlark.net/syntax"

// An Op says what an instruction does.
type Op uint8

// The instructions. R is the registers, K the constants, N the names of the function. A site is a
// place in the program where an attribute is named: see Program.Sites.
const (
	Nop  Op = iota
	Trap    // looks at where the program is, and is then what it took the place of: see Func.Trap
	Line    // a line begins with the instruction whose place it has taken: see Func.Watch
	Back    // goes on at ip + D in Words: see Func.Once

	Move      // R[A] = R[B]
	Load      // R[A] = K[D]
	Assign    // R[A] = R[B], which the instruction before has computed for the variable R[A]
	Check     // fails if the variable in R[A] has no value
	Cell      // R[A] = the cell D, own ones first
	SetCel    // the cell D = R[A]
	Glob      // R[A] = the program's own global D
	SetGlo    // the program's own global D = R[A]
	Var       // R[A] = the shared global D
	SetVar    // the shared global D = R[A]
	Unset     // R[A] has no value any more
	DelCel    // nor has the cell D
	DelGlo    // nor has the program's own global D
	PeekCel   // R[A] = the cell D, which may have no value
	PeekGlo   // R[A] = the program's own global D, which may have no value
	Member    // R[A] = the member N[D] of the class body R[0]; if there is none, it has no value, or that is an error if C
	SetMember // the member N[D] of the class body R[0] = R[A]
	DelMember // and is no more

	Add // R[A] = R[B] op R[C], see Flags in D
	Sub
	Mul
	Div
	FloorDiv
	Mod
	And
	Or
	Xor
	Shl
	Shr
	Pow // D is the constant of the function that does what is no number, or -1 - that where it is x **= y
	Lt
	Le
	Gt
	Ge
	Eq
	Ne
	In
	NotIn

	AddI // R[A] = R[B] op the int D, C are flags
	SubI
	MulI
	ModI
	FloorI
	LtI
	LeI
	GtI
	GeI
	EqI
	NeI

	AddK // R[A] = R[B] op the float K[D], C are flags
	SubK
	MulK
	DivK // by what is not zero
	LtK
	LeK
	GtK
	GeK
	EqK
	NeK

	Neg // R[A] = -R[B]
	Plus
	Invert
	Not
	Is     // R[A] = R[B] is R[C]; D is as of Pow
	MatMul // R[A] = R[B] @ R[C]; likewise

	Jump      // to ip + D
	JumpIf    // to ip + D if R[A]
	JumpNo    // to ip + D if not R[A]
	When      // is JumpIf, and R[A] is of no use afterwards
	Unless    // is JumpNo, and R[A] is of no use afterwards
	JumpUnset // to ip + D if R[A] has no value

	Match   // R[A] = whether the class, or one of the classes, R[A] is of the exception R[B]
	Raise   // raises R[A], from R[A+1]; B values. Without one, what is handled is raised again
	Caught  // R[A] = the exception in R[B]
	Reraise // raises the exception R[A] again if that has a value
	Enter   // R[A], R[A+1] = the method that R[A] is left by, and what it gives when it is entered
	Exit    // calls R[A], for the exception R[B] or none; R[B] has no value any more if the result is true

	Finish    // the generator ends, having returned R[A]
	Yield     // the generator waits for R[A], having given R[B]
	Delegate  // R[A] = R[A] as something to take elements of
	YieldFrom // the generator gives the elements of R[B]; R[A] = what that returns in the end

	Index     // R[A] = R[B][R[C]]
	SetIndex  // R[A][R[B]] = R[C]
	IndexPair // R[A] = R[B][R[C], R[C+1]]
	SetPair   // R[A][R[B], R[B+1]] = R[C]
	Attr      // R[A] = R[B].name, that of the site D; C are flags
	Change    // is Attr of x.name op= y, whose operator and SetAttr are the next two
	SetAttr   // R[A].name = R[B], likewise
	DelAttr   // del R[A].N[D]
	DelIndex  // del R[A][R[B]]
	Method    // R[A] = R[B].name to call, likewise; R[A+1] gets the first argument of a method
	Slice     // R[A] = R[B][R[C]:R[C+1]:R[C+2]]
	SliceBy   // R[A] = R[B] by the slice K[D]
	Pin       // R[A], which is read twice: an array there is not given back after the first time
	Spread    // R[A], whose elements become arguments, asks for their memory
	Key       // R[A] = R[B] as an index or a key
	Text      // R[A] is made text by the function K[D], unless it is text or a number

	MakeTuple // R[A] = (R[B], ...), C values
	MakeList  // R[A] = [R[B], ...], C values
	MakeDict  // R[A] = {}
	Append    // R[A] gets R[B], a new list's element
	Put       // R[A][R[B]] = R[C], a new dict's
	MakeFunc  // R[A] = the function D; its defaults stand from R[B] on

	Unpack  // R[B], R[B+1], ... = R[A], C values
	Iter    // R[A] iterates over R[B]
	Next    // R[B] = the next of R[A], and to ip + D, if there is one
	EndIter // R[A] iterates no more

	CallOp  // R[A] = R[A](R[A+1], ...), B positional arguments; C is a CallKind; D is 0, or 1 + an index of Calls
	CallMet // R[A] = R[A](R[A+1] if Method set it, R[A+2], ...), B arguments from there; C is a CallKind
	Return  // R[A]
	LoadOp  // R[B], R[B+1], ... = the names N[D+1], ... of the module N[D]; C names

	Ops
)

// Flags of binary operators, of D or, where that is an operand, of C.
const (
	Changes = 1 << iota // x op= y: the left operand may change
	Swapped             // of an instruction with a constant: that is the left operand
)

// Flags of Attr and Method.
const (
	OfText  = 1 << iota // of a string: its characters
	Methods             // look in the tables of methods first
)

// Kinds of calls: see package value.
const (
	CallPlain    = iota
	CallRun      // $run
	CallMakes    // of an __init__, by the machine
	CallOperates // of a method that an operation is, likewise
	CallChanges  // of x op= y
	CallReflects // of the right operand
	CallDiffers  // of __eq__, for !=
	CallHas      // of __contains__
	CallDrops    // of one whose result nobody takes
	CallJudges   // of __bool__
	CallMeasures // of __len__, for what is true or not
	CallLen      // of __len__
	CallText     // of __str__ or __repr__
	CallHash     // of __hash__
	CallIterates // of __iter__, for a loop
	CallNexts    // of __next__, likewise
	CallExits    // of __exit__

	CallOwns = 1 << 7 // besides: the call owns arrays
)

// Binary are the instructions of binary operators.
var Binary = map[syntax.Token]Op{
	syntax.PLUS: Add, syntax.MINUS: Sub, syntax.STAR: Mul, syntax.SLASH: Div, syntax.SLASHSLASH: FloorDiv, syntax.PERCENT: Mod,
	syntax.AMP: And, syntax.PIPE: Or, syntax.CIRCUMFLEX: Xor, syntax.LTLT: Shl, syntax.GTGT: Shr, syntax.STARSTAR: Pow,
	syntax.LT: Lt, syntax.LE: Le, syntax.GT: Gt, syntax.GE: Ge, syntax.EQL: Eq, syntax.NEQ: Ne,
	syntax.IN: In, syntax.NOT_IN: NotIn,
}

// WithInt are the instructions of those with an int that is written.
var WithInt = map[Op]Op{Add: AddI, Sub: SubI, Mul: MulI, Mod: ModI, FloorDiv: FloorI, Lt: LtI, Le: LeI, Gt: GtI, Ge: GeI, Eq: EqI, Ne: NeI}

// WithFloat are the instructions of those with a float that is written.
var WithFloat = map[Op]Op{Add: AddK, Sub: SubK, Mul: MulK, Div: DivK, Lt: LtK, Le: LeK, Gt: GtK, Ge: GeK, Eq: EqK, Ne: NeK}

// Tokens are the operators of binary instructions.
var Tokens = func() (tokens [Ops]syntax.Token) {
	for token, op := range Binary {
		tokens[op] = token
		tokens[WithInt[op]], tokens[WithFloat[op]] = token, token
	}
	tokens[Nop], tokens[Neg], tokens[Plus], tokens[Invert] = 0, syntax.MINUS, syntax.PLUS, syntax.TILDE
	return tokens
}()
