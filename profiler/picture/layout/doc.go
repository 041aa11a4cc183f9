// Package layout draws directed graphs without cycles in layers, every edge from a higher one to a
// lower. It is geometry only: it knows no operations, colours or files.
//
//	Box      the size of what stands for a node
//	Edge     a line from the bottom of one box to the top of another
//	Options  the gaps
//	Drawing  where the boxes are, and the way of every edge
//	Layered  makes a Drawing
//	Layers   its first step, which is quick: it tells whether edges are long
//
// It is the method of Sugiyama, Tagawa and Toda in its usual steps, a file each:
//
//	layers.go       each box below all that lead to it, then closer to what it leads to; dummy vertices where an edge passes a layer
//	order.go        sweeps over the layers that put each vertex at the mean of its neighbours, and exchanges of neighbours
//	crossings.go    counts crossings, in n log n
//	coordinates.go  the four alignments of Brandes and Köpf, with ports, and the mean of the middle two
//	layout.go       the steps in order, and the ways of the edges
//
// Edges that leave a box at one place share their dummy vertices: a value that is used in ten
// layers is one line with branches.
//
// A drawing depends on its arguments alone. Start reading at layout.go. It imports nothing of ours.
package layout
