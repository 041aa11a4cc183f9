package starlib

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"

	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/starlib/config"
)

// A profileFlag is a flag of %%profile. Those that set a flag of the config name it; a value that may be left out is True.
type profileFlag struct {
	name, value, doc string
	sets             []string
	check            func(value string) error // nil: by the kind of the default
}

// profileFlags say what is measured and shown of this one profile.
var profileFlags = []profileFlag{
	{"memory", "False", "types and shapes of every node's operands, and the peak of memory", []string{"profile_memory"}, nil},
	ofView("rewrites", nil, "profile_optimizer"),
	ofView("lines", nil),
	ofView("by", builtTables),
	ofView("top", positive, "profiling.n_ops", "profiling.n_apply"),
	ofView("n_ops", positive, "profiling.n_ops"),
	ofView("n_apply", positive, "profiling.n_apply"),
	ofView("min_memory_size", nil, "profiling.min_memory_size"),
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

func findProfileFlag(name string) *profileFlag {
	for i := range profileFlags {
		if profileFlags[i].name == name {
			return &profileFlags[i]
		}
	}
	return nil
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

// ofView is the row of a flag that all views of profiles have, also those of files.
func ofView(name string, check func(value string) error, sets ...string) profileFlag {
	f, _ := profiler.FindViewFlag(name)
	return profileFlag{f.Name, f.Default, f.Doc, sets, check}
}

// builtTables checks the names of tables. Some are designed and not built.
func builtTables(list string) error {
	for name := range strings.SplitSeq(list, ",") {
		if slices.Contains([]string{"shape", "region", "function"}, name) {
			return config.NotYet("table " + name)
		}
	}
	err := new(profiler.View).Set("by", list)
	return errors.Unwrap(err) // setFlag names the flag
}

// addTo sets what the flags of a cell say of a view; setFlag has checked them.
func (m Magic) addTo(v *profiler.View) error {
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

func positive(v string) error {
	if n, err := strconv.Atoi(v); err != nil || n < 1 {
		return fmt.Errorf("got %q, want an integer > 0", v)
	}
	return nil
}

// Option returns one of the magic's own flags, or its default if it was not given.
func (m Magic) Option(name string) string {
	if v, ok := m.Options[name]; ok {
		return v
	}
	if f := findProfileFlag(name); f != nil {
		return f.value
	}
	return ""
}

// count is an option that is an integer, which setFlag has checked.
func (m Magic) count(name string) int {
	n, _ := strconv.Atoi(m.Option(name))
	return n
}

func (m *Magic) setFlag(name, value string) error {
	if m.Name != "profile" {
		return m.setConfig(name, value)
	}
	f := findProfileFlag(name)
	switch {
	case f == nil && slices.Contains(laterFlags, name):
		return config.NotYet("flag " + name)
	case f == nil:
		return m.setConfig(name, value)
	}
	if err := f.accepts(value); err != nil {
		return err
	}
	m.Options[name] = value
	for _, flag := range f.sets {
		if err := m.setConfig(flag, value); err != nil {
			return err
		}
	}
	return nil
}

// accepts checks a value, by the kind of the default if f has no check of its own: True or False, or an integer.
func (f *profileFlag) accepts(value string) error {
	if f.check != nil {
		if err := f.check(value); err != nil {
			return fmt.Errorf("%s: %s", f.name, strings.TrimPrefix(err.Error(), "export: "))
		}
		return nil
	}
	switch f.value {
	case "True", "False":
		c := config.Flag{Name: f.name, Kind: config.Bool}
		_, err := c.Check(value)
		return err
	}
	if _, err := strconv.Atoi(f.value); err == nil {
		if n, err := strconv.Atoi(value); err != nil || n < 0 {
			return fmt.Errorf("%s: got %q, want an integer >= 0", f.name, value)
		}
	}
	return nil
}

// flag is the flag of the config that has the same values, for completion; ok is false if there is none.
func (f *profileFlag) flag() (flag config.Flag, ok bool) {
	switch {
	case len(f.sets) > 0:
		return config.Lookup(f.sets[0])
	case f.value == "True" || f.value == "False":
		return config.Flag{Kind: config.Bool}, true
	}
	return config.Flag{}, false
}
