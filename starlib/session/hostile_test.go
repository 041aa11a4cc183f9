package session_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestLongPrograms: what it takes to compile a program grows as the program does, and not with the square of an expression's length: then
// some of these do not end. The limit leaves room for the race detector on a busy machine.
func TestLongPrograms(t *testing.T) {
	const limit = 2 * time.Minute
	for name, code := range map[string]string{
		"terms":       "x = 1" + strings.Repeat(" + 1", 100_000),
		"text":        "x = 'a'" + strings.Repeat(" + 'a'", 20_000),
		"comparisons": "x = 1" + strings.Repeat(" < 2 and 1", 20_000),
		"signs":       "x = " + strings.Repeat("-", 60) + "1",
		"conditions":  "x = " + strings.Repeat("1 if 2 else ", 900) + "3",
		"powers":      "x = 1" + strings.Repeat(" * 1 ** 1", 10_000),
		"subscripts":  "x = [" + strings.Repeat("[0][0] + ", 10_000) + "0]",
		"strings":     "x = " + strings.Repeat("'a' ", 10_000),
		"a function":  "def f(a, b):\n    for i in range(3):\n        a = a" + strings.Repeat(" + b", 10_000) + "\n    return a",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		begin := time.Now()
		_, _, err := starlibtest.NewSession(t).Execute(ctx, 1, code, &starlibtest.Recorder{})
		if took := time.Since(begin); err != nil || took > limit {
			t.Errorf("%s: got %.200v after %v", name, err, took)
		}
		cancel()
	}
}
