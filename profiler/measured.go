package profiler

import "time"

// Measure gives the compiled functions of a cell the time that their calls were measured to take,
// and all else the time beside it, divided as it was sampled: a clock of milliseconds meets
// short calls only in proportion. Then a function has the same time in the rows of the cell and in
// its profile, all is the profiles of the functions that the cell called, and the spots add up to
// the wall time. A function that no tick met has a spot without a line. Of calls that are left out
// as warmup nothing was measured: such a function has what was sampled, if that is more. Where the
// calls together took longer than the cell, on several threads or one inside the other, all is left
// as it was sampled.
func (c *Cell) Measure(all []*Stats) {
	if !c.Sampled() {
		return
	}
	called, ignored := make(map[string]time.Duration), make(map[string]bool)
	var names []string
	for _, s := range all {
		for _, f := range s.Clone().Functions {
			if _, ok := called[f.Title()]; !ok {
				names = append(names, f.Title())
			}
			called[f.Title()] += time.Duration(f.CallTime + f.FailedTime)
			ignored[f.Title()] = ignored[f.Title()] || f.Ignored > 0
		}
	}
	c.Spots = c.spots()
	sampled := make(map[string]time.Duration)
	var whole, own time.Duration
	for _, s := range c.Spots {
		whole += s.Time
		if s.Kind == CompiledFunctions {
			sampled[s.Name] += s.Time
			own += s.Time
		}
	}
	if rest := c.Wall - whole; rest > 0 {
		c.Spots = append(c.Spots, Spot{Kind: Rest, Time: rest})
	}
	want := own
	for _, name := range names {
		if ignored[name] {
			called[name] = max(called[name], sampled[name])
		}
		want += called[name] - sampled[name]
	}
	if want > c.Wall || own == c.Wall { // nothing else could have the difference
		return
	}
	others := float64(c.Wall-want) / float64(c.Wall-own)
	c.Spots = scaled(c.Spots, func(s Spot) float64 {
		took, ok := called[s.Name]
		switch {
		case s.Kind != CompiledFunctions:
			return others
		case !ok:
			return 1
		}
		return float64(took) / float64(sampled[s.Name])
	})
	for _, name := range names {
		if sampled[name] == 0 && called[name] > 0 {
			c.Spots = append(c.Spots, Spot{Kind: CompiledFunctions, Name: name, Time: called[name]})
		}
	}
}
