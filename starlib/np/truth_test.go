package np_test

import (
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestTruths: one element decides, wherever it is: any and all look at no more than they need, and
// at all they need.
func TestTruths(t *testing.T) {
	s := starlibtest.NewSession(t)
	shown, _, err := s.Execute(t.Context(), 1, `import numpy as np
def wrong():
    for n in [1, 63, 64, 1000, 8191, 8192, 8193, 20000, 100001, 1 << 20]:
        a, b = np.zeros(n, dtype=bool), np.ones(n, dtype=bool)
        if a.any() or not b.all() or a.all() or not b.any(): return "%d alike" % n
        for p in [0, 1, n // 3, n // 2 - 1, n // 2, n - n // 5, n - 2, n - 1]:
            if not 0 <= p < n: continue
            a[p], b[p] = True, False
            if not a.any() or b.all(): return "%d of %d" % (p, n)
            if not a[::-1].any() or b[::-1].all(): return "%d of %d, backwards" % (p, n)
            if a.argmax() != p or b.argmin() != p or a.argmin() != (0 if p or n == 1 else 1): return "place %d of %d" % (p, n)
            if n == 100001:
                m, w = a[1:].reshape(100, 1000), b[1:].reshape(1000, 100)
                if m.any(axis=1).sum() != min(p, 1) or w.all(axis=1).sum() != 1000 - min(p, 1): return "rows, %d" % p
                if m.any(axis=0).sum() != min(p, 1) or w.all(axis=0).sum() != 100 - min(p, 1): return "columns, %d" % p
                if np.count_nonzero(m) != min(p, 1): return "count, %d" % p
            a[p], b[p] = False, True
    return "nothing"
wrong()`, nil)
	if got := shown["text/plain"]; err != nil || got != `"nothing"` {
		t.Errorf("wrong: %v, %v", got, err)
	}
}
