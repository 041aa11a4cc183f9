package np_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// smallCalls are calls of small arrays, with the allocations that each may make: what holds for every call of the kind shows in these.
var smallCalls = []struct {
	call   string
	allocs float64
}{
	{"np.zeros(4)", 8},
	{"np.add(a, b)", 12},
	{"a + b", 8},
	{"np.concatenate([a, b])", 25},
	{"np.transpose(m)", 7},
	{"np.reshape(a, (2, 2))", 10},
	{"np.sum(a)", 11},
	{"a.sum()", 11},
	{"a[1:3]", 12},
	{"np.asarray(a)", 3},
	{"np.clip(a, 0, 1)", 33},
}

const smallSetup = "a = np.arange(4.0)\nb = np.ones(4)\nm = np.ones((2, 2))\n"

// TestSmallCalls: calls of small arrays allocate no more than they did.
func TestSmallCalls(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector, which runs short tests, empties the pools of kernels at random")
	}
	const n = 100
	for _, c := range smallCalls {
		s := starlibtest.NewSession(t)
		run := func(code string) {
			if _, _, err := s.Execute(context.Background(), 1, code, nil); err != nil {
				t.Fatalf("%s: %v", c.call, err)
			}
		}
		run(smallSetup + fmt.Sprintf("def loop(n):\n    for i in range(n):\n        %s\n", c.call))
		few := testing.AllocsPerRun(10, func() { run("loop(10)") })
		many := testing.AllocsPerRun(10, func() { run(fmt.Sprintf("loop(%d)", n+10)) })
		if got := (many - few) / n; got > c.allocs+0.5 {
			t.Errorf("%s: got %.1f allocations, want at most %v", c.call, got, c.allocs)
		}
	}
}

// BenchmarkSmallCalls is what they cost.
func BenchmarkSmallCalls(b *testing.B) {
	for _, c := range smallCalls {
		b.Run(c.call, func(b *testing.B) {
			s := starlibtest.NewSession(b)
			code := smallSetup + fmt.Sprintf("def loop(n):\n    for i in range(n):\n        %s\n", c.call)
			if _, _, err := s.Execute(context.Background(), 1, code, nil); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			if _, _, err := s.Execute(context.Background(), 2, fmt.Sprintf("loop(%d)", b.N), nil); err != nil {
				b.Fatal(err)
			}
		})
	}
}
