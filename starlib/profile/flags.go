package profile

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/session"
)

// profileFlags say what is measured and shown of this one profile.
var profileFlags = []magic.Flag{
	{Name: "memory", Value: "False", Doc: "types and shapes of every node's operands, and the peak of memory", Sets: []string{"profile_memory"}, Check: nil},
	{Name: "rewrites", Value: "False", Doc: "the rewrites: phases, rules, time", Sets: []string{"profile_optimizer"}, Check: nil},
	{Name: "lines", Value: "True", Doc: "the price of each line", Sets: nil, Check: nil},
	{Name: "by", Value: "class,op,apply,line", Doc: "the tables that are shown, separated by commas", Sets: nil, Check: func(v string) error {
		_, err := tablesNamed(v)
		return err
	}},
	{Name: "top", Value: "20", Doc: "rows of every table", Sets: []string{"profiling.n_ops", "profiling.n_apply"}, Check: positive},
	{Name: "n_ops", Value: "20", Doc: "rows of the Ops table", Sets: []string{"profiling.n_ops"}, Check: positive},
	{Name: "n_apply", Value: "20", Doc: "rows of the Apply table", Sets: []string{"profiling.n_apply"}, Check: positive},
	{Name: "min_memory_size", Value: "1024", Doc: "smallest output in the memory profile", Sets: []string{"profiling.min_memory_size"}, Check: nil},
	{Name: "repeat", Value: "1", Doc: "how often the cell runs; one that compiles functions or changes shared variables can run only once", Sets: nil,
		Check: positive},
	{Name: "warmup", Value: "0", Doc: "how many of each function's first calls are left out", Sets: nil, Check: nil},
	{Name: "ignore_first_call", Value: "False", Doc: "leave each function's first call out", Sets: []string{"profiling.ignore_first_call"}, Check: nil},
	{Name: "functions", Value: "*", Doc: "the functions that are profiled, by a pattern of their names: train*", Sets: nil, Check: func(v string) error {
		_, err := path.Match(v, "")
		return err
	}},
	{Name: "roofline", Value: "True", Doc: "how near nodes are to what the machine can do, which is measured once for a machine",
		Sets: []string{"profiling.roofline"}, Check: nil},
	{Name: "show", Value: "closed", Doc: "closed, open, text or none", Sets: []string{"profiling.html"}, Check: nil},
	{Name: "save", Value: "", Doc: "a name to keep it under, for %profile show", Sets: nil, Check: nil},
	{Name: "export", Value: "", Doc: "files to write, separated by commas; the extension says what: " + exportExtensions(), Sets: nil,
		Check: knownFormats},
	{Name: "trace", Value: "", Doc: "the same, for a .trace.json", Sets: nil, Check: knownFormats},
	{Name: "name", Value: "", Doc: "title of the profile; the cell's name if not given", Sets: nil, Check: nil},
}

// laterFlags are flags of %%profile that are designed and not built: they are refused by name.
var laterFlags = []string{"starlark", "compare", "vs", "hints", "fail_if_slower", "what_if"}

// knownFormats checks the names of files before anything has run.
func knownFormats(v string) error {
	for file := range strings.SplitSeq(v, ",") {
		if err := export.Known(file); err != nil {
			return err
		}
	}
	return nil
}

// profileTables are the tables by the names that by= has.
var profileTables = map[string]profiler.By{"class": profiler.ByClass, "op": profiler.ByOp, "apply": profiler.ByApply, "line": profiler.ByLine}

func tablesNamed(list string) (by []profiler.By, err error) {
	for name := range strings.SplitSeq(list, ",") {
		table, ok := profileTables[name]
		switch {
		case ok:
			by = append(by, table)
		case slices.Contains([]string{"shape", "region", "function"}, name):
			return nil, config.NotYet("table " + name)
		default:
			return nil, fmt.Errorf("got %q, want some of class,op,apply,line", name)
		}
	}
	return by, nil
}

// tablesOf are those that the flags by and lines ask for; they were checked when they were read.
func tablesOf(m session.Magic) []profiler.By {
	by, _ := tablesNamed(m.Option("by"))
	if c := (config.Flag{Kind: config.Bool}); m.Option("lines") != "" {
		if on, err := c.Check(m.Option("lines")); err == nil && on == false {
			by = slices.DeleteFunc(by, func(b profiler.By) bool { return b == profiler.ByLine })
		}
	}
	return by
}

func positive(v string) error {
	if n, err := strconv.Atoi(v); err != nil || n < 1 {
		return fmt.Errorf("got %q, want an integer > 0", v)
	}
	return nil
}

// countOf is an option that is an integer, which was checked when it was read.
func countOf(m session.Magic, name string) int {
	n, _ := strconv.Atoi(m.Option(name))
	return n
}
