package tensor

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"testing"
)

// pythonSlice lists the positions of start:stop:step on an axis of length n by enumeration, as the
// Python language reference defines them (bounds clamped as in PySlice_AdjustIndices).
func pythonSlice(n int, start, stop, step *int) []int {
	by := 1
	if step != nil {
		by = *step
	}
	lo, hi := 0, n // where positions may start and stop
	if by < 0 {
		lo, hi = -1, n-1
	}
	bound := func(p *int, absent int) int {
		switch {
		case p == nil:
			return absent
		case *p < -n:
			return lo
		case *p < 0:
			return *p + n
		case *p > hi:
			return hi
		}
		return *p
	}
	var list []int
	if by > 0 {
		for i := bound(start, lo); i < bound(stop, hi); i += by {
			list = append(list, i)
		}
	} else {
		for i := bound(start, hi); i > bound(stop, lo); i += by {
			list = append(list, i)
		}
	}
	return list
}

// bounds are nil and the numbers -7 to 7.
func bounds(yield func(*int) bool) {
	if !yield(nil) {
		return
	}
	for v := -7; v <= 7; v++ {
		if !yield(&v) {
			return
		}
	}
}

// pythonFingerprint sums up all slices of lists of up to 5 elements. It was computed by CPython 3:
//
//	h, B = 0, [None] + list(range(-7, 8))
//	for n in range(6):
//	    for a in B:
//	        for b in B:
//	            for c in B:
//	                if c == 0: continue
//	                for x in list(range(n))[a:b:c] + [n]:
//	                    h = (h * 31 + x + 1) % 2305843009213693951
//	print(h)
const pythonFingerprint = 203516860931132437

func TestSliceBounds(t *testing.T) {
	var h uint64
	add := func(x int) {
		hi, lo := bits.Mul64(h, 31)
		lo, carry := bits.Add64(lo, uint64(x)+1, 0)
		h = bits.Rem64(hi+carry, lo, 1<<61-1)
	}
	for n := range 6 {
		for start := range bounds {
			for stop := range bounds {
				for step := range bounds {
					if step != nil && *step == 0 {
						continue
					}
					first, count, by := SliceBounds(n, start, stop, step)
					want := pythonSlice(n, start, stop, step)
					got := make([]int, 0, max(count, 0))
					for k := range count {
						got = append(got, first+k*by)
						add(first + k*by)
					}
					add(n)
					if fmt.Sprint(got) != fmt.Sprint(want) {
						t.Fatalf("range(%d)[%s]: got %v, want %v", n, sliceText(start, stop, step), got, want)
					}
				}
			}
		}
	}
	if h != pythonFingerprint {
		t.Errorf("fingerprint: got %d, want %d", h, uint64(pythonFingerprint))
	}
}

func sliceText(parts ...*int) string {
	words := make([]string, len(parts))
	for i, p := range parts {
		if p != nil {
			words[i] = fmt.Sprint(*p)
		}
	}
	return strings.Join(words, ":")
}

// TestSliceExtremes: bounds and steps that overflow when they are added.
func TestSliceExtremes(t *testing.T) {
	lowest, highest, one, five := math.MinInt, math.MaxInt, 1, 5
	for _, c := range []struct {
		start, stop, step *int
		first, count      int
	}{
		{nil, nil, &highest, 0, 1},
		{nil, nil, &lowest, 9, 1},
		{&five, nil, &highest, 5, 1},
		{&five, nil, &lowest, 5, 1},
		{&lowest, &highest, nil, 0, 10},
		{&highest, &lowest, nil, 10, 0},
		{&highest, nil, &lowest, 9, 1},
		{&lowest, &highest, &one, 0, 10},
	} {
		first, count, _ := SliceBounds(10, c.start, c.stop, c.step)
		if first != c.first || count != c.count {
			t.Errorf("range(10)[%s]: got %d positions from %d, want %d from %d", sliceText(c.start, c.stop, c.step), count, first,
				c.count, c.first)
		}
	}
}

func TestSubscriptErrors(t *testing.T) {
	a, _ := arange(2, 3)
	at := func(v int) Index { return Index{At: &v} }
	zero := 0
	for _, c := range []struct {
		index []Index
		want  string
	}{
		{[]Index{at(2)}, "index 2 is out of bounds for axis 0 of length 2"},
		{[]Index{at(-3)}, "index -3 is out of bounds for axis 0 of length 2"},
		{[]Index{{}, at(3)}, "index 3 is out of bounds for axis 1 of length 3"},
		{[]Index{at(0), at(0), at(0)}, "too many indices: got 3, want at most 2 for shape (2, 3)"},
		{[]Index{{Step: &zero}}, "slice step of axis 0 is 0"},
	} {
		if z, err := a.Subscript(c.index...); err == nil || err.Error() != c.want {
			t.Errorf("got %v, %v; want error %q", z, err, c.want)
		}
	}
	empty, _ := arange(0)
	if _, err := empty.Subscript(at(0)); err == nil || !strings.Contains(err.Error(), "out of bounds") {
		t.Errorf("element 0 of an empty array: got error %v", err)
	}
}
