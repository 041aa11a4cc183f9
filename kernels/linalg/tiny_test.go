package linalg

import (
	"math"
	"testing"
)

// TestTinyBlocks: a block of elements that are nothing beside the others has its own eigenvalues,
// with vectors or without.
func TestTinyBlocks(t *testing.T) {
	a := Matrix{Rows: 3, Cols: 3, Data: []float64{-83, 0, 0, 0, 1e-300, 1e-301, 0, 1e-301, 2e-300}}
	with, _, err := Eigh(a, Lower)
	if err != nil {
		t.Fatal(err)
	}
	without, err := Eigvalsh(a, Lower)
	if err != nil {
		t.Fatal(err)
	}
	// Of [[1, 0.1], [0.1, 2]]: 1.5 -+ sqrt(0.26).
	for i, want := range []float64{-83, (1.5 - math.Sqrt(0.26)) * 1e-300, (1.5 + math.Sqrt(0.26)) * 1e-300} {
		for _, got := range []float64{with[i], without[i]} {
			if math.Abs(got-want) > 1e-14*math.Abs(want) {
				t.Errorf("eigenvalue %d: got %g, want %g", i, got, want)
			}
		}
	}
	// Gonum's iteration does not end on this one as it stands.
	b := New(6, 6)
	for i := range b.Data {
		b.Data[i] = []float64{0, -15, 54, 2e-201}[(i*i+i/3)%4]
	}
	w, err := Eigvals(b)
	if err == ErrComplex {
		return
	}
	trace, sum := 0.0, 0.0
	for i, v := range w {
		trace, sum = trace+b.Data[i*7], sum+v
	}
	if err != nil || math.Abs(trace-sum) > 1e-11*math.Abs(trace) {
		t.Errorf("got %v with sum %g and %v, want the trace, %g", w, sum, err, trace)
	}
}
