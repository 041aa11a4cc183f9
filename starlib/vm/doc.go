// Package vm runs the code of package code: a register machine, in the order in which it is read:
//
//	function.go  functions of programs
//	bind.go      how arguments become parameters
//	globals.go   the global variables that programs share
//	machine.go   a machine: calls from Go, cancelling
//	frame.go     calls that are running, and their registers
//	run.go       the loop over instructions, and what is fast
//	near.go      what is nearly as fast, in the same frame: texts, containers and quick calls
//	slow.go      what is not: operators, jumps, and where a look at the time is taken
//	access.go    elements, attributes, names
//	element.go   elements that are found at once: of arrays, dicts, tuples and texts
//	own.go       who owns an array, and operators on arrays
//	lend.go      what is lent arrays: subscripts, attributes, calls
//	deferred.go  expressions of arrays, which are computed in one pass
//	enter.go     calls by the program's functions
//	quick.go     functions and methods that take registers
//	call.go      other calls, functions that are made
//	attr.go      attributes of instances, and what instructions remember of them
//	special.go   special methods of the program's classes
//	iterate.go   iteration and unpacking
//	raise.go     exceptions: raise, except, with
//	generator.go generators, which are frames that wait
//	link.go      programs and what they find
//	frames.go    copies of frames, for those who look at what an error has left
//	line.go      lines that are watched
//
// Operators on numbers, texts and short containers are those of package arith. Calls of the
// program's functions by its functions take no Go stack; those by builtins do.
package vm
