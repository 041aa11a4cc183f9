package profile_test

import (
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestProfileOfChangingLengths: operations are counted by the lengths of each run, also where they
// change though the shapes of all arguments stay, in calls that fail, and in calls that nobody
// profiles.
func TestProfileOfChangingLengths(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	got, _ := starlibtest.Run(t, s, 1, `x, n, k = T.vector("x"), T.lscalar("n"), T.vector("k")
f = function([x, n, k], [(T.tanh(T.exp(x[:n])) * k).sum()], profile = "lengths", mode = Mode().excluding("fusion", "inplace"))
a = np.ones(100)
lengths = [5, 5, 9, 9, 100, 100, 3, 3, 3, 50, 5]
for m in lengths:
    f(a, m, np.ones(m))
nodes = [row for row in f.profile.nodes() if "tanh" in row.op]
[len(nodes), nodes[0].calls, nodes[0].flops == 30.0 * sum(lengths), nodes[0].flops]`)
	if got != "[1, 11, True, 8760.0]" {
		t.Errorf("got %s, want 11 calls of one node, and 30 operations for each of 292 elements", got)
	}
	// A call that fails after its lengths changed leaves arrays behind that the next call uses.
	if _, _, err := s.Execute(t.Context(), 2, "f(a, 7, np.ones(6))", nil); err == nil {
		t.Fatal("a call whose shapes do not fit succeeded")
	}
	got, _ = starlibtest.Run(t, s, 3, `f(a, 7, np.ones(7))
nodes = [row for row in f.profile.nodes() if "tanh" in row.op]
[nodes[0].calls, nodes[0].flops, f.profile.functions()[0].failed]`)
	if got != "[12, 8970.0, 1]" {
		t.Errorf("got %s, want 12 calls, 30 operations for each of 299 elements, and a failed call", got)
	}
}
