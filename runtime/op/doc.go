// Package op holds the operations: what they are called, what types they give, how they are
// differentiated, and how they run on a set of kernels. It holds no inner loops (package kernels)
// and does not order or schedule anything (runtime/exec).
//
//	Elemwise    an elementwise operation: the index of a row of the table in elemwise.go
//	Composite   several elementwise operations fused into one
//	Inplace     an elementwise operation that overwrites an input
//	ShapeI, MakeVector                                 the length of an axis (lengths.go), vectors of lengths (shape.go)
//	DimShuffle, Reshape, Alloc, SpecifyShape, Unbroadcast  shapes (a file each)
//	Reduce, Argmax, Cumulate                           reductions (reduce.go), sums and products so far (cumulate.go)
//	Dot, Gemm, Matmul                                  products (a file each)
//	Softmax                                            softmax and log-softmax by rows (softmax.go)
//	Subtensor, IncSubtensor                            basic subscripts (subtensor.go)
//	Take, IncTake, Repeat, Join, ARange                positions, repetition, concatenation, counting (a file each)
//	Sort, ArgSort, SearchSorted                        order (sort.go, searchsorted.go)
//	Scan, Loop                                         loops: scan.go, how they run (scanrun.go), their gradient (scangrad.go)
//	Print, Assert                                      what is done beside computing (a file each)
//	Inv, Pinv, Det, SLogDet                            inverses and determinants (inverse.go, determinant.go)
//	Cholesky, LUFactor, QR, SVD                        factors (a file each)
//	Solve, SolveTriangular, Lstsq                      systems (solve.go, lstsq.go)
//	Eigh, Eigvalsh, Eig, Eigvals, Expm                 eigenvalues and the exponential (eigen.go, expm.go)
//	blockwise, core                                    what is done for each matrix of a stack (blockwise.go)
//	Structural, Case                                   what an operation that is no row says of itself (structural.go)
//	Thunk, Linker                                      how an operation runs (link.go)
//	Evaluator                                          operations that are computed at once (eval.go, evalelemwise.go)
//
// To add an elementwise operation, add a constant and a row in elemwise.go; its kernel is the row
// of kernels.Table of its name. To add another one, write a file with a comparable struct type
// whose exported fields are its parameters, the methods of Structural, and a line that registers
// it. Its Cases are its tests: package optest reads them, for the test of all operations and for
// the random graphs of runtime/compile and runtime/rewrite.
//
// Start reading at elemwise.go. It may import runtime/graph, runtime/tensor, kernels,
// kernels/linalg and kernels/libm.
package op
