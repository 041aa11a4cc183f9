package parse

import (
	"strings"
	"testing"
)

// TestLong: a long text of any one thing is parsed in time that grows with its length: were it to grow with the
// square, this would take minutes.
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
		if _, extErr := Extensions("a.star", text); (err == nil) != (extErr == nil) {
			t.Errorf("%.20s...: got %v and %v", text, err, extErr)
		}
	}
}
