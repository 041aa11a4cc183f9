package functions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// V is a symbolic variable.
type V = *graph.Variable

// An Argument is what halves know of every argument.
type Argument struct {
	Value starlark.Value // as it was written; nil if it was not given
	Param string         // which it is for
}

// Given reports whether there is an argument.
func (x Argument) Given() bool { return x.Value != nil }

// given is Given of the argument for a parameter, which it notes. One that was not given stays the
// zero value: see refusal.
func (x *Argument) given(param string) bool {
	if x.Value != nil {
		x.Param = param
	}
	return x.Value != nil
}

// An Operand is an argument that is an array. Whoever calls a half has set what that half reads.
type Operand struct {
	Argument
	V V             // in the symbolic half
	D *tensor.Dense // in the eager half
}

// Array is what formulas compute with, in either half; nil if there is no argument.
func (x Operand) Array() formula.Array {
	switch {
	case x.V != nil:
		return x.V
	case x.D != nil:
		return x.D
	}
	return nil
}

// Arrays are operands as formulas take them.
func Arrays(list []Operand) []formula.Array {
	arrays := make([]formula.Array, len(list))
	for i, x := range list {
		arrays[i] = x.Array()
	}
	return arrays
}

// Integers is an operand that counts, or names places: a number in it does not take the kind of the
// variables beside it.
type Integers Operand

// Lengths is an argument that is a shape: a length, several, or a vector of them. In the symbolic
// half each may be symbolic.
type Lengths struct {
	Argument
	V []V   // int64 scalars
	N []int // in the eager half
}

// A Count is an argument that says how many Lengths there are, where these are a symbolic vector
// whose length is not known.
type Count struct {
	Argument
	N int
}

// Agrees is the error of n lengths where another number was given.
func (x Count) Agrees(n int) error {
	if x.Given() && x.N != n {
		return fmt.Errorf("got %d lengths, and %s is %d", n, x.Param, x.N)
	}
	return nil
}

// An Integer is an argument that is one whole number, which in the symbolic half may be symbolic.
type Integer struct {
	Argument
	V V   // an int64 scalar
	N int // in the eager half
}

// VOr is the variable, or a constant if there is no argument.
func (x Integer) VOr(g *Graph, otherwise int) V {
	if x.V == nil {
		return g.Constant(tensor.IntScalar(kernels.Int64, int64(otherwise)))
	}
	return x.V
}

// A Graph is what symbolic halves build with. Apply and its like panic with a *graph.Error, which
// whoever called the half catches.
type Graph struct {
	*graph.Builder
	FloatX kernels.DType
}

// A Function is one row. A is hidden: the halves read their arguments from a struct, see New.
type Function struct {
	Names   []string // "np.concatenate", "T.concatenate", "T.join"
	Doc     string
	Example string // a call without its module, with the result: "concatenate([[1], [2]]) # array([1, 2])"
	Params  []value.Param

	fields   *fields
	symbolic func(g *Graph, a any) ([]V, error)
	eager    func(e any, a any) starlark.Value
	result   result
	refused  [2][]refusal // by the symbolic half and by the eager one
}

// A result is what symbolic halves return to users.
type result int

const (
	one     result = iota
	list           // a list, however many there are
	tuple          // a tuple, which may be a subscript
	several        // one as itself, others as a list
	parts          // as several, but that np returns a tuple: as Theano and NumPy do of svd
)

// fields are how A is read, and what of it are operands.
type fields struct {
	*value.Arguments
	operands []value.Place[Operand]
	lists    []value.Place[[]Operand]
	integers []value.Place[Integers]
	lengths  []value.Place[Lengths]
	single   []value.Place[Integer]
	counts   []value.Place[Count]
}

// A Call is a call whose arguments have been read. What the operands and lengths stand for is not
// known yet.
type Call struct {
	f    *Function
	args any // *A
}

// Symbolic reports whether the row has a symbolic half.
func (f *Function) Symbolic() bool { return f.symbolic != nil }

// Eager reports whether the row has an eager half.
func (f *Function) Eager() bool { return f.eager != nil }

// Result is what users get of the results of a half: one by itself, a list or a tuple.
func (f *Function) Result(out []starlark.Value) starlark.Value {
	switch {
	case f.result == tuple:
		return starlark.Tuple(out)
	case f.result == list || (f.result == several || f.result == parts) && len(out) != 1:
		return slot.NewList(out)
	}
	return out[0]
}

// EagerResult is Result in np, where the parts that a matrix is taken into are a tuple.
func (f *Function) EagerResult(out []starlark.Value) starlark.Value {
	if f.result == parts && len(out) != 1 {
		return starlark.Tuple(out)
	}
	return f.Result(out)
}

// single says of a struct of arguments whether they ask for one result of a function that else has
// several.
type single interface{ One() bool }

// Result is what users get of the results of the symbolic half.
func (c Call) Result(out []starlark.Value) starlark.Value {
	if a, ok := c.args.(single); ok && a.One() {
		return out[0]
	}
	return c.f.Result(out)
}

// In returns the names that f has in a module, as users write them behind its dot: for "T" all of
// "T.sum", not "T.nnet.relu".
func (f *Function) In(module string) []string {
	var names []string
	for _, name := range f.Names {
		if rest, ok := strings.CutPrefix(name, module+"."); ok && !strings.Contains(rest, ".") {
			names = append(names, rest)
		}
	}
	return names
}

// ExampleOf is the example as users of a name of the module write it. One of T computes what it
// builds. An example that does not begin with a call of f is whole.
func (f *Function) ExampleOf(module, name string) string {
	call, result, _ := strings.Cut(f.Example, " # ")
	called, args, _ := strings.Cut(call, "(")
	if !slices.ContainsFunc(f.Names, func(name string) bool { return strings.HasSuffix(name, "."+called) }) {
		return f.Example
	}
	call = module + "." + name + "(" + args
	if strings.HasPrefix(module, "T") || module == "gradient" {
		switch {
		case !strings.HasSuffix(args, ")"): // a part of the result
			call += ".eval()"
		case f.result == list:
			call = "[x.eval() for x in " + call + "]"
		case f.result == tuple:
			call = "tuple([x.eval() for x in " + call + "])"
		default:
			call += ".eval()"
		}
	}
	if result == "" {
		return call
	}
	return call + " # " + result
}

// Read reads the arguments of a call of b, which has f's parameters.
func (f *Function) Read(s value.Host, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (Call, error) {
	a, err := f.fields.Read(s, b, args, kwargs)
	return Call{f, a}, err
}

// given are the arguments of one kind that were given.
func given[T any, P interface {
	*T
	given(param string) bool
}](places []value.Place[T], args any) []P {
	var list []P
	for _, p := range places {
		if x := P(p.In(args)); x.given(p.Param) {
			list = append(list, x)
		}
	}
	return list
}

// Operands are the operands that were given, at last those in lists.
func (c Call) Operands() []*Operand {
	all := given(c.f.fields.operands, c.args)
	for _, p := range c.f.fields.lists {
		list := *p.In(c.args)
		for i := range list {
			list[i].Param = p.Param
			all = append(all, &list[i])
		}
	}
	return all
}

// Variables are what the operands of both kinds are in the symbolic half.
func (c Call) Variables() []V {
	var list []V
	for _, x := range c.Operands() {
		list = append(list, x.V)
	}
	for _, x := range c.Integers() {
		list = append(list, x.V)
	}
	return list
}

// Integers are the operands that count and were given.
func (c Call) Integers() []*Integers { return given(c.f.fields.integers, c.args) }

// Lengths are the shapes that were given.
func (c Call) Lengths() []*Lengths { return given(c.f.fields.lengths, c.args) }

// Count is the argument that says how many lengths there are, whose Param is empty if the row has
// none.
func (c Call) Count() Count {
	for _, p := range c.f.fields.counts {
		x := p.In(c.args)
		x.Param = p.Param
		return *x
	}
	return Count{}
}

// Single are the whole numbers that were given.
func (c Call) Single() []*Integer { return given(c.f.fields.single, c.args) }

// Evaluate sets what the eager half reads: the arrays that operands are, as dense makes them, and
// the lengths of shapes. It refuses what that half cannot honour.
func (c Call) Evaluate(dense func(v starlark.Value) (*tensor.Dense, error)) (err error) {
	f := c.f.fields
	for _, p := range f.operands {
		if x := p.In(c.args); x.given(p.Param) {
			if x.D, err = dense(x.Value); err != nil {
				return fmt.Errorf("for parameter %s: %w", p.Param, err)
			}
		}
	}
	for _, p := range f.lists {
		list := *p.In(c.args)
		for i := range list {
			list[i].Param = p.Param
			if list[i].D, err = dense(list[i].Value); err != nil {
				return fmt.Errorf("for parameter %s: %w", p.Param, err)
			}
		}
	}
	for _, p := range f.integers {
		if x := p.In(c.args); x.given(p.Param) {
			if x.D, err = dense(x.Value); err != nil {
				return fmt.Errorf("for parameter %s: %w", p.Param, err)
			}
		}
	}
	for _, p := range f.lengths {
		if x := p.In(c.args); x.given(p.Param) {
			if x.N, err = value.Ints(x.Value); err != nil {
				return fmt.Errorf("for parameter %s: %w", p.Param, err)
			}
		}
	}
	for _, p := range f.single {
		if x := p.In(c.args); x.given(p.Param) {
			if x.N, err = value.Int(x.Value); err != nil {
				return fmt.Errorf("for parameter %s: %w", p.Param, err)
			}
		}
	}
	if !c.f.Eager() {
		return nil
	}
	return c.refuse(eagerHalf)
}

// Build runs the symbolic half. Its panics with a *graph.Error are returned.
func (c Call) Build(g *Graph) (out []V, err error) {
	if err := c.refuse(symbolicHalf); err != nil {
		return nil, err
	}
	defer graph.Catch(&err)
	return c.f.symbolic(g, c.args)
}

// Compute runs the eager half; e is what package np gives its functions.
func (c Call) Compute(e any) starlark.Value { return c.f.eager(e, c.args) }

// Half is a half of a row, for New.
type Half[A any] func(f *Function)

// Builds is a symbolic half with one result.
func Builds[A any](build func(g *Graph, a *A) (V, error)) Half[A] {
	return func(f *Function) {
		f.symbolic = func(g *Graph, a any) ([]V, error) {
			v, err := build(g, a.(*A))
			return []V{v}, err
		}
	}
}

// BuildsFormula is a symbolic half that is a formula.
func BuildsFormula[A any](f func(m *formula.Algebra, a *A) (formula.Array, error)) Half[A] {
	return Builds(func(g *Graph, a *A) (V, error) {
		return formula.Variable(f(formula.Symbolic(g.Builder), a))
	})
}

// BuildsList is a symbolic half whose result is a list.
func BuildsList[A any](build func(g *Graph, a *A) ([]V, error)) Half[A] {
	return func(f *Function) {
		f.result = list
		f.symbolic = func(g *Graph, a any) ([]V, error) { return build(g, a.(*A)) }
	}
}

// BuildsTuple is a symbolic half whose result is a tuple.
func BuildsTuple[A any](build func(g *Graph, a *A) ([]V, error)) Half[A] {
	return func(f *Function) {
		f.result = tuple
		f.symbolic = func(g *Graph, a any) ([]V, error) { return build(g, a.(*A)) }
	}
}

// BuildsSeveral is a symbolic half whose result is a list unless there is one.
func BuildsSeveral[A any](build func(g *Graph, a *A) ([]V, error)) Half[A] {
	return func(f *Function) {
		f.result = several
		f.symbolic = func(g *Graph, a any) ([]V, error) { return build(g, a.(*A)) }
	}
}

// BuildsParts is BuildsSeveral for functions that np has too, and returns a tuple from.
func BuildsParts[A any](build func(g *Graph, a *A) ([]V, error)) Half[A] {
	return func(f *Function) {
		f.result = parts
		f.symbolic = func(g *Graph, a any) ([]V, error) { return build(g, a.(*A)) }
	}
}

// Computes is an eager half; E is what its caller gives it, which keeps errors.
func Computes[E, A any](compute func(e E, a *A) starlark.Value) Half[A] {
	return func(f *Function) {
		f.eager = func(e, a any) starlark.Value { return compute(e.(E), a.(*A)) }
	}
}

// New makes a row. names are separated by blanks, each with its module. A declares the parameters:
// see value.Arguments. kinds are Kinds, and those of other fields that package value has none for.
// What only one half can honour says why in a tag: see refusal.
func New[A any](names, doc, example string, kinds []value.Kind, halves ...Half[A]) Function {
	f := row(names, doc, example, value.NewArguments[A](kinds...))
	f.refused = refusals[A]()
	for _, half := range halves {
		half(f)
	}
	if f.symbolic == nil && f.eager == nil {
		panic("BUG: " + names + " has no half")
	}
	return *f
}

// row is a row without halves. It is apart from New since there is code of New for every A.
func row(names, doc, example string, arguments *value.Arguments) *Function {
	return &Function{Names: strings.Fields(names), Doc: doc, Example: example, Params: arguments.Params(), fields: &fields{arguments,
		value.PlacesOf[Operand](arguments), value.PlacesOf[[]Operand](arguments), value.PlacesOf[Integers](arguments),
		value.PlacesOf[Lengths](arguments), value.PlacesOf[Integer](arguments), value.PlacesOf[Count](arguments)}}
}

// maxCount bounds what one call takes apart, long before memory ends.
const maxCount = 1 << 16

// Kinds read the arguments that both halves have.
var Kinds = []value.Kind{
	value.KindOf(func(_ value.Host, v starlark.Value) (Operand, error) {
		return Operand{Argument: Argument{Value: v}}, nil
	}),
	value.KindOf(func(_ value.Host, v starlark.Value) (Integers, error) {
		return Integers{Argument: Argument{Value: v}}, nil
	}),
	value.KindOf(func(_ value.Host, v starlark.Value) (Lengths, error) {
		return Lengths{Argument: Argument{Value: v}}, nil
	}),
	value.KindOf(func(_ value.Host, v starlark.Value) (Integer, error) {
		return Integer{Argument: Argument{Value: v}}, nil
	}),
	value.KindOf(func(_ value.Host, v starlark.Value) (Count, error) {
		n, err := value.Int(v)
		if err == nil && (n < 0 || n > maxCount) {
			err = fmt.Errorf("got %d, want a number from 0 to %d", n, maxCount)
		}
		return Count{Argument{Value: v}, n}, err
	}),
	value.KindOf(readOperands), value.KindOf(readAxes),
}

func readOperands(_ value.Host, v starlark.Value) ([]Operand, error) {
	seq, ok := value.Elements(v)
	if !ok {
		return nil, fmt.Errorf("got %s, want a list of arrays, such as [x, y]", v.Type())
	}
	if err := value.CheckEnd(seq); err != nil {
		return nil, err
	}
	list := make([]Operand, 0, max(0, starlark.Len(v)))
	it := seq.Iterate()
	defer it.Done()
	for x := starlark.Value(nil); it.Next(&x); {
		list = append(list, Operand{Argument: Argument{Value: x}})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("got no arrays, want at least one")
	}
	return list, nil
}
