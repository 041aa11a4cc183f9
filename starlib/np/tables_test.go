package np

import (
	"slices"
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
}
