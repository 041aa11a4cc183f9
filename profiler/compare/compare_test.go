package compare_test

import (
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/compare"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/runtime/graph"
)

const ms = time.Millisecond

// cellOf is the profile of a cell of np, by the milliseconds of its lines.
func cellOf(name, source string, took ...int) *profiler.Stats {
	s := new(profiler.Stats)
	s.AddSource(name, source)
	c := &profiler.Cell{Name: name}
	for i, n := range took {
		if n > 0 {
			c.Spots = append(c.Spots, profiler.Spot{Kind: profiler.Numpy, Name: "np.exp", File: name, Line: i + 1, Time: time.Duration(n) * ms})
			c.Wall += time.Duration(n) * ms
		}
	}
	s.SetCell(c)
	return s
}

func tableOf(t *testing.T, c *compare.Comparison, name string) map[string]compare.Row {
	t.Helper()
	rows := make(map[string]compare.Row)
	for _, table := range c.Tables {
		if table.Name == name {
			for _, r := range table.Rows {
				rows[r.Name] = r
			}
		}
	}
	return rows
}

// TestLines: lines are matched by their text wherever they stand, edited ones by their words, and
// what chance does is no change.
func TestLines(t *testing.T) {
	before := cellOf("In[3]", "a = load()\nb = slow(a, 100)\nc = old(b)\nd = same(c)\nprint(a)\n", 50, 400, 100, 100, 0)
	after := cellOf("In[9]", "# faster\na = load()\nb = slow(a, 10)\nd = same(c)\nzeta = fresh()\nd = same(c)\n", 0, 51, 40, 105, 30, 20)
	c := compare.Compare([]*profiler.Stats{before}, []*profiler.Stats{after})
	if c.Wall.Before != 650e6 || c.Wall.After != 246e6 || c.Before != "In[3]" || c.After != "In[9]" {
		t.Errorf("got %+v", c)
	}
	rows := tableOf(t, c, compare.LinesThatRan)
	for name, want := range map[string]struct {
		state         compare.State
		before, after string
		change        float64
	}{
		"a = load()":      {compare.Same, "In[3]:1", "In[9]:2", 1e6},
		"b = slow(a, 10)": {compare.Faster, "In[3]:2", "In[9]:3", -360e6},
		"c = old(b)":      {compare.Gone, "In[3]:3", "", -100e6},
		"zeta = fresh()":  {compare.New, "", "In[9]:5", 30e6},
	} {
		r, ok := rows[name]
		if !ok || r.State != want.state || r.Place.Before != want.before || r.Place.After != want.after || r.Change != want.change {
			t.Errorf("%s: got %+v, want %+v", name, r, want)
		}
	}
	if s := c.Speedup; math.Abs(s.Ratio-650/246.) > 1e-9 || s.Lo > s.Ratio || s.Hi < s.Ratio || s.Lo < 2 || s.Hi > 4 {
		t.Errorf("got a speedup of %+v", s)
	}
	if rows["b = slow(a, 10)"].Old != "b = slow(a, 100)" {
		t.Errorf("got %+v", rows["b = slow(a, 10)"])
	}
	var b strings.Builder
	if err := c.WriteText(&b, 2); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"In[9], was In[3]: 246 ms, was 650 ms, -62.2 %", "faster", "-360 ms", "In[3]:2 -> In[9]:3", "b = slow(a, 10)   was: b = slow(a, 100)", "and 2 more rows, +50.0 ms", "2 rows as before"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// TestEdited: a line that is gone became, of the lines that are new and that none before it became,
// the first of those that have most words in common with it, if it is six of ten.
func TestEdited(t *testing.T) {
	common := func(a, b string) float64 {
		x, y, n := strings.Fields(a), strings.Fields(b), 0
		for _, w := range x {
			if i := slices.Index(y, w); i >= 0 {
				y, n = slices.Delete(y, i, i+1), n+1
			}
		}
		return 2 * float64(n) / float64(len(x)+n+len(y))
	}
	edited := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 41))
		text := func() (lines []string) {
			for len(lines) < 12 {
				var words []string
				for range 1 + r.IntN(7) {
					words = append(words, string(rune('a'+r.IntN(2+int(seed%9)))))
				}
				if line := strings.Join(words, " "); !slices.Contains(lines, line) {
					lines = append(lines, line)
				}
			}
			return lines
		}
		before, after := text(), text()
		want := make(map[string]string)
		fresh := slices.DeleteFunc(slices.Clone(after), func(l string) bool { return slices.Contains(before, l) })
		for _, l := range before {
			if slices.Contains(after, l) {
				continue
			}
			best := -1
			for i, m := range fresh {
				if c := common(l, m); c >= 0.6 && (best < 0 || c > common(l, fresh[best])) {
					best = i
				}
			}
			if best >= 0 {
				want[fresh[best]] = l
				fresh = slices.Delete(fresh, best, best+1)
			}
		}
		of := func(lines []string) []*profiler.Stats {
			return []*profiler.Stats{cellOf("In[1]", strings.Join(lines, "\n"), slices.Repeat([]int{5}, len(lines))...)}
		}
		got := make(map[string]string)
		for name, row := range tableOf(t, compare.Compare(of(before), of(after)), compare.LinesThatRan) {
			if row.Old != "" {
				got[name] = row.Old
				edited++
			}
		}
		if !maps.Equal(got, want) {
			t.Fatalf("seed %d: %q became %q: got %v, want %v", seed, before, after, got, want)
		}
	}
	if edited < 300 {
		t.Errorf("only %d lines were edited", edited)
	}
}

// halves is the histogram of calls of which half took the least time, and half the most.
func halves() profiler.Histogram {
	h := make(profiler.Histogram, 200)
	h[0], h[len(h)-1] = 50, 50
	return h
}

// TestMargins: a node spreads as its calls do, and so does the only line that made it, of however
// many operations it is fused and from however many lines it is called.
func TestMargins(t *testing.T) {
	of := func(parts, sites int) []*profiler.Stats {
		frames := []graph.Frame{{File: "In[1]", Line: 1}}
		n := &profiler.Node{Key: "k", Op: "op", Text: "op(x)", Origin: profiler.Origin{Frames: frames}, Calls: 100, Time: 100e3, Min: 500, Max: 1500,
			Hist: halves()}
		for range parts {
			n.Parts = append(n.Parts, profiler.Part{Origin: n.Origin, Op: "part", Share: 1 / float64(parts)})
		}
		s := &profiler.Stats{Functions: []*profiler.Function{{Name: "f", Calls: 100, Runs: 100, RunTime: 100e3, CallTime: 100e3, Nodes: []*profiler.Node{n}}}}
		c := &profiler.Cell{Name: "In[2]", Wall: 100e3}
		for i := range sites {
			c.Spots = append(c.Spots, profiler.Spot{Kind: profiler.CompiledFunctions, Name: "f", File: "In[2]", Line: i + 1, Time: c.Wall / time.Duration(sites)})
		}
		s.SetCell(c)
		s.CalledBy(s.Cell)
		return []*profiler.Stats{s}
	}
	// half of the calls take 500 ns, half of them 1500
	want := 1.96 * math.Sqrt(2*100) * 1000 / 2.56
	for _, tt := range [][2]int{{0, 0}, {0, 1}, {4, 1}, {0, 4}, {4, 5}} {
		p := of(tt[0], tt[1])
		c := compare.Compare(p, p)
		for _, name := range []string{compare.Nodes, compare.LinesOfGraphs} {
			for _, r := range tableOf(t, c, name) {
				if math.Abs(r.Margin-want) > 1e-6*want {
					t.Errorf("%d parts, %d sites: %s: got a margin of %g ns, want %g", tt[0], tt[1], name, r.Margin, want)
				}
			}
		}
	}
}

// TestLinesThatCall: a line that calls a function has its text, though the profile of the function
// does not.
func TestLinesThatCall(t *testing.T) {
	of := func(name string) []*profiler.Stats {
		cell := cellOf(name, "print(1)\nf(x)\n", 9)
		cell.Cell.ID, cell.Cell.Wall = name, 39*ms
		cell.Cell.Spots = append(cell.Cell.Spots, profiler.Spot{Kind: profiler.CompiledFunctions, Name: "f", File: name, Line: 2, Time: 30 * ms})
		f := &profiler.Stats{Functions: []*profiler.Function{{Name: "f", Calls: 1, CallTime: 30e6}}}
		f.CalledBy(cell.Cell)
		return []*profiler.Stats{cell, f}
	}
	rows := tableOf(t, compare.Compare(of("In[3]"), of("In[7]")), compare.LinesThatRan)
	if r := rows["f(x)"]; r.State != compare.Same || r.Place != (compare.Places{Before: "In[3]:2", After: "In[7]:2"}) || len(rows) != 2 {
		t.Errorf("got %+v", rows)
	}
}

// TestItself: nothing changed from a profile to itself, whatever is in it, and the rows of each
// table add up to the change of the whole.
func TestItself(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 10))
		of := func() *profiler.Stats {
			s := profilertest.Random(r)
			c := profilertest.RandomCell(r, s)
			c.Measure([]*profiler.Stats{s})
			s.SetCell(c)
			return s
		}
		p, q := of(), of()
		same := compare.Compare([]*profiler.Stats{p}, []*profiler.Stats{p})
		for _, table := range same.Tables {
			for _, row := range table.Rows {
				if row.State != compare.Same || math.Abs(row.Change) > 1 {
					t.Errorf("seed %d: %s: %+v", seed, table.Name, row)
				}
			}
		}
		c := compare.Compare([]*profiler.Stats{p}, []*profiler.Stats{nil, q})
		for _, table := range c.Tables {
			var sum compare.Pair
			for _, row := range table.Rows {
				sum.Before, sum.After = sum.Before+row.Time.Before, sum.After+row.Time.After
			}
			if table.Name == compare.SpentIn && (math.Abs(sum.Before-c.Wall.Before) > 1 || math.Abs(sum.After-c.Wall.After) > 1) {
				t.Errorf("seed %d: %s: got %+v, want %+v", seed, table.Name, sum, c.Wall)
			}
		}
		if _, err := json.Marshal(c); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if err := c.WriteText(new(strings.Builder), -1); err != nil {
			t.Error(err)
		}
	}
	none := compare.Compare(nil, nil)
	if len(none.Tables) > 0 {
		t.Errorf("got %+v of nothing", none)
	}
}

// TestCalls: a function that was called twice as often is no slower for that, and one whose nodes
// take twice as long is; what spreads more than it changed is the same.
func TestCalls(t *testing.T) {
	of := func(calls int64, each, spread float64) *profiler.Stats {
		s := profilertest.Training(t, true).Clone()
		f := s.Functions[0]
		was := float64(f.Calls)
		for _, n := range f.Nodes {
			per := n.Time / float64(n.Calls)
			n.Calls, n.Time = calls, float64(calls)*per*each
			n.Min, n.Max, n.Hist = per*each*(1-spread), per*each*(1+spread), nil
			if spread > 0 {
				n.Hist = halves()
			}
			n.Slow, n.SlowTime = 0, 0
		}
		f.RunTime, f.CallTime = f.RunTime/was*float64(calls)*each, f.CallTime/was*float64(calls)*each
		f.Calls, f.Runs, f.Untraced, f.Unmeasured, f.Slow, f.LoopSlow = calls, calls, 0, 0, 0, 0
		return s
	}
	states := func(a, b *profiler.Stats) map[compare.State]int {
		n := make(map[compare.State]int)
		for _, r := range tableOf(t, compare.Compare([]*profiler.Stats{a}, []*profiler.Stats{b}), compare.Nodes) {
			n[r.State]++
		}
		return n
	}
	if got := states(of(100, 1, 0), of(200, 1, 0)); got[compare.Same] == 0 || len(got) != 1 {
		t.Errorf("twice the calls: got %v, want all the same", got)
	}
	if got := states(of(100, 1, 0), of(150, 2, 0)); got[compare.Slower] == 0 || len(got) != 1 {
		t.Errorf("twice the time: got %v, want all slower", got)
	}
	if got := states(of(100, 1, 0.5), of(100, 1.05, 0.5)); got[compare.Same] == 0 || len(got) != 1 {
		t.Errorf("less than chance: got %v, want all the same", got)
	}
	if got := states(of(100, 1, 0.5), of(100, 1.2, 0.5)); got[compare.Slower] == 0 || len(got) != 1 {
		t.Errorf("more than chance: got %v, want all slower", got)
	}
	if got := states(of(100, 2, 0), of(100, 1, 0)); got[compare.Faster] == 0 || len(got) != 1 {
		t.Errorf("half the time: got %v, want all faster", got)
	}
}

// TestShortCells: of a cell that was too short to be sampled no line is known, and so none is gone.
func TestShortCells(t *testing.T) {
	sampled, short := new(profiler.Stats), new(profiler.Stats)
	sampled.SetCell(&profiler.Cell{Name: "In[2]", Wall: time.Second, Spots: []profiler.Spot{
		{Kind: profiler.Numpy, Name: "np.sin", File: "In[2]", Line: 3, Time: 900 * time.Millisecond}}})
	short.SetCell(&profiler.Cell{Name: "In[3]", Wall: 10 * time.Millisecond})
	for _, of := range [][2]*profiler.Stats{{sampled, short}, {short, sampled}} {
		c := compare.Compare([]*profiler.Stats{of[0]}, []*profiler.Stats{of[1]})
		for _, table := range c.Tables {
			if table.Name == compare.LinesThatRan || table.Name == compare.SpentIn {
				t.Errorf("got %v", table)
			}
		}
		if c.Wall.Before == 0 || c.Wall.After == 0 {
			t.Errorf("got times of %v", c.Wall)
		}
	}
}

// TestFunctions: functions that no cell called are compared too, each call once; beside a cell they
// are not all that ran.
func TestFunctions(t *testing.T) {
	of := func(f, g float64) []*profiler.Stats {
		s := &profiler.Stats{Functions: []*profiler.Function{{ID: "1", Name: "f", Calls: 10, CallTime: f, Until: 9}, {ID: "2", Name: "g", Calls: 10, CallTime: g, Until: 9}}}
		return []*profiler.Stats{s, s.Clone()} // which was shown twice
	}
	c := compare.Compare(of(40e6, 20e6), of(20e6, 20e6))
	rows := tableOf(t, c, compare.SpentIn)
	if c.Wall != (compare.Pair{Before: 60e6, After: 40e6}) || len(rows) != 2 || rows["f"].State != compare.Faster || rows["g"].State != compare.Same || rows["f"].Calls != (compare.Calls{Before: 10, After: 10}) {
		t.Errorf("got %+v with %+v", c, rows)
	}
	cell := []*profiler.Stats{cellOf("In[2]", "a = b", 60)}
	if rows := tableOf(t, compare.Compare(cell, of(40e6, 20e6)), compare.SpentIn); len(rows) > 0 {
		t.Errorf("got %+v", rows)
	}
}

// TestTextOfAnything: no name of a file moves the cursor, and no time of 0 makes a share of it.
func TestTextOfAnything(t *testing.T) {
	of := func(ns float64) []*profiler.Stats {
		n := &profiler.Node{Key: "k", Op: "op", Text: "op(x)", Calls: 10, Time: ns}
		n.Origin.Frames = []graph.Frame{{File: "a\x1b[2J\n\u202eb.star", Line: 7}}
		return []*profiler.Stats{{Functions: []*profiler.Function{{Name: "f", Calls: 10, Runs: 10, RunTime: ns, CallTime: ns, Nodes: []*profiler.Node{n}}}}}
	}
	for _, of := range [][2][]*profiler.Stats{{of(0), of(5e6)}, {of(5e6), of(0)}, {of(5e6), nil}, {nil, of(5e6)}, {of(9e6), of(5e6)}} {
		var b strings.Builder
		if err := compare.Compare(of[0], of[1]).WriteText(&b, -1); err != nil {
			t.Fatal(err)
		}
		if text := b.String(); strings.Contains(text, "Inf") || strings.Contains(text, "NaN") || strings.ContainsAny(text, "\x1b\u202e") || strings.Contains(text, "\n b.star") ||
			strings.Contains(text, "\nb.star") || !strings.Contains(text, ".star:7") {
			t.Errorf("got\n%q", text)
		}
	}
}
