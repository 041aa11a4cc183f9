// Package tensor holds concrete values: dense n-dimensional arrays in memory.
// It is not symbolic (that is runtime/graph) and computes nothing but copies and conversions.
//
//	Dense   an array: element type, shape, strides in bytes, offset into a Buffer
//	Buffer  a block of memory that arrays share
//	Axes    a set of axes
//	Index   a basic subscript of one axis: an integer or a slice
//
// Views (Transpose, DimShuffle, Slice, Reshape where it can) share the Buffer of the
// array they come from; Copy and AsType never do.
//
// Start reading at dense.go. It may import package kernels only.
package tensor
