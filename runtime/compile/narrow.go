package compile

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// narrow is fg in float32: each variable of float64 becomes one of float32, and nothing else
// changes its type. shared gives the shared variable that takes the place of one of float64.
//
// What stays float64 are operations that make it of integers, and those that take nothing else:
// their operands and results are converted.
func narrow(fg *graph.FunctionGraph, shared func(*graph.Variable) *graph.Variable) (*graph.FunctionGraph, error) {
	n := &narrower{shared: shared}
	res := &graph.FunctionGraph{Name: fg.Name}
	for _, v := range fg.Inputs {
		res.Inputs = append(res.Inputs, n.root(v))
	}
	for _, node := range fg.Toposort() {
		if err := n.apply(node); err != nil {
			return nil, err
		}
	}
	for _, v := range fg.Outputs {
		res.Outputs = append(res.Outputs, n.of(v))
	}
	for _, u := range fg.Updates {
		res.Updates = append(res.Updates, graph.Update{Shared: n.of(u.Shared), Value: n.of(u.Value)})
	}
	return res, nil
}

// A narrower knows what takes the place of variables.
type narrower struct {
	memo   graph.Table[*graph.Variable]
	shared func(*graph.Variable) *graph.Variable
}

func narrowed(t graph.Type) graph.Type {
	if t.DType == kernels.Float64 {
		return t.WithDType(kernels.Float32)
	}
	return t
}

func (n *narrower) of(v *graph.Variable) *graph.Variable {
	if w := n.memo.Get(v); w != nil {
		return w
	}
	return n.root(v)
}

// root takes the place of what no operation makes.
func (n *narrower) root(v *graph.Variable) *graph.Variable {
	w := v
	if v.Type.DType == kernels.Float64 {
		switch {
		case v.IsConstant():
			w = graph.NewConstant(v.Data.AsType(kernels.Float32), v.Origin)
			w.Name, w.Weak = v.Name, v.Weak
		case v.Shared != nil:
			w = n.shared(v)
		default:
			w = graph.NewInput(v.Name, narrowed(v.Type), v.Origin)
		}
	}
	n.memo.Set(v, w)
	return w
}

// apply makes a node anew.
func (n *narrower) apply(node *graph.Apply) error {
	in := make([]*graph.Variable, len(node.Inputs))
	same := true
	for i, v := range node.Inputs {
		in[i] = n.of(v)
		same = same && in[i] == v
	}
	as, err := narrowOp(node.Op)
	if err != nil {
		return err
	}
	if same && as == node.Op && !wide(node.Outputs) {
		for _, v := range node.Outputs {
			n.memo.Set(v, v)
		}
		return nil
	}
	b := &graph.Builder{Origin: node.Origin()}
	out, err := b.Make(as, in...)
	if err != nil || !fits(out, node.Outputs) { // it takes float64 only
		for i, v := range node.Inputs {
			if in[i], err = converted(b, in[i], v.Type.DType); err != nil {
				return err
			}
		}
		if out, err = b.Make(node.Op, in...); err != nil {
			return err
		}
	}
	for i, v := range node.Outputs {
		w, err := converted(b, out[i], narrowed(v.Type).DType)
		if err != nil {
			return err
		}
		if w.Name == "" && w != v {
			w.Name = v.Name
		}
		n.memo.Set(v, w)
	}
	return nil
}

func wide(vars []*graph.Variable) bool {
	for _, v := range vars {
		if v.Type.DType == kernels.Float64 {
			return true
		}
	}
	return false
}

// fits reports whether results are, but for float64 and float32, what they were.
func fits(out, were []*graph.Variable) bool {
	for i, v := range were {
		if out[i].Type.Rank() != v.Type.Rank() || narrowed(out[i].Type).DType != narrowed(v.Type).DType {
			return false
		}
	}
	return true
}

// converted is v as that element type.
func converted(b *graph.Builder, v *graph.Variable, to kernels.DType) (*graph.Variable, error) {
	if v.Type.DType == to {
		return v, nil
	}
	out, err := b.Make(op.Cast(to), v)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// narrowOp is the operation that makes float32 where o makes float64, o itself of most: their
// results follow their operands.
func narrowOp(o graph.Op) (graph.Op, error) {
	is := func(e op.Element) bool { return kernels.DType(e) == kernels.Float64 }
	switch o := o.(type) {
	case op.Elemwise:
		if to, ok := o.IsCast(); ok && to == kernels.Float64 {
			return op.Cast(kernels.Float32), nil
		}
	case op.Draw:
		if is(o.DType) {
			o.DType = op.Element(kernels.Float32)
			return o, nil
		}
	case op.MRGUniform:
		if is(o.DType) {
			o.DType = op.Element(kernels.Float32)
			return o, nil
		}
	case op.FromUniform:
		if is(o.DType) {
			o.DType = op.Element(kernels.Float32)
			return o, nil
		}
	case op.Scan:
		body, err := narrow(o.Body, nil) // which has no shared variables
		if err != nil {
			return nil, fmt.Errorf("the steps of %s: %w", o.Label(), err)
		}
		return o.Over(body), nil
	}
	return o, nil
}
