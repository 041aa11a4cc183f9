package np_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// smallCalls are calls of small arrays, with the allocations that each may make: what holds for
// every call of the kind shows in these.
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
