package object_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A generator writes a random program about attributes: classes that derive from each other, and
// instances of them, which are asked and changed by functions that meet all of them, while the
// classes change too.
type generator struct {
	*rand.Rand
	strings.Builder
	classes, objects int
}

// asking are the functions through which each name is used: one place each, which remembers.
const asking = `
def get_%[1]s(x): return x.%[1]s
def call_%[1]s(x): return x.%[1]s(1)
def call2_%[1]s(x, y): return x.%[1]s(*[y])
def set_%[1]s(x, y): x.%[1]s = y
def add_%[1]s(x, y):
    x.%[1]s += y
    return x.%[1]s
def inc_%[1]s(x):
    x.%[1]s += 1
    y = 0.5
    x.%[1]s -= y
    x.%[1]s += y
    return x.%[1]s
def del_%[1]s(x):
    del x.%[1]s
`

const showing = `
def plain(r):
    if type(r) in (int, float, str, bool, type(None)): return r
    if type(r) in (list, tuple): return [plain(x) for x in r]
    return 'property' if isinstance(r, property) else type(r).__name__
def show(f, *args):
    try: print(f.__name__, plain(f(*args)))
    except (AttributeError, TypeError, NameError, ValueError, RuntimeError,
        LookupError, ArithmeticError) as e: print(f.__name__, type(e).__name__)
def special(x): return [len(x), x == 1, x + 1, 2 * x, x[3], x(4), bool(x), -x]
def equal(x, y): return [x == y, x != y, x in [y], [y].count(x), x in (y, 1)]
def plus(x, y): return [x + y]
def minus(x, y): return [x - y]
def times(x, y): return [x * y]
def over(x, y): return [x / y]
def less(x, y): return [x < y, y >= x]
def same(x, y): return [x == y, x != y]
def at(x, y): return [x[y]]
def called(x, y): return [x(y)]
def adds(x, y):
    z = x
    z += y
    return [z is x, z]
def order(x): return list(vars(x))
class Plain: pass
`

var attributes = []string{"a", "b", "c", "d"}

// pick is one of some texts.
func (g *generator) pick(of ...string) string { return of[g.IntN(len(of))] }

func (g *generator) line(format string, args ...any) { fmt.Fprintf(g, format+"\n", args...) }

// program writes a program.
func (g *generator) program() string {
	g.WriteString(showing)
	for _, name := range attributes {
		fmt.Fprintf(g, asking, name)
	}
	for range 4 + g.IntN(3) {
		g.class()
	}
	for range 6 {
		g.object()
	}
	for range 120 {
		g.step()
	}
	return g.String()
}

// class writes a class. Where its bases have no order it has none.
func (g *generator) class() {
	var bases []string
	for i := range g.classes {
		if g.IntN(3) == 0 {
			bases = append(bases, fmt.Sprint("C", i))
		}
	}
	g.Shuffle(len(bases), func(i, j int) { bases[i], bases[j] = bases[j], bases[i] })
	head := fmt.Sprint("C", g.classes)
	g.line("try:\n    class %s(%s): pass\nexcept TypeError:\n    class %s: pass", head, strings.Join(bases, ", "), head)
	g.line("class %s(%s):", head, head)
	g.line("    kind = %d", g.classes)
	for _, name := range attributes {
		g.member(name, g.classes)
	}
	g.specials()
	g.classes++
}

// member writes a member of a class, or none.
func (g *generator) member(name string, of int) {
	switch g.IntN(10) {
	case 0:
		g.line("    %s = %d", name, g.IntN(100))
	case 1:
		g.line("    %s = %d.5", name, g.IntN(100))
	case 2, 3:
		g.line("    def %s(self, *x): return ['C%d.%s', len(x), self.kind]", name, of, name)
	case 4:
		g.line("    @property\n    def %s(self): return self.kind + 0.5", name)
	case 5:
		g.line("    @property\n    def %[1]s(self): return self._%[1]s\n    @%[1]s.setter\n    def %[1]s(self, x): self._%[1]s = x", name)
	case 6:
		g.line("    @staticmethod\n    def %s(*x): return ['static', len(x)]", name)
	case 7:
		g.line("    @classmethod\n    def %s(cls, *x): return [cls.__name__, cls.kind, len(x)]", name)
	}
}

// specials writes special methods of a class.
func (g *generator) specials() {
	if g.IntN(2) == 0 {
		g.line("    def __init__(self, x=%d):", g.IntN(9))
		for _, name := range attributes {
			if g.IntN(3) == 0 {
				g.line("        try: self.%s = x\n        except AttributeError: pass", name)
			}
		}
		g.line("        self.x = x")
	}
	for _, method := range []string{
		"def __getattr__(self, name):\n        if name[0] == '_': raise AttributeError(name)\n        return 'no ' + name",
		"def __setattr__(self, name, x):\n        self.__dict__['log'] = name\n        super().__setattr__(name, x)",
		"def __setattr__(self, name, x): object.__setattr__(self, name, x)",
		"def __delattr__(self, name):\n        self.gone = name\n        object.__delattr__(self, name)",
		"def __len__(self): return self.kind", "def __eq__(self, o): return self.kind == o",
		"def __eq__(self, o): return NotImplemented", "def __hash__(self): return hash(self.kind)",
		"def __add__(self, o): return ['add', self.kind, o]", "def __add__(self, o): return NotImplemented",
		"def __rmul__(self, o): return ['rmul', self.kind, o]", "def __getitem__(self, i): return [self.kind, i]",
		"def __call__(self, x=0): return ['call', self.kind, x]", "def __bool__(self): return self.kind > 1",
		"def __neg__(self): return -self.kind", "def __radd__(self, o): return ['radd', self.kind, o]",
		"def __sub__(self, o): return NotImplemented", "def __rsub__(self, o): return ['rsub', self.kind]",
		"def __mul__(self, o): return ['mul', self.kind]", "def __mul__(self, o): return NotImplemented",
		"def __truediv__(self, o): return self.kind / o", "def __rtruediv__(self, o): raise ValueError('div')",
		"def __lt__(self, o): return ['lt', self.kind]", "def __lt__(self, o): return NotImplemented",
		"def __gt__(self, o): return ['gt', self.kind]", "def __ge__(self, o): return self.kind",
		"def __ne__(self, o): return 'ne'", "def __ne__(self, o): return NotImplemented",
		"def __iadd__(self, o): return self", "def __getitem__(self, i): raise KeyError(i)",
		"def __call__(self, x, y=2): return [x, y, self.kind]",
	} {
		if g.IntN(8) == 0 {
			g.line("    %s", method)
		}
	}
}

// object writes an instance.
func (g *generator) object() {
	g.line("o%d = C%d()", g.objects, g.IntN(g.classes))
	g.objects++
}

// any writes an object, seldom one of another kind.
func (g *generator) any() string {
	if g.IntN(12) == 0 {
		return g.pick("[1, 2]", "'text'", "5", "2.5", "show", "Plain()", fmt.Sprint("C", g.IntN(g.classes)), "None")
	}
	return fmt.Sprint("o", g.IntN(g.objects))
}

// value writes what an attribute becomes.
func (g *generator) value() string {
	return g.pick("1", "2.5", "'text'", "None", "[1]", "lambda *x: ['lambda', len(x)]", "o0", "7 ** 30")
}

// step writes a statement.
func (g *generator) step() {
	name, class := g.pick(attributes...), fmt.Sprint("C", g.IntN(g.classes))
	x := g.any()
	switch g.IntN(36) {
	case 0:
		g.object()
	case 1:
		g.line("%s.%s = %s", class, name, g.pick(g.value(), "property(lambda self: self.kind)", "staticmethod(lambda *x: len(x))",
			"lambda self, *x: ['new', self.kind, len(x)]", "property(lambda self: self._p, lambda self, x: None)"))
	case 2:
		g.line("try: del %s.%s\nexcept AttributeError: print('none')", class, name)
	case 3:
		g.line("%s.kind = %d", class, g.IntN(9))
	case 4:
		g.line("%s.%s = lambda self, *x: %s", class, g.pick("__len__", "__call__", "__getattr__"), g.pick("3", "4"))
	case 5:
		g.line("o%d.__dict__['%s'] = %d", g.IntN(g.objects), name, g.IntN(9))
	case 6:
		g.line("show(special, %s)", x)
	case 24, 25, 26, 27, 28:
		g.line("show(%s, %s, %s)", g.pick("plus", "minus", "times", "over", "less", "same", "at", "called", "adds"), x, g.any())
	case 7:
		g.line("show(equal, %s, %s)", x, g.any())
	case 8:
		g.line("show(order, o%d)", g.IntN(g.objects))
	case 9, 10, 11:
		g.line("show(set_%s, %s, %s)", name, x, g.value())
	case 12:
		g.line("show(del_%s, %s)", name, x)
	case 13, 14:
		g.line("show(%s)", g.pick("add_"+name+", "+x+", 2 ** 62", "inc_"+name+", "+x))
	case 15:
		g.line("for o in (%s, %s, %s): show(%s_%s, o)", x, g.any(), g.any(), g.pick("get", "call"), name)
	case 16:
		g.line("o%d.kind = %d", g.IntN(g.objects), g.IntN(9))
	case 17:
		g.line("show(call2_%s, %s, 3)", name, x)
	case 18:
		g.line("show(hasattr, %s, '%s')\nshow(getattr, %s, '%s', 0)", x, name, x, name)
	case 19, 20:
		g.line("show(call_%s, %s)", name, x)
	default:
		g.line("show(get_%s, %s)", name, x)
	}
}
