// Package sparse is sparse matrices that are computed with at once: what SciPy's sparse module is
// to a program.
//
//	Matrix   csr_matrix, csc_matrix and coo_matrix: values with methods (methods.go) and operators (operators.go)
//	Module   scipy.sparse: constructors (construct.go) and functions
//
// What they compute is package runtime/formula's, operation by operation, so that a compiled
// function and a value agree. Symbolic matrices are package symbolic's. Start reading at matrix.go.
package sparse
