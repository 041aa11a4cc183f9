// Package symbolic is the tensor compiler as cells use it: symbolic variables, shared ones, functions, gradients, modes and modules.
//
// It compiles nothing, which package runtime/compile does, and profiles nothing: it tells a Watcher, which package profile has, of each
// function, and asks it which recorders watch a call.
//
//	Symbol          a symbolic variable; T makes them
//	SparseVariable  a symbolic sparse matrix, four variables under one name; sparsefunctions.go, the functions of theano.sparse
//	Function        a compiled function; Mode, how to compile one
//	inputValue      In: an input of a function, and what it keeps between calls (callinput.go); containerValue, where that is
//	graphView       the graph of a function, f.maker.fgraph; graphtools.go, what walks and copies graphs; notation.go, how expressions are written
//	scanBinding     theano.scan: reads a loop as its user writes it
//	SymbolicModule  theano.Module: variables and methods, and ModuleInstance what is compiled of it
//	GraphPicture    a drawing of a graph
//	Rewriter        a rewrite rule; Apply and Op, the nodes that rules of cells look at
//	Watcher         who is told what functions do; Watch and WatchedMode, what watches some of them
//
// The functions of symbols are tables: tmodule.go and tfunctions.go (T).
package symbolic
