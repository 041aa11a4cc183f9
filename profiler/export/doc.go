// Package export writes profiles to files for other programs, and reads its own back.
//
//	Write    a file, in the format of its name: .anprof, .pb.gz, .trace.json, .csv, .html, .txt
//	Read     the profiles of an .anprof file or of a notebook's outputs
//	PProf    for go tool pprof, whose listings are by the user's lines
//	Trace    for Perfetto and chrome://tracing
//	CSV      samples as rows
//	Formats  the table of formats
//
// It computes nothing: what it writes are Stats.Samples and the traces of runs. It imports profiler and its views.
// Start at the table in export.go.
package export
