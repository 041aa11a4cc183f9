package lower_test

import (
	"slices"
	"strings"
	"testing"
)

// failuresBegin is what the statements that fail stand after.
const failuresBegin = `class E1(Exception): pass
class E2(E1):
    def __init__(self, x):
        self.x = x
class E3(LookupError): pass
class Ctx:
    def __init__(self, n, swallow): pass
class A:
    def __init__(self, n): self.n = n
    def add(self, x): return x
    def deep(self, x): return x
    @property
    def prop(self): return 1
class B(A): pass
v = 3
`

// TestFailures runs the statements that fail one by one: the classes of the errors are CPython's,
// and the messages tell of the same.
func TestFailures(t *testing.T) {
	p := startPython(t)
	for _, failure := range slices.Concat(failures, foundEarly) {
		program := failuresBegin + strings.ReplaceAll(failure, "{v}", "v") + "\n"
		got, want, differs := differsFrom(t, p, program)
		if want.err == "" {
			t.Errorf("%s: does not fail", failure)
		}
		if differs {
			t.Errorf("%s\ngot  %q %s\nwant %q %s", failure, got.out, got.err, want.out, want.err)
		}
	}
}
