// Package op holds the operations: what they are called, what types they give, how they are differentiated,
// and how they run on a set of kernels. It holds no inner loops (package kernels) and does not order or
// schedule anything (runtime/exec).
//
//	Elemwise    an elementwise operation: the index of a row of the table in elemwise.go
//	Composite   several elementwise operations fused into one
//	Inplace     an elementwise operation that overwrites an input
//	DimShuffle, Reshape, ShapeI, MakeVector, Alloc, SpecifyShape     shapes (a file each)
//	Reduce, Argmax                                     reductions (reduce.go)
//	Dot, Gemm                                          products (dot.go, gemm.go)
//	Softmax                                            softmax and log-softmax by rows (softmax.go)
//	Subtensor, IncSubtensor                            basic subscripts (subtensor.go)
//	Thunk, Linker                                      how an operation runs (link.go)
//
// To add an elementwise operation, add a constant and a row in elemwise.go; its kernel is the row of kernels.Table of its name. To add
// another one, write a comparable struct type whose exported fields are its parameters, and list it in registry.go.
//
// Start reading at elemwise.go. It may import runtime/graph, runtime/tensor and kernels.
package op
