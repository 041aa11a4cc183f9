package profile_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib"
)

// TestFlaggedCells: in a notebook, a cell that calls functions which the flag profile or
// PROFILE_MODE profile shows their panel, and no other cell does.
func TestFlaggedCells(t *testing.T) {
	for _, c := range []struct {
		name, compile, call string
		panels              int
	}{
		{"the flag", "config.profile = True\nf = function([x], T.exp(x), name = 'f')", "f(a);", 1},
		{"in one cell", "1", "config.profile = True\nf = function([x], T.exp(x), name = 'f')\nf(a);", 1},
		{"the mode", "f = function([x], T.exp(x), mode = 'PROFILE_MODE', name = 'f')", "f(a);", 1},
		{"an argument", "f = function([x], T.exp(x), profile = True, name = 'f')", "f(a);", 0},
		{"no flag", "f = function([x], T.exp(x), name = 'f')", "f(a);", 0},
		{"%%profile alone", "config.profile = True\nf = function([x], T.exp(x), name = 'f')", "%%profile\nf(a);", 1},
		{"compiled by %%profile", "%%profile\nf = function([x], T.exp(x), name = 'f')\nf(a);", "f(a);", 0},
		{"no call", "config.profile = True\nf = function([x], T.exp(x), name = 'f')", "1 + 1;", 0},
		{"a failed cell", "config.profile = True\nf = function([x], T.exp(x), name = 'f')", "f(a)\nfail('x')", 1},
	} {
		for _, live := range []time.Duration{time.Hour, 0} {
			s := starlib.NewSession(starlib.Options{Live: live})
			run := func(n int, code string) *bundles {
				out := new(bundles)
				if _, _, err := s.Execute(t.Context(), n, code, out); err != nil && !strings.Contains(code, "fail(") {
					t.Fatalf("%s: %v", c.name, err)
				}
				return out
			}
			run(1, "x, a = T.dvector('x'), np.ones(1000)")
			run(2, c.compile)
			want := c.panels
			if live == 0 && !strings.HasPrefix(c.call, "%%") {
				want = 0
			}
			panels := 0
			for _, b := range run(3, c.call).list() {
				if page, ok := b.data["text/html"].(string); ok && strings.Contains(page, "<b>In[3] · f</b>") && strings.Contains(page, "of wall time") {
					panels++
				}
			}
			if panels != want {
				t.Errorf("%s, live %v: got %d panels, want %d", c.name, live, panels, want)
			}
		}
	}
}

// TestScriptCells: the profile of a script says which of its cells took what, in about 25 lines or
// in whole.
func TestScriptCells(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cells.star")
	const code = "# %%\ndef work(ms):\n    time.sleep(ms / 1000)\n# %%\n# Quick.\nwork(5)\n# %% [markdown]\n# text\n# %%\nwork(120)\n"
	if err := os.WriteFile(file, []byte("import time\n"+code), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, full := range []bool{false, true} {
		s := starlib.NewSession(starlib.Options{})
		if err := s.Config().Set("profiling.layout", "arignote", "test"); err != nil {
			t.Fatal(err)
		}
		s.Sample(file, full)
		if err := s.RunFile(t.Context(), file, new(bundles)); err != nil {
			t.Fatal(err)
		}
		var out, errs strings.Builder
		if err := s.PrintProfiles(&out, &errs); err != nil {
			t.Fatal(err)
		}
		_, cells, ok := strings.Cut(errs.String(), "\nCells\n")
		cells, _, _ = strings.Cut(cells, "\n\n")
		dear := regexp.MustCompile(`(?m)^ ?[789]\d\.\d █+▌? +1\d\d +4 +11 +sleep +work\(120\)$`)
		if !ok || !dear.MatchString(cells) || full && !strings.Contains(cells, "work(5)") {
			t.Errorf("full %v: got\n%s", full, errs.String())
		}
	}
}
