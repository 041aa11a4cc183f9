package starlib

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/session"
)

// profileFlags say what is measured and shown of this one profile.
var profileFlags = []Flag{
	{"memory", "False", "types and shapes of every node's operands, and the peak of memory", []string{"profile_memory"}, nil},
	{"rewrites", "False", "the rewrites: phases, rules, time", []string{"profile_optimizer"}, nil},
	{"lines", "True", "the price of each line", nil, nil},
	{"by", "class,op,apply,line", "the tables that are shown, separated by commas", nil, func(v string) error {
		_, err := tablesNamed(v)
		return err
	}},
	{"top", "20", "rows of every table", []string{"profiling.n_ops", "profiling.n_apply"}, positive},
	{"n_ops", "20", "rows of the Ops table", []string{"profiling.n_ops"}, positive},
	{"n_apply", "20", "rows of the Apply table", []string{"profiling.n_apply"}, positive},
	{"min_memory_size", "1024", "smallest output in the memory profile", []string{"profiling.min_memory_size"}, nil},
	{"repeat", "1", "how often the cell runs; one that compiles functions or changes shared variables can run only once", nil,
		positive},
	{"warmup", "0", "how many of each function's first calls are left out", nil, nil},
	{"ignore_first_call", "False", "leave each function's first call out", []string{"profiling.ignore_first_call"}, nil},
	{"functions", "*", "the functions that are profiled, by a pattern of their names: train*", nil, func(v string) error {
		_, err := path.Match(v, "")
		return err
	}},
	{"roofline", "True", "how near nodes are to what the machine can do, which is measured once for a machine",
		[]string{"profiling.roofline"}, nil},
	{"show", "closed", "closed, open, text or none", []string{"profiling.html"}, nil},
	{"save", "", "a name to keep it under, for %profile show", nil, nil},
	{"export", "", "files to write, separated by commas; the extension says what: " + exportExtensions(), nil,
		knownFormats},
	{"trace", "", "the same, for a .trace.json", nil, knownFormats},
	{"name", "", "title of the profile; the cell's name if not given", nil, nil},
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
