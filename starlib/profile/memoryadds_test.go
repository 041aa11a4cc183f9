package profile_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/arignote/arignote/runtime/memory"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// memoryStatements make arrays of all kinds: new ones, views, copies that are asked for and others.
var memoryStatements = []string{
	"NAME = np.ones((ROWS, 40))", "NAME = NAME * 1.5", "NAME = NAME.T.copy()", "NAME = NAME.astype('float32')", "NAME = np.sort(NAME, axis=0)",
	"NAME = NAME.T.reshape(-1, 40)", "NAME += 1", "kept.append(NAME[:7])", "kept.append(np.concatenate([NAME, NAME]))", "NAME = f(np.ones((ROWS, 40)))",
	"NAME = fill(ROWS)", "del kept[:1]", "NAME = np.exp(NAME)",
}

// TestMemoryAddsUp: whatever a cell does, the lines have all that the allocator gave out, at the
// peak and when the cell is over, and no more copies than they allocated.
func TestMemoryAddsUp(t *testing.T) {
	tried := 12
	if testing.Short() {
		tried = 4
	}
	copied := int64(0)
	for seed := range tried {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		s := starlib.NewSession(starlib.Options{})
		starlibtest.Run(t, s, 1, "import numpy as np\nx = T.dmatrix('x')\nf = function([x], T.tanh(x) + 1, name='f')\ndef fill(n):\n    return np.zeros((n, 40))\nkept = []")
		var code strings.Builder
		for _, name := range []string{"a", "b"} {
			fmt.Fprintf(&code, "%s = np.ones((%d, 40))\n", name, 200+r.IntN(900))
		}
		fmt.Fprintf(&code, "for i in range(%d):\n", 2+r.IntN(5))
		for range 3 + r.IntN(6) {
			fill := strings.NewReplacer("NAME", []string{"a", "b"}[r.IntN(2)], "ROWS", fmt.Sprint(200+r.IntN(900)))
			fmt.Fprintf(&code, "    %s\n", fill.Replace(memoryStatements[r.IntN(len(memoryStatements))]))
		}
		memory.Collect()
		before, _ := memory.InUse()
		m, _ := memoryOf(t, s, code.String())
		memory.Collect()
		after, _ := memory.InUse()
		runtime.KeepAlive(s)
		total := m.Total()
		if total.AtPeak != m.Peak {
			t.Errorf("seed %d: the lines have %d at the peak of %d\n%s", seed, total.AtPeak, m.Peak, code.String())
		}
		if total.Kept != after-before {
			t.Errorf("seed %d: the lines keep %d, the allocator has %d more\n%s", seed, total.Kept, after-before, code.String())
		}
		most := int64(0)
		for _, p := range m.Series {
			most = max(most, p.Bytes)
		}
		if most != m.Peak {
			t.Errorf("seed %d: over time there were %d at most, want %d", seed, most, m.Peak)
		}
		for _, l := range m.Lines {
			if l.Copied() > l.Allocated || l.Kept > l.Allocated || l.AtPeak > l.Allocated {
				t.Errorf("seed %d: line %d: %+v", seed, l.Line, l)
			}
			copied += l.Copied()
		}
	}
	if copied == 0 {
		t.Error("no program made a copy")
	}
}

// TestHiddenCopies: a copy that a line does not ask for has its reason, and an array that could be
// written over has the way.
func TestHiddenCopies(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 1, "import numpy as np\nA = np.ones((1000, 300))\nB = np.ones((300, 1000), dtype='float32')\nx = np.ones(100000)")
	out := new(bundles)
	if _, _, err := s.Execute(t.Context(), 2, `%%profile memory=True full=True
C = np.einsum("ij,jk->ik", A, B)
w = A.T.reshape(-1)
q = np.broadcast_to(x[:1000], (300, 1000)).ravel()
s = A.T.copy()
for i in range(9):
    x = x * 1.5
for i in range(9):
    A = np.exp(A)`, out); err != nil {
		t.Fatal(err)
	}
	why := make(map[int]string)
	for _, l := range shownProfiles(t, out)[0].Cell.Memory.Lines {
		why[l.Line] = strings.Join(l.Needless(), "; ")
	}
	for line, want := range map[int]string{2: "converted from float32 to float64", 3: "an operand is transposed", 4: "an operand is broadcast",
		7: "x *= 1.5 writes over", 9: "np.exp(A, out=A) writes over"} {
		if !strings.Contains(why[line], want) {
			t.Errorf("line %d: got %q, want %q", line, why[line], want)
		}
		text, page := out.list()[0].data["text/plain"].(string), out.list()[0].data["text/html"].(string)
		if !strings.Contains(text, want) || !strings.Contains(page, want) {
			t.Errorf("the views do not say %q", want)
		}
	}
	if why[5] != "" {
		t.Errorf("of a copy that was asked for it says %q", why[5])
	}
}
