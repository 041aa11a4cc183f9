package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// TestUpdateRoles: what only new values of shared variables need has the role of an update; what a
// gradient or an output needs keeps its own, whether or not the cost is an output.
func TestUpdateRoles(t *testing.T) {
	for _, c := range []struct{ name, outputs, want string }{
		{"the cost is an output", "return v2", "1 forward, 2 forward, 3 gradient, 4 update, 5 update, 6 update"},
		{"it is not", "return", "1 forward, 2 forward, 3 gradient, 4 update, 5 update, 6 update"},
		{"the new value is one", "return v5", "1 forward, 2 forward, 3 gradient, 4 forward, 5 forward, 6 update"},
	} {
		fg, err := graph.Parse("t", `func f(x float64[?]; w float64[?], n float64)
	v1 = mul x w            # a.star:1:1
	v2 = exp v1             # a.star:2:1
	v3 = mul v2 x           # a.star:3:1
	v4 = mul float64[1](0.1) v3         # a.star:4:1
	v5 = sub w v4           # a.star:5:1
	v6 = add n 1.0          # a.star:6:1
	update w = v5
	update n = v6
	`+c.outputs, op.Lookup)
		if err != nil {
			t.Fatal(err)
		}
		// The third line is what grad() made.
		fg, err = fg.Transform(func(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
			n, err := node.Remake(in)
			if node.Origin().Pos().Line == 3 {
				n, err = node.RemakeAs(in, graph.RoleGradient)
			}
			if err != nil {
				return nil, err
			}
			return n.Outputs, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		marked, err := markUpdates(fg)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range marked.Toposort() {
			got = append(got, fmt.Sprintf("%d %v", n.Origin().Pos().Line, n.Origin().Role))
		}
		slices.Sort(got)
		got = slices.Compact(got)
		if list := strings.Join(got, ", "); list != c.want {
			t.Errorf("%s: got %s, want %s", c.name, list, c.want)
		}
		if len(marked.Toposort()) != len(fg.Toposort()) {
			t.Errorf("%s: got %d nodes, want %d", c.name, len(marked.Toposort()), len(fg.Toposort()))
		}
	}
}
