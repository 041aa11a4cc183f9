package parse

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

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

// Names lists the names that trees of the extended syntax may refer to, with their arguments, all positional.
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

// constructs describes each construct: what it looks like, how to write it in standard Starlark,
// and what the operands of an Extension are, in their order.
var constructs = [numConstructs]struct{ form, portable, operands string }{
	Power:            {"x ** y", "pow(x, y)", "x, y"},
	MatMul:           {"x @ y", "matmul(x, y)", "x, y"},
	AugmentedPower:   {"x **= y", "x = pow(x, y)", "x, y"},
	AugmentedMatMul:  {"x @= y", "x = matmul(x, y)", "x, y"},
	Subscripts:       {"x[:, 0]", "x[ix[:], 0] or x[slice(None), 0]", "x, each subscript"},
	EllipsisName:     {"...", "Ellipsis", ""},
	FormattedString:  {`f"..."`, `"...".format(x), and fmt(x, ".3f") for a field with a spec`, "the expression of each field"},
	AdjacentStrings:  {`"a" "b"`, `"a" + "b"`, "each string"},
	StringPrefix:     {`u"...", R"..."`, `"...", r"..."`, "the string without prefix"},
	UnknownEscape:    {`"\s"`, `"\\s"`, "the string"},
	TrailingComma:    {"x, = y", "(x,) = y", "the elements"},
	IsOperator:       {"x is y", "x == y", "x, y"},
	ComparisonChain:  {"a < b < c", "a < b and b < c", "each operand"},
	AssignmentChain:  {"a = b = x", "a = x, then b = x", "each target, then the value"},
	StarTarget:       {"a, *b = x", "a, b = x[0], x[1:]", "all targets"},
	NestedStar:       {"a, (b, *c) = x", "a, _x = x, then b, c = _x[0], _x[1:]", "all targets"},
	StarElement:      {"[*x, y]", "list(x) + [y], or for targets a, b = x[0], x[1:]", "the iterable after the star"},
	DigitGroups:      {"1_000", "1000", ""},
	SetDisplay:       {"{x, y}", "set([x, y])", "each element"},
	SetComprehension: {"{x for ...}", "set([x for ...])", "the body with its clauses"},
	Generator:        {"f(x for ...)", "f([x for ...])", "the body with its clauses"},
	Import:           {"import", `the predeclared np, T, theano, ... or load("file.star", "name")`, ""},
	Annotation:       {"x: type", "the name alone", "the name or parameter list, then the annotation"},
	PositionalOnly:   {"/ among parameters", "the parameters without it", ""},
	Decorator:        {"@f", "name = f(name) after the def", "the decorator, the name of the function, and the function"},
	Assert:           {"assert x", "if not x: fail(msg)", "the condition, then the message if there is one"},
	LoadAttribute:    {"x.load", `getattr(x, "load")`, "x"},
	LoadName:         {"load as a name", "another name", ""},
	Try:              {"try", "a check before, with if", ""},
	Raise:            {"raise", "fail(message)", ""},
	Class:            {"class", "functions that make struct(...)", ""},
	With:             {"with", "the calls that begin and end it", ""},
	Del:              {"del", "d.pop(key) or xs.pop(i)", ""},
	Global:           {"global", "state in a list or dict", ""},
	Nonlocal:         {"nonlocal", "state in a list or dict", ""},
	LoopElse:         {"else after a loop", "a variable that says whether the loop was left by break", ""},
	Walrus:           {"(x := y)", "x = y in a statement before", ""},
	DictSpread:       {"{**d}", "dict(d), or a | b", ""},
	SpreadArguments:  {"f(*x, y)", "f(*(list(x) + [y])), or f(**(a | b))", "each argument"},
	Yield:            {"yield", "a list that the function returns", ""},
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
func (c Construct) String() string { return constructs[c].form }

// Portable returns how the construct is written in standard Starlark.
func (c Construct) Portable() string { return constructs[c].portable }

// Operands says what the Operands of an Extension of the construct are.
func (c Construct) Operands() string { return constructs[c].operands }

// An Extension is a use of the extended syntax. Start, End and Operands are offsets in bytes;
// a pair of them holds the text from the first up to the second.
type Extension struct {
	Construct  Construct
	Start, End int
	Operands   [][2]int
}

// Extensions lists the uses of the extended syntax in a text, by where they start, outer ones first.
func Extensions(name, text string) ([]Extension, error) {
	p := newParser(name, text, Options{})
	p.record = true
	if _, err := p.parseFile(); err != nil {
		return nil, err
	}
	exts := p.exts
	slices.SortStableFunc(exts, func(a, b Extension) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	return exts, nil
}

// asPortable is what makes a text portable.
const asPortable = "'# arignote: syntax=portable'"

// extends refuses a construct in a portable text.
func (p *parser) extends(c Construct, at Token) {
	if !p.portable {
		return
	}
	e := errorAt(p.file, at.Start, at.Start, "%s is not standard Starlark", c)
	e.ofExtended(c)
	panic(e)
}

// ofExtended says of an error that a text which is not portable may have the construct.
func (e *Error) ofExtended(c Construct) {
	e.Hint = "write " + c.Portable() + ", or remove " + asPortable
	e.extended = true
}

// note records a construct that begins with the token from and ends with the last one parsed.
// Operands are given as the indices of their first and last tokens.
func (p *parser) note(c Construct, from int, operands ...[2]int) {
	p.noteTo(c, from, p.i-1, operands...)
}

// noteTo is note for a construct that ends with the token to.
func (p *parser) noteTo(c Construct, from, to int, operands ...[2]int) {
	if !p.record {
		return
	}
	x := Extension{Construct: c, Start: int(p.toks[from].Start.Offset), End: int(p.toks[to].End.Offset)}
	for _, o := range operands {
		x.Operands = append(x.Operands, [2]int{int(p.toks[o[0]].Start.Offset), int(p.toks[o[1]].End.Offset)})
	}
	p.exts = append(p.exts, x)
}

// refuse refuses a token that upstream does not even scan, or scans as several.
func (p *parser) refuse(t Token) {
	switch t.Kind {
	case At:
		if k := p.last.Kind; p.i == 0 || k == Newline || k == Indent || k == Outdent {
			p.extends(Decorator, t)
		}
		p.extends(MatMul, t)
	case AtEq:
		p.extends(AugmentedMatMul, t)
	case StarStarEq:
		p.extends(AugmentedPower, t)
	case Ellipsis:
		p.extends(EllipsisName, t)
	case FString:
		p.extends(FormattedString, t)
	case String, Bytes:
		if !isStandardPrefix(p.textOf(t)) {
			p.extends(StringPrefix, t)
		}
	case Int, Float:
		if strings.Contains(p.textOf(t), "_") {
			p.extends(DigitGroups, t)
		}
	}
}

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

// simple makes another node for an operand that may be evaluated twice, a name or a number; for others it returns nil.
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
