package vm_test

import "fmt"

func (g *generator) number() string {
	return g.pick("0", "1", "2", "-3", "7", "100", "2147483647", "-2147483648", "9007199254740993", "9223372036854775807",
		"-9223372036854775808", "18446744073709551616")
}

// constant is a value of any type but bool, which is a number only here.
func (g *generator) constant() string {
	return g.pick("1.5", "-0.5", "1e300", `""`, `"ab"`, `"s%s"`, "None", "[]", "(1, 2)", "{1: 2}", "range(3)",
		"set([1])", "len", "obj(a=1)")
}

func (g *generator) iterable() string {
	return g.pick("range(3)", "range(5, 0, -2)", "[1, 2, 3]", "(4, 5)", "{1: 2, 3: 4}", "set([7, 8])", g.list(1))
}

// binary are operations that ints have.
var binary = []string{"(%s + %s)", "(%s - %s)", "(%s & %s)", "(%s | %s)", "(%s ^ %s)"}

// expr is an int, but for one in a hundred, that nests so deep.
func (g *generator) expr(depth int) string {
	if g.IntN(150) == 0 {
		return g.any(depth)
	}
	if depth <= 0 || g.IntN(8) == 0 {
		if g.IntN(3) == 0 {
			return g.number()
		}
		return g.pick(g.names...)
	}
	e := func() string { return g.expr(depth - 1) }
	switch g.IntN(18) {
	case 0, 1, 2, 3:
		return fmt.Sprintf(g.pick(binary...), e(), e())
	case 4, 5:
		return fmt.Sprintf("(%s %s %d)", e(), g.pick("+", "-", "//", "%", "<<", ">>"), 1+g.IntN(9))
	case 15: // by a variable, a list could get as long as memory is
		return fmt.Sprintf("(%s * %s)", e(), g.pick("3", "-7", "2147483647", "9007199254740993", "9223372036854775807"))
	case 6:
		return fmt.Sprintf("(%s %s (%s | 1))", e(), g.pick("//", "%"), e())
	case 7:
		return fmt.Sprintf("(%s %s %s)", e(), g.pick("and", "or"), e())
	case 8, 9:
		return fmt.Sprintf("(%s if %s else %s)", e(), g.cond(depth-1), e())
	case 10:
		return fmt.Sprintf("%s(%s)", g.pick("-", "+", "~", "int", "log"), e())
	case 11:
		return fmt.Sprintf("[%s, %s][%s]", e(), e(), g.pick("0", "1", "-1"))
	case 12:
		return fmt.Sprintf("len(%s)", g.list(depth-1))
	case 13:
		return fmt.Sprintf("{1: %s, %q: %s}[1]", e(), "a", e())
	case 14:
		return fmt.Sprintf("(lambda z, y=%s: %s)(%s)", e(), g.pick("z", "y + z", e()), e())
	}
	if g.funcs > 0 {
		return g.callOf(g.IntN(g.funcs), depth-1)
	}
	return e()
}

// cond is a condition.
func (g *generator) cond(depth int) string {
	x, y := g.expr(depth-1), g.expr(depth-1)
	switch g.IntN(6) {
	case 0:
		return x
	case 1:
		return "not " + x
	case 2:
		if depth > 0 {
			return fmt.Sprintf("(%s %s %s)", g.cond(depth-1), g.pick("and", "or"), g.cond(depth-1))
		}
	case 3:
		return fmt.Sprintf("%s %s %s", x, g.pick("in", "not in"), g.list(depth-1))
	}
	return fmt.Sprintf("%s %s %s", x, g.pick("<", "<=", ">", ">=", "==", "!="), y)
}

// list is a list.
func (g *generator) list(depth int) string {
	e := func() string { return g.expr(depth - 1) }
	switch g.IntN(6) {
	case 0:
		return fmt.Sprintf("[%s for i in %s if %s]", g.pick("i", "-i", e()), g.iterable(), g.cond(depth-1))
	case 1:
		return fmt.Sprintf("[%s for i in range(3) for j in range(i)]", g.pick("i", "j", e()))
	case 2:
		return fmt.Sprintf("sorted([%s, %s, %s], key=lambda z: %s)", e(), e(), e(), g.pick("z", "-z", e()))
	case 3:
		return fmt.Sprintf("[%s, %s, %s][%s]", e(), e(), e(), g.pick(":", "1:", "-2:", ":2", "::-1", "2:0:-1"))
	case 4:
		return fmt.Sprintf("[%s] + [%s] * 2", e(), e())
	}
	return fmt.Sprintf("[%s, %s]", e(), e())
}

// any is an expression of any type.
func (g *generator) any(depth int) string {
	e := func() string { return g.expr(depth - 1) }
	switch g.IntN(8) {
	case 0:
		return g.list(depth)
	case 1:
		return fmt.Sprintf("{i: %s for i in %s}", e(), g.iterable())
	case 2:
		return fmt.Sprintf("{%s: %s, %q: [%s]}", e(), e(), "a", e())
	case 3:
		return fmt.Sprintf("(%s, %s, (%s,))", e(), e(), e())
	case 4:
		return fmt.Sprintf("(%s / %s)", e(), e())
	case 5:
		return fmt.Sprintf("(%s %s %s)", g.constant(), g.pick("+", "-", "*", "/", "//", "<", "==", "in", "|"), g.constant())
	case 6:
		return fmt.Sprintf("(%s, str(%s), type(%s))", g.cond(depth-1), e(), g.constant())
	}
	return g.constant()
}

// callOf is a call of a function that is defined before, mostly with arguments that it takes.
func (g *generator) callOf(f, depth int) string {
	x, y := g.expr(depth), g.expr(depth)
	name := fmt.Sprintf("f%d", f)
	switch g.IntN(120) {
	case 0:
		return fmt.Sprintf("%s(%s)", name, x)
	case 1:
		return fmt.Sprintf("%s(%s, %s, c=%s)", name, x, y, g.expr(0))
	case 2:
		return fmt.Sprintf("%s(%s, %s, %s)", name, x, y, g.expr(0))
	}
	switch g.IntN(10) {
	case 0:
		return fmt.Sprintf("%s(b=%s, a=%s)", name, x, y)
	case 1:
		return fmt.Sprintf("%s(*[%s, %s])", name, x, y)
	case 2:
		return fmt.Sprintf("%s(%s, **{\"b\": %s})", name, x, y)
	case 3:
		return fmt.Sprintf("call(%s, %s, %s)", name, x, y)
	}
	return fmt.Sprintf("%s(%s, %s)", name, x, y)
}
