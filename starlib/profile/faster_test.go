package profile_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestIfFaster: what a cell is predicted to take without a line is what it takes. Sleeping takes
// known time on any machine, but for what the clock is late on a busy one.
func TestIfFaster(t *testing.T) {
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	starlibtest.Run(t, s, 1, "import time\ndef pause(n):\n    time.sleep(n)")
	starlibtest.Run(t, s, 2, "%%profile show=none export=p.anprof\ntime.sleep(0.1)\npause(0.2)\nfor i in range(3):\n    pause(0.05)")
	starlibtest.Run(t, s, 3, `p = load_profile("p.anprof")
gone = {r.line: r.gone for r in p.if_faster() if r.file == "In[2]"}
whole = 0.45
row = [r for r in p.if_faster(3, times=4) if r.file == "In[2]"][0]`)
	for i, check := range []string{
		"gone[2] >= 0.34 and gone[3] >= 0.24 and gone[5] >= 0.29",
		"gone[2] < gone[5] + 0.08 and abs(row.then - row.gone - row.time / 4) < 1e-6 and row.source == 'pause(0.2)'",
		"[r.time >= 0.34 for r in p.if_faster(3) if r.file == 'In[1]'] == [True]",
		"len(p.if_faster()) == len(set([(r.file, r.line) for r in p.if_faster()]))",
	} {
		if got, _ := starlibtest.Run(t, s, 4+i, check); got != "True" {
			shown, _ := starlibtest.Run(t, s, 20, "print(p.if_faster())")
			t.Errorf("%s: got %s\n%s", check, got, shown)
		}
	}
	for code, want := range map[string]string{
		"p.if_faster(99)":           "ValueError: if_faster: line: got 99, of which no time is known",
		"p.if_faster('a')":          "TypeError: if_faster: line: got string, want an int",
		"p.if_faster(times=1)":      "ValueError: if_faster: times: got 1, want a number above 1",
		"p.if_faster(times='fast')": "TypeError: if_faster: times: got string, want a number",
	} {
		got, _ := starlibtest.Run(t, s, 30, "try:\n    "+code+"\nexcept Exception as e:\n    m = type(e).__name__ + ': ' + str(e)\nm")
		if !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", code, got, want)
		}
	}
}
