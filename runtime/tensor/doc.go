// Package tensor holds concrete values: dense n-dimensional arrays in memory.
// It is not symbolic (that is runtime/graph) and does no arithmetic but what moving, ordering and counting elements takes.
//
//	Dense   an array: element type, shape, strides in bytes, offset into a Buffer
//	Buffer  a block of memory that arrays share
//	Axes    a set of axes
//	Index   a basic subscript of one axis: an integer or a slice
//	Item    a part of any subscript of NumPy's; Select makes a Selection of a list of them, to get, set or add to
//
// Views (Transpose, DimShuffle, Slice, Reshape where it can) share the Buffer of the
// array they come from; Copy and AsType never do.
// So do Flip, Diagonal and a Selection without index arrays; everything else that returns an array returns one of its own.
//
// What takes sizes from a user (Select, Sort, Repeat, ...) checks them first and returns a *SizeError.
//
// Start reading at dense.go. It may import package kernels only.
package tensor
