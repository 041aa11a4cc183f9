// Package ckernels is the C implementation of the compute kernels, compiled for several instruction
// sets. It is not a binding to any library, and no C is compiled at run time. It is, with the
// packages inside of it, the only one of the project that uses cgo, and imports nothing of the
// project: an edit of Go elsewhere does not compile the C again. Package native makes kernel sets
// of it.
//
//	ISAs      the instruction sets that this CPU can run, with tables of their kernels
//	Loop, Reduce, Rows, Copy, Take, Gemm, Run ...  call a kernel by its address
//
// Each instruction set is a package, so that they are compiled side by side:
//
//	internal/isa                  the templates of all kernels
//	internal/avx2 avx512 neon     what is compiled of them, with a table
//
// The C begins at internal/isa/elemwise.def: an elementwise operation is one line of it, beside its
// row in kernels/table.go. kernels.h says what the other files are.
package ckernels
