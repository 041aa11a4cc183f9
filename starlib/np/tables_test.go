package np

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/runtime/op"
)

// TestNumPyCovers checks that every elementwise operation has NumPy's name or is known
// to have none.
func TestNumPyCovers(t *testing.T) {
	for e := range op.Rows {
		_, isCast := e.IsCast()
		_, named := elementwise[e]
		if others := isCast || slices.Contains(notNumPy, e); named == others {
			t.Errorf("%s: in npElemwise %v, elsewhere %v", e.Name(), named, others)
		}
	}
	for name := range functions() {
		if slices.Contains(strings.Fields(missingNumPy), name) {
			t.Errorf("%s is there and in missingNumPy", name)
		}
	}
	for _, names := range []string{missingNumPy, missingRandom} {
		list := strings.Fields(names)
		slices.Sort(list)
		if len(slices.Compact(list)) != len(strings.Fields(names)) {
			t.Error("a missing name is there twice")
		}
	}
	for _, name := range randomMethods().Names() {
		if slices.Contains(strings.Fields(missingRandom), name) {
			t.Errorf("%s is there and in missingRandom", name)
		}
	}
}

// TestRoundedLog compares with known logarithms, and with math.Log.
func TestRoundedLog(t *testing.T) {
	for _, tt := range []struct{ x, want float64 }{
		{1, 0}, {2, math.Ln2}, {0.5, -math.Ln2}, {math.E, 1}, {10, math.Ln10}, {1e-300, -690.7755278982137},
		{5e-324, -744.4400719213812},
		{0.9999999999999999, -1.1102230246251565e-16}, {1.0000000000000002, 2.2204460492503128e-16},
		{math.MaxFloat64, 709.782712893384},
	} {
		if got := roundedLog(tt.x); got != tt.want {
			t.Errorf("log %v: got %v, want %v", tt.x, got, tt.want)
		}
	}
	// math.Log errs by less than one unit in the last place.
	var r twister
	r.Seed(1)
	for range 100000 {
		x := r.Float64()
		got, near := roundedLog(x), math.Log(x)
		if math.Abs(got-near) > 2.5e-16*math.Abs(near) {
			t.Fatalf("log %v: got %v, math.Log %v", x, got, near)
		}
	}
}
