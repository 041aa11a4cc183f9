// Package debugmode runs a compiled function under checks, as Theano's DebugMode does: each rewrite
// against the computation as it was written, each operation in C against the one in Go, what
// operations say of the memory that they share and overwrite against what they do, and gradients
// against differences of the cost.
//
//	Options      what is checked
//	History      what rewriting replaced, recorded while a function is compiled
//	Checker      checks one call
//	Reference    what a graph is worth as it is written, and how many digits of that mean something
//	Error        what a check found: BadOptimization, BadThunkOutput, BadDestroyMap, ...
//
// Nothing that it computes is the result of the call: the function runs afterwards as it would
// without checks, and that run is compared too.
package debugmode
