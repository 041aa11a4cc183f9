package parse

import (
	"strings"
	"testing"

	"go.starlark.net/syntax"
)

// TestAssert: assert begins a statement before every test, unless the text has a variable of that
// name, as texts of standard Starlark may.
func TestAssert(t *testing.T) {
	tests := []string{"-1 < x", "+x", "~x", "not x", "- x - 1", "(x)", "(x) == y", "(x, y)[0]", "(x, *y) == z", "(x < y) < z", "(x) < f() < z", "(x) ** 2", "(x) @ y",
		"(x) is y", "(x) is not y", "(x) not in y", "(x) if y else z", "(x)(y)", "(x)[1:, 0]", "(x).y", "(x for x in y)", "(lambda: x)()", "(x := y)", "(yield x)", "(yield)", "()",
		"[x]", "[x] == y", "[x, y][0] < z", "[*x, y] == z", "[x for x in y]", "[x][0] < f() < z", "[]", "{x: y}", "{x}", "{*x}", "...", "1", "'a' in x", "f'{x}'", "b''",
		"lambda: x", "load", "x", "x.y[0](z)", "None"}
	for _, test := range tests {
		for _, message := range []string{"", ", y", ", (x)"} {
			x, err := File("a.star", "z = ("+test+")", Options{})
			if err != nil {
				t.Fatalf("%s: %v", test, err)
			}
			want := show(x.Stmts[0].(*syntax.AssignStmt).RHS.(*syntax.ParenExpr).X)
			f, err := File("a.star", "assert "+test+message, Options{})
			if got := ""; err == nil {
				if s, ok := f.Stmts[0].(*syntax.IfStmt); ok {
					got = show(s.Cond.(*syntax.UnaryExpr).X)
				}
				if got != want {
					t.Errorf("assert %s%s asks %q, want %q", test, message, got, want)
				}
			} else {
				t.Errorf("assert %s%s: %v", test, message, err)
			}
		}
	}
	for _, text := range []string{"assert (x, 'm')", "assert ((x, 'm'))", "assert (x, y), 'm'", "assert (*x,)", "assert(x, 'm')"} {
		if _, err := File("a.star", text, Options{}); err == nil || err.Error() != "assert of a tuple is never false (it takes one test: assert x, message)" {
			t.Errorf("%s: got %v", text, err)
		}
	}
	for _, own := range []string{"def assert(x): pass", "assert = 1", "if x: assert = 1", "load('a', 'assert')", "load('a', assert='b')"} {
		for _, test := range []string{"(x)", "[x]", "- x", ".eq(x, y)"} {
			f, err := File("a.star", own+"\nassert "+test, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := f.Stmts[1].(*syntax.ExprStmt); !ok {
				t.Errorf("%s; assert %s: got %s, want an expression", own, test, show(f.Stmts[1]))
			}
		}
	}
}

// TestCorners: small texts at the borders of rules mean the same to both parsers.
func TestCorners(t *testing.T) {
	for _, text := range []string{
		"", " ", "\n", "#", "x # é", "\\\n\nx", "  \\\n x", "if x:\n  y\n  \\\n", "\ufeffx", "x\fy", "\xff",
		"'\xff\r'", "b'''\xff\r\n'''", "r'\\\r\n'", "''''a'''", "''' '' '''", "'\\x4'", "'\\400'", "b'\\400'", "'\\ud800'",
		"'\\U00110000'",
		"if x:\n\ty\n        z", "if x:\n    y\n\tz", "if x:\n\t\ty\n               z", "if x:\n        y\n \tz", "if x:\n  y\n z",
		"1if x else y", "0x1for x in y", "0or 1", "1else 2", "1.e+x", "1..x", ".5.x", "1e400", "1e-999", "09", "08.5", "0o8", "0b2", "0x",
		"0_1", "1__0", "1_", "9223372036854775808", "-0x8000000000000000",
		"x[1, 2:]", "x[1, 2,:]", "x[1,]", "x[:,]", "x[]", "x[1:2:3:4]", "x[::]", "for x, in y: pass", "for x in y,: pass",
		"for -x in y: pass",
		"a not b", "a not in b in c", "a == not b", "- not x", "x.if", "x..y", "x.1", "f(1 = 2)", "f((x) = 3)", "f(,)", "f(*)",
		"f(a=1, *, b)",
		"lambda x, : y", "def f(*, **k,): pass", "def f(a=): pass", "x, += 1",
		"load()", "load('')", "load(x)", "load('', 1)", "load('', x)", "load('', x=y)", "load('', 'a',)", "load(b'', 'a')",
		"load('', b'a')",
		"if x: if y: z", "if x: ;", "pass;;", "x = 1 = 2", "return;", "else: x", "a if b", "a if b\n", "{x}", "{x: y z}", "load('' 'a')",
		"[x for x in y, z]", "[x for x in lambda: y]", "[x for x in y if lambda: z if w else v]",
		"assert -x", "assert (x) == y", "assert not in x", "assert [x]", "assert = 1", "assert.eq(x)",
		strings.Repeat("(", 70) + "0A", strings.Repeat("- ", 980) + "x", strings.Repeat("not ", 980) + "x", strings.Repeat("lambda: ", 300) + "x",
		strings.Repeat("[x if y else ", 60) + "z" + strings.Repeat("]", 60), strings.Repeat("x if y else ", 480) + "z",
	} {
		if _, wrong := agrees(text); wrong != "" {
			t.Errorf("%q: %s", text, wrong)
		}
	}
}
