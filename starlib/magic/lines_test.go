package magic_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// untimed is what %lprun prints without what is measured.
func untimed(text string) string {
	const measured = `[0-9.]+ (ns|µs|ms|s)`
	text = regexp.MustCompile(`(time: )`+measured).ReplaceAllString(text, "$1")
	text = regexp.MustCompile(` +`+measured+` +`+measured+` +[0-9.]+  `).ReplaceAllString(text, "  ")
	return regexp.MustCompile(` +`).ReplaceAllString(strings.TrimSpace(text), " ")
}

func TestLprun(t *testing.T) {
	const functions = "def f(n):\n    'doc'\n    t = 0\n\n    for i in range(n):\n        t += g(i)\n    return t\ndef g(i):\n    return i * 2\nclass A:\n    def m(self):\n        return 7"
	const head = "Line # Hits Time Per Hit % Time Line Contents\n" + "==============================================================\n"
	const ofF = "\nTotal time: \nFile: In[1]\nFunction: f at line 1\n\n" + head + " 1 def f(n):\n 2 'doc'\n 3 1 t = 0\n 4\n 5 1,001 for i in range(n):\n 6 1,000 t += g(i)\n 7 1 return t\n"
	const ofG = "\nTotal time: \nFile: In[1]\nFunction: g at line 8\n\n" + head + " 8 def g(i):\n 9 1,000 return i * 2\n"
	const ofM = "\nTotal time: \nFile: In[1]\nFunction: A.m at line 11\n\n" + head + " 11 def m(self):\n 12 1 return 7\n"
	const cell = "\nTotal time: \nFile: In[2]\nFunction: <toplevel> at line 2\n\n" + head + " 2 1 y = f(1000)\n 3 1 A().m()\n"
	for _, test := range []struct{ code, want string }{
		{"%lprun -f f f(1000)", "Wall time: \n" + ofF},
		{"%lprun -f f,A.m f(1000)", "Wall time: \n" + ofF + strings.Replace(ofM, " 1 return", " return", 1)},
		{"%lprun f(1000)", "Wall time: \n" + ofF + ofG},
		{"%%lprun\ny = f(1000)\nA().m()", "Wall time: \n" + ofF + ofG + ofM + cell},
		{"%%lprun -f g\ny = f(1000)\n1 // 0", "Wall time: \n" + ofG + "ZeroDivisionError: floored division by zero (of arrays it is inf or nan: np.array(x) / y)"},
		{"%lprun z = f(2)\nz + 1", "Wall time: \n" + strings.ReplaceAll(strings.ReplaceAll(ofF+ofG, "1,001", "3"), "1,000", "2")},
		{"%lprun len([1])", "Wall time: \nNo line of a def has run.\n"},
		{"%lprun", "Error: %lprun: got nothing to run: %lprun [-f NAMES] [statement]"},
		{"%lprun -f h f(1)", "Error: %lprun: -f: name 'h' is not defined"},
		{"%lprun -f len f(1)", "TypeError: %lprun: -f: got builtin_function_or_method len, want a function of a def"},
		{"%%lprun f(1)\nf(1)", "SyntaxError: %%lprun: got f(1), want nothing after it: the cell is what follows on the next lines"},
	} {
		s := starlibtest.NewSession(t)
		printed(s, 1, functions)
		got, want := untimed(printed(s, 2, test.code)), untimed(test.want)
		if got != want {
			t.Errorf("%s:\ngot  %q\nwant %q", test.code, got, want)
		}
		if again := untimed(printed(s, 3, "%lprun -f g g(1)")); !strings.Contains(again, " 9 1 return i * 2") {
			t.Errorf("%s: lines are counted further: %q", test.code, again)
		}
	}
}
