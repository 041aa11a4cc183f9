package np

import (
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/runtime/op"
)

// TestNumPyCovers checks that every elementwise operation has NumPy's name or is known
// to have none.
func TestNumPyCovers(t *testing.T) {
	for e := range op.Rows {
		_, isCast := e.IsCast()
		_, named := elementwise[e]
		if others := isCast || slices.Contains(notNumPy, e); named == others {
			t.Errorf("%s: in npElemwise %v, elsewhere %v", e.Name(), named, others)
		}
	}
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
