package op

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// An Increment is an operation that adds to elements of its first operand, or puts something in
// their place: the result is a copy of that operand, or the operand itself.
type Increment interface {
	Structural
	// InPlace is the operation that overwrites its first operand; ok is false if there is none.
	InPlace() (o Increment, ok bool)
}

var _ = []Increment{IncSubtensor{}, IncTake{}, AdvancedIncSubtensor{}}

func (s IncSubtensor) InPlace() (Increment, bool) { s.Inplace = true; return s, true }
func (t IncTake) InPlace() (Increment, bool)      { t.Inplace = true; return t, true }

// InPlace is for arrays that are neighbours: the elements of others are visited one by one, which
// costs more than a copy.
func (s AdvancedIncSubtensor) InPlace() (Increment, bool) {
	list, _, err := s.Index.parse()
	if err != nil {
		return nil, false
	}
	_, _, s.Inplace = list.adjacent()
	return s, s.Inplace
}

func (s IncSubtensor) DestroyMap() []graph.Alias         { return destroysFirst(s.Inplace) }
func (t IncTake) DestroyMap() []graph.Alias              { return destroysFirst(t.Inplace) }
func (s AdvancedIncSubtensor) DestroyMap() []graph.Alias { return destroysFirst(s.Inplace) }

func destroysFirst(inplace bool) []graph.Alias {
	if !inplace {
		return nil
	}
	return []graph.Alias{{Out: 0, In: 0}}
}

// A target is where an increment writes.
type target struct {
	dtype   kernels.DType
	inplace bool
	copy    copier
}

// of is x, or a copy of it, the first result of the node.
func (t target) of(c *Call, x *tensor.Dense) (*tensor.Dense, error) {
	if t.inplace {
		return x, nil
	}
	z := c.Alloc(0, t.dtype, x.Shape())
	return z, t.copy(c, z, x)
}

// A room holds what a node is about to overwrite, until its call has succeeded. It is kept from
// call to call.
type room struct{ old *tensor.Dense }

func (r *room) of(c *Call, d kernels.DType, shape []int) *tensor.Dense {
	n := tensor.Size(shape) * d.Size()
	if r.old == nil || r.old.NBytes() < n {
		if r.old != nil {
			c.Scratch.Add(-r.old.NBytes())
		}
		r.old = tensor.Empty(kernels.Uint8, n)
		c.Scratch.Add(n)
	}
	return tensor.Over(r.old.Buffer(), d, shape...)
}

// placed is cost, in which an increment of part elements copies all of x, for one that overwrites
// x.
func placed(cost graph.Cost, x graph.Array, part float64, set bool) graph.Cost {
	bytes := min(part*float64(x.ItemSize), x.Bytes())
	cost.Read[0], cost.Written[0] = bytes, bytes
	if set {
		cost.Read[0] = 0
	}
	return cost
}
