package functions

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// V is a symbolic variable.
type V = *graph.Variable

// An Operand is an argument that is an array. Whoever calls a half has set what that half reads.
type Operand struct {
	Value starlark.Value // as it was written; nil if it was not given
	Param string         // which it is for
	V     V              // in the symbolic half
	D     *tensor.Dense  // in the eager half
}

// Given reports whether there is an argument.
func (x Operand) Given() bool { return x.Value != nil }

// Integers is an operand that counts, or names places: a number in it does not take the kind of the variables beside it.
type Integers Operand

// Given reports whether there is an argument.
func (x Integers) Given() bool { return x.Value != nil }

// Lengths is an argument that is a shape: a length, several, or a vector of them. In the symbolic half each may be symbolic.
type Lengths struct {
	Value starlark.Value
	Param string
	V     []V   // int64 scalars
	N     []int // in the eager half
}

// Given reports whether there is an argument.
func (x Lengths) Given() bool { return x.Value != nil }

// An Integer is an argument that is one whole number, which in the symbolic half may be symbolic.
type Integer struct {
	Value starlark.Value
	Param string
	V     V   // an int64 scalar
	N     int // in the eager half
}

// Given reports whether there is an argument.
func (x Integer) Given() bool { return x.Value != nil }

// VOr is the variable, or a constant if there is no argument.
func (x Integer) VOr(g *Graph, otherwise int) V {
	if x.V == nil {
		return g.Constant(tensor.IntScalar(kernels.Int64, int64(otherwise)))
	}
	return x.V
}

// A Graph is what symbolic halves build with. Apply and its like panic with a *graph.Error, which whoever called the half catches.
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

	read     func(s value.Host, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (*Call, error)
	symbolic func(g *Graph, a any) ([]V, error)
	eager    func(e any, a any) (starlark.Value, error)
	result   result
	refused  [2][]refusal // by the symbolic half and by the eager one
	lengths  []string     // parameters that may be symbolic, beside operands
}

// A result is what symbolic halves return to users.
type result int

const (
	one     result = iota
	list           // a list, however many there are
	several        // one as itself, others as a list
)

// A Call is a call whose arguments have been read. What the operands and lengths stand for is not known yet.
type Call struct {
	Operands []*Operand
	Integers []*Integers
	Lengths  []*Lengths
	Integer  []*Integer
	f        *Function
	args     any
	operands [3]*Operand // the memory of Operands, of most calls
	lengths  [1]*Lengths
}

// Symbolic reports whether the row has a symbolic half.
func (f *Function) Symbolic() bool { return f.symbolic != nil }

// Eager reports whether the row has an eager half.
func (f *Function) Eager() bool { return f.eager != nil }

// List reports whether n results are returned as a list.
func (f *Function) List(n int) bool { return f.result == list || f.result == several && n != 1 }

// In returns the names that f has in a module, as users write them behind its dot: for "T" all of "T.sum", not "T.nnet.relu".
func (f *Function) In(module string) []string {
	var names []string
	for _, name := range f.Names {
		if rest, ok := strings.CutPrefix(name, module+"."); ok && !strings.Contains(rest, ".") {
			names = append(names, rest)
		}
	}
	return names
}

// ExampleOf is the example as users of a name of the module write it. One of T computes what it builds. An example that does not begin with
// a call of f is whole.
func (f *Function) ExampleOf(module, name string) string {
	call, result, _ := strings.Cut(f.Example, " # ")
	called, args, _ := strings.Cut(call, "(")
	if !slices.ContainsFunc(f.Names, func(name string) bool { return strings.HasSuffix(name, "."+called) }) {
		return f.Example
	}
	call = module + "." + name + "(" + args
	if strings.HasPrefix(module, "T") {
		if f.result == list {
			call = "[x.eval() for x in " + call + "]"
		} else {
			call += ".eval()"
		}
	}
	if result == "" {
		return call
	}
	return call + " # " + result
}

// Read reads the arguments of a call of b, which has f's parameters.
func (f *Function) Read(s value.Host, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (*Call, error) {
	return f.read(s, b, args, kwargs)
}

// Build runs the symbolic half. Its panics with a *graph.Error are returned.
func (c *Call) Build(g *Graph) (out []V, err error) {
	if err := c.refuse(symbolicHalf); err != nil {
		return nil, err
	}
	defer graph.Catch(&err)
	return c.f.symbolic(g, c.args)
}

// Compute runs the eager half; e is what package np gives its functions.
func (c *Call) Compute(e any) (starlark.Value, error) {
	if err := c.refuse(eagerHalf); err != nil {
		return nil, err
	}
	return c.f.eager(e, c.args)
}

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

// BuildsList is a symbolic half whose result is a list.
func BuildsList[A any](build func(g *Graph, a *A) ([]V, error)) Half[A] {
	return func(f *Function) {
		f.result = list
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

// Computes is an eager half; E is what its caller gives it.
func Computes[E, A any](compute func(e E, a *A) (starlark.Value, error)) Half[A] {
	return func(f *Function) {
		f.eager = func(e, a any) (starlark.Value, error) { return compute(e.(E), a.(*A)) }
	}
}

// New makes a row. names are separated by blanks, each with its module. A declares the parameters: see value.Arguments; fields of types
// other than those of Kinds and of package value need further kinds. What only one half can honour says why in a tag: see refusal.
func New[A any](names, doc, example string, kinds []value.Kind, halves ...Half[A]) Function {
	arguments := value.NewArguments[A](append(kinds[:len(kinds):len(kinds)], Kinds...)...)
	f := Function{Names: strings.Fields(names), Doc: doc, Example: example, Params: arguments.Params(), refused: refusals[A]()}
	for _, half := range halves {
		half(&f)
	}
	if f.symbolic == nil && f.eager == nil {
		panic("BUG: " + names + " has no half")
	}
	operands, lists, integers, lengths := fields[Operand, A](), fields[[]Operand, A](), fields[Integers, A](), fields[Lengths, A]()
	integer := fields[Integer, A]()
	for _, p := range slices.Concat(lengths, integer) {
		f.lengths = append(f.lengths, p.name)
	}
	f.read = func(s value.Host, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (*Call, error) {
		a, err := arguments.Read(s, b, args, kwargs)
		if err != nil {
			return nil, err
		}
		c := &Call{f: &f, args: a}
		c.Operands, c.Lengths = c.operands[:0], c.lengths[:0]
		v := reflect.ValueOf(a).Elem()
		for _, p := range operands {
			if x := v.FieldByIndex(p.path).Addr().Interface().(*Operand); x.Given() {
				x.Param = p.name
				c.Operands = append(c.Operands, x)
			}
		}
		for _, p := range integers {
			if x := v.FieldByIndex(p.path).Addr().Interface().(*Integers); x.Given() {
				x.Param = p.name
				c.Integers = append(c.Integers, x)
			}
		}
		for _, p := range lists {
			list := *v.FieldByIndex(p.path).Addr().Interface().(*[]Operand)
			for i := range list {
				list[i].Param = p.name
				c.Operands = append(c.Operands, &list[i])
			}
		}
		for _, p := range lengths {
			if x := v.FieldByIndex(p.path).Addr().Interface().(*Lengths); x.Given() {
				x.Param = p.name
				c.Lengths = append(c.Lengths, x)
			}
		}
		for _, p := range integer {
			if x := v.FieldByIndex(p.path).Addr().Interface().(*Integer); x.Given() {
				x.Param = p.name
				c.Integer = append(c.Integer, x)
			}
		}
		return c, nil
	}
	return f
}

// A field is where an argument is in a struct, and the name of its parameter.
type field struct {
	path []int
	name string
}

// fields finds the fields of type T in the struct A.
func fields[T, A any]() []field {
	var found []field
	for _, f := range reflect.VisibleFields(reflect.TypeFor[A]()) {
		if f.Type == reflect.TypeFor[T]() {
			found = append(found, field{f.Index, strings.TrimLeft(value.ParseParam(f.Tag.Get("arg")).Name, "*")})
		}
	}
	return found
}

// Kinds read the arguments that both halves have.
var Kinds = []value.Kind{
	value.KindOf(func(_ value.Host, v starlark.Value) (Operand, error) { return Operand{Value: v}, nil }),
	value.KindOf(func(_ value.Host, v starlark.Value) (Integers, error) { return Integers{Value: v}, nil }),
	value.KindOf(func(_ value.Host, v starlark.Value) (Lengths, error) { return Lengths{Value: v}, nil }),
	value.KindOf(func(_ value.Host, v starlark.Value) (Integer, error) { return Integer{Value: v}, nil }),
	value.KindOf(readOperands), value.KindOf(readAxes),
}

func readOperands(_ value.Host, v starlark.Value) ([]Operand, error) {
	seq, ok := v.(starlark.Iterable)
	if !ok {
		return nil, fmt.Errorf("got %s, want a list of arrays", v.Type())
	}
	var list []Operand
	it := seq.Iterate()
	defer it.Done()
	for x := starlark.Value(nil); it.Next(&x); {
		list = append(list, Operand{Value: x})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("got no arrays, want at least one")
	}
	return list, nil
}
