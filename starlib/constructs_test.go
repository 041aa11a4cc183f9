package starlib_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/assist"
	"github.com/arignote/arignote/starlib/format"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// shown is what a cell prints and shows, and how it fails.
func shown(t *testing.T, code string) string {
	t.Helper()
	var out starlibtest.Printed
	data, _, err := starlib.NewSession(starlib.Options{Dir: t.TempDir()}).Execute(context.Background(), 1, code, &out)
	text := out.String()
	if data != nil {
		text += fmt.Sprint(data["text/plain"])
	}
	if err != nil {
		text += err.(*starlib.Error).Name() + ": " + err.Error()
	}
	return text
}

// TestConstructs: help, the reference and the formatter know every construct of the extended
// syntax.
func TestConstructs(t *testing.T) {
	if testing.Short() {
		t.Skip("short: three sessions for each construct")
	}
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	entries := map[string]assist.Entry{}
	for _, section := range assist.In(s.Session).Documentation() {
		if section.Title == "Syntax" {
			for _, e := range section.Entries {
				entries[e.Name] = e
			}
		}
	}
	for _, c := range parse.Constructs() {
		e, ok := entries[c.String()]
		code, want, _ := strings.Cut(e.Example, " # ")
		if !ok || e.Doc == "" || want == "" {
			t.Errorf("%s: got the entry %+v, want one with a text and an example", c, e)
			continue
		}
		if uses, err := parse.Uses("a.star", code); err != nil || !slices.Contains(uses, c) {
			t.Errorf("%s: the example is none: %v\n%s", c, err, code)
			continue
		}
		if got := shown(t, code); got != want {
			t.Errorf("%s: got %s, want %s\n%s", c, got, want, code)
		}
		if got := shown(t, fmt.Sprintf("help(%q)", c.String())); !strings.Contains(got, strings.SplitAfter(e.Doc, ".")[0]) {
			t.Errorf("help(%q): got\n%s\nwant %s", c, got, e.Doc)
		}
		formatted, err := format.Source("a.star", code)
		if err != nil {
			t.Errorf("%s: the formatter: %v\n%s", c, err, code)
			continue
		}
		if got := shown(t, formatted); got != want {
			t.Errorf("%s: formatted, it shows %s, want %s:\n%s", c, got, want, formatted)
		}
		if again, err := format.Source("a.star", formatted); again != formatted || err != nil {
			t.Errorf("%s: formatted twice:\n%s\nwant\n%s\n%v", c, again, formatted, err)
		}
	}
}
