// Package sre compiles and matches regular expressions as Python's re does: the same syntax, the
// same results, the same groups. It knows nothing of the language's values.
//
//	Parse     reads a pattern into a tree        parse.go, escape.go, groups.go
//	Compile   makes a program of the tree        compile.go, first.go
//	Matcher   runs the program over a text       match.go
//	Template  makes the text for a match         template.go
//	Set       says which characters a place has  set.go
//
// A program is run by backtracking: where there are several ways, the others are put on a stack,
// together with what to undo when one of them is taken up. So a text of any length needs memory of
// the heap only, and the caller's ear is asked every few thousand steps: a pattern that would try
// for ages can be stopped.
//
// Texts are UTF-8, and positions are bytes; a pattern of bytes has a character in each byte.
package sre
