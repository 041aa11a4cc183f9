package starlib_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/starlib/starlibtest"
)

var (
	_        = flag.Int("fuse.programs", 60, "how many programs TestFusedExpressions draws")
	fuseSeed = flag.Uint64("fuse.seed", 1, "the first one's seed")
)

// fuseSetting is what the expressions are of. Most are drawn from the arrays of one type and shape
// that come first.
const fuseSetting = `import numpy as np
special = [0.0, -0.0, np.nan, np.inf, -np.inf, 1e300, -1e-310, 1.0, -1.0, 0.5]
a = np.array([special[i % 10] if i % 3 == 0 else np.sin(i)*3 for i in range(N)])
b = np.array([special[i % 7] if i % 5 == 0 else np.cos(i)*2 for i in range(N)])
c = np.linspace(-2, 3, N)
d = np.linspace(1, 40, 2*N)[::2]
p, q = a.astype("float32"), b.astype("float32")
k, u, m = np.arange(N) - 3, np.arange(N).astype("uint8"), a > 0
M = np.linspace(-1, 1, 3*N).reshape(3, N)
W = np.cos(np.arange(3*N)).reshape(N, 3).T
R, C = c.reshape(1, N), np.ones((3, 1))
zero, empty = np.array(2.5), np.zeros(0)
s, s32, si, sn, sb = np.float64(0.3), np.float32(0.7), np.int64(-4), np.float64("nan"), np.float64(1e39)
i, x, huge, yes, nothing, word, items = 3, 0.25, 10**400, True, None, "word", [1.5]*N
y = T.dvector("y")
k2, k32, j8, f2 = np.arange(N)[::-1]*3 - 7, (np.arange(N)*5).astype("int32"), np.arange(N).astype("int8"), np.arange(N) % 3 == 0
row, col, rows = np.linspace(-1, 2, N), np.array([[0.5], [-1.5], [np.nan]]), np.arange(3*N).reshape(3, N)
class Model:
    b = 0.75
    def __init__(self): self.w, self.n, self.k, self.deep, self.list, self.nothing = a*0.5, 4, np.arange(N), None, [c, 2, -1.5], None
    @property
    def asked(self):
        log2.append("asked")
        return c
    def __getattr__(self, name):
        log2.append(name)
        return 1.5
    def mean(self):
        log2.append("mean")
        return 2
class Items:
    def __getitem__(self, i):
        log2.append(i)
        return 0.5
log2 = []
o, own = Model(), Items()
o.deep = Model()
params = {"W": a, "b": 0.5, "shape": (2, 3), 3: b, "n": None}
xs, at = [a, b, c, 1.5, np.float32(2)], np.int64(1)
class Odd:
    def __init__(self): self.calls = []
    def __add__(self, o): self.calls.append("add"); return o
    def __radd__(self, o): self.calls.append("radd"); return 1.5
    def __mul__(self, o): self.calls.append("mul"); return self
    def __rmul__(self, o): self.calls.append("rmul"); return o*2
    def __neg__(self): self.calls.append("neg"); return 2
odd = Odd()
def show(v):
    if type(v) == "ndarray":
        if str(v.dtype)[0] == "f": v = np.where(np.isnan(v), v.dtype.type(np.nan), v) # the sign of a nan is that of any operand
        return [str(v.dtype), v.shape, v.tobytes()]
    return [str(type(v)), repr(v)]
def attempt(f, *operands):
    try: return show(f(*operands))
    except Exception as e: return [str(type(e)), str(e)]
`

var fuseOperands = [][]string{
	{"a", "b", "c", "d"},
	{"p", "q"},
	{"M", "W", "M"},
	{"s", "s32", "si", "sn", "sb", "i", "x"},
	{"k", "k2", "k", "i", "m", "u"},
	{"rows", "row", "col", "M", "R", "C", "W"},
	{"m", "f2", "k", "a"},
	{"p", "a", "k32", "j8", "k", "u"},
	{"o.w", "o.n", "o.b", "o.k", "o.deep.w", "o.list[0]", "o.list[-1]", "params[\"W\"]", "params[3]", "params['b']", "xs[0]", "xs[at]", "xs[i]", "a.mean()", "c.std()", "a.T", "M.shape[0]",
		"b.size", "a", "np.pi", "a[0]", "c[-1]", "M[1]", "c.max()", "k.sum()", "xs[3]", "params['shape'][1]"},
	{"o.asked", "o.missing", "o.nothing", "own[0]", "params['none']", "xs[9]", "a[10**9]", "o.mean()", "np.nosuch", "xs[x]", "a.nosuch", "items[0]", "word[0]", "empty.max()", "a[at]", "M[0, 1]",
		"params[word]", "o.deep.deep.w", "a.sum().x", "items[1:]", "word[:2]", "a[x:]", "a[::0]", "M[:, :, 0]", "M[1:, word]", "o.list[1:]", "params[1:]", "a[nothing:]", "a[:nothing]",
		"a[huge:]", "own[1:]", "zero[:]", "zero[None]", "a[None, None, None, None]", "a[yes:]", "M[at, :]", "empty[:]", "a[m]", "a[k]", "M[1, None]", "word[i:]", "M[None, 1, 0]"},
	{"a[:]", "b[::1]", "c[::-1]", "M[1, :]", "M[-1, ::-1]", "W[2]", "M.T[:, 0]", "p[:]", "o.w[:]", "xs[1][::-1]", "a[0:N]", "k[::-1]", "m[:]", "a", "d"},
	{"a[1:]", "b[:-1]", "c[1:]", "d[:-1]", "M[:, 1:]", "W[:, :-1]", "M[1, 1:]", "o.list[0][1:]", "params['W'][:-1]", "k[1:]", "a[1:].T", "a[i:]", "a[:at]", "M[1:, 1:]", "M[:-1, :-1]"},
	{"M[:, ::2]", "W[:, ::2]", "M[:, None][:, 0, ::2]", "a[::2]", "a[None, ::2]", "M[:, 0][:, None]", "col[:, 0:1]", "M[0:3, at]", "M[:, :]", "rows[:]", "row[None, :]", "col[:]", "a[None]"},
	{"k", "u", "m", "R", "C", "zero", "empty", "huge", "yes", "nothing", "word", "items", "y", "odd"},
}

// fuseVariables are the variables among them, and those in which others are found.
func fuseVariables() []string {
	seen := map[string]bool{"o": true, "own": true, "params": true, "xs": true, "at": true, "word": true, "items": true, "nothing": true, "huge": true, "zero": true, "N": true}
	for _, list := range fuseOperands {
		for _, e := range list {
			if !strings.ContainsAny(e, ".[") {
				seen[e] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// A fuseWriter draws expressions.
type fuseWriter struct {
	*rand.Rand
	kind int // of most operands
}

func (w fuseWriter) pick(list ...string) string { return list[w.IntN(len(list))] }

func (w fuseWriter) operand() string {
	kind := w.kind
	switch w.IntN(60) {
	case 0:
		kind = []int{9, 13}[w.IntN(2)]
	case 1, 2, 3, 4:
		kind = 3
	case 14, 15:
		kind = 8
	case 5, 6, 7, 8, 9, 10, 11, 12:
		return w.pick("2", "0.5", "1", "3", "1e-3", "-2", "-0.25", "1e39", "0", "9007199254740993")
	case 13:
		kind = w.IntN(3)
	}
	return w.pick(fuseOperands[kind]...)
}

func (w fuseWriter) expression(depth int) string {
	if depth == 0 {
		return w.operand()
	}
	x := func() string { return w.expression(max(0, depth-1-w.IntN(2))) }
	switch w.IntN(12) {
	case 0:
		return w.pick("-", "-", "~") + "(" + x() + ")"
	case 1:
		return "(" + x() + ")**" + w.pick("2", "3", "0.5", "-1", "-2", "0", "2.0", "1.5")
	case 2, 3:
		return "np." + w.pick("exp", "sin", "tanh", "sqrt", "log", "abs", "absolute", "square", "floor", "sign", "log1p", "cos", "expm1", "reciprocal", "isnan", "positive",
			"rint", "sum", "nosuch", "deg2rad", "logical_not", "arctan", "cbrt", "exp2", "float64", "sort") + "(" + x() + ")"
	case 4:
		return "np." + w.pick("maximum", "minimum", "add", "hypot", "arctan2", "power", "logical_and", "bitwise_or", "fmax", "divide", "fmod", "ldexp", "greater", "nextafter", "dot", "logaddexp") +
			"(" + x() + ", " + x() + ")"
	}
	if w.IntN(12) == 0 {
		return "np.where(" + x() + w.pick(" > ", " < ", ", ") + x() + ", " + x() + w.pick("", "", ", "+x()) + ")"
	}
	if w.IntN(6) == 0 {
		return "(" + x() + ")" + w.pick(" < ", " <= ", " > ", " >= ", " & ", " | ", " ^ ", " // ", " % ") + "(" + x() + ")"
	}
	return "(" + x() + ")" + w.pick(" + ", " - ", "*", "/", " + ", "*") + "(" + x() + ")"
}

// TestFusedExpressions compares expressions that may be computed as one with the same computed
// operation by operation: values, types and errors.
func TestFusedExpressions(t *testing.T) {
	first, count := long.Drawn("fuse.programs", 3)
	for n := range count {
		seed := *fuseSeed + uint64(first+n)
		w := fuseWriter{rand.New(rand.NewPCG(seed, 3)), 0}
		length := []string{"1", "2", "7", "100", "3000"}[w.IntN(5)]
		var program strings.Builder
		names := strings.Join(fuseVariables(), ", ")
		program.WriteString("log = []\n")
		var expressions []string
		for k := range 30 {
			w.kind = []int{0, 0, 1, 2, 4, 5, 6, 7, 8, 8, 10, 10, 11, 12}[w.IntN(14)]
			e := w.expression(1 + w.IntN(4))
			if w.IntN(8) == 0 {
				e = "(" + e + ")" + w.pick(" < ", " <= ", " > ", " >= ", " == ") + "(" + w.expression(1) + ")"
			}
			expressions = append(expressions, e)
			switch w.IntN(3) {
			case 0: // of variables of a function
				fmt.Fprintf(&program, "def f%d(%s): return %s\nlog.append(attempt(f%d, %s))\n", k, names, e, k, names)
			case 1: // of global ones, in a function
				fmt.Fprintf(&program, "log.append(attempt(lambda: %s))\n", e)
			default: // kept by a loop
				fmt.Fprintf(&program, "def f%d():\n    for j in range(3): r = %s\n    return r\nlog.append(attempt(f%d))\n", k, e, k)
			}
		}
		run := func(slowly bool) string {
			s := starlibtest.NewSession(t)
			if slowly {
				s.RunSlowly()
			}
			out := new(starlibtest.Printed)
			for i, code := range []string{"N = " + length + "\n" + fuseSetting, program.String(), "for v in log: print(v)\nprint(odd.calls)\nprint(log2)"} {
				if _, _, err := s.Execute(t.Context(), i+1, code, out); err != nil {
					t.Fatalf("seed %d: %v\n%s", seed, err, code)
				}
			}
			return out.String()
		}
		got, want := strings.Split(run(false), "\n"), strings.Split(run(true), "\n")
		for k := range min(len(got), len(want)) {
			if got[k] != want[k] {
				e := "what the object was asked"
				if k < len(expressions) {
					e = expressions[k]
				}
				t.Fatalf("seed %d, N = %s: got %.300s\nwant %.300s\nof %s", seed, length, got[k], want[k], e)
			}
		}
	}
}
