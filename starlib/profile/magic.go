package profile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Magics is %profile and %%profile.
func Magics() []magic.Row {
	return []magic.Row{
		{Name: "profile", Params: []value.Param{{Name: "name=value", Doc: "flags of the profile and of the config, for this cell only"}},
			Doc: "Runs the cell and shows the profile of its functions. %profile last shows it again, %profile diff A B says what changed from one to another, %profile list lists those that are " +
				"kept: the last 20, and those that a cell saved under a name.",
			Example: "%%profile memory=True", Flags: true, Own: profileFlags, Later: laterFlags,
			Sets: map[string]any{"profile": true}, Cell: func(magic.Line) session.CellFunc { return runProfiled },
			Complete: func(s *session.Session, words []string) []string { return In(s).profileWords(words) },
			Line:     magicProfile, LineForm: "last|list|show NAME|export NAME FILE|diff NAME NAME"},
	}
}

// profileVerbs are what %profile does, with the number of words that follow.
var profileVerbs = []struct {
	name  string
	words int
	form  string
	do    func(c *magic.Call, words []string) error
}{
	{"last", 0, "last", func(c *magic.Call, _ []string) error { return In(c.S).showKept("last") }},
	{"list", 0, "list", listProfiles},
	{"show", 1, "show NAME", func(c *magic.Call, words []string) error { return In(c.S).showKept(words[0]) }},
	{"export", 2, "export NAME FILE", exportKept},
	{"diff", 2, "diff NAME NAME", diffKept},
}

// magicProfile is %profile: it shows profiles of cells that are over.
func magicProfile(c *magic.Call) (starlark.Value, error) {
	words := strings.Fields(strings.ReplaceAll(c.Rest, "\"", ""))
	if len(words) == 0 {
		words = []string{""}
	}
	var names, forms []string
	for _, v := range profileVerbs {
		names, forms = append(names, v.name), append(forms, v.form)
		if v.name != words[0] {
			continue
		}
		if len(words) != 1+v.words {
			return nil, fmt.Errorf("%%profile: got %s, want %s", strings.TrimSpace(c.Rest), v.form)
		}
		if err := v.do(c, words[1:]); err != nil {
			return nil, fmt.Errorf("%%profile: %w", err)
		}
		return nil, nil
	}
	switch {
	case words[0] == "":
		return nil, fmt.Errorf("%%profile: got nothing, want %s; %%%%profile on the first line of a cell profiles it",
			strings.Join(forms, ", "))
	case strings.Contains(words[0], "="):
		return nil, fmt.Errorf("%%profile: got %s, want %s; flags follow %%%%profile, on the first line of a cell", words[0],
			strings.Join(forms, ", "))
	}
	return nil, fmt.Errorf("%%profile: got %s, want %s%s", words[0], strings.Join(forms, ", "), hintOf(words[0], names))
}

// hintOf is the nearest of names, as a hint; "" if none is near.
func hintOf(name string, names []string) string {
	if n := config.Closest(name, names); n != "" {
		return " (did you mean " + n + "?)"
	}
	return ""
}

// keptNames are what kept profiles can be asked for by.
func (s *Session) keptNames() []string {
	var names []string
	for i := range s.profiling.kept {
		names = append(names, s.profiling.kept[i].label())
	}
	return names
}

func (s *Session) showKept(name string) error {
	k, err := s.keptProfile(name)
	if err != nil {
		return err
	}
	s.Output().Display(s.view().bundle(k.stats, k.title), nil, "", false)
	return nil
}

func listProfiles(c *magic.Call, _ []string) error {
	if len(In(c.S).profiling.kept) == 0 {
		c.Print("No cell was profiled yet.\n")
		return nil
	}
	rows := [][]string{{"Name", "Cell", "Functions", "Calls", "Time"}}
	for _, k := range In(c.S).profiling.kept {
		sum := joined(k.stats, "")
		total := sum.Total()
		var names []string
		for _, f := range sum.Functions {
			names = append(names, f.Title())
		}
		rows = append(rows, []string{k.name, k.cell, units.Short(strings.Join(names, ", "), 60), units.Grouped(total.Calls),
			strings.ReplaceAll(units.Human(units.Times, total.CallTime), units.NBSP, " ")})
	}
	c.Print(strings.ReplaceAll(magic.Columns(rows), units.NBSP, " "))
	return nil
}

func exportKept(c *magic.Call, words []string) error {
	k, err := In(c.S).keptProfile(words[0])
	if err != nil {
		return err
	}
	return export.Write(c.S.Files(), c.S.Path(words[1]), k.stats, k.files)
}

// profileWords are what may follow %profile words.
func (s *Session) profileWords(words []string) []string {
	switch {
	case len(words) == 1:
		var verbs []string
		for _, v := range profileVerbs {
			verbs = append(verbs, v.name)
		}
		return verbs
	case len(words) == 2 && slices.Contains([]string{"show", "export", "diff"}, words[0]), len(words) == 3 && words[0] == "diff":
		return append(s.keptNames(), "last")
	}
	return nil
}
