package formula

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Pairing is a product of two arrays.
type Pairing func(m *Algebra, x, y Array) (Array, error)

// Of is the product of variables.
func (p Pairing) Of(b *graph.Builder, x, y V) (V, error) {
	return Variable(p(Symbolic(b), x, y))
}

// Outer is the products of all pairs of elements of two vectors: what has other ranks is flattened.
func Outer(m *Algebra, x, y Array) (Array, error) {
	x, y = flat(m, x), flat(m, y)
	return m.Do(op.Mul, m.Permute(x, 0, tensor.NewAxis), m.Permute(y, tensor.NewAxis, 0)), nil
}

// flat is the elements of x as a vector.
func flat(m *Algebra, x Array) Array {
	if x.Rank() == 1 {
		return x
	}
	return m.Reshape(x, Length{N: -1})
}

// Dot is NumPy's: the sum of products over the last axis of x and the last but one of y, or its
// only one. A scalar multiplies.
func Dot(m *Algebra, x, y Array) (Array, error) {
	i, j := x.Rank(), y.Rank()
	switch {
	case i == 0 || j == 0:
		return m.Do(op.Mul, x, y), nil
	case i <= 2 && j <= 2:
		return m.Dot(x, y), nil
	}
	if j > 2 {
		return TensorDot(m, x, y, []int{i - 1}, []int{j - 2})
	}
	m.Fit(x, y, i-1, 0)
	var room [tensor.MaxRank]Length
	lead := room[:0]
	for axis := range i - 1 {
		lead = append(lead, m.Length(x, axis))
	}
	z := m.Dot(m.Reshape(x, m.Times(lead...), m.Length(x, i-1)), y)
	if j == 2 {
		lead = append(lead, m.Length(y, 1))
	}
	return m.Reshape(z, lead...), nil
}

// VDot is the sum of the products of all elements.
func VDot(m *Algebra, x, y Array) (Array, error) { return Dot(m, flat(m, x), flat(m, y)) }

// TensorDot is the sum of products over the axes left of x and right of y, in pairs: one product of
// matrices.
func TensorDot(m *Algebra, x, y Array, left, right []int) (Array, error) {
	if len(left) != len(right) {
		return nil, fmt.Errorf("axes: got %d of the first and %d of the second, want as many", len(left), len(right))
	}
	p, err := partedBy(left, x.Rank())
	if err != nil {
		return nil, err
	}
	q, err := partedBy(right, y.Rank())
	if err != nil {
		return nil, err
	}
	for k, i := range p.dropped() {
		m.Fit(x, y, i, q.dropped()[k])
	}
	var room [4 * tensor.MaxRank]Length
	lengths := m.lengthsOf(m.lengthsOf(room[:0], x, p.kept()), y, q.kept())
	free, rows := len(lengths), len(p.kept())
	lengths = m.lengthsOf(m.lengthsOf(lengths, x, p.dropped()), y, q.dropped())
	summed := free + len(left)
	z := m.Dot(
		m.Reshape(m.Permute(x, p.keptFirst()...), m.Times(lengths[:rows]...), m.Times(lengths[free:summed]...)),
		m.Reshape(m.Permute(y, q.droppedFirst()...), m.Times(lengths[summed:]...), m.Times(lengths[rows:free]...)))
	return m.Reshape(z, lengths[:free]...), nil
}

// lengthsOf appends the lengths of some axes.
func (m *Algebra) lengthsOf(list []Length, x Array, axes []int) []Length {
	for _, axis := range axes {
		list = append(list, m.Length(x, axis))
	}
	return list
}

// parted is the axes of an array, those of a list and the others: these, then those, then these
// again.
type parted struct {
	axes []int
	free int
}

func (p parted) kept() []int         { return p.axes[:p.free] }
func (p parted) dropped() []int      { return p.axes[p.free : len(p.axes)-p.free] }
func (p parted) keptFirst() []int    { return p.axes[:len(p.axes)-p.free] }
func (p parted) droppedFirst() []int { return p.axes[p.free:] }

func partedBy(list []int, rank int) (parted, error) {
	var seen tensor.Axes
	for _, axis := range list {
		n, err := tensor.NormalizeAxis(axis, rank)
		if err != nil {
			return parted{}, fmt.Errorf("axes: %w", err)
		}
		if seen.Has(n) {
			return parted{}, fmt.Errorf("axes: axis %d is there twice", n)
		}
		seen = seen.With(tensor.AxesOf(n))
	}
	p := parted{make([]int, 0, 2*rank-len(list)), rank - len(list)}
	for axis := range rank {
		if !seen.Has(axis) {
			p.axes = append(p.axes, axis)
		}
	}
	for _, axis := range list {
		n, _ := tensor.NormalizeAxis(axis, rank)
		p.axes = append(p.axes, n)
	}
	p.axes = append(p.axes, p.kept()...)
	return p, nil
}

// Matmul is the product of matrices in the last two axes, for each place of those before, which
// broadcast. A vector on the left is a row and one on the right a column, whose axis the result
// lacks.
func Matmul(m *Algebra, x, y Array) (Array, error) {
	i, j := x.Rank(), y.Rank()
	switch {
	case i == 0 || j == 0:
		return nil, fmt.Errorf("got a scalar, want arrays of at least 1 dimension; use * to multiply by a scalar")
	case i <= 2 && j <= 2:
		return m.Dot(x, y), nil
	case i == 1:
		z := m.Matmul(m.Permute(x, tensor.NewAxis, 0), y)
		return m.Drop(z, z.Rank()-2), nil
	case j == 1:
		z := m.Matmul(x, m.Permute(y, 0, tensor.NewAxis))
		return m.Drop(z, z.Rank()-1), nil
	}
	return m.Matmul(x, y), nil
}

// drop is x without an axis of length 1.
func drop(b *graph.Builder, x V, axis int) V { return At(b, x, axis, 0) }

// BatchedDot is the product of matrices, vectors or numbers for each place of the first axis, which
// both have.
func BatchedDot(b *graph.Builder, x, y V) (V, error) {
	m, n := x.Type.Rank(), y.Type.Rank()
	if m == 0 || n == 0 || m > 3 || n > 3 {
		return nil, tensor.TypeErrorf("got %d and %d dimensions, want 1 to 3", m, n)
	}
	if m == 1 || n == 1 {
		if m < n {
			x = Pad(b, x, n-m, false)
		} else {
			y = Pad(b, y, m-n, false)
		}
		return b.Apply(op.Mul, x, y), nil
	}
	if m == 2 {
		x = Permute(b, x, []int{0, tensor.NewAxis, 1})
	}
	if n == 2 {
		y = Permute(b, y, []int{0, 1, tensor.NewAxis})
	}
	z := b.Apply(op.Matmul{}, x, y)
	if n == 2 {
		z = drop(b, z, 2)
	}
	if m == 2 {
		z = drop(b, z, 1)
	}
	return z, nil
}

// Inner is the sum of products over the last axes.
func Inner(m *Algebra, x, y Array) (Array, error) {
	i, j := x.Rank(), y.Rank()
	if i == 0 || j == 0 {
		return m.Do(op.Mul, x, y), nil
	}
	return TensorDot(m, x, y, []int{i - 1}, []int{j - 1})
}

// Kron is the Kronecker product: each element of x by all of y, in blocks.
func Kron(m *Algebra, x, y Array) (Array, error) {
	rank := max(x.Rank(), y.Rank())
	x, y = led(m, x, rank), led(m, y, rank)
	var left, right []int
	var shape []Length
	for axis := range rank {
		left, right = append(left, axis, tensor.NewAxis), append(right, tensor.NewAxis, axis)
		shape = append(shape, m.Times(m.Length(x, axis), m.Length(y, axis)))
	}
	return m.Reshape(m.Do(op.Mul, m.Permute(x, left...), m.Permute(y, right...)), shape...), nil
}

// led is x with axes of length 1 before its own.
func led(m *Algebra, x Array, rank int) Array {
	if x.Rank() == rank {
		return x
	}
	return m.Permute(x, append(slices.Repeat([]int{tensor.NewAxis}, rank-x.Rank()), axes(x.Rank())...)...)
}

// VecDot is the sums of products of vectors along the last axis, for each place of those before,
// which broadcast.
func VecDot(m *Algebra, x, y Array) (Array, error) {
	if x.Rank() == 0 || y.Rank() == 0 {
		return nil, fmt.Errorf("got a scalar, want vectors along the last axis")
	}
	z := m.Matmul(newAxis(m, x, -2), newAxis(m, y, -1))
	return m.Drop(m.Drop(z, z.Rank()-1), z.Rank()-2), nil
}

// MatVec is the product of matrices in the last two axes of x with vectors along the last one of y,
// for each place of those before, which broadcast.
func MatVec(m *Algebra, x, y Array) (Array, error) {
	if x.Rank() < 2 || y.Rank() == 0 {
		return nil, fmt.Errorf("got %d and %d dimensions, want matrices and vectors", x.Rank(), y.Rank())
	}
	z := m.Matmul(x, newAxis(m, y, -1))
	return m.Drop(z, z.Rank()-1), nil
}

// VecMat is the product of vectors along the last axis of x with matrices in the last two of y.
func VecMat(m *Algebra, x, y Array) (Array, error) {
	if x.Rank() == 0 || y.Rank() < 2 {
		return nil, fmt.Errorf("got %d and %d dimensions, want vectors and matrices", x.Rank(), y.Rank())
	}
	z := m.Matmul(newAxis(m, x, -2), y)
	return m.Drop(z, z.Rank()-2), nil
}

// newAxis is x with a new axis of length 1 at the end, or before the last one.
func newAxis(m *Algebra, x Array, at int) Array {
	return m.Permute(x, slices.Insert(axes(x.Rank()), x.Rank()+1+at, tensor.NewAxis)...)
}

// BatchedTensorDot is TensorDot for each place of the first axis, which both have; the other axes
// keep their numbers.
func BatchedTensorDot(b *graph.Builder, x, y V, left, right []int) (V, error) {
	if len(left) != len(right) {
		return nil, fmt.Errorf("axes: got %d of the first and %d of the second, want as many", len(left), len(right))
	}
	if x.Type.Rank() == 0 || y.Type.Rank() == 0 {
		return nil, fmt.Errorf("got a scalar, want a first axis that counts the products")
	}
	var parts [2]parted
	for i, v := range []V{x, y} {
		p, err := partedBy([][]int{left, right}[i], v.Type.Rank())
		if err != nil {
			return nil, err
		}
		if len(p.kept()) == 0 || p.kept()[0] != 0 {
			return nil, fmt.Errorf("axes: axis 0 counts the products and cannot be summed over; numbers of axes begin at 1 here")
		}
		parts[i] = p
	}
	lx, ly := op.Lengths(b, x), op.Lengths(b, y)
	rows, columns := lengthsOf(lx, parts[0].kept()[1:]), lengthsOf(ly, parts[1].kept()[1:])
	batch := lx[0]
	if x.Type.Broadcasts(0) {
		batch = ly[0]
	}
	q := parts[1]
	order := slices.Concat(q.kept()[:1], q.dropped(), q.kept()[1:])
	left2 := Reshape(b, Permute(b, x, parts[0].keptFirst()), []V{lx[0], op.Product(b, rows), op.Product(b, lengthsOf(lx, parts[0].dropped()))})
	right2 := Reshape(b, Permute(b, y, order), []V{ly[0], op.Product(b, lengthsOf(ly, q.dropped())), op.Product(b, columns)})
	return Reshape(b, b.Apply(op.Matmul{}, left2, right2), slices.Concat([]V{batch}, rows, columns)), nil
}

// lengthsOf are the lengths of some axes.
func lengthsOf(lengths []V, order []int) []V {
	var list []V
	for _, axis := range order {
		list = append(list, lengths[axis])
	}
	return list
}
