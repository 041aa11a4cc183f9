package tensor

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestAxesText: every set of axes reads back what it writes.
func TestAxesText(t *testing.T) {
	for n := range 1 << MaxRank {
		s := Axes{uint16(n)}
		text, err := s.MarshalText()
		back := AxesOf(5) // what was there before does not matter
		if err == nil {
			err = back.UnmarshalText(text)
		}
		if err != nil || back != s || string(text) != s.String() {
			t.Fatalf("%v: got %q, %v, %v", s, text, back, err)
		}
		if got := AxesOf(s.List()...); got != s || s.Len() != len(s.List()) || !slices.IsSorted(s.List()) {
			t.Fatalf("%v: list %v", s, s.List())
		}
		for axis := range MaxRank {
			if s.Has(axis) != slices.Contains(s.List(), axis) {
				t.Fatalf("%v: Has(%d) = %v", s, axis, s.Has(axis))
			}
		}
	}
	if got := AxesOf(2, 0).String(); got != "0 2" {
		t.Errorf("got %q, want %q", got, "0 2")
	}
	for _, bad := range []string{"8", "-1", "x", "0,1", "1.0"} {
		var s Axes
		if err := s.UnmarshalText([]byte(bad)); err == nil || !strings.Contains(err.Error(), "want a number from 0 to 7") {
			t.Errorf("%q: got %v, %v", bad, s, err)
		}
	}
}

// TestAxesAreNoNumber: the number of an axis is no set of axes, so that AxesOf is not forgotten. As
// a set of bits, 1 was axis 0 and 0 none.
func TestAxesAreNoNumber(t *testing.T) {
	if reflect.TypeFor[int]().ConvertibleTo(reflect.TypeFor[Axes]()) {
		t.Error("an int is taken for a set of axes")
	}
}

func TestNormalizeAxis(t *testing.T) {
	for _, c := range []struct{ axis, rank, want int }{{0, 2, 0}, {1, 2, 1}, {-1, 2, 1}, {-2, 2, 0}} {
		if got, err := NormalizeAxis(c.axis, c.rank); err != nil || got != c.want {
			t.Errorf("axis %d of %d: got %d, %v; want %d", c.axis, c.rank, got, err, c.want)
		}
	}
	for _, c := range [][2]int{{2, 2}, {-3, 2}, {0, 0}, {-1, 0}} {
		if got, err := NormalizeAxis(c[0], c[1]); err == nil {
			t.Errorf("axis %d of %d: got %d, want an error", c[0], c[1], got)
		}
	}
}
