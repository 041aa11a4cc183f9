package value_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A picked is a value with memory: elements at positions of its are new ones, those at names are views of it, and those at numbers below 0 errors.
type picked struct {
	starlark.Value
	log *[]*picked // what was released
}

func (p *picked) Hold()      {}
func (p *picked) Temporary() {}
func (p *picked) Release()   { *p.log = append(*p.log, p) }

func (p *picked) Get(i starlark.Value) (starlark.Value, bool, error) {
	if n, ok := i.(starlark.Int); ok && n.Sign() < 0 {
		return nil, false, errors.New("out of bounds")
	}
	return &picked{starlark.None, p.log}, true, nil
}

func (p *picked) Apart(starlark.Value) bool { return true }

// TestKeeperPicks: of k.of[x][i] the value before the last is given back when the next is made, and none of those that the variable may have: not after
// errors, and not after values of others, whose elements are theirs.
func TestKeeperPicks(t *testing.T) {
	var released []*picked
	x, k := &picked{starlark.None, &released}, value.NewKeeper()
	pick := func(of starlark.Value, i int) starlark.Value {
		from, err := k.Attr("of")
		if err != nil {
			t.Fatal(err)
		}
		it, _, err := from.(starlark.Mapping).Get(of)
		if err != nil {
			t.Fatal(err)
		}
		if list, ok := it.(*slot.List); ok {
			return list.Index(i)
		}
		z, _, err := it.(starlark.Mapping).Get(starlark.MakeInt(i))
		if (err != nil) != (i < 0) {
			t.Fatal(err)
		}
		return z
	}
	a, b := pick(x, 0).(*picked), pick(x, 0).(*picked)
	for range 3 { // the variable has b
		pick(x, -1)
	}
	if !slices.Equal(released, []*picked{a}) {
		t.Fatalf("released %v, want only what was before the last", released)
	}
	c := pick(x, 0).(*picked)
	list := slot.NewList([]starlark.Value{&picked{starlark.None, &released}})
	for range 3 { // the variable has the list's element
		pick(list, 0)
	}
	d := pick(x, 0).(*picked)
	k.End()
	k.End() // where the variable ends
	if want := []*picked{a, b, c, d}; !slices.Equal(released, want) {
		t.Errorf("released %v, want %v in their order, and not the list's element", released, want)
	}
}

// TestKeeperGroup: a value that another variable got is given back when none of the group has it; one that is nobody's is not.
func TestKeeperGroup(t *testing.T) {
	var released []*picked
	u, v, other := value.NewKeeper(), value.NewKeeper(), value.NewKeeper()
	v.Join(u)
	other.Join(u)
	step := func(k *value.Keeper, x starlark.Value, same bool) *picked {
		var m starlark.Mapping = k
		if same {
			attr, err := k.Attr("same")
			if err != nil {
				t.Fatal(err)
			}
			m = attr.(starlark.Mapping)
		}
		z, _, err := m.Get(x)
		if err != nil || z != x {
			t.Fatal(z, err)
		}
		return z.(*picked)
	}
	var made []*picked
	theirs := &picked{starlark.None, &released}
	step(v, theirs, true) // which no keeper made
	for i := range 6 {
		made = append(made, step(u, &picked{starlark.None, &released}, false))
		for range 1 + i%2 { // v = u, v = u
			step(v, made[i], true)
		}
		for _, p := range released {
			if p == theirs || p == made[i] || i > 0 && p == made[i-1] {
				t.Fatalf("step %d: released what u or v may have", i)
			}
		}
	}
	if want := made[:len(made)-3]; len(released) < len(want) || !slices.Equal(released[:len(want)], want) {
		t.Errorf("released %d values, want at least %d, in their order", len(released), len(want))
	}
	step(u, made[5], true)
	for _, k := range []*value.Keeper{u, v, other} {
		k.End()
	}
	if slices.Contains(released, made[5]) {
		t.Error("released what both have")
	}
}
