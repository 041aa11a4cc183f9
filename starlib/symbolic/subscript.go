package symbolic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Get is x[k]: integers, slices, None, Ellipsis, symbolic scalars and tuples of these.
func (x Symbol) Get(k starlark.Value) (v starlark.Value, found bool, err error) {
	v, err = x.subscript(k)
	return v, err == nil, err
}

// Has refuses x in a symbol, which Starlark would take for whether x may be a subscript.
func (x Symbol) Has(starlark.Value) (bool, error) {
	return false, fmt.Errorf("in: the elements of %s are not known before the function runs; use T.any(T.eq(x, value))", x)
}

// SliceBy is x[lo:hi:step].
func (x Symbol) SliceBy(lo, hi, step starlark.Value) (starlark.Value, error) {
	return x.subscript(&value.Slice{Lo: lo, Hi: hi, Step: step})
}

func (x Symbol) subscript(k starlark.Value) (starlark.Value, error) {
	b := x.s.builder(nil)
	parts, err := x.parts(k)
	if err != nil {
		return nil, err
	}
	// None inserts an axis into what the other subscripts give: pattern says where.
	var words []string
	var operands []*graph.Variable
	var pattern []int
	kept := 0
	inserted := false
	for _, p := range parts {
		switch p := p.(type) {
		case starlark.NoneType:
			pattern = append(pattern, tensor.NewAxis)
			inserted = true
			continue
		case *value.Slice:
			var bounds []string
			for _, bound := range []starlark.Value{p.Lo, p.Hi, p.Step} {
				w, v, err := x.position(b, bound)
				if err != nil {
					return nil, err
				}
				bounds = append(bounds, w)
				if v != nil {
					operands = append(operands, v)
				}
			}
			if bounds[2] == "" {
				bounds = bounds[:2]
			}
			words = append(words, strings.Join(bounds, ":"))
			pattern = append(pattern, kept)
			kept++
		default:
			w, v, err := x.position(b, p)
			if err != nil {
				return nil, err
			}
			words = append(words, w)
			if v != nil {
				operands = append(operands, v)
			}
		}
	}
	// z[:] stays a node of its own: T.set_subtensor(z[:], y) writes into z, not into what z is a part of.
	least := 1
	if inserted {
		least = 0
	}
	for len(words) > least && words[len(words)-1] == ":" {
		words = words[:len(words)-1]
	}
	out := x.v
	if len(words) > 0 {
		made, err := b.Make(op.Subtensor{Index: op.Subscripts(strings.Join(words, " "))},
			append([]*graph.Variable{x.v}, operands...)...)
		if err != nil {
			return nil, x.s.locate(err)
		}
		out = made[0]
	}
	if !inserted {
		return Symbol{x.s, out}, nil
	}
	return x.s.apply(b, op.NewDimShuffle(pattern), out)
}

// parts lists the subscripts, one for each axis of x and each None, with Ellipsis replaced by whole axes.
func (x Symbol) parts(k starlark.Value) ([]starlark.Value, error) {
	list := starlark.Tuple{k}
	if t, ok := k.(starlark.Tuple); ok {
		list = t
	}
	taken, at := 0, -1
	for i, p := range list {
		switch {
		case p == starlark.None:
		case p == value.Ellipsis && at >= 0:
			return nil, fmt.Errorf("an index can have only one Ellipsis")
		case p == value.Ellipsis:
			at = i
		default:
			taken++
		}
	}
	rank := x.v.Type.Rank()
	if taken > rank {
		return nil, fmt.Errorf("too many indices: got %d, want at most %d: %s", taken, rank, graph.Describe(x.v))
	}
	rest := make([]starlark.Value, rank-taken)
	for i := range rest {
		rest[i] = &value.Slice{Lo: starlark.None, Hi: starlark.None, Step: starlark.None}
	}
	if at < 0 {
		return append(slices.Clone([]starlark.Value(list)), rest...), nil
	}
	return slices.Concat([]starlark.Value(list[:at]), rest, []starlark.Value(list[at+1:])), nil
}

// position spells one number of a subscript: "" for None, a number, or "i" with the symbolic scalar.
func (x Symbol) position(b *graph.Builder, p starlark.Value) (string, *graph.Variable, error) {
	switch p := value.Plain(p).(type) {
	case starlark.NoneType:
		return "", nil, nil
	case starlark.Int:
		n, err := starlark.AsInt32(p)
		if err != nil {
			return "", nil, fmt.Errorf("index %s is too large", p)
		}
		return strconv.Itoa(n), nil, nil
	case Symbol:
		v := p.v
		switch {
		case v.Type.Rank() == 0 && v.Type.DType.IsInteger() && v.Type.DType != kernels.Uint64:
			out, err := b.Make(op.Cast(kernels.Int64), v)
			if v.Type.DType == kernels.Int64 {
				return "i", v, nil
			}
			if err != nil {
				return "", nil, err
			}
			return "i", out[0], nil
		case v.Type.Rank() > 0:
			return "", nil, fmt.Errorf("indexing by arrays is not in Arignote yet: the index is %v", v.Type)
		}
		return "", nil, fmt.Errorf("got an index of type %v, want an integer scalar", v.Type)
	case *np.Array, *starlark.List:
		return "", nil, fmt.Errorf("indexing a symbolic variable by arrays or lists is not in Arignote yet")
	}
	return "", nil, fmt.Errorf("got an index of type %s, want int, slice, None, Ellipsis or a symbolic integer", p.Type())
}
