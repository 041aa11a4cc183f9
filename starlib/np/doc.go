// Package np is eager arrays: the value ndarray and the module np, under NumPy's names and with its
// results.
//
//	Array       the value ndarray, over a tensor.Dense of the runtime, without copies
//	Module      the module np
//	dtypeValue  element types, which equal their names
//	ufuncValue  elementwise functions, which have methods
//	ToDense, FromDense  values to tensors and back
//
// Functions are rows of tables (reductionTable, ...), each with documentation and an example that a
// test runs. Structs declare their parameters (arguments.go). Functions that T has too are formulas
// of package runtime/formula (Formula, View); eval.go computes with arrays and keeps the first
// error, for those that np alone has; loops over elements are in package runtime/array. Elementwise
// operations and reductions run on the kernels of compiled functions: kernels.go. Several at once
// are computed in one pass: deferred.go has those that wait, form.go the programs.
//
// What is here is what all functions need: arrays and their operators, numbers (scalar.go), element
// types, elementwise functions, reductions, and how calls are read. The packages above give np
// their functions when the program starts, by Add, and compute by Eval:
//
//	creation      functions that make arrays
//	manipulation  shapes, axes, orders, choices
//	numeric       functions that are formulas
//	linalg        products, and np.linalg
//	random        np.random
//	storage       files
//	printing      arrays as text
package np
