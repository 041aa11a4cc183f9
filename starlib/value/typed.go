package value

import (
	"slices"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// A Typed is a number with an element type, as those that are taken out of arrays. Indexes, counts
// and keys are the language's own numbers: Plain is the one that a Typed equals.
type Typed interface {
	starlark.Value
	Plain() starlark.Value
}

// Plain returns the number of Starlark's that a Typed is, also within a tuple; other values are
// returned as they are.
func Plain(v starlark.Value) starlark.Value {
	switch v := v.(type) {
	case starlark.String, starlark.Int, starlark.Float: // at once, since loops do it
		return v
	case Typed:
		return v.Plain()
	case starlark.Tuple:
		return plainTuple(v, maxPlain)
	}
	return v
}

// maxPlain is how deep in containers Typed are looked for. Starlark compares no deeper than 10, and
// a tuple that holds another twice, which holds another twice, ..., has twice as many elements with
// each.
const maxPlain = 12

func plainTuple(t starlark.Tuple, depth int) starlark.Tuple {
	if depth == 0 {
		return t
	}
	out := t
	for i, x := range t {
		p := x
		switch x := x.(type) {
		case starlark.Tuple:
			p = plainTuple(x, depth-1)
		case Typed:
			p = x.Plain()
		}
		if nested, ok := p.(starlark.Tuple); ok {
			if len(nested) == 0 || &nested[0] == &x.(starlark.Tuple)[0] {
				continue
			}
		} else if _, ok := x.(Typed); !ok {
			continue
		}
		if &out[0] == &t[0] {
			out = slices.Clone(t)
		}
		out[i] = p
	}
	return out
}

// PlainDeep is Plain also within lists, dicts and sets, which it copies if there is a Typed in
// them. It is for comparisons: Starlark compares what containers hold by itself.
func PlainDeep(v starlark.Value) starlark.Value {
	return plainDeep(v, maxPlain)
}

func plainDeep(v starlark.Value, depth int) starlark.Value {
	if !holdsTyped(v, depth) {
		return v
	}
	switch v := v.(type) {
	case Typed:
		return v.Plain()
	case starlark.Tuple:
		return starlark.Tuple(deepItems(v, depth-1))
	case *slot.List:
		return slot.NewList(deepItems(elementsOf(v), depth-1))
	case *slot.Dict:
		out := slot.NewDict(v.Len())
		for _, kv := range v.Items() {
			if out.SetKey(kv[0], plainDeep(kv[1], depth-1)) != nil {
				return v
			}
		}
		return out
	}
	return v
}

func deepItems(items []starlark.Value, depth int) []starlark.Value {
	out := make([]starlark.Value, len(items))
	for i, x := range items {
		out[i] = plainDeep(x, depth)
	}
	return out
}

// holdsTyped looks through containers down to the given depth; keys of dicts and elements of sets
// are Starlark's own.
func holdsTyped(v starlark.Value, depth int) bool {
	if depth == 0 {
		return false
	}
	switch v := v.(type) {
	case starlark.String, starlark.Int, starlark.Float:
		return false
	case Typed:
		return true
	case starlark.Tuple:
		for _, x := range v {
			if holdsTyped(x, depth-1) {
				return true
			}
		}
	case *slot.List:
		for i := range v.Len() {
			if holdsTyped(v.Index(i), depth-1) {
				return true
			}
		}
	case *slot.Dict:
		for _, x := range v.Entries() {
			if holdsTyped(x, depth-1) {
				return true
			}
		}
	}
	return false
}

func elementsOf(v starlark.Value) []starlark.Value {
	return slices.Collect(starlark.Elements(v.(starlark.Iterable)))
}

var one, zero = starlark.MakeInt(1), starlark.MakeInt(0)

// wholeOf is 1 for True and 0 for False.
func wholeOf(b starlark.Bool) starlark.Int {
	if b {
		return one
	}
	return zero
}

// Whole is v, for a bool 1 or 0: as a number, an index or a sign.
func Whole(i starlark.Value) starlark.Value {
	if b, ok := i.(starlark.Bool); ok {
		return wholeOf(b)
	}
	return i
}
