package session_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// tracebackFiles are what the cells of TestTracebacks load and run.
var tracebackFiles = map[string]string{
	"nn.star":      "load(\"init.star\", \"zeros\")\n\ndef dense(x, units):\n    w = zeros(x.ndim, units)\n    return T.dot(x, w)\n",
	"init.star":    "def zeros(n, units):\n    return np.zeros((n, units + \"1\"))\n",
	"broken.star":  "x = 1\ny = [x\n",
	"unknown.star": "def f(x):\n    return x + offset\n",
	"top.star":     "load(\"fails.star\", \"v\")\n",
	"fails.star":   "def check(v):\n    if v > 0:\n        fail(\"not this\")\n    return v\n\nv = check(1)\n",
	"script.star":  "# %% A script\nn = 3\n\n# %%\nfor i in range(3):\n\t%time 1 // (n - i - 1)\n",
	"a.star":       "load(\"b.star\", \"x\")\n",
	"b.star":       "load(\"a.star\", \"x\")\n",
}

// tracebackCases are notebooks whose last cell fails.
var tracebackCases = []struct {
	title string
	cells []string
}{
	{"a syntax error", []string{"x = 1\ny = (x +\nz = 2"}},
	{"a syntax error of Python 2", []string{"# greet\nprint \"hello\""}},
	{"a name of Python 2", []string{"for i in xrange(3): print(i)"}},
	{"a method of Python 2", []string{"d = {'a': 1}\nn = [k for k, v in d.iteritems()]"}},
	{"a name at top level", []string{"learning_rate = 0.1", "x = 1\nx * learning_rte"}},
	{"a name in a function that was defined before", []string{"def step(w):\n    return w - lr * w", "\n\nstep(1.0)"}},
	{"columns count code points, and tabs stay", []string{"if True:\n\ts = \"äöü\" + 1"}},
	{"through three cells, a comprehension and a lambda", []string{
		"def inner(n):\n    return [1, 2][n]", "def outer(xs):\n    return [inner(x) for x in xs]",
		"sorted([0, 5], key=lambda x: outer([x])[0])"}},
	{"in a file that is loaded, called from a cell", []string{"load(\"nn.star\", \"dense\")\nx = T.matrix(\"x\")", "dense(x, 3)"}},
	{"while files are loaded", []string{"# the model\nload(\"top.star\", \"v\")"}},
	{"a syntax error in a file", []string{"load(\"broken.star\", \"y\")"}},
	{"a name in a file", []string{"load(\"unknown.star\", \"f\")"}},
	{"files that load each other", []string{"load(\"a.star\", \"x\")"}},
	{"a recursion without end", []string{"def f(n):\n    return f(n + 1)", "f(0)"}},
	{"two functions that call each other without end", []string{
		"def even(n):\n    return odd(n - 1)\n\ndef odd(n):\n    return even(n - 1)", "even(7)"}},
	{"a long way down, by the same line", []string{"def f(n):\n    return 1 // n if n == 0 else f(n - 1)\nf(60)"}},
	{"a long way down, by several lines", []string{
		"def f(n):\n    if n > 30: return f(n - 1)\n    if n > 0: return f(n - 1)\n    return 1 // n\nf(60)"}},
	{"through with, finally and a generator that a builtin asks", []string{
		"class Held:\n    def __enter__(self): return self\n    def __exit__(self, kind, value, trace): return False\n\ndef parts(n):\n    for i in range(n):\n        yield 6 // (2 - i)",
		"def total(n):\n    with Held() as h:\n        try:\n            return sum(parts(n))\n        finally:\n            n = 0\n\ntotal(5)"}},
	{"raised again by name, and alone", []string{
		"def first(): return [][1]\ndef second():\n    try:\n        return first()\n    except IndexError:\n        raise\ndef third():\n    try:\n        second()\n    except IndexError as e:\n        raise e",
		"third()"}},
	{"the body of a class", []string{"class Layer:\n    units = 3\n    scales = [1 // (units - 3) for _ in range(2)]"}},
	{"wrong arguments are the caller's", []string{"def f(x, *, scale=1):\n    return x", "y = f(1,\n      scael=2)"}},
	{"a builtin's arguments", []string{"print(1, ned=2)"}},
	{"a panic of ours", []string{"def f():\n    panics()\nf()"}},
	{"an operator on symbols", []string{"x = T.matrix(\"x\")\nif x > 0:\n    print(1)"}},
	{"a line magic", []string{"xs = [1]\n%cd nowhere"}},
	{"the code of a line magic", []string{"def f(n):\n    return 1 // n", "n = 0\n  # twice\n%timeit -n 1 -r 1 f(n) + f(n)"}},
	{"the code of a magic of a cell", []string{"%%timeit -n 1 -r 1 k = 0\n\nk + \\\n 1 // k"}},
	{"a script that a cell runs", []string{"%run script.star"}},
	{"an unknown magic", []string{"x = 1\n%tiem x"}},
	{"a flag of a cell", []string{"\n%%flags floatX=float16\n1"}},
	{"an exception that was kept, raised again when the calls are over", []string{
		"kept = []\ndef inner(x):\n    raise ValueError(x)\ndef middle(x):\n    try:\n        inner(x)\n    except ValueError as e:\n        kept.append(e)\n" +
			"def outer():\n    middle(1)\n    middle(2)\nouter()",
		"raise kept[1]"}},
	{"one of a generator's, that it went on from", []string{
		"kept = []\ndef g():\n    for i in range(2):\n        try:\n            1 // 0\n        except ZeroDivisionError as e:\n            kept.append(e)\n        yield i\n" +
			"def first():\n    return next(it)\ndef second():\n    return next(it)\nit = g()\nfirst()\nsecond()",
		"raise kept[1]"}},
	{"one that finally changes what it says", []string{
		"class E(Exception):\n    def __str__(self):\n        return 'says %s' % self.what\n" +
			"def f():\n    e = E()\n    e.what = 1\n    try:\n        raise e\n    finally:\n        e.what = 2\nf()"}},
}

// steady cuts what varies from the traceback of a recursion without end: it is found out at any of
// its lines.
func steady(traceback []string) []string {
	for i, text := range traceback {
		if m := regexp.MustCompile(`^\.\.\. \d{5} `).FindString(text); m != "" {
			last := traceback[len(traceback)-1]
			return append(traceback[:i:i], "... 19982 or so "+text[len(m):], last)
		}
	}
	return traceback
}

func TestTracebacks(t *testing.T) {
	dir := t.TempDir()
	for name, text := range tracebackFiles {
		starlibtest.Write(t, dir, name, text)
	}
	var b strings.Builder
	for _, tt := range tracebackCases {
		s := starlib.NewSession(starlib.Options{Dir: dir, Predeclared: starlibtest.Assertions})
		b.WriteString("=== " + tt.title + "\n")
		for i, cell := range tt.cells {
			_, _, err := s.Execute(context.Background(), i+1, cell, &starlibtest.Recorder{})
			last := i == len(tt.cells)-1
			if (err != nil) != last {
				t.Errorf("%s: cell %d: got %v", tt.title, i+1, err)
			}
			if err != nil {
				b.WriteString(strings.Join(steady(err.(*starlib.Error).Traceback()[1:]), "\n") + "\n\n")
			}
		}
	}
	got := b.String()
	profilertest.Golden(t, "tracebacks.golden", got)
	if bad := regexp.MustCompile(`__\w+__|\$[a-z]`).FindString(got); bad != "" {
		t.Errorf("a traceback shows the hidden name %s", bad)
	}
}
