package profile_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// profileWays are the same function, compiled in sessions with different profiles: "off" in one
// that never heard of profiles; "off-again" is the same once more, so that the ratio of what is
// equal can be seen beside the others; "off-after" is called after profiles were used in its
// session, of the function and of another.
var profileWays = []struct{ name, args, before string }{
	{"off", "", ""},
	{"off-again", "", ""},
	{"off-after", "", `p = profile(lambda: f(a), memory=True)
g = function([x], x + 1, profile=True)
g(a)
g.profile.summary(file="p")
`},
	{"profile", ", profile=True", ""},
	{"memory", ", profile=ProfileStats(memory=True)", ""},
}

// BenchmarkProfileRatio is how many times longer the calls of a function take with a profile, in a
// loop of Starlark, and by how many nanoseconds a call. Its nodes take a microsecond and more, or
// next to nothing. The ways run in turn; what is reported is the median of the rounds.
func BenchmarkProfileRatio(b *testing.B) {
	for _, c := range []struct {
		name                 string
		nodes, length, calls int // in a cell
	}{{"scalar", 1, 1, 20000}, {"1us", 20, 1000, 40}, {"1us_loop", 20, 1000, 400}, {"10us", 20, 10000, 40}} {
		b.Run(c.name, func(b *testing.B) {
			cells := make([]func() time.Duration, len(profileWays))
			for i, w := range profileWays {
				s := starlibtest.NewSession(b)
				cell := func(count int, code string) {
					if _, _, err := s.Execute(b.Context(), count, code, nil); err != nil {
						b.Fatal(err)
					}
				}
				cell(1, fmt.Sprintf(`x = T.dvector("x")
y = x
for i in range(%d): y = T.tanh(y)
f = function([x], y, mode=Mode().excluding("fusion")%s)
a = np.ones(%d)
%sdef loop(n):
    for i in range(n):
        f(a)
loop(3)`, c.nodes, w.args, c.length, w.before))
				cells[i] = func() time.Duration {
					start := time.Now()
					cell(2, fmt.Sprintf("loop(%d)", c.calls))
					return time.Since(start)
				}
			}
			times := make([][]float64, len(cells)) // by way: of the rounds, nanoseconds a node
			for round := 0; b.Loop(); round++ {
				for i := range cells {
					way := (i + round) % len(cells)
					times[way] = append(times[way], float64(cells[way]().Nanoseconds())/float64(c.calls*c.nodes))
				}
			}
			median := func(list []float64) float64 {
				list = slices.Sorted(slices.Values(list))
				return list[len(list)/2]
			}
			b.ReportMetric(median(times[0]), "off-ns/node")
			for way, w := range profileWays[1:] {
				ratios, more := make([]float64, len(times[0])), make([]float64, len(times[0]))
				for round := range ratios {
					ratios[round] = times[way+1][round] / times[0][round]
					more[round] = (times[way+1][round] - times[0][round]) * float64(c.nodes)
				}
				b.ReportMetric(median(ratios), w.name+"-ratio")
				b.ReportMetric(median(more), w.name+"-ns/call")
			}
		})
	}
}
