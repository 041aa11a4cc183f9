package np

import (
	"slices"
	"strings"
	"testing"
)

// TestNumPyCovers checks that names are there once, and either there or known to be missing.
func TestNumPyCovers(t *testing.T) {
	seen := map[string]bool{}
	each(func(u *ufunc, doc, example string) {
		if seen[u.name] || doc == "" || !strings.HasPrefix(example, "np."+u.name+"(") {
			t.Errorf("np.%s is there twice, or lacks documentation: %q, %q", u.name, doc, example)
		}
		seen[u.name] = true
	})
	for name := range byName() {
		if slices.Contains(strings.Fields(missingNumPy), name) {
			t.Errorf("%s is there and in missingNumPy", name)
		}
	}
	for _, names := range []string{missingNumPy, missingRandom} {
		list := strings.Fields(names)
		slices.Sort(list)
		if len(slices.Compact(list)) != len(strings.Fields(names)) {
			t.Error("a missing name is there twice")
		}
	}
	for _, k := range []*randomKind{stateKind, newKind, randomKindOfModule} {
		for _, b := range k.table(nil) {
			if slices.Contains(strings.Fields(k.missing), b.Name) {
				t.Errorf("%s%s is there and missing", k.prefix, b.Name)
			}
		}
	}
}
