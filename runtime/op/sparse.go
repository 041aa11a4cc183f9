package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/sparse"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// A sparse matrix is no value of a graph: it is four of them. The operations on it (sparsedense.go,
// sparsedot.go, sparsestructure.go, sparseproduct.go) have these operands, in this order, and give
// results that are some of them:
//
//	data      a vector with the stored elements
//	indices   int32, as long as data: where each lies along the minor axis
//	indptr    int32, one longer than the major axis: where the elements of each row begin, and where those of the last one end
//	minor     an int64 scalar: the length of the minor axis, where no other operand says it
//
// The major axis is that of the rows of a CSR matrix and of the columns of a CSC matrix. What
// concerns the data alone is elementwise, and so fused, differentiated and saved as such.

const classSparse = "sparse.basic."

// sparseLoops are the loops of one element type.
type sparseLoops struct {
	dot, dotT func(z, data *tensor.Dense, p sparse.Pattern, b *tensor.Dense, n, first, end int)
	sampled   func(z *tensor.Dense, p sparse.Pattern, x, y *tensor.Dense, n, first, end int)
	gather    func(z *tensor.Dense, p sparse.Pattern, x *tensor.Dense, major, minor int)
	scatter   func(x, data *tensor.Dense, p sparse.Pattern, major, minor int)
	count     func(p sparse.Pattern, x *tensor.Dense, major, minor int) bool
	compress  func(data *tensor.Dense, p sparse.Pattern, x *tensor.Dense, major, minor int)
	product   func(z *tensor.Dense, to sparse.Pattern, a *tensor.Dense, p sparse.Pattern, b *tensor.Dense, q sparse.Pattern, stop func() bool) bool
	nonzero   func(data *tensor.Dense, p sparse.Pattern) (sparse.Pattern, []int64)
}

func sparseLoopsOf[T sparse.Number]() sparseLoops {
	of := tensor.Elements[T]
	return sparseLoops{
		dot: func(z, data *tensor.Dense, p sparse.Pattern, b *tensor.Dense, n, first, end int) {
			sparse.Dot(of(z), of(data), p, of(b), n, first, end)
		},
		dotT: func(z, data *tensor.Dense, p sparse.Pattern, b *tensor.Dense, n, first, end int) {
			sparse.DotT(of(z), of(data), p, of(b), n, first, end)
		},
		sampled: func(z *tensor.Dense, p sparse.Pattern, x, y *tensor.Dense, n, first, end int) {
			sparse.Sampled(of(z), p, of(x), of(y), n, first, end)
		},
		gather: func(z *tensor.Dense, p sparse.Pattern, x *tensor.Dense, major, minor int) {
			sparse.Gather(of(z), p, of(x), major, minor)
		},
		scatter: func(x, data *tensor.Dense, p sparse.Pattern, major, minor int) {
			sparse.Scatter(of(x), of(data), p, major, minor)
		},
		count: func(p sparse.Pattern, x *tensor.Dense, major, minor int) bool {
			return sparse.Count(p, of(x), major, minor)
		},
		compress: func(data *tensor.Dense, p sparse.Pattern, x *tensor.Dense, major, minor int) {
			sparse.Compress(of(data), p, of(x), major, minor)
		},
		product: func(z *tensor.Dense, to sparse.Pattern, a *tensor.Dense, p sparse.Pattern, b *tensor.Dense, q sparse.Pattern, stop func() bool) bool {
			return sparse.Product(of(z), to, of(a), p, of(b), q, stop)
		},
		nonzero: func(data *tensor.Dense, p sparse.Pattern) (sparse.Pattern, []int64) {
			return sparse.Nonzero(of(data), p)
		},
	}
}

var sparseTable = map[kernels.DType]sparseLoops{
	kernels.Int8: sparseLoopsOf[int8](), kernels.Int16: sparseLoopsOf[int16](), kernels.Int32: sparseLoopsOf[int32](), kernels.Int64: sparseLoopsOf[int64](),
	kernels.Uint8: sparseLoopsOf[uint8](), kernels.Uint16: sparseLoopsOf[uint16](), kernels.Uint32: sparseLoopsOf[uint32](), kernels.Uint64: sparseLoopsOf[uint64](),
	kernels.Float32: sparseLoopsOf[float32](), kernels.Float64: sparseLoopsOf[float64](),
}

// checkSparse refuses operands that are no part of a sparse matrix; data and minor are nil where
// there are none.
func checkSparse(data, indices, indptr, minor V) error {
	if data != nil {
		switch t := data.Type; {
		case t.Rank() != 1:
			return fmt.Errorf("data: got %v, want a vector", t)
		case t.DType.IsBool():
			return fmt.Errorf("data: got %v, want numbers; cast it, to int8 for one", t)
		}
	}
	if data != nil && indices.Type.Rank() == 1 {
		if m, n := data.Type.Dim(0), indices.Type.Dim(0); m != n && m != graph.Unknown && n != graph.Unknown {
			return fmt.Errorf("got %d elements of data and %d indices, want as many of both", m, n)
		}
	}
	for i, v := range []V{indices, indptr} {
		if v.Type.DType != kernels.Int32 || v.Type.Rank() != 1 {
			return fmt.Errorf("%s: got %v, want a vector of int32", []string{"indices", "indptr"}[i], v.Type)
		}
	}
	if minor != nil && (minor.Type.DType != kernels.Int64 || minor.Type.Rank() != 0) {
		return fmt.Errorf("length of the minor axis: got %v, want an int64 scalar", minor.Type)
	}
	return nil
}

// toMinor converts the operand with the length of the minor axis, if it is another integer.
func toMinor(b *graph.Builder, in []V, at int) []V {
	if len(in) <= at || !in[at].Type.DType.IsInteger() {
		return in
	}
	out := append([]V(nil), in...)
	out[at] = castTo(b, in[at], kernels.Int64)
	return out
}

// majorLength is what is known of the length of the major axis.
func majorLength(indptr V) int {
	if n := indptr.Type.Dim(0); n > 0 {
		return n - 1
	}
	return graph.Unknown
}

// minorLength is what is known of the length that an operand says.
func minorLength(minor V) int {
	if n, ok := KnownLength(minor); ok && n >= 0 {
		return n
	}
	return graph.Unknown
}

// majorOf is the length of the major axis as a variable.
func majorOf(m Maker, indptr V) V {
	return m.Apply(Sub, length(m, indptr, 0), m.Constant(tensor.IntScalar(kernels.Int64, 1)))
}

// alikeElements: there are as many elements as indices.
func (r *requirements) alikeElements(data, indices V) {
	r.equal(r.length(data, 0), r.length(indices, 0), 0)
}

// columns: the indices, as far as they are known, are some of an axis of length n.
func (r *requirements) columns(indices, n V, axis int) {
	if indices.Data == nil || indices.Data.Size() == 0 {
		return
	}
	r.atMost(r.number(int(slices.Max(indices.Data.Ints()))+1), n, axis)
}

// patternOf reads the structure of a matrix. Only its pointers are looked at: see checked.
func patternOf(c *Call, indices, indptr *tensor.Dense, minor int) (sparse.Pattern, error) {
	p := sparse.Pattern{Indices: tensor.Elements[int32](flatten(c, indices)), Indptr: tensor.Elements[int32](flatten(c, indptr)), Minor: minor}
	switch {
	case minor < 0:
		return p, fmt.Errorf("got length %d of the minor axis, want at least 0", minor)
	case minor > sparse.MaxElements:
		return p, fmt.Errorf("got length %d of the minor axis, want at most %d", minor, sparse.MaxElements)
	}
	return p, asking(c, p).CheckPointers()
}

// asking is a pattern whose loops ask. Threads do not share it.
func asking(c *Call, p sparse.Pattern) sparse.Pattern {
	p.Ask = c.poll().Ask
	return p
}

// checked is patternOf of a matrix whose indices are looked at too: what a loop writes may depend
// on them. Loops over its rows, which are not shared by threads, ask.
func checked(c *Call, indices, indptr *tensor.Dense, minor int) (sparse.Pattern, error) {
	p, err := patternOf(c, indices, indptr, minor)
	p = asking(c, p)
	if err == nil {
		err = p.Check()
	}
	return p, err
}

// inBounds calls f, whose only accesses out of bounds are those by indices of p, and which Go
// checks: so indices are looked at once. Their error is that of p.
func inBounds(p sparse.Pattern, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if err = p.Check(); err == nil {
				panic(r)
			}
		}
	}()
	return f()
}

// sameElements refuses data that is not as long as the indices.
func sameElements(data *tensor.Dense, p sparse.Pattern) error {
	if n := data.Dim(0); n != len(p.Indices) {
		return fmt.Errorf("got %d elements of data and %d indices, want as many of both", n, len(p.Indices))
	}
	return nil
}

// flatten is x, C-contiguous.
func flatten(c *Call, x *tensor.Dense) *tensor.Dense {
	if x.IsContiguous() {
		return x
	}
	return c.temporary(x.Copy())
}

// storeStructure copies structures that were computed to results first and first+1, and numbers to
// those after.
func storeStructure(c *Call, out []*tensor.Dense, first int, p sparse.Pattern, numbers ...[]int64) {
	for i, list := range [][]int32{p.Indices, p.Indptr} {
		out[first+i] = c.Alloc(first+i, kernels.Int32, []int{len(list)})
		copy(tensor.Elements[int32](out[first+i]), list)
		c.holds(4 * cap(list))
	}
	for i, list := range numbers {
		at := first + 2 + i
		out[at] = c.Alloc(at, kernels.Int64, []int{len(list)})
		copy(tensor.Elements[int64](out[at]), list)
		c.holds(8 * cap(list))
	}
}

// errTooMany says that a result has more elements than int32 numbers.
func errTooMany() error {
	return fmt.Errorf("the result has more than %d stored elements, which int32 indices cannot number", sparse.MaxElements)
}
