// Package lower looks at the tree of a cell or file before package compile makes code of it.
//
//	Check          finds names that nothing binds, and assignments to constants
//	SliceTargets   has what slices are assigned to or deleted as elements whose index is a slice
//	StarArguments  has keyword arguments stand where the resolver wants them
//	Shown          asks for the value of a cell's last expression
package lower
