// Package userops is operations that programs define: classes derived from theano.Op, as_op and
// OpFromGraph.
//
//	foreign     foreign.go: a node whose results functions of the program compute; opbase.go, the class that programs derive from
//	typed       asop.go: as_op, an operation made of one function and the types of its operands
//	FromGraph   fromgraph.go: an operation made of a graph; overrides.go, the gradients that a program gives it
//
// The graph has them as op.Foreign and op.FromGraph. Package symbolic, which cannot know of them,
// asks by UserOp and NodesBy.
package userops
