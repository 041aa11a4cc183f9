// Package vm runs the code of package code: a register machine, in the order in which it is read:
//
//	function.go  functions of programs, and how arguments become parameters
//	globals.go   the global variables that programs share
//	machine.go   a machine: its frames, windows of registers, calls from Go, cancelling
//	run.go       the loop over instructions, and what is fast
//	slow.go      operators on what is no number of the machine's
//	access.go    elements, attributes, names
//	call.go      calls, functions that are made
//	iterate.go   iteration and unpacking
//	link.go      programs and what they find
//
// Calls of the program's functions by its functions take no Go stack; those by builtins do.
package vm
