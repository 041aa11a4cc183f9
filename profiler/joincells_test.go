package profiler_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
)

// TestSumHasAllCells: a sum has the time, the lines, the memory and the hits of all cells.
func TestSumHasAllCells(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 12))
		var all []*profiler.Stats
		var wall time.Duration
		var allocated, hits, peak int64
		lines := map[[2]any]time.Duration{}
		for range 1 + r.IntN(4) {
			s := profilertest.Random(r)
			c := profilertest.RandomCell(r, s)
			s.SetCell(c)
			s.CalledBy(c)
			all = append(all, s)
			wall += c.Wall
			for _, l := range c.Lines() {
				lines[[2]any{l.File, l.Line}] += l.Time
				hits += l.Hits
			}
			allocated += c.Memory.Total().Allocated
			if c.Memory != nil {
				peak = max(peak, c.Memory.Peak)
			}
		}
		sum := profiler.Sum(all...).Cell
		if sum.Wall != wall || sum.Memory.Total().Allocated != allocated || sum.Memory != nil && sum.Memory.Peak != peak {
			t.Fatalf("seed %d: got %v, %d bytes, want %v, %d bytes, peak %d", seed, sum.Wall, sum.Memory.Total().Allocated, wall, allocated, peak)
		}
		if at := sum.Memory.Total().AtPeak; len(all) > 1 && sum.Memory != nil && at > peak {
			t.Errorf("seed %d: lines have %d bytes at the peak of %d", seed, at, peak)
		}
		var got int64
		for _, l := range sum.Lines() {
			got += l.Hits
			if diff := (l.Time - lines[[2]any{l.File, l.Line}]).Abs(); diff > 100 {
				t.Errorf("seed %d: %s:%d has %v, want %v", seed, l.File, l.Line, l.Time, lines[[2]any{l.File, l.Line}])
			}
		}
		if got != hits {
			t.Errorf("seed %d: got %d hits, want %d", seed, got, hits)
		}
		var rows time.Duration
		for _, row := range sum.Rows() {
			rows += row.Time
		}
		if diff := (rows - wall).Abs(); diff > time.Microsecond {
			t.Errorf("seed %d: rows have %v of %v", seed, rows, wall)
		}
		// Its stacks are those of the cells, each function in one.
		stacks := func(list []profiler.Stack) (ns float64) {
			for _, x := range list {
				ns += x.Time
			}
			return ns
		}
		if a, b := stacks(profiler.Stacks(profiler.Sum(all...))), stacks(profiler.Stacks(all...)); len(all) > 1 && (a-b > 0.01*b || b-a > 0.01*b) {
			t.Errorf("seed %d: stacks of the sum have %g, those of all %g", seed, a, b)
		}
	}
}

// TestMergedMemoryHasAllCopies: a line that ran in two cells has the copies of both, by reason, and
// the profiles that were merged stay what they are.
func TestMergedMemoryHasAllCopies(t *testing.T) {
	of := func(copies ...profiler.CopyMemory) *profiler.Stats {
		s := profiler.NewStats(profiler.Options{Name: "p"})
		s.SetCell(&profiler.Cell{Name: "In[1]", Wall: time.Second, Memory: &profiler.CellMemory{Peak: 100,
			Lines: []profiler.LineMemory{{File: "In[1]", Line: 1, Allocated: 100, Blocks: 9, Copies: copies}}}})
		return s
	}
	a := of(profiler.CopyMemory{Why: "copy", Bytes: 10, Blocks: 1})
	b := of(profiler.CopyMemory{Why: "copy", Bytes: 20, Blocks: 2}, profiler.CopyMemory{Why: "transposed", Bytes: 30, Blocks: 3})
	for range 2 { // once more: nothing was added to a or b
		got := profiler.Sum(a, b).Cell.Memory.Lines[0].Copies
		want := []profiler.CopyMemory{{Why: "copy", Bytes: 30, Blocks: 3}, {Why: "transposed", Bytes: 30, Blocks: 3}}
		if !slices.Equal(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	if got := a.Clone().Cell.Memory.Lines[0].Copies; len(got) != 1 || got[0].Bytes != 10 {
		t.Errorf("the first profile has %+v now", got)
	}
}
