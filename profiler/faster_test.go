package profiler_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/runtime/graph"
)

// TestIfFaster: a line has its own time and that of what it calls, once however it calls itself.
func TestIfFaster(t *testing.T) {
	const ms = time.Millisecond
	at := func(line int) graph.Frame { return graph.Frame{File: "In[1]", Line: line} }
	spot := func(line int, took time.Duration, outer ...graph.Frame) profiler.Spot {
		return profiler.Spot{Kind: profiler.Starlark, File: "In[1]", Line: line, Time: took, Outer: outer}
	}
	c := &profiler.Cell{Name: "In[1]", Wall: 100 * ms, Spots: []profiler.Spot{
		spot(2, 30*ms, at(5)), spot(2, 10*ms, at(6)), spot(3, 20*ms, at(5), at(2)), spot(3, 5*ms, at(3)), spot(5, 15*ms),
		{Kind: profiler.Rest, Time: 20 * ms}}}
	want := []profiler.Faster{
		{"In[1]", 5, 65 * ms, 51250 * time.Microsecond, 35 * ms}, {"In[1]", 2, 60 * ms, 55 * ms, 40 * ms},
		{"In[1]", 3, 25 * ms, 81250 * time.Microsecond, 75 * ms}, {"In[1]", 6, 10 * ms, 92500 * time.Microsecond, 90 * ms}}
	got := c.IfFaster(4)
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %v, want %v", got[i], want[i])
		}
	}
	if (*profiler.Cell)(nil).IfFaster(2) != nil || (&profiler.Cell{Wall: ms}).IfFaster(2) != nil {
		t.Error("got rows of a cell of which no line is known")
	}
}

// TestIfFasterRandom: whatever the cell, a line has at least the time that it is priced with, and
// nothing is saved that was not spent.
func TestIfFasterRandom(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 3))
		c := profilertest.RandomCell(r, profilertest.Random(r))
		own := make(map[graph.Frame]time.Duration)
		for _, l := range c.Lines() {
			if l.Time > 0 { // others have hits alone
				own[graph.Frame{File: l.File, Line: l.Line}] = l.Time
			}
		}
		for _, f := range c.IfFaster(2) {
			key := graph.Frame{File: f.File, Line: f.Line}
			if f.Time < own[key] || f.Gone < -time.Microsecond || f.Then < f.Gone || f.Then > c.Wall || 2*f.Then-f.Gone-c.Wall > 2 || 2*f.Then-f.Gone-c.Wall < -2 {
				t.Errorf("seed %d: got %+v of a cell of %v, with %v of its own", seed, f, c.Wall, own[key])
			}
			delete(own, key)
		}
		if len(own) > 0 && c.Sampled() {
			t.Errorf("seed %d: nothing is said of %v", seed, own)
		}
	}
}
