// Package graphs shows graphs and walks them: debugprint and dprint, pictures, expressions in the
// notation of mathematics and in LaTeX, and what theano.gof.graph has.
//
//	GraphPicture  graphvalue.go: a drawing of a graph, of this program's layout or Graphviz's
//	notation      notation.go: how expressions are written; printing.go, pp and what front ends show
//	GraphTable    graphtools.go: what walks, copies and replaces parts of graphs
//
// It gives variables and functions methods of its own (methods.go); package profiler/picture draws.
package graphs
