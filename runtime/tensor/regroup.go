package tensor

import "slices"

// Same reports whether b is all of a, in the same memory, of the same type, shape and strides.
func (a *Dense) Same(b *Dense) bool {
	return a == b || a.buf == b.buf && a.offset == b.offset && a.dtype == b.dtype && slices.Equal(a.shape, b.shape) && slices.Equal(a.strides, b.strides)
}

// Regrouped is Reshape that gives a view wherever one can have that shape, as NumPy does: also
// where elements do not follow each other, if the axes that become others do so in one step.
func (a *Dense) Regrouped(shape ...int) (*Dense, error) {
	full, err := ResolveShape(a.shape, shape)
	if err != nil {
		return nil, err
	}
	if a.IsContiguous() || a.Size() == 0 {
		return a.Reshape(shape...)
	}
	strides, ok := regrouped(a.shape, a.strides, full, a.dtype.Size())
	if !ok {
		return a.Reshape(shape...)
	}
	return a.view(full, strides, a.offset), nil
}

// regrouped are the strides of a shape of as many elements, taken in C order. It walks both shapes
// from the left, by the shortest groups of axes with as many elements in one as in the other, each
// of which must be one axis in memory.
func regrouped(shape, strides, to []int, size int) (list []int, ok bool) {
	var have, step []int
	for axis, n := range shape {
		if n != 1 {
			have, step = append(have, n), append(step, strides[axis])
		}
	}
	list = make([]int, len(to))
	i, j := 0, 0
	for i < len(have) && j < len(to) {
		a, b, endI, endJ := have[i], to[j], i+1, j+1
		for a != b {
			if a < b {
				a *= have[endI]
				endI++
			} else {
				b *= to[endJ]
				endJ++
			}
		}
		for axis := i; axis < endI-1; axis++ {
			if step[axis] != step[axis+1]*have[axis+1] {
				return nil, false
			}
		}
		list[endJ-1] = step[endI-1]
		for axis := endJ - 2; axis >= j; axis-- {
			list[axis] = list[axis+1] * to[axis+1]
		}
		i, j = endI, endJ
	}
	for last := size; j < len(to); j++ { // of length 1
		if j > 0 {
			last = list[j-1]
		}
		list[j] = last
	}
	return list, true
}
