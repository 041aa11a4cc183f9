// Package picture shows computations: as boxes and arrows, coloured by the kind of operation or by
// time, and as trees of text.
//
//	Picture  a graph to be drawn: SVG for the eye, DOT for Graphviz
//	Options  the colours, and the profile that the times are from
//	Tree     the graph as Theano's debugprint writes it, with the times of nodes if there is a profile
//
// An SVG stands on its own: it has a light background, so that it can be read on any page, no
// scripts, no styles, no identifiers, no references; what its boxes have no room for is in their
// tooltips. A large graph is drawn without what explains least, and says what was left out; DOT and
// Tree write all of it.
//
// Start at picture.go, then drawing.go. It imports runtime/graph, profiler/picture/layout, profiler
// and profiler/units; its tests also runtime/op and profiler/profilertest.
package picture
