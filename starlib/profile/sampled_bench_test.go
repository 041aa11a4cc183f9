package profile_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// BenchmarkSampledRatio is how many times longer cells of many small operations of np take under
// %%profile: the median of the rounds, in which the ways take turns. "off-again" is the same as
// what it is compared with.
func BenchmarkSampledRatio(b *testing.B) {
	for _, op := range []string{"a + b", "x[3]", "x[3] = 1.0", "x[3:5]", "np.sin(a)"} {
		b.Run(op, func(b *testing.B) {
			s := starlibtest.NewSession(b)
			if _, _, err := s.Execute(b.Context(), 1, "from time import perf_counter\na, b, x = np.ones(10), np.ones(10), np.ones(10)", nil); err != nil {
				b.Fatal(err)
			}
			ways := []string{"", "", "%%profile show=none\n"}
			times := make([][]float64, len(ways))
			cell := func(way string) float64 {
				code := fmt.Sprintf(`%sdef loop():
    for i in range(10000):
        %s
def times():
    began, all = perf_counter(), []
    while perf_counter() < began + 0.3: # until the clock is relied on
        loop()
    for i in range(50):
        began = perf_counter()
        loop()
        all.append(perf_counter() - began)
    return sorted(all)[25]
times()`, way, op)
				data, _, err := s.Execute(b.Context(), 2, code, nil)
				if err != nil {
					b.Fatal(err)
				}
				t, err := strconv.ParseFloat(fmt.Sprint(data["text/plain"]), 64)
				if err != nil {
					b.Fatal(err)
				}
				return t
			}
			for round := 0; b.Loop(); round++ {
				for i := range ways {
					way := (i + round) % len(ways)
					times[way] = append(times[way], cell(ways[way]))
				}
			}
			b.ReportMetric(slices.Min(times[0])*1e5, "off-ns/op")
			for way, name := range []string{1: "off-again", 2: "profile"} {
				if name == "" {
					continue
				}
				ratios := make([]float64, len(times[0]))
				for round := range ratios {
					ratios[round] = times[way][round] / times[0][round]
				}
				slices.Sort(ratios)
				b.ReportMetric(ratios[len(ratios)/2], name+"-ratio")
			}
		})
	}
}
