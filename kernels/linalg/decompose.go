package linalg

import (
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// A decomposition is the singular values of a matrix, falling, and its vectors on both sides.
type decomposition struct {
	values      []float64
	left, right side
}

// A side is singular vectors of one side, not written out: the product of reflectors times a matrix
// that has k vectors of k elements as rows.
type side struct {
	Product
	length int // of the vectors, k or more
	list   []reflectors
	rows   Matrix
}

// smallValues is up to how many columns Gonum computes singular values alone sooner.
const smallValues = 50

// decompose computes the singular values of m, which has elements, and the vectors if asked for.
//
// A matrix with more columns than rows is transposed. One with notably more rows than columns
// becomes its triangular factor (T. Chan, "An improved algorithm for computing the singular value
// decomposition", ACM Trans. Math. Softw. 8(1), 1982). Small ones are Gonum's then, whose vectors
// have LAPACK's signs, as NumPy's have; larger ones are made bidiagonal, divided and put together
// again, so that most of the work is in products.
func (m Matrix) decompose(vectors bool) (decomposition, error) {
	wide := m.Rows < m.Cols
	copied := m.clone
	if wide {
		copied = m.T
	}
	f := copied()
	exponent, err := f.tame()
	if err != nil {
		return decomposition{}, err
	}
	z := decomposition{left: side{Product: m.product(), length: f.Rows}, right: side{Product: m.product(), length: f.Cols}}
	if f.Rows > smallEigen && 5*f.Rows >= 6*f.Cols {
		z.left.list = z.left.factorQR(f.view(), vectors)
		f = f.upper(f.Cols)
	}
	decomposed := z.large
	if f.Cols <= smallEigen || !vectors && f.Cols <= smallValues {
		decomposed = z.small
	}
	if !decomposed(f, vectors) {
		return decomposition{}, ErrNotConverged
	}
	scale(z.values, exponent)
	if wide {
		z.left, z.right = z.right, z.left
	}
	return z, nil
}

// small is Gonum's Dgesvd of f: [m,n] with m >= n.
func (z *decomposition) small(f Matrix, vectors bool) bool {
	z.values = make([]float64, f.Cols)
	job, none := lapack.SVDNone, blas64.General{Stride: 1}
	u, vt := none, none
	if vectors {
		z.left.rows, z.right.rows = New(f.Rows, f.Rows), New(f.Cols, f.Cols)
		job, u, vt = lapack.SVDAll, z.left.rows.general(), z.right.rows.general()
	}
	ok := attempt(func() (ok bool) {
		work(func(w []float64, lwork int) { ok = lapack64.Gesvd(job, job, f.general(), u, vt, z.values, w, lwork) })
		return ok
	})
	z.left.rows = z.left.rows.T()
	return ok
}

// large divides and conquers f: [m,n] with m >= n, which it overwrites.
func (z *decomposition) large(f Matrix, vectors bool) bool {
	d, e, qs, ps := z.left.bidiagonal(f.view(), vectors)
	if !vectors {
		z.values = d
		return attempt(func() bool {
			return gonum.Implementation{}.Dbdsqr(blas.Upper, len(d), 0, 0, 0, d, e, nil, 1, nil, 1, nil, 1, make([]float64, 4*len(d)))
		})
	}
	z.left.list, z.right.list = append(z.left.list, qs...), ps
	exponent := even(d, e)
	u, v, ok := z.left.bidiagonalVectors(d, e)
	scale(d, exponent)
	z.values, z.left.rows, z.right.rows = d, u, v
	return ok
}

// vectors returns the first vectors as columns. Behind those that there are any that complete the
// basis follow.
func (s side) vectors(count int) Matrix {
	if len(s.list) == 0 {
		return s.transposed(count).T()
	}
	z := New(s.length, count)
	s.write(z.view())
	return z
}

// transposed returns the first vectors as rows.
func (s side) transposed(count int) Matrix {
	if len(s.list) == 0 && count <= s.rows.Rows {
		return s.rows.rows(count)
	}
	z := New(count, s.length)
	s.write(z.view().T())
	return z
}

func (s side) write(z View) {
	for j := range z.Cols {
		if j >= s.rows.Rows {
			z.Data[z.at(j, j)] = 1
			continue
		}
		for i, v := range s.rows.row(j) {
			z.Data[z.at(i, j)] = v
		}
	}
	s.reflect(z)
}

func (s side) reflect(z View) {
	for _, h := range slices.Backward(s.list) {
		s.multiply(h.v, h.t, z.part(h.first, 0, h.v.Rows, z.Cols))
	}
}

// project returns the parts of the columns of b that the first vectors have.
func (s side) project(b Matrix, count int) Matrix {
	z := b.clone()
	for _, h := range s.list {
		s.multiply(h.v, h.t.T(), z.view().part(h.first, 0, h.v.Rows, z.Cols))
	}
	return s.of(s.rows.rows(count).view(), z.rows(s.rows.Cols).view())
}

// combine returns the first vectors, as many as c has rows, times c.
func (s side) combine(c Matrix) Matrix {
	z := New(s.length, c.Cols)
	if c.Rows > 0 {
		s.add(1, s.rows.rows(c.Rows).view().T(), c.view(), z.view().part(0, 0, s.rows.Cols, c.Cols))
		s.reflect(z.view())
	}
	return z
}

// solve overwrites c, in which b is in terms of the first vectors on the left, and returns the
// shortest x that these singular values take to b.
func (z decomposition) solve(c Matrix) Matrix {
	for i := range c.Rows {
		c.scaleRow(i, 1/z.values[i])
	}
	return z.right.combine(c)
}
