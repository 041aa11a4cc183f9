package linalg

import (
	"strings"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// Triangle is the half of a symmetric matrix that is read.
type Triangle uint8

const (
	Lower Triangle = iota // NumPy's default
	Upper
)

// Eigh returns the eigenvalues w: [n] of a symmetric a: [n,n] in ascending order, and v: [n,n] with
// the orthonormal eigenvectors in its columns: a v = v diag(w). Of a only one triangle is read.
func Eigh(a Matrix, half Triangle) (w []float64, v Matrix, err error) {
	return syev(lapack.EVCompute, a, half)
}

// Eigvalsh is Eigh without the eigenvectors.
func Eigvalsh(a Matrix, half Triangle) ([]float64, error) {
	w, _, err := syev(lapack.EVNone, a, half)
	return w, err
}

func syev(job lapack.EVJob, a Matrix, half Triangle) (w []float64, v Matrix, err error) {
	if err := a.square(); err != nil {
		return nil, Matrix{}, err
	}
	if a.empty() {
		return nil, a.clone(), nil
	}
	v = a.mirrored(half) // the other half may hold anything
	exponent, err := v.tame()
	if err != nil {
		return nil, Matrix{}, err
	}
	w = make([]float64, a.Rows)
	ok := attempt(func() bool {
		// Where values alone do not come out, they do beside vectors.
		return job == lapack.EVNone && attempt(func() bool { return eigenvaluesOf(v, w) }) || eigenvectors(v, w)
	})
	if !ok {
		return nil, Matrix{}, ErrNotConverged
	}
	scale(w, exponent)
	return w, v, nil
}

// attempt is what f returns, or false where gonum (0.17) panics on its own arrays, as it does on
// the way out of an iteration that would not converge: Dhseqr hands its second attempt the wrong
// lengths, and Dsterf scales a block of very small elements as if its diagonal had the rows of a
// matrix.
func attempt(f func() bool) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if text, _ := r.(string); !strings.HasPrefix(text, "lapack: ") {
				panic(r)
			}
			ok = false
		}
	}()
	return f()
}

// symmetricEigen overwrites the symmetric m with its eigenvectors if job asks for them.
func symmetricEigen(job lapack.EVJob, m Matrix, w []float64) (ok bool) {
	symmetric := blas64.Symmetric{Uplo: blas.Upper, N: m.Rows, Stride: m.Cols, Data: m.Data}
	work(func(space []float64, lwork int) { ok = lapack64.Syev(job, symmetric, w, space, lwork) })
	return ok
}

// Eig returns the eigenvalues w: [n] of a: [n,n] in LAPACK's order, which is none, and v: [n,n]
// with eigenvectors of length 1 in its columns: a v = v diag(w). It gives ErrComplex where an
// eigenvalue is not real.
func Eig(a Matrix) (w []float64, v Matrix, err error) {
	return geev(lapack.RightEVCompute, a)
}

// Eigvals is Eig without the eigenvectors.
func Eigvals(a Matrix) ([]float64, error) {
	w, _, err := geev(lapack.RightEVNone, a)
	return w, err
}

func geev(job lapack.RightEVJob, a Matrix) (w []float64, v Matrix, err error) {
	if err := a.square(); err != nil {
		return nil, Matrix{}, err
	}
	if a.empty() {
		return nil, a.clone(), nil
	}
	n, tamed := a.Rows, a.clone()
	exponent, err := tamed.tame()
	if err != nil {
		return nil, Matrix{}, err
	}
	imaginary := make([]float64, n)
	w, v = make([]float64, n), New(n, n)
	left := blas64.General{Stride: 1}
	solve := func(f Matrix) bool {
		return attempt(func() bool {
			first := 0
			work(func(space []float64, lwork int) {
				first = lapack64.Geev(lapack.LeftEVNone, job, f.general(), w, imaginary, left, v.general(), space, lwork)
			})
			return first == 0
		})
	}
	if !solve(tamed.clone()) && !solve(tamed.withoutTiny()) {
		return nil, Matrix{}, ErrNotConverged
	}
	for _, im := range imaginary {
		if im != 0 {
			return nil, Matrix{}, ErrComplex
		}
	}
	scale(w, exponent)
	return w, v, nil
}
