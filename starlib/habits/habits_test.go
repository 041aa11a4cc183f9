package habits_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/habits"
	"github.com/arignote/arignote/starlib/parse"
)

// TestExamples: what a user reads who types the example of a row is its hint.
func TestExamples(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"frozen.star": "l = [1]\nd = {'a': 1}\n",
		"global.star": "def f(): return x\nf()\nx = 1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range habits.Table {
		if r.Hint == "" || r.Pattern == "" && r.Near == (habits.Near{}) {
			t.Errorf("%v has no hint or no pattern", r)
		}
		var got string
		switch r.Where {
		case habits.Syntax, habits.Character: // as the parser says it: magics are taken off a cell before
			_, err := parse.File("a.star", r.Example, parse.Options{})
			if e, ok := err.(*parse.Error); ok {
				got = " (" + e.Hint + ")"
			}
		default: // cell 0 is of no notebook, and has no In and Out
			_, _, err := starlib.NewSession(starlib.Options{Dir: dir}).Execute(context.Background(), 0, r.Example, nil)
			if err != nil {
				got = err.Error()
			}
		}
		want := " (" + r.Hint + ")"
		if r.Where == habits.Magic {
			want = " is not in Arignote: " + r.Hint
		}
		ends := regexp.QuoteMeta(want) + "$"
		if r.Where == habits.Running {
			ends = strings.ReplaceAll(ends, `\$1`, `\w+`)
		}
		if !regexp.MustCompile(ends).MatchString(got) {
			t.Errorf("%q: got %s, want ...%s", r.Example, got, want)
		}
	}
}

// TestReach: no row is hidden by one above it that says something else.
func TestReach(t *testing.T) {
	for _, r := range habits.Table {
		var of func(string) string
		switch r.Where {
		case habits.Name:
			of = habits.OfName
		case habits.Import:
			of = habits.OfImport
		case habits.Magic:
			of = habits.OfMagic
		case habits.Character:
			of = func(s string) string { return habits.OfCharacter([]rune(s)[0]) }
		default:
			continue
		}
		each := strings.Fields(r.Pattern)
		if r.Where == habits.Character {
			each = strings.Split(r.Pattern, "")
		}
		for _, name := range each {
			if got := of(name); got != r.Hint {
				t.Errorf("%q: got %q, want %q", name, got, r.Hint)
			}
		}
		for _, name := range strings.Fields(r.As) {
			if got := habits.OfName(name); got != r.Hint {
				t.Errorf("%q: got %q, want %q", name, got, r.Hint)
			}
		}
	}
}

// TestUnknown: what is no habit has no hint, nor has what the user says by fail.
func TestUnknown(t *testing.T) {
	for _, got := range []string{habits.OfName("x"), habits.OfImport("pd"), habits.OfMagic("time"), habits.OfMessage("x"), habits.OfMessage(""),
		habits.OfMessage("fail: int value is not iterable"), habits.OfCharacter('x'), habits.OfTokens(habits.Tokens{})} {
		if got != "" {
			t.Errorf("got %q, want none", got)
		}
	}
	if got := habits.OfMessage("sum: int value is not iterable"); got != "range(n) has the integers below n" {
		t.Errorf("got %q", got)
	}
}
