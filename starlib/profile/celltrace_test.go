package profile_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestCellStacks: what a cell's time is charged to has the calls that led there, recursion of any
// depth each line once, and the time of the processors.
func TestCellStacks(t *testing.T) {
	var reads, ticks int64
	dir := t.TempDir()
	s := starlib.NewSession(starlib.Options{Dir: dir, Process: profiler.Process{CPU: func() time.Duration {
		ticks++
		return time.Duration(ticks) * time.Millisecond
	}, Read: func() profiler.Reading {
		reads++
		return profiler.Reading{Arrays: 1000 * reads, Heap: 2000, GCs: 3}
	}, Watch: func(int) func() ([]profiler.Work, int) {
		return func() ([]profiler.Work, int) { return []profiler.Work{{Worker: 1, Time: 5}}, 2 }
	}}})
	starlibtest.Run(t, s, 1, "import numpy as np\na = np.ones((400, 400))\nx = T.dmatrix('x')\nf = function([x], T.dot(x, x), name='f')")
	starlibtest.Run(t, s, 2, `%%profile show=none save=calls
def inner(k):
    return np.exp(a) @ a

def outer():
    return [inner(k) for k in range(20)]

def down(n):
    if n == 0:
        return np.tanh(a).sum()
    return down(n - 1) + np.exp(a).sum()

outer()
for k in range(3):
    down(70)
for k in range(20):
    f(a)
`)
	starlibtest.Run(t, s, 3, "%profile export calls calls.anprof")
	all, err := export.Read(files.Open(), filepath.Join(dir, "calls.anprof"))
	if err != nil {
		t.Fatal(err)
	}
	cell := all[0].Cell
	if !cell.Sampled() {
		t.Fatal("the cell was not sampled")
	}
	want := map[string]bool{"np.matmul: 13 <toplevel>, 6 outer, 3 inner": true, "np.exp: 15 <toplevel>, 11 down": true, "f: 17 <toplevel>": true}
	var cpu time.Duration
	for _, spot := range cell.Spots {
		var calls []string
		for _, f := range append(spot.Outer, spot.Frame()) {
			if name := fmt.Sprint(f.Line, " ", f.Func); !strings.Contains(name, "comp") && !strings.Contains(name, "lambda") {
				calls = append(calls, name)
			}
		}
		delete(want, spot.Name+": "+strings.Join(calls, ", "))
		if len(spot.Outer) > 4 {
			t.Errorf("%s at line %d was reached by %v", spot.Name, spot.Line, spot.Outer)
		}
		cpu += spot.CPU
	}
	if len(want) > 0 {
		t.Errorf("no spot is %v in %+v", want, cell.Spots)
	}
	if cpu == 0 || cell.Trace == nil || len(cell.Trace.Events) == 0 {
		t.Fatalf("the processors took %v, and the cell's trace is %v", cpu, cell.Trace)
	}
	if w := cell.Trace.Work; len(w) != 1 || w[0].Worker != 1 || cell.Trace.LostWork != 2 {
		t.Errorf("got the work %v", w)
	}
	var traced time.Duration
	known := 0
	until := time.Duration(0)
	for _, e := range cell.Trace.Events {
		if e.From < until {
			t.Errorf("an event begins at %v, the one before ends at %v", e.From, until)
		}
		until = e.From + e.Time
		traced += e.Time
		if e.Read != nil {
			known++
		}
	}
	if most := int(cell.Wall/(10*time.Millisecond)) + 1; known < most/4 || known > most {
		t.Errorf("memory was read %d times in %v", known, cell.Wall)
	}
	if traced > cell.Wall+time.Millisecond || traced < cell.Wall*9/10 {
		t.Errorf("the trace has %v of %v", traced, cell.Wall)
	}
}
