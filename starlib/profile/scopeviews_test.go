package profile_test

import (
	"math"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/compare"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

const scopedProgram = `x = T.dmatrix("x")
W, V = shared(np.ones((60, 60)), name="W"), shared(np.ones((60, 30)), name="V")
with named_scope("encoder"):
    h = T.tanh(T.dot(x, W))
    with named_scope("inner"):
        h = T.exp(-h)
with named_scope("head"):
    y = T.dot(h, V).sum()
f = function([x], y, name="f")
for i in range(60):
    f(np.ones((100, 60)))`

// TestScopesInViews: scopes stand in the brief text, in what is compared and in the tables of
// memory, and nowhere if there are none.
func TestScopesInViews(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 1, "import numpy as np\nimport theano.tensor as T\nfrom theano import function, shared")
	const without = "z = T.dmatrix('z')\ng = function([z], T.exp(z).sum(), name='g')\nfor i in range(60):\n    g(np.ones((100, 60)))"
	with, plain := profiler.Sum(profilesOf(t, s, "%%profile memory=True\n"+scopedProgram)...), profiler.Sum(profilesOf(t, s, "%%profile memory=True\n"+without)...)
	views := func(p *profiler.Stats) (brief, full, page string) {
		brief, err := text.Of(p, text.Options{Layout: text.Arignote, Brief: true})
		if err != nil {
			t.Fatal(err)
		}
		full, err = text.Of(p, text.Options{Layout: text.Arignote, Memory: true})
		if err != nil {
			t.Fatal(err)
		}
		return brief, full, panel.HTML([]*profiler.Stats{p}, panel.Options{Open: true})
	}
	brief, full, page := views(with)
	for _, want := range []string{"Scopes, each with those in it\n", " encoder\n", "   inner\n", " head\n"} {
		if !strings.Contains(brief, want) {
			t.Errorf("the brief text has no %q:\n%s", want, brief)
		}
	}
	_, outputs, _ := strings.Cut(full, "\nOutputs\n")
	for _, want := range []string{" scope", " encoder", " encoder/inner", " head"} {
		if !strings.Contains(outputs, want) {
			t.Errorf("the outputs have no %q:\n%s", want, outputs)
		}
	}
	if _, outputs, _ := strings.Cut(page, "Outputs"); !strings.Contains(outputs, ">scope<") || !strings.Contains(outputs, "encoder/inner") {
		t.Error("the outputs of the panel have no scopes")
	}
	if brief, full, _ := views(plain); strings.Contains(brief, "Scopes") || strings.Contains(full, " scope") {
		t.Errorf("a profile without scopes speaks of them:\n%s\n%s", brief, full)
	}

	tables := make(map[string]compare.Table)
	for _, table := range compare.Compare([]*profiler.Stats{plain}, []*profiler.Stats{with}).Tables {
		tables[table.Name] = table
	}
	steady := with.Steady()
	total := steady.Total()
	sum := 0.0
	names := make(map[string]compare.State)
	for _, r := range tables[compare.Scopes].Rows {
		sum += r.Time.After
		names[r.Name] = r.State
	}
	if names["encoder"] != compare.New || names["encoder/inner"] != compare.New || names["head"] != compare.New {
		t.Errorf("compared are %v", names)
	}
	if nodes := total.ThunkTime(); math.Abs(sum-nodes) > 0.01*nodes {
		t.Errorf("compared scopes have %g ns, the nodes %g", sum, nodes)
	}
	for _, table := range compare.Compare([]*profiler.Stats{plain}, []*profiler.Stats{plain}).Tables {
		if table.Name == compare.Scopes {
			t.Error("profiles without scopes are compared by them")
		}
	}
}
