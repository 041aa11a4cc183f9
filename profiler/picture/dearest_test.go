package picture

import (
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
)

// TestDearest: of random graphs the dearest nodes are drawn, and one can be reached from another
// along the arrows if and only if its result is used on the way there.
func TestDearest(t *testing.T) {
	arrows, joined := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		f := &profiler.Function{Name: "f", Calls: 3}
		for i := range 2 + r.IntN(40) {
			n := &profiler.Node{ID: i, Op: fmt.Sprintf("Op%d<&>", i), Impl: "C", Calls: 3, Time: float64(r.IntN(1000)), Out: []int{i}}
			for range r.IntN(3) {
				if i > 0 {
					n.In = append(n.In, r.IntN(i))
				}
			}
			n.In = append(n.In, 1000+i) // an input of the function
			f.Nodes = append(f.Nodes, n)
		}
		part, ok := Dearest(f, 7, 100)
		if !ok {
			t.Fatalf("seed %d: nothing is drawn of %d nodes", seed, len(f.Nodes))
		}
		var times []float64
		for _, n := range f.Nodes {
			times = append(times, n.Time)
		}
		slices.Sort(times)
		slices.Reverse(times)
		least := times[part.Nodes-1]
		var shown []int
		for i, n := range f.Nodes {
			drawn := strings.Contains(part.SVG, fmt.Sprintf(">#%d ", 100+i))
			if drawn {
				shown = append(shown, i)
			}
			if drawn && n.Time < least || !drawn && n.Time > least {
				t.Errorf("seed %d: node %d of %g is drawn: %v, the last is of %g", seed, i, n.Time, drawn, least)
			}
		}
		if len(shown) != part.Nodes || part.Nodes > 7 || part.Fraction <= 0 || part.Fraction > 1+1e-9 {
			t.Errorf("seed %d: %d of %d nodes, %g of the time", seed, len(shown), part.Nodes, part.Fraction)
		}
		in := joins(f, shown)
		along := reaches(len(shown), func(k int) []int { return in[k] })
		uses := reaches(len(f.Nodes), func(i int) []int {
			return slices.DeleteFunc(slices.Clone(f.Nodes[i].In), func(v int) bool { return v >= 1000 })
		})
		for a, i := range shown {
			arrows += len(in[a])
			for b, j := range shown {
				if along[a][b] != uses[i][j] {
					t.Errorf("seed %d: node %d uses the result of %d: %v, and the arrows say %v", seed, i, j, uses[i][j], along[a][b])
				}
				if along[a][b] {
					joined++
				}
			}
		}
		if got := strings.Count(part.SVG, `stroke-width="1.2"/>`); got < len(shown) {
			t.Errorf("seed %d: %d lines", seed, got)
		}
		for d := xml.NewDecoder(strings.NewReader(part.SVG)); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
	if arrows < 500 || arrows >= joined {
		t.Errorf("%d arrows for %d pairs: want fewer, and some", arrows, joined)
	}
	for name, f := range map[string]*profiler.Function{"empty": {}, "idle": {Nodes: []*profiler.Node{{Op: "a", Out: []int{0}}}},
		"a circle": {Nodes: []*profiler.Node{{Op: "a", Time: 1, In: []int{1}, Out: []int{0}}, {Op: "b", Time: 1, In: []int{0}, Out: []int{1}}}}} {
		if part, ok := Dearest(f, 15, 0); ok && name != "a circle" || ok && part.Nodes != 2 {
			t.Errorf("%s: got %d nodes", name, part.Nodes)
		}
	}
}

// reaches says from which of n nodes which can be reached, one step back being those that back has.
func reaches(n int, back func(i int) []int) [][]bool {
	all := make([][]bool, n)
	for i := range n { // steps lead to lower numbers
		all[i] = make([]bool, n)
		for _, j := range back(i) {
			all[i][j] = true
			for k, ok := range all[j] {
				all[i][k] = all[i][k] || ok
			}
		}
	}
	return all
}
