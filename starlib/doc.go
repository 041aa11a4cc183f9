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
//	Symbol      a symbolic variable, Function a compiled function, Mode how to compile
//	ProfileStats  a profile of functions; ProfileMode, a mode that has one for each of its functions
//	SymbolicModule  theano.Module: variables and methods, and ModuleInstance what is compiled of it
//	Named       an error that chooses the kind it is shown under; Annotated, one with notes
//
// Start at Session.Execute in session.go; lower.go says how cells come to share globals,
// cell.go what is checked before a cell runs, error.go how failures are told and hints.go what
// to write instead, linemagic.go how %time and its like run, history.go what _ and Out are.
//
// The magics are a table too: magictable.go. Session.documentation, in documentation.go, goes through all tables: help(), inspection,
// the tests of the documentation and reference.md come from it. A new module or type of np is found by itself if it is in np.Types
// or a module; attributes that are no methods are rows of value.Methods.With.
//
// What values are made of (functions with documentation, modules, the interfaces that operators ask) is package value; arrays and the
// module np are package np; text becomes trees in package parse.
//
// The functions of symbols are tables: tmodule.go and tfunctions.go (T), tensors.go (all that is predeclared).
package starlib
