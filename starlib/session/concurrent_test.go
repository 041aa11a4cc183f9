package session_test

import (
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestTwoSessions runs sessions at once, each completed and inspected meanwhile. It is for the race
// detector, and checks that neither sees the other's options and random numbers.
func TestTwoSessions(t *testing.T) {
	outputs := make([]string, 2)
	var both sync.WaitGroup
	for i := range outputs {
		both.Go(func() {
			s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
			var out starlibtest.Printed
			digit := strconv.Itoa(2 + i)
			for n, code := range []string{
				"np.random.seed(1)\nnp.set_printoptions(precision=N)\nprint(np.random.randn(3))",
				"%config floatX=float32\nx = np.arange(3.0)\n%whos",
				"for i in range(3000): z = np.arange(3) + i * N\nprint(z)",
				"a = T.dvector('a')\nf = function([a], (a * N).sum())\nprint(f(x), f.name)",
				"%timeit -q -n 10 -r 2 x + N",
				"def g(n):\n  for i in range(n): n = n % 7\n  return n\nprint(g(N))",
				"from numpy import *\nimport theano.tensor as tt\nprint(sin(x), tt.dscalar('q') + N)",
				"help(np.dot)\nprint(np.einsum('i,i', x, x), '%s' % N)",
				"print(f'{x} {N}', '{}'.format(x), sorted([3, 1], key=lambda q: -q), np.random.randn())",
				"%history",
			} {
				met := make(chan struct{})
				go func() {
					defer close(met)
					s.Complete("np.ra", 5)
					s.Complete("f(", 2)
					s.Inspect("np.dot", 4, 0)
					s.Inspect("x", 1, 0)
					s.IsComplete("x = (")
				}()
				code = strings.ReplaceAll(code, "N", digit)
				if _, _, err := s.Execute(t.Context(), n+1, code, &out); err != nil {
					t.Errorf("%s: %v", code, err)
				}
				<-met
			}
			outputs[i] = out.String()
		})
	}
	both.Wait()
	for i, want := range []string{"[ 1.62 -0.61 -0.53]", "[ 1.624 -0.612 -0.528]"} {
		if !strings.HasPrefix(outputs[i], want) || !strings.Contains(outputs[i], "-1.07296862") {
			t.Errorf("got\n%s\nwant it to begin with %s and to have -1.07296862", outputs[i], want)
		}
	}
}
