package profile_test

import (
	"context"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/starlib"
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
