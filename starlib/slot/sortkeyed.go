package slot

import (
	"strings"

	"go.starlark.net/starlark"
)

// SortKeyed sorts values by their keys, stably, if the keys are all ints, all floats that are no nan,
// or all texts. If not it leaves them as they are.
func SortKeyed(keys []Slot, values []Slot) (sorted bool) {
	if len(keys) < 2 {
		return true
	}
	all := kindOfAll(keys)
	if all == other {
		return false
	}
	pairs := make([]ranked, len(keys))
	for i, k := range keys {
		if all == float && k.Float() != k.Float() {
			return false
		}
		pairs[i] = ranked{k, values[i]}
	}
	less := func(x, y ranked) bool { return x.key.Int() < y.key.Int() }
	switch all {
	case float:
		less = func(x, y ranked) bool { return x.key.Float() < y.key.Float() }
	case text:
		less = func(x, y ranked) bool {
			return strings.Compare(string(x.key.ref.(starlark.String)), string(y.key.ref.(starlark.String))) < 0
		}
	}
	if len(pairs) > mostInserted {
		Timsort(pairs, less)
	} else {
		insertionSort(pairs, less)
	}
	for i := range pairs {
		values[i] = pairs[i].value
	}
	return true
}

// mostInserted is how many elements are sorted by insertion.
const mostInserted = 16

func insertionSort(pairs []ranked, less func(x, y ranked) bool) {
	for i := 1; i < len(pairs); i++ {
		x, j := pairs[i], i
		for ; j > 0 && less(x, pairs[j-1]); j-- {
			pairs[j] = pairs[j-1]
		}
		pairs[j] = x
	}
}
