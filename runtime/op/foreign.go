package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Foreign is an operation that the user's program defines and computes. It is taken for a function
// of its operands: equal ones become one, and one whose results nobody reads is left out.
type Foreign struct{ By Definition }

// A Definition is what a program says of an operation. Values are compared with ==: two operations
// are the same if they have the same definition.
type Definition interface {
	// Name is the operation's text form, of which nothing can be read back, and Label and Class are
	// what the classic profile prints.
	Name() string
	Label() string
	Class() string
	// Impl is what profiles say that computes it.
	Impl() string
	// Infer gives the types of the results.
	Infer(in []V) ([]graph.Type, error)
	// Perform computes the results. It must not keep the operands, which stay as they are, and
	// gives the results away.
	Perform(node *graph.Apply, in []*tensor.Dense) ([]*tensor.Dense, error)
	// Grad returns gradients as graph.Refusing.TryGrad does.
	Grad(b *graph.Builder, node *graph.Apply, g []V) (grads []V, refused []string, err error)
	// Pushes and Push are those of graph.Pusher.
	Pushes() bool
	Push(b *graph.Builder, node *graph.Apply, v []V) ([]V, error)
	// Connects is that of graph.Connector.
	Connects(node *graph.Apply, in, out int) bool
	// Lengths are those of a result's axes, int64 scalars in terms of the operands; nil if only the
	// result tells.
	Lengths(v V) []V
	// Flops are the arithmetic operations of a call with arrays of these shapes; 0 if nobody says.
	Flops(in, out [][]int) float64
}

var (
	_                 = register(Foreign{})
	_ graph.Refusing  = Foreign{}
	_ graph.Pusher    = Foreign{}
	_ graph.Connector = Foreign{}
	_ graph.Bound     = Foreign{}
)

func (f Foreign) Name() string {
	if f.By == nil { // the operation without a definition
		return "foreign"
	}
	return f.By.Name()
}

// parse knows the definition that tests try.
func (Foreign) parse(params string) (graph.Op, error) {
	if params != doubled.params {
		return nil, fmt.Errorf("op foreign: an operation of a program cannot be read from a text")
	}
	return Foreign{doubled}, nil
}

func (f Foreign) Infer(in []*graph.Variable) ([]graph.Type, error) { return f.By.Infer(in) }
func (f Foreign) Label() string                                    { return f.By.Label() }
func (f Foreign) Class() string                                    { return f.By.Class() }

func (f Foreign) Bound() string {
	if f.By == Definition(doubled) {
		return ""
	}
	return "it is computed by " + f.By.Label() + ", a function of the program"
}

func (f Foreign) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	return func(c *Call, in, out []*tensor.Dense) error {
		results, err := f.By.Perform(node, in)
		if err != nil {
			return err
		}
		for i, a := range results {
			out[i] = c.Alloc(i, a.DType(), a.Shape())
			tensor.CopyTo(out[i], a)
		}
		return nil
	}, f.By.Impl(), nil
}

func (f Foreign) Cost(in, out []graph.Array) graph.Cost {
	shapes := func(list []graph.Array) [][]int {
		all := make([][]int, len(list))
		for i, a := range list {
			all[i] = a.Shape
		}
		return all
	}
	return graph.Once(f.By.Flops(shapes(in), shapes(out)), in, out)
}

// Length is what the definition says.
func (f Foreign) Length(_ Maker, v V, axis int) V {
	if lengths := f.By.Lengths(v); lengths != nil {
		return lengths[axis]
	}
	return nil
}

// Traits: nothing is known, so that anything may be.
func (Foreign) Traits() Traits { return Jumps | Kinks | Bends }

// Grad is TryGrad for who does not want to know why something is missing.
func (f Foreign) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	grads, _ := f.TryGrad(b, node, g)
	return grads
}

func (f Foreign) TryGrad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) ([]*graph.Variable, []string) {
	grads, refused, err := f.By.Grad(b, node, g)
	if err != nil {
		graph.Fail(err)
	}
	return grads, refused
}

func (f Foreign) Pushes() bool { return f.By.Pushes() }

func (f Foreign) Push(b *graph.Builder, node *graph.Apply, v []*graph.Variable) (changes []*graph.Variable, given []bool) {
	changes, err := f.By.Push(b, node, v)
	if err != nil {
		graph.Fail(err)
	}
	given = make([]bool, len(changes))
	for i := range given {
		given[i] = true
	}
	return changes, given
}

func (f Foreign) Connects(node *graph.Apply, in, out int) bool { return f.By.Connects(node, in, out) }

// CallsProgram reports whether running o calls the user's program: it is Foreign, or a graph in it
// has an operation that is.
func CallsProgram(o graph.Op) bool {
	var body *graph.FunctionGraph
	switch o := o.(type) {
	case Foreign:
		return true
	case FromGraph:
		body = o.Body
	case Scan:
		body = o.Body
	default:
		return false
	}
	return slices.ContainsFunc(body.Toposort(), func(n *graph.Apply) bool { return CallsProgram(n.Op) })
}

// double is a definition to try Foreign with.
type double struct{ params string }

var doubled = double{`"double"`}

func (d double) Name() string                                      { return "foreign{" + d.params + "}" }
func (double) Label() string                                       { return "double" }
func (double) Class() string                                       { return "double" }
func (double) Impl() string                                        { return goImpl }
func (double) Pushes() bool                                        { return false }
func (double) Push(*graph.Builder, *graph.Apply, []V) ([]V, error) { return nil, nil }
func (double) Connects(*graph.Apply, int, int) bool                { return true }

func (double) Infer(in []V) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	if in[0].Type.DType != kernels.Float64 {
		return nil, fmt.Errorf("got %v, want float64", in[0].Type)
	}
	return []graph.Type{in[0].Type}, nil
}

func (double) Perform(_ *graph.Apply, in []*tensor.Dense) ([]*tensor.Dense, error) {
	z := tensor.From(in[0].Floats(), in[0].Shape()...)
	for i, x := range tensor.Elements[float64](z) {
		tensor.Elements[float64](z)[i] = 2 * x
	}
	return []*tensor.Dense{z}, nil
}

func (double) Grad(b *graph.Builder, node *graph.Apply, g []V) (grads []V, refused []string, err error) {
	return []V{b.Apply(Mul, g[0], b.Like(g[0], 2))}, nil, nil
}

func (double) Lengths(v V) []V { return Lengths(&graph.Builder{}, v.Owner.Inputs[0]) }

func (double) Flops(in, _ [][]int) float64 { return float64(tensor.Size(in[0])) }

func (Foreign) Cases() []Case { return cases("float64[2,3]", Foreign{doubled}) }
