package userops

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A foreign is the definition of an operation that Starlark computes: a function that as_op made
// one, or an instance of a class below theano.Op.
type foreign struct {
	s       *symbolic.Session
	user    foreignOp
	serial  int64
	applied []application
	pattern [][]bool     // the last connection_pattern
	of      *graph.Apply // and the node that it is of
}

// A foreignOp is what the two kinds do each in their own way. Methods that the user need not write
// return a nil value if there are none.
type foreignOp interface {
	value() starlark.Value // what node.op is
	name() string
	label() string
	class() string
	props() string // that tell it from others of the name
	// makeNode returns the node of an application; what is passed may be converted.
	makeNode(thread *starlark.Thread, args starlark.Tuple) (*graph.Apply, error)
	perform(thread *starlark.Thread, node *graph.Apply, in []starlark.Value) ([]starlark.Value, error)
	grad(thread *starlark.Thread, node *graph.Apply, inputs, outputs, g *slot.List) (starlark.Value, error)
	noGrad() string // why there is none, and the way out
	pushes() bool
	push(thread *starlark.Thread, inputs, directions *slot.List) (starlark.Value, error)
	Lengths(thread *starlark.Thread, node *graph.Apply, shapes *slot.List) (starlark.Value, error)
	connections(thread *starlark.Thread, node *graph.Apply) (starlark.Value, error)
	flops(thread *starlark.Thread, in, out starlark.Value) (starlark.Value, error)
}

// An application is the types that an operation gave its results when it was applied.
type application struct {
	in  []*graph.Variable // of which types, and elements of constants, count
	out []graph.Type
}

var foreigns atomic.Int64

func newForeign(s *symbolic.Session, user foreignOp) *foreign {
	return &foreign{s: s, user: user, serial: foreigns.Add(1)}
}

func (f *foreign) Name() string {
	return fmt.Sprintf("%s{starlark=%d%s}", f.user.name(), f.serial, f.user.props())
}
func (f *foreign) Label() string { return f.user.label() }
func (f *foreign) Class() string { return f.user.class() }
func (*foreign) Impl() string    { return "Starlark" }
func (f *foreign) Pushes() bool  { return f.user.pushes() }

// thread is the one that runs.
func (f *foreign) thread() (*starlark.Thread, error) {
	if t := f.s.Current(); t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("%s is computed by a function of the program, and no cell runs", f.user.name())
}

// fits reports whether operands are like those of an application: of types that its accept, and the
// same constants where those are.
func (a *application) fits(in []*graph.Variable) bool {
	return slices.EqualFunc(a.in, in, func(x, y *graph.Variable) bool {
		return x.Type.Accepts(y.Type) && (x.Data == nil || x.Data == y.Data || y.Data != nil && slices.Equal(x.Data.Shape(), y.Data.Shape()) && slices.Equal(x.Data.Floats(), y.Data.Floats()))
	})
}

// remember notes the types of the results of an application.
func (f *foreign) remember(in []*graph.Variable, out []graph.Type) {
	for _, a := range f.applied {
		if a.fits(in) && slices.Equal(a.out, out) {
			return
		}
	}
	kept := make([]*graph.Variable, len(in))
	for i, v := range in {
		kept[i] = &graph.Variable{Type: v.Type, Data: v.Data}
	}
	f.applied = append(f.applied, application{kept, out})
}

// Infer gives the types that an application with such operands had; if there was none, the user's
// make_node is asked.
func (f *foreign) Infer(in []*graph.Variable) ([]graph.Type, error) {
	for _, a := range slices.Backward(f.applied) {
		if a.fits(in) {
			return a.out, nil
		}
	}
	thread, err := f.thread()
	if err != nil {
		return nil, err
	}
	args := make(starlark.Tuple, len(in))
	for i, v := range in {
		args[i] = symbolic.Symbol{S: f.s, V: v}
	}
	node, err := f.user.makeNode(thread, args)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(node.Inputs, in) {
		return nil, fmt.Errorf("got operands that make_node converts; apply the operation to those that it has made")
	}
	return graph.TypesOf(node.Outputs), nil
}

// Perform calls the user's function with copies of the operands, which it may keep and change.
func (f *foreign) Perform(node *graph.Apply, in []*tensor.Dense) ([]*tensor.Dense, error) {
	thread, err := f.thread()
	if err != nil {
		return nil, err
	}
	args := make([]starlark.Value, len(in))
	for i, a := range in {
		args[i] = np.FromDenseIn(f.s, a.Copy())
	}
	results, err := f.user.perform(thread, node, args)
	if err != nil {
		return nil, f.appliedAt(node, err)
	}
	if len(results) != len(node.Outputs) {
		return nil, fmt.Errorf("it gave %d results, want %d, as its types say", len(results), len(node.Outputs))
	}
	out := make([]*tensor.Dense, len(results))
	for i, v := range results {
		if out[i], err = resultOf(v, node.Outputs[i].Type); err != nil {
			return nil, fmt.Errorf("result %d: %w", i, err)
		}
	}
	return out, nil
}

// resultOf reads what a function gave for a result of type t. Bare numbers take its element type;
// arrays have to have it.
func resultOf(v starlark.Value, t graph.Type) (*tensor.Dense, error) {
	var a *tensor.Dense
	var err error
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, fmt.Errorf("got None, want an array of %v: return it, or store it in output_storage", t)
	case *np.Array, np.Scalar:
		if a, err = np.ToDense(v); err != nil {
			return nil, err
		}
	case starlark.Int, starlark.Float, starlark.Bool:
		if _, isFloat := v.(starlark.Float); isFloat && !t.DType.IsFloat() {
			return nil, fmt.Errorf("got the float %v, want %v", v, t)
		}
		if a, err = np.ToDenseAs(v, t.DType); err != nil {
			return nil, err
		}
	case symbolic.Symbol:
		return nil, fmt.Errorf("got the symbolic variable %s, want an array: what computes a result gets and makes arrays, with np", graph.Mention(v.V))
	default:
		return nil, fmt.Errorf("got %s, want an array of %v: np.asarray(x, dtype=\"%v\")", v.Type(), t, t.DType)
	}
	switch {
	case a.DType() != t.DType:
		return nil, fmt.Errorf("got %v, want %v: .astype(\"%v\") converts", a.DType(), t, t.DType)
	case a.Rank() != t.Rank():
		return nil, fmt.Errorf("got an array of shape %s, want %v, with %d dimensions", tensor.ShapeString(a.Shape()), t, t.Rank())
	case !t.AcceptsShape(a.Shape()):
		return nil, fmt.Errorf("got an array of shape %s, want %v", tensor.ShapeString(a.Shape()), t)
	}
	return a, nil
}

// appliedAt adds to an error of the user's function where the operation was applied.
func (f *foreign) appliedAt(node *graph.Apply, err error) error {
	called, pos := value.TraceOf(err), node.Origin().Pos()
	if called == nil || !pos.IsValid() {
		return err
	}
	msg := called.Error() + fmt.Sprintf("\n    %s: %s was applied here", pos, f.user.name())
	if source := f.s.Source(pos.File); source.Kept() && source.Line(pos.Line) != "" {
		msg += ": " + strings.TrimSpace(source.Line(pos.Line))
	}
	return called.Saying(msg)
}

// fault is an error about what a method of the user's returned for a node.
func (f *foreign) fault(node *graph.Apply, err error, format string, args ...any) error {
	if value.TraceOf(err) != nil {
		return err
	}
	return &graph.Error{Pos: node.Origin().Pos(), Op: f.user.name(), Msg: fmt.Sprintf(format, args...) + err.Error(), Cause: err}
}

// Grad asks the user's gradient. Results on which the cost does not depend have the gradient zero.
func (f *foreign) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) (grads []*graph.Variable, refused []string, err error) {
	grads = make([]*graph.Variable, len(node.Inputs))
	if why := f.user.noGrad(); why != "" {
		return grads, slices.Repeat([]string{why}, len(grads)), nil
	}
	thread, err := f.thread()
	if err != nil {
		return nil, nil, err
	}
	defer graph.Catch(&err)
	defer writtenAs(f.s, b.Origin)()
	given := make([]*graph.Variable, len(g))
	for i, v := range node.Outputs {
		switch {
		case g[i] != nil:
			given[i] = g[i]
		case v.Type.DType.IsFloat():
			given[i] = b.Apply(op.Second, v, b.Like(v, 0))
		default:
			given[i] = b.Apply(op.Second, v, b.Apply(op.Cast(kernels.Float64), b.Like(v, 0)))
		}
	}
	returned, err := f.user.grad(thread, node, symbolic.SymbolList(f.s, node.Inputs), symbolic.SymbolList(f.s, node.Outputs), symbolic.SymbolList(f.s, given))
	if err != nil {
		return nil, nil, err
	}
	list, ok := inList(returned)
	if !ok && len(node.Inputs) == 1 && returned != starlark.None {
		list, ok = []starlark.Value{returned}, true
	}
	if !ok || len(list) != len(node.Inputs) {
		got := symbolic.DescribeValue(returned)
		if ok {
			got = fmt.Sprintf("a list of %d", len(list))
		}
		return nil, nil, f.fault(node, fmt.Errorf("returned %s, want a list of a gradient for each of %d inputs", got, len(node.Inputs)), "its gradient ")
	}
	refused = make([]string, len(list))
	for i, v := range list {
		kind, d, why, err := f.s.GradientFor(b, node.Inputs[i], v)
		if err != nil {
			return nil, nil, f.fault(node, err, "gradient %d that it returned: ", i)
		}
		if grads[i] = d; kind == op.Undefined {
			if refused[i] = why; why == "" {
				refused[i] = fmt.Sprintf("its gradient with respect to operand %d is undefined (NullType)", i)
			}
			refused[i] += "; take the operand for a constant with theano.gradient.disconnected_grad(x)"
		}
	}
	return grads, refused, nil
}

// Push asks the user's R_op.
func (f *foreign) Push(b *graph.Builder, node *graph.Apply, v []*graph.Variable) (changes []*graph.Variable, err error) {
	thread, err := f.thread()
	if err != nil {
		return nil, err
	}
	defer graph.Catch(&err)
	defer writtenAs(f.s, b.Origin)()
	directions := make([]starlark.Value, len(v))
	for i, x := range v {
		if directions[i] = starlark.None; x != nil {
			directions[i] = symbolic.Symbol{S: f.s, V: x}
		}
	}
	returned, err := f.user.push(thread, symbolic.SymbolList(f.s, node.Inputs), slot.NewList(directions))
	if err != nil {
		return nil, err
	}
	list, ok := inList(returned)
	if !ok || len(list) != len(node.Outputs) {
		return nil, f.fault(node, fmt.Errorf("want a list of a change for each of %d outputs", len(node.Outputs)), "R_op returned %s: ", symbolic.DescribeValue(returned))
	}
	changes = make([]*graph.Variable, len(list))
	for i, x := range list {
		if x == starlark.None || !node.Outputs[i].Type.DType.IsFloat() {
			continue
		}
		kind, c, why, err := f.s.GradientFor(b, node.Outputs[i], x)
		if err == nil && kind == op.Undefined {
			err = fmt.Errorf("it is undefined (NullType) %s", why)
		}
		if err != nil {
			return nil, f.fault(node, err, "change %d that R_op returned: ", i)
		}
		changes[i] = c
	}
	return changes, nil
}

// Connects asks the user's connection_pattern.
func (f *foreign) Connects(node *graph.Apply, in, out int) bool {
	if f.of != node {
		thread, err := f.thread()
		if err != nil {
			graph.Fail(err)
		}
		v, err := f.user.connections(thread, node)
		if err != nil {
			graph.Fail(err)
		}
		var pattern [][]bool
		if v != nil {
			if pattern, err = connectionPattern(v, len(node.Inputs), len(node.Outputs)); err != nil {
				graph.Fail(f.fault(node, err, "connection_pattern: "))
			}
		}
		f.of, f.pattern = node, pattern
	}
	return f.pattern == nil || f.pattern[in][out]
}

// Lengths asks the user's infer_shape. What is wrong with it was said when the operation was
// applied.
func (f *foreign) Lengths(v *graph.Variable) []*graph.Variable {
	shapes, err := f.shapes(v.Owner)
	if err != nil || shapes == nil {
		return nil
	}
	return shapes[v.Index]
}

// shapes are the lengths of the axes of each result, nil if the user does not say.
func (f *foreign) shapes(node *graph.Apply) (all [][]*graph.Variable, err error) {
	thread, err := f.thread()
	if err != nil {
		return nil, err
	}
	defer graph.Catch(&err)
	b := f.s.Builder(thread)
	in := make([]starlark.Value, len(node.Inputs))
	for i, x := range node.Inputs {
		in[i] = starlark.Tuple(symbolic.Items(symbolic.SymbolList(f.s, op.Lengths(b, x))))
	}
	returned, err := f.user.Lengths(thread, node, slot.NewList(in))
	if err != nil || returned == nil {
		return nil, err
	}
	list, ok := inList(returned)
	if !ok || len(list) != len(node.Outputs) {
		return nil, f.fault(node, fmt.Errorf("want a list of a tuple for each of %d outputs", len(node.Outputs)), "infer_shape returned %s: ", value.ReprShort(returned, 60))
	}
	for i, shape := range list {
		lengths, ok := inList(shape)
		if rank := node.Outputs[i].Type.Rank(); !ok || len(lengths) != rank {
			return nil, f.fault(node, fmt.Errorf("want a tuple of %d lengths", rank), "infer_shape returned %s for output %d: ", value.ReprShort(shape, 60), i)
		}
		row := make([]*graph.Variable, len(lengths))
		for axis, n := range lengths {
			v, err := f.s.Variable(b, n, nil)
			if err == nil && (v.Type.Rank() != 0 || !v.Type.DType.IsInteger()) {
				err = fmt.Errorf("want an integer")
			}
			if err != nil {
				return nil, f.fault(node, err, "infer_shape returned %s for axis %d of output %d: ", symbolic.DescribeValue(n), axis, i)
			}
			row[axis] = symbolic.CastTo(b, v, kernels.Int64)
		}
		all = append(all, row)
	}
	return all, nil
}

// Flops asks the user's flops.
func (f *foreign) Flops(in, out [][]int) float64 {
	thread := f.s.Current()
	if thread == nil {
		return 0
	}
	shapes := func(all [][]int) starlark.Value {
		list := make([]starlark.Value, len(all))
		for i, shape := range all {
			t := make(starlark.Tuple, len(shape))
			for axis, n := range shape {
				t[axis] = starlark.MakeInt(n)
			}
			list[i] = t
		}
		return slot.NewList(list)
	}
	v, err := f.user.flops(thread, shapes(in), shapes(out))
	if err != nil || v == nil {
		return 0
	}
	n, _ := starlark.AsFloat(value.Plain(v))
	return max(n, 0)
}

// apply applies the operation.
func (f *foreign) apply(thread *starlark.Thread, args starlark.Tuple) ([]*graph.Variable, error) {
	node, err := f.user.makeNode(thread, args)
	if err != nil {
		return nil, err
	}
	if made := f.s.Made().Node; made != nil {
		if err := made(node); err != nil {
			return nil, err
		}
	}
	if mine, ok := node.Op.(op.Foreign); ok {
		if _, err := mine.By.(*foreign).shapes(node); err != nil {
			return nil, err
		}
	}
	return node.Outputs, nil
}

// node makes the node of operands and of results of these types.
func (f *foreign) node(thread *starlark.Thread, in []*graph.Variable, out []*graph.Variable) (*graph.Apply, error) {
	f.remember(in, graph.TypesOf(out))
	node := &graph.Apply{Op: op.Foreign{By: f}, Inputs: in}
	origin := f.s.NodeOrigin(thread)
	for i, v := range out {
		node.Outputs = append(node.Outputs, &graph.Variable{Type: v.Type, Name: v.Name, Owner: node, Index: i, Origin: origin})
	}
	return node, nil
}

// writtenAs makes what the user's functions write now be of an origin, until it is called.
func writtenAs(s *symbolic.Session, o *graph.Origin) (end func()) {
	before := s.Writing
	s.Writing = o
	return func() { s.Writing = before }
}
