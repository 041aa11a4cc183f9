package profile_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// A keeper keeps what is displayed.
type keeper struct {
	starlibtest.Recorder
	shown map[string]any
}

func (k *keeper) Display(data, meta map[string]any, id string, update bool) { k.shown = data }

// TestRewriteProfile: a cell's profile tells what the rewrites did and declined, and what the
// gradient took, as text and as data.
func TestRewriteProfile(t *testing.T) {
	s := starlibtest.NewSession(t)
	out := &keeper{}
	_, _, err := s.Execute(context.Background(), 4, `%%profile rewrites=True optimizer_excluding=inplace show=text
x = T.matrix("x")
w = shared(np.ones([5, 5]), "w")
h = T.tanh(T.dot(x, w))
m = T.exp(h.reshape([2, 2, 5])).sum(axis=1)
cost = T.sqr(h).sum() + T.sqr(m).sum()
g = grad(cost, w)
f = function([x], cost, updates=[(w, w - 0.1 * g)], name="train")
f(np.ones([4, 5]))
`, out)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := out.shown["text/plain"].(string)
	for _, want := range []string{"Rewriter Profile", "train: 0.", "fusion.op: In[4]:4:", "is not fused with exp(reshape(...)) (In[4]:5)"} {
		if !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwant %s", text, want)
		}
	}
	data, _ := json.Marshal(out.shown["application/vnd.arignote.profile+json"])
	var all []*profiler.Stats
	if err := json.Unmarshal(data, &all); err != nil || len(all) != 1 {
		t.Fatalf("got %v, %v", all, err)
	}
	f := all[0].Functions[0]
	if len(f.Compile.Grads) != 1 || f.Compile.Grads[0].Place != "In[4]:7:9" || f.ToFirstCall() <= float64(f.Compile.Total) {
		t.Errorf("got %+v", f.Compile)
	}
	skipped := 0
	for _, p := range f.Rewrites {
		if p.Skipped != "" {
			skipped++
		}
	}
	if skipped != 2 || len(profiler.AllDeclined(f.Rewrites)) == 0 {
		t.Errorf("got %d passes that did not run, %+v", skipped, f.Rewrites)
	}
	for _, n := range f.Nodes {
		sum := 0.0
		for p := range n.Shares() {
			sum += p.Share
		}
		if sum < 1-1e-9 || sum > 1+1e-9 {
			t.Errorf("%s: the shares add up to %g", n.Text, sum)
		}
	}
}
