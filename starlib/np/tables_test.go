package np_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/np"
)

// TestNumPyCovers checks that names are there once.
func TestNumPyCovers(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range np.Tables()["np."] {
		if seen[b.Name] || b.Doc == "" || !strings.Contains(b.Example, b.Name) {
			t.Errorf("np.%s is there twice, or lacks documentation: %q, %q", b.Name, b.Doc, b.Example)
		}
		seen[b.Name] = true
	}
}
