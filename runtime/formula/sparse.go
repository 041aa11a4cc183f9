package formula

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Sparse is a sparse matrix as graphs have it: the four variables that the operations on such
// matrices take (runtime/op/sparse.go). It is compressed along its rows or, if CSC, along its
// columns.
type Sparse struct {
	CSC                   bool
	Data, Indices, Indptr V
	Minor                 V    // int64: the number of columns or, if CSC, of rows
	Whole                 V    // the dense matrix of floats that it was made of, or, if CSC, its transpose; nil if it was not, or has changed
	same                  V    // the elements of the matrix that this one is, stored otherwise; nil if it is that one
	turned                bool // it is the transpose of what it was made as
}

// Parts are the variables.
func (x Sparse) Parts() []V { return []V{x.Data, x.Indices, x.Indptr, x.Minor} }

// Format is "csr" or "csc".
func (x Sparse) Format() string {
	if x.CSC {
		return "csc"
	}
	return "csr"
}

// DType is the type of the elements.
func (x Sparse) DType() kernels.DType { return x.Data.Type.DType }

// With is the matrix with other elements in the same places.
func (x Sparse) With(data V) Sparse {
	x.Data, x.Whole, x.same = data, nil, nil
	return x
}

// Transposed is the transpose, which has the other format and nothing to compute.
func (x Sparse) Transposed() Sparse {
	x.CSC, x.turned = !x.CSC, !x.turned
	return x
}

// elements are those that the matrix was made with.
func (x Sparse) elements() V {
	if x.same != nil {
		return x.same
	}
	return x.Data
}

// Major is the length of the axis that the matrix is compressed along.
func (x Sparse) Major(b *graph.Builder) V {
	return count(b, op.Sub, op.Lengths(b, x.Indptr)[0], Int(b, 1))
}

// Shape is the number of rows and that of columns.
func (x Sparse) Shape(b *graph.Builder) (rows, columns V) {
	if x.CSC {
		return x.Minor, x.Major(b)
	}
	return x.Major(b), x.Minor
}

// makes applies an operation with several results.
func makes(b *graph.Builder, o graph.Op, in ...V) []V {
	out, err := b.Make(o, in...)
	if err != nil {
		panic(err)
	}
	return out
}

// Taken is the elements of a vector with these numbers.
func Taken(b *graph.Builder, x, numbers V) V { return b.Apply(op.Take{}, x, numbers) }

// Alike is m, two lengths that have to be equal: what says of which matrices.
func Alike(b *graph.Builder, what string, m, n V) (V, error) {
	if m == n {
		return m, nil
	}
	k, known := op.KnownLength(m)
	if l, too := op.KnownLength(n); known && too {
		if k != l {
			return nil, fmt.Errorf("got %d and %d %s, want as many of both", k, l, what)
		}
		return m, nil
	}
	return b.Apply(op.Assert{Exc: "ValueError", Msg: op.Text("the sparse matrices have not as many " + what)}, m, b.Apply(op.Eq, m, n)), nil
}

// InFormat is the matrix in a format. That of the other one is sorted.
func (x Sparse) InFormat(b *graph.Builder, csc bool) Sparse {
	if x.CSC == csc {
		return x
	}
	t := makes(b, op.SparseTranspose, x.Indices, x.Indptr, x.Minor)
	z := Sparse{CSC: csc, Data: Taken(b, x.Data, t[2]), Indices: t[0], Indptr: t[1], Minor: x.Major(b), same: x.elements(), turned: x.turned}
	if x.Whole != nil {
		z.Whole = transpose(b, x.Whole)
	}
	return z
}

// Dense is the matrix written out.
func (x Sparse) Dense(b *graph.Builder) V {
	return b.Apply(op.DenseFromSparse{CSC: x.CSC}, x.Parts()...)
}

// SparseFromDense is what of a matrix is not 0.
func SparseFromDense(b *graph.Builder, x V, csc bool) Sparse {
	parts := makes(b, op.SparseFromDense{CSC: csc}, x)
	z := Sparse{CSC: csc, Data: parts[0], Indices: parts[1], Indptr: parts[2], Minor: op.Lengths(b, x)[1]}
	if csc {
		z.Minor = op.Lengths(b, x)[0]
	}
	if x.Type.DType.IsFloat() {
		if z.Whole = x; csc {
			z.Whole = transpose(b, x)
		}
	}
	return z
}

// Rows and Columns are the row and the column of each stored element, int64.
func (x Sparse) Rows(b *graph.Builder) V { return x.Transposed().Columns(b) }
func (x Sparse) Columns(b *graph.Builder) V {
	if x.CSC {
		return b.Apply(op.SparseRows, x.Indices, x.Indptr, x.Minor)
	}
	return Cast(b, x.Indices, kernels.Int64)
}

// Canonical has every place once, its elements added up, in ascending order.
func (x Sparse) Canonical(b *graph.Builder) Sparse {
	parts := makes(b, op.SparseCanonical, x.Indices, x.Indptr, x.Minor)
	return Sparse{CSC: x.CSC, Data: placed(b, x.DType(), parts[0], [2]V{x.Data, parts[2]}), Indices: parts[0], Indptr: parts[1], Minor: x.Minor, same: x.elements(), turned: x.turned}
}

// placed is a vector as long as another, with elements added up at their places.
func placed(b *graph.Builder, d kernels.DType, like V, parts ...[2]V) V {
	z := b.Apply(op.Alloc{}, b.Constant(tensor.New(d)), op.Lengths(b, like)[0])
	for _, p := range parts {
		z = b.Apply(op.IncTake{}, z, p[0], p[1])
	}
	return z
}

// Sorted has the elements of each row, or column, in ascending order; what is there twice stays so.
func (x Sparse) Sorted(b *graph.Builder) Sparse {
	order := b.Apply(op.SparseOrder, x.Indices, x.Indptr, x.Minor)
	x.same = x.elements()
	x.Data, x.Indices = Taken(b, x.Data, order), Taken(b, x.Indices, order)
	return x
}

// WithoutZeros stores no element that is 0.
func (x Sparse) WithoutZeros(b *graph.Builder) Sparse {
	parts := makes(b, op.SparseNonzero, x.Parts()...)
	return Sparse{CSC: x.CSC, Data: Taken(b, x.Data, parts[2]), Indices: parts[0], Indptr: parts[1], Minor: x.Minor, Whole: x.Whole, same: x.elements(), turned: x.turned}
}

// CheckMajor refuses a matrix whose pointers are not those of a major axis of a length: at once if
// that is known, else when the function runs.
func (x *Sparse) CheckMajor(b *graph.Builder, major V) error {
	have := x.Major(b)
	n, known := op.KnownLength(major)
	if m, too := op.KnownLength(have); known && too {
		if m != n {
			return fmt.Errorf("indptr: got %d pointers, want %d, one more than the %s that shape says", m+1, n+1, []string{"rows", "columns"}[map[bool]int{false: 0, true: 1}[x.CSC]])
		}
		return nil
	}
	msg := op.Text("indptr: the number of pointers is not one more than the length that shape says")
	x.Minor = b.Apply(op.Assert{Exc: "ValueError", Msg: msg}, x.Minor, b.Apply(op.Eq, have, major))
	return nil
}

// common converts the data of two matrices to one type, and y to the format of x. Their shapes have
// to be the same.
func common(b *graph.Builder, x, y Sparse) (Sparse, Sparse, error) {
	y = y.InFormat(b, x.CSC)
	d := kernels.Promote(x.DType(), y.DType())
	x.Data, y.Data = Cast(b, x.Data, d), Cast(b, y.Data, d)
	names := []string{"rows", "columns"}
	if x.CSC {
		slices.Reverse(names)
	}
	minor, err := Alike(b, names[1], x.Minor, y.Minor)
	if err != nil {
		return x, y, err
	}
	x.Minor = minor
	if m, n := x.Indptr.Type.Dim(0), y.Indptr.Type.Dim(0); m != n && m != graph.Unknown && n != graph.Unknown {
		return x, y, fmt.Errorf("got %d and %d %s, want as many of both", m-1, n-1, names[0])
	}
	return x, y, nil
}

// SparseAdd is x + y, which stores what is not 0, in the format of x.
func SparseAdd(b *graph.Builder, x, y Sparse) (z Sparse, err error) {
	if x, y, err = common(b, x, y); err != nil {
		return z, err
	}
	if x.Indices == y.Indices && x.Indptr == y.Indptr {
		return x.With(b.Apply(op.Add, x.Data, y.Data)).WithoutZeros(b), nil
	}
	parts := makes(b, op.SparseUnion, x.Indices, x.Indptr, y.Indices, y.Indptr, x.Minor)
	data := placed(b, x.DType(), parts[0], [2]V{x.Data, parts[2]}, [2]V{y.Data, parts[3]})
	return Sparse{CSC: x.CSC, Data: data, Indices: parts[0], Indptr: parts[1], Minor: x.Minor}.WithoutZeros(b), nil
}

// SparseMul is the elementwise product, which stores what is not 0, in the format of x.
func SparseMul(b *graph.Builder, x, y Sparse) (z Sparse, err error) {
	if x, y, err = common(b, x, y); err != nil {
		return z, err
	}
	x, y = x.Canonical(b), y.Canonical(b)
	parts := makes(b, op.SparseIntersection, x.Indices, x.Indptr, y.Indices, y.Indptr, x.Minor)
	data := b.Apply(op.Mul, Taken(b, x.Data, parts[2]), Taken(b, y.Data, parts[3]))
	return Sparse{CSC: x.CSC, Data: data, Indices: parts[0], Indptr: parts[1], Minor: x.Minor}.WithoutZeros(b), nil
}

// AtPlaces is what of a dense y meets the stored elements of x: of a matrix the elements at their
// places, of a vector those of their columns, and a scalar.
func (x Sparse) AtPlaces(b *graph.Builder, y V) (V, error) {
	switch y.Type.Rank() {
	case 0:
		return y, nil
	case 1:
		return Taken(b, y, x.Columns(b)), nil
	case 2:
		return b.Apply(op.SparseSample{CSC: x.CSC}, y, x.Indices, x.Indptr), x.checkShape(y)
	}
	return nil, fmt.Errorf("got %v, want a matrix, a vector or a scalar", y.Type)
}

// checkShape refuses a dense matrix that is known to have another shape.
func (x Sparse) checkShape(y V) error {
	major, minor := x.Indptr.Type.Dim(0), graph.Unknown
	if major > 0 {
		major--
	}
	if n, ok := op.KnownLength(x.Minor); ok {
		minor = n
	}
	have := []int{major, minor}
	if x.CSC {
		slices.Reverse(have)
	}
	for axis, n := range have {
		if m := y.Type.Dim(axis); m != graph.Unknown && n != graph.Unknown && m != n {
			return fmt.Errorf("got a sparse matrix of shape %s and a dense one of %s, want the same shape", shapeOf(have), shapeOf(y.Type.Dims()))
		}
	}
	return nil
}

// shapeOf writes lengths, with ? for those that are not known.
func shapeOf(dims []int) string {
	parts := make([]any, len(dims))
	for i, n := range dims {
		if parts[i] = n; n == graph.Unknown {
			parts[i] = "?"
		}
	}
	return fmt.Sprintf("(%v, %v)", parts[0], parts[1])
}

// SparseDot is the product with a dense matrix or vector.
func SparseDot(b *graph.Builder, x Sparse, y V) V {
	return b.Apply(op.SparseDot{Transposed: x.CSC}, x.Data, x.Indices, x.Indptr, x.Minor, y)
}

// DotSparse is the product of a dense matrix or vector with a sparse matrix, and RegularDotSparse
// that with the gradient of a dense product.
func DotSparse(b *graph.Builder, x V, y Sparse) V        { return dotSparse(b, x, y, SparseDot) }
func RegularDotSparse(b *graph.Builder, x V, y Sparse) V { return dotSparse(b, x, y, RegularDot) }

func dotSparse(b *graph.Builder, x V, y Sparse, dot func(*graph.Builder, Sparse, V) V) V {
	if x.Type.Rank() < 2 {
		return dot(b, y.Transposed(), x)
	}
	return transpose(b, dot(b, y.Transposed(), transpose(b, x)))
}

func transpose(b *graph.Builder, x V) V { return Permute(b, x, []int{1, 0}) }

// SparseProduct is the product of two sparse matrices, in the format of x.
func SparseProduct(b *graph.Builder, x, y Sparse) (Sparse, error) {
	y = y.InFormat(b, x.CSC)
	_, columns := x.Shape(b)
	rows, _ := y.Shape(b)
	if _, err := Alike(b, "", columns, rows); err != nil {
		k, _ := op.KnownLength(columns)
		l, _ := op.KnownLength(rows)
		return x, fmt.Errorf("got a matrix with %d columns and one with %d rows, want as many of both", k, l)
	}
	left, right := x, y
	if x.CSC { // the product of the transposes, the other way round
		left, right = y, x
	}
	// The operation knows how many columns the first has only by the rows of the second.
	if _, known := op.KnownLength(left.Minor); !known || !left.Minor.IsConstant() {
		same := b.Apply(op.Eq, left.Minor, right.Major(b))
		right.Minor = b.Apply(op.Assert{Exc: "ValueError", Msg: "the first sparse matrix has not as many columns as the second has rows"}, right.Minor, same)
	}
	parts := makes(b, op.SparseProduct{}, left.Data, left.Indices, left.Indptr, right.Data, right.Indices, right.Indptr, right.Minor)
	return Sparse{CSC: x.CSC, Data: parts[0], Indices: parts[1], Indptr: parts[2], Minor: right.Minor}, nil
}

// SampledDot is p times x·yᵀ, which is computed at the places of p only.
func SampledDot(b *graph.Builder, x, y V, p Sparse) Sparse {
	if p.CSC {
		x, y = y, x
	}
	return p.With(b.Apply(op.Mul, p.Data, b.Apply(op.SampledDot{}, x, y, p.Indices, p.Indptr)))
}

// ones is a vector of n ones.
func ones(b *graph.Builder, d kernels.DType, n V) V {
	return b.Apply(op.Alloc{}, b.Constant(tensor.IntScalar(d, 1)), n)
}

// SparseSum is the sum over an axis, or over both for nil: a product with ones, which walks the
// rows. What was made of a dense matrix is that one's sum, whose gradient has all places.
func SparseSum(b *graph.Builder, x Sparse, axis *int) V {
	if x.Whole != nil {
		axes := tensor.AllAxes(2)
		if axis != nil {
			if axes = tensor.AxesOf(*axis); x.CSC {
				axes = tensor.AxesOf(1 - *axis)
			}
		}
		return b.Apply(op.Reduce{Kind: op.Sum, Axes: axes}, x.Whole)
	}
	if axis == nil {
		return b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(1)}, x.Data)
	}
	rows, columns := x.Shape(b)
	if *axis == 0 {
		return SparseDot(b, x.Transposed(), ones(b, x.DType(), rows))
	}
	return SparseDot(b, x, ones(b, x.DType(), columns))
}

// where is the matrix whose elements are 0 but where a condition on them holds.
func (x Sparse) where(b *graph.Builder, cond V) Sparse {
	return x.With(b.Apply(op.Switch, cond, x.Data, b.Like(x.Data, 0)))
}

// SparseDiagonal is the main diagonal: the sums of rows without what lies beside it, or that of the
// dense matrix that x was made of.
func SparseDiagonal(b *graph.Builder, x Sparse) V {
	if x.Whole != nil {
		if d, err := Diagonal(b, x.Whole, 0, 0, 1); err == nil {
			return d
		}
	}
	one := 1
	sums := SparseSum(b, x.where(b, b.Apply(op.Eq, x.Rows(b), x.Columns(b))), &one)
	rows, columns := x.Shape(b)
	return Slice(b, sums, 0, nil, count(b, op.Minimum, rows, columns), nil)
}

// SquareDiagonal is the square matrix with a vector on its diagonal.
func SquareDiagonal(b *graph.Builder, x V, csc bool) Sparse {
	n := op.Lengths(b, x)[0]
	return Sparse{CSC: csc, Data: x, Indices: Cast(b, UpTo(b, n), kernels.Int32), Indptr: Cast(b, UpTo(b, count(b, op.Add, n, Int(b, 1))), kernels.Int32), Minor: n}
}

// SparseStack puts matrices one below the other, along axis 0, or beside each other, in a format.
func SparseStack(b *graph.Builder, blocks []Sparse, axis int, csc bool) (Sparse, error) {
	along := axis == 1 // the format that grows by appending
	d := kernels.Invalid
	for i, x := range blocks {
		if blocks[i] = x.InFormat(b, along); i == 0 {
			d = x.DType()
		}
		d = kernels.Promote(d, x.DType())
	}
	z := blocks[0]
	data, indices, pointers := []V{}, []V{}, []V{}
	stored := Int(b, 0)
	for i, x := range blocks {
		if i > 0 {
			minor, err := Alike(b, []string{"columns", "rows"}[axis], z.Minor, x.Minor)
			if err != nil {
				return z, err
			}
			z.Minor = minor
		}
		data, indices = append(data, Cast(b, x.Data, d)), append(indices, x.Indices)
		begin := x.Indptr
		if i < len(blocks)-1 { // its end is the begin of the next
			begin = Slice(b, begin, 0, nil, Int(b, -1), nil)
		}
		pointers = append(pointers, b.Apply(op.Add, begin, Cast(b, stored, kernels.Int32)))
		stored = count(b, op.Add, stored, op.Lengths(b, x.Indices)[0])
	}
	z.Data, z.Indices, z.Indptr = b.Apply(op.Join{}, data...), b.Apply(op.Join{}, indices...), b.Apply(op.Join{}, pointers...)
	return z.InFormat(b, csc), nil
}

// SparseTakeRows is rows of the matrix, by their numbers, in its format.
func SparseTakeRows(b *graph.Builder, x Sparse, rows V) Sparse {
	csr := x.InFormat(b, false)
	parts := makes(b, op.SparseTakeRows, csr.Indices, csr.Indptr, csr.Minor, rows)
	return Sparse{CSC: false, Data: Taken(b, csr.Data, parts[2]), Indices: parts[0], Indptr: parts[1], Minor: csr.Minor}.InFormat(b, x.CSC)
}

// SparseTakeColumns is SparseTakeRows of columns.
func SparseTakeColumns(b *graph.Builder, x Sparse, columns V) Sparse {
	return SparseTakeRows(b, x.Transposed(), columns).Transposed()
}

// SparseItems are the elements at pairs of places, two vectors: sums of chosen rows without what
// lies in other columns.
func SparseItems(b *graph.Builder, x Sparse, rows, columns V) V {
	_, n := x.Shape(b)
	numbers := Taken(b, UpTo(b, n), columns) // counts from the end, and refuses what is no column
	chosen := SparseTakeRows(b, x.InFormat(b, false), rows)
	one := 1
	return SparseSum(b, chosen.where(b, b.Apply(op.Eq, chosen.Columns(b), Taken(b, numbers, chosen.Rows(b)))), &one)
}
