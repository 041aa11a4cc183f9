// Package graph is the symbolic form of a computation: variables, and the operations that make
// them. It computes nothing: operations are in runtime/op, values in runtime/tensor.
//
//	Type           element type and, for each axis, a length or Unknown
//	Variable       a symbolic value: an input, a constant, a shared variable or the result of an Apply
//	Apply          one application of an Op to variables
//	Op             what an operation must say of itself; optional interfaces say more
//	Builder        makes Apply nodes and stamps them with the user's line
//	FunctionGraph  inputs, outputs and updates: what is rewritten, linked and run
//	Needs          what a computation needs, and when: what only a branch needs has a Guard
//	Body           an inner graph, a parameter of the op that runs it
//	Origin         where in the user's source a variable came from
//	Error          an error that points to the user's source
//
// Nothing here is changed once it is made: a rewrite makes new nodes (FunctionGraph.Transform).
//
// Every graph has a text form, which FunctionGraph.String writes and Parse reads:
//
//	func f(x float64[?,3], b float64[3]; w float64[3])
//		v1 = dimshuffle{pattern=x 0} b     # net.star:3:14
//		v2 = add x v1
//		v3 = mul 2.0 v2
//		update w = v4
//		return v3
//
// Parameters behind the semicolon are shared variables. A literal such as 2.0, 3 or true is a
// constant float64, int64 or bool without axes; others are written float32(2.5) or float64[2,2](1 2
// 3 4).
//
// What files keep is the exact text form (Writer, ParseExact), which says all that is known of the
// variables.
//
// Start reading at variable.go. It may import runtime/tensor and kernels.
package graph
