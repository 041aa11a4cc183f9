// Package export writes profiles to files for other programs, and reads its own back.
//
//	Write    a file, in the format of its name: .anprof, .pb.gz, .trace.json, .csv, .html, .txt
//	Read     the profiles of an .anprof file or of a notebook's outputs
//	PProf    for go tool pprof, whose listings are by the user's lines
//	Trace    for Perfetto and chrome://tracing
//	CSV      samples as rows, or the rows of one table
//	View     what files show if nobody says otherwise
//	Formats  the table of formats
//
// It computes nothing: what it writes are Stats.Samples, Rows and Lines, and the traces of runs. It
// imports profiler, its columns and its views, and runtime/graph. Start at the table in export.go.
package export
