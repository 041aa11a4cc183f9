package slot

import (
	"slices"

	"go.starlark.net/syntax"
)

// SortPlain sorts elements as Sort does if it knows how they compare: numbers, texts, and tuples of
// these. If not it leaves them as they are.
func SortPlain(slots []Slot) (sorted bool) {
	if all := kindOfAll(slots); all != other {
		sortKind(slots, lessOfKind[all], all == float && slices.ContainsFunc(slots, isNaN))
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

// SortKeyed sorts values by their keys as Sort does, if the keys are all ints, all floats or all
// texts. If not it leaves them as they are.
func SortKeyed(keys []Slot, values []Slot) (sorted bool) {
	all := kindOfAll(keys)
	if all == other {
		return len(keys) < 2
	}
	pairs := make([]ranked, len(keys))
	for i, k := range keys {
		pairs[i] = ranked{k, values[i]}
	}
	less := lessOfKind[all]
	sortKind(pairs, func(x, y ranked) bool { return less(x.key, y.key) },
		all == float && slices.ContainsFunc(keys, isNaN))
	for i := range pairs {
		values[i] = pairs[i].value
	}
	return true
}

func isNaN(x Slot) bool { return x.Float() != x.Float() }

// maxInserted is how many elements are sorted by insertion.
const maxInserted = 16

// sortKind sorts stably. Where a nan has no place, what comes out depends on what is compared.
func sortKind[E any](all []E, less func(x, y E) bool, hasNaN bool) {
	if len(all) > maxInserted || hasNaN {
		Timsort(all, less)
		return
	}
	for i := 1; i < len(all); i++ {
		x, j := all[i], i
		for ; j > 0 && less(x, all[j-1]); j-- {
			all[j] = all[j-1]
		}
		all[j] = x
	}
}
