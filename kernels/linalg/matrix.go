package linalg

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Matrix is a row-major matrix: element (i, j) is Data[i*Cols+j], and len(Data) is Rows*Cols.
type Matrix struct {
	Rows, Cols int
	Data       []float64
	Product    Product // what the functions of this package multiply parts of the matrix with; nil: Gonum's
	Own        bool    // nobody needs the elements: they may be overwritten, and be those of a result
}

// New returns a zero matrix.
func New(rows, cols int) Matrix {
	m := undefined(rows, cols)
	clear(m.Data)
	return m
}

// Identity returns the n by n identity matrix.
func Identity(n int) Matrix {
	m := New(n, n)
	for i := range n {
		m.Data[i*n+i] = 1
	}
	return m
}

// The errors that depend on the elements of a matrix.
var (
	ErrSingular            = errors.New("singular matrix")
	ErrNotPositiveDefinite = errors.New("matrix is not positive definite")
	ErrNotFinite           = errors.New("array must not contain infs or NaNs")
	ErrNotConverged        = errors.New("the iteration did not converge")
	ErrComplex             = errors.New("eigenvalues are complex, which eig does not give yet " +
		"(a symmetric matrix has real ones)")
)

// eps is the distance from 1 to the next float64.
const eps = 0x1p-52

// At returns element (i, j).
func (m Matrix) At(i, j int) float64 { return m.Data[i*m.Cols+j] }

// T returns the transpose, in memory of its own.
func (m Matrix) T() Matrix {
	t := undefined(m.Cols, m.Rows)
	t.Product = m.Product
	// Some rows at a time, which become whole lines of a cache.
	for first := 0; first < m.Rows; first += 8 {
		end := min(first+8, m.Rows)
		for j := range m.Cols {
			for i := first; i < end; i++ {
				t.Data[j*m.Rows+i] = m.Data[i*m.Cols+j]
			}
		}
	}
	return t
}

func (m Matrix) clone() Matrix {
	data := take(len(m.Data))
	copy(data, m.Data)
	m.Data, m.Own = data, false
	return m
}

// own is m itself if it may be overwritten, else a copy.
func (m Matrix) own() Matrix {
	if m.Own {
		return m
	}
	return m.clone()
}

// general describes m to BLAS and LAPACK, which want a stride of at least 1.
func (m Matrix) general() blas64.General {
	return blas64.General{Rows: m.Rows, Cols: m.Cols, Stride: max(m.Cols, 1), Data: m.Data}
}

func (m Matrix) empty() bool { return m.Rows == 0 || m.Cols == 0 }

func (m Matrix) square() error {
	if m.Rows != m.Cols {
		return fmt.Errorf("got a matrix of shape (%d, %d), want a square one", m.Rows, m.Cols)
	}
	return nil
}

// finite guards the iterative algorithms, which need not end where there is a NaN.
func (m Matrix) finite() error {
	for _, v := range m.Data {
		if v-v != 0 {
			return ErrNotFinite
		}
	}
	return nil
}

// tame multiplies m by a power of two where elements are so large or so small that an iteration
// would overflow on the way (or meet gonum's own scaling, which panics for some), and returns the
// exponent that undoes it. The error is ErrNotFinite: an iteration need not end where there is a
// NaN.
func (m Matrix) tame() (exponent int, err error) {
	most := 0.0
	for _, v := range m.Data {
		if v = math.Abs(v); !(v <= most) {
			if !(v <= math.MaxFloat64) {
				return 0, ErrNotFinite
			}
			most = v
		}
	}
	if most == 0 || most > 0x1p-400 && most < 0x1p400 {
		return 0, nil
	}
	_, exponent = math.Frexp(most)
	scale(m.Data, -exponent)
	return exponent, nil
}

// withoutTiny returns a copy of m with 0 for elements that are nothing beside the largest:
// iterations underflow on them.
func (m Matrix) withoutTiny() Matrix {
	c := m.clone()
	most := 0.0
	for _, v := range c.Data {
		most = max(most, math.Abs(v))
	}
	for i, v := range c.Data {
		if math.Abs(v) < most*0x1p-400 {
			c.Data[i] = 0
		}
	}
	return c
}

// scale multiplies the values by 2 to a power.
func scale(values []float64, exponent int) {
	if exponent == 0 {
		return
	}
	for i, v := range values {
		values[i] = math.Ldexp(v, exponent)
	}
}

// row is row i of m.
func (m Matrix) row(i int) []float64 { return m.Data[i*m.Cols : (i+1)*m.Cols] }

// rows returns the first n rows of m.
func (m Matrix) rows(n int) Matrix {
	m.Rows, m.Data = n, m.Data[:n*m.Cols]
	return m
}

// scaleRow multiplies row i by f.
func (m Matrix) scaleRow(i int, f float64) {
	scaleBy(f, m.row(i))
}

// upper returns the first n rows of m without what is below the diagonal.
func (m Matrix) upper(n int) Matrix {
	u := m.rows(n).clone()
	for i := range n {
		clear(u.Data[i*u.Cols : i*u.Cols+min(i, u.Cols)])
	}
	return u
}

// mul returns a b, or aᵀ b where trans is blas.Trans.
func mul(trans blas.Transpose, a, b Matrix) Matrix {
	x := a.view()
	if trans == blas.Trans {
		x = x.T()
	}
	c := a.product().of(x, b.view())
	c.Product = a.Product
	return c
}

// work calls f, a routine of LAPACK, for the length of work space that it wants, and then with as
// much.
func work(f func(work []float64, lwork int)) {
	var want [1]float64
	f(want[:], -1)
	f(make([]float64, int(want[0])), int(want[0]))
}

func hasNaN(values []float64) bool {
	for _, v := range values {
		if math.IsNaN(v) {
			return true
		}
	}
	return false
}
