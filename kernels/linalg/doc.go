// Package linalg computes what numpy.linalg does, on matrices of float64.
//
// It is not for products of matrices, which are kernels of package kernels, and knows no arrays:
// callers convert, and treat a stack of matrices one by one.
//
//	Matrix            rows, columns, elements in row-major order
//	View Product      parts of matrices, and how they are multiplied (view.go)
//	Inv Solve Det SLogDet Cholesky        from triangular factors (solve.go)
//	SolveBy SolveTriangular LUFactor      of known structure, and the factors (triangular.go)
//	QR                                    orthogonal times triangular (qr.go)
//	SVD SVDVals Lstsq Pinv MatrixRank     from singular values (svd.go, decompose.go)
//	Eigh Eigvalsh Eig Eigvals             eigenvalues (eigen.go)
//	VectorNorm MatrixNorm Cond            (norm.go)
//	Expm                                  (power.go)
//	Give              what callers have read of a result's memory is used again (space.go)
//
// No function changes its arguments, and no result shares memory with them, but for those that
// callers do not need (Matrix.Own). A vector of n elements on the right hand side is a matrix of n
// rows and one column. Matrices without elements are treated as NumPy 1.24 does.
//
// Errors do not name the operation; callers know the name that the user typed. The algorithms are
// LAPACK's, so that signs and the order of eigenvalues are as LAPACK leaves them, which NumPy does
// too; where theory leaves a sign open, the two may differ. Of large matrices the work is in
// products (blocked.go, qr.go, tridiagonal.go, divide.go), which callers can bring. Elements that
// are not finite go through the direct methods as through any arithmetic (NaN in, NaN out); the
// iterative ones (SVD and eigenvalues) refuse them with ErrNotFinite.
//
// Results grow with their arguments except where a complete basis is asked for (QRComplete, SVD
// with full): there callers check the size before. No routine can be interrupted.
//
// Start at matrix.go. The package may import gonum.org/v1/gonum only.
package linalg
