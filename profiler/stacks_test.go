package profiler_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/runtime/graph"
)

// TestStacks: whatever was measured, stacks add up to the wall time of the cell, those of each row
// of the cell to the row's, and where calls are no longer than the cell, those of a node to its
// time.
func TestStacks(t *testing.T) {
	nodes := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 36))
		s := profilertest.Random(r)
		c := profilertest.RandomCell(r, s)
		if seed%2 == 0 { // as long as what it called, and more
			c.Wall += time.Duration(s.Total().CallTime + s.Total().FailedTime)
		}
		sampled := c.Sampled()
		c.Measure([]*profiler.Stats{s})
		s.SetCell(c)
		stacks := profiler.Stacks(s)
		var sum float64
		byRow := make(map[profiler.CellRow]float64)
		byNode := make(map[*profiler.Node]float64)
		calls := make(map[*profiler.Node]map[int]int64)
		for _, x := range stacks {
			if x.Time < 0 || x.CPU < 0 || x.Calls < 0 {
				t.Fatalf("seed %d: got %+v", seed, x)
			}
			sum += x.Time
			byRow[profiler.CellRow{Kind: x.Kind, Name: x.Name}] += x.Time
			if x.Sample != nil {
				byNode[x.Sample.Node] += x.Time
				if len(x.Sample.Node.Parts) == 0 && len(x.Sample.Node.Inner) == 0 {
					if calls[x.Sample.Node] == nil {
						calls[x.Sample.Node] = make(map[int]int64)
					}
					calls[x.Sample.Node][0] += x.Calls
				}
			}
		}
		if wall := float64(c.Wall); math.Abs(sum-wall) > 1e-9*wall+float64(len(stacks)) {
			t.Errorf("seed %d: stacks take %g ns, the cell %g", seed, sum, wall)
		}
		if sampled {
			for _, row := range c.Rows() {
				if got := byRow[profiler.CellRow{Kind: row.Kind, Name: row.Name}]; math.Abs(got-float64(row.Time)) > 1e-9*float64(row.Time)+float64(len(stacks)) && row.Kind != profiler.Rest {
					t.Errorf("seed %d: %s %q takes %g ns in stacks, %d in its row", seed, row.Kind, row.Name, got, row.Time)
				}
			}
		}
		for n, count := range calls {
			if count[0] != n.Calls {
				t.Errorf("seed %d: %s has %d calls in stacks, %d in its row", seed, n.Text, count[0], n.Calls)
			}
		}
		if sampled && seed%2 == 0 {
			for _, f := range stacks[0].Of.Functions {
				for _, n := range f.Nodes {
					if len(n.Inner) == 0 && byNode[n] != 0 {
						if nodes++; math.Abs(byNode[n]-n.Time) > 1e-6*n.Time+1 {
							t.Errorf("seed %d: %s takes %g ns in stacks, %g in its row", seed, n.Text, byNode[n], n.Time)
						}
					}
				}
			}
		}
	}
	if nodes < 100 {
		t.Errorf("only %d nodes were compared", nodes)
	}
}

// TestStacksOfFunctions: functions that no cell called are as long as their calls.
func TestStacksOfFunctions(t *testing.T) {
	s := profilertest.Training(t, true)
	var sum float64
	for _, x := range profiler.Stacks(nil, s) {
		sum += x.Time
	}
	if total := s.Steady().Total(); math.Abs(sum-total.CallTime) > 1e-6*total.CallTime {
		t.Errorf("got %g ns, the calls took %g", sum, total.CallTime)
	}
	if got := profiler.Stacks(); len(got) > 0 {
		t.Errorf("no profile has %v", got)
	}
}

// TestStacksOfCells: functions are of the cell that they name, wherever their profile stands, and
// others of none.
func TestStacksOfCells(t *testing.T) {
	function := func(name string) *profiler.Stats {
		return &profiler.Stats{Functions: []*profiler.Function{{Name: name, Calls: 1, CallTime: 4e6}}}
	}
	cell := func(name string) *profiler.Cell {
		return &profiler.Cell{Name: name, Wall: 10e6, Spots: []profiler.Spot{{Kind: profiler.CompiledFunctions, Name: "f", File: name, Line: 1, Time: 4e6},
			{Kind: profiler.Numpy, Name: "np.exp", File: name, Line: 2, Time: 6e6}}}
	}
	one, two, other, foreign := function("f"), function("f"), function("g"), function("f")
	one.SetCell(cell("In[1]"))
	one.CalledBy(one.Cell)
	two.SetCell(cell("In[2]"))
	two.CalledBy(two.Cell)
	got := make(map[string]float64)
	sum := 0.0
	for _, x := range profiler.Stacks(one, two, other, foreign) {
		place := ""
		if len(x.Callers) > 0 {
			place = x.Callers[0].File
		}
		got[place+" "+x.Name] += x.Time
		sum += x.Time
	}
	want := map[string]float64{"In[1] f": 4e6, "In[1] np.exp": 6e6, "In[2] f": 4e6, "In[2] np.exp": 6e6, " g": 4e6, " f": 4e6}
	if !maps.Equal(got, want) || sum != 28e6 {
		t.Errorf("got %v, want %v", got, want)
	}
	joined := 0.0
	for _, x := range profiler.Stacks(profiler.Sum(one, two)) {
		joined += x.Time
	}
	if joined != 20e6 {
		t.Errorf("a sum has %g ns, want those of both cells, 20e6", joined)
	}
	// So they are in files whose cells and functions have no identity.
	for _, s := range []*profiler.Stats{one, two} {
		s.Cell.ID, s.Functions[0].Cell = "", ""
	}
	got = make(map[string]float64)
	for _, x := range profiler.Stacks(one, two) {
		got[x.Of.Cell.Name+" "+x.Name] += x.Time
	}
	if want := map[string]float64{"In[1] f": 4e6, "In[1] np.exp": 6e6, "In[2] f": 4e6, "In[2] np.exp": 6e6}; !maps.Equal(got, want) {
		t.Errorf("without identities: got %v, want %v", got, want)
	}
}

// TestStackSource: the text of a line that called is known of each function of the cell, though
// only one profile has it, and a profile's own text is that of its nodes.
func TestStackSource(t *testing.T) {
	function := func(name string, texts ...string) *profiler.Stats {
		s := &profiler.Stats{Functions: []*profiler.Function{{Name: name, Calls: 1, CallTime: 4e6}}}
		for i := 0; i < len(texts); i += 2 {
			s.AddSource(texts[i], texts[i+1])
		}
		return s
	}
	first := function("f", "In[2]", "# two\r\nfor k in x: f(x); g(x)", "In[1]", "a\n")
	second := function("g", "In[1]", "b\n")
	first.SetCell(&profiler.Cell{Name: "In[2]", ID: "c", Wall: 8e6, Spots: []profiler.Spot{
		{Kind: profiler.CompiledFunctions, Name: "f", File: "In[2]", Line: 2, Time: 4e6}, {Kind: profiler.CompiledFunctions, Name: "g", File: "In[2]", Line: 2, Time: 4e6}}})
	first.CalledBy(first.Cell)
	second.CalledBy(first.Cell)
	names := ""
	for _, x := range profiler.Stacks(first, second) {
		names += x.Name
		own := map[string]string{"f": "a", "g": "b"}[x.Name]
		for line, want := range map[graph.Frame]string{x.Line(): "for k in x: f(x); g(x)", {File: "In[2]", Line: 1}: "# two", {File: "In[1]", Line: 1}: own, {File: "In[2]", Line: 3}: "",
			{File: "In[2]"}: "", {File: "In[9]", Line: 1}: ""} {
			if got := x.Source(line); got != want {
				t.Errorf("%s: %s:%d is %q, want %q", x.Name, line.File, line.Line, got, want)
			}
		}
	}
	if names != "fg" {
		t.Errorf("got stacks of %q", names)
	}
}

// TestMeasure: a function has what its calls were measured to take, wherever the clock's ticks
// fell, and the others share the rest as they were sampled.
func TestMeasure(t *testing.T) {
	const ms = time.Millisecond
	cell := func() *profiler.Cell {
		return &profiler.Cell{Name: "In[1]", Wall: 100 * ms, Spots: []profiler.Spot{
			{Kind: profiler.CompiledFunctions, Name: "f", File: "In[1]", Line: 2, Time: 30 * ms},
			{Kind: profiler.CompiledFunctions, Name: "f", File: "In[1]", Line: 4, Time: 10 * ms},
			{Kind: profiler.Numpy, Name: "np.exp", File: "In[1]", Line: 3, Time: 45 * ms},
			{Kind: profiler.Starlark, File: "In[1]", Line: 1, Time: 15 * ms},
		}}
	}
	function := func(name string, ns time.Duration, ignored int64) *profiler.Stats {
		return &profiler.Stats{Functions: []*profiler.Function{{Name: name, Calls: 1, CallTime: float64(ns), Ignored: ignored}}}
	}
	for _, tt := range []struct {
		name string
		all  []*profiler.Stats
		want []time.Duration
	}{
		{"longer", []*profiler.Stats{function("f", 60*ms, 0)}, []time.Duration{45 * ms, 15 * ms, 30 * ms, 10 * ms}},
		{"shorter", []*profiler.Stats{function("f", 20*ms, 0)}, []time.Duration{15 * ms, 5 * ms, 60 * ms, 20 * ms}},
		{"not met", []*profiler.Stats{function("f", 40*ms, 0), function("g", 3*ms, 0)}, []time.Duration{30 * ms, 10 * ms, 42750 * time.Microsecond, 14250 * time.Microsecond, 3 * ms}},
		{"warmup", []*profiler.Stats{function("f", 20*ms, 1)}, []time.Duration{30 * ms, 10 * ms, 45 * ms, 15 * ms}},
		{"too long", []*profiler.Stats{function("f", 101*ms, 0)}, []time.Duration{30 * ms, 10 * ms, 45 * ms, 15 * ms}},
	} {
		c := cell()
		c.Measure(tt.all)
		var got []time.Duration
		for _, s := range c.Spots {
			got = append(got, s.Time.Round(time.Microsecond))
		}
		if len(got) != len(tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
			continue
		}
		for i := range got {
			if got[i] != tt.want[i] {
				t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
				break
			}
		}
	}
}

// TestLinesOfCallers: a line that two calls reach is one row, with one row for each thing that it
// did.
func TestLinesOfCallers(t *testing.T) {
	from := func(line int) []graph.Frame { return []graph.Frame{{File: "In[1]", Line: line}} }
	c := &profiler.Cell{Name: "In[1]", Wall: 3e6, Spots: []profiler.Spot{
		{Kind: profiler.Numpy, Name: "np.exp", File: "In[1]", Line: 2, Time: 1e6, Outer: from(8)},
		{Kind: profiler.Numpy, Name: "np.exp", File: "In[1]", Line: 2, Time: 2e6, Outer: from(9)},
	}}
	if lines := c.Lines(); len(lines) != 1 || len(lines[0].In) != 1 || lines[0].In[0].Time != 3e6 {
		t.Errorf("got %+v, want one line that did one thing", lines)
	}
}
