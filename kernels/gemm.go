package kernels

import (
	"math"
	"unsafe"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// products holds the Go matrix products by element type. The floating ones are gonum's where
// gonum's answer is the definition's.
var products = [NumDTypes]countedGemm{
	Int8: gemm(plain[int8]), Int16: gemm(plain[int16]), Int32: gemm(plain[int32]), Int64: gemm(plain[int64]),
	Uint8: gemm(plain[uint8]), Uint16: gemm(plain[uint16]), Uint32: gemm(plain[uint32]), Uint64: gemm(plain[uint64]),
	Float32: gemm(gonumOr[float32](gonum.Implementation{}.Sgemm)),
	Float64: gemm(gonumOr[float64](gonum.Implementation{}.Dgemm)),
}

// A countedGemm is one product of a GemmFunc, and tells of the copies it makes.
type countedGemm func(m, n, k int, alpha float64, a, b Matrix, beta float64, c, d Matrix, stop Stop, account Account) bool

// grid is a matrix as a slice; at(i, j) = data[i*row + j*col].
type grid[T number] struct {
	data     []T
	row, col int
}

// product adds alpha*a·b to c, where c has unit columns.
type product[T number] func(m, n, k int, alpha T, a, b, c grid[T], stop Stop, copies *loan) bool

// gemm begins with beta*c, copies operands that are strided both ways, and adds the product.
func gemm[T number](add product[T]) countedGemm {
	return func(m, n, k int, alpha float64, a, b Matrix, beta float64, c, d Matrix, stop Stop, account Account) bool {
		if m == 0 || n == 0 {
			return true
		}
		al, be := scalar[T](alpha), scalar[T](beta)
		z := gridOf[T](d, m, n)
		for i := range m {
			row := z.data[i*z.row:][:n]
			if be == 0 { // c may hold anything, NaN too
				clear(row)
				continue
			}
			for j := range row {
				row[j] = be * *(*T)(unsafe.Add(c.Data, i*c.Row+j*c.Col))
			}
		}
		if k == 0 || al == 0 {
			return true
		}
		copies := loan{account: account}
		defer copies.end()
		return add(m, n, k, al, operand[T](&copies, a, m, k), operand[T](&copies, b, k, n), z, stop, &copies)
	}
}

// scalar rounds to the nearest integer if T is one.
func scalar[T number](x float64) T {
	if T(1)/2 == 0 {
		x = math.RoundToEven(x)
	}
	if x < 0 {
		return -T(-x) // defined for unsigned T too: it wraps
	}
	return T(x)
}

// gridOf views a matrix whose strides are not negative. An axis of length 1 may have any stride;
// it is replaced by one that a tight matrix would have.
func gridOf[T number](a Matrix, rows, cols int) grid[T] {
	size := int(unsafe.Sizeof(T(0)))
	g := grid[T]{row: a.Row / size, col: a.Col / size}
	if cols == 1 {
		g.col = 1
	}
	if rows == 1 {
		g.row = 1
		if g.col == 1 {
			g.row = cols
		}
	}
	g.data = vec[T](a.Data, (rows-1)*g.row+(cols-1)*g.col+1)
	return g
}

// operand views a matrix with one unit stride and the other not below the length of the axis that
// has it, copying if need be.
func operand[T number](copies *loan, a Matrix, rows, cols int) grid[T] {
	if a.Row >= 0 && a.Col >= 0 || rows == 1 && a.Col >= 0 || cols == 1 && a.Row >= 0 {
		if g := gridOf[T](a, rows, cols); g.col == 1 && g.row >= cols || g.row == 1 && g.col >= rows {
			return g
		}
	}
	g := grid[T]{data: make([]T, rows*cols), row: cols, col: 1}
	copies.take(rows * cols * int(unsafe.Sizeof(T(0))))
	for i := range rows {
		row := g.data[i*cols:][:cols]
		for j := range row {
			row[j] = *(*T)(unsafe.Add(a.Data, i*a.Row+j*a.Col))
		}
	}
	return g
}

// plain is c[i,j] += alpha * a[i,l] * b[l,j], with j innermost.
func plain[T number](m, n, k int, alpha T, a, b, c grid[T], stop Stop, copies *loan) bool {
	if b.col != 1 {
		b = transposed(copies, b, k, n)
	}
	for i := range m {
		z := c.data[i*c.row:][:n]
		for l := range k {
			s := alpha * a.data[i*a.row+l*a.col]
			for j, v := range b.data[l*b.row:][:n] {
				z[j] += T(s * v)
			}
		}
		if Stopped(stop) {
			return false
		}
	}
	return true
}

// transposed copies g to unit columns.
func transposed[T number](copies *loan, g grid[T], rows, cols int) grid[T] {
	z := grid[T]{data: make([]T, rows*cols), row: cols, col: 1}
	copies.take(rows * cols * int(unsafe.Sizeof(T(0))))
	for i := range rows {
		for j := range cols {
			z.data[i*cols+j] = g.data[i*g.row+j*g.col]
		}
	}
	return z
}

// Tiles of gonum's product: below four of its own blocks of 64, so that it starts no goroutines
// (threads are the caller's to choose), and short enough that a stop is heard soon.
const (
	tileRows  = 64
	tileCols  = 192
	tileDepth = 256
)

// gonumOr uses gonum's product for finite operands. gonum skips the zeros of a, and so would lose
// the NaN of 0*Inf and 0*NaN; matrices with such elements take the plain loop.
func gonumOr[T float](xgemm func(tA, tB blas.Transpose, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int)) product[T] {
	return func(m, n, k int, alpha T, a, b, c grid[T], stop Stop, copies *loan) bool {
		if c.row < n || !finite(a, m, k) || !finite(b, k, n) {
			return plain(m, n, k, alpha, a, b, c, stop, copies)
		}
		if n == 1 && m > 1 && k > 1 && c.row == 1 {
			// As (b'·a')' gonum does it by dot products, six times faster.
			row := grid[T]{data: b.data, row: k, col: 1}
			if b.row != 1 {
				row = grid[T]{data: b.data, row: 1, col: b.row}
			}
			n, m = m, n
			a, b, c = row, grid[T]{data: a.data, row: a.col, col: a.row}, grid[T]{data: c.data, row: n, col: 1}
		}
		tA, lda := layout(a)
		tB, ldb := layout(b)
		for i := 0; i < m; i += tileRows {
			for j := 0; j < n; j += tileCols {
				for l := 0; l < k; l += tileDepth {
					if Stopped(stop) {
						return false
					}
					xgemm(tA, tB, min(tileRows, m-i), min(tileCols, n-j), min(tileDepth, k-l), alpha,
						a.data[i*a.row+l*a.col:], lda, b.data[l*b.row+j*b.col:], ldb, 1, c.data[i*c.row+j:], c.row)
				}
			}
		}
		return true
	}
}

// layout names g's unit axis as BLAS does.
func layout[T float](g grid[T]) (blas.Transpose, int) {
	if g.col == 1 {
		return blas.NoTrans, g.row
	}
	return blas.Trans, g.col
}

// finite reports whether x - x is 0 for all elements.
func finite[T float](g grid[T], rows, cols int) bool {
	if g.col != 1 {
		g.row, rows, cols = g.col, cols, rows
	}
	for i := range rows {
		var bad T
		for _, v := range g.data[i*g.row:][:cols] {
			bad += v - v
		}
		if bad != 0 {
			return false
		}
	}
	return true
}
