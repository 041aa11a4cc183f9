package np

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// linearTable is the products of vectors and matrices.
var linearTable = []value.Builtin{
	numpyRow("np.", "dot", "The product of vectors and matrices: over the last axis of a and the first of b. A number multiplies.",
		"np.dot([[1, 2], [3, 4]], [1, 1]) # array([3, 7])", func(c *call) (starlark.Value, error) {
			return dotOf(c, c.v[0], c.v[1])
		}, "a: an array or number", "b: an array or number, of at most 2 dimensions"),
	numpyRow("np.", "matmul", "The product of vectors and matrices, as the @ operator: dot without numbers.",
		"np.matmul([[1, 2], [3, 4]], [[0, 1], [1, 0]]) # array([[2, 1],\n       [4, 3]])", func(c *call) (starlark.Value, error) {
			for i, v := range c.v {
				d, err := c.array(i)
				if err != nil {
					return nil, err
				}
				if d.Rank() == 0 {
					return nil,
						fmt.Errorf("for parameter %s: got a number (%s), want a vector or matrix; use *", c.Params[i].Name,
							v.Type())
				}
				if d.Rank() > 2 {
					return nil,
						fmt.Errorf("for parameter %s: got %d dimensions; products of stacks of matrices are not in Arignote yet",
							c.Params[i].Name, d.Rank())
				}
			}
			return dotOf(c, c.v[0], c.v[1])
		}, "a: a vector or matrix", "b: a vector or matrix"),
	numpyRow("np.", "inner", "The inner product of two vectors.",
		"np.inner([1, 2], [3, 4]) # 11", func(c *call) (starlark.Value, error) {
			for i := range c.v {
				d, err := c.array(i)
				if err != nil {
					return nil, err
				}
				if d.Rank() > 1 {
					return nil,
						fmt.Errorf("for parameter %s: got %d dimensions, want a vector; use np.dot", c.Params[i].Name, d.Rank())
				}
			}
			return dotOf(c, c.v[0], c.v[1])
		}, "a: a vector", "b: a vector"),
	numpyRow("np.", "outer", "The products of every element of a with every element of b, as a matrix.",
		"np.outer([1, 2], [3, 4]) # array([[3, 4],\n       [6, 8]])", func(c *call) (starlark.Value, error) {
			a, err := c.array(0)
			if err != nil {
				return nil, err
			}
			b, err := c.array(1)
			if err != nil {
				return nil, err
			}
			if a, err = a.Reshape(a.Size(), 1); err != nil {
				return nil, err
			}
			if b, err = b.Reshape(1, b.Size()); err != nil {
				return nil, err
			}
			return c.result(ufuncs["multiply"].on(c.session, a, b))
		}, "a: an array", "b: an array"),
}

// dotOf is np.dot.
func dotOf(c *call, x, y starlark.Value) (starlark.Value, error) {
	a, err := ToDense(x)
	if err != nil {
		return nil, err
	}
	b, err := ToDense(y)
	if err != nil {
		return nil, fmt.Errorf("for parameter %s: %w", c.Params[len(c.Params)-1].Name, err)
	}
	switch {
	case a.Rank() == 0 || b.Rank() == 0:
		return ufuncs["multiply"].call(c.session, []starlark.Value{x, y})
	case b.Rank() > 2:
		return nil, fmt.Errorf("got b of %d dimensions, want at most 2", b.Rank())
	}
	k := a.Dim(a.Rank() - 1)
	if k != b.Dim(0) {
		return nil, fmt.Errorf("shapes %s do not fit: axis %d of the first is %d and axis 0 of the second is %d",
			shapesOf([]*tensor.Dense{a, b}), a.Rank()-1, k, b.Dim(0))
	}
	if err := checkShape(append(slices.Clone(a.Shape()[:a.Rank()-1]), b.Shape()[1:]...)); err != nil {
		return nil, err
	}
	bools := a.DType().IsBool() && b.DType().IsBool()
	if bools { // wide enough to count in
		a, b = a.AsType(kernels.Int64), b.AsType(kernels.Int64)
	}
	lead := a.Shape()[:a.Rank()-1]
	if a.Rank() > 2 {
		if a, err = a.Reshape(tensor.Size(lead), k); err != nil {
			return nil, err
		}
	}
	z, err := runOp(c.session, op.Dot{}, a, b)
	if err != nil {
		return nil, err
	}
	if len(lead) > 1 {
		if z, err = z.Reshape(append(append([]int{}, lead...), b.Shape()[1:]...)...); err != nil {
			return nil, err
		}
	}
	if bools {
		z = z.AsType(kernels.Bool)
	}
	return c.result(z, nil)
}
