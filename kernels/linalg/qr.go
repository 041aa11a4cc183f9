package linalg

import "gonum.org/v1/gonum/lapack/lapack64"

// QRMode is what QR returns for a: [m,n], with k = min(m, n).
type QRMode uint8

const (
	QRReduced  QRMode = iota // q: [m,k], r: [k,n]
	QRComplete               // q: [m,m], r: [m,n]
	QRR                      // no q, r: [k,n]
)

// QR returns q with orthonormal columns and upper triangular r with q r = a. The diagonal of r may be negative, as LAPACK's.
func QR(a Matrix, mode QRMode) (q, r Matrix) {
	m, n := a.Rows, a.Cols
	k := min(m, n)
	f, tau := a.clone(), make([]float64, k)
	if k > 0 {
		work(func(w []float64, lwork int) { lapack64.Geqrf(f.general(), tau, w, lwork) })
	}
	height := k
	if mode == QRComplete {
		height = m
	}
	r = f.upper(height)
	if mode == QRR {
		return Matrix{}, r
	}
	// The reflectors lie below the diagonal of the first k columns.
	q = New(m, height)
	for i := range m {
		copy(q.Data[i*height:i*height+k], f.Data[i*n:i*n+k])
	}
	if height > 0 && k > 0 {
		work(func(w []float64, lwork int) { lapack64.Orgqr(q.general(), tau, w, lwork) })
	} else if height > 0 {
		q = Identity(height)
	}
	return q, r
}
