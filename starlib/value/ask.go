package value

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/arignote/arignote/runtime/memory"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// Where the size of a result is known before there is one, the memory is asked for (memory.Grow):
// by the rows of builtins and methods (growth.go), and by operators (operand.go). What grows by
// little steps (append, d[k] = v, a comprehension) is counted by the session now and then.

// smallGrowth is up to how many bytes nobody asks: to allocate them takes longer than to count.
const smallGrowth = 32 << 10

// About how many bytes hold values.
const (
	elementBytes   = 16                 // of a tuple
	slotBytes      = 24                 // of a list: numbers of 64 bits have no memory besides
	headerBytes    = 24                 // of a tuple that is an element
	characterBytes = 2 * elementBytes   // of a text that becomes a tuple
	bigIntBytes    = 40                 // an int of more than 32 bits, besides where it stands
	bucketBytes    = 8*(8+2*16+2*8) + 8 // of a dict or set: eight entries and a link
)

// Ask asks for n bytes for what op makes, and says what that is: "a list of 7 elements".
func Ask(op, result string, n int64) error {
	if n <= smallGrowth {
		return nil
	}
	if err := memory.Grow(n); err != nil {
		return fmt.Errorf("%s: %s %w", op, result, err)
	}
	return nil
}

// askElements asks for a list, or another sequence, of n elements of so many bytes each.
func askElements(op, typ string, n int, bytes int64) error {
	if int64(n) <= smallGrowth/bytes {
		return nil
	}
	return Ask(op, describe(typ, n), times(int64(n), bytes))
}

// AskList asks for a list of the elements of x.
func AskList(op string, x starlark.Sequence) error {
	return askElements(op, "list", max(0, lengthOf(x)), slotBytes)
}

// times is a product of what is not negative, or the largest number there is.
func times(a, b int64) int64 {
	high, low := bits.Mul64(uint64(a), uint64(b))
	if high != 0 || low > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(low)
}

// tableBytes is what a dict or set of n entries takes.
func tableBytes(n int) int64 {
	buckets := int64(1)
	for float64(n) >= 6.5*float64(buckets) {
		buckets *= 2
	}
	return buckets * bucketBytes
}

// sizeOf is what a sequence of the language's takes without its elements; ok is false for other
// values.
func sizeOf(v starlark.Value) (bytes int64, elements int, ok bool) {
	switch v := v.(type) {
	case starlark.String:
		return int64(len(v)), len(v), true
	case starlark.Bytes:
		return int64(len(v)), len(v), true
	case *slot.List:
		return times(int64(v.Len()), slotBytes), v.Len(), true
	case starlark.Tuple:
		return times(int64(len(v)), elementBytes), len(v), true
	}
	return 0, 0, false
}

// bytesBesides is what each element of an iterable takes besides where it stands in a tuple: those
// of a range are made when they are asked for.
func bytesBesides(x starlark.Value) int64 {
	if r, ok := x.(starlark.Indexable); ok && x.Type() == "range" && r.Len() > 0 {
		for _, i := range []int{0, r.Len() - 1} {
			if _, err := starlark.AsInt32(r.Index(i)); err != nil {
				return bigIntBytes
			}
		}
	}
	return 0
}

// describe says what a result is: "a list of 7 elements".
func describe(typ string, n int) string {
	switch typ {
	case "string":
		return "a string"
	case "bytes":
		return "bytes"
	}
	return fmt.Sprintf("a %s of %d elements", typ, n)
}
