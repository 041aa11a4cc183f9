package kernels

import "unsafe"

// A Batch is matrices of one shape and layout that lie Step bytes apart. A step of 0 is one matrix for all.
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

// Each computes count products, d[i] = alpha*a[i]·b[i] + beta*c[i], by the rules of GemmFunc; the matrices of d do not overlap. A small
// product is one call without memory of its own, so that nothing is gained by telling C of all at once but the call. It reports whether
// it ran to its end.
func (gemm GemmFunc) Each(count, m, n, k int, alpha float64, a, b Batch, beta float64, c, d Batch, stop Stop) bool {
	for i := range count {
		if stopped(stop) || !gemm(m, n, k, alpha, a.at(i), b.at(i), beta, c.at(i), d.at(i), stop) {
			return false
		}
	}
	return true
}
