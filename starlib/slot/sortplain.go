package slot

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// SortPlain sorts elements as Sort does if it knows how they compare: numbers, texts, and tuples of
// these. If not it leaves them as they are.
func SortPlain(slots []Slot) (sorted bool) {
	switch kindOfAll(slots) {
	case small:
		slices.SortFunc(slots, func(x, y Slot) int { return cmp.Compare(x.Int(), y.Int()) })
		return true
	case text:
		slices.SortFunc(slots, func(x, y Slot) int {
			return strings.Compare(string(x.ref.(starlark.String)), string(y.ref.(starlark.String)))
		})
		return true
	case float:
		for i := range slots { // nan has no place, and two zeros are equal
			if f := slots[i].Float(); f != f || f == 0 && math.Signbit(f) {
				return false
			}
		}
		slices.SortFunc(slots, func(x, y Slot) int { return cmp.Compare(x.Float(), y.Float()) })
		return true
	}
	return len(slots) < 2 || sortCompared(slots)
}

// sortCompared sorts a copy first: a comparison may be unknown.
func sortCompared(slots []Slot) bool {
	all, known := slices.Clone(slots), true
	Timsort(all, func(x, y Slot) bool {
		less, ok := Compared(syntax.LT, x, y)
		known = known && ok
		return less && ok
	})
	if known {
		copy(slots, all)
	}
	return known
}
