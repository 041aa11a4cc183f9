package rewrite

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
)

// TestSettled: what rules leave is a fixed point: asked again of all nodes by somebody who
// remembers nothing, none applies, and those that decline say what they said. A rule that looks at
// clients without saying so would be trusted too long.
func TestSettled(t *testing.T) {
	seeds, changed := uint64(1500), 0
	if testing.Short() {
		seeds = 300
	}
	var graphs []*graph.FunctionGraph
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if strings.HasSuffix(f.Name, " before") {
				graphs = append(graphs, mustParse(t, string(f.Data)))
			}
		}
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 34))
		fg, _ := randomGraph(rng, 3+rng.IntN(25))
		graphs = append(graphs, fg)
	}
	tell := func(p *PassProfile) []history.Declined {
		p.Tell(func(history.Declined) bool { return true })
		return p.Declined
	}
	for i, fg := range graphs {
		if fg, err = Merge(fg, &PassProfile{}); err != nil {
			t.Fatal(err)
		}
		for _, last := range groupOrder[3:] {
			var rules []*Rule
			for _, r := range Rules() {
				late := slices.Index(groupOrder, r.Group) > slices.Index(groupOrder, last)
				if !late && !slices.Contains(r.Tags, Unsafe) {
					rules = append(rules, r)
				}
			}
			p, again := &PassProfile{}, &PassProfile{}
			before := fg
			if fg, err = FixedPoint(fg, rules, p); err != nil || p.Warning != "" {
				break // which TestRandomGraphs is about
			}
			changed += p.Changes
			after, err := FixedPoint(fg, rules, again)
			if err != nil {
				t.Fatal(err)
			}
			if after != fg {
				t.Fatalf("graph %d, %s: %v still apply to\n%s\nwhich was\n%s", i, last, again.Fired(), fg, before)
			}
			if got, want := tell(p), tell(again); !slices.Equal(got, want) || p.Untold != again.Untold {
				t.Fatalf("graph %d, %s: declined %v, and then %v, of\n%s", i, last, got, want, fg)
			}
		}
	}
	if changed < 1000 {
		t.Errorf("only %d replacements: the graphs are too simple to test anything", changed)
	}
}

// TestSettledIsRemembered: a later pass tries the rules only that may decide otherwise than before.
func TestSettledIsRemembered(t *testing.T) {
	fg := mustParse(t, `func(x float64[?], y float64[?])
	v1 = add x y
	v2 = tanh v1
	v3 = sigmoid v2
	v4 = mul v3 v2
	return v4
`)
	upTo := func(last string) *Index {
		return NewIndex(slices.DeleteFunc(slices.Clone(Rules()), func(r *Rule) bool {
			return slices.Index(groupOrder, r.Group) > slices.Index(groupOrder, last)
		}))
	}
	tried := func(x *Index, c *Census) (list []string) {
		p := &PassProfile{Census: c}
		if _, err := x.FixedPoint(fg, p); err != nil || p.Changes > 0 {
			t.Fatalf("%d changes, %v", p.Changes, err)
		}
		for _, r := range p.Rules {
			list = append(list, r.Name+" "+r.Where)
		}
		return list
	}
	census := NewCensus()
	first, second := upTo(groupCanonicalize), upTo(groupStabilize)
	before := tried(first, census)
	anew, after := tried(second, nil), tried(second, census)
	again := 0
	for _, name := range anew {
		had, has := slices.Contains(before, name), slices.Contains(after, name)
		switch {
		case !had && !has:
			t.Errorf("%s is new and was not tried", name)
		case had && has:
			again++
		}
	}
	if 4*again > len(before) {
		t.Errorf("%d of %d rules were tried again: %v", again, len(before), after)
	}
	if list := tried(second, census); len(list) > again {
		t.Errorf("the same pass tries %v again", list)
	}
}
