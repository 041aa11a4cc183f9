package slot

import (
	"errors"
	"slices"

	"go.starlark.net/starlark"
)

// An Order is how a list is sorted.
type Order struct {
	Key     func(x Slot) (Slot, error)    // what an element is compared by; nil: itself
	Less    func(x, y Slot) (bool, error) // nil: Less
	Reverse bool                          // the largest first; equal ones stay in order
}

var errSortChange = errors.New("list modified during sort") // CPython's words

// A ranked is an element with its key.
type ranked struct{ key, value Slot }

// Sort sorts the list as list.sort of CPython's: stably, and with the comparisons that it makes.
// What is called meanwhile finds an empty list; what it puts there is lost, and an error. After an
// error the list has its elements in any order.
func (l *List) Sort(by Order) error {
	if err := l.check("assign to element of"); err != nil {
		return err
	}
	slots := l.slots
	l.slots = nil
	err := sortSlots(slots, by)
	if err == nil && (l.slots != nil || l.frozen) {
		err = errSortChange
	}
	l.slots = slots
	return err
}

func sortSlots(slots []Slot, by Order) error {
	if by.Key == nil {
		less := by.less(slots)
		return sortBy(slots, by.Reverse, less.holds, &less.err)
	}
	all, keys := make([]ranked, len(slots)), make([]Slot, len(slots))
	for i, x := range slots {
		key, err := by.Key(x)
		if err != nil {
			return err
		}
		all[i], keys[i] = ranked{key, x}, key
	}
	less := by.less(keys)
	before := func(x, y ranked) bool { return less.holds(x.key, y.key) }
	err := sortBy(all, by.Reverse, before, &less.err)
	for i := range all {
		slots[i] = all[i].value
	}
	return err
}

// sortBy sorts by less, which may fail.
func sortBy[E any](all []E, reverse bool, less func(x, y E) bool, failed *error) error {
	if reverse { // so that equal ones stay in order
		slices.Reverse(all)
		defer slices.Reverse(all)
	}
	Timsort(all, less)
	return *failed
}

// A comparison is x < y of keys, and the error of the first that failed.
type comparison struct {
	holds func(x, y Slot) bool
	err   error
}

// less is how keys are compared: quickly, if they are all ints, all floats or all texts.
func (by Order) less(keys []Slot) *comparison {
	all, c := other, new(comparison)
	if by.Less == nil {
		all = kindOfAll(keys)
	}
	if all != other {
		c.holds = lessOfKind[all]
		return c
	}
	ask := by.Less
	if ask == nil {
		ask = Less
	}
	c.holds = func(x, y Slot) (less bool) {
		if c.err == nil {
			less, c.err = ask(x, y)
		}
		return less && c.err == nil
	}
	return c
}

// lessOfKind is x < y of slots that are all of a kind that kindOfAll tells.
var lessOfKind = [...]func(x, y Slot) bool{
	small: func(x, y Slot) bool { return x.Int() < y.Int() },
	float: func(x, y Slot) bool { return x.Float() < y.Float() },
	text:  func(x, y Slot) bool { return x.ref.(starlark.String) < y.ref.(starlark.String) },
}

// kindOfAll is the kind of slots that are all ints, all floats or all texts, else other.
func kindOfAll(slots []Slot) kind {
	ints, floats, texts := true, true, true
	for i := range slots {
		x := &slots[i]
		_, isText := x.ref.(starlark.String)
		ints, floats, texts = ints && x.IsInt(), floats && x.IsFloat(), texts && isText
	}
	switch {
	case len(slots) == 0:
		return other
	case ints:
		return small
	case floats:
		return float
	case texts:
		return text
	}
	return other
}
