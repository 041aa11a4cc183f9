package lower

import "go.starlark.net/syntax"

// The names of builtins that trees are rewritten to call, besides those of parse.Names. Users cannot write a $.
const (
	Env     = "$env"
	Display = "$display"
	Chars   = "$text"
	Slice   = "$slice"
	// At is the builtin by which x[i] is taken where i may be a slice, Element where i is no name.
	At      = "$at"
	Element = "$element"
	Run     = "$run"
	Percent = "$percent"
	Floor   = "$floordiv"
	Format  = "$format"
	Each    = "$each"
	// Live is the builtin that takes the place of Each unless a file is portable.
	Live   = "$live"
	Attr   = "$attr"
	Fields = "$fields"
	Sliced = "$sliced"
	Key    = "$key"
	Items  = "$items"
	Term   = "$term"
	Factor = "$factor"
	// Temporary, TemporaryTerm and TemporaryFactor take the operand of an operation that another operation computed.
	Temporary       = "$temporary"
	TemporaryTerm   = "$temporary_term"
	TemporaryFactor = "$temporary_factor"
	// Given takes an argument of a user's function, or of shared, that was computed for it.
	Given = "$given"
	// Keeper makes what makes the results that a loop's variables have.
	Keeper = "$keeper"
	// Call is what calls a function with variables whose values are given back, TemporaryCall also one whose result is the operand of an operation, GivenCall
	// one whose result is an argument of shared.
	Call          = "$call"
	TemporaryCall = "$temporary_call"
	GivenCall     = "$given_call"
	// Release gives back the value of a variable that has it no longer.
	Release = "$release"
	// Fuse makes what computes an expression as one, Slicer what slices by bounds that do not change.
	Fuse    = "$fuse"
	Slicer  = "$slicer"
	Spread  = "$spread"
	Extend  = "$extend"
	Times   = "$times"
	Ints    = "$ints"
	Simples = "$simples"
	Begin   = "$begin"
	Has     = "$has"
	Magic   = "$magic"
	End     = "$end"

	Variables = "$variables"
	Try       = "$try"
	Caught    = "$caught"
	Raise     = "$raise"
	With      = "$with"
	Class     = "$class"
	Made      = "$made"
	Super     = "$super"
	Unbind    = "$unbind"
	DelItem   = "$delitem"
	DelAttr   = "$delattr"
	Walrus    = "$walrus"
	Locals    = "$locals"
	Generate  = "$generate"
	Yield     = "$yield"
	YieldFrom = "$yield_from"

	// Block begins the names of functions that blocks become, Generator those of bodies of generator functions, after which comes the function's.
	Block     = "$block"
	Generator = "$generator "

	def = "$=def"
)

// builtins are what these names are, and whether they stand at top level only. The others stand in loops and functions too, which is why they are
// hoisted: see hoist.go.
var builtins = []struct {
	name, meaning string
	top           bool
}{
	{Env, "the session's globals, a mapping", false},
	{Display, "$display(e): the value of the cell's last expression", true},
	{Chars, "$text[x] is x, of a string its characters: what x[i] is taken from", false},
	{Slice, "$slice(x, a, b, c) is x[a:b:c]", false},
	{At, "$at[i] is $text, or if i is a slice what it is taken from: $at[i][x][i] is x[i]", false},
	{Element, "$element(x, i) is x[i], which may be a slice", false},
	{Run, "$run(f, ...) is f(...) whose value nobody takes", false},
	{Percent, "$percent(x, y) is x % y", false},
	{Floor, "$floordiv(x, y) is x // y", false},
	{Format, "$format(text, ...) is text.format(...)", false},
	{Each, "$each(x) is x, of a string its characters: what for iterates over", false},
	{Live, "$live(x) is $each(x), of a list or dict what may be changed by a loop over it", false},
	{Attr, "$attr.name[x] is x.name for a name of which Starlark does not have all methods", false},
	{Fields, "$fields[x] is x, of a function what has the attributes that it was given", false},
	{Sliced, "$sliced(x) is x, as something that can be assigned to by slices", false},
	{Key, "$key[i] is i, of a NumPy scalar the number of Starlark's: what indexes, and what is a key", false},
	{Items, "$items[x] is x, a list or tuple with such numbers in place of scalars", false},
	{Term, "$term[x] is x, of a large sequence an operand that asks for the memory of a sum first", false},
	{Factor, "$factor[x] is x, of a sequence an operand that asks for the memory of a repetition first", false},
	{Temporary, "$temporary[x] is x, an array whose memory the operation that takes it can give back", false},
	{TemporaryTerm, "$temporary_term[x] is $term[$temporary[x]]", false},
	{TemporaryFactor, "$temporary_factor[x] is $factor[$temporary[x]]", false},
	{Given, "$given[x] is x, of an array an argument whose memory $call gives back if the function forgets it, or takes if the function is shared", false},
	{Keeper, "$keeper() is what calls functions for variables of a loop that hold nothing but results: see keep.go", false},
	{Call, "$call(f, ...) is f(...), which holds what f may keep: see leave.go", false},
	{TemporaryCall, "$temporary_call(f, ...) is $temporary[$call(f, ...)] if that is new", false},
	{GivenCall, "$given_call(f, ...) is $given[$call(f, ...)] if that is new", false},
	{Release, "$release[x] gives back the memory of x, which a variable has no longer: see leave.go", false},
	{Fuse, "$fuse(code) is what computes an expression on variables as one: see fuse.go", true},
	{Slicer, "$slicer(bounds) is a mapping of x to x[lo:hi:step]", true},
	{Spread, "$spread[x] is x, whose elements become arguments if there is memory for them", false},
	{Extend, "$extend[x] is x, whose elements become those of a list if there is memory for them", false},
	{Times, "$times[n] is n, of an int an operand that asks for the memory of a repetition first", false},
	{Ints, "$ints(...): are all arguments ints", false},
	{Simples, "$simples(...): are all arguments lists, tuples, dicts, sets, text in ASCII, numbers, bools or None", false},
	{Begin, "$begin(n): a loop on its own variables begins", true},
	{Has, "$has(name): is there such a global", true},
	{Magic, "$magic(i) runs the i-th line magic of the cell", true},
	{End, "$end(): the loop has ended; its variables become globals", true},
	{Variables, "$variables(function): a mapping of variables that blocks of a function assign too", false},
	{Try, "$try(body, orelse, final, class, handler, ...) runs a try statement: see Python", false},
	{Caught, "$caught() is the exception that is handled", false},
	{Raise, "$raise(x, cause) raises x; without arguments, the exception that is handled", false},
	{With, "$with(x, body) calls body with what x gives when it is entered, and exits x", false},
	{Class, "$class(name, base, ...) is the mapping of the members of a class that is being made", false},
	{Made, "$made(members) is their class", false},
	{Super, "$super(members, self) is super() in a method", false},
	{Unbind, "$unbind(mapping, name) deletes a variable", false},
	{DelItem, "$delitem(x, i) is del x[i]", false},
	{DelAttr, "$delattr(x, name) is del x.name", false},
	{Walrus, "$walrus(mapping, name, x) is (name := x)", false},
	{Locals, "$locals(mapping) is a dict of its variables, $locals(name, f, ...) of those whose f() does not say that they have no value: locals()", false},
	{Generate, "$generate(body) is the iterator that a generator function returns", false},
	{Yield, "$yield(x) gives an element to who asked the iterator for it", false},
	{YieldFrom, "$yield_from(xs) gives all elements", false},
}

// InPlace are the builtins that x op= y becomes, by the operator of x op y: $iadd[x][y] is what x is after it, but $ipow(x, y) and $imatmul(x, y) are called.
var InPlace = map[syntax.Token]string{
	syntax.PLUS: "$iadd", syntax.MINUS: "$isub", syntax.STAR: "$imul", syntax.SLASH: "$itruediv", syntax.SLASHSLASH: "$ifloordiv",
	syntax.PERCENT: "$imod", syntax.AMP: "$iand", syntax.PIPE: "$ior", syntax.CIRCUMFLEX: "$ixor", syntax.LTLT: "$ilshift",
	syntax.GTGT: "$irshift", syntax.STARSTAR: "$ipow", MatMul: "$imatmul",
}

// Shift are the builtins that shifts become.
var Shift = map[syntax.Token]string{syntax.LTLT: "$lshift", syntax.GTGT: "$rshift"}

// Compare are the builtins that comparisons become.
var Compare = map[syntax.Token]string{
	syntax.LT: "$lt", syntax.LE: "$le", syntax.GT: "$gt", syntax.GE: "$ge", syntax.EQL: "$eq", syntax.NEQ: "$ne",
}
