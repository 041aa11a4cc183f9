package profile_test

import (
	"context"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/memory"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// memoryOf runs a cell under %%profile memory=True and returns what it says of its arrays, and what
// it shows.
func memoryOf(t *testing.T, s *starlib.Session, code string) (*profiler.CellMemory, map[string]any) {
	t.Helper()
	out := new(bundles)
	if _, _, err := s.Execute(context.Background(), 2, "%%profile memory=True\n"+code, out); err != nil {
		t.Fatalf("%s: %v", code, err)
	}
	all := shownProfiles(t, out)
	if len(all) == 0 || all[0].Cell == nil || all[0].Cell.Memory == nil {
		t.Fatalf("%s: nothing is said of memory", code)
	}
	return all[0].Cell.Memory, out.list()[0].data
}

// TestMemoryByLine: each line has the blocks that were made while it ran, in np, in Starlark and in
// compiled functions, to the byte; the sum is the allocator's. What is left behind has names.
func TestMemoryByLine(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 1, "import numpy as np\nx = T.dmatrix('x')\nf = function([x], T.tanh(x), name='f')\nold = np.ones(100000)")
	m, shown := memoryOf(t, s, `X = np.ones((1000, 200))
def fill(n):
    return np.zeros(n)
hist = []
for i in range(7):
    hist.append(fill(50000 + 1000 * i))
for i in range(3):
    r = f(X)
class Net:
    pass
net = Net()
net.w = np.zeros((300, 300))
W = shared(np.ones(80000), name='W')
tmp = np.ones(60000)
del tmp
tiny = np.ones(10)
both = [hist[0], {1: old}]`)
	block := func(n int) int64 { return int64(memory.BlockSize(8 * n)) }
	var filled int64
	for i := range 7 {
		filled += block(50000 + 1000*i)
	}
	want := map[int]profiler.LineMemory{
		2:  {Allocated: block(200000), Blocks: 1, Kept: block(200000)},
		4:  {Allocated: filled, Blocks: 7, Kept: filled},
		9:  {Kept: block(200000)},
		13: {Allocated: block(90000), Blocks: 1, Kept: block(90000)},
		15: {Allocated: block(60000), Blocks: 1, Kept: 0},
	}
	var sum int64
	got := make(map[int]profiler.LineMemory)
	for _, l := range m.Lines {
		got[l.Line] = l
		sum += l.AtPeak
	}
	for line, w := range want {
		g := got[line]
		if w.Blocks > 0 && (g.Allocated != w.Allocated || g.Blocks != w.Blocks) || g.Kept != w.Kept {
			t.Errorf("line %d: got %+v, want %+v", line, g, w)
		}
	}
	if got[17].Blocks != 0 || got[18].Blocks != 0 {
		t.Errorf("small arrays and names of old ones are counted: %+v %+v", got[17], got[18])
	}
	if sum != m.Peak || m.Peak <= 0 || len(m.Series) == 0 {
		t.Errorf("the lines have %d at the peak, the cell %d, in %d points", sum, m.Peak, len(m.Series))
	}
	names := make(map[string]int64)
	for _, n := range m.Names {
		names[n.Name] = n.Bytes
	}
	for name, bytes := range map[string]int64{"X": block(200000), "hist": filled - block(50000), "both": block(50000), "r": block(200000), "net": block(90000), "W": block(80000), "old": 0, "tmp": 0, "tiny": 0} {
		if names[name] != bytes {
			t.Errorf("%s keeps %d bytes, want %d", name, names[name], bytes)
		}
	}
	var kept int64
	for _, n := range m.Names {
		kept += n.Bytes
	}
	if total := m.Total(); kept > total.Kept || total.Kept-kept > block(200000) { // f keeps memory too
		t.Errorf("names keep %d of %d bytes", kept, total.Kept)
	}
	txt, page := shown["text/plain"].(string), shown["text/html"].(string)
	if !strings.Contains(txt, "Memory of arrays, by line: peak ") || !strings.Contains(page, "Memory of the cell") || !strings.Contains(page, "What the cell leaves behind") {
		t.Errorf("the views do not show it:\n%s", txt)
	}
}

// TestMemoryOfCells: a short cell has it too, and one without arrays has none; an error and the
// next cell leave no ledger.
func TestMemoryOfCells(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 1, "import numpy as np")
	if m, _ := memoryOf(t, s, "a = np.ones(100000)"); m.Total().Kept != int64(memory.BlockSize(800000)) {
		t.Errorf("got %+v", m)
	}
	out := new(bundles)
	if _, _, err := s.Execute(context.Background(), 3, "%%profile memory=True\nb = 1 + 1", out); err != nil || len(shownProfiles(t, out)) > 0 {
		t.Errorf("a cell without arrays shows a profile, %v", err)
	}
	if _, _, err := s.Execute(context.Background(), 3, "%%profile memory=True\na = np.ones(100000)\n1 // 0", new(bundles)); err == nil {
		t.Error("the cell has no error")
	}
	l := memory.Keep(func() int { return 0 })
	if l == nil {
		t.Fatal("a ledger is left")
	}
	l.Close()
}
