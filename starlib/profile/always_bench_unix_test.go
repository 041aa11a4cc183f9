//go:build unix

package profile_test

import (
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// alwaysCells are cells of some tenth of a second each, with what they need.
var alwaysCells = []struct{ name, before, code string }{
	{"numbers", "", "def loop(n):\n    s = 0\n    for i in range(n):\n        s = s + i * 3 % 7\n    return s\nloop(12000000)"},
	{"np_short", "a, b = np.ones(10), np.ones(10)", "for i in range(250000):\n    c = a + b\n    c[3] = 2.0\n"},
	{"function_1us", "x = T.dvector('x')\ny = x\nfor i in range(3): y = T.tanh(y)\nf = function([x], y, mode=Mode().excluding('fusion'))\na = np.ones(300)",
		"for i in range(70000): f(a)"},
	{"function_scalar", "x = T.dscalar('x')\nf = function([x], x * 2)", "for i in range(300000): f(2.0)"},
	{"training", `X, Y = np.random.randn(64, 100), np.random.randn(64)
x, t = T.dmatrix('x'), T.dvector('t')
w, v = shared(np.random.randn(100, 50) * 0.1, name='w'), shared(np.random.randn(50) * 0.1, name='v')
cost = T.mean((T.dot(T.tanh(T.dot(x, w)), v) - t) ** 2)
train = function([x, t], cost, updates=[(p, p - 0.01 * T.grad(cost, p)) for p in [w, v]])`,
		"hist = []\nfor epoch in range(3000):\n    hist.append(float(train(X, Y)))\n"},
	{"text", "words = [('word%d' % (i * 7919 % 1000)) for i in range(20000)]",
		"for k in range(20):\n    counts = {}\n    for w in words:\n        w = w.upper().replace('O', '0')\n        counts[w] = counts.get(w, 0) + 1\n    text = ', '.join(sorted(counts))\n"},
	{"np_long", "A = np.random.randn(1200, 1200)", "B = A.dot(A).dot(A).dot(A)"},
}

// BenchmarkAlways is how many times longer cells take that are glanced at and whose calls are
// counted, with profiling.always: the median of the rounds, in which the ways take turns, and so of
// the time that the process had of the processors, which others disturb less; and the ratio of the
// least of these. "off-again" is the same as what it is compared with.
func BenchmarkAlways(b *testing.B) {
	ways := []string{"off", "off-again", "on"}
	for _, c := range alwaysCells {
		b.Run(c.name, func(b *testing.B) {
			s := starlibtest.NewSession(b)
			count := 0
			run := func(code string) {
				count++
				if _, _, err := s.Execute(b.Context(), count, code, nil); err != nil {
					b.Fatal(err)
				}
			}
			run(c.before)
			wall, cpu := make([][]float64, len(ways)), make([][]float64, len(ways))
			for round := 0; b.Loop(); round++ {
				for i := range ways {
					way := (i + round) % len(ways)
					run(fmt.Sprintf("config.profiling.always = %s", map[bool]string{true: "True", false: "False"}[ways[way] == "on"]))
					used, began := processTime(), time.Now()
					run(c.code)
					wall[way] = append(wall[way], time.Since(began).Seconds())
					cpu[way] = append(cpu[way], (processTime() - used).Seconds())
				}
			}
			b.ReportMetric(slices.Min(wall[0])*1e3, "off-ms")
			for way, name := range ways[1:] {
				b.ReportMetric(medianRatio(wall[way+1], wall[0]), name+"-ratio")
				b.ReportMetric(medianRatio(cpu[way+1], cpu[0]), name+"-cpu-ratio")
				b.ReportMetric(slices.Min(cpu[way+1])/slices.Min(cpu[0]), name+"-cpu-least-ratio")
			}
		})
	}
}

// BenchmarkGlance is what a glance costs the code that it meets, four calls deep: it is due every 5
// ms.
func BenchmarkGlance(b *testing.B) {
	glances := value.Builtin{Name: "glances", Fn: func(thread *starlark.Thread, _ *value.Builtin, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		host := value.HostOf(thread)
		place := host.SamplerPlace()
		for b.Loop() {
			place.Look()
			value.SamplerOf(host).Leave("function", "glances")
		}
		return starlark.None, nil
	}}
	s := starlib.NewSession(starlib.Options{Dir: b.TempDir(), Predeclared: starlark.StringDict{"glances": glances.Value()}})
	if _, _, err := s.Execute(b.Context(), 1, "def f(): glances()\ndef g(): f()\ndef h(): g()\nh()", nil); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkAlwaysCell is a cell that does nothing, with and without.
func BenchmarkAlwaysCell(b *testing.B) {
	for _, way := range []string{"False", "True"} {
		b.Run(way, func(b *testing.B) {
			s := starlibtest.NewSession(b)
			count := 0
			run := func(code string) {
				count++
				if _, _, err := s.Execute(b.Context(), count, code, nil); err != nil {
					b.Fatal(err)
				}
			}
			run("config.profiling.always = " + way)
			for b.Loop() {
				run("x = 1")
			}
		})
	}
}

func processTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// medianRatio is the median of what a takes for b, round by round.
func medianRatio(a, b []float64) float64 {
	ratios := make([]float64, len(a))
	for i := range a {
		ratios[i] = a[i] / b[i]
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2]
}
