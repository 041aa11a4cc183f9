package np_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// member is a function of np.
func member(t *testing.T, name string) starlark.Callable {
	t.Helper()
	v, err := value.Attr(np.Module(), name)
	if err != nil {
		t.Fatal(err)
	}
	return v.(starlark.Callable)
}

// TestForgotten: what functions and methods read is held no longer when they have returned, unless
// their result lies in it or is neither a number nor an array. That nothing is given back which
// somebody has is tested by programs: TestMemoryIsNobodys.
func TestForgotten(t *testing.T) {
	for call, forgets := range map[string]bool{
		".sum": true, ".mean": true, ".max": true, ".std": true, ".argmax": true, ".any": true, ".dot": true, ".copy": true, ".round": true, ".cumsum": true, ".flatten": true,
		".nonzero": false, ".ravel": false, ".view": false, ".transpose": false, ".squeeze": false,
		"sum": true, "median": true, "sort": true, "exp": true, "copy": true, "unique": true, "diff": true, "isfinite": true, "trace": true,
		"asarray": false, "ravel": false, "transpose": false, "split": false, "atleast_2d": false,
	} {
		a := np.NewArray(nil, tensor.New(kernels.Float64, 2, 3))
		args := starlark.Tuple{a}
		var f starlark.Callable
		if name, isMethod := strings.CutPrefix(call, "."); isMethod {
			args = nil
			method, _ := a.Attr(name)
			f = method.(starlark.Callable)
		} else {
			f = member(t, call)
		}
		switch call {
		case ".dot":
			args = starlark.Tuple{np.NewArray(nil, tensor.New(kernels.Float64, 3))}
		case "split":
			args = append(args, starlark.MakeInt(2))
		}
		z, err := f.CallInternal(new(starlark.Thread), args, nil)
		if err != nil {
			t.Fatalf("%s: %v", call, err)
		}
		if got := a.D.IsUnique(); got != forgets {
			t.Errorf("%s, which returned %v: nobody else has the memory: %v, want %v", call, z, got, forgets)
		}
	}
}

// TestGivenBack: a method gives back the memory of an array that was computed for it.
func TestGivenBack(t *testing.T) {
	defer func(was bool) { tensor.Poison = was }(tensor.Poison)
	tensor.Poison = true // otherwise it waits whole for the next result
	for method, returns := range map[string]bool{"sum": true, "copy": true, "ravel": false, "tolist": false} {
		a := np.NewArray(nil, tensor.New(kernels.Float64, 200))
		a.MarkDying()
		f, _ := a.Attr(method)
		if _, err := f.(starlark.Callable).CallInternal(new(starlark.Thread), nil, nil); err != nil {
			t.Fatal(err)
		}
		if got := a.D.Buffer() == nil; got != returns {
			t.Errorf("%s: given back: %v, want %v", method, got, returns)
		}
	}
}

// TestSpares: a small array that was released is the next of its type and shape, unless somebody
// else has its memory.
func TestSpares(t *testing.T) {
	x := tensor.New(kernels.Float64, 3, 2)
	plus := member(t, "add")
	add := func(y *tensor.Dense) *np.Array {
		z, err := plus.CallInternal(new(starlark.Thread), starlark.Tuple{np.NewArray(nil, y), np.NewArray(nil, y)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return z.(*np.Array)
	}
	first := add(x)
	d := first.D
	first.Release()
	for name, other := range map[string]*np.Array{
		"another type":  add(x.AsType(kernels.Float32)),
		"another shape": add(tensor.New(kernels.Float64, 2, 3)),
		"one row":       add(tensor.New(kernels.Float64, 6)),
	} {
		if other.D == d {
			t.Errorf("%s is the array that was released", name)
		}
	}
	a := add(x)
	if a.D != d || d.Floats()[5] != 0 {
		t.Errorf("got %v, want the array that was released", a)
	}
	if b := add(x); b.D == d || b == a {
		t.Error("two results are one array")
	}
	if _, err := plus.CallInternal(new(starlark.Thread), starlark.Tuple{a, np.NewArray(nil, tensor.New(kernels.Float64, 5, 7))}, nil); err == nil {
		t.Error("shapes that do not fit")
	}
	for name, hold := range map[string]func(a *np.Array){
		"held": func(a *np.Array) { a.Pin() }, "a view": func(a *np.Array) { a.View(a.D) }, "frozen": func(a *np.Array) { a.Freeze() },
	} {
		b := add(x)
		d := b.D
		hold(b)
		b.Release()
		if add(x).D == d {
			t.Errorf("%s: the array is used again", name)
		}
	}
	large := add(tensor.New(kernels.Float64, 1<<13))
	d = large.D
	if large.Release(); d.Buffer() != nil {
		t.Error("a large array waits whole")
	}
}

// TestApart: what a subscript by an array gives has memory of its own, and what others give has
// that of the array, or none.
func TestApart(t *testing.T) {
	a := np.NewArray(nil, tensor.New(kernels.Float64, 4, 3))
	rows := np.NewArray(nil, tensor.From([]int64{2, 0, 1}, 3))
	mask := np.NewArray(nil, tensor.FromBools([]bool{true, false, true, true}, 4))
	all := &value.Slice{Lo: starlark.None, Hi: starlark.None, Step: starlark.None}
	for name, c := range map[string]struct {
		at    starlark.Value
		apart bool
	}{
		"an element": {starlark.Tuple{starlark.MakeInt(1), starlark.MakeInt(2)}, false}, "a row": {starlark.MakeInt(1), false}, "a slice": {all, false},
		"a column": {starlark.Tuple{all, starlark.MakeInt(0)}, false}, "an axis": {starlark.None, false},
		"rows": {rows, true}, "columns": {starlark.Tuple{all, rows}, true}, "places": {starlark.Tuple{rows, rows}, true}, "a mask": {mask, true},
		"a list": {slot.NewList([]starlark.Value{starlark.MakeInt(0)}), true},
	} {
		z, _, err := a.Get(c.at)
		if err != nil {
			t.Fatal(name, err)
		}
		if got := a.Apart(z); got != c.apart {
			t.Errorf("%s: apart: %v, want %v", name, got, c.apart)
		}
	}
	z, _, _ := a.Get(rows)
	z.(*np.Array).View(z.(*np.Array).D)
	if a.Apart(z) {
		t.Error("an array of which there is a view is taken for nobody else's")
	}
}

// TestStaleReferences: with tensor.Poison whoever still refers to an array that was given back
// panics, of a small one that waits whole and of a large one, also when its memory was given out
// again.
func TestStaleReferences(t *testing.T) {
	defer func(was bool) { tensor.Poison = was }(tensor.Poison)
	tensor.Poison = true
	for _, n := range []int{1, 3, 100, 100_000} {
		for _, again := range []bool{false, true} {
			stale := np.NewArray(nil, tensor.New(kernels.Float64, n))
			elements := stale.D
			stale.Release()
			var held []*np.Array
			for range 9 {
				if again {
					held = append(held, np.NewArray(nil, tensor.Empty(kernels.Float64, n)))
				}
			}
			for what, look := range map[string]func(){"the array": func() { _ = stale.String() }, "its elements": func() { elements.Floats() }} {
				func() {
					defer func() {
						if recover() == nil {
							t.Errorf("%d elements, given out again %v: %s can be looked at", n, again, what)
						}
					}()
					look()
				}()
			}
			for _, a := range held {
				if a == stale || a.D == elements {
					t.Errorf("%d elements: the description was given out again", n)
				}
			}
		}
	}
}
