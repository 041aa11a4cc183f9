// Package plot is the model of figures: a Figure has Axes, Axes have artists, and all of them are
// data with matplotlib's defaults.
//
// There are six kinds of artists, a case each in package draw: Line, Segments, Polygons,
// Points, Image and Text. What else users draw is made of these here: bars and histograms
// (stats.go), boxes and violins (boxes.go), contours (contour.go). Limits of axes follow, unless
// they are set, from what the artists say of themselves (limits.go).
//
// The package draws nothing, which package draw does, and knows no language: package pyplot binds
// it to names. Start reading with Figure and Axes in figure.go.
package plot
