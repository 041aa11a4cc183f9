package tensor

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
)

// An Item is one part of a subscript such as a[i, 1:3, ..., mask]: an integer or a slice, unless
// one of the other fields is set.
type Item struct {
	Index
	Array    *Dense // integers of any type and rank, or bools, which stand for as many axes as they have
	NewAxis  bool   // an axis of length 1
	Ellipsis bool   // as many whole axes as the other items leave
}

// axes is the number of axes of the array that the item stands for.
func (it Item) axes() int {
	switch {
	case it.NewAxis || it.Ellipsis:
		return 0
	case it.Array != nil && it.Array.dtype.IsBool():
		return it.Array.Rank()
	}
	return 1
}

// A Selection is the elements of an array that a subscript names.
type Selection struct {
	array *Dense
	basic *Dense  // the view that integers and slices leave; the axes of index arrays are missing
	lead  int     // the axes of the index arrays come before this axis of basic
	shape []int   // of the elements
	index []int64 // where, in bytes, index arrays go; nil if there are none
	own   *Dense  // what has the memory of index; nil if nothing has

	// Stop ends Get, Read, Set and Add early when it is raised, with ErrStopped. It may be nil.
	Stop kernels.Stop
}

// Select applies a subscript with NumPy's rules. Index arrays, and integers among them, are
// broadcast together. The axes of the result that they make stand where they stood if they are all
// neighbours, and come first otherwise. An integer array of rank 0 is an integer.
//
// The errors are those of IndexError in NumPy. The items' arrays may change afterwards.
func (a *Dense) Select(items ...Item) (*Selection, error) {
	whole, items, err := a.wholeAxes(items)
	if err != nil {
		return nil, err
	}
	p := picker{offset: a.offset, last: -1}
	axis := 0
	for i, it := range items {
		switch {
		case it.NewAxis:
			p.keep(1, 0)
		case it.Ellipsis:
			for k := range whole {
				p.keep(a.shape[axis+k], a.strides[axis+k])
			}
			axis += whole
		case it.Array != nil:
			err = p.array(i, a, axis, it.Array)
		case it.At != nil:
			err = p.integer(i, a, axis, int64(*it.At))
		default:
			err = p.slice(a, axis, it.Index)
		}
		if err != nil {
			return nil, err
		}
		axis += it.axes()
	}
	return p.selection(a)
}

// wholeAxes counts the axes that the ellipsis stands for, and adds one at the end if there is none.
func (a *Dense) wholeAxes(items []Item) (whole int, full []Item, err error) {
	used, ellipses := 0, 0
	for _, it := range items {
		used += it.axes()
		if it.Ellipsis {
			ellipses++
		}
	}
	if ellipses > 1 {
		return 0, nil, fmt.Errorf("an index can only have a single ellipsis: got %d", ellipses)
	}
	if used > len(a.shape) {
		return 0, nil, fmt.Errorf("too many indices: got %d, want at most %d for shape %s",
			used, len(a.shape), ShapeString(a.shape))
	}
	if ellipses == 0 {
		items = append(slices.Clip(items), Item{Ellipsis: true})
	}
	return len(a.shape) - used, items, nil
}

// A picker goes through the items of a subscript.
type picker struct {
	shape, strides []int // of the axes that integers and slices leave
	offset         int
	arrays         []*Dense // where each index array goes, in bytes
	lead           int      // axes before the first integer or array
	last           int      // the last item that is an integer or an array; -1
	apart          bool     // they are not all neighbours
}

func (p *picker) keep(n, stride int) {
	p.shape, p.strides = append(p.shape, n), append(p.strides, stride)
}

// advanced notes where an integer or an array stands.
func (p *picker) advanced(item int) {
	if p.last < 0 {
		p.lead = len(p.shape)
	}
	p.apart = p.apart || p.last >= 0 && p.last != item-1
	p.last = item
}

func (p *picker) integer(item int, a *Dense, axis int, i int64) error {
	p.advanced(item)
	n := int64(a.shape[axis])
	if i < -n || i >= n {
		return outOfBounds(i, axis, n)
	}
	if i < 0 {
		i += n
	}
	p.offset += int(i) * a.strides[axis]
	return nil
}

func outOfBounds(i any, axis int, n int64) error {
	return fmt.Errorf("index %v is out of bounds for axis %d with size %d", i, axis, n)
}

func (p *picker) slice(a *Dense, axis int, ix Index) error {
	if ix.Step != nil && *ix.Step == 0 {
		return fmt.Errorf("slice step of axis %d is 0", axis)
	}
	first, count, by := SliceBounds(a.shape[axis], ix.Start, ix.Stop, ix.Step)
	if count > 0 {
		p.offset += first * a.strides[axis]
	}
	p.keep(count, a.strides[axis]*by)
	return nil
}

func (p *picker) array(item int, a *Dense, axis int, index *Dense) error {
	if index.dtype.IsInteger() && index.Rank() == 0 {
		i, err := indexInts(index, axis, a.shape[axis])
		if err != nil {
			return err
		}
		return p.integer(item, a, axis, i[0])
	}
	p.advanced(item)
	where := a.where
	if !index.dtype.IsBool() {
		where = a.offsetsOf
	}
	z, err := where(axis, index)
	p.arrays = append(p.arrays, z)
	return err
}

// selection broadcasts the index arrays together and finds the shape.
func (p *picker) selection(a *Dense) (*Selection, error) {
	s := &Selection{array: a, basic: a.view(p.shape, p.strides, p.offset), lead: p.lead}
	if len(p.arrays) == 0 {
		s.shape = p.shape
		return s, checkRank(s.shape)
	}
	if p.apart {
		s.lead = 0
	}
	shapes := make([][]int, len(p.arrays))
	for i, x := range p.arrays {
		shapes[i] = x.shape
	}
	common, clash := BroadcastShapes(shapes...)
	if clash != nil {
		texts := ""
		for _, shape := range shapes {
			texts += " " + ShapeString(shape)
		}
		return nil, fmt.Errorf("shape mismatch: indexing arrays could not be broadcast together with shapes%s", texts)
	}
	s.shape = slices.Concat(p.shape[:s.lead], common, p.shape[s.lead:])
	if err := CheckSize(max(a.dtype.Size(), 8), s.shape); err != nil {
		return nil, err
	}
	s.index = []int64{} // not nil, even where nothing is selected
	if Size(common) == 0 {
		return s, nil
	}
	for i, x := range p.arrays {
		full, _ := x.BroadcastTo(common)
		full = full.flat() // nobody else's: x was made for this
		list := Elements[int64](full)
		if i == 0 {
			s.index, s.own = list, full
			continue
		}
		for k, v := range list {
			s.index[k] += v
		}
		full.Recycle()
	}
	return s, nil
}

func checkRank(shape []int) error {
	if len(shape) > MaxRank {
		return CheckSize(0, shape)
	}
	return nil
}

// Free gives back what Select made on its way to the elements. The selection is used up then.
func (s *Selection) Free() {
	if s.own != nil {
		s.own.Recycle()
		s.own, s.index = nil, []int64{}
	}
}

// IsView reports whether the subscript has integers, slices, new axes and an ellipsis only.
func (s *Selection) IsView() bool { return s.index == nil }

// Shape of the selected elements; it must not be changed by the caller.
func (s *Selection) Shape() []int { return s.shape }

// Get returns the elements: a view of the array if IsView, and otherwise a C-contiguous copy.
//
// The error is ErrStopped if Stop was raised.
func (s *Selection) Get() (*Dense, error) {
	if s.IsView() {
		return s.basic, nil
	}
	z := Empty(s.array.dtype, s.shape...)
	if err := s.move(loopsOf[z.dtype].get, z); err != nil {
		return nil, err
	}
	return z, nil
}

// Read writes the elements to z, a C-contiguous array of their type and shape that shares no memory
// with the array.
func (s *Selection) Read(z *Dense) error { return s.move(loopsOf[z.dtype].get, z) }

// Set gives the elements the values of src, which is broadcast to Shape and converted as CopyTo
// does. src may share memory with the array. Where an element is selected several times its last
// value counts.
func (s *Selection) Set(src *Dense) error {
	src, err := s.fit(src)
	if err != nil {
		return err
	}
	if s.IsView() {
		CopyTo(s.basic, src)
		return nil
	}
	return s.move(loopsOf[s.array.dtype].set, s.values(src))
}

// Add adds src to the elements, in the array's type; src is treated as Set does. Where an element
// is selected several times it gets all of its values. A sum of bools is "or".
func (s *Selection) Add(src *Dense) error {
	src, err := s.fit(src)
	if err != nil {
		return err
	}
	return s.move(loopsOf[s.array.dtype].add, s.values(src))
}

// fit broadcasts src to the selection; as in NumPy, leading axes of length 1 may be too many.
func (s *Selection) fit(src *Dense) (*Dense, error) {
	extra := 0
	for src.Rank()-extra > len(s.shape) && src.shape[extra] == 1 {
		extra++
	}
	full, ok := src.view(src.shape[extra:], src.strides[extra:], src.offset).BroadcastTo(s.shape)
	if !ok {
		return nil, ShapeErrorf("could not broadcast values of shape %s into shape %s", ShapeString(src.shape), ShapeString(s.shape))
	}
	return full, nil
}

// values makes src contiguous, of the array's type and in memory of its own.
func (s *Selection) values(src *Dense) *Dense {
	if src.dtype == s.array.dtype && src.IsContiguous() && !SharesMemory(src, s.array) {
		return src
	}
	return src.AsType(s.array.dtype)
}

// move applies f to the elements and the contiguous values.
func (s *Selection) move(f mover, values *Dense) error {
	if Size(s.shape) == 0 {
		return nil
	}
	index := s.index
	if s.IsView() {
		index = []int64{0}
	}
	size := s.array.dtype.Size()
	p := newPlaces(s.basic.shape, s.basic.strides, s.lead, index, size)
	return p.each(f, s.basic.Pointer(), values.Pointer(), size, s.Stop)
}

// Positions says where the elements that neighbouring items name lie in an array of the given
// lengths, in C order, as if it had no other axes: items stand for its axes from lead on, and are
// integers and arrays, with at least one array. The arrays are broadcast together to common.
func Positions(lengths []int, lead int, items ...Item) (positions []int64, common []int, err error) {
	a := &Dense{dtype: kernels.Int8, shape: lengths, strides: make([]int, len(lengths))}
	axes := 0
	for _, it := range items {
		axes += it.axes()
	}
	step := 1
	for axis := lead + axes - 1; axis >= lead; axis-- {
		a.strides[axis] = step
		step *= lengths[axis]
	}
	s, err := a.Select(append(make([]Item, lead), items...)...)
	if err != nil {
		return nil, nil, err
	}
	common = s.shape[lead : len(s.shape)-(len(lengths)-lead-axes)]
	positions = s.index
	if s.IsView() { // arrays of no dimensions
		positions = []int64{0}
	}
	if first := int64(s.basic.offset); first != 0 {
		for i := range positions {
			positions[i] += first
		}
	}
	return positions, common, nil
}
