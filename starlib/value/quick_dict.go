package value

import (
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

func quickGet(args []slot.Slot) (slot.Slot, bool) {
	if len(args) < 2 || len(args) > 3 {
		return slot.Slot{}, false
	}
	d, key := args[0].Ref().(*slot.Dict), &args[1]
	v, known := d.Value(key)
	if !known && key.IsPlainKey() && !d.Asks() {
		x, found, err := d.Lookup(*key)
		if v = &x; !found {
			v = nil
		}
		known = err == nil
	}
	switch {
	case !known:
		return slot.Slot{}, false
	case v != nil:
		return *v, true
	case len(args) == 3:
		return args[2], true
	}
	return slot.None, true
}

func quickSetDefault(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 3 || !args[1].IsPlainKey() {
		return slot.Slot{}, false
	}
	d := args[0].Ref().(*slot.Dict)
	if d.Asks() {
		return slot.Slot{}, false
	}
	v, err := d.PutDefault(args[1], args[2])
	return v, err == nil
}

func quickPopKey(args []slot.Slot) (slot.Slot, bool) {
	if len(args) < 2 || len(args) > 3 || !args[1].IsPlainKey() {
		return slot.Slot{}, false
	}
	d := args[0].Ref().(*slot.Dict)
	if d.Asks() {
		return slot.Slot{}, false
	}
	v, found, err := d.Remove(args[1])
	if !found && err == nil && len(args) == 3 {
		return args[2], true
	}
	return v, found && err == nil
}

func quickPopItem(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	key, v, err := args[0].Ref().(*slot.Dict).PopLast()
	if err != nil {
		return slot.Slot{}, false
	}
	return slot.Ref(starlark.Tuple{key.Value(), v.Value()}), true
}

// quickClear is clear of a container.
func quickClear(args []slot.Slot) (slot.Slot, bool) {
	return slot.None, len(args) == 1 && args[0].Ref().(interface{ Clear() error }).Clear() == nil
}

// quickEntries is keys or values.
func quickEntries(of func(d *slot.Dict, to []slot.Slot) []slot.Slot) Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		d := args[0].Ref().(*slot.Dict)
		if len(args) != 1 || !hasRoom(d.Len(), slotBytes) {
			return slot.Slot{}, false
		}
		return slot.Ref(slot.Make(of(d, make([]slot.Slot, 0, d.Len())))), true
	}
}

func quickItems(args []slot.Slot) (slot.Slot, bool) {
	d := args[0].Ref().(*slot.Dict)
	if len(args) != 1 || !hasRoom(d.Len(), slotBytes+2*elementBytes+headerBytes) {
		return slot.Slot{}, false
	}
	items := d.Items()
	list := make([]slot.Slot, len(items))
	for i, kv := range items {
		list[i] = slot.Ref(kv)
	}
	return slot.Ref(slot.Make(list)), true
}

func quickUpdate(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 2 {
		return slot.Slot{}, false
	}
	from, ok := args[1].Ref().(*slot.Dict)
	d := args[0].Ref().(*slot.Dict)
	if !ok || from.Len() > smallGrowth/bucketBytes || d.Asks() || from.Asks() {
		return slot.Slot{}, false
	}
	return slot.None, d.Merge(from) == nil
}

// QuickMerge is {**x, **y} of dicts whose keys do not ask.
func QuickMerge(args []slot.Slot) (slot.Slot, bool) {
	z := slot.NewDict(0)
	for i := range args {
		from, ok := args[i].Ref().(*slot.Dict)
		if !ok || from.Asks() || from.Len() > smallGrowth/bucketBytes || z.Merge(from) != nil {
			return slot.Slot{}, false
		}
	}
	return slot.Ref(z), true
}

// quickDict is dict() or a copy of a dict.
func quickDict(args []slot.Slot) (slot.Slot, bool) {
	if len(args) == 0 {
		return slot.Ref(new(slot.Dict)), true
	}
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	switch from := args[0].Ref().(type) {
	case *slot.Dict:
		if from.Len() < heardFrom && hasRoom(from.Len(), bucketBytes) {
			return slot.Ref(from.Copy()), true
		}
	case *slot.List:
		return dictOfPairs(from)
	}
	return slot.Slot{}, false
}

// dictOfPairs is the dict of a list of tuples.
func dictOfPairs(pairs *slot.List) (slot.Slot, bool) {
	if !hasRoom(pairs.Len(), bucketBytes) || pairs.Len() >= heardFrom {
		return slot.Slot{}, false
	}
	d := slot.NewDict(0)
	for i := range pairs.Slots() {
		t, ok := pairs.At(i).Ref().(starlark.Tuple)
		if !ok || len(t) != 2 {
			return slot.Slot{}, false
		}
		key := slot.Of(t[0])
		if !key.IsPlainKey() || d.Put(key, slot.Of(t[1])) != nil {
			return slot.Slot{}, false
		}
	}
	return slot.Ref(d), true
}

// quickSet is set() or the set of the elements of a container.
func quickSet(args []slot.Slot) (slot.Slot, bool) {
	s := slot.NewSet(0)
	if len(args) == 0 {
		return slot.Ref(s), true
	}
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	if from, ok := args[0].Ref().(*slot.Set); ok {
		if !hasRoom(from.Len(), bucketBytes) || from.Len() >= heardFrom {
			return slot.Slot{}, false
		}
		return slot.Ref(from.Copy()), true
	}
	elements, ok := quickSlots(&args[0])
	if !ok {
		if elements, ok = newSlots(&args[0]); !ok {
			return slot.Slot{}, false
		}
	}
	if !hasRoom(len(elements), bucketBytes) || len(elements) >= heardFrom {
		return slot.Slot{}, false
	}
	for i := range elements {
		if !elements[i].IsPlainKey() || s.Add(elements[i]) != nil {
			return slot.Slot{}, false
		}
	}
	return slot.Ref(s), true
}

func quickAdd(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 2 || !args[1].IsPlainKey() {
		return slot.Slot{}, false
	}
	s := args[0].Ref().(*slot.Set)
	return slot.None, !s.Asks() && s.Add(args[1]) == nil
}

// quickDiscard is discard, or remove, which fails if there is none.
func quickDiscard(fails bool) Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		if len(args) != 2 || !args[1].IsPlainKey() {
			return slot.Slot{}, false
		}
		s := args[0].Ref().(*slot.Set)
		if s.Asks() {
			return slot.Slot{}, false
		}
		found, err := s.Remove(args[1])
		return slot.None, err == nil && (found || !fails)
	}
}
