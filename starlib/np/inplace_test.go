package np_test

import (
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestInPlace: what is computed into an operand, or into an array that shares elements with one, is
// what is computed apart and copied.
func TestInPlace(t *testing.T) {
	s := starlibtest.NewSession(t)
	shown, _, err := s.Execute(t.Context(), 1, `import numpy as np
def whole(a): return a
def reversed(a): return a[::-1]
def rest(a): return a[1:]
def most(a): return a[:-1]
def every(a): return a[::2]
def odd(a): return a[1::2]
def turned(a): return a.T
def row(a): return a[:1]
def column(a): return a[..., :1]
def first(a): return a[0]
def narrow(a): return a.astype("float32")
def ints(a): return a.astype("int64")
def flat(a): return a.reshape(-1)
views = [whole, reversed, rest, most, every, odd, turned, row, column, first, narrow, ints, flat]
operations = [
    ("+", lambda a, b: a + b, lambda a, b: np.add(a, b, out=a)),
    ("-", lambda a, b: a - b, lambda a, b: np.subtract(a, b, out=a)),
    ("maximum", np.maximum, lambda a, b: np.maximum(a, b, out=a)),
    ("left out", lambda a, b: b * a, lambda a, b: np.multiply(b, a, out=a)),
]
def add(a, b):
    a += b
    return a
def times(a, b):
    a *= b
    return a
def less(a, b):
    a -= b
    return a
operations += [("+=", lambda a, b: a + b, add), ("*=", lambda a, b: a * b, times), ("-=", lambda a, b: a - b, less)]
def fails(f, *args):
    try: f(*args)
    except Exception: return True
    return False
found, tried = [], 0
for dtype in ["float64", "int64", "bool"]:
    for shape in [(7,), (6, 6), (1, 5), (3, 1), (0,), (200, 200), (40001,)]:
        for target in [whole, rest, most, every, odd, turned, flat]:
            for source in views:
                for name, apart, into in operations:
                    base = (np.arange(np.prod(shape)) % 23).reshape(shape).astype(dtype)
                    if fails(source, base): continue
                    same = base.copy()
                    a, b = target(base), source(base)
                    c = target(same)
                    d = source(same).copy()
                    if fails(apart, c, d): continue
                    want = apart(c, d)
                    if want.shape != c.shape or not np.can_cast(want.dtype, c.dtype, "same_kind"): continue
                    if fails(into, a, b):
                        if name != "-" and name != "-=": found.append((dtype, shape, str(target), str(source), name, "fails"))
                        continue
                    c[...] = want
                    tried += 1
                    if not np.array_equal(base, same): found.append((dtype, shape, str(target), str(source), name))
(found[:5], tried > 3000)`, nil)
	if got := shown["text/plain"]; err != nil || got != "([], True)" {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestPowerInPlace: x **= y has the elements of x ** y, as NumPy's has: np.square is that of 2.
func TestPowerInPlace(t *testing.T) {
	s := starlibtest.NewSession(t)
	got, _ := starlibtest.Run(t, s, 1, `import numpy as np
found = []
for dtype in ["float64", "float32", "int64"]:
    for y in [2, 0.5, -1, 3, 1.5, 2.0, True, np.int64(2), np.float32(0.5), np.array(2), np.full(300, 2)]:
        x = np.linspace(1, 3, 300).astype(dtype)
        want = x ** y if dtype[0] == "f" or type(y) == int and y > 0 else None
        if want is not None and want.dtype == x.dtype:
            x **= y
            if not np.array_equal(x, want): found.append((dtype, y))
found`)
	if got != "[]" {
		t.Errorf("other elements than x ** y for %s", got)
	}
}
