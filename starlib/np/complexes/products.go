package complexes

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/complexes"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A product that is linear in both operands is four of np's, of their real and imaginary parts.

// product is a row of such functions; those in conjugates take the conjugate of an operand first:
// 0 or 1, -1 for none.
func product(names, honours string, conjugates int) row {
	return row{names, honours + " b x2 y v", func(c *call) (starlark.Value, error) {
		list, err := c.operands(2)
		if err != nil {
			return nil, err
		}
		part := partType(list...)
		var parts [2][2]starlark.Value
		for i, x := range list {
			re, im := x.real().As(part).Copy(), x.imag().As(part).Copy()
			if i == conjugates {
				if im, err = dense(np.CallFunction(c.thread, "negative", starlark.Tuple{np.NewArray(c.host, im)}, nil)); err != nil {
					return nil, err
				}
			}
			parts[i] = [2]starlark.Value{np.NewArray(c.host, re), np.NewArray(c.host, im)}
		}
		skip := 2
		if c.isValue {
			skip = 1
		}
		var kwargs []starlark.Tuple
		for i, p := range c.b.Params {
			if i >= skip && c.list[i] != nil && p.Name[0] != '*' && slices.Contains(strings.Fields(honours), p.Name) {
				kwargs = append(kwargs, starlark.Tuple{text(p.Name), c.list[i]})
			}
		}
		if err := realOnly(nil, kwargs); err != nil {
			return nil, err
		}
		call := func(i, j int) *tensor.Dense {
			d, bad := dense(np.CallFunction(c.thread, c.b.Name, starlark.Tuple{parts[0][i], parts[1][j]}, kwargs))
			if bad != nil && err == nil {
				err = bad
			}
			return d
		}
		combined := func(name string, x, y *tensor.Dense) *tensor.Dense {
			if err != nil {
				return nil
			}
			d, bad := dense(np.CallFunction(c.thread, name, starlark.Tuple{np.NewArray(c.host, x), np.NewArray(c.host, y)}, nil))
			if bad != nil {
				err = bad
			}
			return d
		}
		re := combined("subtract", call(0, 0), call(1, 1))
		im := combined("add", call(0, 1), call(1, 0))
		if err != nil {
			return nil, err
		}
		return fromPairs(c.host, joinedParts(re, im).As(part)), nil
	}}
}

func dense(v starlark.Value, err error) (*tensor.Dense, error) {
	if err != nil {
		return nil, err
	}
	return np.ToDense(v)
}

// productRows are products, and linear algebra.
var productRows = []row{
	product("np.dot ndarray.dot np.matmul np.inner np.outer np.kron", "", -1),
	product("np.tensordot", "axes", -1),
	product("np.convolve", "mode", -1),
	product("np.correlate", "mode", 1),
	product("np.vdot", "", 0),
	{"np.linalg.norm", "ord axis keepdims", func(c *call) (starlark.Value, error) {
		x, err := c.operand()
		if err != nil {
			return nil, err
		}
		axes, _ := np.IntsOf(orNone(c.v["axis"]))
		matrix := len(axes) == 2 || len(axes) == 0 && len(x.shape()) == 2
		if ord := orNone(c.v["ord"]); matrix && (ord == text("nuc") || value.Str(ord) == "2" || value.Str(ord) == "-2") {
			return nil, value.Failure("TypeError", "np.linalg.norm of complex numbers: ord=%s of a matrix is not there", value.Repr(ord))
		}
		size := measured(c.host, x, complexes.Abs).As(partType(x))
		return c.again(func(starlark.Value) starlark.Value { return np.NewArray(c.host, size) }, c.first())
	}},
	{"np.linalg.det", "", func(c *call) (starlark.Value, error) {
		return c.ofMatrices(false, func(n int, a, _ []complex128) ([]complex128, error) {
			det, _ := eliminate(c.poll(), n, a, 0, nil)
			return []complex128{det}, nil
		}, func(_ int, lead []int) []int { return lead })
	}},
	{"np.linalg.inv", "", func(c *call) (starlark.Value, error) {
		return c.ofMatrices(false, func(n int, a, _ []complex128) ([]complex128, error) {
			b := make([]complex128, n*n)
			for i := range n {
				b[i*n+i] = 1
			}
			_, err := eliminate(c.poll(), n, a, n, b)
			return b, err
		}, func(n int, lead []int) []int { return append(lead, n, n) })
	}},
	{"np.linalg.solve", "b", func(c *call) (starlark.Value, error) {
		list, err := c.operands(2)
		if err != nil {
			return nil, err
		}
		shape := list[1].shape()
		if len(list[0].shape()) != 2 || len(shape) < 1 || len(shape) > 2 || shape[0] != list[0].shape()[0] {
			return nil, tensor.ShapeErrorf("got shapes %s and %s of complex numbers, want a square matrix and a vector or matrix of as many rows",
				tensor.ShapeString(list[0].shape()), tensor.ShapeString(shape))
		}
		b := slices.Clone(values(list[1].as(partType(list[1]))))
		columns := 1
		if len(shape) == 2 {
			columns = shape[1]
		}
		part := partType(list...)
		return c.ofMatrices(false, func(n int, a, _ []complex128) ([]complex128, error) {
			_, err := eliminate(c.poll(), n, a, columns, b)
			return b, err
		}, func(int, []int) []int { return shape }, part)
	}},
}

// ofMatrices computes something of each matrix of a stack: f may change a.
func (c *call) ofMatrices(_ bool, f func(n int, a, _ []complex128) ([]complex128, error), shape func(n int, lead []int) []int, part ...kernels.DType) (starlark.Value, error) {
	x, err := c.operand()
	if err != nil {
		return nil, err
	}
	have := x.shape()
	rank := len(have)
	if rank < 2 || have[rank-1] != have[rank-2] {
		return nil, value.Failure("LinAlgError", "got shape %s, want square matrices", tensor.ShapeString(have))
	}
	n := have[rank-1]
	lead := slices.Clone(have[:rank-2])
	all := slices.Clone(values(x.as(partType(x))))
	var z []complex128
	for i := range tensor.Size(lead) {
		part, err := f(n, all[i*n*n:(i+1)*n*n], nil)
		if err != nil {
			return nil, err
		}
		z = append(z, part...)
	}
	to := partType(x)
	if len(part) > 0 {
		to = part[0]
	}
	return fromPairs(c.host, pairsOf(to, shape(n, lead), z)), nil
}

// eliminate is Gauss's way with the largest pivots: it makes the n×n matrix a triangular, solves
// for the columns of b in place, and returns the determinant. It asks before each row.
func eliminate(poll *tensor.Poll, n int, a []complex128, columns int, b []complex128) (det complex128, err error) {
	det = 1
	row := func(m []complex128, width, i int) []complex128 { return m[i*width : (i+1)*width] }
	for k := range n {
		best := k
		for i := k + 1; i < n; i++ {
			if complexes.Abs(a[i*n+k]) > complexes.Abs(a[best*n+k]) {
				best = i
			}
		}
		pivot := a[best*n+k]
		if pivot == 0 {
			if b != nil {
				return 0, value.Failure("LinAlgError", "Singular matrix")
			}
			return 0, nil
		}
		if best != k {
			for j := range n {
				a[k*n+j], a[best*n+j] = a[best*n+j], a[k*n+j]
			}
			for j := range columns {
				b[k*columns+j], b[best*columns+j] = b[best*columns+j], b[k*columns+j]
			}
			det = -det
		}
		det = complexes.Mul(det, pivot)
		for i := k + 1; i < n; i++ {
			poll.Ask(4 * (n - k + columns))
			factor := complexes.Div(a[i*n+k], pivot)
			if factor == 0 {
				continue
			}
			subtract(row(a, n, i)[k:], row(a, n, k)[k:], factor)
			if b != nil {
				subtract(row(b, columns, i), row(b, columns, k), factor)
			}
		}
	}
	for k := n - 1; b != nil && k >= 0; k-- {
		for j := k + 1; j < n; j++ {
			poll.Ask(4 * columns)
			subtract(row(b, columns, k), row(b, columns, j), a[k*n+j])
		}
		for j := range columns {
			b[k*columns+j] = complexes.Div(b[k*columns+j], a[k*n+k])
		}
	}
	return det, nil
}

// subtract is x -= factor * y.
func subtract(x, y []complex128, factor complex128) {
	for i, v := range y {
		x[i] -= complexes.Mul(factor, v)
	}
}
