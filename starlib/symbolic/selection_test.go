package symbolic_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/config"
)

// TestChoices: the flags know the modes, optimizers and linkers that there are, and no other.
func TestChoices(t *testing.T) {
	for _, c := range []struct {
		flag  string
		names []string
	}{{"optimizer", compile.OptimizerNames()}, {"linker", compile.LinkerNames()}} {
		f, _ := config.Lookup(c.flag)
		got := slices.Sorted(slices.Values(f.Choices))
		if slices.Sort(c.names); !slices.Equal(got, c.names) {
			t.Errorf("%s: the flag takes %v, there are %v", c.flag, got, c.names)
		}
	}
	mode, _ := config.Lookup("mode")
	for _, name := range compile.ModeNames() {
		if text, err := mode.Check(name); err != nil || !slices.Contains(mode.Choices, text.(string)) {
			t.Errorf("mode %s: got %v, %v", name, text, err)
		}
	}
	for _, name := range mode.Choices {
		if !slices.Contains(compile.ModeNames(), name) {
			t.Errorf("the flag takes the mode %s, which there is not", name)
		}
	}
}

// TestLinkersOfC: with the linkers that need the kernels in C every optimizer gives what it gives
// without, and where they were not built the error says which linker does not.
func TestLinkersOfC(t *testing.T) {
	for _, linker := range []string{"c", "c_nogc", "c_gc", "c&py", "c&go", "c&py_nogc"} {
		for _, optimizer := range compile.OptimizerNames() {
			s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
			_, _, err := s.Execute(context.Background(), 1, fmt.Sprintf(`x = T.dmatrix("x")
f = function([x], T.exp(T.dot(x, x.T)).sum(axis = 0) - T.log(1 + T.exp(x)).sum(), mode = Mode(%q, %q))
r = f([[0.5, 1.0], [0.25, 0.0]])
v = np.array([[0.5, 1.0], [0.25, 0.0]])
assert np.allclose(r, np.exp(np.dot(v, v.T)).sum(axis = 0) - np.log(1 + np.exp(v)).sum(), 1e-12), str(r)`, linker, optimizer), nil)
			base, _, _ := strings.Cut(strings.Replace(linker, "c&py", "c&go", 1), "_")
			if err != nil && !strings.Contains(err.Error(), "linker "+base+": this program was built without the C kernels") {
				t.Errorf("%s, %s: %v", linker, optimizer, err)
			}
		}
	}
}
