// Package exec runs a graph: it puts the nodes in order, chooses their kernels, gives them storage
// and calls them. It does not change the graph (runtime/rewrite) and does not know what is measured
// (profiler).
//
//	Program  a linked graph, ready to run
//	Node     one step of a Program
//	block    steps that run together or not at all: those of a branch are skipped if it is not taken (blocks.go)
//	Tracer   what watches a run; nil costs one branch
//	Trace    what a run tells it: times, operands, and the memory that it really took
//	Memory   what the runs of a Program took so far, without a Tracer
//	Sets     the kernels of a linker: "c|go", "go" or "c"
//
// Start reading at program.go. It may import runtime/op, runtime/graph, runtime/tensor, kernels
// and, in sets.go alone, kernels/native.
package exec
