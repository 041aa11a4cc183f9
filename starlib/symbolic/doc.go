// Package symbolic is the tensor compiler as cells use it: symbolic variables, shared ones, sparse
// ones, and above them modes and functions.
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
// Its files have an order. Variables (symbol.go, tensortype.go, shared.go, sparsevariable.go) need no
// modes (modevalue.go, rewriter.go) and no functions (function.go, container.go): what these give
// variables they add when the program starts, by AddMethods, AddFields and AddSparseMethods. A
// session's Observer is told what variables do, and its Watcher of functions too.
//
// The packages above give it their methods likewise, by AddMethods, AddMethodTable, DrawBy, ShowBy
// and NodesBy. They import one another seldom: nn and random import operations, and theano all.
//
//	operations  the functions of T, and grad
//	nn          networks and special functions
//	random      variables that draw
//	loops       scan and ifelse
//	graphs      what shows graphs and walks them
//	userops     operations that programs define
//	theano      the modules that are made of the tables of all
package symbolic
