// Package array is what NumPy computes with arrays beyond the operations of compiled functions: on
// tensor.Dense and Go's values, with NumPy's results, and without a language above it.
//
//	Calculator   the operations that all else consists of
//	Printer      how arrays are written as text
//	FloatText    how one number is
//	Subscripts   those of einsum, read
//
// The rest is functions that are loops over elements, one file a family: quantile, sets,
// statistics, polynomial, convolve, matrices.
//
// What one elementwise operation, reduction or product computes is in package op; what is made of
// several is in package formula; copies and views are in package tensor.
package array
