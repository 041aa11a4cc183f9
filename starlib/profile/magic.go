package profile

import (
	"cmp"
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
			Doc: "Runs the cell and shows the profile of its functions. %profile last shows it again, with other flags of what is shown if it is told so (top=all, by=op); of a cell that nobody asked to profile it shows what was seen of it, and %profile slow the slowest of the session. %profile diff A B says what changed from one to another, %profile list lists those that are " +
				"kept: the last 20, and those that a cell saved under a name.",
			Example: "%%profile memory=True", Flags: true, Own: profileFlags, Later: laterFlags,
			Sets: map[string]any{"profile": true}, Cell: func(magic.Line) session.CellFunc { return runProfiled },
			Complete: func(s *session.Session, words []string) []string { return In(s).profileWords(words) },
			Line:     magicProfile, LineForm: "last [flags]|slow [flags]|list|show NAME [flags]|export NAME FILE|diff NAME NAME [FILE]|session"},
		statement("prun", "Runs a statement and shows its profile, as %%profile does of a cell: by line, whatever ran the line.", nil),
		statement("memit", "Runs a statement and shows its profile with the peak of memory, and with the operands of each node.", withMemory),
		statement("mprun", "Runs a statement and shows its profile with memory, as %memit does.", withMemory),
	}
}

var withMemory = map[string]string{"memory": "True"}

// statement is the row of a magic that profiles what follows it, by some flags of %%profile.
func statement(name, doc string, options map[string]string) magic.Row {
	return magic.Row{Name: name, Params: []value.Param{{Name: "statement", Doc: "what to run; the names that it assigns stay"}},
		Doc: doc, Example: "%" + name + " f(x)", Code: true, Assigns: true,
		Line: func(c *magic.Call) (v starlark.Value, err error) {
			program, err := c.Program()
			if err != nil {
				return nil, err
			}
			s := In(c.S)
			scope := make(map[string]any)
			cell := *c.S.Cell()
			cell.Code = c.Rest
			cell.Magic = session.Magic{Name: name, Options: options, Defaults: make(map[string]string)}
			cell.Magic.Line, cell.Magic.Col = c.Place()
			for _, f := range profileFlags {
				cell.Magic.Defaults[f.Name] = f.Value
				if options[f.Name] == "True" {
					for _, flag := range f.Sets {
						scope[flag] = true
					}
				}
			}
			pop, err := s.Config().Push(scope, "%"+name)
			if err != nil {
				return nil, err
			}
			defer pop()
			err = s.profiled(c.S.Context(), &cell, func() (err error) {
				v, err = c.S.RunPart(program, c.Thread())
				return err
			})
			return v, err
		}}
}

// profileVerbs are what %profile does, with the numbers of words that follow and that may, and
// whether flags do.
var profileVerbs = []struct {
	name  string
	words int
	more  int
	flags bool
	form  string
	do    func(c *magic.Call, words []string, flags session.Magic) error
}{
	{"last", 0, 0, true, "last", func(c *magic.Call, _ []string, flags session.Magic) error { return In(c.S).showKept("last", flags) }},
	{"slow", 0, 0, true, "slow", showSlowest},
	{"list", 0, 0, false, "list", listProfiles},
	{"show", 1, 0, true, "show NAME", func(c *magic.Call, words []string, flags session.Magic) error {
		return In(c.S).showKept(words[0], flags)
	}},
	{"export", 2, 0, false, "export NAME FILE", exportKept},
	{"diff", 2, 1, false, "diff NAME NAME [FILE.flame.html]", diffKept},
	{"session", 0, 0, false, "session", showCosts},
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
		most := 1 + v.words + v.more
		if len(words) < 1+v.words || len(words) > most && !v.flags {
			return nil, fmt.Errorf("%%profile: got %s, want %s", strings.TrimSpace(c.Rest), v.form)
		}
		flags, err := viewFlags(c, most)
		if err == nil {
			err = v.do(c, words[1:min(most, len(words))], flags)
		}
		if err != nil {
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

// viewFlags reads the flags behind the first words of %profile, which say what is shown.
func viewFlags(c *magic.Call, words int) (session.Magic, error) {
	text := c.Rest
	for range words {
		text = strings.TrimSpace(text)
		_, text, _ = strings.Cut(text, " ")
	}
	flags, err := c.Flags(text)
	if err != nil {
		return flags, err
	}
	for name := range flags.Options {
		if !ofViews(name) {
			return flags, fmt.Errorf("%s says what is measured or written: it follows %%%%profile, on the first line of a cell; what is shown say full, show, %s",
				name, viewFlagDocs())
		}
	}
	return flags, nil
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
	for i := range s.profiling.glanced {
		names = append(names, s.profiling.glanced[i].cell.Name)
	}
	return names
}

// showKept shows a profile as the flags say that are in force, and those of the magic.
func (s *Session) showKept(name string, flags session.Magic) error {
	k, err := s.keptProfile(name)
	if err != nil {
		return err
	}
	return s.show(k, flags)
}

// showSlowest shows the profile of the slowest cell.
func showSlowest(c *magic.Call, _ []string, flags session.Magic) error {
	s := In(c.S)
	k := s.slowest()
	if k == nil {
		return s.profiling.none()
	}
	return s.show(k, flags)
}

func (s *Session) show(k *keptProfile, flags session.Magic) error {
	pop, err := s.Config().Push(flags.Config, "%profile")
	if err != nil {
		return err
	}
	defer pop()
	view := s.viewOf(flags)
	if view.show == "none" {
		return nil
	}
	s.Output().Display(view.bundle(k.stats, k.title), nil, "", false)
	for _, stats := range k.stats {
		if stats.Cell != nil && stats.Cell.Tries != nil {
			s.Output().Display(triedTable(stats.Cell.Tries), nil, "", false)
		}
	}
	return nil
}

func listProfiles(c *magic.Call, _ []string, _ session.Magic) error {
	s := In(c.S)
	p := &s.profiling
	if len(p.kept)+len(p.glanced) == 0 {
		c.Print("No cell was profiled yet.\n")
		return nil
	}
	all := slices.Clone(p.kept)
	for i := range p.glanced {
		k := s.keptOf(&p.glanced[i])
		k.name = "(glanced at)"
		all = append(all, *k)
	}
	slices.SortStableFunc(all, func(a, b keptProfile) int { return cmp.Compare(a.seen, b.seen) })
	rows := [][]string{{"Name", "Cell", "Functions", "Calls", "Time"}}
	for _, k := range all {
		sum := joined(k.stats, "")
		total := sum.Total()
		took := total.CallTime
		if sum.Cell != nil { // all of the cell's time
			took = float64(sum.Cell.Wall)
		}
		var names []string
		for _, f := range sum.Functions {
			names = append(names, f.Title())
		}
		rows = append(rows, []string{k.name, k.cell, units.Short(strings.Join(names, ", "), 60), units.Grouped(total.Calls),
			strings.ReplaceAll(units.Human(units.Times, took), units.NBSP, " ")})
	}
	c.Print(strings.ReplaceAll(magic.Columns(rows), units.NBSP, " "))
	return nil
}

func exportKept(c *magic.Call, words []string, _ session.Magic) error {
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
		return append(s.keptNames(), "last", "slow")
	case words[0] == "last" || words[0] == "slow" || words[0] == "show":
		var flags []string
		for _, f := range profileFlags {
			if ofViews(f.Name) {
				flags = append(flags, f.Name+"=")
			}
		}
		return flags
	}
	return nil
}
