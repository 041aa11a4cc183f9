package parse

import (
	"strings"
	"testing"
)

// TestLong: a long text of any one thing is parsed in time that grows with its length: were it to
// grow with the square, this would take minutes.
func TestLong(t *testing.T) {
	const n = 20000
	for _, test := range []struct{ before, again, after string }{
		{"x = 1", " + 1", ""}, {"x", " @ y", ""}, {"x", ".y", ""}, {"x", "[0]", ""}, {"x", "(1)", " ** 2"}, {"x = ", "'a' ", ""}, {"x = ", "f'{y}' ", ""},
		{"x = f'", "{{", "'"}, {"x = f'", "{y}a", "'"}, {"x = f'''", "\n", "{y}'''"}, {"x = f'", "{y", "'"}, {"", "x = ", "1"}, {"", "x, ", "*y = z"},
		{"x = [", "*y, ", "]"}, {"x = (", "1, ", ")"}, {"", "x = (1, *y)\n", ""}, {"", "@f\n", "def g(): pass"}, {"if x: y\n", "elif x: y\n", ""},
		{"x < y", " < f()", ""}, {"", "x;", "y"}, {"", "# c\n", ""}, {"", "\n", "x"}, {"x[", "1:2, ", "]"}, {"import x", ", y.z", ""}, {"", "(", ""},
		{"x = '", `\x41`, "'"}, {"x = ", "1", ""}, {"x = 0x", "1", ""}, {"x = ", "1_1", ""}, {"def f(", "x: int, ", "): pass"}, {"", "if x:\n ", ""},
		{"", "x = '", ""}, {"", "a, *b = c\n", ""}, {"x", " if y else x", ""}, {"x = ", "not ", "y"}, {"", ")", ""}, {"[", "x for x in y ", "]"},
	} {
		text := test.before + strings.Repeat(test.again, n) + test.after
		_, err := File("a.star", text, Options{})
		if w := inside(text, err); w != "" {
			t.Errorf("%.20s...: %s", text, w)
		}
	}
}

// TestDigits: a number of more digits than can be converted at once is an error that says so, and
// no octal number of Python 2.
func TestDigits(t *testing.T) {
	digits := strings.Repeat("1", maxDigits)
	if _, err := File("a.star", "x = "+digits, Options{}); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"x = " + digits + "1", "x = -1_" + digits, "f'{" + digits + "1}'"} {
		if _, err := File("a.star", text, Options{}); err == nil || !strings.Contains(err.Error(), "int literal of 10000") || !strings.Contains(err.Error(), "digits, want at most 100000; write it in hex") {
			t.Errorf("%.10s...: got %.200v", text, err)
		}
		if got, _ := Modern(text); got != "" {
			t.Errorf("%.10s...: in Python 3 it is %.20s...", text, got)
		}
	}
	if _, err := File("a.star", "x = 0x1"+digits, Options{}); err != nil {
		t.Error(err)
	}
}
