// Package repl is a session at a terminal: it reads cells, runs them, and prints what they show.
//
// It knows nothing of the language but its colours: what is complete, what completes a name and
// what a cell does are the Session's. Only this package uses the line editor.
//
//	Run         reads cells until the user leaves
//	Options     banner, history, colours, the file to begin with
//	reader      where cells come from: editor (a terminal), lines (a pipe, or a terminal that cannot move its cursor)
//	output      the starlib.Output of the running cell
//	history     the cells of earlier sessions, in a file
//	palette     the colours of source and of errors
//
// Start at Run in repl.go.
//
// A terminal is asked In [1], shows Out[1], and goes on after errors; an interrupt ends the running
// cell. Without a terminal there are no prompts, values are printed alone as `arignote run` does,
// and the first error ends the program.
package repl
