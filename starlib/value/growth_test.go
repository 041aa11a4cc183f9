package value

import (
	"testing"
	"unsafe"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// TestBytes: what memory is asked for by is what values take.
func TestBytes(t *testing.T) {
	for _, x := range []struct {
		name      string
		got, want uintptr
	}{
		{"an element of a tuple", elementBytes, unsafe.Sizeof(starlark.Value(nil))},
		{"an element of a list", slotBytes, unsafe.Sizeof(slot.Slot{})},
		{"a tuple", headerBytes, unsafe.Sizeof(starlark.Tuple{})},
		{"a character", characterBytes, unsafe.Sizeof(starlark.Value(nil)) + unsafe.Sizeof("")},
		{"a part of a text", partBytes, unsafe.Sizeof(slot.Slot{}) + 2*unsafe.Sizeof("")},
	} {
		if x.got != x.want {
			t.Errorf("%s: %d bytes, want %d", x.name, x.got, x.want)
		}
	}
	list, tuple := slot.Make(make([]slot.Slot, 7)), make(starlark.Tuple, 7)
	for _, x := range []struct {
		v    starlark.Value
		want uintptr
	}{{list, 7 * unsafe.Sizeof(slot.Slot{})}, {tuple, 7 * unsafe.Sizeof(tuple[0])}} {
		if got, n, ok := sizeOf(x.v); uintptr(got) != x.want || n != 7 || !ok {
			t.Errorf("%s: %d bytes of %d elements, want %d of 7", x.v.Type(), got, n, x.want)
		}
	}
}
