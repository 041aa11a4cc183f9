package starlib

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/starlib/config"
	"go.starlark.net/starlark"
)

// profileVerbs are what %profile does, with the number of words that follow.
var profileVerbs = []struct {
	name  string
	words int
	form  string
	do    func(c *magicCall, words []string) error
}{
	{"last", 0, "last", func(c *magicCall, _ []string) error { return c.s.showKept("last") }},
	{"list", 0, "list", listProfiles},
	{"show", 1, "show NAME", func(c *magicCall, words []string) error { return c.s.showKept(words[0]) }},
	{"export", 2, "export NAME FILE", exportKept},
}

// laterVerbs are those that are designed and not built.
const laterVerbs = "diff"

// magicProfile is %profile: it shows profiles of cells that are over.
func magicProfile(c *magicCall) (starlark.Value, error) {
	words := strings.Fields(strings.ReplaceAll(c.rest, "\"", ""))
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
			return nil, fmt.Errorf("%%profile: got %s, want %s", strings.TrimSpace(c.rest), v.form)
		}
		if err := v.do(c, words[1:]); err != nil {
			return nil, fmt.Errorf("%%profile: %w", err)
		}
		return nil, nil
	}
	switch {
	case words[0] == laterVerbs:
		return nil, config.NotYet("%profile " + words[0])
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
	s.out.Display(s.view().bundle(k.stats, k.title), nil, "", false)
	return nil
}

func listProfiles(c *magicCall, _ []string) error {
	if len(c.s.profiling.kept) == 0 {
		c.print("No cell was profiled yet.\n")
		return nil
	}
	rows := [][]string{{"Name", "Cell", "Functions", "Calls", "Time"}}
	for _, k := range c.s.profiling.kept {
		sum := joined(k.stats, "")
		total := sum.Total()
		var names []string
		for _, f := range sum.Functions {
			names = append(names, f.Title())
		}
		rows = append(rows, []string{k.name, k.cell, units.Cut(strings.Join(names, ", "), 60), units.Grouped(total.Calls),
			strings.ReplaceAll(units.Human(units.Times, total.CallTime), units.NBSP, " ")})
	}
	c.print(strings.ReplaceAll(columns(rows), units.NBSP, " "))
	return nil
}

func exportKept(c *magicCall, words []string) error {
	k, err := c.s.keptProfile(words[0])
	if err != nil {
		return err
	}
	return export.Write(c.s.Path(words[1]), k.stats, k.files)
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
	case len(words) == 2 && (words[0] == "show" || words[0] == "export"):
		return append(s.keptNames(), "last")
	}
	return nil
}
