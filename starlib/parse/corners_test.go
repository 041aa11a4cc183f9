package parse

import (
	"strings"
	"testing"
)

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
