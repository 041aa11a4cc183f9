package value

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Slice is the value of slice(a, b, c) and of ix[a:b:c]: bounds for a subscript, of
// any type, None where they are left out.
type Slice struct{ Lo, Hi, Step starlark.Value }

func (s *Slice) Type() string          { return "slice" }
func (s *Slice) Truth() starlark.Bool  { return true }
func (s *Slice) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: slice") }
func (s *Slice) String() string {
	return fmt.Sprintf("slice(%s, %s, %s)", Repr(s.Lo), Repr(s.Hi), Repr(s.Step))
}

var _ starlark.Comparable = (*Slice)(nil)

// CompareSameType compares the bounds of two slices.
func (s *Slice) CompareSameType(op syntax.Token, y starlark.Value, depth int) (bool, error) {
	other := y.(*Slice)
	return starlark.CompareDepth(op, starlark.Tuple{s.Lo, s.Hi, s.Step}, starlark.Tuple{other.Lo, other.Hi, other.Step}, depth-1)
}

func (s *Slice) Freeze() {
	s.Lo.Freeze()
	s.Hi.Freeze()
	s.Step.Freeze()
}

// QuickBounds is the slice of three bounds.
func QuickBounds(args []slot.Slot) (z slot.Slot, ok bool) {
	return slot.Ref(&Slice{args[0].Value(), args[1].Value(), args[2].Value()}), true
}

// A fixedSlicer is a Slicer that keeps nothing of the slice.
type fixedSlicer interface {
	Slicer
	SliceWith(by *Slice) (starlark.Value, error)
}

// Of is x[lo:hi:step]. The slice is not given to anybody who keeps it.
func (s *Slice) Of(thread *starlark.Thread, x starlark.Value) (starlark.Value, error) {
	if t, ok := x.(fixedSlicer); ok {
		return t.SliceWith(s)
	}
	return SliceOf(thread, x, s.Lo, s.Hi, s.Step)
}

// SliceAttributes are those of slices.
var SliceAttributes = NewMethods("slice", []Builtin{
	Row("indices", "start, stop and step for range, of a sequence of so many elements.", `slice(1, None).indices(5) # (1, 5, 1)`,
		func(_ *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			n, err := Int(v[0])
			if err == nil && n < 0 {
				err = fmt.Errorf("got %d, want a number that is not negative", n)
			}
			if err != nil {
				return nil, fmt.Errorf("indices: for parameter len: %w", err)
			}
			return b.Receiver().(*Slice).indices(n)
		}, "len: how many"),
}).With(
	FieldOf("start", "What it begins with, None if that is left out.", `slice(1, 5).start # 1`, func(s *Slice) starlark.Value { return s.Lo }),
	FieldOf("stop", "What it ends before, None if that is left out.", `slice(1, 5).stop # 5`, func(s *Slice) starlark.Value { return s.Hi }),
	FieldOf("step", "Its step, None if that is left out.", `print(slice(1, 5).step) # None`, func(s *Slice) starlark.Value { return s.Step }))

func (s *Slice) Table() *Methods                          { return SliceAttributes }
func (s *Slice) Attr(name string) (starlark.Value, error) { return SliceAttributes.Attr(s, name) }
func (s *Slice) AttrNames() []string                      { return SliceAttributes.Names() }

// indices are the bounds of a slice of n elements. As in Python, those of a falling one may be -1.
func (s *Slice) indices(n int) (starlark.Value, error) {
	by := 1
	if s.Step != starlark.None {
		step, err := Index(s.Step)
		if err == nil {
			by, err = Int(step)
		}
		if err == nil && by == 0 {
			err = fmt.Errorf("zero is not a valid slice step")
		}
		if err != nil {
			return nil, fmt.Errorf("indices: %w", err)
		}
	}
	first, last, low, high := 0, n, 0, n
	if by < 0 {
		first, last, low, high = n-1, -1, -1, n-1
	}
	at := func(name string, v starlark.Value, missing int) (starlark.Value, error) {
		i, err := bound(name, v, missing, -1, n)
		if v != starlark.None {
			i = min(max(i, low), high)
		}
		return starlark.MakeInt(i), err
	}
	start, err := at("start", s.Lo, first)
	if err != nil {
		return nil, err
	}
	end, err := at("end", s.Hi, last)
	return starlark.Tuple{start, end, starlark.MakeInt(by)}, err
}

// TakingSlices is a value as something whose elements a Slice may name: the language's sequences
// take slices by other ways.
func TakingSlices(x starlark.Value) starlark.Value {
	switch x := x.(type) {
	case *slot.List:
		return SlicedList{x}
	case starlark.Mapping:
		return x
	case starlark.Sliceable:
		return sliceTaker{x}
	}
	return x
}

// A sliceTaker is a sequence that is asked for a slice of it.
type sliceTaker struct{ starlark.Sliceable }

// Get returns x[k].
func (s sliceTaker) Get(k starlark.Value) (starlark.Value, bool, error) {
	b := k.(*Slice)
	v, err := SliceOf(nil, s.Sliceable, b.Lo, b.Hi, b.Step)
	return v, err == nil, err
}

// ElementAt returns the index i of a sequence, negative ones from the end.
func ElementAt(x starlark.Indexable, i starlark.Value) (int, error) {
	i, err := Index(Plain(i))
	if err != nil {
		return 0, fmt.Errorf("%s index: %w", x.Type(), err)
	}
	n, err := Near(i)
	if err != nil {
		return 0, fmt.Errorf("%s index: %w", x.Type(), err)
	}
	if n < -x.Len() || n >= x.Len() {
		return 0, fmt.Errorf("%s index %s out of range [%d:%d]", x.Type(), i, -x.Len(), x.Len()-1)
	}
	return (n + x.Len()) % x.Len(), nil
}

// SliceOf returns x[lo:hi:step], None for bounds that are left out.
func SliceOf(thread *starlark.Thread, x, lo, hi, step starlark.Value) (starlark.Value, error) {
	switch x := x.(type) {
	case starlark.String:
		return sliceText(thread, x, lo, hi, step)
	case Slicer:
		return x.SliceBy(lo, hi, step)
	}
	return sliceSequence(HostOf(thread), x, lo, hi, step)
}

// sliceSequence slices lists, tuples and other Starlark sequences, with
// Starlark's rules and messages. host may be nil.
func sliceSequence(host Host, x, lo, hi, step starlark.Value) (starlark.Value, error) {
	seq, ok := x.(starlark.Sliceable)
	if !ok {
		return nil, fmt.Errorf("invalid slice operand %s", x.Type())
	}
	start, end, by, err := indexBounds(lo, hi, step, seq.Len())
	if err != nil {
		return nil, err
	}
	if _, lazy := x.(starlark.Indexable); lazy && x.Type() != "range" {
		bytes := int64(elementBytes)
		if x.Type() == "list" {
			bytes = slotBytes
		}
		if err := askElements("[:]", x.Type(), max(end-start, start-end)/max(by, -by), bytes); err != nil {
			return nil, err
		}
	}
	if l, ok := x.(*slot.List); ok && by == 1 && end-start >= roomBeside {
		return slot.Make(joined(host, l.Slots()[start:end])), nil
	}
	return seq.Slice(start, end, by), nil
}

// indexBounds is bounds of what may be an instance with __index__.
func indexBounds(lo, hi, step starlark.Value, n int) (start, end, by int, err error) {
	for _, b := range []*starlark.Value{&lo, &hi, &step} {
		if *b, err = Index(*b); err != nil {
			return 0, 0, 0, err
		}
	}
	return bounds(lo, hi, step, n)
}

// bounds returns what a slice of n elements begins with, what it ends before, and its step.
func bounds(lo, hi, step starlark.Value, n int) (start, end, by int, err error) {
	by = 1
	if step != starlark.None {
		if by, err = Near(Plain(step)); err != nil {
			return 0, 0, 0, fmt.Errorf("invalid slice step: %s", err)
		}
		if by == 0 {
			return 0, 0, 0, fmt.Errorf("zero is not a valid slice step")
		}
	}
	first, last, low := 0, n, 0
	if by < 0 {
		first, last, low = n-1, -1, -1
	}
	if start, err = bound("start", lo, first, low, n); err != nil {
		return 0, 0, 0, err
	}
	if end, err = bound("end", hi, last, low, n); err != nil {
		return 0, 0, 0, err
	}
	if by > 0 {
		return start, max(end, start), by, nil
	}
	start = min(start, n-1)
	return start, min(end, start), by, nil
}

// bound returns a bound as an index between low and n; negative ones count from the end.
func bound(name string, v starlark.Value, missing, low, n int) (int, error) {
	if v == starlark.None {
		return missing, nil
	}
	v, err := Index(Plain(v))
	if err != nil {
		return 0, err
	}
	i, err := Near(v)
	if err != nil {
		return 0, fmt.Errorf("invalid %s index: %s", name, err)
	}
	if i < 0 {
		i += n
	}
	return min(max(i, low), n), nil
}

// Near is an int, or one that is as far beyond all sequences.
func Near(v starlark.Value) (int, error) {
	i, err := starlark.AsInt32(v)
	if far, isInt := v.(starlark.Int); err != nil && isInt {
		return far.Sign() * math.MaxInt32, nil
	}
	return i, err
}

// Indexer is ix, which turns a subscript into a value: ix[1:], ix[..., 0].
type Indexer struct{}

var (
	_ starlark.Mapping = Indexer{}
	_ Slicer           = Indexer{}
)

func (Indexer) String() string        { return "ix" }
func (Indexer) Type() string          { return "ix" }
func (Indexer) Freeze()               {}
func (Indexer) Truth() starlark.Bool  { return true }
func (Indexer) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: ix") }

func (Indexer) Get(k starlark.Value) (starlark.Value, bool, error) { return k, true, nil }

func (Indexer) SliceBy(lo, hi, step starlark.Value) (starlark.Value, error) {
	return &Slice{lo, hi, step}, nil
}

// ellipsis is the type of Ellipsis, which stands for the axes that are not mentioned.
type ellipsis struct{}

// Ellipsis is the one value of its type.
var Ellipsis starlark.Value = ellipsis{}

func (ellipsis) String() string        { return "Ellipsis" }
func (ellipsis) Type() string          { return "ellipsis" }
func (ellipsis) Freeze()               {}
func (ellipsis) Truth() starlark.Bool  { return true }
func (ellipsis) Hash() (uint32, error) { return 0x3e11, nil }

// SliceTable is the functions that make values for subscripts.
var SliceTable = []Builtin{
	{Name: "slice", Params: []Param{
		{Name: "start", Doc: "first index, or the end if it is the only argument"},
		{Name: "stop", Default: "None", Doc: "index after the last"},
		{Name: "step", Default: "None", Doc: "distance"},
	}, Doc: "Bounds for a subscript, as a value: x[slice(1, 3), 0]. They may be symbolic.",
		Example: "slice(1, 3) # slice(1, 3, None)", Types: []string{"slice"},
		Fn: func(_ *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			s := &Slice{v[0], v[1], v[2]}
			if s.Hi == nil { // slice(n) means up to n
				s.Lo, s.Hi = starlark.None, s.Lo
			}
			if s.Step == nil {
				s.Step = starlark.None
			}
			return s, nil
		}},
}

// A SlicedList is a list that slices can be assigned to, as Python's can.
type SlicedList struct{ *slot.List }

var _ starlark.HasSetKey = SlicedList{}

// Get returns list[k].
func (s SlicedList) Get(k starlark.Value) (starlark.Value, bool, error) {
	b, ok := k.(*Slice)
	if !ok {
		i, err := ElementAt(s.List, k)
		if err != nil {
			return nil, false, err
		}
		return s.Index(i), true, nil
	}
	v, err := sliceSequence(nil, s.List, b.Lo, b.Hi, b.Step)
	return v, err == nil, err
}

// SetKey replaces the elements list[k] by those of v, which may be more or fewer unless k has a
// step.
func (s SlicedList) SetKey(k, v starlark.Value) error {
	b, ok := k.(*Slice)
	if !ok {
		i, err := ElementAt(s.List, k)
		if err != nil {
			return err
		}
		return s.SetIndex(i, v)
	}
	from, err := Iterable(v)
	if err != nil {
		return fmt.Errorf("got %s, want a list or another iterable for the slice of a list", v.Type())
	}
	if err := checkEnd("[:]", from); err != nil {
		return err
	}
	if seq, ok := from.(starlark.Sequence); ok {
		if err := askElements("[:]", "list", max(0, lengthOf(seq)), slotBytes); err != nil {
			return err
		}
	}
	items := collect(nil, from, slot.Of)
	places, err := s.places(b)
	if err != nil {
		return err
	}
	n := places.Len()
	if places.by != 1 {
		if n != len(items) {
			return fmt.Errorf("got %d elements for a slice with a step, want %d", len(items), n)
		}
		for i, x := range items {
			if err := s.Set(places.at(i), x); err != nil {
				return err
			}
		}
		return nil
	}
	if grown := len(items) - n; grown > 0 {
		if err := askElements("[:]", "list", s.Len()+grown, 2*slotBytes); err != nil {
			return err
		}
	}
	return s.Splice(places.start, places.start+n, items)
}

// Delete takes the elements list[k] off the list.
func (s SlicedList) Delete(k *Slice) error {
	places, err := s.places(k)
	if err != nil {
		return err
	}
	if places.by == 1 {
		return s.Splice(places.start, places.start+places.Len(), nil)
	}
	gone := make([]bool, s.Len())
	for i := range places.Len() {
		gone[places.at(i)] = true
	}
	var kept []slot.Slot
	for i, x := range s.Slots() {
		if !gone[i] {
			kept = append(kept, x)
		}
	}
	return s.Splice(0, s.Len(), kept)
}

// places are those of list[k].
func (s SlicedList) places(k *Slice) (p places, err error) {
	p.start, p.end, p.by, err = indexBounds(k.Lo, k.Hi, k.Step, s.Len())
	return p, err
}

// A places is the indexes that a slice says, from start on by steps, and before end.
type places struct{ start, end, by int }

// Len is how many they are.
func (p places) Len() int {
	if p.by > 0 {
		return max(0, (p.end-p.start+p.by-1)/p.by)
	}
	return max(0, (p.start-p.end-p.by-1)/-p.by)
}

func (p places) at(i int) int { return p.start + i*p.by }
