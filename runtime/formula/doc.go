// Package formula is functions that are no operations but made of some: a variance, a stack, a
// tensor product.
//
//	algebra.go   what they are written over: of variables it makes nodes, values it computes
//	reduce.go    along axes: variance, norm, any, range
//	shape.go     shapes: reshape, squeeze, tile, roll, split
//	index.go     elements that are chosen: where a condition holds, along an axis, by number
//	product.go   products: dot of any rank, outer, tensordot
//	einsum.go    products and sums that subscripts say
//	create.go    new arrays: full, eye, tri, linspace
//	sparse.go    of sparse matrices, which are four variables each
//	special.go   of single elements: beta, logit, sinc, what is finite, what is close
//
// A function of an Algebra is that of T and of np. One of a graph.Builder is T's; with a Builder
// that evaluates it computes too, which costs more. Both panic with errors that are their callers'
// to catch; errors that they return are about arguments.
package formula
