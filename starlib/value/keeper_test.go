package value_test

import (
	"errors"
	"slices"
	"testing"

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
		if list, ok := it.(*starlark.List); ok {
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
	list := starlark.NewList([]starlark.Value{&picked{starlark.None, &released}})
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
