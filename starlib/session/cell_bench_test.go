package session_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
)

// longCell is a cell of 1,200 lines in all forms of statements.
func longCell() string {
	var b strings.Builder
	for i := range 120 {
		fmt.Fprintf(&b, `def step_%d(x, rate=0.1, *rest, **more):
    """Doc."""
    total = 0
    for k, y in enumerate(x):
        if k %% 2 == 0 and y > rate or not rest:
            total += y * rate - len(more)
    return [total, {"rate": rate}, x[1:], "%%.3f" %% rate]
a_%d, b_%d = %d, [i * 2 for i in range(3) if i != 1]
c_%d = (a_%d + 1) * 3 - b_%d[0] if a_%d else None

`, i, i, i, i, i, i, i, i)
	}
	return b.String()
}

// BenchmarkLongCell is what a long cell costs before and besides its work.
func BenchmarkLongCell(b *testing.B) {
	code := longCell()
	s := starlib.NewSession(starlib.Options{})
	for b.Loop() {
		if _, _, err := s.Execute(context.Background(), 1, code, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkComplete completes names and attributes with 1,000 globals.
func BenchmarkComplete(b *testing.B) {
	s := starlib.NewSession(starlib.Options{})
	var code strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&code, "name_%d = %d\n", i, i)
	}
	if _, _, err := s.Execute(context.Background(), 1, code.String(), nil); err != nil {
		b.Fatal(err)
	}
	for _, text := range []string{"na", "np.", "T.s", "x = np.zeros(name_1, dt", longCell() + "na"} {
		b.Run(text[:min(len(text), 8)], func(b *testing.B) {
			for b.Loop() {
				if _, _, matches := s.Complete(text, len(text)); len(matches) == 0 {
					b.Fatal("no matches")
				}
			}
		})
	}
}
