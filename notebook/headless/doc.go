// Package headless runs notebooks without a front end: it keeps in the cells what a front end would
// show. It is no kernel and speaks no protocol; what outputs look like it takes from package
// kernel, so that both write the same.
//
//	Run       runs the cells of a notebook, one after the other
//	Options   when a cell takes too long, and whether errors end the run
//	Failure   the cell that ended it
//
// Start at run.go; output.go is what a running cell writes to.
package headless
