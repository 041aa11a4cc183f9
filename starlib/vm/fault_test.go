package vm

import (
	"testing"

	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/upstream"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// TestFaults: a fault is of the class that its text stands for.
func TestFaults(t *testing.T) {
	for _, f := range []value.Fault{
		keyFault{slot.Int(1)}, keyFault{slot.Ref(starlark.String("a\n\"b"))}, keyFault{slot.Float(1.5)},
		indexFault{3, 0, "list"}, indexFault{-7, 2, "tuple"}, value.ErrEnded.(value.Fault),
	} {
		if got, want := f.FaultClass(), upstream.Class(f.Error()); got != want {
			t.Errorf("%s: got %s, want %s", f, got, want)
		}
	}
}
