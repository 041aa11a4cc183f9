// Package ckernels is the C implementation of the compute kernels, compiled for several instruction sets of
// which the best that the CPU has is chosen when the program starts. It is not a binding to
// any library, and no C is compiled at run time. It is the only package of the project that uses cgo;
// built without cgo it has no sets and the Go kernels do all the work.
//
//	Sets      the sets that this CPU can run
//	Best      the set to use
//	Contents  what a set has, for tests
//
// The C begins at elemwise.def: an elementwise operation is one line of it, and no Go. kernels.h says
// what the other files are.
package ckernels
