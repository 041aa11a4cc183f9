package value

import (
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// hasRoom reports whether there is memory for a result of n elements of so many bytes each.
func hasRoom(n int, bytes int64) bool {
	return n < heardFrom && (int64(n)*bytes <= smallGrowth || Ask("", "", int64(n)*bytes) == nil)
}

// quickSlots are the elements of a list or tuple; ok is false of others, and of many. Those of a
// list are its own.
func quickSlots(x *slot.Slot) (elements []slot.Slot, ok bool) {
	switch v := x.Ref().(type) {
	case *slot.List:
		return v.Slots(), v.Len() < heardFrom
	case starlark.Tuple:
		if len(v) >= heardFrom {
			return nil, false
		}
		elements = make([]slot.Slot, len(v))
		for i, e := range v {
			elements[i] = slot.Of(e)
		}
		return elements, true
	}
	return nil, false
}

// newSlots are quickSlots that nobody else has, and the elements of other containers and of text.
func newSlots(x *slot.Slot) (elements []slot.Slot, ok bool) {
	switch v := x.Ref().(type) {
	case *slot.List:
		if !hasRoom(v.Len(), slotBytes) {
			return nil, false
		}
		return slices.Clone(v.Slots()), true
	case starlark.Tuple:
		if !hasRoom(len(v), slotBytes) {
			return nil, false
		}
		return quickSlots(x)
	case *slot.Dict:
		if !hasRoom(v.Len(), slotBytes) {
			return nil, false
		}
		return v.AppendKeys(make([]slot.Slot, 0, v.Len())), true
	case *slot.Set:
		if !hasRoom(v.Len(), slotBytes) {
			return nil, false
		}
		return v.AppendElements(make([]slot.Slot, 0, v.Len())), true
	case starlark.String:
		return charSlots(string(v))
	}
	return rangeSlots(x.Ref())
}

// rangeSlots are the elements of a range of ints.
func rangeSlots(x starlark.Value) (elements []slot.Slot, ok bool) {
	r, ok := RangeOf(x)
	if !ok || !hasRoom(int(r.N), slotBytes) {
		return nil, false
	}
	elements = make([]slot.Slot, r.N)
	for i := range elements {
		elements[i].SetInt(r.Start + int64(i)*r.Step)
	}
	return elements, true
}

// A Range is what a range has in it.
type Range struct{ Start, Step, N int64 }

// RangeOf takes a range apart; ok is false of other values, and where numbers are large.
func RangeOf(x starlark.Value) (r Range, ok bool) {
	seq, ok := x.(starlark.Indexable)
	if !ok || x.Type() != "range" {
		return r, false
	}
	at := func(i int) (int64, bool) {
		n, ok := seq.Index(i).(starlark.Int)
		if !ok {
			return 0, false
		}
		return n.Int64()
	}
	r.N, r.Step = int64(seq.Len()), 1
	if r.N > 0 {
		if r.Start, ok = at(0); !ok {
			return r, false
		}
	}
	if r.N > 1 {
		second, ok := at(1)
		if !ok {
			return r, false
		}
		r.Step = second - r.Start
	}
	return r, true
}

func quickList(args []slot.Slot) (slot.Slot, bool) {
	if len(args) == 0 {
		return slot.Ref(slot.Make(nil)), true
	}
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	elements, ok := newSlots(&args[0])
	return slot.Ref(slot.Make(elements)), ok
}

func quickTuple(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	if _, isTuple := args[0].Ref().(starlark.Tuple); isTuple {
		return slot.Slot{}, false
	}
	elements, ok := newSlots(&args[0])
	if !ok || !hasRoom(len(elements), elementBytes) {
		return slot.Slot{}, false
	}
	t := make(starlark.Tuple, len(elements))
	for i := range elements {
		t[i] = elements[i].Value()
	}
	return slot.Ref(t), true
}

func quickReversed(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	switch args[0].Ref().(type) {
	case *slot.List, starlark.Tuple, starlark.String:
	default:
		return slot.Slot{}, false
	}
	elements, ok := newSlots(&args[0])
	slices.Reverse(elements)
	return slot.Ref(slot.Make(elements)), ok
}

func quickEnumerate(args []slot.Slot) (slot.Slot, bool) {
	if len(args) == 0 || len(args) > 2 || len(args) == 2 && !args[1].IsInt() {
		return slot.Slot{}, false
	}
	start := int64(0)
	if len(args) == 2 {
		start = args[1].Int()
	}
	elements, ok := newSlots(&args[0])
	if !ok || start > math.MaxInt32 || start < math.MinInt32 ||
		!hasRoom(len(elements), slotBytes+2*elementBytes+headerBytes) {
		return slot.Slot{}, false
	}
	pairs := tuplesOf(2, len(elements))
	for i := range elements {
		pair := pairs.next()
		pair[0], pair[1] = starlark.MakeInt64(start+int64(i)), elements[i].Value()
		elements[i] = slot.Ref(pair)
	}
	return slot.Ref(slot.Make(elements)), true
}

func quickZip(args []slot.Slot) (slot.Slot, bool) {
	if len(args) == 0 || len(args) > 3 {
		return slot.Slot{}, false
	}
	var from [3][]slot.Slot
	n := heardFrom
	for i := range args {
		elements, ok := quickSlots(&args[i])
		if !ok {
			if elements, ok = rangeSlots(args[i].Ref()); !ok {
				return slot.Slot{}, false
			}
		}
		from[i], n = elements, min(n, len(elements))
	}
	if !hasRoom(n, slotBytes+headerBytes+int64(len(args))*elementBytes) {
		return slot.Slot{}, false
	}
	tuples, zipped := tuplesOf(len(args), n), make([]slot.Slot, n)
	for i := range zipped {
		t := tuples.next()
		for k := range t {
			t[k] = from[k][i].Value()
		}
		zipped[i] = slot.Ref(t)
	}
	return slot.Ref(slot.Make(zipped)), true
}

func quickSum(args []slot.Slot) (slot.Slot, bool) {
	if len(args) == 0 || len(args) > 2 || len(args) == 2 && !args[1].IsInt() && !args[1].IsFloat() {
		return slot.Slot{}, false
	}
	elements, ok := quickSlots(&args[0])
	if !ok {
		return slot.Slot{}, false
	}
	total := slot.Int(0)
	if len(args) == 2 {
		total = args[1]
	}
	for i := range elements {
		switch e := &elements[i]; {
		case e.IsInt() && total.IsInt():
			a, b := total.Int(), e.Int()
			s := a + b
			if (s^a)&(s^b) < 0 {
				return slot.Slot{}, false
			}
			total.SetInt(s)
		case e.IsFloat() && total.IsFloat():
			total.SetFloat(total.Float() + e.Float())
		case !addMixed(&total, e):
			return slot.Slot{}, false
		}
	}
	return total, true
}

// addMixed is total += e of an int and a float, or a bool.
func addMixed(total, e *slot.Slot) bool {
	const exact = 1 << 53
	if b, ok := e.Ref().(starlark.Bool); ok && total.IsInt() && total.Int() < math.MaxInt64 {
		if b {
			total.SetInt(total.Int() + 1)
		}
		return true
	}
	n := total
	if total.IsFloat() {
		n = e
	}
	if !n.IsInt() || n.Int() > exact || n.Int() < -exact || !total.IsFloat() && !e.IsFloat() {
		return false
	}
	if n == total {
		total.SetFloat(float64(n.Int()) + e.Float())
	} else {
		total.SetFloat(total.Float() + float64(n.Int()))
	}
	return true
}

// TruthOf is whether a value is true, if it has no method that says so.
func TruthOf(x *slot.Slot) (truth, known bool) {
	if x.IsInt() {
		return x.Int() != 0, true
	}
	if x.IsFloat() || x.IsDouble() {
		return x.Float() != 0, true
	}
	switch v := x.Ref().(type) {
	case starlark.Bool:
		return bool(v), true
	case starlark.NoneType:
		return false, true
	case starlark.String:
		return v != "", true
	case *slot.List:
		return v.Len() > 0, true
	case starlark.Tuple:
		return len(v) > 0, true
	case *slot.Dict:
		return v.Len() > 0, true
	case *slot.Set:
		return v.Len() > 0, true
	}
	return false, false
}

// quickTruth is any, which ends with the first element that is true, or all, which ends with false.
func quickTruth(ends bool) Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		if len(args) != 1 {
			return slot.Slot{}, false
		}
		elements, ok := quickSlots(&args[0])
		if !ok {
			return slot.Slot{}, false
		}
		for i := range elements {
			truth, known := TruthOf(&elements[i])
			if !known {
				return slot.Slot{}, false
			}
			if truth == ends {
				return slot.Bool(ends), true
			}
		}
		return slot.Bool(!ends), true
	}
}

func quickSorted(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	elements, ok := newSlots(&args[0])
	if !ok || !slot.SortPlain(elements) {
		return slot.Slot{}, false
	}
	return slot.Ref(slot.Make(elements)), true
}

func quickSort(args []slot.Slot) (slot.Slot, bool) {
	list := args[0].Ref().(*slot.List)
	if len(args) != 1 || !list.Mutable() || list.Len() >= heardFrom {
		return slot.Slot{}, false
	}
	return slot.None, slot.SortPlain(list.Slots())
}

func quickInsert(args []slot.Slot) (slot.Slot, bool) {
	list := args[0].Ref().(*slot.List)
	if len(args) != 3 || !args[1].IsInt() || list.Len() >= heardFrom || !list.Mutable() {
		return slot.Slot{}, false
	}
	n, at := int64(list.Len()), args[1].Int()
	if at < 0 {
		at = max(at+n, 0)
	}
	return slot.None, list.Insert(int(min(at, n)), args[2]) == nil
}

func quickPop(args []slot.Slot) (slot.Slot, bool) {
	list := args[0].Ref().(*slot.List)
	n := list.Len()
	at := n - 1
	switch {
	case len(args) > 2 || n == 0 || !list.Mutable():
		return slot.Slot{}, false
	case len(args) == 2:
		i := args[1].Int()
		if i < 0 {
			i += int64(n)
		}
		if !args[1].IsInt() || uint64(i) >= uint64(n) || n-int(i) > heardFrom {
			return slot.Slot{}, false
		}
		at = int(i)
	}
	v, err := list.Delete(at)
	return v, err == nil
}

func quickExtend(args []slot.Slot) (slot.Slot, bool) {
	list := args[0].Ref().(*slot.List)
	if len(args) != 2 || !list.Mutable() {
		return slot.Slot{}, false
	}
	with, ok := quickSlots(&args[1])
	if !ok || len(with)*slotBytes > smallGrowth {
		return slot.Slot{}, false
	}
	return slot.None, list.Splice(list.Len(), list.Len(), with) == nil
}

// quickPlace is index, or count or remove.
func quickPlace(of func(list *slot.List, x slot.Slot) (slot.Slot, bool)) Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		if len(args) != 2 {
			return slot.Slot{}, false
		}
		return of(args[0].Ref().(*slot.List), args[1])
	}
}

func listPlace(list *slot.List, x slot.Slot) (slot.Slot, bool) {
	at, known := list.Place(x, 0, list.Len())
	return slot.Int(int64(at)), known && at >= 0
}

func listCount(list *slot.List, x slot.Slot) (slot.Slot, bool) {
	n := 0
	for from := 0; ; n++ {
		at, known := list.Place(x, from, list.Len())
		if !known {
			return slot.Slot{}, false
		}
		if at < 0 {
			return slot.Int(int64(n)), true
		}
		from = at + 1
	}
}

func listRemove(list *slot.List, x slot.Slot) (slot.Slot, bool) {
	at, known := list.Place(x, 0, list.Len())
	if !known || at < 0 || !list.Mutable() {
		return slot.Slot{}, false
	}
	_, err := list.Delete(at)
	return slot.None, err == nil
}

func quickCopyList(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	return quickList(args)
}

func quickReverse(args []slot.Slot) (slot.Slot, bool) {
	list := args[0].Ref().(*slot.List)
	if len(args) != 1 || list.Len() >= heardFrom {
		return slot.Slot{}, false
	}
	return slot.None, list.Reverse() == nil
}

// bestOf is min or max of elements that are ints, floats or texts, all of one kind.
func bestOf(elements []slot.Slot, sign int) (slot.Slot, bool) {
	best := elements[0]
	for i := range elements {
		x := &elements[i]
		c := 0
		switch {
		case x.IsInt() && best.IsInt():
			if x.Int() < best.Int() {
				c = -1
			} else if x.Int() > best.Int() {
				c = 1
			}
		case x.IsFloat() && best.IsFloat() && x.Float() == x.Float():
			if x.Float() < best.Float() {
				c = -1
			} else if x.Float() > best.Float() {
				c = 1
			}
		default:
			a, isText := x.Ref().(starlark.String)
			b, both := best.Ref().(starlark.String)
			if !isText || !both {
				return slot.Slot{}, false
			}
			c = strings.Compare(string(a), string(b))
		}
		if c*sign > 0 {
			best = *x
		}
	}
	return best, true
}

// quickMap is map of a function that is quick itself, and asks nobody.
func quickMap(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 2 {
		return slot.Slot{}, false
	}
	fn, ok := args[0].Ref().(Callable)
	if !ok || fn.Quick == nil {
		return slot.Slot{}, false
	}
	elements, ok := quickSlots(&args[1])
	if !ok || !hasRoom(len(elements), slotBytes+elementBytes) || len(elements) >= heardFrom {
		return slot.Slot{}, false
	}
	z := make([]slot.Slot, len(elements))
	for i := range z {
		if z[i], ok = fn.Quick(elements[i : i+1 : i+1]); !ok {
			return slot.Slot{}, false
		}
	}
	return slot.Ref(slot.Make(z)), true
}

// keysOf are what a key function that is quick, or none, makes of elements.
func keysOf(elements []slot.Slot, key *slot.Slot) (keys []slot.Slot, ok bool) {
	if key == nil || key.Ref() == starlark.Value(starlark.None) {
		return elements, true
	}
	fn, ok := key.Ref().(Callable)
	if !ok || fn.Quick == nil {
		return nil, false
	}
	keys = make([]slot.Slot, len(elements))
	for i := range keys {
		if keys[i], ok = fn.Quick(elements[i : i+1 : i+1]); !ok {
			return nil, false
		}
	}
	return keys, true
}

// sortedNamed is sorted with a key or reverse.
func sortedNamed(args []slot.Slot, names []string, values []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	var key *slot.Slot
	falling := false
	for i, name := range names {
		switch name {
		case "key":
			key = &values[i]
		case "reverse":
			is, isBool := values[i].Ref().(starlark.Bool)
			if !isBool {
				return slot.Slot{}, false
			}
			falling = bool(is)
		default:
			return slot.Slot{}, false
		}
	}
	elements, ok := newSlots(&args[0])
	if !ok {
		return slot.Slot{}, false
	}
	if falling { // so that equal ones stay in order
		slices.Reverse(elements)
	}
	keys, ok := keysOf(elements, key)
	if !ok || !slot.SortKeyed(slices.Clone(keys), elements) {
		return slot.Slot{}, false
	}
	if falling {
		slices.Reverse(elements)
	}
	return slot.Ref(slot.Make(elements)), true
}

// extremeNamed is min or max of the elements of one argument, with a key.
func extremeNamed(sign int) QuickNamed {
	return func(args []slot.Slot, names []string, values []slot.Slot) (slot.Slot, bool) {
		if len(args) != 1 || len(names) != 1 || names[0] != "key" {
			return slot.Slot{}, false
		}
		elements, ok := quickSlots(&args[0])
		if !ok || len(elements) == 0 {
			return slot.Slot{}, false
		}
		keys, ok := keysOf(elements, &values[0])
		if !ok {
			return slot.Slot{}, false
		}
		best := 0
		for i := 1; i < len(keys); i++ {
			pair := [2]slot.Slot{keys[best], keys[i]}
			z, ok := bestOf(pair[:], sign)
			if !ok {
				return slot.Slot{}, false
			}
			if same, known := slot.Compared(syntax.EQL, z, keys[best]); !known {
				return slot.Slot{}, false
			} else if !same {
				best = i
			}
		}
		return elements[best], true
	}
}

// QuickNamedMethods are methods with arguments by name.
var QuickNamedMethods = map[string]QuickNamed{"sort": sortNamed}

// sortNamed is sort of a list with a key or reverse.
func sortNamed(args []slot.Slot, names []string, values []slot.Slot) (slot.Slot, bool) {
	list, ok := args[0].Ref().(*slot.List)
	if !ok || len(args) != 1 || !list.Mutable() {
		return slot.Slot{}, false
	}
	z, ok := sortedNamed(args, names, values)
	if ok {
		copy(list.Slots(), z.Ref().(*slot.List).Slots())
	}
	return slot.None, ok
}

// quickNamed are functions with arguments by name.
var quickNamed = map[string]QuickNamed{
	"sorted": sortedNamed, "min": extremeNamed(-1), "max": extremeNamed(1),
}
