// Package symbolic is the tensor compiler as cells use it: symbolic variables, shared ones, functions, gradients, modes and modules.
//
// It compiles nothing, which package runtime/compile does, and profiles nothing: it tells a Watcher, which package profile has, of each
// function, and asks it which recorders watch a call.
//
//	Symbol          a symbolic variable; T makes them
//	Function        a compiled function; Mode, how to compile one
//	SymbolicModule  theano.Module: variables and methods, and ModuleInstance what is compiled of it
//	GraphPicture    a drawing of a graph
//	Rewriter        a rewrite rule; Apply and Op, the nodes that rules of cells look at
//	Watcher         who is told what functions do; Watch and WatchedMode, what watches some of them
//
// The functions of symbols are tables: tmodule.go and tfunctions.go (T).
package symbolic
