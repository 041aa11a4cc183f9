package starlib_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/starlibtest"
)

var (
	_        = flag.Int("keep.programs", 150, "how many programs TestMemoryIsNobodys draws")
	keepSeed = flag.Uint64("keep.seed", 1, "the first one's seed")
)

// keepSetting is what the programs find: functions that forget and functions that keep what they
// get, and classes of both kinds.
const keepSetting = `import numpy as np
x, y = T.dvectors("x", "y")
f = function([x, y], 2*x - y)
g = function([x], T.tanh(x))
two = function([x, y], [x + y, x - y])
total = function([x], x.sum())
state = theano.shared(np.zeros(N))
step = function([x], state + x, updates=[(state, 0.5*state + x)])
held = [np.zeros(N)]
parts = 1
order = np.argsort(np.sin(np.arange(N)))
mask = np.arange(N) >= 0
cache = {}
def keeps(v):
    held.append(v)
    return v
def gives(v):
    w = v + 1
    held.append(w)
    return w
def through(v):
    return v
def fresh(v):
    w = v*2
    return w
def deep(v):
    w = fresh(v) + np.tanh(v)
    w = np.negative(w)
    return fresh(w)
def usual(v, w=np.ones(N)):
    if np.sum(v) > 1e9: w = v*2
    return w
def first(vs, *more):
    held.append(vs[0])
    return vs[0]*2
def several(*vs):
    held.append(vs[0])
    return vs[0]*2
def noting(v):
    held.append(v[1:])
    return v*2
def late():
    held.append(r)
last, far = through(-1), 10**6
class Box:
    def __getitem__(self, k):
        held.append(k)
        return held[0]
box = Box()
class Adder:
    def __init__(self): self.kept = np.zeros(N)
    def __add__(self, o):
        self.kept = o*1.0
        return self.kept
    def __radd__(self, o):
        held.append(o)
        return o
    def __mul__(self, o):
        return self.kept
    def __rmul__(self, o):
        self.kept = o
        return o + 0
    def __iadd__(self, o):
        held.append(o)
        return self
    def sum(self): return 1.0
    def __abs__(self): return self.kept
    def __gt__(self, o):
        held.append(o)
        return o
    def __rmod__(self, o):
        self.kept = o
        return o
    def __matmul__(self, o): return self.kept
    def __rlshift__(self, o):
        held.append(o)
        return o
    def __rmatmul__(self, o):
        held.append(o)
        return o
    def __invert__(self): return self.kept
    def __eq__(self, o):
        held.append(o)
        return True
adder = Adder()
def check(*vs):
    return [float(np.sum(v)) for v in vs]
`

// keepForms are what the programs compute with: float64 and float32, integers, and matrices in two
// orders of memory.
var keepForms = []func(string) string{
	func(s string) string { return s },
	strings.NewReplacer("dvector", "fvector", "np.zeros(N)", `np.zeros(N, "float32")`, "np.linspace(-1, 1, N), np.cos(np.arange(N))", `np.linspace(-1, 1, N).astype("float32"), np.cos(np.arange(N)).astype("float32")`).Replace,
	strings.NewReplacer("np.linspace(-1, 1, N), np.cos(np.arange(N))", `np.arange(N), np.arange(N)[::-1]`).Replace,
	strings.NewReplacer("dvectors", "dmatrices", "dvector", "dmatrix", "np.zeros(N)", "np.zeros((3, N))", "np.linspace(-1, 1, N), np.cos(np.arange(N))", "np.linspace(-1, 1, 3*N).reshape(3, N), np.cos(np.arange(3*N)).reshape(N, 3).T").Replace,
}

// A keepWriter draws the statements of a loop over arrays r, s, t.
type keepWriter struct {
	*rand.Rand
	strings.Builder
	calm  bool
	depth int
	part  string // a function of two arrays
}

func (w *keepWriter) pick(list ...string) string { return list[w.IntN(len(list))] }

func (w *keepWriter) name() string { return w.pick("r", "r", "s", "t") }

func (w *keepWriter) operand(depth int) string {
	switch w.IntN(15) {
	case 12:
		return fmt.Sprintf(w.pick("keeps(%s)", "fresh(%s)", "np.cumsum(%s, axis=0)", "np.asarray(%s)", "%s.copy()", "%s.ravel().reshape(a.shape)", "abs(%s)", "np.maximum(%s, 0.1)", "%s[:]", "np.ravel(%s).reshape(a.shape)", "np.clip(%s, -1, 1)",
			"np.squeeze(%s)", "%s.astype('float64', copy=False)", "np.sort(%s)", "np.copy(np.sort(%s))", "np.sort(a + %s)"), w.name())
	case 13:
		return w.pick("("+w.name()+" < "+w.name()+")*", "("+w.name()+" >= 0.3)*", "(("+w.name()+" > 0) & (b != "+w.name()+"))*", "-(0.5 - "+w.name()+")*", "0.5*", "~(a < "+w.name()+")*") + w.name()
	case 14:
		return "(" + w.name() + w.pick(" % 0.7", " // 0.4", "[:] % (1 + a*a)", "*a // 0.4") + ")"
	case 0:
		return w.pick("0.5", "2", "i")
	case 1, 2:
		return w.pick("a", "b")
	case 3:
		return "-" + w.name()
	case 4:
		if depth > 0 {
			return "(" + w.operation(depth-1) + ")**2"
		}
	case 5, 6, 7:
		if depth > 0 {
			return "(" + w.operation(depth-1) + ")"
		}
	}
	return w.name()
}

func (w *keepWriter) operation(depth int) string {
	x, y := w.operand(depth), w.operand(depth)
	return x + " " + w.pick("+", "-", "*", "+") + " " + y
}

func (w *keepWriter) line(format string, args ...any) {
	w.WriteString(strings.Repeat("    ", w.depth) + fmt.Sprintf(format, args...) + "\n")
}

func (w *keepWriter) statement(depth int) {
	n, kind := w.name(), w.IntN(64)
	if w.calm && w.IntN(6) > 0 { // in most programs of arbitrary statements each variable escapes
		kind = []int{0, 1, 3, 4, 8, 9, 12, 13, 14, 15, 21, 24, 28, 28, 29, 35, 37, 37, 48, 48, 49, 51, 55, 55, 56, 58, 59, 60, 61, 62, 63}[w.IntN(31)]
	}
	switch kind {
	default:
		w.line("%s = f(%s, %s)", n, w.name(), w.pick("a", "b", w.name()))
	case 1, 2:
		w.line("%s = g(%s)", n, w.pick("a", w.name(), w.name()))
	case 3, 4, 5, 6, 7:
		w.line("%s = 0.25*(%s)", n, w.operation(2))
	case 8:
		w.line("%s = %s(%s)", n, w.pick("np.tanh", "abs", "round"), w.pick(w.name(), w.name(), "keeps(r)", "adder"))
	case 9:
		w.line("%s = np.maximum(%s, %s)", n, w.name(), w.name())
	case 10:
		w.line("held.append(%s)", n)
	case 11:
		w.line("held.append(%s[%s])", n, w.pick("1:", "::2", "None", "::-1", "3:400"))
	case 12:
		w.line("%s = %s", n, w.name())
	case 13:
		w.line("%s, %s = %s, %s", n, w.name(), w.name(), w.name())
	case 14:
		w.line("%s, %s = two(%s, %s)", n, w.name(), w.name(), w.name())
	case 15:
		w.line("%s = %s(%s)", n, w.pick(functions...), w.name())
	case 16:
		w.line("%s = %s(%s)", n, w.pick(functions...), w.operation(1))
	case 17:
		w.line("%s = %s %s %s", n, w.pick("adder", w.name()), w.pick("+", "*"), w.pick("adder", w.name()))
	case 18:
		w.line("%s = (%s) + adder", n, w.operation(1))
	case 19:
		w.line("%s = adder * (%s)", n, w.operation(1))
	case 20:
		w.line("cache[i %% 3] = %s", n)
	case 21:
		w.line(w.pick("%s += 0.1*%s", "%s -= 0.1 + %s[:]", "%s *= 1 - (%s > 0.5)", "%s += np.tanh(%s)", "%s += keeps(%s)", "u += %s + %s", "parts = [1]; parts += %[1]s*2; held.append(parts); %[1]s += %[2]s"), n, w.name())
	case 22:
		w.line(w.pick("held += [%s, %s]", "held.extend([%s, %s])", "held.extend((%s, %s))", "held.append([%s, %s])"), n, w.name())
	case 23:
		w.line("state.set_value(%s%s)", n, w.pick("", ", borrow=True"))
	case 24:
		w.line("%s = step(%s)", n, w.name())
	case 25:
		w.line("%s = state.get_value(%s)", n, w.pick("", "borrow=True"))
	case 26:
		w.line("held.append(np.%s(%s))", w.pick("asarray", "ravel", "atleast_1d", "squeeze", "ascontiguousarray"), n)
	case 27:
		w.line("held.append(%s.%s)", n, w.pick("T", "reshape(-1, 1)", "ravel()", "copy()", "view()", "flatten()", "astype('float64')"))
	case 28:
		w.line("%s = %s.%s", n, w.name(), w.pick("T", "copy()", "copy()", "reshape(-1)", "ravel()", "clip(-1, 1)", "clip(-1, 1, out=t)", "astype('float64')", "astype('float64', copy=False)",
			"astype('float32', copy=False)", "round(3)", "flatten().reshape(a.shape)", "repeat(1, axis=0)", "take(np.arange(a.size)).reshape(a.shape)", "cumsum(axis=0)"))
	case 29:
		w.line("if total(%s) > 0: %s = g(%s)", n, w.name(), w.name())
	case 30:
		w.line("h = (lambda v: v + %s)", n)
		w.line("%s = h(%s)", w.name(), w.name())
	case 31:
		w.line("held.append([v*2 for v in [%s, %s]])", n, w.name())
	case 32:
		w.line("for v in [%s]: %s = g(v)", n, w.name())
	case 33:
		w.line("try:")
		w.line("    %s = f(%s, %s)", n, w.name(), w.pick(w.name(), "np.zeros(3)"))
		w.line("except ValueError: pass")
	case 34:
		if depth > 0 {
			w.line("for j in range(%d):", 1+w.IntN(3))
			w.depth++
			for range 1 + w.IntN(4) {
				w.statement(depth - 1)
			}
			w.depth--
		}
	case 35:
		w.line("%s[%d] = %s[%d]", n, w.IntN(9), w.name(), w.IntN(9))
	case 36:
		w.line("%s[2:9] = %s[1:8]", n, w.name())
		w.line("%s[2:] %s %s", n, w.pick("=", "+=", "*=", "-="), w.pick("0.5*("+w.name()+"[2:] + a[:-2])", "np.cumsum("+w.name()+"[2:], axis=0)", "("+w.operation(1)+")[2:]", "keeps("+w.name()+"[2:])", "np.asarray("+w.name()+"[2:])", "("+w.name()+"[2:] > 0)*1", w.name()+"[2:] + adder"))
	case 37:
		w.line("log.append(%s)", w.pick("float("+n+".sum())", n+"[3]", "float(np.mean("+n+"))", n+".shape", "total("+n+")", "'%.6f' % "+n+".max()"))
	case 44, 45:
		w.line("%s = np.%s", n, w.pick("zeros_like(a)", "full(a.shape, 0.5)", "sort("+w.name()+")", "cumsum("+w.name()+")[:N]", "cumsum("+w.name()+")", "where(a > 0, a, "+w.name()+")", "clip("+w.name()+", -1, 1)",
			"roll("+w.name()+", 1)", "flip("+w.name()+")", "concatenate(["+w.name()+", "+w.name()+"])[:N]", "copy("+w.name()+")", "diff("+w.name()+", prepend=0)"))
	case 46:
		w.line("%s = np.%s", n, w.pick("ravel("+w.name()+")", "transpose("+w.name()+")", "squeeze("+w.name()+")", "asarray("+w.name()+")", "atleast_1d("+w.name()+")", "array("+w.name()+", copy=False)",
			"broadcast_to("+w.name()+", a.shape)", "reshape("+w.name()+", -1)", "asanyarray("+w.name()+")", "maximum("+w.name()+", a, out=s)", "nan_to_num("+w.name()+")", "real("+w.name()+")",
			"sum(["+w.name()+", "+w.name()+"], axis=0)", "apply_along_axis(keeps, 0, "+w.name()+")", "vectorize(float)("+w.name()+")", "swapaxes("+w.name()+", 0, 0)", "clip("+w.name()+", -1, 1, out=t)",
			"cumsum("+w.name()+", out=s)", "round("+w.name()+", 1, t)", "dot("+w.name()+", 0.5, out=t)", "take("+w.name()+", np.arange(a.size), out=s).reshape(a.shape)", "einsum('i,i->i', "+w.name()+", "+w.name()+", out=s)"))
	case 47:
		w.line("%s = np.%s", w.pick("parts", "parts", n), w.pick("split("+w.name()+", 1)", "atleast_1d("+w.name()+", "+w.name()+")", "nditer("+w.name()+")", "array_split("+w.name()+", 2)", "broadcast_arrays("+w.name()+", a)",
			"ndenumerate("+w.name()+")", "meshgrid("+w.name()+", [1])", "random.RandomState(3)", "shape("+w.name()+")", "ix_("+w.name()+")", "modf("+w.name()+")"))
		w.line("held.append(parts)")
	case 48:
		w.line("%s = %s(%s).%s", n, w.pick("", "np.tanh"), w.operation(2), w.pick("copy()", "round(2)", "cumsum(axis=0)", "clip(-1, 1)", "reshape(a.shape)", "astype('float64', copy=False)", "flatten().reshape(a.shape)", "max()*a", "sum()*b"))
	case 49:
		w.line("log.append(float(%s(%s).%s))", w.pick("", "np.tanh"), w.operation(2), w.pick("sum()", "mean()", "max()", "min(initial=9)", "std()", "prod()", "any()", "argmax()", "dot(a).sum()", "copy().sum()", "cumsum().max()", "tolist().count(0)", "nonzero()[0].size"))
	case 50:
		w.line("m = (%s).%s", w.operation(1), w.pick("sum", "copy", "round"))
		w.line("held += [m(), m()]")
	case 53:
		w.line("%s = %s", n, fmt.Sprintf(w.pick("(%s) %% adder", "(%s) < adder", "adder @ (%s)", "(%s) @ adder", "~adder + (%s)", "(%s) << adder"), w.operation(1)))
	case 54:
		w.line("%s = %s%s", n, w.pick("a*", "1 - ", "0.5 + ", ""), w.pick("("+w.operation(1)+" < "+w.name()+")", "("+w.operation(1)+") % 0.7", "("+w.operation(1)+") // 0.5"))
	case 52:
		w.line("%s = first(%s)", n, w.pick("["+w.name()+"]", "("+w.name()+", 1)"))
	case 51:
		w.line("%s = %s(%s, %s)", n, w.part, w.name(), w.operand(1))
	case 55:
		w.line("%s = %s[%s]", n, w.pick(w.name(), w.name(), "a"), w.pick("order", "mask", "order[::-1]", "a > -9", "np.argsort("+w.name()+", axis=0)", "(order,)", "slice(None)", "..."))
	case 56:
		w.line("%s = %s[%s]", n, w.pick("held", "held", "[a, "+w.name()+"]", "box", "{order.size: "+w.name()+", last: b}", "adder.kept"), w.pick("last", "last", "last if i else 0"))
	case 57:
		w.line("%s = %s[%s]", n, w.pick(w.name()+".reshape(-1, 1)", "np.stack(["+w.name()+", a], axis=1)", w.name()+"[:, None]"), w.pick("order, 0", "mask, 0", ":, 0", "order, order*0"))
	case 58:
		w.line("try:")
		if w.IntN(3) == 0 {
			w.line("    %s, %s = %s, %s", n, w.name(), w.pick(w.name(), w.operation(1)), w.name()+"[order + far*(i % 2)]*1.0")
		}
		w.line("    %s = %s", n, w.pick(n+"[order + far]", n+"[order + far]", "a[order + far]", "held[last + far]", n+"[order + far*(i % 2)]", n+"[np.array([])]"))
		w.line("except IndexError: log.append(float(%s.sum()))", n)
	case 59: // a step in time
		w.line("%s, %s = %s, %s", n, w.name(), w.name(), w.pick("0.5*("+w.operation(1)+")", w.operation(2), "np.tanh("+w.name()+")", "g("+w.name()+")", w.name()+"[order]", "keeps("+w.name()+")", "through("+w.name()+")"))
	case 60:
		w.line("%s, %s, %s = %s, %s, %s", "r", "s", "t", w.pick("0.5*("+w.operation(1)+")", w.name()), w.pick(w.operation(1), w.name(), "fresh("+w.name()+")"), w.pick(w.name(), "a[mask]", "np.tanh("+w.operation(1)+")"))
	case 61:
		w.line("if i %% 2: %s = %s", n, w.name())
		w.line("%s = 0.5*(%s)", w.name(), w.operation(1))
	case 62: // in place, in a container
		w.line(w.pick("cache.setdefault(0, %s); cache[0]", "adder.last = %s; adder.last", "held.append([%s]); held[-1][0]", "pair = ([%s], 1); pair[0][0]")+" %s %s",
			w.pick(n, n+"*1", w.operation(1)), w.pick("+=", "-=", "*="), w.pick("0.1*"+w.name(), "0.1*("+w.operation(1)+")", "np.tanh("+w.name()+")", "0.5"))
	case 63:
		w.line("%s = cache.setdefault(0, %s)", n, w.pick(w.name(), w.operation(1)))
		w.line("cache[0] %s", w.pick("*= 0.5", "+= "+w.operation(1), "-= np.tanh("+w.name()+")"))
	case 38:
		w.line("try:")
		w.line("    late()")
		w.line("except NameError: pass")
	case 39:
		w.line("%s **= 2", n)
		w.line("%s *= 0.1", n)
	case 40:
		w.line("%s = np.%s", n, w.pick("asarray("+w.name()+")", "negative("+w.name()+")", "add("+w.name()+", a, out=t)", "where(a > 0, "+w.name()+", b)", "abs("+w.name()+")"))
	case 41:
		w.line("%s = adder", w.pick("u", "u"))
		w.line("u += %s", n)
	case 42:
		w.line("it = iter([%s, %s])", n, w.name())
		w.line("%s = g(next(it))", w.name())
	case 43:
		if w.IntN(2) == 0 {
			w.line("snap = %s", w.pick("dict(globals())", "dict(locals())", "[vars()]", "sorted([1])"))
			return
		}
		w.line("%s = %s if i %% 2 else %s", n, w.name(), w.name())
	}
}

// functions are those of an array that programs find.
var functions = []string{"keeps", "gives", "through", "fresh", "fresh", "deep", "usual", "several", "noting"}

// function writes one whose variables are arrays that it leaves behind.
func (w *keepWriter) function() {
	w.line("def part(a, b):")
	w.depth++
	w.part = "f"
	w.line("i, log, u = 1, [], adder")
	looped := func() string {
		return w.pick("", "", "for j in range(1): ", "for j in range(3): ", "while i == 1 and not log: log = [i]; ")
	} // variables that only a loop assigns to
	w.line("%sr = a*1", looped())
	w.line("%ss = 0*a + b", looped())
	w.line("%st = np.%s", looped(), w.pick("abs(r)", "maximum(r, s)", "sum([r, s], axis=0)", "asarray(r)", "sqrt(r*r)", "cumsum(a*s)"))
	part := func() string {
		return w.pick(w.name(), w.name(), w.name(), w.operation(1), w.operation(2), w.name()+".copy()", "np.tanh("+w.name()+")", "np.sum("+w.name()+")", "np.maximum("+w.operation(1)+", "+w.name()+")", w.name()+".sum()", w.name()+"[:]",
			w.name()+".T.T", "np.asarray("+w.name()+")", "keeps("+w.name()+")", "fresh("+w.name()+")", "deep("+w.operation(1)+")", "["+w.name()+", 1][0]", w.name()+" if i else a", "f("+w.name()+", a)", "a", "-"+w.name(), "(lambda: "+w.name()+")()")
	}
	for range w.IntN(6) {
		switch w.IntN(6) {
		case 0:
			w.line("if np.sum(%s) > 0: return %s", w.name(), part())
		case 1:
			w.line("if np.sum(%s) > 0: %s = %s", w.name(), w.name(), w.operation(1))
		case 2:
			w.line("%s = np.%s(%s)", w.name(), w.pick("abs", "negative", "asarray", "ravel", "sort", "tanh", "squeeze"), w.pick(w.name(), w.operation(1)))
		case 3:
			w.line("for j in range(%d):", 1+w.IntN(3))
			w.depth++
			for range 1 + w.IntN(3) {
				w.line("%s = %s", w.name(), w.operation(1))
			}
			if w.IntN(6) == 0 {
				w.line("if j == 1: return %s", part())
			}
			w.depth--
		default:
			w.statement(0)
		}
	}
	w.line("return %s", part())
	w.depth--
	w.part = "part"
}

// program writes a loop at top level, in a function, or in one that is called in a loop.
func (w *keepWriter) program() string {
	kind := w.IntN(6)
	w.function()
	if kind > 0 {
		w.line("def work(a, b, r):")
		w.depth++
		w.line("log = []")
	} else {
		w.line("a, b = np.linspace(-1, 1, N), np.cos(np.arange(N))")
		w.line("log = []")
		w.line("r = a*1")
	}
	w.line("s, t, u = a*2, b + 1, adder")
	if kind == 4 {
		w.line("def inner(): return %s", w.name())
	}
	loop := func() {
		w.line("for i in range(%d):", 3+w.IntN(5))
		w.depth++
		for range 2 + w.IntN(7) {
			w.statement(2)
		}
		if w.IntN(2) == 0 {
			w.line("%s = part(%s, %s)", w.name(), w.name(), w.operand(1))
		}
		switch {
		case kind == 4 && w.IntN(2) == 0:
			w.line("held.append(inner())")
		case kind == 5 && w.IntN(2) == 0:
			w.line("yield %s", w.name())
		case kind > 0 && kind < 5 && w.IntN(6) == 0:
			w.line("if i == 4: return r, s, t, log")
		}
		w.depth--
	}
	for range 1 + w.IntN(2) {
		loop()
		if w.IntN(2) == 0 {
			w.line("held.append(%s)", w.name())
		}
	}
	if kind > 0 {
		if kind == 5 {
			w.line("yield r")
			w.depth--
			w.line("a, b = np.linspace(-1, 1, N), np.cos(np.arange(N))")
			w.line("log, r, s, t = [], a, b, a")
			w.line("one, other = work(a, b, a*1), work(b, a, b*1)")
			w.line("for p, q in zip(one, other):")
			w.line("    r, s, t = p, q, f(p, q)")
			w.line("    held += [p, q]")
			return w.String()
		}
		w.line("return r, s, t, log")
		w.depth--
		w.line("a, b = np.linspace(-1, 1, N), np.cos(np.arange(N))")
		w.line("r, s, t, log = work(a, b, a*1)")
		if kind > 1 {
			w.line("for k in range(3):")
			w.line("    held.append(r)")
			w.line("    r, s, t, log = work(a, %s, r)", w.pick("b", "r", "s"))
		}
	}
	return w.String()
}

// TestMemoryIsNobodys compares what programs compute that give memory back with what they do that
// never do. Memory that is given back is overwritten, and used again under another description, so
// that a value that somebody still refers to would be seen to change, and one that is looked at
// afterwards panics.
func TestMemoryIsNobodys(t *testing.T) {
	defer func(was bool) { tensor.Poison = was }(tensor.Poison)
	tensor.Poison = true
	const look = "\nprint(check(r, s, t), log, check(*[v for v in held if type(v) == 'ndarray']), check(*cache.values()), check(state.get_value()), held)"
	errors := 0
	first, count := long.Drawn("keep.programs", 3)
	for k := range count {
		seed := *keepSeed + uint64(first+k)
		w := &keepWriter{Rand: rand.New(rand.NewPCG(seed, 2)), calm: seed%2 == 0}
		n := []string{"0", "1", "10", "200", "1000", "6000"}[w.IntN(6)]
		form := keepForms[w.IntN(len(keepForms))]
		program := w.program()
		run := func(slowly bool) string {
			s := starlibtest.NewSession(t)
			if slowly {
				s.RunSlowly()
			}
			out := new(starlibtest.Printed)
			var failed string
			for i, code := range []string{"N = " + n + "\n" + form(keepSetting), form(program), strings.TrimSpace(look)} {
				if _, _, err := s.Execute(t.Context(), i+1, code, out); err != nil {
					failed += fmt.Sprintf("\ncell %d: %v", i+1, err)
				}
			}
			return out.String() + failed
		}
		got, want := run(false), run(true)
		if strings.Contains(want, "\ncell") {
			errors++
		}
		if got != want {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			t.Fatalf("seed %d, N = %s: byte %d: got %.200q, want %.200q, of\n%s", seed, n, at, got[max(0, at-100):], want[max(0, at-100):], program)
		}
	}
	t.Logf("%d of %d programs end in an error", errors, count)
}

// TestMemoryAfterInterrupt: wherever a loop is interrupted, its variables have their values.
func TestMemoryAfterInterrupt(t *testing.T) {
	defer func(was bool) { tensor.Poison = was }(tensor.Poison)
	tensor.Poison = true
	s := starlibtest.NewSession(t)
	run := func(ctx context.Context, code string) error {
		_, _, err := s.Execute(ctx, 1, code, new(starlibtest.Printed))
		return err
	}
	if err := run(t.Context(), "x = T.dvector('x')\nf = function([x], x + 1)\na = np.zeros(2000)\nr, s, ended = a, a, 0"); err != nil {
		t.Fatal(err)
	}
	for i := range 150 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(20+i*7%400)*time.Microsecond)
		err := run(ctx, "for i in range(1000000):\n    r = f(a)\n    s = 2*(r + a) - r\n    r = f(s)")
		cancel()
		if err == nil {
			t.Fatal("the loop ended")
		}
		if err := run(t.Context(), "if not (r == r[0]).all() or r[0] not in [0, 1, 2]: fail(r)\nif not (s == s[0]).all() or s[0] not in [0, 1]: fail(s)"); err != nil {
			t.Fatalf("interrupt %d: %v", i, err)
		}
	}
}

// TestForgetfulFunctions: functions of np keep no argument, but for those that return one, or
// something that is neither a number nor an array.
func TestForgetfulFunctions(t *testing.T) {
	defer func(was bool) { tensor.Poison = was }(tensor.Poison)
	tensor.Poison = true
	for i, keeps := range []string{"np.clip(a, -1, 1, out=t)", "np.split(t, 2)", "np.ravel(t)", "np.asarray(t)", "np.array(t, copy=False)", "np.atleast_1d(t)", "np.atleast_1d(t, a)", "np.transpose(t)",
		"np.diag(t.reshape(10, 100))", "np.apply_along_axis(keeps, 0, t)", "np.meshgrid(t, [1], copy=False)", "np.sum([t, a], axis=0)", "np.broadcast_to(t, (2, N))", "np.vectorize(keeps)(t)", "np.sort(t)",
		"np.zeros_like(t)", "np.add.accumulate(t)", "np.broadcast_arrays(t, a)", "np.array_split(t, 3)", "np.squeeze(t)", "np.ascontiguousarray(t)", "np.nan_to_num(t, copy=False)", "np.real(t)",
		"np.copy(t)", "np.add(t, a)", "np.append(t, a)", "np.insert(t, 0, 1)", "np.delete(t, 0)", "np.reshape(t, (10, 100))", "np.union1d(t, a)", "np.partition(t, 3)", "np.where(t > 0)", "np.where(t > 0, t, a)",
		"t.copy()", "t.astype('float64')", "t.astype('float64', copy=False)", "t.clip(-1, 1)", "a.clip(-1, 1, out=t)", "t.take([1, 2])", "t.round()", "t.cumsum()",
		"t.repeat(2)", "t.flatten()", "t.reshape((10, 100)).dot(t[:100])", "t.reshape((10, 100)).copy()", "np.array([t, t]).copy()", "np.round(t, 1, out=s)", "np.cumsum(a, out=t)", "np.dot(t.reshape(10, 100), a[:100], out=t[:10])", "np.einsum('i,i->i', a, a, out=t)",
		"np.matmul(t.reshape(10, 100), a.reshape(100, 10), out=t[:100].reshape(10, 10))", "np.concatenate([t[1:], t[:1]], out=s)"} {
		if !long.Turn(i, 1) {
			continue
		}
		program := `N = 1000
` + keepSetting + `
a, b = np.linspace(-1, 1, N), np.cos(np.arange(N))
def work():
    log = []
    s = a*1
    for i in range(6):
        t = f(a, b)
        r = ` + keeps + `
        t = f(b, a)
        t = g(a)
        t = g(b)
        s = g(b)
        s = g(a)
        log.append(float(r[0].sum()))
        log.append(float(r[1].sum()))
        log.append(float(s.sum()))
    return log
print(work(), [np.sum(v) for v in held])`
		run := func(slowly bool) string {
			s := starlibtest.NewSession(t)
			if slowly {
				s.RunSlowly()
			}
			out := new(starlibtest.Printed)
			if _, _, err := s.Execute(t.Context(), 1, program, out); err != nil {
				return err.Error()
			}
			return out.String()
		}
		if got, want := run(false), run(true); got != want || !strings.Contains(want, "[") {
			t.Errorf("%s: got %s, want %s", keeps, got, want)
		}
	}
}

// TestKeptArguments: what a function keeps of its arguments stays, whoever calls it.
func TestKeptArguments(t *testing.T) {
	defer func(was bool) { tensor.Poison = was }(tensor.Poison)
	tensor.Poison = true
	out := new(starlibtest.Printed)
	if _, _, err := starlibtest.NewSession(t).Execute(t.Context(), 1, `
held = []
def keeps(v):
    held.append(v)
    return v
def loop(a, f):
    for i in range(6):
        r = 2*a + i
        s = f(r)
        t = r*3
def work(a, f):
    r = 2*a
    s = f(r)
    r = np.abs(a)
    u = np.sum(a*f(r))
    return np.sum(s)
loop(np.ones(1000), keeps)
for i in range(3): q = work(np.ones(1000), keeps)
print([float(v.sum())/1000 for v in held])`, out); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "[2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0]\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
