//go:build !race

package np_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestSmallCalls: calls of small arrays allocate no more than they did. The race detector empties
// the pools of kernels at random.
func TestSmallCalls(t *testing.T) {
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
