// Package creation is the functions of np that make arrays: of values (create.go), counted ones
// (sequence.go), grids, np.r_ and their like (grid.go), and in a given layout (layout.go).
//
// They are rows, with their symbolic halves, which np gets of them (table.go).
package creation
