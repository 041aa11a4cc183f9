package starlib_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

var (
	_       = flag.Int("own.programs", 400, "how many programs TestOwners draws")
	ownSeed = flag.Uint64("own.seed", 1, "the first one's seed")
)

// ownSetting is what the programs find: whatever takes an array somewhere else.
const ownSetting = `import numpy as np
order = np.argsort(np.sin(np.arange(N)))
bad = np.ones(N + 2)
held, table, G = [np.zeros(N)], {}, np.ones(N)
class Box:
    def __init__(self, w): self.w = w
    def __add__(self, o):
        self.w = o
        return o
    def __radd__(self, o):
        held.append(o)
        return o*2
    def __getitem__(self, i): return self.w
    def __setitem__(self, i, v): self.w = v
    def __call__(self, v):
        self.w = v
        return v
    def set(self, v):
        self.w = v
        return self
    def __enter__(self): return self.w
    def __exit__(self, *args): return True
    @property
    def p(self): return self.w
box = Box(np.zeros(N))
def same(v): return v
def twice(v): return v*2
def local(v):
    u = v + 1
    w = u
    u = u*0.5
    return w + u
def keep(v):
    held.append(v)
    return v
def keepnew(v):
    u = v*0.5
    held.append(u)
    return u
def two(v, w): return v - w
def usual(v, w=np.ones(N)):
    v = v + w
    return v
def many(*vs): return vs[0] + vs[-1]
def named(**vs): return vs["v"] - vs["w"]
def closes(v):
    u = v*2
    def inner(): return u
    return inner
def counts(v):
    u = v*1
    def step():
        nonlocal u
        u = u*0.5
        return u
    return step
def gen(v, n=3):
    u = v*1
    for i in range(n):
        u = u + v
        yield u
        u = u*0.5
    yield v
def sends(v):
    u = v*1
    while True:
        w = yield u
        u = w if w is not None else u + 1
def boom(v, n):
    u = v*2
    if n: return boom(u, n - 1)
    w = u + 1
    return 1//0
def setg(v):
    global G
    G = v*2
    return v
def bump():
    global G
    G = G*0.5
    return G
def getg(): return G
def swap(v, w): return w, v
def show(v): return (np.ravel(v)*1.0).tolist()[:50], float(np.sum(v))
`

// An ownWriter draws the statements of a program over arrays r, s, t of N numbers.
type ownWriter struct {
	*rand.Rand
	strings.Builder
	depth int
}

func (w *ownWriter) pick(list ...string) string { return list[w.IntN(len(list))] }

func (w *ownWriter) name() string { return w.pick("r", "s", "t") }

// fill puts names and operands in the places of X, Y and E.
func (w *ownWriter) fill(form string) string {
	var b strings.Builder
	for i := 0; i < len(form); i++ {
		inWord := i > 0 && isWordByte(form[i-1]) || i+1 < len(form) && isWordByte(form[i+1])
		switch {
		case form[i] == 'X' && !inWord:
			b.WriteString(w.name())
		case form[i] == 'E' && !inWord:
			b.WriteString(w.operand())
		default:
			b.WriteByte(form[i])
		}
	}
	return b.String()
}

func isWordByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func (w *ownWriter) operand() string {
	if w.depth++; w.depth > 4 {
		w.depth--
		return w.name()
	}
	defer func() { w.depth-- }()
	return w.fill(w.pick("X", "X", "X", "(E + E)", "(E - E)", "0.5*E", "-E", "abs(E)", "(E*0.25 + E)",
		"np.tanh(E)", "np.asarray(E)", "np.ravel(X)", "X[:]", "E[order]", "X.copy()", "np.where(X > 0, X, E)",
		"X.reshape(N)", "E.T", "E.clip(-9, 9)", "np.concatenate([X[:1], X[1:]])", "X.astype('float64', copy=False)",
		"same(E)", "twice(E)", "local(E)", "keep(E)", "keep(v=E)", "keepnew(E)", "two(E, E)", "usual(E)", "usual(v=E)", "many(E, E)",
		"many(*[X, X])", "named(v=E, w=E)", "closes(E)()", "counts(E)()", "list(gen(E))[1]", "next(gen(E))",
		"(E if X[0] > 0 else E)", "getg()", "bump()", "setg(E)", "(G + bump())", "two(G, bump())", "(G - setg(E))",
		"swap(E, E)[0]", "box.w", "box.p", "box[X]", "(box + E)", "(E + box)", "box(E)", "box.set(E).w", "Box(E).w",
		"(X + (u := E))", "two(X, (X := E))", "(X*0.5 - E*(X := E))", "np.add(X*2, np.subtract(X, (X := E)))", "(X*E + two(X, bump()))", "(-E + X[::-1]*E)", "[v*2 for v in (X, E)][0]", "{1: E}[1]", "[E, E][1]", "(lambda v: v + 1)(E)",
		"list(map(twice, [X, E]))[0]", "max([X, E], key=lambda v: float(v[0]))", "(X > 0)*E", "(E)**2", "np.add(E, E)",
		"np.cumsum(E)", "held[-1][:N]", "table.get(1, X)", "np.atleast_1d(E)", "(E @ E)*X", "E*float(X.sum() > 0)"))
}

func (w *ownWriter) line(format string, args ...any) {
	fmt.Fprintf(w, strings.Repeat("    ", w.depth)+format+"\n", args...)
}

// statement writes one, whose operands nest from depth 0 on.
func (w *ownWriter) statement() {
	depth := w.depth
	w.depth = 0
	text := w.fill(w.pick("X = E", "X = E", "X = E", "X = 0.5*(E + E) - X", "X += E", "X *= 0.5", "X -= X", "X **= 2", "X[0] = 0.25", "X[1:] = E[:-1]",
		"X[:] = E", "X[X > 1] = 0.5", "X[order] = E", "X, X = E, E", "X, X = X, X", "r, s, t = s, t, r", "(r, s), t = (s, r), E", "X = X", "X = X = E",
		"held.append(E)", "held.insert(0, E)", "setattr(box, 'w', E)", "held[0] = E", "table[1] = E", "X = table.get(1, X)", "box.w = E", "box.w = box.w*0.5 + E", "box.w += E", "box[1] = E",
		"G = E", "X = G", "G = G*0.5 + X", "setg(E)", "bump()", "try: X = X + bad\nexcept ValueError: X = E", "try: X = E + bad[E]\nexcept Exception: pass",
		"try: X = boom(E, 3)\nexcept ZeroDivisionError as e: held.append(X)", "try:\n    X = E\n    X = boom(X, 0)\nexcept ZeroDivisionError: X = X*0.5\nfinally: X = X + 1",
		"u = E\ndel u", "u = E\nX = u*2\nu = X", "for v in gen(E): X = X*0.5 + v", "for v in [X, E]: X = v*0.5", "g = sends(E)\nX = next(g)\nX = g.send(E)\nX = next(g)",
		"f = counts(E)\nX = f()\nX = f()\nX = f() + X", "with Box(E) as v: X = v*0.5", "with Box(E) as v:\n    X = v\n    X = boom(v, 1)", "np.clip(E, -1, 1, out=X)",
		"X = E\nX = X.dot((X := X*0.5))*X", "v, *u = [E, X, E]\nX = u[0] + v", "X = np.zeros(X.shape)\nX[1:] = (X[1:] - X[:-1])*0.5", "k = X.T\nX = E\nX = k*0.5",
		"k = X[:]\nX += 1\nX = E\nX = X + k", "if X[0] > 0: X = X", "r = r*4\nwhile np.abs(r[0]) > 1: r = r*0.25", "q = [X*1, X*2]\nX, X = q", "f = X.sum\nX = E\nX = X + f()",
		"def late(): return X\nX = E\nX = late()", "f = np.add\nX = f(E, E)", "X = f'{float(X[0])}' and E", "assert r is r\nX = E", "print(X.shape, len(E))"))
	w.depth = depth
	for l := range strings.SplitSeq(text, "\n") {
		w.line("%s", l)
	}
}

func (w *ownWriter) program() string {
	inFunction := w.IntN(3) > 0
	if inFunction {
		w.line("def work(r, s, t):")
		w.depth++
		w.line("global G")
	} else {
		w.line("r, s, t = np.linspace(-1, 1, N), np.cos(np.arange(N)), np.ones(N)")
	}
	for range 1 + w.IntN(2) {
		w.line("for i in range(%d):", 1+w.IntN(5))
		w.depth++
		for range 1 + w.IntN(6) {
			w.statement()
		}
		for _, name := range []string{"r", "s", "t"} {
			w.line("%s = np.clip(%s, -4, 4)", name, name)
		}
		w.depth--
	}
	if inFunction {
		w.line("return %s", w.pick("r, s, t", "[r, s, t]", "r*2, s + t, t"))
		w.depth--
		w.line("r, s, t = work(np.linspace(-1, 1, N), np.cos(np.arange(N)), np.ones(N))")
	}
	return w.String()
}

// TestOwnedOperands: what waits keeps its operands, whatever leaves the registers that had them.
func TestOwnedOperands(t *testing.T) {
	defer func(was bool) { tensor.Poison = was }(tensor.Poison)
	tensor.Poison = true
	s, out := starlibtest.NewSession(t), new(starlibtest.Printed)
	const program = `import numpy as np
def many(v, w): return v + w
def work(s, t):
    s = s + 1
    s[1:] = t[:-1]
    return many(np.add(s*2, np.subtract(s, (s := t*1))), t)
print(work(np.ones(1), np.ones(1)))`
	if _, _, err := s.Execute(t.Context(), 1, program, out); err != nil || out.String() != "[6.]\n" {
		t.Errorf("got %q and %v, want [6.]", out.String(), err)
	}
}

// TestOwners compares what random programs compute whose arrays are owned, with memory overwritten
// that is given back, with what they compute where each array is held.
func TestOwners(t *testing.T) {
	defer func(was bool) { tensor.Poison = was }(tensor.Poison)
	tensor.Poison = true
	const look = "print(show(r), show(s), show(t), show(G), show(box.w), [show(v) for v in held[-9:]], [show(v) for v in table.values()])"
	var owns, holds *starlib.Session
	errors := 0
	first, n := long.Drawn("own.programs", 3)
	for k := range n {
		if k%100 == 0 {
			owns, holds = starlibtest.NewSession(t), starlibtest.NewSession(t)
			holds.RunSlowly()
		}
		seed := *ownSeed + uint64(first+k)
		w := &ownWriter{Rand: rand.New(rand.NewPCG(seed, 3))}
		length := []int{1, 3, 20, 300, 3000}[w.IntN(5)]
		program := w.program()
		run := func(s *starlib.Session) string {
			out := new(starlibtest.Printed)
			failed := ""
			for i, code := range []string{fmt.Sprintf("N = %d\n", length) + ownSetting, program, look} {
				if _, _, err := s.Execute(t.Context(), i+1, code, out); err != nil {
					failed += fmt.Sprintf("\ncell %d: %v", i+1, err)
				}
			}
			return out.String() + failed
		}
		got, want := run(owns), run(holds)
		if strings.Contains(want, "\ncell") {
			errors++
		}
		if got != want {
			t.Fatalf("seed %d, N = %d: got %.900s\nwant %.900s\nof\n%s", seed, length, got, want, program)
		}
	}
	t.Logf("%d of %d programs end in an error", errors, n)
}
