// Package functions is what a function of arrays is to users: names in T, in np or in both, one
// list of parameters, one documentation and one example, with a half that builds graphs and a half
// that computes at once.
//
//	Function   a row of the table, made by New
//	Operand    an argument that is an array: a symbolic variable in T, an array in np
//	Lengths    an argument that is a shape, each length of which may be symbolic in T
//	Graph      what the symbolic half is given
//	Half       one of the two: Builds, BuildsList or Computes
//
// It holds no rows: those that np has are in package np, those of T alone above it. A row of which
// np has no half of its own is computed by its symbolic half, operation by operation, so that a
// function that is a formula is written once. A parameter that only one half can honour says why in
// a tag, and the other refuses it: see refusal.go.
package functions
