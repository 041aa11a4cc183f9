// Package runtime is the tensor compiler's room: it holds no code.
// It is not Go's package runtime, and nobody imports it.
//
//	runtime/tensor   concrete values: dense arrays, views
//	runtime/graph    the symbolic form: Variable, Apply, Op, FunctionGraph, its text
//	runtime/op       the operations, one row or one file each, and op.Evaluator, which computes them of values at once
//	runtime/formula  functions of variables that are made of operations: variance, stack, tensordot
//	runtime/array    what np computes of arrays beyond operations: printing, einsum's plan, stacks of matrices
//	runtime/grad     reverse-mode differentiation
//	runtime/history  what compiling did and took, as data: rewrite and compile write it, the profiler keeps it
//	runtime/rewrite  rewrite rules (text) and passes (Go)
//	runtime/exec     runs a linked graph
//	runtime/debugmode  runs a compiled function under checks, and looks for nan
//	runtime/compile  inputs and outputs in, a callable Function out
//	runtime/safetensors, runtime/graphfile  files of arrays, and of graphs
//	runtime/memory   memory for arrays, outside of Go's heap
//
// Start at graph.
package runtime
