package np

import (
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Get returns a[k] with NumPy's rules: a number where k has an integer for every axis, a copy where
// it has arrays, lists or bools, and otherwise a view.
func (a *Array) Get(k starlark.Value) (starlark.Value, bool, error) {
	if at, ok := a.elementOffset(k); ok {
		return elementAt(a.D, at), true, nil
	}
	if d, ok := a.basic(k); ok {
		return a.View(d), true, nil
	}
	value.SamplerOf(a.session).Enter()
	v, ok, err := a.pick(k)
	value.SamplerOf(a.session).Leave(value.NumpySpot, "x[k]")
	return v, ok, err
}

// pick is Get of what is no element and no view of one step.
func (a *Array) pick(k starlark.Value) (starlark.Value, bool, error) {
	if index, ok := k.(*Array); ok {
		if d, err := a.D.Pick(index.D, StopOf(a.session)); d != nil || err != nil {
			if err != nil {
				return nil, false, err
			}
			return NewArray(a.session, d), true, nil
		}
	}
	items, err := subscriptItems(k)
	if err != nil {
		return nil, false, err
	}
	if d, err := a.D.PickItems(items, StopOf(a.session)); d != nil || err != nil {
		if err != nil {
			return nil, false, err
		}
		return NewArray(a.session, d), true, nil
	}
	s, err := a.subscript(items)
	if err != nil {
		return nil, false, err
	}
	d, err := s.Get()
	s.Free()
	switch {
	case err != nil:
		return nil, false, err
	case s.number:
		return FromDense(d), true, nil
	case !s.IsView():
		return NewArray(a.session, d), true, nil
	case s.copies:
		return NewArray(a.session, d.Copy()), true, nil
	}
	return a.View(d), true, nil
}

// SliceBy returns a[lo:hi:step], a view.
func (a *Array) SliceBy(lo, hi, step starlark.Value) (starlark.Value, error) {
	return a.SliceWith(&value.Slice{Lo: lo, Hi: hi, Step: step})
}

// SliceWith is SliceBy with a slice, of which nothing is kept.
func (a *Array) SliceWith(by *value.Slice) (starlark.Value, error) {
	v, _, err := a.Get(by)
	return v, err
}

// SetKey assigns to a[k]. v broadcasts, and is converted to a's element type; a number of
// Starlark has to fit it. Of elements that k names several times the last value counts.
func (a *Array) SetKey(k, v starlark.Value) error {
	if err := a.Writable(); err != nil {
		return err
	}
	value.SamplerOf(a.session).Enter()
	done, err := a.assignElement(k, v)
	if !done && err == nil {
		done, err = a.assignBasic(k, v)
	}
	if !done && err == nil {
		err = a.assign(k, v)
	}
	value.SamplerOf(a.session).Leave(value.NumpySpot, "x[k] = y")
	if err != nil {
		return fmt.Errorf("ndarray assignment: %w", err)
	}
	releaseTemporaries([]starlark.Value{v}, a)
	return nil
}

// assignElement assigns a number to an element, where both are such that nothing has to be
// converted or could be wrong, and reports whether it has.
func (a *Array) assignElement(k, v starlark.Value) (bool, error) {
	x, ok := scalarOfNumber(v)
	if !ok {
		return false, nil
	}
	bits, ok := x.bitsAs(a.D.DType())
	if !ok {
		return false, nil
	}
	if index, ok := k.(*Array); ok {
		return a.D.FillAt(index.D, bits, StopOf(a.session))
	}
	at, ok := a.elementOffset(k)
	if ok {
		a.D.SetBits(at, bits)
	}
	return ok, nil
}

// assignBasic is assignElement for elements that lie in a view, and for an array of their shape.
func (a *Array) assignBasic(k, v starlark.Value) (bool, error) {
	var src *tensor.Dense
	switch x := v.(type) {
	case *Array:
		src = x.D
		if index, ok := k.(*Array); ok {
			return a.D.PutAt(index.D, src, StopOf(a.session))
		}
	case starlark.Int, starlark.Float, Scalar:
		if n, ok := scalarOfNumber(v); ok {
			if bits, ok := n.bitsAs(a.D.DType()); ok {
				dst, ok := a.basic(k)
				if ok {
					dst.FillBits(bits)
				}
				return ok, nil
			}
		}
		var err error
		if src, err = a.converted(v); err != nil {
			return false, nil
		}
	default:
		return false, nil
	}
	dst, ok := a.basic(k)
	if !ok || src.Rank() > 0 && !slices.Equal(src.Shape(), dst.Shape()) {
		return false, nil
	}
	poll := tensor.Poll{Stop: StopOf(a.session)}
	poll.CopyTo(dst, src)
	return true, nil
}

func (a *Array) assign(k, v starlark.Value) error {
	items, err := subscriptItems(k)
	if err != nil {
		return err
	}
	s, err := a.subscript(items)
	if err != nil {
		return err
	}
	defer s.Free()
	src, err := a.converted(v)
	if err != nil {
		return err
	}
	if _, isArray := v.(*Array); !isArray && s.IsView() && src.Rank() > len(s.Shape()) && !a.D.DType().IsBool() {
		return fmt.Errorf("got lists nested %d deep for %d dimensions", src.Rank(), len(s.Shape()))
	}
	fit, err := FitShape(src, s.Shape())
	if err != nil {
		if n := src.Size(); s.mask && src.Rank() <= 1 {
			return fmt.Errorf("got %d values for the %d elements where the mask is True, want as many, or 1", n, s.Shape()[0])
		}
		return err
	}
	return s.Set(fit)
}

// converted returns v for storing in a.
func (a *Array) converted(v starlark.Value) (*tensor.Dense, error) { return ToStore(v, a.D.DType()) }

// ToStore returns v for storing as a type. Numbers outside of an integer type are refused, floats
// are cut to integers.
func ToStore(v starlark.Value, d kernels.DType) (*tensor.Dense, error) {
	switch x := v.(type) {
	case starlark.Int:
		return weakAs(v, d)
	case *Array:
		return ToDense(v)
	case Scalar:
		if d.IsInteger() && x.dtype.IsFloat() {
			if err := checkFits(x.Dense(), d); err != nil {
				return nil, err
			}
		}
		return ToDense(v)
	}
	return ToDenseAs(v, d)
}

// FitShape returns src without leading axes of length 1 that dst has not, or why src does
// not broadcast to dst.
func FitShape(src *tensor.Dense, dst []int) (*tensor.Dense, error) {
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

// elementOffset is where, in bytes behind a's first element, a[k] lies, for integers within bounds
// for every axis: the most common subscripts of loops, without what the others need.
func (a *Array) elementOffset(k starlark.Value) (at int, ok bool) {
	if i, ok := k.(starlark.Int); ok {
		if a.D.Rank() != 1 {
			return 0, false
		}
		return a.offset(0, i)
	}
	items, ok := k.(starlark.Tuple)
	if !ok || len(items) != a.D.Rank() || len(items) == 0 {
		return 0, false
	}
	for axis, item := range items {
		i, ok := value.Plain(item).(starlark.Int)
		if !ok {
			return 0, false
		}
		n, ok := a.offset(axis, i)
		if !ok {
			return 0, false
		}
		at += n
	}
	return at, true
}

// offset is where, in bytes, index i of an axis lies; it reports false if that is out of bounds.
func (a *Array) offset(axis int, i starlark.Int) (int, bool) {
	at, ok := i.Int64()
	n := int64(a.D.Dim(axis))
	if at < 0 {
		at += n
	}
	if !ok || at < 0 || at >= n {
		return 0, false
	}
	return int(at) * a.D.Strides()[axis], true
}

// basic is a[k] as a view, for integers and slices within bounds and new axes that leave an axis:
// subscripts of loops too, without what the others need.
func (a *Array) basic(k starlark.Value) (*tensor.Dense, bool) {
	var index [tensor.MaxRank]tensor.Index
	var ints [tensor.MaxRank][3]int
	var pattern [tensor.MaxRank]int // of axes and new ones, if there are such
	axes, left, added := 0, 0, 0
	one := [1]starlark.Value{k}
	keys := one[:]
	if items, ok := k.(starlark.Tuple); ok {
		keys = items
	}
	if len(keys) > tensor.MaxRank {
		return nil, false
	}
	for _, key := range keys {
		key = value.Plain(key)
		if key == starlark.None {
			pattern[left+added] = tensor.NewAxis
			added++
			continue
		}
		if axes == a.D.Rank() {
			return nil, false
		}
		axis := axes
		axes++
		switch key := key.(type) {
		case starlark.Int:
			i, ok := key.Int64()
			if n := int64(a.D.Dim(axis)); !ok || i < -n || i >= n {
				return nil, false
			}
			ints[axis][0] = int(i)
			index[axis].At = &ints[axis][0]
			continue
		case *value.Slice:
			lo, hi, step, ok := intBounds(key, &ints[axis])
			if !ok {
				return nil, false
			}
			if lo {
				index[axis].Start = &ints[axis][0]
			}
			if hi {
				index[axis].Stop = &ints[axis][1]
			}
			if step {
				index[axis].Step = &ints[axis][2]
			}
		default:
			return nil, false
		}
		pattern[left+added] = left
		left++
	}
	rank := left + a.D.Rank() - axes
	if rank+added == 0 || rank+added > tensor.MaxRank {
		return nil, false
	}
	d, err := a.D.Subscript(index[:axes]...)
	if err == nil && added > 0 {
		for ; left < rank; left++ {
			pattern[left+added] = left
		}
		d, err = d.DimShuffle(pattern[:rank+added])
	}
	return d, err == nil
}

// intBounds writes the bounds of a slice to n, and reports which of them are not None. ok is false
// if one is no integer.
func intBounds(s *value.Slice, n *[3]int) (lo, hi, step, ok bool) {
	lo, hi, step, ok = s.Lo != starlark.None, s.Hi != starlark.None, s.Step != starlark.None, true
	for i, v := range [3]starlark.Value{s.Lo, s.Hi, s.Step} {
		if v != starlark.None && ok {
			n[i], ok = sliceInt(v)
		}
	}
	return lo, hi, step, ok
}

// A subscript is the elements that a[k] names.
type subscript struct {
	*tensor.Selection
	number bool // integers took every axis, without Ellipsis: a[k] is a number
	copies bool // an array of no dimensions is among the integers: a[k] is a copy of the view
	mask   bool // k is one array of bools
}

func (a *Array) subscript(items []tensor.Item) (s subscript, err error) {
	dots := false
	for _, item := range items {
		dots = dots || item.Ellipsis
		if x := item.Array; x != nil {
			s.copies = s.copies || x.Rank() == 0 && !x.DType().IsBool()
			s.mask = len(items) == 1 && x.DType().IsBool()
		}
	}
	s.Selection, err = a.D.Select(items...)
	if err == nil {
		s.Stop = StopOf(a.session)
		s.number = len(s.Shape()) == 0 && !dots
	}
	return s, err
}

// subscriptItems reads the parts of a subscript.
func subscriptItems(k starlark.Value) ([]tensor.Item, error) {
	keys, ok := k.(starlark.Tuple)
	if t := PartsOf(k); t != nil {
		keys, ok = t, true
	}
	if !ok {
		item, err := subscriptItem(k)
		return []tensor.Item{item}, err
	}
	items := make([]tensor.Item, len(keys))
	for i, key := range keys {
		var err error
		if items[i], err = subscriptItem(key); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// PartsOf is a list that is the parts of a subscript, as NumPy took it before 1.23, as a tuple: it
// has slices, which are no elements of an array of indices. It is nil for anything else.
func PartsOf(k starlark.Value) starlark.Tuple {
	list, ok := k.(*slot.List)
	if !ok {
		return nil
	}
	for i := range min(list.Len(), tensor.MaxRank) {
		if _, isSlice := list.Index(i).(*value.Slice); isSlice {
			return slices.Collect(list.Elements())
		}
	}
	return nil
}

const wantIndex = "want int, slice, None, Ellipsis, or an array or list of ints or bools"

// subscriptItem reads one part of a subscript.
func subscriptItem(v starlark.Value) (tensor.Item, error) {
	switch v := v.(type) {
	case starlark.NoneType:
		return tensor.Item{NewAxis: true}, nil
	case starlark.Int:
		i, ok := v.Int64()
		if !ok || i != int64(int(i)) {
			return tensor.Item{}, fmt.Errorf("index %v is out of bounds", v)
		}
		at := int(i)
		return tensor.Item{Index: tensor.Index{At: &at}}, nil
	case *value.Slice:
		index, err := AxisIndex(v)
		return tensor.Item{Index: index}, err
	case *Array:
		return arrayItem(v.D)
	case Scalar:
		if v.dtype.IsFloat() {
			return tensor.Item{}, fmt.Errorf("ndarray index: got %s, %s", v.Type(), wantIndex)
		}
		return subscriptItem(v.Plain())
	case starlark.String, starlark.Bytes:
	case starlark.Indexable: // lists, tuples, ranges
		if err := tensor.CheckSize(8, []int{v.Len()}); err != nil {
			return tensor.Item{}, fmt.Errorf("ndarray index: %w", err)
		}
		return listItem(v)
	case starlark.Bool:
		return listItem(v)
	case value.Numeric:
		return tensor.Item{}, fmt.Errorf("ndarray index: got %s, %s: np computes at once; for a symbolic index use T.as_tensor(a)[i]",
			v.Type(), wantIndex)
	}
	if v == value.Ellipsis {
		return tensor.Item{Ellipsis: true}, nil
	}
	return tensor.Item{}, fmt.Errorf("ndarray index: got %s, %s", v.Type(), wantIndex)
}

// listItem is arrayItem for values of Starlark. A list without elements is one of ints.
func listItem(v starlark.Value) (tensor.Item, error) {
	d, err := ToDense(v)
	if err != nil {
		return tensor.Item{}, fmt.Errorf("ndarray index: %w", err)
	}
	if d.Size() == 0 && d.DType().IsFloat() {
		d = d.AsType(kernels.Int64)
	}
	return arrayItem(d)
}

func arrayItem(d *tensor.Dense) (tensor.Item, error) {
	if t := d.DType(); !t.IsInteger() && !t.IsBool() {
		return tensor.Item{}, fmt.Errorf("ndarray index: got %v of shape %s, want ints or bools", t, tensor.ShapeString(d.Shape()))
	}
	return tensor.Item{Array: d}, nil
}

// AxisIndex reads the bounds of a slice of one axis.
func AxisIndex(s *value.Slice) (index tensor.Index, err error) {
	for _, part := range []struct {
		name string
		v    starlark.Value
		to   **int
	}{{"start", s.Lo, &index.Start}, {"stop", s.Hi, &index.Stop}, {"step", s.Step, &index.Step}} {
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
}

// sliceInt is asInt with integers of any size: a bound beyond every array is the end.
func sliceInt(v starlark.Value) (int, bool) {
	n, isInt := value.Plain(v).(starlark.Int)
	i, ok := AsInt(v)
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
