// Package tensor holds concrete values: dense n-dimensional arrays in memory. It is not symbolic
// (that is runtime/graph) and does no arithmetic but what moving, ordering and counting elements
// takes.
//
//	Dense   an array: element type, shape, strides in bytes, offset into a Buffer
//	Buffer  a block of memory that arrays share
//	Axes    a set of axes
//	Index   a basic subscript of one axis: an integer or a slice
//	Item    a part of any subscript of NumPy's; Select makes a Selection of a list of them, to get, set or add to
//
// Views (Transpose, DimShuffle, Subscript, Select without index arrays, Flip, Diagonal, Reshape
// where it can) share the Buffer of the array they come from; Copy, AsType and everything else that
// returns an array never do.
//
// What takes sizes from a user (Select, Sort, Repeat, ...) checks them first and returns a
// *SizeError.
//
// Start reading at dense.go. It may import packages kernels and runtime/memory only.
package tensor
