package slot

import (
	"fmt"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A half is a value that equals 0.5 once the hooks say so.
type half struct{}

func (*half) String() string        { return "1/2" }
func (*half) Type() string          { return "fraction" }
func (*half) Freeze()               {}
func (*half) Truth() starlark.Bool  { return true }
func (*half) Hash() (uint32, error) { return 0, fmt.Errorf("is asked of the hook") }

// TestHooks: a value of another room is found by the number it equals, and the other way round, and
// orders lists.
func TestHooks(t *testing.T) {
	before := Hooks
	defer func() { Hooks = before }()
	plain := func(v starlark.Value) starlark.Value {
		if _, ok := v.(*half); ok {
			return starlark.Float(0.5)
		}
		return v
	}
	Hooks.Hash = func(v starlark.Value) (int64, error) { return Hash(Of(plain(v))) }
	Hooks.Equal = func(x, y starlark.Value) (bool, error) { return before.Equal(plain(x), plain(y)) }
	Hooks.Compare = func(op syntax.Token, x, y starlark.Value, depth int) (bool, error) {
		return before.Compare(op, plain(x), plain(y), depth)
	}
	Hooks.Repr = func(v starlark.Value) string { return "a " + v.Type() }
	h, number := Ref(new(half)), Float(0.5)
	for _, pair := range [][2]Slot{{h, number}, {number, h}} {
		d, s, l := NewDict(0), NewSet(0), Make([]Slot{None, pair[0]})
		d.Put(pair[0], Int(1))
		s.Add(pair[0])
		_, inDict, _ := d.Lookup(pair[1])
		inSet, _ := s.Contains(pair[1])
		at, _ := l.Find(pair[1], 0, 2)
		same, _ := starlark.Equal(l, Make([]Slot{None, pair[1]}))
		less, _ := starlark.Compare(syntax.LT, l, Make([]Slot{None, Int(1)}))
		if !inDict || !inSet || at != 1 || !same || !less {
			t.Errorf("%v: dict %v, set %v, list %v, equal %v, less %v", pair, inDict, inSet, at, same, less)
		}
		if got := fmt.Sprint(d, s, l); got != "a dict a set a list" {
			t.Error(got)
		}
	}
	l := Make([]Slot{Int(1), h, Int(0)})
	if err := l.Sort(Order{}); err != nil || l.At(1).Ref() != h.Ref() {
		t.Errorf("got %v %v", l.Slots(), err)
	}
}

func TestFromStarlark(t *testing.T) {
	for _, text := range []string{"[1, 'a']", "{1: [2]}", "set([1, 2])", "'text'"} {
		v := evaluate(t, text)
		got, err := FromStarlark(v)
		_, isString := v.(starlark.String)
		if err != nil || got.String() != v.String() || (got == v) != isString {
			t.Errorf("%s: got %v %v", text, got, err)
		}
		if same, err := starlark.Equal(got, v); err != nil || !same {
			t.Errorf("%s: not the same, %v", text, err)
		}
	}
}
