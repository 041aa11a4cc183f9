// Package kernels holds the *compute* kernels: inner loops over arrays.
// It has nothing to do with Jupyter (that is package kernel), and it knows no
// shapes beyond what a loop needs, no graph and no user.
//
//	DType      the element types, their sizes and how they promote
//	Kernel     a row of Table: all that is known of an elementwise kernel
//	Loop       one elementwise loop over unit-stride operands
//	Loops      the Go loops of one operation, by element type
//	Program    a straight-line elementwise program, run block by block
//	Set        one implementation of all kernels: Go (this package) or C
//	Sets       the implementations of a linker, best first
//
// Start reading at set.go: it states the contract that every kernel meets. Elementwise kernels are
// rows of table.go; what they cost was measured (costs.go). The Go set is the reference: it is
// always built, and package kernels/c, through kernels/native, is tested against it.
//
// It may import kernels/parallel.
package kernels
