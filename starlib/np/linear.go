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
	numpyRow("np.", "dot",
		"The product of vectors and matrices: over the last axis of a and the last but one of b, or its only one. A number multiplies.",
		"np.dot([[1, 2], [3, 4]], [1, 1]) # array([3, 7])", func(c *call) (starlark.Value, error) {
			return dotOf(c, c.v[0], c.v[1])
		}, "a: an array or number", "b: an array or number"),
	npRow("matmul",
		"The product of vectors and matrices, as the @ operator: dot without numbers. Of more dimensions, the last two are "+
			"matrices, and those before broadcast.", "np.matmul([[1, 2], [3, 4]], [[0, 1], [1, 0]]) # array([[2, 1],\n       [4, 3]])",
		func(e *eval) *tensor.Dense {
			a, b := e.array(0), e.array(1)
			for i, d := range []*tensor.Dense{a, b} {
				if d.Rank() == 0 {
					e.failAt(i, "got a number (%s), want a vector or matrix; use *", e.v[i].Type())
				}
			}
			if e.failed() {
				return nil
			}
			if a.Rank() <= 2 && b.Rank() <= 2 {
				return e.dot(a, b)
			}
			return e.matmul(a, b)
		}, "a: vectors or matrices", "b: vectors or matrices"),
	npRow("inner", "The sums of products over the last axes of both.",
		"np.inner([1, 2], [3, 4]) # 11", func(e *eval) *tensor.Dense {
			a, b := e.array(0), e.array(1)
			if a.Rank() == 0 || b.Rank() == 0 {
				return e.do("multiply", e.v[0], e.v[1])
			}
			return e.tensordot(a, b, []int{a.Rank() - 1}, []int{b.Rank() - 1})
		}, "a: an array", "b: an array"),
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
		e := &eval{call: c}
		z := e.tensordot(a, b, []int{a.Rank() - 1}, []int{b.Rank() - 2})
		return c.result(z, e.err)
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

// matmul is the product of stacks of matrices; a vector on the left is a row, and on the right a column, which the result has not.
func (e *eval) matmul(a, b *tensor.Dense) *tensor.Dense {
	row, column := a.Rank() == 1, b.Rank() == 1
	if row {
		a = e.leadTo(a, 2)
	}
	if column {
		b = e.permute(b, []int{0, tensor.NewAxis})
	}
	la, lb := a.Rank()-2, b.Rank()-2
	m, k, n := a.Dim(la), a.Dim(la+1), b.Dim(lb+1)
	if k != b.Dim(lb) {
		e.fail("shapes %s do not fit: axis %d of the first is %d and axis %d of the second is %d",
			shapesOf([]*tensor.Dense{a, b}), la+1, k, lb, b.Dim(lb))
		return nil
	}
	stackA, stackB := a.View(a.DType(), a.Shape()[:la], a.Strides()[:la], a.Offset()), b.View(b.DType(), b.Shape()[:lb],
		b.Strides()[:lb],
		b.Offset())
	lead, err := broadcastShapes([]*tensor.Dense{stackA, stackB})
	if err != nil {
		return e.got(nil, err)
	}
	a, _ = a.BroadcastTo(append(slices.Clone(lead), m, k))
	b, _ = b.BroadcastTo(append(slices.Clone(lead), k, n))
	count := tensor.Size(lead)
	z := e.matmuls(e.reshape(a, count, m, k), e.reshape(b, count, k, n), kernels.Promote(a.DType(), b.DType()))
	shape := slices.Clone(lead)
	if !row {
		shape = append(shape, m)
	}
	if !column {
		shape = append(shape, n)
	}
	return e.reshape(z, shape...)
}
