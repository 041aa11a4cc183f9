package rewrite

import (
	"strings"
	"testing"
	"time"
)

// TestGrowing: rules that make ever more nodes are stopped soon, and leave no graph that the next
// pass would let grow by as much again.
func TestGrowing(t *testing.T) {
	rules, err := ParseRule("grows: sin(x) => sin(x + x) * sin(x + x + 1)", "In[1]:1")
	if err != nil {
		t.Fatal(err)
	}
	fg := mustParse(t, "func(x float64[?])\n\tv1 = sin x\n\tv2 = add v1 float64[1](1)\n\treturn v2\n")
	start := time.Now()
	for range 3 {
		p := &PassProfile{}
		if fg, err = FixedPoint(fg, append(rules, Rules()...), p); err != nil || !strings.Contains(p.Warning, "grows") || len(fg.Toposort()) != 2 {
			t.Fatalf("got %d nodes, %q, %v", len(fg.Toposort()), p.Warning, err)
		}
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}
