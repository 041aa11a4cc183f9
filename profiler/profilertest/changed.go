package profilertest

import (
	"time"

	"github.com/arignote/arignote/profiler"
)

// Changed are the profiles of a cell before and after it was edited: a line moved and became
// faster, one slower, one is new, one gone, and one as it was.
func Changed() (before, after []*profiler.Stats) {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	cell := func(name, text string, spots ...profiler.Spot) []*profiler.Stats {
		c := &profiler.Cell{Name: name}
		for i := range spots {
			spots[i].File, spots[i].Func = name, "<toplevel>"
			c.Wall += spots[i].Time
		}
		c.Spots = spots
		s := profiler.NewStats(profiler.Options{Name: name})
		s.AddSource(name, text)
		s.SetCell(c)
		return []*profiler.Stats{s}
	}
	before = cell("In[4]", "y = helper(D)\n\njunk(D)\nfor k in range(100000): pass\ntotal = slow(D)\n",
		profiler.Spot{Kind: profiler.Numpy, Name: "np.exp", Line: 1, Time: ms(600)},
		profiler.Spot{Kind: profiler.Numpy, Name: "np.dot", Line: 3, Time: ms(150)},
		profiler.Spot{Kind: profiler.Starlark, Line: 4, Time: ms(300)},
		profiler.Spot{Kind: profiler.Numpy, Name: "np.sort", Line: 5, Time: ms(200)})
	after = cell("In[7]", "# <script>alert(1)</script>\ny = helper(D, 2)\n\nfor k in range(100000): pass\nextra(D)\ntotal = slow(D)\n",
		profiler.Spot{Kind: profiler.Numpy, Name: "np.exp", Line: 2, Time: ms(240)},
		profiler.Spot{Kind: profiler.Starlark, Line: 4, Time: ms(301)},
		profiler.Spot{Kind: profiler.Numpy, Name: "np.cos", Line: 5, Time: ms(100)},
		profiler.Spot{Kind: profiler.Numpy, Name: "np.sort", Line: 6, Time: ms(500)})
	return before, after
}
