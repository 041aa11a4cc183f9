// Package export writes profiles to files for other programs, and reads its own back.
//
//	Write       a file, in the format of its name
//	Formats     the table of formats
//	View        what files show by default
//	Read        the profiles of an .anprof file or of a notebook's outputs
//	PProf       for go tool pprof, whose listings are by the user's lines
//	Trace       for Perfetto and chrome://tracing: what ran when, and counters
//	CSV         stacks as rows, or the rows of one table
//	Collapsed   stacks as lines of text, for flamegraph.pl
//	Speedscope  for www.speedscope.app
//	Flame       our own page with a flame graph, which flame.js draws
//
// It computes nothing: what it writes are profiler.Stacks, by the levels of levels.go, Rows and
// Lines, and the traces of runs and cells. It imports profiler, its columns and its views, and
// runtime/graph. Start at the table in export.go.
package export
