package np

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// productsTable is the products of arrays besides those of linear.go.
var productsTable = []value.Builtin{
	npRow("vdot", "The inner product of the elements of two arrays, as vectors.", "np.vdot([[1, 2], [3, 4]], [[1, 1], [1, 1]]) # 10",
		func(e *eval) *tensor.Dense { return e.dot(e.flat(e.array(0)), e.flat(e.array(1))) }, "a: an array", "b: an array"),
	arrayRow("tensordot",
		"The sums of products over axes of a and of b: over as many of the last of a and first of b, or over those given.",
		"np.tensordot(np.ones((2, 3)), np.ones((3, 4)), 1).shape # (2, 4)", func(e *eval) *tensor.Dense {
			a, b := e.array(0), e.array(1)
			if !e.given(2) {
				e.v[2] = starlark.MakeInt(2)
			}
			var overA, overB []int
			if n, ok := asInt(e.v[2]); ok {
				if n < 0 || n > min(a.Rank(), b.Rank()) {
					e.failAt(2, "got %d, want 0 to %d", n, min(a.Rank(), b.Rank()))
					return nil
				}
				overB = countTo(n)
				for i := range n {
					overA = append(overA, a.Rank()-n+i)
				}
			} else {
				pair, ok := e.v[2].(starlark.Indexable)
				if !ok || pair.Len() != 2 {
					e.failAt(2, "got %s, want an int or a pair of axes or lists of them", value.Repr(e.v[2]))
					return nil
				}
				overA, overB = e.axesOf(pair.Index(0), a.Rank()), e.axesOf(pair.Index(1), b.Rank())
			}
			return e.tensordot(a, b, overA, overB)
		}, "a: an array", "b: an array", "axes=2: how many axes, or a pair of lists of axes of a and of b"),
	arrayRow("cross", "The cross product of vectors of 3 elements, or of 2: then the component that stands on their plane.",
		"np.cross([1, 0, 0], [0, 1, 0]) # array([0, 0, 1])", func(e *eval) *tensor.Dense {
			a, b := e.array(0), e.array(1)
			at := [3]int{e.int(2, -1), e.int(3, -1), e.int(4, -1)}
			if e.given(5) {
				at = [3]int{e.int(5, -1), e.int(5, -1), e.int(5, -1)}
			}
			i, j := e.axisOf(at[0], a.Rank()), e.axisOf(at[1], b.Rank())
			if e.failed() {
				return nil
			}
			na, nb := a.Dim(i), b.Dim(j)
			if na < 2 || na > 3 || nb < 2 || nb > 3 {
				e.fail("got vectors of %d and %d elements, want 2 or 3", na, nb)
				return nil
			}
			part := func(x *tensor.Dense, axis, n, k int) *tensor.Dense {
				if k >= n { // the third element of a vector of 2
					return e.do("multiply", e.at(x, axis, 0), 0)
				}
				return e.at(x, axis, k)
			}
			component := func(k, l int) *tensor.Dense {
				return e.do("subtract", e.do("multiply", part(a, i, na, k), part(b, j, nb, l)),
					e.do("multiply", part(a, i, na, l), part(b, j, nb, k)))
			}
			z := component(0, 1)
			if na == 2 && nb == 2 || e.failed() {
				return z
			}
			axis := e.axisOf(at[2], z.Rank()+1)
			return e.stack(axis, component(1, 2), component(2, 0), z)
		}, "a: vectors", "b: vectors", "axisa=-1: the axis of a that its vectors lie along", "axisb=-1: that of b",
		"axisc=-1: that of the result", "axis=None: all three"),
	npRow("trace", "The sum along a diagonal.", "np.trace([[1, 2], [3, 4]]) # 5",
		func(e *eval) *tensor.Dense { return e.trace(e.array(0), 1) }, append([]string{arrayParam}, traceParams...)...),
	npRow("convolve", "The discrete convolution of two vectors.",
		"np.convolve([1, 2, 3], [0, 1, 0.5]) # array([0. , 1. , 2.5, 4. , 1.5])",
		func(e *eval) *tensor.Dense {
			a, v := e.leadTo(e.array(0), 1), e.leadTo(e.array(1), 1)
			return e.slide(a, v, e.text(2, "full", "full", "same", "valid"), true)
		}, "a: a vector", "v: a vector", "mode=\"full\": full for all sums, same for as many as the longer has, valid for complete ones"),
	npRow("correlate", "The cross-correlation of two vectors: sums of a[n + k] * v[n].",
		"np.correlate([1, 2, 3], [0, 1, 0.5]) # array([3.5])", func(e *eval) *tensor.Dense {
			return e.slide(e.leadTo(e.array(0), 1), e.leadTo(e.array(1), 1), e.text(2, "valid", "full", "same", "valid"), false)
		}, "a: a vector", "v: a vector",
		"mode=\"valid\": full for all sums, same for as many as the longer has, valid for complete ones"),
	npRow("einsum",
		"Sums of products, as subscripts say: \"ij,jk->ik\" is the product of matrices. Axes of one letter go together; those that "+
			"are not after -> are summed over.", "np.einsum(\"ij,j->i\", [[1, 2], [3, 4]], [1, 10]) # array([21, 43])", einsum,
		"subscripts: letters for the axes of each operand, and of the result", "*operands: arrays",
		"optimize=False: accepted; operands are multiplied from the left"),
}

var traceParams = []string{"offset=0: the diagonal; above the main one if positive", "axis1=0: the rows", "axis2=1: the columns"}

// dot is np.dot of vectors and matrices.
func (e *eval) dot(x, y *tensor.Dense) *tensor.Dense {
	if e.failed() {
		return meaningless()
	}
	bools := x.DType().IsBool() && y.DType().IsBool()
	if bools {
		x, y = x.AsType(kernels.Int64), y.AsType(kernels.Int64)
	}
	z := e.got(runOp(e.session, op.Dot{}, x, y))
	if bools {
		return z.AsType(kernels.Bool)
	}
	return z
}

// axesOf reads an axis or several from a value.
func (e *eval) axesOf(v starlark.Value, rank int) []int {
	list, err := intsOf(v)
	keep(e, list, err, nil)
	for i, axis := range list {
		list[i] = e.axisOf(axis, rank)
	}
	return list
}

func (e *eval) tensordot(a, b *tensor.Dense, overA, overB []int) *tensor.Dense {
	if len(overA) != len(overB) {
		e.fail("got %d axes of a and %d of b, want as many", len(overA), len(overB))
	}
	if e.failed() {
		return meaningless()
	}
	k := 1
	for i, axis := range overA {
		if a.Dim(axis) != b.Dim(overB[i]) {
			e.fail("shapes %s do not fit: axis %d of the first is %d and axis %d of the second is %d",
				shapesOf([]*tensor.Dense{a, b}), axis, a.Dim(axis), overB[i], b.Dim(overB[i]))
			return meaningless()
		}
		k *= a.Dim(axis)
	}
	freeA, freeB := without(a.Rank(), overA), without(b.Rank(), overB)
	shape := append(dimsOf(a, freeA), dimsOf(b, freeB)...)
	if err := checkShape(shape); err != nil {
		return e.got(nil, err)
	}
	m, n := tensor.Size(dimsOf(a, freeA)), tensor.Size(dimsOf(b, freeB))
	left := e.reshape(e.permute(a, append(slices.Clone(freeA), overA...)), m, k)
	right := e.reshape(e.permute(b, append(slices.Clone(overB), freeB...)), k, n)
	return e.reshape(e.dot(left, right), shape...)
}

// without returns the axes that are not in a list.
func without(rank int, list []int) []int {
	return slices.DeleteFunc(countTo(rank), func(axis int) bool { return slices.Contains(list, axis) })
}

func dimsOf(a *tensor.Dense, axes []int) []int {
	dims := make([]int, len(axes))
	for i, axis := range axes {
		dims[i] = a.Dim(axis)
	}
	return dims
}

// diagonal of a matrix, as a view.
func (e *eval) diagonal(a *tensor.Dense) *tensor.Dense { return e.diagonalOf(a, 0, 0, 1) }

func (e *eval) diagonalOf(a *tensor.Dense, offset, axis1, axis2 int) *tensor.Dense {
	if e.failed() {
		return meaningless()
	}
	return e.got(tensor.Diagonal(a, offset, axis1, axis2))
}

// trace reads offset, axis1 and axis2 from argument i on.
func (e *eval) trace(a *tensor.Dense, i int) *tensor.Dense {
	if a.Rank() < 2 {
		e.fail("got %d dimensions, want at least 2", a.Rank())
		return nil
	}
	d := e.diagonalOf(a, e.int(i, 0), e.axis(i+1, 0, a.Rank()), e.axis(i+2, 1, a.Rank()))
	if e.failed() {
		return nil
	}
	return e.reduce("sum", d, tensor.AxesOf(d.Rank()-1))
}

// slide computes sums of products of a vector and another at every offset; that is turned round for a convolution.
func (e *eval) slide(a, v *tensor.Dense, mode string, turned bool) *tensor.Dense {
	if a.Rank() != 1 || v.Rank() != 1 || a.Size() == 0 || v.Size() == 0 {
		e.fail("got shapes %s, want two vectors with elements", shapesOf([]*tensor.Dense{a, v}))
	}
	if e.failed() {
		return nil
	}
	swapped := v.Size() > a.Size()
	if swapped {
		a, v = v, a
	}
	if turned {
		v, swapped = e.flip(v, 0), false // a convolution has no first and second
	}
	n, k := a.Size(), v.Size()
	d := kernels.Promote(a.DType(), v.DType())
	var z *tensor.Dense
	if d.IsFloat() {
		z = tensor.From(slideOver(a.Floats(), v.Floats()), n+k-1).AsType(d)
	} else {
		z = tensor.From(slideOver(a.Ints(), v.Ints()), n+k-1).AsType(d)
	}
	if swapped {
		z = e.flip(z, 0)
	}
	switch {
	case mode == "valid":
		return e.part(z, 0, k-1, n).Copy()
	case mode == "same" && swapped: // counted from the other end
		return e.part(z, 0, k/2, k/2+n).Copy()
	case mode == "same":
		return e.part(z, 0, (k-1)/2, (k-1)/2+n).Copy()
	}
	return z.Copy()
}

// slideOver returns sum(a[i+j-k+1] * v[j]) for i from 0 to len(a)+len(v)-2, with zeros around a.
func slideOver[E int64 | float64](a, v []E) []E {
	n, k := len(a), len(v)
	z := make([]E, n+k-1)
	for i := range z {
		var sum E
		for j := max(0, k-1-i); j < min(k, n+k-1-i); j++ {
			sum += E(a[i+j-k+1] * v[j])
		}
		z[i] = sum
	}
	return z
}
