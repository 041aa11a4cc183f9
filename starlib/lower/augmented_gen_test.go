package lower_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A mutator writes programs that change values in place, by every operator and on every target, and
// show after each statement what all names of the values see.
type mutator struct {
	*rand.Rand
	b strings.Builder
}

func (g *mutator) one(list ...string) string { return list[g.IntN(len(list))] }

// words splits a text of rules.
func words(text string) []string { return strings.Split(strings.TrimSpace(text), "  ") }

var (
	// holders are expressions of what values are kept in, by the kind of value; values are what is
	// on the right side.
	numberTargets = words(`n  o.n  o.d["n"]  d["n"]  l[0]  l[-1]  l[k(1)]  d[k("n")]  mk(o).n  o.o.n  o.l[k(0)]  x[1]  x[-1]  y[k(2)]  m[0, 1]  m[k(1)][k(0)]  t[1]  A.n  nested[0][1]  d["m"]["n"]  (n)  l[(i := 1)]  p.a  c[2]  q[0]`)
	listTargets   = words(`l  o.l  d["l"]  nested[0]  nested[k(0)]  t[0]  mk(o).l  A.l  l[1:]  l[k(0):k(2)]  l[::2]  o.l[:]  nested[0][:1]  pair[0]  d[k("l")]  p.b  ll`)
	arrayTargets  = words(`x  y  m  o.x  d["x"]  a[0]  a[k(0)]  x[1:]  x[::2]  x[::-1]  x[k(1):]  m[0]  m[:, 1]  m[..., 0]  m[k(0), 1:]  x[x > 1]  x[[0, 2]]  x[[1, 1]]  y[y > 0]  m.T  m.T[0]  o.x[1:]  a[0][:2]  mk(o).x  A.x  p.c  t[2]  row  view  m[[0, 1], [1, 1]]  m[None]  m[m > 2]  z  z[()]  (m[1])[1:]`)
	setTargets    = words(`s  o.s  d["s"]  t[3]  mk(o).s  pair[1]  e`)
	dictTargets   = words(`d["m"]  o.d  e2  pair[2]`)
	textTargets   = words(`w  o.w  d["w"]  lw[0]  lw[k(1)]  w[0]`)
	objectTargets = words(`v  o.v  d["v"]  lv[0]  lv[k(0)]  t[4]  mk(o).v  A.v  u`)

	numberValues = words(`1  2  3  -1  0  0.5  k(2)  len(l)  n  o.n  x[0]  y[1]  (3 if n else 4)  int("2")  f(b=1, a=2)  f(*[1], b=2)  f(b=3, *[2])  d.get("n")  (lambda q=2: q)()  np.float64(0.5)  np.int64(3)`)
	listValues   = words(`[1]  [k(5), 6]  (7,)  "ab"  range(2)  {8: 9}  l  o.l  nested[0]  gen(2)  []  iter([-3])  l[:1]  t[:1]  p  2  0  -1  -10**12  list(gen(1))  "xy"[:1]`)
	arrayValues  = words(`1  2  0.5  x  y  m  x[0]  [1, 2, 3, 4]  x[::-1]  row  (x > 0) * 1  m[0]  np.ones(4)  np.arange(4)  np.float32(2)  k(1)  x * 2  np.ones((2, 1))  m.T[0][0]  v  l  [1]  np.zeros(3)  x + y`)
	setValues    = words(`{1}  {2, 3}  set()  s  e  {k(4)}  [1]  {q for q in range(3)}`)
	dictValues   = words(`{"a": 1}  {"n": k(2)}  [("b", 2)]  {}  d["m"]  5`)
	textValues   = words(`"z"  w  2  0  -3  "%"  (1, 2)  k("y")  1.5  f(b="s", a="t")`)
	objectValues = words(`1  2  k(3)  v  u  "s"  [1]  0.5`)
)

// families are targets with the values that fit, and operators.
var families = []struct{ targets, values, ops []string }{
	{numberTargets, numberValues, words("+=  -=  *=  /=  //=  %=  **=  &=  |=  ^=  >>=  >>=  +=  -=")},
	{listTargets, listValues, words("+=  *=  +=  *=  -=  |=")},
	{arrayTargets, arrayValues, words("+=  -=  *=  /=  //=  %=  &=  |=  ^=  <<=  >>=  +=  -=  *=")},
	{setTargets, setValues, words("|=  &=  -=  ^=  +=")},
	{dictTargets, dictValues, words("|=  |=  +=")},
	{textTargets, textValues, words("+=  *=  %=  -=")},
	{objectTargets, objectValues, words("+=  -=  *=  /=  //=  %=  **=  @=  &=  |=  ^=  <<=  >>=")},
}

// squares are the powers of arrays that no last bit depends on.
var squares = words("**= 2  **= 1  **= 0")

// specials are the methods of operators in place, and those that stand in for them.
var specials = words("iadd  isub  imul  itruediv  ifloordiv  imod  ipow  imatmul  iand  ior  ixor  ilshift  irshift")

func (g *mutator) line(indent, format string, args ...any) {
	g.b.WriteString(indent + fmt.Sprintf(format, args...) + "\n")
}

// statement is an augmented assignment.
func (g *mutator) statement() string {
	f := families[g.IntN(len(families))]
	if g.IntN(4) == 0 {
		f = families[2]
	}
	target := g.one(f.targets...)
	if g.IntN(12) == 0 { // what does not fit
		f.values = families[g.IntN(len(families))].values
	}
	if len(f.values) == len(arrayValues) && f.values[3] == "x" && g.IntN(8) == 0 {
		return target + " " + g.one(squares...)
	}
	return target + " " + g.one(f.ops...) + " " + g.one(f.values...)
}

// step writes a statement in one of the ways in which it may stand.
func (g *mutator) step(indent string) {
	s := g.statement()
	switch g.IntN(12) {
	case 0:
		g.line(indent, "try: %s; log.append(0)", s)
		g.line(indent, "except Exception as err: fail(err)")
		g.line(indent, "else: log.append(1)")
		g.line(indent, "finally: log.append(2)")
	case 1:
		g.line(indent, "for i in range(2):")
		g.line(indent, "    try: %s", s)
		g.line(indent, "    except Exception as err: fail(err); %s", g.one("break", "continue", "pass"))
		g.line(indent, "    finally: log.append(i)")
		g.line(indent, "else: log.append(9)")
	case 2:
		g.line(indent, "with ctx() as i: %s", s)
	case 3:
		g.line(indent, "if n: %s", g.one("pass", "log.append(n)", "d.get(k=1) if 0 else 3"))
		fallthrough
	default:
		g.line(indent, "try: %s", s)
		g.line(indent, "except Exception as err: fail(err)")
	}
	if g.IntN(5) == 0 {
		g.line(indent, "%s", g.one("ll = l", "view = x[1:]", "row = m[g(b=0, a=1)]", "z = x[0:1]", "a[0] = y", "d['x'] = m[0]", "o.x = x", "e = s", "nested[0] = l", "u = v", "o.v = v", "x = x.copy()", "l = list(l)",
			"w = w[:9]", "n = 3", "l = l[:5]", "o.l = l", "q = [n]", "p = P(n, l, x)", "m = np.arange(8.0).reshape(2, 4)", "A.x = y", "lv[0] = u"))
	}
	g.line(indent, "show()")
}

// program returns a program.
func (g *mutator) program() string {
	g.b.Reset()
	g.b.WriteString(`from collections import namedtuple
log = []
def k(v):
    log.append(v)
    return v
def f(a, b=2): return a
def g(*, a=1, b): return a - b
def mk(v):
    log.append("mk")
    return v
def fail(err): log.append([j for j, c in enumerate([ArithmeticError, LookupError, AttributeError, (TypeError, ValueError)]) if isinstance(err, c)])
def gen(c):
    try:
        for j in range(c):
            yield j
    finally: log.append("end")
class ctx:
    def __enter__(self): return 1
    def __exit__(self, t, v, tb): log.append(t is None); return True
class A:
    n = 1; l = [0]; x = np.zeros(2)
class V:
    def __init__(self, n): self.n = n
    def __repr__(self): return "V(%s)" % self.n
    def __add__(self, o): log.append("add"); return V(self.n + 1)
    def __sub__(self, o): return NotImplemented
    def __rmul__(self, o): log.append("rmul"); return V(-1)
    def __matmul__(self, o): return 5
`)
	for _, name := range specials {
		if g.IntN(2) == 0 {
			g.line("    ", "def __%s__(self, o): %s", name, g.one("self.n += 1; return self", "return V(self.n * 2 % 97)", "return NotImplemented", "log.append('in'); return self", "self.n = 7; raise KeyError(1)", "return None"))
		}
	}
	g.b.WriteString("A.v = V(9)\nP = namedtuple('P', 'a b c')\n")
	setup := words(`n = 5  w = "ab"  l = [1, 2, 3]  ll = l  x = np.array([1.5, -2.0, 0.25, 8.0])  y = np.array([3, 0, -7, 2])  m = np.arange(8.0).reshape(2, 4)  view = x[::2]  row = m[1]  z = np.array(2.0)  s = {1, 2}  e = s  v = V(1)  u = v  o = A()  o.n = 2  o.l = l  o.x = x  o.s = s  o.w = "o"  o.v = v  o.d = {"n": 4, "m": {"n": 6}}  o.o = A()  o.o.n = 8  e2 = o.d  nested = [l, [4]]  pair = ([0], {5}, {"q": 1})  a = [x, y]  t = (l, 1, x, s, v)  d = {"n": 7, "l": l, "x": y, "s": s, "w": "d", "v": v, "m": {"n": 1}}  lw = ["p", "q"]  lv = [V(2)]  p = P(1, l, x)  c = (1, 2, 3)  q = {0: 1}  i = 0`)
	names := "n w l ll x y m view row z s e v u o e2 nested pair a t d lw lv p c q i"
	show := `print(n, w, l, ll, x, y, m, view, row, z, sorted(s), sorted(e), v, u, o.n, o.l, o.x, sorted(o.s), o.w, o.v, o.d, o.o.n, e2, nested, pair[0], sorted(pair[1]), pair[2], a, t[:3], t[4], d["n"], d["l"], d["x"], d["w"], d["v"], d["m"], lw, lv, p, q, A.n, A.l, A.x, A.v, log)`
	indent := ""
	kind := g.IntN(5)
	head, tail := "", ""
	switch kind {
	case 1:
		head = "def work():"
	case 2:
		head = "def work():\n    def inner():\n        nonlocal " + strings.ReplaceAll(names, " ", ", ")
	case 3:
		head = "def work():\n    global " + strings.ReplaceAll(names, " ", ", ")
	case 4:
		head, tail = "def work():", "    yield n"
	}
	put := func(indent string) {
		for _, s := range setup {
			g.line(indent, "%s", s)
		}
		g.line(indent, "def show():")
		g.line(indent, "    %s", show)
		g.line(indent, "    log.clear()")
	}
	switch kind {
	case 0, 3:
		put("")
		if kind == 3 {
			g.b.WriteString(head + "\n")
			indent = "    "
		}
	case 2:
		g.b.WriteString("def work():\n")
		put("    ")
		g.b.WriteString(strings.TrimPrefix(head, "def work():\n") + "\n")
		indent = "        "
	default:
		g.b.WriteString(head + "\n")
		indent = "    "
		put(indent)
	}
	for j := range 6 {
		g.step(indent)
		if kind == 4 && j%2 == 0 {
			g.line(indent, "%s", g.one("yield n", "l[0] = yield l", "q[0] += yield 1", "yield from gen(1)", "x[1] += yield 1"))
		}
	}
	switch kind {
	case 2:
		g.b.WriteString("    inner()\nwork()\n")
	case 1, 3:
		g.b.WriteString("work()\n")
	case 4:
		g.b.WriteString(tail + "\nit = work()\nnext(it)\ntry:\n    while 1: log.append(it.send(2))\nexcept StopIteration: print('over')\n")
	}
	return g.b.String()
}
