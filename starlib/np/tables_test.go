package np

import (
	"strings"
	"testing"
)

// TestNumPyCovers checks that names are there once.
func TestNumPyCovers(t *testing.T) {
	seen := map[string]bool{}
	each(func(u *ufunc, doc, example string) {
		if seen[u.name] || doc == "" || !strings.HasPrefix(example, "np."+u.name+"(") {
			t.Errorf("np.%s is there twice, or lacks documentation: %q, %q", u.name, doc, example)
		}
		seen[u.name] = true
	})
}
