package np

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

const arraysParam = "arrays: a list of arrays"

// joinTable is the functions that put arrays together.
var joinTable = []value.Builtin{
	numpyRow("np.", "concatenate", "Arrays joined along an axis that they have.",
		"np.concatenate([[1, 2], [3]]) # array([1, 2, 3])", func(c *call) (starlark.Value, error) {
			list, err := c.arrays(0)
			if err != nil {
				return nil, err
			}
			if c.v[1] == starlark.None {
				for i, d := range list {
					if list[i], err = d.Reshape(d.Size()); err != nil {
						return nil, err
					}
				}
				c.v[1] = nil
			}
			axis, err := c.int(1, 0)
			if err != nil {
				return nil, err
			}
			z, err := concatenate(list, axis)
			if err != nil {
				return nil, err
			}
			to, err := c.dtype(4, z.DType())
			if err != nil {
				return nil, err
			}
			if to != z.DType() {
				z = z.AsType(to)
			}
			if c.v[2] != nil {
				return c.store(2, z, nil)
			}
			return c.made(z, nil)
		}, arraysParam, "axis=0: the axis; None joins the elements of all arrays", "out=None: an array for the result", "*:",
		"dtype=None: the elements' type"),
	numpyRow("np.", "stack", "Arrays of one shape joined along a new axis.",
		"np.stack([[1, 2], [3, 4]], axis=1) # array([[1, 3],\n       [2, 4]])", func(c *call) (starlark.Value, error) {
			list, err := c.arrays(0)
			if err != nil {
				return nil, err
			}
			axis, err := c.int(1, 0)
			if err != nil {
				return nil, err
			}
			if axis, err = tensor.NormalizeAxis(axis, list[0].Rank()+1); err != nil {
				return nil, err
			}
			first := list[0]
			for i, d := range list {
				if !slices.Equal(d.Shape(), first.Shape()) {
					return nil, fmt.Errorf("got shapes %s, want all the same", shapesOf([]*tensor.Dense{first, d}))
				}
				if list[i], err = d.Reshape(slices.Insert(slices.Clone(d.Shape()), axis, 1)...); err != nil {
					return nil, err
				}
			}
			return c.made(concatenate(list, axis))
		}, arraysParam, "axis=0: where the new axis is to be"),
	numpyRow("np.", "vstack", "Arrays joined row upon row; a vector is a row.",
		"np.vstack([[1, 2], [3, 4]]) # array([[1, 2],\n       [3, 4]])", func(c *call) (starlark.Value, error) {
			list, err := c.arrays(0)
			if err != nil {
				return nil, err
			}
			for i, d := range list {
				if d.Rank() < 2 {
					if list[i], err = d.Reshape(1, d.Size()); err != nil {
						return nil, err
					}
				}
			}
			return c.made(concatenate(list, 0))
		}, arraysParam),
	numpyRow("np.", "hstack", "Arrays joined side by side: vectors along their only axis, others along axis 1.",
		"np.hstack([[1, 2], [3]]) # array([1, 2, 3])", func(c *call) (starlark.Value, error) {
			list, err := c.arrays(0)
			if err != nil {
				return nil, err
			}
			for i, d := range list {
				if d.Rank() == 0 {
					if list[i], err = d.Reshape(1); err != nil {
						return nil, err
					}
				}
			}
			return c.made(concatenate(list, min(1, list[0].Rank()-1)))
		}, arraysParam),
}

// concatenate joins arrays along axis.
func concatenate(list []*tensor.Dense, axis int) (*tensor.Dense, error) {
	first := list[0]
	if first.Rank() == 0 {
		return nil, fmt.Errorf("got an array of no dimensions, want at least 1")
	}
	axis, err := tensor.NormalizeAxis(axis, first.Rank())
	if err != nil {
		return nil, err
	}
	shape := slices.Clone(first.Shape())
	dtype := kernels.Bool
	total := 0
	for i, d := range list {
		fits := d.Rank() == first.Rank()
		for a := 0; fits && a < d.Rank(); a++ {
			fits = a == axis || d.Dim(a) == shape[a]
		}
		if !fits {
			return nil, fmt.Errorf("array %d of shape %s does not fit array 0 of shape %s along axis %d",
				i, tensor.ShapeString(d.Shape()), tensor.ShapeString(first.Shape()), axis)
		}
		dtype = kernels.Promote(dtype, d.DType())
		total += d.Dim(axis)
	}
	shape[axis] = total
	if err := checkShape(shape); err != nil {
		return nil, err
	}
	z := tensor.New(dtype, shape...)
	at := 0
	for _, d := range list {
		copyPart(z, axis, at, d)
		at += d.Dim(axis)
	}
	return z, nil
}
