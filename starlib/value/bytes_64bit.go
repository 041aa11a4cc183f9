//go:build amd64 || arm64

package value

import (
	"unsafe"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// The bytes that are asked for are the sizes of the types: an index other than 0 does not compile.
var (
	_ = [1]int{}[elementBytes-unsafe.Sizeof(starlark.Value(nil))]
	_ = [1]int{}[slotBytes-unsafe.Sizeof(slot.Slot{})]
	_ = [1]int{}[headerBytes-unsafe.Sizeof(starlark.Tuple{})]
	_ = [1]int{}[characterBytes-unsafe.Sizeof(starlark.Value(nil))-unsafe.Sizeof("")]
	_ = [1]int{}[partBytes-unsafe.Sizeof(slot.Slot{})-2*unsafe.Sizeof("")]
)
