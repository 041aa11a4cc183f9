package profilertest

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/arignote/arignote/profiler"
)

// randomMemory is the memory of up to a dozen lines.
func randomMemory(r *rand.Rand, files []string) *profiler.CellMemory {
	m := &profiler.CellMemory{}
	for i := range r.IntN(12) {
		l := profiler.LineMemory{File: files[r.IntN(len(files))], Line: i, Blocks: 1 + int64(r.IntN(1000)), AtPeak: r.Int64N(1e9), Kept: r.Int64N(1e9)}
		l.Allocated = l.AtPeak + r.Int64N(1e10)
		m.Peak += l.AtPeak
		m.Lines = append(m.Lines, l)
		m.Series = append(m.Series, profiler.MemoryPoint{Until: time.Duration(i+1) * time.Millisecond, Bytes: r.Int64N(m.Peak + 1)})
		m.Names = append(m.Names, profiler.NameMemory{Name: fmt.Sprintf("h<%d>", i), Bytes: l.Kept})
	}
	m.Sort()
	return m
}

// RandomCell is where the time of a cell went that called the functions of s: up to two dozen spots
// of all kinds in few lines, functions that many lines call, lines that call many, lines of the
// cell and of files, and now and then more time than there was, as clocks that are read apart have
// it.
func RandomCell(r *rand.Rand, s *profiler.Stats) *profiler.Cell {
	kinds := []profiler.Kind{profiler.CompiledFunctions, profiler.Compiling, profiler.Numpy, profiler.Numpy, profiler.OtherFunctions, profiler.Starlark, profiler.Rest}
	names := map[profiler.Kind][]string{profiler.Compiling: {"function", "grad", "scan"}, profiler.Numpy: {"np.sin", "np.exp", "ndarray.sum", "np.vectorize", "np.add.reduce"},
		profiler.OtherFunctions: {"time.sleep", "sorted", "a \"b\" <c>", "日本語", "x\ny"}}
	for _, f := range s.Functions {
		names[profiler.CompiledFunctions] = append(names[profiler.CompiledFunctions], f.Title())
	}
	files := []string{"In[3]"}
	for file := range s.Sources {
		files = append(files, file)
	}
	c := &profiler.Cell{Name: "In[3]", Line: 1}
	few := 1 + r.IntN(6)
	for range r.IntN(24) {
		spot := profiler.Spot{Kind: kinds[r.IntN(len(kinds))], Time: time.Duration(1+r.ExpFloat64()*40) * time.Millisecond}
		if list := names[spot.Kind]; len(list) > 0 {
			spot.Name = list[r.IntN(min(len(list), few))]
		} else if spot.Kind == profiler.CompiledFunctions {
			continue
		}
		if r.IntN(8) > 0 && spot.Kind != profiler.Rest {
			spot.File, spot.Line = files[r.IntN(min(len(files), 2))], 1+r.IntN(few)
		}
		c.Spots = append(c.Spots, spot)
		c.Wall += spot.Time
	}
	if r.IntN(3) == 0 {
		c.Memory = randomMemory(r, files)
		c.Before = &profiler.Before{Cell: "In[2]", Wall: time.Duration(1 + r.Int64N(1e9)), Place: "In[2]:3", Change: time.Duration(r.Int64N(2e8) - 1e8),
			State: []string{"new", "gone", "faster", "slower"}[r.IntN(4)]}
	}
	if r.IntN(3) == 0 {
		for i := range 1 + r.IntN(9) {
			c.Hits = append(c.Hits, profiler.LineHits{File: "In[3]", Line: 1 + i, Hits: 1 + int64(r.ExpFloat64()*1e4)})
		}
	}
	c.Wall += time.Duration(r.IntN(30e6))
	if r.IntN(4) == 0 {
		c.Wall = c.Wall * 7 / 10
	}
	c.Wall = max(c.Wall, 1)
	for i := range r.IntN(4) { // of a script
		if i == 0 {
			c.Name = fmt.Sprintf("net%d.star", r.IntN(9))
		}
		c.Cells = append(c.Cells, profiler.Cell{Name: c.Name, Line: 1 + 4*i, Wall: c.Wall / 4, Spots: c.Spots[:len(c.Spots)/4]})
	}
	return c
}
