// Package symbolic is the tensor compiler as cells use it: symbolic variables, shared ones,
// functions, gradients, modes and modules.
//
// It compiles nothing, which package runtime/compile does, and profiles nothing: it tells a
// Watcher, which package profile has, of each function, and asks it which recorders watch a call.
//
//	Symbol          a symbolic variable; T makes them
//	SparseVariable  a symbolic sparse matrix, four variables under one name; sparsefunctions.go, the functions of theano.sparse
//	Function        a compiled function; Mode, how to compile one
//	inputValue      In: an input of a function, and what it keeps between calls (callinput.go); ContainerValue, where that is
//	GraphView       the graph of a function, f.maker.fgraph; Apply, its nodes
//	SymbolicModule  theano.Module: variables and methods, and ModuleInstance what is compiled of it
//	Rewriter        a rewrite rule
//	Watcher         who is told what functions do; Watch and WatchedMode, what watches some of them
//
// The rooms above, which import nothing of one another but package theano, give it their functions
// and methods when the program starts, by AddFunctions, AddMethods, DrawBy, ShowBy and NodesBy:
//
//	nn        networks and special functions
//	random    variables that draw
//	loops     scan and ifelse
//	graphs    what shows graphs and walks them
//	userops   operations that programs define
//	theano    the modules that are made of the tables of all
//
// The functions of symbols are tables: tmodule.go and tfunctions.go (T).
package symbolic
