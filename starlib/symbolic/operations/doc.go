// Package operations is the functions of T, and grad: what makes variables of variables.
//
// tmodule.go makes the rows of elementwise operations, and joins the tables of functions: those that
// np has too, those of this package (tfunctions.go, spellings.go, statictypes.go, linear.go,
// tarrays.go, extra.go), and those of the packages above, by AddFunctions. tmethods.go gives
// variables the functions that are methods too. derivatives.go is grad and its like, gradient.go how
// they read arguments and return results; sparsegradient.go is gradients with respect to sparse
// matrices.
package operations
