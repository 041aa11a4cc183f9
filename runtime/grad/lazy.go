package grad

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// The gradient of what an ifelse chose between is made in the branch that is taken, and what only
// it needs is not computed otherwise. So a share of a gradient has a guard: when the reader that it
// comes from is needed. It counts 0 where the guard does not hold, which is said by an ifelse where
// the gradient leaves the branch, at a variable that is needed more often than that reader. Inside
// of the branch nothing has to be said.

// A share is what readers with the same guard add to the gradient of a variable.
type share struct {
	when *graph.Guard
	sum  V
	made *graph.Builder // for the last of these readers
}

// add adds a reader's share to the gradient of v.
func (w *walk) add(b *graph.Builder, v, g V, when *graph.Guard) {
	list := w.shares[v]
	for i := range list {
		if s := &list[i]; s.when == when {
			s.sum, s.made = b.Apply(op.Add, s.sum, g), b
			return
		}
	}
	w.shares[v] = append(list, share{when, g, b})
}

// of is the gradient with respect to v where v is needed; nil if there is none.
func (w *walk) of(v V) V {
	if g := w.g[v]; g != nil || w.shares[v] == nil {
		return g
	}
	w.g[v] = w.total(v, w.needs.OfVariable(v))
	return w.g[v]
}

// always is the gradient with respect to v, 0 where v is not needed.
func (w *walk) always(v V) V {
	if w.shares[v] == nil || w.needs.OfVariable(v) == graph.Always {
		return w.of(v)
	}
	return w.total(v, graph.Always)
}

// total adds up the shares of v for the case that care holds.
func (w *walk) total(v V, care *graph.Guard) V {
	list := slices.Clone(w.shares[v])
	for i := range list {
		list[i].when = w.needs.Given(list[i].when, care)
	}
	return w.choose(v, nil, list)
}

// choose adds to sum, which may be nil, the shares that count. It asks for one condition after the
// other.
func (w *walk) choose(v, sum V, list []share) V {
	rest := list[:0:0]
	for _, s := range list {
		switch {
		case s.when == graph.Never:
		case s.when != graph.Always:
			rest = append(rest, s)
		case sum == nil:
			sum = s.sum
		default:
			sum = s.made.Apply(op.Add, sum, s.sum)
		}
	}
	for len(rest) > 0 {
		cond := rest[0].when.Cond
		var then, els, others []share
		for _, s := range rest {
			if s.when.Cond != cond {
				others = append(others, s)
				continue
			}
			then = append(then, share{s.when.Then, s.sum, s.made})
			els = append(els, share{s.when.Else, s.sum, s.made})
		}
		b := then[0].made
		t, e := w.choose(v, sum, then), w.choose(v, sum, els)
		if t == nil && e == nil {
			panic("BUG: a share counts in no case")
		}
		zero := func(g V) V {
			if g == nil {
				return w.zeros(b, v)
			}
			return g
		}
		if sum = t; t != e {
			t, e = zero(t), zero(e)
			d := kernels.Promote(t.Type.DType, e.Type.DType) // of an integer they may differ
			sum = b.Apply(op.IfElse{N: 1}, cond, as(b, t, d), as(b, e, d))
		}
		rest = others
	}
	return sum
}

// as is v in the element type d.
func as(b *graph.Builder, v V, d kernels.DType) V {
	if v.Type.DType == d {
		return v
	}
	return b.Apply(op.Cast(d), v)
}
