package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/runtime/files"
)

// A Format is a row of the table of formats.
type Format struct {
	Ext   string // how the file's name ends
	Doc   string
	write func(w io.Writer, all []*profiler.Stats, view profiler.View) error
	// sources: the texts of cells are written into a folder beside the file, where the program
	// looks for them.
	sources bool
}

// Formats are all that Write knows; of two that fit, the first.
var Formats = []Format{
	{Ext: ".anprof", Doc: "everything, to read back: JSON with a version", write: whole(JSON)},
	{Ext: ".trace.json", Doc: "what ran when, with counters, for Perfetto and Chrome", write: whole(Trace)},
	{Ext: ".trace.json.gz", Doc: "the same, packed", write: whole(packed(Trace))},
	{Ext: ".speedscope.json", Doc: "for www.speedscope.app, which reads it in the browser", write: whole(Speedscope)},
	{Ext: ".json", Doc: "as .anprof", write: whole(JSON)},
	{Ext: ".pb.gz", Doc: "for go tool pprof, with the texts of cells in a folder beside it", write: whole(PProf), sources: true},
	{Ext: ".flame.html", Doc: "a flame graph, in time and in bytes, to open in a browser", write: whole(Flame)},
	{Ext: ".html", Doc: "a page to open in a browser, with tables that sort", write: page},
	{Ext: ".csv", Doc: "a row for each stack: a line's part of a node, or what else took time; of one table that is asked for, its rows", write: CSV},
	{Ext: ".bytes.collapsed", Doc: "stacks with their bytes of new memory as lines of text, for flamegraph.pl and its like", write: whole(Collapsed("bytes"))},
	{Ext: ".collapsed", Doc: "the same, with their nanoseconds", write: whole(Collapsed("time"))},
	{Ext: ".txt", Doc: "text", write: plain},
}

// View is what files show if nobody asks for something else: all that there is.
func View() profiler.View { return profiler.View{LineWidth: -1, Rewrites: true} }

// whole is a format for programs, which has everything whatever the view: they choose themselves.
func whole(write func(w io.Writer, all []*profiler.Stats) error) func(w io.Writer, all []*profiler.Stats, view profiler.View) error {
	return func(w io.Writer, all []*profiler.Stats, _ profiler.View) error { return write(w, all) }
}

// Write writes profiles to a file in the format that its name ends with; pages, text and CSV show
// what view says. The file is whole or not there: an old one of that name stays until the new one
// is complete.
func Write(door *files.Door, path string, all []*profiler.Stats, view profiler.View) error {
	f, err := formatOf(path)
	if err != nil {
		return err
	}
	all = profiler.Once(all...)
	var b bytes.Buffer
	write := f.write
	if f.sources {
		write = whole(func(w io.Writer, all []*profiler.Stats) error { return writePProf(w, all, folder(path)) })
	}
	if err := write(&b, all, view); err != nil {
		return fmt.Errorf("export: %s: %w", path, err)
	}
	if f.sources {
		if err := writeSources(door, path, all); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	if err := door.Write(path, b.Bytes()); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// Known reports whether Write knows the format of a path; the error names those that it knows.
func Known(path string) error {
	_, err := formatOf(path)
	return err
}

func formatOf(path string) (Format, error) {
	var names []string
	for _, f := range Formats {
		if strings.HasSuffix(strings.ToLower(path), f.Ext) && len(filepath.Base(path)) > len(f.Ext) {
			return f, nil
		}
		names = append(names, f.Ext)
	}
	return Format{}, fmt.Errorf("export: %s: got no format that is known by its name, want one of %s", path, strings.Join(names, " "))
}

// JSON writes all that there is: one profile as an object, several as a list.
func JSON(w io.Writer, all []*profiler.Stats) error {
	var v any = all
	if len(all) == 1 {
		v = all[0]
	}
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

func plain(w io.Writer, all []*profiler.Stats, view profiler.View) error {
	return text.WriteAll(w, all, view)
}

func page(w io.Writer, all []*profiler.Stats, view profiler.View) error {
	return panel.Page(w, all, view)
}
