// Package rewrite turns graphs into graphs that compute the same, faster or more exactly. It does
// not decide which rewrites run, or in which order: that is the table in runtime/compile/passes.go.
//
//	Rule         one local rewrite: a line of rules/*.rules, or a Go function
//	Load         reads and checks rules as text
//	ParseRule    reads a rule of a user's, and NewRule makes one of a function
//	Check        tries rules as text on samples of all types and values
//	FixedPoint   applies rules to every node until none applies
//	Merge        unifies equal computations and equal constants
//	Census       what Merge knows to be distinct, kept from pass to pass
//	Blas         makes one op.Gemm of products and what is added to them
//	Fuse         collapses elementwise operations into one op.Composite, whose results may be several
//	IfElses      removes choices whose condition is known, or that are none
//	Scans        makes loops compute and keep no more than is read of them; ScanBodies rewrites what their steps compute
//	Inplace      lets elementwise operations overwrite operands that nobody needs any more
//	PassProfile  what a pass and its rules do, and why not more, while it runs; what stays of it is a history.Pass
//
// Nothing is changed in place: a rewrite returns a new graph that shares what stayed the same.
// Every new node has the origin of the node it takes the place of; if it takes that of several,
// their shares of its work are the parts of its origin.
//
// To add a rewrite, add a line to a file in rules; the head of rules/canonicalize.rules has the
// grammar. What a line cannot say (parameters of structural operations, any number of operands) is
// a Go rule: see dimshuffle.go for small ones.
//
// Start reading at rule.go, then fixedpoint.go. It may import runtime/op, runtime/graph,
// runtime/history, runtime/tensor and kernels.
package rewrite
