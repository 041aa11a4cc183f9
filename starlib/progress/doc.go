// Package progress shows how far a loop is: tqdm, and progress(xs).
//
//	bar     one loop: counts, and says ten times a second what a timer asks for (bar.go)
//	meter   the line of a bar as text, as tqdm writes it, and as HTML (meter.go)
//	screen  the open bars of a session, and where they stand: outputs of a page that are replaced,
//	        lines of a terminal, nothing where the output is a file (screen.go)
//	Module  tqdm with its tables (tqdm.go)
//
// A step costs the loop a look at a flag: a timer raises it when the line is due.
package progress
