package compile

import (
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/runtime/rewrite"
)

// registered registers rules in the form "place: rule".
func registered(t *testing.T, list ...string) (rules []Registered) {
	t.Helper()
	for _, text := range list {
		place, text, _ := strings.Cut(text, "|")
		var p Placement
		switch kind, at, _ := strings.Cut(place, "="); kind {
		case "phase":
			p.Phase = at
		case "after":
			p.After = at
		case "before":
			p.Before = at
		}
		parsed, err := rewrite.ParseRule(text, "In[1]:1")
		if err != nil {
			t.Fatal(err)
		}
		r, err := Register(parsed, []string{"mine"}, p, rules)
		if err != nil {
			t.Fatal(err)
		}
		rules = With(rules, r)
	}
	return rules
}

// planned are the passes of a query, each with the users' rules that it applies.
func planned(t *testing.T, q Query) string {
	t.Helper()
	plan, err := q.plan()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, s := range plan {
		var rules []string
		for _, r := range s.rules {
			if slices.Contains(r.Tags, User) {
				rules = append(rules, r.Name)
			}
		}
		if len(rules) > 0 {
			list = append(list, s.name+"("+strings.Join(rules, " ")+")")
		}
	}
	return strings.Join(list, " ")
}

// TestPlacement: a rule is applied where it was put, by the passes that apply the group's others
// too, and is selected as any other.
func TestPlacement(t *testing.T) {
	rules := registered(t, "|a: x * 1 => x", "phase=specialize|b: x * 1 => x", "after=local_log1p|c: x * 1 => x", "before=BlasOpt|d: x * 1 => x", "after=merge3|e [e_tag]: x * 1 => x")
	for _, c := range []struct {
		q    Query
		want string
	}{
		{Query{Optimizer: "fast_run"}, "canonicalize(a) stabilize(a c) specialize(a c b) d(d) e(e)"},
		{Query{Optimizer: "fast_run", Exclude: []string{"a", "e_tag"}}, "stabilize(c) specialize(c b) d(d)"},
		{Query{Optimizer: "fast_run", Exclude: []string{"user"}}, ""},
		{Query{Optimizer: "fast_run", Exclude: []string{"mine"}}, ""},
		{Query{Optimizer: "fast_run", Exclude: []string{"canonicalize"}}, "stabilize(c) specialize(c b) d(d) e(e)"},
		{Query{Optimizer: "fast_compile"}, "canonicalize(a) stabilize(a c)"},
		{Query{Optimizer: "None"}, ""},
		{Query{Optimizer: "None", Include: []string{"c", "d"}}, "stabilize(c) d(d)"},
		{Query{Optimizer: "fast_run", Require: []string{"mine"}}, "canonicalize(a) stabilize(a c) specialize(a c b) d(d) e(e)"},
	} {
		c.q.Rules = rules
		if got := planned(t, c.q); got != c.want {
			t.Errorf("%+v\ngot  %s\nwant %s", c.q, got, c.want)
		}
	}
	if got := planned(t, Query{Optimizer: "fast_run"}); got != "" {
		t.Errorf("another compilation has %s", got)
	}
	if err := (Query{Require: []string{"a"}}).Check(); err == nil {
		t.Error("another compilation knows the name of the rule")
	}
}

// TestRulesAreReplaced: a rule of the same name takes the place of the one before; what it stands
// beside may be gone.
func TestRulesAreReplaced(t *testing.T) {
	rules := registered(t, "|a: x * 1 => x", "before=a|b: x * 1 => x", "phase=stabilize|a: x / 1 => x")
	if len(rules) != 2 || rules[0].Rules[0].Text != "x / 1 => x" || rules[0].Place() != "phase=stabilize" {
		t.Errorf("got %+v", rules)
	}
	if got := planned(t, Query{Optimizer: "fast_run", Rules: rules[1:]}); got != "canonicalize(b) stabilize(b) specialize(b)" {
		t.Errorf("got %s", got)
	}
	if got := len(With(rules, rules[1])); got != 2 {
		t.Errorf("got %d rules", got)
	}
}
