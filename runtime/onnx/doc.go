// Package onnx makes graphs of ONNX models. It reads no language: Go programs, the command and the
// language load models through it.
//
//	load.go      Load: a file becomes a Model, with variables for inputs, outputs and parameters
//	importer.go  walks the nodes of a graph, its subgraphs and functions, and applies operators
//	table.go     what an Operator is, and the table of all
//	call.go      what the formula of an operator has: its operands, its attributes, its errors
//	fold.go      what is computed when a model is loaded: constants, and lengths of axes
//
// The other files are rows of the table, by family. A row is a formula of operations of runtime/op;
// there are no kernels here. Where a formula asks for a number that decides a shape (axes, pads,
// the shape of a Reshape) that number has to be known when the model is loaded: constants, and what
// is computed of constants and of lengths that are known, are. Lengths that are not known stay
// symbolic.
//
// The bytes of a file are read by package proto, below.
package onnx
