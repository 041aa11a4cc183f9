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
	v, err = x.Subscript(k)
	return v, err == nil, err
}

// Has refuses x in a symbol, which Starlark would take for whether x may be a subscript.
func (x Symbol) Has(starlark.Value) (bool, error) {
	return false, fmt.Errorf("in: the elements of %s are not known before the function runs; use T.any(T.eq(x, value))", x)
}

// CheckIterate says why x cannot be gone through.
func (x Symbol) CheckIterate() error {
	switch t := x.V.Type; {
	case t.Rank() == 0:
		return fmt.Errorf("%s is not iterable: it has no axes", graph.Mention(x.V))
	case t.Dim(0) == graph.Unknown:
		return fmt.Errorf("%s value is not iterable", x.Type())
	}
	return nil
}

// Iterate goes through x[0], x[1], ..., whose number has to be known before the function runs: n, m
// = x.shape.
func (x Symbol) Iterate() starlark.Iterator {
	if err := x.CheckIterate(); err != nil {
		x.S.Fail(err)
		return starlark.Tuple{}.Iterate()
	}
	return &rowsOf{x: x, n: x.V.Type.Dim(0)}
}

// rowsOf are the rows of x from the i-th of n.
type rowsOf struct {
	x    Symbol
	i, n int
}

func (r *rowsOf) Done() {}

func (r *rowsOf) Next(p *starlark.Value) bool {
	if r.i == r.n {
		return false
	}
	row, err := r.x.Subscript(starlark.MakeInt(r.i))
	if err != nil {
		r.x.S.Fail(err)
		return false
	}
	*p = row
	r.i++
	return true
}

// SliceBy is x[lo:hi:step].
func (x Symbol) SliceBy(lo, hi, step starlark.Value) (starlark.Value, error) {
	return x.Subscript(&value.Slice{Lo: lo, Hi: hi, Step: step})
}

// A part is one part of a subscript, in the words of op.Subscripts.
type part struct {
	word     string
	operands []*graph.Variable
	axes     int  // of x that it stands for
	keeps    bool // an axis stays: a slice
	newAxis  bool
	ellipsis bool
	array    bool
	apart    bool // a new axis that only keeps what is before it and behind it apart
}

// chooses reports whether a part takes single places of its axes: an array, or an integer beside
// arrays.
func (p part) chooses() bool { return !p.keeps && !p.newAxis }

var wholeAxis = part{word: ":", axes: 1, keeps: true}

// Subscript is x[k].
func (x Symbol) Subscript(k starlark.Value) (starlark.Value, error) {
	b := x.S.Builder(nil)
	parts, err := x.parts(b, k)
	if err != nil {
		return nil, graph.Explained(err, []*graph.Variable{x.V})
	}
	if slices.ContainsFunc(parts, func(p part) bool { return p.array }) {
		return x.advanced(b, parts)
	}
	return x.basic(b, parts)
}

// basic is x[parts] of integers and slices. None inserts an axis into what the others give: pattern
// says where.
func (x Symbol) basic(b *graph.Builder, parts []part) (starlark.Value, error) {
	var list []part
	var pattern []int
	kept := 0
	for _, p := range parts {
		switch {
		case p.newAxis:
			pattern = append(pattern, tensor.NewAxis)
			continue
		case p.keeps:
			pattern = append(pattern, kept)
			kept++
		}
		list = append(list, p)
	}
	// z[:] stays a node of its own: T.set_subtensor(z[:], y) writes into z, not into what z is a
	// part of.
	inserted := len(pattern) > kept
	least := 1
	if inserted {
		least = 0
	}
	for len(list) > least && list[len(list)-1].word == ":" {
		list = list[:len(list)-1]
	}
	out := x
	if len(list) > 0 {
		index, operands := written(list)
		v, err := x.S.Apply(b, op.Subtensor{Index: index}, append([]*graph.Variable{x.V}, operands...)...)
		if err != nil || !inserted {
			return v, err
		}
		out = v.(Symbol)
	}
	if !inserted {
		return out, nil
	}
	return x.S.Apply(b, op.NewDimShuffle(pattern), out.V)
}

// advanced is x[parts] with arrays among them: of one vector of integers a Take.
func (x Symbol) advanced(b *graph.Builder, parts []part) (starlark.Value, error) {
	axis := 0
	for len(parts) > axis && parts[axis].word == ":" {
		axis++
	}
	for len(parts) > axis+1 && parts[len(parts)-1].word == ":" {
		parts = parts[:len(parts)-1]
	}
	index, operands := written(parts)
	if len(parts) == axis+1 {
		if t := operands[0].Type; t.Rank() == 1 && t.DType.IsInteger() {
			return x.S.Apply(b, op.Take{Axis: axis}, x.V, operands[0])
		}
	}
	v, err := x.S.Apply(b, op.AdvancedSubtensor{Index: index}, append([]*graph.Variable{x.V}, operands...)...)
	at := slices.IndexFunc(parts, func(p part) bool { return p.apart })
	if err != nil || at < 0 {
		return v, err
	}
	z := v.(Symbol)
	rank := z.V.Type.Rank()
	dropped := rank // the axes of the parts that give any are the last ones
	for _, p := range parts[at:] {
		if !p.chooses() {
			dropped--
		}
	}
	var kept []int
	for axis := range rank {
		if axis != dropped {
			kept = append(kept, axis)
		}
	}
	return x.S.Apply(b, op.NewDimShuffle(kept), z.V)
}

// written is parts in words, and the operands that these take.
func written(parts []part) (index op.Subscripts, operands []*graph.Variable) {
	words := make([]string, len(parts))
	for i, p := range parts {
		words[i] = p.word
		operands = append(operands, p.operands...)
	}
	return op.Subscripts(strings.Join(words, " ")), operands
}

// parts reads the subscripts, with whole axes in the place of Ellipsis, and for the axes that are
// not mentioned.
func (x Symbol) parts(b *graph.Builder, k starlark.Value) ([]part, error) {
	keys := starlark.Tuple{k}
	if t, ok := k.(starlark.Tuple); ok {
		keys = t
	} else if t := np.PartsOf(k); t != nil {
		keys = t
	}
	var list []part
	taken, at := 0, -1
	for _, key := range keys {
		p, err := x.part(b, key)
		if err != nil {
			return nil, err
		}
		if p.ellipsis {
			if at >= 0 {
				return nil, fmt.Errorf("an index can have only one Ellipsis")
			}
			at = len(list)
			continue
		}
		taken += p.axes
		list = append(list, p)
	}
	rank := x.V.Type.Rank()
	if taken > rank {
		return nil, fmt.Errorf("too many indices: got %d, want at most %d", taken, rank)
	}
	if at < 0 {
		at = len(list)
	}
	if taken == rank && slices.ContainsFunc(list, func(p part) bool { return p.array }) &&
		slices.ContainsFunc(list[:at], part.chooses) && slices.ContainsFunc(list[at:], part.chooses) {
		// An Ellipsis that stands for no axes parts what is around it all the same: the axes of the
		// arrays come first.
		return slices.Insert(list, at, part{word: "x", newAxis: true, apart: true}), nil
	}
	return slices.Insert(list, at, slices.Repeat([]part{wholeAxis}, rank-taken)...), nil
}

const wantIndex = "want int, slice, None, Ellipsis, a symbolic integer, or an array or list of integers or bools"

func (x Symbol) part(b *graph.Builder, key starlark.Value) (part, error) {
	switch key := value.Plain(key).(type) {
	case starlark.NoneType:
		return part{word: "x", newAxis: true}, nil
	case *value.Slice:
		return slicePart(b, key)
	case Symbol:
		if key.V.Type.Rank() > 0 {
			return arrayPart(key.V)
		}
	case starlark.String, starlark.Bytes:
	case *np.Array, starlark.Indexable: // lists, tuples, ranges
		return listPart(b, key)
	default:
		if key == value.Ellipsis {
			return part{ellipsis: true}, nil
		}
	}
	word, v, err := position(b, key)
	p := part{word: word, axes: 1}
	if v != nil {
		p.operands = []*graph.Variable{v}
	}
	return p, err
}

// listPart is a subscript that is an array or a list of known values. A list without elements is
// one of integers.
func listPart(b *graph.Builder, key starlark.Value) (part, error) {
	d, err := np.ToDense(key)
	switch {
	case err != nil:
		return part{}, fmt.Errorf("index: %w", err)
	case d.Size() == 0 && d.DType().IsFloat():
		d = d.AsType(kernels.Int64)
	case d.Rank() == 0 && d.DType().IsInteger():
		return part{word: strconv.FormatInt(d.Ints()[0], 10), axes: 1}, nil
	case d.Rank() == 0:
		return part{}, fmt.Errorf("got an index of type %v, %s", d.DType(), wantIndex)
	}
	return arrayPart(b.Constant(d.Copy())) // the caller may change its array afterwards
}

// arrayPart is a subscript that is an array. A mask stands for as many axes as it has.
func arrayPart(v *graph.Variable) (part, error) {
	p := part{word: "v", operands: []*graph.Variable{v}, axes: 1, array: true}
	switch t := v.Type; {
	case t.DType.IsBool():
		p.axes = t.Rank()
	case !t.DType.IsInteger():
		return part{}, fmt.Errorf("got an index of type %v, want an array of integers or bools", t)
	}
	return p, nil
}

// slicePart is a subscript that is a slice.
func slicePart(b *graph.Builder, s *value.Slice) (part, error) {
	p := wholeAxis
	var bounds []string
	for _, bound := range []starlark.Value{s.Lo, s.Hi, s.Step} {
		if bound == starlark.None {
			bounds = append(bounds, "")
			continue
		}
		word, v, err := position(b, bound)
		if err != nil {
			return part{}, err
		}
		bounds = append(bounds, word)
		if v != nil {
			p.operands = append(p.operands, v)
		}
	}
	if bounds[2] == "" {
		bounds = bounds[:2]
	}
	p.word = strings.Join(bounds, ":")
	return p, nil
}

// position spells one number of a subscript: a number, or "i" with the symbolic scalar.
func position(b *graph.Builder, p starlark.Value) (string, *graph.Variable, error) {
	switch p := value.Plain(p).(type) {
	case starlark.Int:
		n, err := starlark.AsInt32(p)
		if err != nil {
			return "", nil, fmt.Errorf("index %s is too large", p)
		}
		return strconv.Itoa(n), nil, nil
	case Symbol:
		v := p.V
		if v.Type.Rank() != 0 || !v.Type.DType.IsInteger() || v.Type.DType == kernels.Uint64 {
			return "", nil, fmt.Errorf("got an index of type %v, want an integer scalar", v.Type)
		}
		if v.Type.DType == kernels.Int64 {
			return "i", v, nil
		}
		out, err := b.Make(op.Cast(kernels.Int64), v)
		if err != nil {
			return "", nil, err
		}
		return "i", out[0], nil
	}
	return "", nil, fmt.Errorf("got an index of type %s, %s", p.Type(), wantIndex)
}
