// Package compare says what changed from one profile to another: which lines, functions and nodes
// are new, gone, faster or slower.
//
//	Compare     the comparison of two lists of profiles, as a file or a cell has them
//	Comparison  totals and tables; WriteText writes it, JSON is its fields
//	Row         a line, a function or a node of both profiles, or of one
//	State       new, gone, faster, slower, or neither by more than chance
//
// Rows are matched by what does not change when a program is edited and compiled again: a line by
// its text, a node by its op, its line and its function; the first of several that are alike with
// the first. It does not know that two runs met a machine in different moods: see Row.Margin.
//
// It imports profiler, profiler/units and runtime/graph. Start at compare.go.
package compare
