// Package sparse is the loops over compressed sparse matrices: products with dense and with sparse
// matrices, conversions, and what two structures have in common. They are Go, over slices; what
// calls them checks lengths, element types and interrupts.
//
//	Pattern        where the stored elements of a matrix are: see there for what must hold
//	Dot, DotT      products with a dense matrix, which walk rows (dot.go)
//	Sampled        a product of dense matrices at the stored positions only
//	Product        a product of sparse matrices (product.go)
//	Transpose, Canonical, Match, Find, TakeRows, Order   structures made of structures (structure.go)
//
// A matrix is compressed along its major axis, the rows of CSR and the columns of CSC: a CSC matrix
// is the CSR matrix of its transpose, and nothing here knows which of them it has.
package sparse
