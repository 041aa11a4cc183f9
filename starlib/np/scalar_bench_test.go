package np_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// BenchmarkScalars is what the numbers of arrays cost in loops of Starlark, an iteration each, and
// Starlark's own numbers beside them.
func BenchmarkScalars(b *testing.B) {
	const setup = "a = np.arange(1000.0)\nk = np.arange(1000) % 7\nd = {i: 0 for i in range(7)}\nxs = list(range(1000))\n" +
		"m = np.ones((10, 10))\nw = [str(i % 7) for i in range(1000)]\nc = {str(i): 0 for i in range(7)}\n"
	for _, c := range []struct{ name, body string }{
		{"index", "a[i % 1000]"},
		{"sum", "s += a[i % 1000]"},
		{"two", "s = s + a[i % 1000] * 2.0"},
		{"compare", "s += 1 if a[i % 1000] > 500.0 else 2"},
		{"matrix", "s += m[i % 10, 3]"},
		{"reduce", "s += a.sum()"},
		{"count", "d[k[i % 1000]] += 1"},
		{"own key", "j = xs[i % 1000] % 7\n        d[j] = d[j] + 1"},
		{"words", "j = w[i % 1000]\n        c[j] = c.get(j, 0) + 1"},
		{"in", "s += 1 if w[i % 1000] in c else 2"},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := starlibtest.NewSession(b)
			code := setup + "def loop(n):\n    s = 0.0\n    for i in range(n):\n        " + c.body + "\n    return s\n"
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
