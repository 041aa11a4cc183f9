// Package formula is functions of symbolic variables that are no operations but made of some: a
// variance, a stack, a tensor product.
//
//	reduce.go    along axes: variance, norm, any, range
//	shape.go     shapes: reshape, squeeze, tile, roll, split
//	index.go     elements that are chosen: where a condition holds, along an axis, by number
//	product.go   products: dot of any rank, outer, tensordot
//	einsum.go    products and sums that subscripts say
//	create.go    new arrays: full, eye, tri, linspace
//	sparse.go    of sparse matrices, which are four variables each
//	special.go   of single elements: beta, logit, sinc, what is finite, what is close
//
// They build with a graph.Builder, whose panics with a *graph.Error are their callers' to catch;
// errors that they return are about arguments. With a Builder that evaluates, they compute at once:
// what np has not of its own is one of them.
package formula
