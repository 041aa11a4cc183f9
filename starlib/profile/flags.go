package profile

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/session"
)

// profileFlags say what is measured and shown of this one profile.
var profileFlags = []magic.Flag{
	{Name: "memory", Value: "False", Doc: "types and shapes of every node's operands, and the peak of memory", Sets: []string{"profile_memory"}, Check: nil},
	ofView("rewrites", nil, "profile_optimizer"),
	{Name: "hits", Value: "False", Doc: "how often each line ran, which is exact, and what a run of it takes", Sets: nil, Check: nil},
	{Name: "full", Value: "False", Doc: "all tables of the text, not only what to look at first", Sets: nil, Check: nil},
	ofView("lines", nil),
	ofView("by", builtTables),
	ofRows("top", "profiling.n_ops", "profiling.n_apply"),
	ofRows("n_ops", "profiling.n_ops"),
	ofRows("n_apply", "profiling.n_apply"),
	ofView("min_memory_size", nil, "profiling.min_memory_size"),
	ofView("details", nil),
	ofView("listing", nil),
	ofView("inclusive", nil),
	ofView("layout", knownLayout),
	ofView("width", width),
	{Name: "repeat", Value: "1", Doc: "how often the cell runs; one that compiles functions or changes shared variables can run only once", Sets: nil,
		Check: positive},
	{Name: "warmup", Value: "0", Doc: "how many of each function's first calls are left out", Sets: nil, Check: nil},
	{Name: "ignore_first_call", Value: "False", Doc: "leave each function's first call out", Sets: []string{"profiling.ignore_first_call"}, Check: nil},
	{Name: "functions", Value: "*", Doc: "the functions that are profiled, by a pattern of their names: train*", Sets: nil, Check: func(v string) error {
		_, err := path.Match(v, "")
		return err
	}},
	{Name: "split", Value: "costs", Doc: "how the time of a fused node is divided among its lines: by what their operations are known to cost, or measured",
		Sets: []string{"profiling.split"}, Check: nil},
	{Name: "roofline", Value: "True", Doc: "how near nodes are to what the machine can do, which is measured once for a machine",
		Sets: []string{"profiling.roofline"}, Check: nil},
	{Name: "what_if", Value: "", Doc: "auto tries what the advice about compiled functions proposes, about a second each, as f.what_if does; a number is for how many seconds", Sets: nil,
		Check: tried},
	{Name: "show", Value: "open", Doc: "open, closed, head, text or none", Sets: []string{"profiling.show"}, Check: nil},
	{Name: "save", Value: "", Doc: "a name to keep it under, for %profile show", Sets: nil, Check: nil},
	{Name: "export", Value: "", Doc: "files to write, separated by commas; the extension says what: " + exportExtensions(), Sets: nil,
		Check: knownFormats},
	{Name: "trace", Value: "", Doc: "the same, for a .trace.json", Sets: nil, Check: knownFormats},
	{Name: "name", Value: "", Doc: "title of the profile; the cell's name if not given", Sets: nil, Check: nil},
}

// laterFlags are flags of %%profile that are designed and not built: they are refused by name.
var laterFlags = []string{"starlark", "compare", "vs", "hints", "fail_if_slower"}

// tried checks how changes are tried.
func tried(v string) error {
	if _, ok := triedFor(v); v != "" && !ok {
		return fmt.Errorf("got %q, want auto, or a number of seconds above 0", v)
	}
	return nil
}

// triedFor is for how long each change is tried; false if none is.
func triedFor(v string) (d time.Duration, ok bool) {
	if v == "auto" {
		return time.Second, true
	}
	n, err := strconv.ParseFloat(v, 64)
	return time.Duration(n * float64(time.Second)), err == nil && n > 0 && n <= 86400
}

// knownFormats checks the names of files before anything has run.
func knownFormats(v string) error {
	for file := range strings.SplitSeq(v, ",") {
		if err := export.Known(file); err != nil {
			return err
		}
	}
	return nil
}

// ofViews reports whether a flag of %%profile says what is shown, and not what is measured:
// %profile last takes it too.
func ofViews(name string) bool {
	_, ok := profiler.FindViewFlag(name)
	return ok || name == "full" || name == "show"
}

// ofView is the row of a flag that all views of profiles have, also those of files.
func ofView(name string, check func(value string) error, sets ...string) magic.Flag {
	f, _ := profiler.FindViewFlag(name)
	return magic.Flag{Name: f.Name, Value: f.Default, Doc: f.Doc, Sets: sets, Check: check}
}

// ofRows is the row of one that is a number of rows.
func ofRows(name string, sets ...string) magic.Flag {
	f := ofView(name, rows, sets...)
	f.All = profiler.All
	return f
}

// builtTables checks the names of tables. Some are designed and not built.
func builtTables(list string) error {
	for name := range strings.SplitSeq(list, ",") {
		if slices.Contains([]string{"region", "function"}, name) {
			return config.NotYet("table " + name)
		}
	}
	err := new(profiler.View).Set("by", list)
	return errors.Unwrap(err) // the magic names the flag
}

// addTo sets what the flags of a cell say of a view; they were checked when they were read.
func addTo(v *profiler.View, m session.Magic) error {
	for _, f := range profiler.ViewFlags {
		value, ok := m.Options[f.Name]
		if !ok {
			continue
		}
		if f.Default == "True" || f.Default == "False" { // as flags of the config are written: yes, on, 1
			on, err := config.Flag{Name: f.Name, Kind: config.Bool}.Check(value)
			if err != nil {
				return err
			}
			value = config.Show(on)
		}
		if err := v.Set(f.Name, value); err != nil {
			return err
		}
	}
	return nil
}

// knownLayout checks the name of a layout.
func knownLayout(v string) error {
	f, _ := config.Lookup("profiling.layout")
	if layouts := f.Choices[1:]; !slices.Contains(layouts, v) { // but for auto
		return fmt.Errorf("got %q, want one of %s", v, strings.Join(layouts, ", "))
	}
	return nil
}

// width checks where names are cut.
func width(v string) error {
	if n, err := strconv.Atoi(v); err != nil || n < -1 {
		return fmt.Errorf("got %q, want an integer, 0 for the default, or -1, which cuts none", v)
	}
	return nil
}

func positive(v string) error {
	if n, err := strconv.Atoi(v); err != nil || n < 1 {
		return fmt.Errorf("got %q, want an integer > 0", v)
	}
	return nil
}

// rows checks a number of rows, which may be all.
func rows(v string) error {
	if err := positive(v); err != nil && v != profiler.All {
		return fmt.Errorf("%w, or all", err)
	}
	return nil
}

// countOf is an option that is an integer, which was checked when it was read.
func countOf(m session.Magic, name string) int {
	n, _ := strconv.Atoi(m.Option(name))
	return n
}
