package session_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// countLines is Python's own count: of the events of lines that sys.settrace tells, without those
// of frames that only Python has, which comprehensions and the bodies of classes are.
const countLines = `
import io, json, sys
programs = json.load(sys.stdin)
sys.stdout = io.StringIO()
def count(text):
    hits = {}
    def trace(frame, event, arg):
        code = frame.f_code
        if code.co_filename != "prog" or code.co_name in ("<listcomp>", "<dictcomp>", "<setcomp>"):
            return None
        if event == "line" and not ("__module__" in code.co_names and frame.f_lineno == code.co_firstlineno):
            hits[frame.f_lineno] = hits.get(frame.f_lineno, 0) + 1
        return trace
    code = compile(text, "prog", "exec")
    sys.settrace(trace)
    try:
        exec(code, {"__name__": "prog"})
    except Exception:
        pass
    finally:
        sys.settrace(None)
    return hits
json.dump([count(p) for p in programs], sys.__stdout__)
`

// lineTests are programs whose lines Python counts as the machine does.
var lineTests = []struct{ name, text string }{
	{"straight", "x = 1\ny = x + 1; z = 2\nprint(x, y, z)"},
	{"for", "s = 0\nfor i in range(5):\n    s += i\n    t = s\nu = s"},
	{"for that is empty", "for i in []:\n    x = 1\ny = 1"},
	{"for on a line", "s = 0\nfor i in range(4): s += i\nt = s"},
	{"for with break and continue", "for i in range(10):\n    if i % 2:\n        continue\n    if i > 5:\n        break\n    x = i\ny = 1"},
	{"for of pass", "for i in range(3):\n    pass\nx = 1"},
	{"for with else", "for i in range(3):\n    x = i\nelse:\n    y = 1\nfor i in range(3):\n    break\nelse:\n    z = 1\nx = 2"},
	{"nested", "n = 0\nfor i in range(3):\n    for j in range(i):\n        n += 1\n    while n > 100:\n        n -= 1\nx = n"},
	{"while", "n = 5\nwhile n:\n    n -= 1\nx = n"},
	{"while with else", "n = 5\nwhile n > 0:\n    n -= 2\nelse:\n    n = 9\nx = n"},
	{"while with and", "n = 5\nm = 3\nwhile n > 0 and m > 0:\n    n -= 1\n    m -= 1\nx = n"},
	{"while True in try", "n = 3\ntry:\n    while True:\n        n -= 1\n        if n == 0:\n            break\nfinally:\n    n = 7\nx = n"},
	{"while in try", "n = 3\ntry:\n    while n:\n        n -= 1\nfinally:\n    n = 7\nx = n"},
	{"if, elif, else", "def f(n):\n    if n == 0:\n        return 1\n    elif n == 1:\n        return 2\n    elif n == 2: return 3\n    else:\n        return 4\nfor n in range(5):\n    f(n)"},
	{"if with pass", "for n in range(5):\n    if n > 2:\n        pass\n    x = 1"},
	{"functions", "def f(n):\n    'doc'\n    x = n\n    return x\ndef g(n): return f(n)\nfor i in range(3):\n    g(i)\n    f(i)"},
	{"recursion", "def fib(n):\n    if n < 2:\n        return n\n    return fib(n - 1) + fib(n - 2)\nfib(8)"},
	{"lambda", "f = lambda x: x + 1\ng = lambda x: x * 2\nfor i in range(3):\n    f(g(i))"},
	{"called from Go", "def key(x):\n    y = -x\n    return y\nsorted([3, 1, 2], key=key)\nlist(map(key, [1, 2]))"},
	{"comprehensions", "def f(x):\n    return x\na = [f(i) for i in range(4) if i % 2]\nb = {i: f(i) for i in a}\nc = [i + j for i in a for j in a]"},
	{"generators", "def g(n):\n    for i in range(n):\n        yield i\n        x = i\n    yield -1\ns = 0\nfor v in g(3):\n    s += v\nlist(g(2))\nh = g(5)\nnext(h)\nnext(h)"},
	{"generators that delegate", "def g():\n    yield 1\n    yield 2\ndef h():\n    x = yield from g()\n    yield 3\nlist(h())"},
	{"try and except", "def f(n):\n    try:\n        x = 1 // n\n    except ZeroDivisionError:\n        x = 0\n    else:\n        x = 2\n    return x\nf(0)\nf(1)\nf(2)"},
	{"except that is not it", "def f():\n    raise KeyError('a')\ntry:\n    try:\n        f()\n    except ValueError:\n        x = 1\n    except KeyError as e:\n        x = 2\n        raise\nexcept Exception:\n    y = 2\nz = 3"},
	{"except of all", "try:\n    x = 1 // 0\nexcept:\n    y = 1\nz = 2"},
	{"finally", "def f(n):\n    try:\n        return 1 // n\n    finally:\n        x = 1\nf(1)\ntry:\n    f(0)\nexcept ZeroDivisionError:\n    pass\nx = 1"},
	{"exceptions in loops", "n = 0\nfor i in range(4):\n    try:\n        n += 1 // (i % 2)\n    except ZeroDivisionError:\n        continue\n    n += 1\nx = n"},
	{"with", "class C:\n    def __enter__(self):\n        return self\n    def __exit__(self, *args):\n        return True\nfor i in range(3):\n    with C() as c:\n        x = 1\n        y = 1 // i\n    z = 1"},
	{"classes", "class A:\n    n = 1\n    def __init__(self, x):\n        self.x = x\n    def double(self):\n        return self.x * 2\nclass B(A):\n    def double(self):\n        y = super().double()\n        return y + 1\nfor i in range(3):\n    A(i).double()\n    B(i).double()"},
	{"closures", "def outer():\n    n = 0\n    def inner():\n        nonlocal n\n        n += 1\n        return n\n    return inner\nf = outer()\nf()\nf()"},
	{"globals", "n = 0\ndef f():\n    global n\n    n += 1\nf()\nf()"},
	{"assert and del", "x = [1, 2]\nassert x\ndel x[0]\nassert len(x) == 1, 'no'\ndel x"},
	{"augmented", "class O: pass\no = O()\no.n = 0\nd = {}\nfor i in range(3):\n    o.n += i\n    d[i] = i\n    d[i] += 1\nx = d"},
	{"that fails", "def f(n):\n    x = 1\n    y = x // n\n    return y\nfor i in [2, 1, 0, 5]:\n    f(i)\nz = 1"},
	{"in an iterable that fails", "def f():\n    return 1 // 0\nx = 1\nfor i in f():\n    x = 2\ny = 3"},
	{"pass", "def f():\n    pass\nclass A:\n    pass\nif True:\n    pass\nelse:\n    x = 1\nf()"},
	{"floats in a loop", "def mean(xs):\n    total = 0.0\n    for x in xs:\n        total += x\n    return total / len(xs)\nfor k in range(3):\n    mean([1.0, 2.0, 3.0])"},
}

func TestLinesAreCountedAsPythonDoes(t *testing.T) {
	const python = "/usr/bin/python3"
	if _, err := os.Stat(python); err != nil {
		t.Skip("no " + python)
	}
	var texts []string
	for _, test := range lineTests {
		texts = append(texts, test.text)
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-c", countLines)
	cmd.Stdin, cmd.Stderr = strings.NewReader(string(in)), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []map[string]int64
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	for i, test := range lineTests {
		t.Run(test.name, func(t *testing.T) {
			s := starlibtest.NewSession(t)
			end := s.WatchLines()
			s.Execute(context.Background(), 1, test.text, nil)
			got := map[string]int64{}
			for _, row := range end() {
				got[strconv.Itoa(row.Line)] += row.Hits
			}
			for n, line := range strings.Split(test.text, "\n") {
				if key := strconv.Itoa(n + 1); got[key] != want[i][key] {
					t.Errorf("line %s: got %d, Python has %d: %s", key, got[key], want[i][key], line)
				}
			}
		})
	}
}
