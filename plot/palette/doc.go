// Package palette has the colours of plots: those that texts name, as matplotlib names them, and
// the colour maps that numbers are shown by.
//
// It knows nothing of figures. Parse reads a colour, MapOf a colour map. The tables are names.txt
// (the colours of CSS, Tableau's ten, and the letters) and maps.txt, in which a map is a line: its
// name, and its colours from low to high, each with its place where they are not evenly apart. A
// name that begins with @ is a map of single colours, between which there is nothing.
package palette
