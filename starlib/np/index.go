package np

import (
	"errors"
	"fmt"
	"math"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

var errFancy = errors.New("indexing by arrays and lists is not in Arignote yet; use integers, slices, None and Ellipsis")

// Get returns a[k]: a number where k has an integer for every axis, and otherwise a view.
func (a *Array) Get(k starlark.Value) (starlark.Value, bool, error) {
	d, whole, err := a.subscript(k)
	if err != nil {
		return nil, false, err
	}
	if whole {
		return FromDense(d), true, nil
	}
	return a.view(d), true, nil
}

// SliceBy returns a[lo:hi:step], a view.
func (a *Array) SliceBy(lo, hi, step starlark.Value) (starlark.Value, error) {
	v, _, err := a.Get(&value.Slice{Lo: lo, Hi: hi, Step: step})
	return v, err
}

// SetKey assigns to a[k]. v broadcasts, and is converted to a's element type; a number of
// Starlark has to fit it.
func (a *Array) SetKey(k, v starlark.Value) error {
	if err := a.writable(); err != nil {
		return err
	}
	dst, _, err := a.subscript(k)
	if err != nil {
		return err
	}
	src, err := a.converted(v)
	if err != nil {
		return fmt.Errorf("ndarray assignment: %w", err)
	}
	if src, err = fitShape(src, dst.Shape()); err != nil {
		return fmt.Errorf("ndarray assignment: %w", err)
	}
	tensor.CopyTo(dst, src)
	return nil
}

// converted returns v for storing in a. Numbers outside a's integer type are refused,
// floats are cut to integers.
func (a *Array) converted(v starlark.Value) (*tensor.Dense, error) {
	switch v.(type) {
	case starlark.Int:
		return weakAs(v, a.d.DType())
	case *Array:
		return ToDense(v)
	}
	return ToDenseAs(v, a.d.DType())
}

// fitShape returns src without leading axes of length 1 that dst has not, or why src does
// not broadcast to dst.
func fitShape(src *tensor.Dense, dst []int) (*tensor.Dense, error) {
	have := src.Shape()
	trimmed := have
	for len(trimmed) > len(dst) && trimmed[0] == 1 {
		trimmed = trimmed[1:]
	}
	if len(trimmed) < len(have) {
		var err error
		if src, err = src.Reshape(trimmed...); err != nil {
			return nil, err
		}
	}
	if _, ok := src.BroadcastTo(dst); !ok {
		return nil, fmt.Errorf("shape %s does not broadcast to shape %s", tensor.ShapeString(have), tensor.ShapeString(dst))
	}
	return src, nil
}

// subscript returns the view a[k]. whole says that integers took every axis.
func (a *Array) subscript(k starlark.Value) (d *tensor.Dense, whole bool, err error) {
	if i, ok := k.(starlark.Int); ok { // the most common, without the allocations
		index, err := axisIndex(i)
		if err != nil {
			return nil, false, err
		}
		d, err := a.d.Subscript(index)
		return d, err == nil && d.Rank() == 0, err
	}
	items, ok := k.(starlark.Tuple)
	if !ok {
		items = starlark.Tuple{k}
	}
	taken, dots := 0, -1
	for i, item := range items {
		switch item {
		case starlark.None:
		case value.Ellipsis:
			if dots >= 0 {
				return nil, false, errors.New("an index can have only one Ellipsis")
			}
			dots = i
		default:
			taken++
		}
	}
	rank := a.d.Rank()
	if taken > rank {
		return nil, false,
			fmt.Errorf("too many indices: got %d, want at most %d for shape %s", taken, rank, tensor.ShapeString(a.d.Shape()))
	}
	var indices []tensor.Index
	var pattern []int // of the result's axes: where they come from, or NewAxis
	kept := 0
	keep := func(n int) {
		for range n {
			pattern = append(pattern, kept)
			kept++
		}
	}
	for i, item := range items {
		switch {
		case item == starlark.None:
			pattern = append(pattern, tensor.NewAxis)
		case i == dots:
			for range rank - taken {
				indices = append(indices, tensor.Index{})
			}
			keep(rank - taken)
		default:
			index, err := axisIndex(item)
			if err != nil {
				return nil, false, err
			}
			indices = append(indices, index)
			if index.At == nil {
				keep(1)
			}
		}
	}
	keep(rank - len(indices))
	if d, err = a.d.Subscript(indices...); err != nil {
		return nil, false, err
	}
	if len(pattern) > tensor.MaxRank {
		return nil, false, fmt.Errorf("got %d dimensions, want at most %d", len(pattern), tensor.MaxRank)
	}
	d, err = d.DimShuffle(pattern)
	return d, len(pattern) == 0 && dots < 0, err
}

// axisIndex reads the subscript of one axis.
func axisIndex(v starlark.Value) (tensor.Index, error) {
	switch v := v.(type) {
	case starlark.Int:
		i, ok := v.Int64()
		if !ok || i != int64(int(i)) {
			return tensor.Index{}, fmt.Errorf("index %v is out of bounds", v)
		}
		at := int(i)
		return tensor.Index{At: &at}, nil
	case *value.Slice:
		var index tensor.Index
		for _, part := range []struct {
			name string
			v    starlark.Value
			to   **int
		}{{"start", v.Lo, &index.Start}, {"stop", v.Hi, &index.Stop}, {"step", v.Step, &index.Step}} {
			if part.v == starlark.None {
				continue
			}
			n, ok := sliceInt(part.v)
			if !ok {
				return index, fmt.Errorf("slice %s: got %s, want int or None", part.name, part.v.Type())
			}
			*part.to = &n
		}
		return index, nil
	case *Array:
		if i, ok := asInt(v); ok {
			return tensor.Index{At: &i}, nil
		}
		return tensor.Index{}, errFancy
	case *starlark.List, starlark.Tuple, starlark.Bool:
		return tensor.Index{}, errFancy
	}
	return tensor.Index{}, fmt.Errorf("ndarray index: got %s, want int, slice, None or Ellipsis", v.Type())
}

// sliceInt is asInt with integers of any size: a bound beyond every array is the end.
func sliceInt(v starlark.Value) (int, bool) {
	n, isInt := v.(starlark.Int)
	i, ok := asInt(v)
	switch {
	case ok:
		// Steps of half the range of int would overflow where bounds are counted.
		return min(max(i, math.MinInt/4), math.MaxInt/4), true
	case isInt && n.Sign() < 0:
		return math.MinInt / 4, true
	case isInt:
		return math.MaxInt / 4, true
	}
	return 0, false
}
