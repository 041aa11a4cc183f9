package grad

import (
	"fmt"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Lop returns the vector u times the Jacobian of f with respect to each variable of wrt, without the Jacobian: the gradient of sum(f*u). f and u are lists of
// the same types.
func Lop(b *graph.Builder, f, u, wrt []V, opts Options) (out []V, err error) {
	defer graph.Catch(&err)
	if len(f) != len(u) {
		return nil, fmt.Errorf("got %d variables to differentiate and %d vectors, want as many", len(f), len(u))
	}
	opts.Known = make(map[V]V, len(f))
	for i, v := range f {
		if opts.Known[v] != nil {
			return nil, fmt.Errorf("%s is there twice", graph.Mention(v))
		}
		opts.Known[v] = u[i]
	}
	if len(f) > 1 { // one may be made of another, whose gradient is then not known but has a part that is
		ends := make(map[V]V, len(f))
		for i, v := range f {
			ends[b.Apply(op.Identity, v)] = u[i]
		}
		opts.Known = ends
	}
	return Grad(b, nil, wrt, opts)
}

// Rop returns the Jacobian of each variable of f with respect to the variables of wrt times the vectors v, added up: how f changes where wrt go in
// the direction v. f, wrt, v have the types of each other where they are as many.
//
// What Lop gives is linear in u, and its gradient along v is the result (J. Townsend, "A new trick for calculating Jacobian vector products", 2017): no operation needs a
// forward rule. The u that is left in shapes is replaced by f, which has them.
func Rop(b *graph.Builder, f, wrt, v []V, opts Options) (out []V, err error) {
	defer graph.Catch(&err)
	if len(wrt) != len(v) {
		return nil, fmt.Errorf("got %d variables and %d vectors, want as many", len(wrt), len(v))
	}
	zeros := opts
	zeros.Disconnected = func(V) error { return nil }
	for _, y := range f {
		u := graph.NewInput("", y.Type, y.Origin)
		back, err := Lop(b, []V{y}, []V{u}, wrt, opts)
		if err != nil {
			return nil, err
		}
		var total V
		for i, g := range back {
			along := known(b, wrt[i], v[i])
			if !wrt[i].Type.Accepts(along.Type) {
				return nil, fmt.Errorf("got a vector of type %v for %s, want its type", v[i].Type, graph.Describe(wrt[i]))
			}
			part := b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(g.Type.Rank())}, b.Apply(op.Mul, g, along))
			if total == nil {
				total = part
			} else {
				total = b.Apply(op.Add, total, part)
			}
		}
		if total == nil {
			return nil, fmt.Errorf("got no variable to differentiate with respect to")
		}
		slope, err := Grad(b, total, []V{u}, zeros)
		if err != nil {
			return nil, err
		}
		fg := &graph.FunctionGraph{Outputs: slope}
		if fg, err = fg.Substitute(map[V]V{u: y}); err != nil {
			return nil, err
		}
		out = append(out, fg.Outputs[0])
	}
	return out, nil
}

// HessianTimes returns the Hessian of cost with respect to the variables of wrt times the vectors v, one for each of wrt.
func HessianTimes(b *graph.Builder, cost V, wrt, v []V, opts Options) ([]V, error) {
	first, err := Grad(b, cost, wrt, opts)
	if err != nil {
		return nil, err
	}
	return Rop(b, first, wrt, v, opts)
}
