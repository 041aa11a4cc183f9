package rewrite

import (
	"math/rand/v2"
	"testing"

	"github.com/arignote/arignote/runtime/graph"
)

// passedOver is a rule that a mask keeps from v's node although it applies there; nil if there is
// none.
func passedOver(x *Index, v *graph.Variable) *Rule {
	have := kinOfOperands(v.Owner)
	for _, i := range x.of(v.Owner.Op) {
		if r := x.rules[i]; r.lacks(have) && applyRule(r, v) != nil {
			return r
		}
	}
	return nil
}

// TestKins: no rule that a mask passes over applies, at any node of random graphs and at none that
// rules make of them.
func TestKins(t *testing.T) {
	all := NewIndex(Rules())
	wrong := *goRuleNamed("local_dimshuffle_dimshuffle")
	wrong.needs = ofDots
	broken := NewIndex([]*Rule{&wrong})
	found := false
	n := 600
	if testing.Short() {
		n = 150
	}
	for seed := range uint64(n) {
		rng := rand.New(rand.NewPCG(seed, 12))
		fg, _ := randomGraph(rng, 3+rng.IntN(15))
		var met []*graph.Variable
		for _, node := range fg.Toposort() {
			met = append(met, node.Outputs...)
		}
		p := &PassProfile{OnRewrite: func(r Replacement) { met = append(met, r.Old, r.New) }}
		if _, err := FixedPoint(fg, Rules(), p); err != nil {
			t.Fatal(err)
		}
		for _, v := range met {
			if v.Owner == nil || len(v.Owner.Outputs) > 1 {
				continue
			}
			if r := passedOver(all, v); r != nil {
				t.Fatalf("seed %d: %v applies to %v and is passed over", seed, r, v.Owner)
			}
			found = found || passedOver(broken, v) != nil
		}
	}
	if !found {
		t.Error("a mask that is wrong was not found")
	}
}

func goRuleNamed(name string) *Rule {
	for _, r := range goRules {
		if r.Name == name {
			return r
		}
	}
	panic("no rule " + name)
}
