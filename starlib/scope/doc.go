// Package scope binds the names of a tree as Python does: which variable each name is, and where
// it is kept.
//
//	scope.go    finds what binds names: functions, classes, comprehensions
//	prepare.go  what a tree is made before names are bound: private names, super()
//	bind.go     ties each name to its variable
//	uses.go     where the names of a tree are used, and what is refused in it
package scope
