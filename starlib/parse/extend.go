package parse

import (
	"slices"
	"strconv"

	"go.starlark.net/syntax"
)

// Names of the functions and values that trees of the extended syntax refer to. A user cannot
// write them; whoever runs a tree predeclares them. Names says what they take.
const (
	NamePow        = "$pow"
	NameMatMul     = "$matmul"
	NameBounds     = "$bounds"
	NameEllipsis   = "$ellipsis"
	NameFString    = "$fstring"
	NameField      = "$field"
	NameIs         = "$is"
	NameRepeat     = "$repeat"
	NameUnstar     = "$unstar"
	NameUnstarEach = "$unstar_each"
	NameConcat     = "$concat"
	NameTuple      = "$tuple"
	NameSet        = "$set"
	NameImport     = "$import"
	NameImportAll  = "$import_all"
	NameAssert     = "$assert"
	NameMerge      = "$merge"
	NameKeywords   = "$keywords"
)

// Names lists the names that trees of the extended syntax may refer to, with their arguments, all
// positional.
var Names = []struct{ Name, Args, Meaning string }{
	{NamePow, "x, y", "x to the power y"},
	{NameMatMul, "x, y", "the matrix product of x and y"},
	{NameBounds, "lo, hi, step", "the slice lo:hi:step among several subscripts; what is left out is None"},
	{NameEllipsis, "", "the value of ..."},
	{NameFString, "part, ...", "a string of parts, each a string or a field"},
	{NameField, "x, conversion, spec", `x formatted by a spec, a string; conversion is "r", "s", "a" or ""`},
	{NameIs, "x, y", "whether x and y are one object"},
	{NameRepeat, "x, n", "a tuple of n times x, to assign x to n targets"},
	{NameUnstar, "x, before, after, [i, parts, ...]", "a tuple of the first elements of x, a list of those between, the last; fails if there are too few. " +
		"If after is -1 there is no list, and x has before elements. Element i of the tuple is its $unstar with parts, a tuple"},
	{NameUnstarEach, "xs, before, after, [i, parts, ...]", "a list with the $unstar of each element of xs"},
	{NameConcat, "xs, ...", "a list of the elements of all xs"},
	{NameTuple, "xs", "a tuple of the elements of xs, even where a user has another tuple"},
	{NameSet, "xs", "a set of the elements of xs"},
	{NameImport, "module, name", `the object called name in a module, or if name is "" the module; dots before the module's name are those of a relative import`},
	{NameImportAll, "module", "binds all names of a module; its value is not used"},
	{NameAssert, "[message]", "fails"},
	{NameKeywords, "d, ...", "a dict of the entries of all mappings, no two of which have the same key"},
	{NameMerge, "d, ...", "a dict of the entries of all mappings, later ones winning"},
}

// A Construct is a part of the extended syntax.
type Construct uint8

const (
	Power Construct = iota
	MatMul
	AugmentedPower
	AugmentedMatMul
	Subscripts
	EllipsisName
	FormattedString
	AdjacentStrings
	StringPrefix
	UnknownEscape
	TrailingComma
	IsOperator
	ComparisonChain
	AssignmentChain
	StarTarget
	StarElement
	DigitGroups
	Imaginary
	SetDisplay
	SetComprehension
	Generator
	Import
	Annotation
	PositionalOnly
	Decorator
	Assert
	LoadAttribute
	LoadName
	Try
	Raise
	Class
	With
	Del
	Global
	Nonlocal
	LoopElse
	Walrus
	DictSpread
	Yield
	NestedStar
	SpreadArguments
	numConstructs
)

// constructs is what each construct looks like.
var constructs = [numConstructs]string{
	Power:            "x ** y",
	MatMul:           "x @ y",
	AugmentedPower:   "x **= y",
	AugmentedMatMul:  "x @= y",
	Subscripts:       "x[:, 0]",
	EllipsisName:     "...",
	FormattedString:  `f"..."`,
	AdjacentStrings:  `"a" "b"`,
	StringPrefix:     `u"...", R"..."`,
	UnknownEscape:    `"\s"`,
	TrailingComma:    "x, = y",
	IsOperator:       "x is y",
	ComparisonChain:  "a < b < c",
	AssignmentChain:  "a = b = x",
	StarTarget:       "a, *b = x",
	NestedStar:       "a, (b, *c) = x",
	StarElement:      "[*x, y]",
	DigitGroups:      "1_000",
	Imaginary:        "2j",
	SetDisplay:       "{x, y}",
	SetComprehension: "{x for ...}",
	Generator:        "f(x for ...)",
	Import:           "import",
	Annotation:       "x: type",
	PositionalOnly:   "/ among parameters",
	Decorator:        "@f",
	Assert:           "assert x",
	LoadAttribute:    "x.load",
	LoadName:         "load as a name",
	Try:              "try",
	Raise:            "raise",
	Class:            "class",
	With:             "with",
	Del:              "del",
	Global:           "global",
	Nonlocal:         "nonlocal",
	LoopElse:         "else after a loop",
	Walrus:           "(x := y)",
	DictSpread:       "{**d}",
	SpreadArguments:  "f(*x, y)",
	Yield:            "yield",
}

// Constructs returns all of them.
func Constructs() []Construct {
	all := make([]Construct, numConstructs)
	for i := range all {
		all[i] = Construct(i)
	}
	return all
}

// String returns the construct as an example of it.
func (c Construct) String() string { return constructs[c] }

// Uses lists the constructs that a text has, in the order of Constructs.
func Uses(name, text string) ([]Construct, error) {
	p := newParser(name, text, Options{})
	if _, err := p.parseFile(); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(Constructs(), func(c Construct) bool { return p.used&(1<<c) == 0 }), nil
}

// extends notes that the text has a construct.
func (p *parser) extends(c Construct) { p.used |= 1 << c }

// name makes an identifier that stands nowhere in the text.
func name(pos syntax.Position, name string) *syntax.Ident {
	return &syntax.Ident{NamePos: pos, Name: name}
}

// call makes a call of one of Names. start and end are those of the construct it stands for; at is
// its operator, where errors will say it is.
func call(fn string, start, at, end syntax.Position, args ...syntax.Expr) *syntax.CallExpr {
	return &syntax.CallExpr{Fn: name(start, fn), Lparen: at, Args: args, Rparen: before(end)}
}

// before is where a closing parenthesis must be for a call to end at a position.
func before(end syntax.Position) syntax.Position {
	end.Col = max(end.Col-1, 1)
	return end
}

// wrap makes a call of one of Names that has the place of x.
func wrap(fn string, x syntax.Expr, more ...syntax.Expr) *syntax.CallExpr {
	start, end := x.Span()
	return call(fn, start, start, end, append([]syntax.Expr{x}, more...)...)
}

func stringLit(pos syntax.Position, s string) *syntax.Literal {
	return &syntax.Literal{Token: syntax.STRING, TokenPos: pos, Raw: syntax.Quote(s, false), Value: s}
}

func intLit(pos syntax.Position, n int) *syntax.Literal {
	raw := strconv.Itoa(n)
	return &syntax.Literal{Token: syntax.INT, TokenPos: pos, Raw: raw, Value: int64(n)}
}

// simple makes another node for an operand that may be evaluated twice, a name or a number; for
// others it returns nil.
func simple(x syntax.Expr) syntax.Expr {
	switch x := x.(type) {
	case *syntax.Ident:
		y := *x
		return &y
	case *syntax.Literal:
		y := *x
		return &y
	case *syntax.UnaryExpr:
		if lit, ok := x.X.(*syntax.Literal); ok {
			l, y := *lit, *x
			y.X = &l
			return &y
		}
	}
	return nil
}

func isStar(x syntax.Expr) bool {
	u, ok := x.(*syntax.UnaryExpr)
	return ok && u.Op == syntax.STAR
}

// isBareTuple says whether x is a tuple without parentheses: () has some.
func isBareTuple(x syntax.Expr) bool {
	t, ok := x.(*syntax.TupleExpr)
	return ok && !t.Lparen.IsValid()
}

// hasStar says whether x is a tuple with an element behind a star.
func hasStar(x syntax.Expr) bool {
	t, ok := x.(*syntax.TupleExpr)
	return ok && slices.ContainsFunc(t.List, isStar)
}
