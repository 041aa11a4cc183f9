package profiler_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/runtime/exec"
)

// BenchmarkProfileRatio is how many times longer a program of nodes of about a microsecond takes
// with a profile, and with one of memory too. The ways run in turn; what is reported is the median
// of the rounds. Two more programs without a profile, so that the ratio of what is equal can be
// seen, stand beside them.
func BenchmarkProfileRatio(b *testing.B) {
	const nodes, runs, length = 20, 5, 256
	var src strings.Builder
	src.WriteString("func f(v0 float64[?])\n")
	for i := range nodes {
		fmt.Fprintf(&src, "\tv%d = tanh v%d\n", i+1, i)
	}
	fmt.Fprintf(&src, "\treturn v%d", nodes)
	ways := []struct {
		name  string
		stats *profiler.Stats
	}{
		{"plain", nil}, {"plain-ratio", nil},
		{"profile-ratio", profiler.NewStats(profiler.Options{})},
		{"memory-ratio", profiler.NewStats(profiler.Options{Memory: true})},
	}
	var programs []*exec.Program
	var tracers []exec.Tracer
	for _, w := range ways {
		p := profilertest.Linked(b, src.String())
		programs, tracers = append(programs, p), append(tracers, w.stats.Add(profiler.FunctionInfo{Program: p}).Tracer())
	}
	in := profilertest.Vectors(1, length)
	times := make([][]float64, len(ways)) // by way: of the rounds, in nanoseconds a node
	for round := 0; b.Loop(); round++ {
		for i := range ways {
			way := (i + round) % len(ways)
			start := time.Now()
			for range runs {
				if _, err := programs[way].Run(in, nil, tracers[way]); err != nil {
					b.Fatal(err)
				}
			}
			times[way] = append(times[way], float64(time.Since(start).Nanoseconds())/runs/nodes)
		}
	}
	median := func(list []float64) float64 {
		slices.Sort(list)
		return list[len(list)/2]
	}
	ratios := make([][]float64, len(ways))
	for way := range ways {
		for i, ns := range times[way] {
			ratios[way] = append(ratios[way], ns/times[0][i])
		}
	}
	b.ReportMetric(median(times[0]), "plain-ns/node")
	for way, w := range ways[1:] {
		b.ReportMetric(median(ratios[way+1]), w.name)
	}
}
