// Package draw draws the figures of package plot: as SVG, PNG, PDF, and as text in blocks.
//
// One renderer (figure.go, axes.go, artists.go) turns a figure into paths, texts and pictures on a
// Canvas, of which there are four: svg.go, png.go, pdf.go, and the one of text.go
// that has characters for pixels. Coordinates are points from the lower left corner. Everything is
// cut to the axes, and what has more points than can be seen is thinned (cut.go), before a canvas
// sees it: none has to draw infinite numbers, or points far outside.
//
// The same figure gives the same bytes. Texts are measured by one font, Liberation Sans, whose
// widths are Arial's; SVG names both. The font is read when the first figure is drawn.
package draw
