package pylib

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A deque is a list that grows and shrinks at both ends.
type deque struct {
	class
	items []starlark.Value
	most  int // -1: any
}

var (
	_ starlark.Sequence    = (*deque)(nil)
	_ starlark.HasSetIndex = (*deque)(nil)
	_ starlark.Container   = (*deque)(nil)
)

func (d *deque) Truth() starlark.Bool                     { return len(d.items) > 0 }
func (d *deque) Len() int                                 { return len(d.items) }
func (d *deque) Index(i int) starlark.Value               { return d.items[i] }
func (d *deque) SetIndex(i int, v starlark.Value) error   { d.items[i] = v; return nil }
func (d *deque) Iterate() starlark.Iterator               { return slot.NewList(slices.Clone(d.items)).Iterate() }
func (d *deque) Table() *value.Methods                    { return dequeMethods }
func (d *deque) AttrNames() []string                      { return dequeMethods.Names() }
func (d *deque) Attr(name string) (starlark.Value, error) { return dequeMethods.Attr(d, name) }
func (d *deque) String() string {
	text := "deque(" + value.Repr(slot.NewList(d.items))
	if d.most >= 0 {
		text += fmt.Sprintf(", maxlen=%d", d.most)
	}
	return text + ")"
}

func (d *deque) Has(y starlark.Value) (bool, error) {
	at, err := d.find("deque", y, 0, len(d.items))
	if _, none := err.(absent); none {
		return false, nil
	}
	return at >= 0, err
}

// An absent value is one that a deque is asked for and has not.
type absent struct{ error }

func (a absent) Unwrap() error { return a.error }

// find is where x is first, from first on and before end.
func (d *deque) find(fn string, x starlark.Value, first, end int) (int, error) {
	for i := first; i < min(end, len(d.items)); i++ { // an element's __eq__ may change it
		if same, err := slot.Equal(slot.Of(d.items[i]), slot.Of(x)); same || err != nil {
			return i, err
		}
	}
	return -1, absent{failure("ValueError", "%s: %s is not in deque", fn, value.Repr(x))}
}

// position is an index as slices have it.
func (d *deque) position(i int) int {
	if i < 0 {
		i += len(d.items)
	}
	return max(0, min(i, len(d.items)))
}

// CompareBy compares with another deque as lists are compared.
func (d *deque) CompareBy(op syntax.Token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	other, ok := y.(*deque)
	if !ok {
		return nil, nil
	}
	return value.Compare(op, slot.NewList(d.items), slot.NewList(other.items))
}

// push appends x.
func (d *deque) push(x starlark.Value) {
	if d.most == 0 {
		return
	}
	if len(d.items) == d.most {
		d.items = d.items[1:]
	}
	d.items = append(d.items, x)
}

// pushLeft puts xs before the first.
func (d *deque) pushLeft(xs ...starlark.Value) {
	d.items = slices.Insert(d.items, 0, xs...)
	if d.most >= 0 && len(d.items) > d.most {
		d.items = d.items[:d.most]
	}
}

func (d *deque) extend(thread *starlark.Thread, xs starlark.Value) error {
	items, err := elements(thread, xs)
	for _, x := range value.Heard(thread, items) {
		d.push(x)
	}
	return err
}

func (d *deque) empty(fn string) error {
	if len(d.items) == 0 {
		return failure("IndexError", "%s: the deque is empty", fn)
	}
	return nil
}

type elementArg struct {
	X starlark.Value `arg:"x: a value"`
}

var dequeMethods = value.NewMethods("deque", []value.Builtin{
	method("append", "Puts x at the end.", `import collections; d = collections.deque("a"); d.append("b"); d # deque(["a", "b"])`,
		func(_ *starlark.Thread, d *deque, a *elementArg) (starlark.Value, error) {
			d.push(a.X)
			return nil, nil
		}),
	method("appendleft", "Puts x before the first.", `import collections; d = collections.deque("a"); d.appendleft("b"); d # deque(["b", "a"])`,
		func(_ *starlark.Thread, d *deque, a *elementArg) (starlark.Value, error) {
			d.pushLeft(a.X)
			return nil, nil
		}),
	method("clear", "Removes all.", `import collections; d = collections.deque("a"); d.clear(); len(d) # 0`,
		func(_ *starlark.Thread, d *deque, _ *none) (starlark.Value, error) {
			d.items = nil
			return nil, nil
		}),
	method("copy", "Another deque of the same elements.", `import collections; collections.deque("ab", 2).copy() # deque(["a", "b"], maxlen=2)`,
		func(_ *starlark.Thread, d *deque, _ *none) (starlark.Value, error) {
			return &deque{class: d.class, most: d.most, items: slices.Clone(d.items)}, nil
		}),
	method("count", "How many elements are equal to x.", `import collections; collections.deque("aba").count("a") # 2`,
		func(_ *starlark.Thread, d *deque, a *elementArg) (starlark.Value, error) {
			n := 0
			for _, x := range slices.Clone(d.items) {
				same, err := slot.Equal(slot.Of(x), slot.Of(a.X))
				if err != nil {
					return nil, err
				}
				if same {
					n++
				}
			}
			return starlark.MakeInt(n), nil
		}),
	method("extend", "Puts the elements of x at the end.", `import collections; d = collections.deque("a"); d.extend("bc"); len(d) # 3`,
		func(thread *starlark.Thread, d *deque, a *elementArg) (starlark.Value, error) {
			return nil, d.extend(thread, a.X)
		}),
	method("extendleft", "Puts the elements of x before the first, one after the other.",
		`import collections; d = collections.deque("a"); d.extendleft("bc"); d # deque(["c", "b", "a"])`,
		func(thread *starlark.Thread, d *deque, a *elementArg) (starlark.Value, error) {
			items, err := elements(thread, a.X)
			slices.Reverse(items)
			d.pushLeft(items...)
			return nil, err
		}),
	method("index", "Where x is first.", `import collections; collections.deque("aba").index("b") # 1`,
		func(_ *starlark.Thread, d *deque, a *struct {
			X     starlark.Value `arg:"x: a value"`
			Start int            `arg:"start=0: the first index to look at"`
			Stop  *int           `arg:"stop=None: the index to end before"`
		}) (starlark.Value, error) {
			end := len(d.items)
			if a.Stop != nil {
				end = d.position(*a.Stop)
			}
			at, err := d.find("index", a.X, d.position(a.Start), end)
			if err != nil {
				return nil, err
			}
			return starlark.MakeInt(at), nil
		}),
	method("insert", "Puts x before index i.", `import collections; d = collections.deque("ac"); d.insert(1, "b"); d # deque(["a", "b", "c"])`,
		func(_ *starlark.Thread, d *deque, a *struct {
			I int            `arg:"i: an index"`
			X starlark.Value `arg:"x: a value"`
		}) (starlark.Value, error) {
			if len(d.items) == d.most {
				return nil, failure("IndexError", "insert: deque already at its maximum size, %d", d.most)
			}
			d.items = slices.Insert(d.items, d.position(a.I), a.X)
			return nil, nil
		}),
	method("pop", "Removes the last, and returns it.", `import collections; collections.deque("ab").pop() # "b"`,
		func(_ *starlark.Thread, d *deque, _ *none) (starlark.Value, error) {
			if err := d.empty("pop"); err != nil {
				return nil, err
			}
			x := d.items[len(d.items)-1]
			d.items = d.items[:len(d.items)-1]
			return x, nil
		}),
	method("popleft", "Removes the first, and returns it.", `import collections; collections.deque("ab").popleft() # "a"`,
		func(_ *starlark.Thread, d *deque, _ *none) (starlark.Value, error) {
			if err := d.empty("popleft"); err != nil {
				return nil, err
			}
			x := d.items[0]
			d.items = d.items[1:]
			return x, nil
		}),
	method("remove", "Removes the first element that is equal to x.", `import collections; d = collections.deque("aba"); d.remove("a"); d # deque(["b", "a"])`,
		func(_ *starlark.Thread, d *deque, a *elementArg) (starlark.Value, error) {
			at, err := d.find("remove", a.X, 0, len(d.items))
			if err == nil {
				d.items = slices.Delete(d.items, at, at+1)
			}
			return nil, err
		}),
	method("reverse", "Turns the order around.", `import collections; d = collections.deque("ab"); d.reverse(); d # deque(["b", "a"])`,
		func(_ *starlark.Thread, d *deque, _ *none) (starlark.Value, error) {
			slices.Reverse(d.items)
			return nil, nil
		}),
	method("rotate", "Puts the last n before the first.", `import collections; d = collections.deque("abc"); d.rotate(1); d # deque(["c", "a", "b"])`,
		func(_ *starlark.Thread, d *deque, a *struct {
			N int `arg:"n=1: how many; less than 0 is the other way"`
		}) (starlark.Value, error) {
			if n := len(d.items); n > 0 {
				at := n - ((a.N%n)+n)%n
				d.items = append(slices.Clone(d.items[at:]), d.items[:at]...)
			}
			return nil, nil
		}),
}).With(value.FieldOf("maxlen", "How many it keeps.", `import collections; collections.deque("ab", 5).maxlen # 5`, func(d *deque) starlark.Value {
	if d.most < 0 {
		return starlark.None
	}
	return starlark.MakeInt(d.most)
}))
