package kernels

import "unsafe"

// A Batch is matrices of one shape and layout that lie Step bytes apart. A step of 0 is one matrix
// for all.
type Batch struct {
	Matrix
	Step int
}

// at is matrix i. What has no elements may have no memory to point into.
func (b Batch) at(i int) Matrix {
	if b.Data == nil {
		return b.Matrix
	}
	return Matrix{Data: unsafe.Add(b.Data, i*b.Step), Row: b.Row, Col: b.Col}
}

// One is the product of single matrices.
func (gemm GemmFunc) One(m, n, k int, alpha float64, a, b Matrix, beta float64, c, d Matrix, stop Stop) bool {
	return gemm(1, m, n, k, alpha, Batch{Matrix: a}, Batch{Matrix: b}, beta, Batch{Matrix: c}, Batch{Matrix: d}, stop)
}

// EachProduct calls product for matrix after matrix of the batches of a GemmFunc, and looks at stop
// before each. It reports whether it came to the end.
func EachProduct(count int, a, b, c, d Batch, stop Stop, product func(a, b, c, d Matrix) bool) bool {
	for i := range count {
		if Stopped(stop) || !product(a.at(i), b.at(i), c.at(i), d.at(i)) {
			return false
		}
	}
	return true
}
