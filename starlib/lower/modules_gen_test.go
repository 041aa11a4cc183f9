package lower_test

import (
	"fmt"
	"strings"
)

// fileMark begins the line that names the file which the lines after it are, in a program of
// several files.
const fileMark = "#: "

// A using is an import, and what is done with what it brings.
type using struct{ imports, does []string }

// modules writes statements that import files of the program's own, and afterwards those files:
// plain ones, a package, two that import each other, one that fails.
func (g *scribe) modules() {
	x := func() string { return fmt.Sprint(g.IntN(9)) }
	uses := []using{
		{[]string{"import m1", "import m1, m2"}, []string{"m1.put(" + x() + ")", "print(m1.get(), m1.N)", "m1.N = " + x(), "print(m1.get())",
			"m1.new = " + x() + "\nprint(hasattr(m1, \"new\"), m1.new)\ndel m1.new\nprint(hasattr(m1, \"new\"))", "print(m1.__name__)",
			"print(m1.nothing)", "print(m1.K(" + x() + "))", "m1.fails(" + x() + ")", "m1.get(1)", "print(m1._hidden)",
			"setattr(m1, \"N\", 4)\nprint(m1.get(), getattr(m1, \"N\"))"}},
		{[]string{"import m1 as mm", "import m2, m1 as mm"}, []string{"print(mm.get())", "mm.put(7)", "print(type(mm.K(1)).__name__, mm.K.k)", "mm.K.k += 1"}},
		{[]string{"from m1 import N, get as got", "from m1 import (\n    N,\n    get as got,\n)"}, []string{"print(N, got())", "N = 8\nprint(N, got())"}},
		{[]string{"from m1 import *"}, []string{"print(N, get())", "put(3)\nprint(N, get())", "print(_hidden)", "print(K(2))"}},
		{[]string{"import m2"}, []string{"print(m2.twice(" + x() + "))", "print(m2.L(3), isinstance(m2.L(3), m2.K1))", "print(m2.twice(\"a\"))"}},
		{[]string{"from m2 import L, twice"}, []string{"print(L(4).add(1), twice(2))", "class Z(L):\n    def add(self, x): return super().add(x) + 1\nprint(Z(1).add(" +
			x() + "), Z(2))"}},
		{[]string{"import pk"}, []string{"print(pk.VERSION, pk.__name__)", "print(pk.nothing)", "print(pk.S(2))"}},
		{[]string{"import pk.sub", "import pk.other, pk.sub"}, []string{"print(pk.sub.scale(" + x() + "), pk.VERSION)", "print(pk.sub.__name__)"}},
		{[]string{"import pk.sub as ps", "from pk import sub as ps"}, []string{"print(ps.scale(3))", "ps.FACTOR = " + x() + "\nprint(ps.scale(2))"}},
		{[]string{"from pk.other import helper, Err"}, []string{"print(helper(" + x() + "))", "try:\n    helper(-1)\nexcept Err as e:\n    print(\"caught\", e)", "helper(-2)"}},
		{[]string{"import cyc1", "import cyc2", "import cyc1, cyc2", "import cyc2, cyc1"}, []string{}},
		{[]string{"import cyc1"}, []string{"print(cyc1.f(2), cyc1.x)"}},
		{[]string{"import bad", "from bad import z", "import bad as b"}, []string{"print(1)"}},
		{[]string{"from m1 import nothing", "import absent", "from pk import absent", "import pk.absent", "from absent import a"}, []string{"print(2)"}},
	}
	for range 2 + g.IntN(4) {
		u := uses[g.IntN(len(uses))]
		a := around{}
		guarded := g.IntN(3) > 0 || len(u.does) == 1 && u.does[0] == "print(2)" // what cannot be imported is found before anything runs
		lines := []string{g.one(u.imports...)}
		isStar := strings.Contains(lines[0], "*")
		for range g.IntN(3) {
			if len(u.does) > 0 {
				lines = append(lines, g.one(u.does...))
			}
		}
		if !isStar && g.IntN(4) == 0 {
			f := g.name("imp")
			g.line(a, "def %s():", f)
			for _, l := range lines {
				g.lines(a.in(), l)
			}
			lines = []string{f + "()"}
		}
		if guarded {
			g.line(a, "try:")
			for _, l := range lines {
				g.lines(a.in(), l)
			}
			g.line(a, "except %s as err:", g.one("Exception", "Exception", "ImportError", "(ImportError, ArithmeticError)"))
			g.line(a.in(), "print(\"not imported\", type(err).__name__)")
			continue
		}
		for _, l := range lines {
			g.lines(a, l)
		}
	}
	main := g.b.String()
	g.b.Reset()
	g.moduleFiles(x)
	g.files = g.b.String()
	g.b.Reset()
	g.b.WriteString(main)
}

// lines writes the lines of a text.
func (g *scribe) lines(a around, text string) {
	for _, l := range strings.Split(text, "\n") {
		g.line(a, "%s", l)
	}
}

func (g *scribe) moduleFiles(x func() string) {
	file := func(name string, lines ...string) {
		g.line(around{}, "%s%s", fileMark, name)
		for _, l := range lines {
			g.lines(around{}, l)
		}
	}
	maybe := func(text string) string {
		if g.IntN(2) == 0 {
			return "pass"
		}
		return text
	}
	file("m1.py", maybe("\"\"\"A module.\"\"\""), "print(\"m1 runs\", __name__)", "N = "+x(), "_hidden = 1", "def get():\n    return N",
		"def put(v):\n    global N\n    N = v", "class K:\n    k = "+x()+"\n    def __init__(self, n):\n        self.n = n + N\n    def __repr__(self):\n"+
			"        return \"%s(%s)\" % (type(self).__name__, self.n)\n    def add(self, x):\n        return self.n + x",
		"def fails(v):\n    if v > 3:\n        raise ValueError(\"the value '%s'\" % v)\n    return 1 // v", maybe("__all__ = [\"N\", \"get\", \"put\", \"K\"]"),
		maybe("try:\n    from absent import a\nexcept ImportError:\n    a = None"), maybe("if __name__ == \"__main__\":\n    print(\"main\")"))
	file("m2.py", "print(\"m2 runs\")", g.one("import m1\nK1 = m1.K", "from m1 import K as K1\nimport m1", "from m1 import *\nimport m1\nK1 = K", "import m1\nfrom m1 import K as K1"),
		"def twice(x):\n    "+g.one("return m1.get() + x", "from m1 import get\n    return get() * x"),
		"class L(K1):\n    def add(self, x):\n        return super().add(x) * 2", maybe("from pk import sub"))
	file("pk/__init__.py", "print(\"pk runs\", __name__)", g.one("VERSION = 3\nfrom .sub import S", "VERSION = 4\nfrom pk.sub import S", "from . import sub\nVERSION = sub.FACTOR\nS = sub.S"),
		maybe("from .other import *"))
	file("pk/sub.py", "print(\"sub runs\")", g.one("from .other import helper", "from . import other\nhelper = other.helper", "from pk.other import helper"), "FACTOR = "+x(),
		"def scale(x):\n    return helper(x) * FACTOR", "class S:\n    def __init__(self, n): self.n = n\n    def __repr__(self): return \"S<%s>\" % self.n",
		maybe("def version():\n    from . import VERSION\n    return VERSION"))
	file("pk/other.py", "print(\"other runs\")", "class Err(Exception): pass", "def helper(x):\n    if x < 0:\n        raise Err(\"below '%s'\" % x)\n    return x + "+x())
	file("cyc1.py", "print(\"cyc1 runs\")", "x = 1", "import cyc2", "def f(n):\n    return n if n == 0 else cyc2.g(n - 1) + x", "print(cyc2.y)")
	file("cyc2.py", "print(\"cyc2 runs\")", g.one("import cyc1", "from cyc1 import x", "from cyc1 import f", "import cyc1\nprint(cyc1.x)", "import cyc1\nprint(cyc1.f)"), "y = 2",
		"def g(n):\n    import cyc1\n    return n if n == 0 else cyc1.f(n - 1) + y")
	file("bad.py", "print(\"bad runs\")", "z = 1", g.one("1 // 0", "[][1]", "{}[\"k\"]", "raise ValueError(\"q\")", "int(\"x\")", "z.nothing", "assert z == 2"), "print(\"not here\")")
}
