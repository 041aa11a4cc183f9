package lower_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A scribe writes programs of what Starlark has not: classes with inheritance and operators, nested
// try and finally with return, break and continue, closures, with, del, generators.
type scribe struct {
	*rand.Rand
	b      strings.Builder
	files  string   // that the program imports
	funcs  []string // that may be called, with one argument
	gens   []string // generator functions, likewise
	unique int
}

// An around is what a statement stands in.
type around struct {
	indent  string
	depth   int
	loop    bool
	fn      bool
	gen     bool
	vars    []string
	objects []string
	inTry   bool
	method  bool // of the classes: it must not call itself
}

func (a around) in() around {
	a.indent += "    "
	a.depth++
	return a
}

func (g *scribe) line(a around, format string, args ...any) {
	fmt.Fprintf(&g.b, a.indent+format+"\n", args...)
}

func (g *scribe) one(list ...string) string { return list[g.IntN(len(list))] }

func (g *scribe) name(prefix string) string {
	g.unique++
	return fmt.Sprint(prefix, g.unique)
}

// exceptions are what is raised and caught: the first can be made of an int.
var raisedClasses = []string{"ValueError", "KeyError", "TypeError", "IndexError", "RuntimeError", "E1", "E2", "E3", "ZeroDivisionError",
	"NotImplementedError"}
var caughtClasses = append([]string{"Exception", "LookupError", "ArithmeticError", "(E1, KeyError)", "(E2, IndexError, TypeError)",
	"BaseException"}, raisedClasses...)

// expr returns an expression that is a number.
func (g *scribe) expr(a around, depth int) string {
	if depth <= 0 {
		if g.IntN(3) == 0 {
			return fmt.Sprint(g.IntN(7))
		}
		return g.one(a.vars...)
	}
	sub := func() string { return g.expr(a, depth-1) }
	switch g.IntN(28) {
	case 0, 1:
		return "(" + sub() + g.one(" + ", " - ", " * ") + sub() + ") % 97"
	case 2:
		return "(" + sub() + g.one(" // ", " % ") + sub() + ")"
	case 3:
		return "(" + sub() + " if " + sub() + g.one(" < ", " == ", " > ") + sub() + " else " + sub() + ")"
	case 4:
		if len(g.funcs) > 0 {
			return g.one(g.funcs...) + "(" + sub() + ")"
		}
	case 5:
		if len(g.gens) > 0 {
			return "sum(" + g.one(g.gens...) + "(" + sub() + ")) % 97"
		}
	case 6:
		v := g.name("q")
		return "sum([" + v + " + " + g.one(a.vars...) + " for " + v + " in range(" + fmt.Sprint(g.IntN(4)) + ") if " + v + " != " + sub() + "])"
	case 7:
		return g.object(a) + ".n"
	case 8:
		return g.object(a) + ".add(" + sub() + ")"
	case 9:
		return "(" + g.object(a) + g.one(" + ", " - ", " * ") + sub() + ").n"
	case 10:
		return "(" + sub() + g.one(" + ", " - ") + g.object(a) + ").n"
	case 11:
		return "int(" + g.object(a) + g.one(" == ", " != ", " < ", " >= ") + g.object(a) + ")"
	case 12:
		return g.object(a) + g.one("["+sub()+"]", "("+sub()+")")
	case 13:
		return "len(" + g.object(a) + ")"
	case 14:
		return "int(" + sub() + " in " + g.object(a) + ")"
	case 15:
		if a.method {
			return g.object(a) + g.one(".prop", ".k")
		}
		return g.object(a) + g.one(".prop", ".static("+sub()+")", ".cls("+sub()+")", ".k", ".deep(1)", ".missing")
	case 16:
		return "sum(list(" + g.object(a) + ")[:3])"
	case 17, 18, 19, 20, 21, 22, 23, 24:
		return g.spelled(numbers, sub)
	case 25:
		return g.spelled(ofObjects, func() string { return g.object(a) })
	}
	return sub()
}

// object returns an expression that is an instance.
func (g *scribe) object(a around) string {
	if len(a.objects) == 0 || g.IntN(3) == 0 {
		return g.one("A", "B", "C", "D") + "(" + g.expr(a, 0) + ")"
	}
	return g.one(a.objects...)
}

func (g *scribe) value(a around) string { return g.expr(a, g.IntN(3)) }

func (g *scribe) block(a around) {
	before := g.b.Len()
	for range 1 + g.IntN(3) {
		g.stmt(a)
	}
	if g.b.Len() == before {
		g.line(a, "pass")
	}
}

func (g *scribe) stmt(a around) {
	if a.depth > 4 {
		g.line(a, "print(%s)", g.value(a))
		return
	}
	v := g.one(a.vars...)
	value := func() string { return g.value(a) }
	switch g.IntN(36) {
	case 34, 35:
		w := g.one(a.vars...)
		for range 9 { // CPython 3.11 assigns the first of two values to x, x
			if w == v {
				w = g.one(a.vars...)
			}
		}
		if w != v {
			g.line(a, g.one("%s, %s = %s, %s", "(%s, %s) = %s, (%s)"), v, w, g.one(value(), w), value())
		}
	case 26, 27, 28:
		g.line(a, "%s", g.statement(texts, value))
	case 29:
		if g.IntN(3) == 0 {
			g.lines(a, g.failing(a))
		}
	case 30, 31:
		if !a.gen {
			g.lines(a, strings.ReplaceAll(g.statement(generators, value), "{f}", g.name("gn")))
		}
	case 32, 33:
		g.lines(a, strings.ReplaceAll(g.statement(uses, func() string { return g.expr(a, 0) }), "{f}", g.name("u")))
	case 0, 1, 2:
		g.line(a, "%s = %s", v, g.value(a))
	case 3:
		g.line(a, "%s %s %s", v, g.one("+=", "-="), g.value(a))
	case 4, 5:
		g.line(a, "print(%q, %s)", g.name("p"), g.value(a))
	case 6:
		g.line(a, "if %s > %s:", g.value(a), g.value(a))
		g.block(a.in())
		if g.IntN(2) == 0 {
			g.line(a, "else:")
			g.block(a.in())
		}
	case 7, 8:
		g.line(a, "for %s in range(%d):", v, g.IntN(4))
		b := a.in()
		b.loop = true
		g.block(b)
		if g.IntN(3) == 0 {
			g.line(a, "else:")
			g.block(a.in())
		}
	case 9:
		w := g.name("w")
		g.line(a, "%s = 0", w)
		g.line(a, "while %s < %d:", w, g.IntN(4))
		b := a.in()
		b.loop = true
		g.line(b, "%s += 1", w)
		g.block(b)
		if g.IntN(3) == 0 {
			g.line(a, "else:")
			g.block(a.in())
		}
	case 10, 11, 12, 13:
		g.try(a)
	case 14:
		if g.IntN(2) == 0 {
			g.line(a, "with Ctx(%s, %s) as %s:", g.value(a), g.one("True", "False"), v)
		} else {
			g.line(a, "with Ctx(1, False), Ctx(%s, %s) as %s:", g.value(a), g.one("True", "False"), v)
		}
		g.block(a.in())
	case 15:
		if a.inTry || g.IntN(3) == 0 {
			g.line(a, "if %s > 2:", g.value(a))
			g.line(a.in(), "raise %s(%s)", g.one(raisedClasses...), g.value(a))
		}
	case 16, 17:
		switch {
		case a.loop && g.IntN(2) == 0:
			g.line(a, "if %s > %s:", g.value(a), g.value(a))
			g.line(a.in(), g.one("break", "continue"))
		case a.fn && !a.gen:
			g.line(a, "if %s < 3:", g.value(a))
			g.line(a.in(), "return %s", g.value(a))
		case a.gen:
			g.line(a, "yield %s", g.value(a))
		}
	case 18:
		d := g.name("d")
		g.line(a, "%s = {1: 2, **{%s: 3}}", d, g.value(a))
		g.line(a, "del %s[%s]", d, g.value(a))
		g.line(a, "print(%s)", d)
	case 19:
		g.line(a, "del %s", v)
		if g.IntN(15) > 0 {
			g.line(a, "%s = %s", v, g.value(around{vars: []string{"1"}}))
		}
	case 20:
		if a.fn && a.depth < 3 {
			g.closure(a, v)
		}
	case 21:
		g.line(a, "if (%s := %s) > 3:", v, g.value(a))
		g.block(a.in())
	case 22, 23:
		if len(a.objects) > 0 {
			o := g.one(a.objects...)
			g.line(a, g.one("%s += %s", "%s -= %s", "%s @= %s", "%s.n = %s", "%s.prop = %s", "%s[0] = %s", "%s.n += %s", "%s.k = %s", "setattr(%s, \"k\", %s)"), o, g.value(a))
		}
	case 24:
		if len(a.objects) > 0 {
			g.line(a, "print(%s, repr(%s), str(%s))", g.one(a.objects...), g.one(a.objects...), g.one(a.objects...))
		}
	case 25:
		x := g.name("x")
		g.line(a, "%s = [1, 2, 3, %s]", x, g.value(a))
		g.line(a, "del %s[%s:%s]", x, g.expr(a, 0), g.expr(a, 0))
		g.line(a, "%s, *%s = %s + [4]", v, x, x)
		g.line(a, "print(%s)", x)
	}
}

func (g *scribe) try(a around) {
	b := a.in()
	b.inTry = true
	g.line(a, "try:")
	g.block(b)
	handled := false
	for range g.IntN(3) {
		handled = true
		if g.IntN(2) == 0 {
			e := g.name("e")
			g.line(a, "except %s as %s:", g.one(caughtClasses...), e)
			g.line(b, "print(%q, type(%s).__name__)", g.name("c"), e)
			if g.IntN(5) == 0 {
				g.line(b, "raise %s(1) from %s", g.one(raisedClasses...), e)
			}
		} else {
			g.line(a, "except %s:", g.one(caughtClasses...))
			if g.IntN(6) == 0 {
				g.line(b, "raise")
			}
		}
		g.block(b)
	}
	if handled && g.IntN(3) == 0 {
		g.line(a, "else:")
		g.block(b)
	}
	if !handled || g.IntN(3) == 0 {
		g.line(a, "finally:")
		g.line(b, "print(%q)", g.name("f"))
		g.block(a.in())
	}
}

func (g *scribe) closure(a around, v string) {
	f := g.name("inner")
	g.line(a, "def %s(z):", f)
	b := around{indent: a.indent + "    ", depth: a.depth + 1, fn: true, vars: append([]string{"z"}, a.vars...), objects: a.objects}
	if g.IntN(2) == 0 && v != "z" && v != "total" {
		g.line(b, "nonlocal %s", v)
		g.line(b, "%s = (%s + z) %% 97", v, v)
	} else {
		b.vars = []string{"z", "y"}
		g.line(b, "y = z")
		g.block(b)
	}
	g.line(b, "return z")
	g.line(a, "print(%s(%s), %s(%s))", f, g.value(a), f, g.value(a))
}

func (g *scribe) function(kind string) {
	f := g.name(kind)
	top := around{}
	g.line(top, "def %s(a, b=2, *, c=3):", f)
	a := around{indent: "    ", fn: true, gen: kind == "gen", vars: []string{"a", "b", "c", "t"}, objects: []string{"o"}}
	g.line(a, "t = 1")
	g.line(a, "o = %s(a)", g.one("A", "B", "C", "D"))
	if g.IntN(3) == 0 {
		g.line(a, "global total")
		a.vars = append(a.vars, "total")
	}
	for range 2 + g.IntN(3) {
		g.stmt(a)
	}
	if a.gen {
		g.line(a, "yield a")
		g.gens = append(g.gens, f)
		return
	}
	g.line(a, "return (a + b) %% 97")
	g.funcs = append(g.funcs, f)
}

func (g *scribe) classes() {
	g.b.WriteString(`class E1(Exception):
    pass
class E2(E1):
    def __init__(self, x):
        super().__init__(x, 1)
        self.x = x
    def __str__(self):
        return "E2(%s)" % self.x
class E3(LookupError): pass
class Ctx:
    def __init__(self, n, swallow):
        self.n, self.swallow = n, swallow
    def __enter__(self):
        print("enter", self.n)
        return self.n
    def __exit__(self, t, v, tb):
        print("exit", self.n, t is not None and t.__name__)
        return self.swallow
`)
	for i, head := range []string{"class A:", "class B(A):", g.one("class C(A):", "class C(B):"), g.one("class D(B, C):", "class D(C):")} {
		if head == "class D(B, C):" && strings.Contains(g.b.String(), "class C(B):") {
			head = "class D(C, B):"
		}
		g.line(around{}, "%s", head)
		a := around{indent: "    "}
		g.line(a, "k = %d", i)
		base := i == 0
		if base {
			g.line(a, "def __init__(self, n):\n        self.n = n")
			g.line(a, "def __repr__(self):\n        return type(self).__name__ + \"(%%s)\" %% self.n")
		} else if g.IntN(2) == 0 {
			g.line(a, "def __init__(self, n):\n        super().__init__((n + 1) %% 97)\n        self.k = %d", g.IntN(9))
		}
		opt := func(text string) {
			if base || g.IntN(4) == 0 {
				for _, l := range strings.Split(text, "\n") {
					g.line(a, "%s", l)
				}
			}
		}
		x := func() string { return fmt.Sprint(g.IntN(9)) }
		other := "(o.n if isinstance(o, A) else o)"
		opt("def add(self, x):\n    return (self.n + x + " + x() + ") % 97")
		if !base && g.IntN(2) == 0 {
			g.line(a, "def add(self, x):\n        return super().add(x) + %s", x())
		}
		if g.IntN(2) == 0 || base {
			opt("def __add__(self, o):\n    return type(self)((self.n + " + other + " + " + x() + ") % 97)")
			opt("def __radd__(self, o):\n    return " + g.one("A", "type(self)") + "((o - self.n) % 97)")
		}
		if g.IntN(2) == 0 {
			opt("def __sub__(self, o):\n    return NotImplemented if o == 3 else A(" + x() + ")")
			opt("def __rsub__(self, o):\n    return A(" + x() + " + self.n)")
		}
		if g.IntN(2) == 0 {
			opt("def __mul__(self, o):\n    if isinstance(o, A): raise E2(self.n)\n    return A(self.n * o % 97)")
		}
		if g.IntN(2) == 0 {
			opt("def __eq__(self, o):\n    return isinstance(o, A) and self.n == o.n")
		}
		if g.IntN(2) == 0 {
			opt("def __lt__(self, o):\n    return self.n < o.n")
			opt("def __ge__(self, o):\n    return self.n >= o.n")
		}
		if g.IntN(2) == 0 {
			opt("def __len__(self):\n    return abs(self.n) % 5")
		}
		if g.IntN(2) == 0 {
			opt("def __getitem__(self, i):\n    if i > 3: raise IndexError(i)\n    return self.n + i")
			opt("def __setitem__(self, i, v):\n    self.n = v + i")
		}
		if g.IntN(3) == 0 {
			opt("def __iter__(self):\n    return iter([self.n, " + x() + "])")
		} else if g.IntN(3) == 0 {
			opt("def __iter__(self):\n    for i in range(3):\n        try:\n            yield self.n + i\n        except IndexError:\n            print(\"gen\", i)")
		}
		if g.IntN(3) == 0 {
			opt("def __contains__(self, x):\n    return x == self.n")
		}
		if g.IntN(2) == 0 {
			opt("def __call__(self, x, *, y=1):\n    return self.n - x + y")
		}
		if g.IntN(3) == 0 {
			opt("def __bool__(self):\n    return self.n > 2")
		}
		for _, text := range []string{"def __abs__(self):\n    return 1", "def __int__(self):\n    return 2", "def __float__(self):\n    return 3.5",
			"def __index__(self):\n    return 1", "def __neg__(self):\n    return type(self)(-self.n % 97)", "def __pos__(self):\n    return A(self.n)",
			"def __invert__(self):\n    return A(~self.n % 97)", "def __round__(self, k=None):\n    return 7 if k is None else k", "def __matmul__(self, o):\n    return 5",
			"def __rmatmul__(self, o):\n    return 6", "def __imatmul__(self, o):\n    return self", "def __iadd__(self, o):\n    self.n = (self.n + 1) % 97\n    return self",
			"def __isub__(self, o):\n    return self", "def __truediv__(self, o):\n    return 4", "def __rfloordiv__(self, o):\n    return 3", "def __pow__(self, o):\n    return 2",
			"def __rpow__(self, o):\n    return 1", "def __divmod__(self, o):\n    return (8, 9)", "def __hash__(self):\n    return self.n", "def __ne__(self, o):\n    return False",
			"def __setattr__(self, name, v):\n    object.__setattr__(self, name, v)"} {
			if g.IntN(6) == 0 {
				opt(text)
			}
		}
		if g.IntN(3) == 0 {
			opt("def __str__(self):\n    return \"<%s>\" % self.n")
		}
		if g.IntN(3) == 0 {
			opt("def __getattr__(self, name):\n    if name == \"missing\": return self.n\n    raise AttributeError(name)")
		}
		opt("@property\ndef prop(self):\n    return self.n + " + x())
		if base {
			opt("@prop.setter\ndef prop(self, v):\n    self.n = v - 1")
		}
		opt("@staticmethod\ndef static(x):\n    return x + " + x())
		opt("@classmethod\ndef cls(cls, x):\n    return cls.k + x")
		g.line(a, "def deep(self, x):")
		b := around{indent: "        ", depth: 1, fn: true, method: true, vars: []string{"x", "y"}, objects: []string{"self"}}
		g.line(b, "y = x")
		g.line(b, "if x > 3 or x < 0: return 0")
		if g.IntN(2) == 0 {
			c := b
			c.objects = nil
			c.depth = 3
			g.stmt(c)
		}
		if base {
			g.line(b, "return x")
		} else {
			g.line(b, "return super().deep(x) + y")
		}
	}
}

// program returns a program.
func (g *scribe) program() string {
	g.line(around{}, "total = 0")
	g.classes()
	for range 1 + g.IntN(3) {
		g.function(g.one("f", "f", "gen"))
	}
	g.line(around{}, "a, b, c = 1, 2, 3")
	g.line(around{}, "o = %s(4)", g.one("A", "B", "C", "D"))
	a := around{vars: []string{"a", "b", "c", "total"}, objects: []string{"o"}}
	if g.IntN(3) == 0 {
		g.modules()
	}
	for range 2 + g.IntN(3) {
		g.line(around{}, "try:")
		g.block(a.in())
		g.line(around{}, "except Exception as err:")
		g.line(a.in(), "print(\"failed\", type(err).__name__)")
	}
	if g.IntN(3) == 0 {
		g.stmt(a)
	}
	g.line(around{}, "print(a, b, c, total)")
	if g.IntN(3) == 0 {
		g.lines(around{}, g.failing(a))
	}
	return g.b.String() + g.files
}
