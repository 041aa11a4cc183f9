// Package starlib runs Starlark for users: cells and files that share globals, with
// everything a front end wants to show about them.
//
// It is not an interpreter, which is go.starlark.net's (only this package imports it),
// and knows no protocol: a front end gives it text and an Output.
//
//	Session     runs cells, completes, inspects
//	Output      what a front end provides
//	Cell        one cell on its way through; its Magic has the flags of its first line
//	Error       why a cell failed: kind, message, traceback
//	Frame       a place in the user's code; Session.Origin returns the current ones
//	Builtin     a function with parameters, documentation and example, in one row
//	Module      a named table of values
//	Methods     the table of methods of a type
//	MimeBundler a value with more than text to show
//	Comparer    a value that < <= > >= ask
//	Numeric     a value that abs, sum, min, max, pow, round and len ask
//	Slicer      a value that is asked about x[a:b:c] with any bounds
//	Formatter   a value that fmt, % and format ask
//	Documenter  a value with documentation of its own
//	Symbol      a symbolic variable, Function a compiled function, Mode how to compile
//	ProfileStats  a profile of functions
//	Array       an eager array, NumPy's ndarray
//	Named       an error that chooses the kind it is shown under; Annotated, one with notes
//
// Start at Session.Execute in session.go; lower.go says how cells come to share globals,
// cell.go what is checked before a cell runs, error.go how failures are told.
//
// The functions of tensors are tables: tmodule.go and tfunctions.go (T), np.go (np), tensors.go (all that is predeclared).
//
// The package may import starlib/config, the profiler, the runtime and kernels.
package starlib
