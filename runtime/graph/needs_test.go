package graph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

func parseNeeds(t *testing.T, src string) (*graph.FunctionGraph, map[string]*graph.Variable) {
	t.Helper()
	fg, err := graph.Parse("test", src, op.Lookup)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	named := make(map[string]*graph.Variable)
	for _, node := range fg.Toposort() {
		for _, v := range append(node.Inputs, node.Outputs...) {
			named[v.Name] = v
		}
	}
	return fg, named
}

// TestNeeds: what a branch needs, what two choices need, and what an inner condition needs.
func TestNeeds(t *testing.T) {
	fg, named := parseNeeds(t, `func f(c bool, d bool, x float64)
	a = exp x
	b = sin a
	e = cos x
	s = gt e 0.0
	i = tanh x
	j = ifelse{n=1} s i a
	k = ifelse{n=1} c j b
	l = ifelse{n=1} d a 0.0
	m = add k l
	return m
`)
	needs := graph.FindNeeds(fg.Results())
	if !needs.Lazy() {
		t.Fatal("nothing is lazy")
	}
	for name, want := range map[string]func(c, d, s bool) bool{
		"a": func(c, d, s bool) bool { return !c || !s || d },
		"b": func(c, d, s bool) bool { return !c },
		"e": func(c, d, s bool) bool { return c },
		"i": func(c, d, s bool) bool { return c && s },
		"j": func(c, d, s bool) bool { return c },
		"k": func(c, d, s bool) bool { return true },
		"m": func(c, d, s bool) bool { return true },
	} {
		for bits := range 8 {
			c, d, s := bits&1 != 0, bits&2 != 0, bits&4 != 0
			truth := map[*graph.Variable]bool{named["c"]: c, named["d"]: d, named["s"]: s}
			if got := needs.OfVariable(named[name]).Holds(func(v *graph.Variable) bool { return truth[v] }); got != want(c, d, s) {
				t.Errorf("%s is needed: got %v for c=%v d=%v s=%v", name, got, c, d, s)
			}
		}
	}
	if needs.OfVariable(named["m"]) != graph.Always || needs.OfVariable(named["x"]) != graph.Always {
		t.Error("what is needed always is not Always")
	}
	checkOrder(t, needs)
	// c holds, and so what is left to ask for i is s.
	if g := needs.Given(needs.OfVariable(named["i"]), needs.OfVariable(named["j"])); g.Cond != named["s"] || g.Then != graph.Always || g.Else != graph.Never {
		t.Errorf("got %+v, want s", g)
	}
}

// checkOrder: operands and conditions come before a node.
func checkOrder(t *testing.T, needs *graph.Needs) {
	t.Helper()
	at := make(map[*graph.Apply]int)
	for i, n := range needs.Order {
		at[n] = i
	}
	for i, n := range needs.Order {
		for _, v := range append(slices.Clone(n.Inputs), needs.Conditions(needs.Of(n))...) {
			if v.Owner == nil {
				continue
			}
			if j, ok := at[v.Owner]; !ok || j >= i {
				t.Errorf("%v comes before %v", n, v.Owner)
			}
		}
	}
}

// TestNeedsCircle: f decides about g in one case, and g about f in another: no order asks in time
// for both, and one is computed without asking.
func TestNeedsCircle(t *testing.T) {
	fg, named := parseNeeds(t, `func f(p bool, q bool, x float64)
	f = exp x
	g = sin x
	cf = gt f 0.0
	cg = gt g 0.0
	i = ifelse{n=1} cf g 0.0
	j = ifelse{n=1} cg f 0.0
	k = ifelse{n=1} p i 0.0
	l = ifelse{n=1} q j 0.0
	m = add k l
	return m
`)
	needs := graph.FindNeeds(fg.Results())
	checkOrder(t, needs)
	asks := func(name, cond string) bool {
		return slices.Contains(needs.Conditions(needs.OfVariable(named[name])), named[cond])
	}
	if asks("f", "cg") == asks("g", "cf") {
		t.Errorf("f asks for g: %v, and g for f: %v; want one of the two", asks("f", "cg"), asks("g", "cf"))
	}
	for _, name := range []string{"f", "g"} {
		if needs.OfVariable(named[name]).Holds(func(*graph.Variable) bool { return false }) {
			t.Errorf("%s is needed where neither p nor q holds", name)
		}
	}
}

// TestNeedsMany: a graph of many choices is done with soon, and without any the order is that of
// Toposort.
func TestNeedsMany(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	src := "func f(x float64"
	for i := range 40 {
		src += fmt.Sprint(", c", i, " bool")
	}
	src += ")\n"
	values := []string{"x"}
	pick := func() string { return values[len(values)-1-r.IntN(min(len(values), 12))] }
	for i := range 2000 {
		v := fmt.Sprint("v", i)
		if r.IntN(2) == 0 {
			src += fmt.Sprintf("\t%s = ifelse{n=1} c%d %s %s\n", v, r.IntN(40), pick(), pick())
		} else {
			src += fmt.Sprintf("\t%s = add %s %s\n", v, pick(), pick())
		}
		values = append(values, v)
	}
	fg, _ := parseNeeds(t, src+"\treturn v1999\n")
	checkOrder(t, graph.FindNeeds(fg.Results()))

	plain, _ := parseNeeds(t, "func f(x float64)\n\ta = exp x\n\tb = sin a\n\tc = add b a\n\treturn c\n")
	if needs := graph.FindNeeds(plain.Results()); needs.Lazy() || !slices.Equal(needs.Order, plain.Toposort()) || needs.Of(needs.Order[0]) != graph.Always {
		t.Error("a graph without choices has another order, or is lazy")
	}
}
