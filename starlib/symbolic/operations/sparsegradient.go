package operations

import (
	"slices"

	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/starlib/symbolic"
)

// regularPart is a regular function of a sparse matrix that the cost may depend on: see
// op.SparseRegular.
type regularPart struct {
	node *graph.Apply
	of   int // the number of the matrix in wrt
}

// regularParts finds the regular functions of the sparse matrices of wrt between them and some
// variables.
func (d *derivation) regularParts(ends []*graph.Variable) (parts []regularPart) {
	if !slices.ContainsFunc(d.of, symbolic.IsSparse) {
		return nil
	}
	for _, node := range graph.Toposort(ends) {
		if _, ok := node.Op.(op.SparseRegular); !ok {
			continue
		}
		data := node.Inputs[2]
		for i, v := range d.wrt {
			if v == data && symbolic.IsSparse(d.of[i]) {
				parts = append(parts, regularPart{node, i})
			}
		}
	}
	return parts
}

// gradients are those of cost with respect to wrt. What the cost depends on a sparse matrix by
// through regular functions is differentiated by their results: what the gradient with respect to
// the matrix is made of then may have more places than it. Through other functions it has the
// structure of the matrix.
func (d *derivation) gradients(cost *graph.Variable) (grads []*graph.Variable, err error) {
	var ends []*graph.Variable
	if cost != nil {
		ends = append(ends, cost)
	}
	for v := range d.opts.Known {
		ends = append(ends, v)
	}
	parts := d.regularParts(ends)
	if parts == nil {
		return grad.Grad(d.b, cost, d.wrt, d.opts)
	}
	opts, wrt, off := d.opts, slices.Clone(d.wrt), make(map[*graph.Variable]bool)
	opts.Constant = slices.Clone(opts.Constant)
	opts.Disconnected = func(v *graph.Variable) error {
		off[v] = true
		return nil
	}
	for _, p := range parts {
		wrt = append(wrt, p.node.Outputs[0])
		opts.Constant = append(opts.Constant, p.node.Inputs[1])
	}
	all, err := grad.Grad(d.b, cost, wrt, opts)
	if err != nil {
		return nil, err
	}
	defer graph.Catch(&err)
	grads = all[:len(d.wrt)]
	for i, v := range d.wrt {
		var shares []symbolic.ASparse
		for k, p := range parts {
			if p.of == i && !off[p.node.Outputs[0]] {
				x, g := d.of[i].(*symbolic.SparseVariable).X, all[len(d.wrt)+k]
				shares = append(shares, formula.RegularGrad(d.b, x, p.node, g))
			}
		}
		switch {
		case len(shares) == 0 && off[v]:
			g, err := grad.Grad(d.b, cost, d.wrt[i:i+1], d.opts) // which says so
			if err != nil {
				return nil, err
			}
			grads[i] = g[0]
			continue
		case len(shares) == 0:
			continue
		case !off[v]:
			shares = append(shares, d.of[i].(*symbolic.SparseVariable).X.With(grads[i]))
		}
		total := shares[0]
		for _, s := range shares[1:] {
			if total, err = formula.SparseAdd(d.b, total, s); err != nil {
				return nil, err
			}
		}
		grads[i] = total.Data
		d.sums[grads[i]] = total
	}
	return grads, err
}
