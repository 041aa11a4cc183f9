package session_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestLongPrograms: what it takes to compile a program grows as the program does, and not with the
// square of an expression's length: eight times as much takes some ten times as long, and 64 times
// if it grew with the square. A busy machine may be late: one of ten attempts has to be in time.
func TestLongPrograms(t *testing.T) {
	const parts, most = 8, 40
	repeat := func(before, repeated string, after string) func(n int) string {
		return func(n int) string { return before + strings.Repeat(repeated, n) + after }
	}
	for name, c := range map[string]struct {
		n    int
		code func(n int) string
	}{
		"terms":       {100_000, repeat("x = 1", " + 1", "")},
		"text":        {4_000, repeat("x = 'a'", " + 'a'", "")},
		"comparisons": {20_000, repeat("x = 1", " < 2 and 1", "")},
		"signs":       {64, repeat("x = ", "-", "1")},
		"conditions":  {896, repeat("x = ", "1 if 2 else ", "3")},
		"powers":      {10_000, repeat("x = 1", " * 1 ** 1", "")},
		"subscripts":  {10_000, repeat("x = [", "[0][0] + ", "0]")},
		"strings":     {10_000, repeat("x = ", "'a' ", "")},
		"a function":  {10_000, repeat("def f(a, b):\n    for i in range(3):\n        a = a", " + b", "\n    return a")},
	} {
		s := starlibtest.NewSession(t)
		price := func(n int) time.Duration {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			begin := time.Now()
			if _, _, err := s.Execute(ctx, 1, c.code(n), &starlibtest.Recorder{}); err != nil {
				t.Errorf("%s: got %.200v", name, err)
			}
			return time.Since(begin)
		}
		few, many := time.Hour, time.Hour
		for range 10 {
			// What every cell takes, some milliseconds at most, is no part of what grows.
			few, many = max(min(few, price(c.n/parts)), 2*time.Millisecond), min(many, price(c.n))
			if many <= most*few || t.Failed() {
				break
			}
		}
		if many > most*few {
			t.Errorf("%s: %v for %d, %v for %d: %.0f times as long for %d times as many", name, few, c.n/parts, many, c.n, float64(many)/float64(few), parts)
		}
	}
}
