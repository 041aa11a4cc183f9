// Package grad differentiates: it walks a graph backwards and adds up what the operations say of
// their gradients. It holds no derivative itself: each operation's stands with the operation
// (runtime/op).
//
//	Grad     the gradients of a scalar with respect to variables
//	share    what some readers of a variable add to its gradient, and when: in a branch that is taken (lazy.go)
//	Options  what to hold constant, what to do about variables that do not matter
//
// Start reading at grad.go. It may import runtime/op, runtime/graph, runtime/tensor and kernels.
package grad
