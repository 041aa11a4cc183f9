// Package plain names the nodes of compiled functions by what they do, in the words of the program
// that wrote them: "tanh(x@W + b)", "gradient of tanh", "scan: step". The classic names, with all
// parameters of the ops, are those of package profiler.
//
//	Names  the short names of a function's nodes
//	Node   what has to be known of one
//	Op     what an op does, without its operands
//
// Names are written of the keys of ops, as profiles keep them: it knows no ops, so that it reads
// what other programs wrote. It imports profiler/units and runtime/graph. Start at Names.
package plain
