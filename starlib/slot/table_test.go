package slot

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// checkTable fails if an entry is not found by its hash, or if the counts are wrong.
func checkTable(t *testing.T, table *table) {
	t.Helper()
	live, used := 0, 0
	for _, p := range table.index {
		if p != 0 {
			used++
		}
	}
	if len(table.index) > 0 && used*2 > len(table.index) {
		t.Fatalf("the index of %d places has %d in use", len(table.index), used)
	}
	for i, e := range table.entries {
		if !e.key.IsSet() {
			continue
		}
		live++
		if i < table.first {
			t.Fatalf("entry %d is live, and the first is %d", i, table.first)
		}
		at := e.hash * golden >> table.shift
		for table.index[at] != int32(i+1) {
			if table.index[at] == 0 {
				t.Fatalf("entry %d is not in the index", i)
			}
			at = (at + 1) % uint64(len(table.index))
		}
	}
	if live != table.live {
		t.Fatalf("got %d entries, counted %d", live, table.live)
	}
	if !table.isSet && len(table.values) != len(table.entries) {
		t.Fatalf("got %d values, want %d", len(table.values), len(table.entries))
	}
}

// FuzzDict compares a dict with a map and a list of its keys. Each step is two bytes: what is done,
// and the key.
func FuzzDict(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		data := make([]byte, 50<<(n%5))
		for i := range data {
			data[i] = byte(random.Uint32())
			if n%4 == 0 && i%2 == 0 && data[i]%2 == 0 {
				data[i] = 0
			}
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, values, order := NewDict(0), map[int64]int64{}, []int64{}
		for i := 0; i+1 < len(data); i += 2 {
			k := int64(data[i+1]) << (data[i] >> 3) // hashes of many sizes
			old, had := values[k]
			switch data[i] % 8 {
			case 0, 1, 2, 3:
				if !had {
					order = append(order, k)
				}
				values[k] = int64(i)
				if err := d.Put(Int(k), Int(int64(i))); err != nil {
					t.Fatal(err)
				}
			case 4, 5:
				x, found, err := d.Remove(Int(k))
				if found != had || err != nil || had && x.Int() != old {
					t.Fatalf("step %d: removed %v %v %v, want %v %v", i, x.Value(), found, err, old, had)
				}
				order = without(order, k)
				delete(values, k)
			case 6:
				if len(order) == 0 {
					continue
				}
				at, pop := len(order)-1, d.PopLast
				if data[i]&8 != 0 {
					at, pop = 0, d.PopFirst
				}
				key, x, err := pop()
				if want := order[at]; err != nil || key.Int() != want || x.Int() != values[want] {
					t.Fatalf("step %d: popped %v %v, want %v", i, key.Value(), err, want)
				}
				delete(values, order[at])
				order = without(order, order[at])
			case 7:
				d = d.Copy()
			}
			x, found, err := d.Lookup(Float(float64(k))) // exact, as there are few bits
			if now, has := values[k]; found != has || err != nil || has && x.Int() != now {
				t.Fatalf("step %d: got %v %v %v, want %v %v", i, x.Value(), found, err, now, has)
			}
			checkTable(t, &d.table)
		}
		for i, k := range d.Keys() {
			if k := Of(k); k.Int() != order[i] {
				t.Fatalf("key %d is %v, want %v", i, k, order[i])
			}
		}
	})
}

func without(all []int64, x int64) []int64 {
	var rest []int64
	for _, y := range all {
		if y != x {
			rest = append(rest, y)
		}
	}
	return rest
}

// An odd is a key of which all have one hash, and which does something when it is compared.
type odd struct {
	n     int
	equal func(other *odd) (bool, error)
}

func (o *odd) String() string        { return fmt.Sprint("odd", o.n) }
func (o *odd) Type() string          { return "odd" }
func (o *odd) Freeze()               {}
func (o *odd) Truth() starlark.Bool  { return true }
func (o *odd) Hash() (uint32, error) { return 7, nil }
func (o *odd) CompareSameType(_ syntax.Token, y starlark.Value, _ int) (bool, error) {
	return o.equal(y.(*odd))
}

// TestKeysThatChangeTheDict looks for a key among others whose comparison changes the dict.
func TestKeysThatChangeTheDict(t *testing.T) {
	for name, change := range map[string]func(d *Dict, calls int){
		"insert":        func(d *Dict, calls int) { d.Put(Int(int64(calls)), None) },
		"insert many":   func(d *Dict, calls int) { insertMany(d, calls*1000, 100) },
		"clear":         func(d *Dict, _ int) { d.Clear() },
		"clear, insert": func(d *Dict, calls int) { d.Clear(); insertMany(d, 0, 50) },
		"remove first":  func(d *Dict, _ int) { d.PopFirst() },
		"remove last":   func(d *Dict, _ int) { d.PopLast() },
		"replace last": func(d *Dict, calls int) {
			d.PopLast()
			d.Put(Int(int64(calls)), None)
		},
		"other": func(d *Dict, _ int) { d.Put(Int(5), None); d.Remove(Int(5)) },
	} {
		for _, same := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " ", same), func(t *testing.T) {
				d, calls := NewDict(0), 0
				compare := func(o *odd) (bool, error) {
					if calls++; calls > 200 {
						return false, errors.New("enough")
					}
					change(d, calls)
					return same && calls%3 == 0, nil
				}
				for i := range 10 {
					d.add(mustHash(Ref(&odd{n: i})), Ref(&odd{i, compare}), Int(int64(i)))
				}
				key := Ref(&odd{100, compare})
				d.Lookup(key)
				checkTable(t, &d.table)
				calls = 0
				d.Put(key, None)
				checkTable(t, &d.table)
				calls = 0
				d.Remove(key)
				checkTable(t, &d.table)
				calls = 0
				other := d.Copy()
				starlark.Equal(d, other)
				d.Merge(other)
				checkTable(t, &d.table)
				calls = 0
				s, _ := setOf(d.Iterate())
				s.intersect(d)
				s.subtract(d)
				checkTable(t, &s.table)
			})
		}
	}
}

func insertMany(d *Dict, from, n int) {
	for i := range n {
		d.Put(Int(int64(from+i)), None)
	}
}

func mustHash(x Slot) uint64 {
	h, err := hashOf(x)
	if err != nil {
		panic(err)
	}
	return h
}

func TestErrorsOfKeys(t *testing.T) {
	failure := errors.New("from __eq__")
	fails := func(*odd) (bool, error) { return false, failure }
	d, s := NewDict(0), NewSet(0)
	first := Ref(&odd{1, fails})
	d.Put(first, None)
	s.Add(first)
	if _, found, err := d.Lookup(first); !found || err != nil {
		t.Errorf("a key is compared with itself: %v", err)
	}
	key := Ref(&odd{2, fails})
	for name, err := range map[string]error{
		"lookup": second(d.Lookup(key)), "put": d.Put(key, None), "remove": second(d.Remove(key)),
		"add": s.Add(key), "method": lastOf(by(d, "get", key.Value())),
		"update": lastOf(by(s, "update", NewList([]starlark.Value{key.Value()}))),
	} {
		if !errors.Is(err, failure) {
			t.Errorf("%s: got %v, want what __eq__ raised", name, err)
		}
	}
	for _, x := range []starlark.Value{
		NewList(nil), NewDict(0), NewSet(0), starlark.Tuple{NewList(nil)},
	} {
		if err := d.SetKey(x, x); err == nil {
			t.Errorf("%v was a key", x)
		}
		if _, _, err := NewDict(0).Get(x); err == nil {
			t.Errorf("%v was looked up in an empty dict", x)
		}
	}
	var deep starlark.Value = starlark.None
	for range 100000 {
		deep = starlark.Tuple{deep}
	}
	wide := starlark.Tuple{starlark.None}
	for range 40 {
		wide = starlark.Tuple{wide, wide}
	}
	for _, x := range []starlark.Value{deep, wide} {
		if err := d.SetKey(x, x); err == nil {
			t.Error("a key of too many tuples was taken")
		}
	}
}

func second(_ Slot, _ bool, err error) error { return err }

func lastOf(_ starlark.Value, err error) error { return err }

// TestNan: a nan is one key, as the same object is in CPython.
func TestNan(t *testing.T) {
	nan := Float(math.NaN())
	d := NewDict(0)
	for range 3 {
		d.Put(nan, None)
	}
	if _, found, _ := d.Lookup(nan); !found || d.Len() != 1 {
		t.Errorf("got %d entries, found %v", d.Len(), found)
	}
	pair := func() Slot { return Ref(starlark.Tuple{nan.Value(), starlark.None}) }
	d.Put(pair(), None)
	if _, found, _ := d.Lookup(pair()); !found || d.Len() != 2 {
		t.Errorf("a pair: got %d entries, found %v", d.Len(), found)
	}
	checkTable(t, &d.table)
}

// TestHashesOfNumbers: those of CPython, and of what Starlark hashes of small ints.
func TestHashesOfNumbers(t *testing.T) {
	for _, c := range []struct {
		value starlark.Value
		want  int64
	}{
		{starlark.MakeInt(-1), -2}, {starlark.MakeInt(1<<61 - 1), 0}, {starlark.MakeInt(1 << 61), 1},
		{starlark.MakeInt64(math.MinInt64), -4}, {power(70), 512}, {starlark.Float(1 << 70), 512},
		{starlark.Float(0.5), 1 << 60}, {starlark.Float(-0.5), -(1 << 60)},
		{starlark.Float(0.1), 230584300921369408}, {starlark.Float(5e-324), 16777216},
		{starlark.Float(1e300), 1224995262755759164}, {starlark.Float(math.Inf(-1)), -314159},
		{starlark.Float(math.Copysign(0, -1)), 0}, {starlark.True, 1},
		{power(200).Mul(starlark.MakeInt(-3)), -393216},
	} {
		if got, err := Hash(Of(c.value)); got != c.want || err != nil {
			t.Errorf("hash(%v): got %d %v, want %d", c.value, got, err, c.want)
		}
	}
	for _, n := range []int{0, 1, -1, 12345, math.MaxInt32, math.MinInt32} {
		h, _ := starlarkHash(starlark.MakeInt(n))
		if h != int64(n) {
			t.Errorf("got %d, want %d", h, n)
		}
	}
}

func TestHuge(t *testing.T) {
	d, l := NewDict(0), new(List)
	const n = 1 << 20
	for i := range int64(n) {
		d.Put(Int(i<<32), Int(i))
		l.Push(Int(i))
	}
	for i := range int64(n) {
		if x, found, _ := d.Lookup(Int(i << 32)); !found || x.Int() != i || l.Slots()[i].Int() != i {
			t.Fatal(i, x, found)
		}
	}
	for i := range int64(n - 1) {
		if k, _, _ := d.PopFirst(); k.Int() != i<<32 {
			t.Fatal(i, k)
		}
		if _, err := l.Delete(l.Len() - 1); err != nil {
			t.Fatal(err)
		}
	}
	if cap(l.Slots()) > 100 {
		t.Errorf("a list of one element has memory for %d", cap(l.Slots()))
	}
	d.Put(Int(1), None)
	checkTable(t, &d.table)
}

func TestNoMemoryForFloats(t *testing.T) {
	l, d := Make(make([]Slot, 10)), NewDict(0)
	key := Ref(starlark.String("key"))
	d.Put(key, None)
	if n := testing.AllocsPerRun(100, func() {
		for i := range 10 {
			l.Set(i, Float(float64(i)+0.5))
			d.Put(key, *l.At(i))
			d.Lookup(key)
		}
	}); n > 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}
