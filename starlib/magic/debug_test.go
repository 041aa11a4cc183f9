package magic_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/starlibtest"
	"github.com/arignote/arignote/starlib/value"
)

// localsOf is Python's own account of the calls that an error leaves: their names, lines and
// variables.
const localsOf = `
import json, sys
def show(v):
    if callable(v):
        return "<function " + v.__name__ + ">"
    return repr(v).replace("'", '"')
def calls(text):
    code = compile(text, "prog", "exec")
    try:
        exec(code, {"__name__": "prog"})
    except Exception as e:
        list, tb = [], e.__traceback__
        while tb:
            at = tb.tb_frame
            if at.f_code.co_filename == "prog":
                name = at.f_code.co_name.replace("<module>", "<toplevel>")
                local = {k: show(v) for k, v in at.f_locals.items()} if name != "<toplevel>" else {}
                list.append([name, tb.tb_lineno, local])
            tb = tb.tb_next
        return list
json.dump([calls(p) for p in json.load(sys.stdin)], sys.stdout)
`

// failing are programs that an error ends.
var failing = []string{
	"def f(a, b=2):\n    t = a + b\n    return t // (a - 1)\ndef g(n):\n    m = n * 2\n    return f(n, b=m)\ng(1)",
	"x = 1\ny = x // 0",
	"def f(*args, **kwargs):\n    n = len(args)\n    raise ValueError(n)\nf(1, 'a', k=2)",
	"def f(x):\n    return 1 // x\ndef g():\n    try:\n        y = 1\n        return f(0)\n    finally:\n        z = 2\ng()",
	"def f(x):\n    k = x\n    return 1 // x\ndef g():\n    try:\n        return f(0)\n    except ValueError:\n        w = 1\ng()",
	"def f(x):\n    k = x\n    return 1 // x\ndef g():\n    try:\n        return f(0)\n    except Exception:\n        w = 1\n        raise\ng()",
	"def f(x):\n    k = x + 1\n    return 1 // x\ndef g(xs):\n    return sorted(xs, key=f)\ng([2, 1, 0])",
	"def outer(n):\n    s = 'a'\n    def inner(k):\n        t = [n, k]\n        return t[2]\n    return inner(n + 1)\nouter(5)",
	"def g(n):\n    yield n\n    m = n + 1\n    yield m // 0\ndef f():\n    for x in g(3):\n        y = x\nf()",
	"def f(n):\n    m = n * 2\n    if n == 0:\n        raise KeyError('k')\n    f(n - 1)\nf(3)",
	"def f(n):\n    try:\n        raise KeyError('k')\n    except KeyError:\n        a = 1\n    b = [1.5, None, True, 'x']\n    return b.index(n)\nf(9)",
	"def f(n):\n    try:\n        raise KeyError('k')\n    except KeyError:\n        a = n\n        raise ValueError('v')\nf(9)",
	"def f(x):\n    k = x\n    return 1 // x\ndef g():\n    try:\n        return f(0)\n    except ValueError:\n        w = 1\n    except ZeroDivisionError:\n        w = 2\n        raise\ng()",
	"def f(x):\n    k = x\n    return 1 // x\ndef g():\n    try:\n        return f(0)\n    except ZeroDivisionError:\n        w = 2\n    return k\nf(1)\ng()",
	"def it():\n    yield 1\ndef f():\n    i = it()\n    i = next(i)\n    return i + ''\nf()",
	"def f(x):\n    del x\n    y = 1\n    return x\nf(3)",
}

func TestFramesAreAsPythonHasThem(t *testing.T) {
	const python = "/usr/bin/python3"
	if _, err := os.Stat(python); err != nil {
		t.Skip("no " + python)
	}
	in, _ := json.Marshal(failing)
	cmd := exec.Command(python, "-c", localsOf)
	cmd.Stdin, cmd.Stderr = strings.NewReader(string(in)), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want [][]any
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	for i, text := range failing {
		s := starlibtest.NewSession(t)
		s.Execute(context.Background(), 1, text, nil)
		var got []any
		for _, call := range s.LastError().Calls() {
			at := call.Call()
			locals := map[string]string{}
			for _, l := range call.Locals() {
				if at.Name != "<toplevel>" {
					locals[l.Name] = value.Repr(l.Value)
				}
			}
			got = append(got, []any{at.Name, at.Pos.Line, locals})
		}
		g, _ := json.Marshal(got)
		w, _ := json.Marshal(want[i])
		if string(g) != string(w) {
			t.Errorf("program:\n%s\ngot  %s\nwant %s", text, g, w)
		}
	}
}

// answering is an output whose front end answers with lines, and cannot be asked after them.
func answering(lines ...string) *starlibtest.Recorder {
	return &starlibtest.Recorder{Answer: func(string, bool) (string, error) {
		if len(lines) == 0 {
			return "", fmt.Errorf("nobody to ask")
		}
		line := lines[0]
		lines = lines[1:]
		return line, nil
	}}
}

// printed is what a cell prints, and why it fails.
func printed(s *starlib.Session, n int, code string, answers ...string) string {
	out := answering(answers...)
	_, _, err := s.Execute(context.Background(), n, code, out)
	text := strings.ReplaceAll(strings.Join(out.Log, ""), "stdout: ", "")
	if err != nil {
		text += err.(*session.Error).Name() + ": " + err.Error()
	}
	return text
}

func TestDebugCommands(t *testing.T) {
	s := starlibtest.NewSession(t)
	const none = "Error: %debug: no error to look at: no cell has failed, or one has run since"
	const program = "def f(a, b=2):\n    t = a + b\n    return t // (a - 1)\ndef g(n):\n    m = n * 2\n    return f(n, b=m)"
	n := 0
	check := func(code, want string, answers ...string) {
		t.Helper()
		n++
		if got := printed(s, n, code, answers...); got != want {
			t.Errorf("%s\ngot  %q\nwant %q", code, got, want)
		}
	}
	check("%debug", none)
	check(program, "")
	check("k = 7\ng(1)", "ZeroDivisionError: floored division by zero (of arrays it is inf or nan: np.array(x) / y)")
	check("%debug where", "  In[3](2)<module>()\n-> g(1)\n  In[2](6)g()\n-> return f(n, b=m)\n> In[2](3)f()\n-> return t // (a - 1)\n")
	check("%debug locals", "a = 1\nb = 2\nt = 3\n")
	check("%debug up", "> In[2](6)g()\n-> return f(n, b=m)\n")
	check("%debug p m + n + k ;; args ;; whatis m", "10\nn = 1\nint\n")
	check("%debug -f 0 p [x + t for x in range(2)]", "[3, 4]\n")
	check("%debug t * 2;;p nope;;p t +;;p", "6\n*** NameError: name 'nope' is not defined (did you mean None?)\n"+
		"*** SyntaxError: got end of file, want primary expression\n*** got nothing, want an expression\n")
	check("%debug d;;u 9;;u;;d x", "*** Newest frame\n> In[3](2)<module>()\n-> g(1)\n*** Oldest frame\n*** got x, want an integer > 0\n")
	check("%debug locals;;l", "k = 7\ng = g(n)\n  1     k = 7\n  2  -> g(1)\n")
	check("%debug -f 0 l 2, 3;;l;;l;;l 0", "  2         t = a + b\n  3  ->     return t // (a - 1)\n  4     def g(n):\n  5         m = n * 2\n"+
		"  6         return f(n, b=m)\n[EOF]\n*** got 0, want the number of a line, or of two\n")
	check("%debug -f 0 l 6, 2000000000;;l 2000000000;;where_am_i", "  6         return f(n, b=m)\n[EOF]\n*** NameError: name 'where_am_i' is not defined\n")
	check("%debug help_me", "*** NameError: name 'help_me' is not defined (did you mean help?)\n")
	check("%debug -x", "SyntaxError: %debug: unknown option -x: %debug [-f N] [command]")
	check("%%nope", "SyntaxError: unknown magic %%nope (%lsmagic lists the magics)")
	check("%debug -f 3 w", "*** -f: got 3, want an integer from 0 to 2\n")
	check("%debug", "> In[2](3)f()\n-> return t // (a - 1)\n3\n> In[2](6)g()\n-> return f(n, b=m)\n*** c: the program is over\n", "p t", "u", "c", "q")
	check("%debug", "> In[2](6)g()\n-> return f(n, b=m)\n  In[3](2)<module>()\n-> g(1)\n> In[2](6)g()\n-> return f(n, b=m)\n  In[2](3)f()\n"+
		"-> return t // (a - 1)\nThis front end cannot be asked for commands: write them after %debug, as in %debug up ;; locals. %debug help lists them.\n")
	check("x = 1", "")
	check("%debug", none)
	check("%debug", none)
	check("def f(e, o, q):\n    raise e\nf(ValueError('x' * 70), slice(1), (i for i in [1]))", "ValueError: "+strings.Repeat("x", 70))
	check("%debug locals;;pp e;;pp q", `e = ValueError("`+strings.Repeat("x", 45)+"...\no = slice(None, 1, None)\nq = [1]\n"+
		`ValueError("`+strings.Repeat("x", 70)+"\")\n[1]\n")
	check("%debug pp [10 ** 40, 10 ** 41];;pp {1: 10 ** 80, 2: 3}", "[1"+strings.Repeat("0", 40)+",\n 1"+strings.Repeat("0", 41)+"]\n"+
		"{1: 1"+strings.Repeat("0", 80)+",\n 2: 3}\n")
	check("def f(k, m, d, s, r):\n    raise KeyError(1)\nf([1] * 20, (1,) * 21, {i: 1 for i in range(30)}, set(range(9)), range(10 ** 6))", "KeyError: 1")
	check("%debug locals", "k = ["+strings.Repeat("1, ", 19)+"1]\nm = 21 elements\nd = 30 elements\ns = set([0, 1, 2, 3, 4, 5, 6, 7, 8])\nr = range(1000000)\n")
	check("x = (", "SyntaxError: got end of file, want primary expression ('(' at line 1 was never closed)")
	check("%debug where", "Error: %debug: no calls to look at: SyntaxError: got end of file, want primary expression ('(' at line 1 was never closed)")
}

func TestBreakpoint(t *testing.T) {
	const program = "def h(n):\n    z = n\n    y = z + 1\n    return y\ndef k(n):\n    breakpoint()\n    for i in range(2):\n        q = h(i)\n    return q\nk(5)\nprint('end')"
	for _, test := range []struct{ title, want, answers string }{
		{"goes on", "> In[1](6)k()\n-> breakpoint()\n5\nend\n", "p n|c"},
		{"nobody to ask", "> In[1](6)k()\n-> breakpoint()\nn = 5\nThis front end cannot be asked for commands: the program goes on.\nend\n", ""},
		{"next and step", "> In[1](6)k()\n-> breakpoint()\n> In[1](7)k()\n-> for i in range(2):\n> In[1](8)k()\n-> q = h(i)\n" +
			"> In[1](7)k()\n-> for i in range(2):\n> In[1](8)k()\n-> q = h(i)\n> In[1](2)h()\n-> z = n\n> In[1](3)h()\n-> y = z + 1\nn = 1\nz = 1\nend\n", "n|n|n|n|s|n|locals|c"},
		{"return", "> In[1](6)k()\n-> breakpoint()\n> In[1](11)<module>()\n-> print('end')\nend\n", "r|c"},
		{"break and clear", "> In[1](6)k()\n-> breakpoint()\nBreakpoint at In[1]:3\nIn[1]:3\n> In[1](3)h()\n-> y = z + 1\n> In[1](3)h()\n-> y = z + 1\n" +
			"*** There is no breakpoint at In[1]:9\nend\n", "b 3|b|c|c|clear 9|clear 3|c"},
		{"quit", "> In[1](6)k()\n-> breakpoint()\nBdbQuit: the program was left by q", "q"},
		{"calls while it waits", "> In[1](6)k()\n-> breakpoint()\nBreakpoint at In[1]:3\n8\n> In[1](3)h()\n-> y = z + 1\nend\n", "b 3|p h(7)|c|cl|c"},
	} {
		s := starlibtest.NewSession(t)
		var answers []string
		if test.answers != "" {
			answers = strings.Split(test.answers, "|")
		}
		if got := printed(s, 1, program, answers...); got != test.want {
			t.Errorf("%s:\ngot  %q\nwant %q", test.title, got, test.want)
		}
	}
}

// TestNothingIsKeptAfterAnError has lists in variables of calls that an error leaves.
func TestNothingIsKeptAfterAnError(t *testing.T) {
	var lists []weak.Pointer[slot.List]
	s := starlibtest.NewSession(t)
	fail := func(text string) {
		s.Execute(context.Background(), 1, text, nil)
		for _, call := range s.LastError().Calls() {
			for _, l := range call.Locals() {
				if x, ok := l.Value.(*slot.List); ok {
					lists = append(lists, weak.Make(x))
				}
			}
		}
	}
	alive := func() (n int) {
		runtime.GC()
		for _, x := range lists {
			if x.Value() != nil {
				n++
			}
		}
		return n
	}
	fail("def f(n):\n    x = [n]\n    y = [x[0]]\n    return x[n]\ndef g():\n    z = [1]\n    f(5)\ng()")
	if len(lists) != 3 || alive() != 3 {
		t.Fatalf("%d of %d lists are alive after the error, want 3", alive(), len(lists))
	}
	starlibtest.Run(t, s, 2, "%debug where")
	if n := alive(); n != 3 {
		t.Errorf("%d lists are alive after %%debug, want 3", n)
	}
	starlibtest.Run(t, s, 3, "1 + 1;")
	if n := alive(); n != 0 {
		t.Errorf("%d lists are alive after the next cell, want 0", n)
	}
}

// TestInterruptedLookLosesNothing interrupts an expression: the error that is looked at stays the
// last one.
func TestInterruptedLookLosesNothing(t *testing.T) {
	s := starlibtest.NewSession(t)
	printed(s, 1, "def f(n):\n    return 1 // n\nf(0)")
	ctx, stop := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer stop()
	out := answering()
	_, _, err := s.Execute(ctx, 2, "%debug p [i for i in range(10 ** 12) if i < 0]", out)
	if err == nil || !strings.Contains(strings.Join(out.Log, ""), "*** TimeoutError: ") {
		t.Errorf("got %v after %q, want *** TimeoutError", err, out.Log)
	}
	if got, want := printed(s, 3, "%debug locals"), "n = 0\n"; got != want {
		t.Errorf("after an interrupt: got %q, want %q", got, want)
	}
	if got, want := printed(s, 4, "%debug where\nf('a')"), "> In[1](2)f()"; !strings.Contains(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := printed(s, 5, "%debug locals"), "n = \"a\"\n"; got != want {
		t.Errorf("after a cell that looks and then fails: got %q, want %q", got, want)
	}
}
