package session_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// BenchmarkCall is what a call of a compiled function costs in a loop of Starlark.
func BenchmarkCall(b *testing.B) {
	for _, c := range []struct{ name, inputs, expr, args string }{
		{"scalar", `T.dscalar("x"), T.dscalar("y")`, "x + y", "1.5, 2.5"},
		{"n=1000", `T.dvector("x"), T.dvector("y")`, "2*(x + y) + x", "np.ones(1000), np.ones(1000)"},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := starlibtest.NewSession(b)
			code := fmt.Sprintf("x, y = %s\nf = function([x, y], %s)\na, b = %s\ndef loop(n):\n    for _ in range(n):\n        f(a, b)\n",
				c.inputs, c.expr, c.args)
			if _, _, err := s.Execute(context.Background(), 1, code, nil); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			if _, _, err := s.Execute(context.Background(), 2, fmt.Sprintf("loop(%d)", b.N), nil); err != nil {
				b.Fatal(err)
			}
		})
	}
}
