package profile_test

import (
	"context"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestHits: %%profile hits=True says how often each line ran, in functions too, to the last; in the
// text, the panel and the data. Without the flag, and after the cell, nothing is counted.
func TestHits(t *testing.T) {
	const program = `from time import time
def step(h, x):
    z = h * 0.5 + x
    if z > 10:
        z = z - 10
    return z
h, n = 0, 0
for i in range(1000):
    h = step(h, i % 7)
try:
    while True:
        n += 1
        if n == 50:
            raise ValueError(n)
except ValueError:
    pass
began = time()
while time() < began + 0.05: pass`
	s := starlib.NewSession(starlib.Options{})
	out := new(bundles)
	if _, _, err := s.Execute(context.Background(), 2, "%%profile hits=True\n"+program, out); err != nil {
		t.Fatal(err)
	}
	all := shownProfiles(t, out)
	if len(all) != 1 {
		t.Fatalf("got %d profiles, want 1", len(all))
	}
	hits := make(map[int]int64)
	for _, l := range all[0].Cell.Lines() {
		hits[l.Line] = l.Hits
	}
	for line, want := range map[int]int64{2: 1, 3: 1, 4: 1000, 5: 1000, 7: 1000, 8: 1, 9: 1001, 10: 1000, 13: 50, 14: 50, 15: 1} {
		if hits[line] != want {
			t.Errorf("line %d ran %d times, want %d", line, hits[line], want)
		}
	}
	shown := out.list()[0].data
	txt, page := shown["text/plain"].(string), shown["text/html"].(string)
	if !strings.Contains(txt, "hits") || !strings.Contains(txt, "1001") || !strings.Contains(page, "per hit") || !strings.Contains(page, units.Grouped(1001)) {
		t.Errorf("the views do not say how often lines ran:\n%s", txt)
	}
	out = new(bundles)
	if _, _, err := s.Execute(context.Background(), 3, "%%profile\n"+program, out); err != nil {
		t.Fatal(err)
	}
	if all = shownProfiles(t, out); len(all) != 1 || all[0].Cell.Hits != nil {
		t.Errorf("lines were counted that nobody asked for")
	}
	out = new(bundles)
	if _, _, err := s.Execute(context.Background(), 4, "%%profile hits=True\n"+program+"\nraise KeyError(1)", out); err == nil {
		t.Error("the cell has no error")
	}
	if all = shownProfiles(t, out); len(all) != 1 || len(all[0].Cell.Hits) == 0 {
		t.Error("a cell that fails has no counts")
	}
}

// TestStatementsAreProfiled: %prun and %memit show the profile of a statement, whose names stay,
// and it is the last one for %profile.
func TestStatementsAreProfiled(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 1, "import numpy as np\nx = T.dmatrix('x')\nf = function([x], T.tanh(T.dot(x, x)).sum(), name='f')\nX = np.ones((100, 100))\ndef work(n):\n    for i in range(n):\n        f(X)\n    return n")
	for _, c := range []struct {
		code  string
		calls int64
		says  string
	}{
		{"%prun y = work(60)\nz = y + 1", 60, "Profile of f\n"},
		{"%memit work(50)", 50, "\nMemory\n"},
		{"%mprun work(40)", 40, "\nMemory\n"},
	} {
		out := new(bundles)
		if _, _, err := s.Execute(context.Background(), 2, c.code, out); err != nil {
			t.Fatalf("%s: %v", c.code, err)
		}
		all := shownProfiles(t, out)
		if len(all) != 1 || all[0].Total().Calls != c.calls {
			t.Fatalf("%s: got %d profiles, want one of %d calls", c.code, len(all), c.calls)
		}
		if txt := out.list()[0].data["text/plain"].(string); !strings.Contains(txt, c.says) {
			t.Errorf("%s: the text does not say %q:\n%s", c.code, c.says, txt)
		}
		out = new(bundles)
		if _, _, err := s.Execute(context.Background(), 3, "%profile last", out); err != nil {
			t.Fatal(err)
		}
		if again := shownProfiles(t, out); len(again) != 1 || again[0].Total().Calls != c.calls {
			t.Errorf("%s: it is not the last profile", c.code)
		}
	}
	if v, _ := starlibtest.Run(t, s, 4, "(y, z)"); v != "(60, 61)" {
		t.Errorf("got %v, want the names of the statement", v)
	}
	for code, want := range map[string]string{
		"%prun":           "%prun: got nothing to run",
		"%memit work(":    "'(' at line 1 was never closed",
		"%prun work(1.5)": "got float, want int",
	} {
		if _, _, err := s.Execute(context.Background(), 5, code, new(bundles)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", code, err, want)
		}
	}
}
