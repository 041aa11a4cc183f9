package vm_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A generator writes random programs that end: functions, each of which calls only those before it,
// and calls of them. A part of them fails somewhere.
type generator struct {
	*rand.Rand
	out    strings.Builder
	indent int
	names  []string // variables that may have a value
	funcs  int
	inLoop bool
	inFunc bool

	firstLocal int // of names
	budget     int // of statements
	nesting    int // of loops
}

// generate returns the program of a seed.
func generate(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
	g.names = []string{"A", "B"}
	g.line("A = %s", g.number())
	g.line("B = %s", g.number())
	for range 1 + g.IntN(4) {
		g.function()
	}
	for range 3 {
		g.line("print(%s)", g.callOf(g.IntN(g.funcs), 0))
	}
	g.budget = 6
	g.block()
	g.line("print(A, B)")
	return g.out.String()
}

func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(&g.out, "%s%s\n", strings.Repeat("  ", g.indent), fmt.Sprintf(format, args...))
}

func (g *generator) pick(of ...string) string { return of[g.IntN(len(of))] }

// rare is the first now and then, mostly the second.
func (g *generator) rare(first, second string) string {
	if g.IntN(40) == 0 {
		return first
	}
	return second
}

// function defines the next function, which takes two arguments, and perhaps more.
func (g *generator) function() {
	params := g.pick("a, b", "a, b, c=1", "a, b=A, *r", "a, b, **k", "a, b, *, c=2", "a, b, *r, c=3, **k")
	g.line("def f%d(%s):", g.funcs, params)
	outer := g.names
	g.names = []string{"A", "B", "a", "b"}
	if strings.Contains(params, "c=") {
		g.names = append(g.names, "c")
	}
	g.budget = 4 + g.IntN(12)
	g.indent++
	g.inFunc, g.firstLocal = true, 2
	g.line("v = %s", g.expr(2))
	g.bind("v")
	g.block()
	g.line("return %s", g.expr(2))
	g.indent--
	g.names, g.inFunc, g.firstLocal = outer, false, 0
	g.funcs++
}

// block writes statements; the names that they bind may have no value later.
func (g *generator) block() {
	known := len(g.names)
	for range 1 + g.IntN(4) {
		if g.budget--; g.budget < 0 {
			break
		}
		g.statement()
	}
	g.line("pass")
	if g.IntN(60) > 0 { // now and then they stay, to be used unbound
		g.names = g.names[:known]
	}
}

// local is a variable to assign.
func (g *generator) local() string {
	switch {
	case !g.inFunc:
		return g.pick("A", "B", "v", "w", "x")
	case g.firstLocal > 2: // of a function inside
		return g.pick("p", "q", "w", "x", g.rare("v", "y"))
	}
	return g.pick("v", "w", "x", "y", "a", "b")
}

func (g *generator) bind(names ...string) { g.names = append(g.names, names...) }

func (g *generator) statement() {
	switch g.IntN(14) {
	case 0, 1, 2:
		name := g.local()
		g.line("%s = %s", name, g.expr(3))
		g.bind(name)
	case 3:
		g.line("%s %s %s", g.pick(g.names[g.firstLocal:]...), g.pick("+=", "-=", "|=", "&=", "^="), g.expr(1))
	case 4:
		x, y := g.local(), g.local()
		g.line("%s, %s = %s, %s", x, y, g.expr(2), g.expr(2))
		g.bind(x, y)
	case 5:
		x, y := g.local(), g.local()
		g.line("%s, (%s, w) = %s", x, y, g.pick("[1, (2, 3)]", "1, [A, 5]", "(B, range(2))", g.rare("(B, range(3))", "(A, range(2))")))
		g.bind(x, y, "w")
	case 6:
		g.line("print(%s, %s)", g.expr(3), g.any(2))
	case 7, 8:
		g.conditional()
	case 9, 10:
		g.loop()
	case 11:
		g.line("l = [%s, %s, 3]", g.expr(1), g.expr(1))
		g.line("l[%s] %s %s", g.pick("0", "1", "-1"), g.pick("=", "+=", "-="), g.expr(2))
		g.line("print(l, l[%s])", g.pick("0", "1", "2", g.expr(0)))
	case 12:
		g.inner()
	case 13:
		if g.inLoop {
			g.line("if %s: %s", g.cond(1), g.pick("break", "continue"))
		} else if g.inFunc {
			g.line("if %s: return %s", g.cond(1), g.expr(2))
		}
	}
}

func (g *generator) conditional() {
	g.line("if %s:", g.cond(2))
	g.nested()
	if g.IntN(3) == 0 {
		g.line("elif %s:", g.cond(2))
		g.nested()
	}
	if g.IntN(2) == 0 {
		g.line("else:")
		g.nested()
	}
}

func (g *generator) nested() {
	g.indent++
	g.block()
	g.indent--
}

func (g *generator) loop() {
	if g.nesting == 2 {
		return
	}
	loop := g.inLoop
	g.inLoop = true
	g.nesting++
	if g.IntN(4) == 0 {
		n := fmt.Sprintf("n%d", g.nesting)
		g.line("%s = %d", n, g.IntN(5))
		g.line("while %s > 0:", n)
		g.indent++
		g.line("%s -= 1", n)
		g.indent--
	} else {
		g.line("for i in %s:", g.iterable())
		g.bind("i")
	}
	g.nested()
	g.nesting--
	g.inLoop = loop
}

// inner defines a function that shares variables with the one around it, and calls it.
func (g *generator) inner() {
	name := g.pick("g", "h")
	if g.IntN(2) == 0 {
		value, known := g.expr(0), len(g.names)
		g.bind("p", "q")
		g.line("%s = lambda p, q=%s: %s", name, value, g.expr(2))
		g.names = g.names[:known]
	} else {
		loop, in, first, known := g.inLoop, g.inFunc, g.firstLocal, len(g.names)
		g.inLoop, g.inFunc, g.firstLocal = false, true, known
		g.line("def %s(p, q=%s):", name, g.expr(0))
		g.bind("p", "q")
		g.indent++
		g.block()
		g.line("return %s", g.expr(2))
		g.indent--
		g.inLoop, g.inFunc, g.firstLocal, g.names = loop, in, first, g.names[:known]
	}
	g.line("print(%s(%s))", name, g.expr(1))
}
