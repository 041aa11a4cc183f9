// Package compile makes register code of trees whose names package lower has checked.
//
//	file.go       a file, its functions, their variables and registers
//	stmt.go       statements and what they assign to
//	line.go       which instructions begin a run of a line
//	expr.go       expressions
//	call.go       calls
//	update.go     x op= y
//	intrinsic.go  subscripts, and the $ names that are instructions
package compile
