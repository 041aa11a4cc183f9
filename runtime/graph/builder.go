package graph

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Builder makes Apply nodes and stamps what it makes with Origin. The zero Builder is ready to
// use.
type Builder struct {
	Origin *Origin
	// Evaluate, if it is set, applies operations to constants at once instead of making nodes: what
	// it returns are constants.
	Evaluate func(op Op, in []*Variable) ([]*Variable, error)
	// Made, if it is set, is told of each node. The error that it returns is that of Make.
	Made func(node *Apply) error
	// Differentiate is set while a graph is differentiated: an operation that runs a graph of its
	// own makes its gradient of that graph's. It returns the gradients of cost, nil for variables
	// on which cost does not depend.
	Differentiate func(cost *Variable, wrt []*Variable) ([]*Variable, error)
	// Needs is set with it: whether anybody wants the gradient with respect to an operand.
	Needs func(v *Variable) bool
}

// Make applies op. If the operands do not fit, the error is an *Error with the operands' origins.
func (b *Builder) Make(op Op, in ...*Variable) (outputs []*Variable, err error) {
	defer b.locate(op, in, &err)
	if err = checkStates(op, in); err != nil { // before Coerce, which would say less
		return nil, err
	}
	if c, ok := op.(Coercer); ok {
		if in, err = c.Coerce(b, in); err != nil {
			return nil, err
		}
	}
	if b.Evaluate != nil {
		return b.Evaluate(op, in)
	}
	node, err := NewApply(op, in, b.Origin)
	if err != nil {
		return nil, err
	}
	weak := len(in) > 0
	for _, v := range in {
		weak = weak && v.Weak
	}
	for _, v := range node.Outputs {
		v.Weak = weak
	}
	if b.Made != nil {
		if err = b.Made(node); err != nil {
			return nil, err
		}
	}
	return node.Outputs, nil
}

// WeakConstant makes a constant of a bare number.
func (b *Builder) WeakConstant(data *tensor.Dense) *Variable {
	v := b.Constant(data)
	v.Weak = true
	return v
}

// locate turns an error about operands into one that names them and their places.
func (b *Builder) locate(op Op, in []*Variable, err *error) {
	if *err == nil {
		return
	}
	var e *Error
	if errors.As(*err, &e) {
		return
	}
	*err = &Error{Pos: b.Origin.Pos(), Op: BaseName(op), Msg: (*err).Error(), Notes: operandNotes(in), Cause: *err}
}

// Apply is Make for gradients and rewrites, which know that their operands fit: it returns the
// first output and panics with an *Error if it is wrong. Catch turns the panic back into an error.
func (b *Builder) Apply(op Op, in ...*Variable) *Variable {
	out, err := b.Make(op, in...)
	if err != nil {
		panic(err)
	}
	return out[0]
}

// Fail panics with an error that Catch turns back into what it is: for what can return none, such
// as a gradient that a program computes.
func Fail(err error) { panic(failure{err}) }

type failure struct{ error }

// Catch, deferred, stores the error of a panic by Builder.Apply or Fail in *err and lets other
// panics pass.
func Catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Error:
		*err = r
	case failure:
		*err = r.error
	default:
		panic(r)
	}
}

// Constant makes a constant.
func (b *Builder) Constant(data *tensor.Dense) *Variable { return NewConstant(data, b.Origin) }

// Number makes a 0-d constant.
func (b *Builder) Number(dtype kernels.DType, v float64) *Variable {
	return b.Constant(tensor.Scalar(dtype, v))
}

// Like makes a constant of v's element type and rank, all of whose axes have length 1, so that it
// broadcasts against v.
func (b *Builder) Like(v *Variable, value float64) *Variable {
	return b.Constant(Filled(v.Type, value))
}

// Filled is the value of the constant that Like makes.
func Filled(t Type, value float64) *tensor.Dense {
	var ones [tensor.MaxRank]int
	for i := range ones {
		ones[i] = 1
	}
	a := tensor.New(t.DType, ones[:t.Rank()]...)
	a.Fill(value)
	return a
}

// NewApply makes a node without coercion, as Parse and the rewrites do. The list of operands is not
// kept.
func NewApply(op Op, in []*Variable, origin *Origin) (*Apply, error) {
	for i, v := range in {
		if v == nil {
			return nil, fmt.Errorf("operand %d is missing", i)
		}
	}
	if err := checkStates(op, in); err != nil {
		return nil, err
	}
	if o, ok := op.(Single); ok {
		node := newSingle(op, in)
		t, err := o.InferOne(node.Inputs)
		if err != nil {
			return nil, err
		}
		*node.Outputs[0] = Variable{Type: t, Owner: node, Origin: origin}
		return node, nil
	}
	own := slices.Clone(in)
	types, err := op.Infer(own)
	if err != nil {
		return nil, err
	}
	node := newNode(op, own, len(types))
	for i, t := range types {
		*node.Outputs[i] = Variable{Type: t, Owner: node, Index: i, Origin: origin}
	}
	return node, nil
}

// A single is a node with its one output, as nearly all have: they live as long as each other.
type single struct {
	node    Apply
	output  Variable
	outputs [1]*Variable
}

// single1 and single2 have one operand and two. Walks find side by side what they ask for: the
// list of operands, the operands, and the head of the output.
type (
	single1 struct {
		node    Apply
		in      [1]*Variable
		output  Variable
		outputs [1]*Variable
	}
	single2 struct {
		node    Apply
		in      [2]*Variable
		output  Variable
		outputs [1]*Variable
	}
)

// newSingle makes a node of one output, which is still to be filled, and its list of operands.
func newSingle(op Op, in []*Variable) *Apply {
	switch len(in) {
	case 1:
		n := &single1{in: [1]*Variable(in)}
		n.outputs[0] = &n.output
		n.node = Apply{Op: op, Inputs: n.in[:], Outputs: n.outputs[:]}
		return &n.node
	case 2:
		n := &single2{in: [2]*Variable(in)}
		n.outputs[0] = &n.output
		n.node = Apply{Op: op, Inputs: n.in[:], Outputs: n.outputs[:]}
		return &n.node
	}
	return newNode(op, slices.Clone(in), 1)
}

// newNode makes a node with these operands and n outputs, which are still to be filled.
func newNode(op Op, in []*Variable, outputs int) *Apply {
	if outputs == 1 {
		n := &single{}
		n.outputs[0] = &n.output
		n.node = Apply{Op: op, Inputs: in, Outputs: n.outputs[:]}
		return &n.node
	}
	node := &Apply{Op: op, Inputs: in, Outputs: make([]*Variable, outputs)}
	for i := range node.Outputs {
		node.Outputs[i] = &Variable{}
	}
	return node
}

// Remake applies node's op to other inputs, keeping names and origins. If the inputs are the same,
// so is the node.
func (a *Apply) Remake(in []*Variable) (*Apply, error) {
	if slices.Equal(in, a.Inputs) {
		return a, nil
	}
	return a.remake(in, func(o *Origin) *Origin { return o })
}

// remade is Remake or, if retype, applies the operation as if it were written with in: operands are
// coerced, and what stood for an axis of length 1 may broadcast.
func (a *Apply) remade(in []*Variable, retype bool) (*Apply, error) {
	if !retype || slices.Equal(in, a.Inputs) {
		return a.Remake(in)
	}
	out, err := (&Builder{Origin: a.Origin()}).Make(a.Op, in...)
	if err != nil {
		return nil, err
	}
	for i, v := range out {
		v.Name = a.Outputs[i].Name
	}
	return out[0].Owner, nil
}

// RemakeAs is Remake for another role. The node is always a new one.
func (a *Apply) RemakeAs(in []*Variable, role Role) (*Apply, error) {
	return a.remake(in, func(o *Origin) *Origin { return o.WithRole(role) })
}

// Moved is the same node with another origin.
func (a *Apply) Moved(origin *Origin) *Apply {
	node := newNode(a.Op, a.Inputs, len(a.Outputs))
	for i, v := range a.Outputs {
		*node.Outputs[i] = Variable{Type: v.Type, Name: v.Name, Owner: node, Index: i, Origin: origin}
	}
	return node
}

func (a *Apply) remake(in []*Variable, origin func(*Origin) *Origin) (*Apply, error) {
	if _, ok := a.Op.(FromTypes); ok && slices.EqualFunc(in, a.Inputs, sameType) {
		node, old := newSingle(a.Op, in), a.Outputs[0]
		*node.Outputs[0] = Variable{Type: old.Type, Name: old.Name, Owner: node, Origin: origin(old.Origin)}
		return node, nil
	}
	node, err := NewApply(a.Op, in, a.Origin())
	if err != nil { // more is known of the operands by now, and it does not fit
		(&Builder{Origin: a.Origin()}).locate(a.Op, in, &err)
		return nil, err
	}
	for i, v := range node.Outputs {
		old := a.Outputs[i]
		v.Name, v.Origin = old.Name, origin(old.Origin)
		if v.Type != old.Type {
			v.Type = v.Type.notBroadcasting(old.Type)
		}
	}
	return node, nil
}

func sameType(u, v *Variable) bool { return u == v || u.Type == v.Type }
