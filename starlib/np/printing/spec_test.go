package printing_test

import (
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestSpec runs the cells of testdata.
func TestSpec(t *testing.T) { starlibtest.Spec(t) }
