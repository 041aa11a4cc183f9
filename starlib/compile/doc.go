// Package compile makes register code of the trees that package lower leaves.
//
//	file.go       a file, its functions, their variables and registers
//	stmt.go       statements and what they assign to
//	line.go       which instructions begin a run of a line
//	expr.go       expressions
//	call.go       calls
//	intrinsic.go  the $ names of lowering that are instructions
package compile
