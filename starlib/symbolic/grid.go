package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A gridMaker is T.mgrid or T.ogrid: a value that makes variables of the slices that it is
// subscripted with.
type gridMaker struct {
	s         *Session
	name, doc string
}

var (
	_ starlark.Mapping = gridMaker{}
	_ value.Slicer     = gridMaker{}
	_ value.Documenter = gridMaker{}
)

func GridMember(s *Session, name, doc, example string) value.Member {
	return value.Member{Name: name, Value: gridMaker{s, name, doc}, Doc: doc, Example: example}
}

func (m gridMaker) Type() string          { return m.name }
func (m gridMaker) String() string        { return "T." + m.name }
func (m gridMaker) Doc() string           { return m.doc }
func (m gridMaker) Freeze()               {}
func (m gridMaker) Truth() starlark.Bool  { return true }
func (m gridMaker) Hash() (uint32, error) { return starlark.String(m.name).Hash() }

// Get is the grid of slices.
func (m gridMaker) Get(k starlark.Value) (starlark.Value, bool, error) {
	items, ok := k.(starlark.Tuple)
	if !ok {
		items = starlark.Tuple{k}
	}
	v, err := m.grid(items)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", m.name, err)
	}
	return v, true, nil
}

// SliceBy is the grid of one slice.
func (m gridMaker) SliceBy(lo, hi, step starlark.Value) (starlark.Value, error) {
	v, _, err := m.Get(&value.Slice{Lo: lo, Hi: hi, Step: step})
	return v, err
}

func (m gridMaker) grid(items starlark.Tuple) (v starlark.Value, err error) {
	if len(items) == 0 || len(items) >= tensor.MaxRank {
		return nil, fmt.Errorf("got %d slices, want 1 to %d", len(items), tensor.MaxRank-1)
	}
	s, b := m.s, m.s.Builder(nil)
	defer graph.Catch(&err)
	vectors := make([]*graph.Variable, len(items))
	to := kernels.Int64
	for axis, item := range items {
		bounds, ok := item.(*value.Slice)
		if !ok {
			return nil, fmt.Errorf("axis %d: got %s, want a slice such as 0:n", axis, item.Type())
		}
		if vectors[axis], err = s.progression(b, bounds); err != nil {
			return nil, fmt.Errorf("axis %d: %w", axis, err)
		}
		to = kernels.Promote(to, vectors[axis].Type.DType)
	}
	for i, v := range vectors {
		vectors[i] = formula.Cast(b, v, to)
	}
	sparse := m.name == "ogrid"
	list, err := formula.Coordinates(b, vectors, false, sparse)
	switch {
	case err != nil:
		return nil, err
	case len(list) == 1:
		return Symbol{s, list[0]}, nil
	case sparse:
		symbols := make([]starlark.Value, len(list))
		for i, v := range list {
			symbols[i] = Symbol{s, v}
		}
		return slot.NewList(symbols), nil
	}
	z, err := formula.Stack(b, 0, list)
	return Symbol{s, z}, err
}

// progression is the numbers of a slice: from 0 if it has no start, by 1 if it has no step. A step
// written "5j" is the number of numbers, the end among them, as NumPy's 5j is.
func (s *Session) progression(b *graph.Builder, bounds *value.Slice) (*graph.Variable, error) {
	if bounds.Hi == starlark.None {
		return nil, fmt.Errorf("got a slice without an end, want one")
	}
	ends := []*graph.Variable{formula.Int(b, 0), nil, formula.Int(b, 1)}
	count := -1
	for i, end := range []starlark.Value{bounds.Lo, bounds.Hi, bounds.Step} {
		if end == starlark.None {
			continue
		}
		if text, ok := starlark.AsString(end); ok && i == 2 {
			if _, err := fmt.Sscanf(text, "%dj", &count); err != nil || fmt.Sprintf("%dj", count) != text {
				return nil, fmt.Errorf("got step %q, want a number, or a count such as \"5j\"", text)
			}
			continue
		}
		v, err := s.Variable(b, end, nil)
		if err != nil {
			return nil, err
		}
		if v.Type.Rank() != 0 {
			return nil, fmt.Errorf("got %s in a slice, want numbers and scalars", graph.Mention(v))
		}
		ends[i] = v
	}
	if count >= 0 {
		return formula.Linspace(b, ends[0], ends[1], count, true, kernels.Float64)
	}
	return formula.ARange(b, ends[0], ends[1], ends[2], kernels.Invalid), nil
}
