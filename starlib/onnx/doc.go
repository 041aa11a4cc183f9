// Package onnx is the module onnx: models of ONNX files as values of the language.
//
//	load.go   onnx.load, and what it reads of its arguments
//	save.go   onnx.save
//	model.go  a model: its variables, its functions, and T's expressions of other inputs
//
// What files mean is said in runtime/onnx, which knows no language.
package onnx
