package session_test

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/runtime/memory"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// limited returns a session in which values may hold some 44 MB.
func limited(t *testing.T) *starlib.Session {
	memory.Collect()
	memory.SetLimit(100e6)
	t.Cleanup(func() { memory.SetLimit(0) })
	return starlibtest.NewSession(t)
}

// hostile are programs that want more memory than there is. Asked: what the error says was asked
// for, "" if it was found that values have grown; line: the line that the error names, 0 for any.
var hostile = []struct {
	name, code, asked string
	line              int
}{
	{"repeat a list", "x = [0] * 10**9", "*: a list of 1000000000 elements needs 24000000000 bytes", 1},
	{"repeat from the left", "x = 10**9 * (1, 2)", "*: a tuple of 2000000000 elements needs 32000000000 bytes", 1},
	{"repeat text", "x = 'ab' * 10**12", "*: a string needs 2000000000000 bytes", 1},
	{"repeat bytes", "x = b'ab' * 10**9", "*: bytes needs 2000000000 bytes", 1},
	{"repeat what is unknown", "def f(x, n):\n    return x * n\nf([1], 10**9)", "*: a list of 1000000000 elements needs 24000000000 bytes", 2},
	{"repeat in place", "xs = [0]\nxs *= 10**9", "*: a list of 1000000000 elements needs 24000000000 bytes", 2},
	{"repeat an element in place", "xs = [[0]]\nxs[0] *= int('1000000000')", "*: a list of 1000000000 elements needs 24000000000 bytes", 2},
	{"double a list", "a = [1]\nwhile True:\n    a += a", `+=: a list of \d+ elements needs \d+ bytes`, 3},
	{"double a list in a function", "def f(a):\n    while True:\n        a += a\nf([1])", `+=: a list of \d+ elements needs \d+ bytes`, 3},
	{"double text", "a = 'x'\nwhile True:\n    a += a", `+=: a string needs \d+ bytes`, 3},
	{"double a tuple", "a = (1,)\nwhile True:\n    a = a + a", `+: a tuple of \d+ elements needs \d+ bytes`, 3},
	{"double bytes", "a = b'x'\nwhile True:\n    a = a + a", `+: bytes needs \d+ bytes`, 3},
	{"double in a loop of its own", "for i in range(1):\n    a = [1, 2]\n    while True:\n        a = a + a", `+: a list of \d+ elements needs \d+ bytes`, 4},
	{"extend", "xs = []\nxs.extend(range(10**9))", "extend: a list of 1000000000 elements needs 24000000000 bytes", 2},
	{"add a range", "xs = []\nxs += range(10**9)", `+=: a list of 1000000000 elements needs 24000000000 bytes`, 2},
	{"add a range to an element", "xs = [[]]\nxs[0] += range(10**9)", `+=: a list of 1000000000 elements needs 24000000000 bytes`, 2},
	{"large ints", "x = tuple(range(2**40, 2**40 + 10**6))", "tuple: a list of 1000000 elements needs 56000000 bytes", 1},
	{"list", "x = list(range(10**9))", "list: a list of 1000000000 elements needs 24000000000 bytes", 1},
	{"characters", "x = list('x' * 10**7)", "list: a list of 10000000 elements needs 240000000 bytes", 1},
	{"tuple", "x = tuple(range(10**9))", "tuple: a list of 1000000000 elements needs 16000000000 bytes", 1},
	{"set", "x = set(range(10**8))", "set: a set of 100000000 elements needs 7650410496 bytes", 1},
	{"display of elements", "x = [*range(10**9)]", `\*: a list of 1000000000 elements needs 24000000000 bytes`, 1},
	{"arguments", "def f(*args): return len(args)\nf(*range(10**9))", `\*: a list of 1000000000 elements needs 24000000000 bytes`, 2},
	{"sorted", "x = sorted(range(10**9))", "sorted: a list of 1000000000 elements needs 72000000000 bytes", 1},
	{"reversed", "x = reversed(range(10**9))", "reversed: a list of 1000000000 elements needs 24000000000 bytes", 1},
	{"zip", "x = zip(range(10**9), range(10**9))", "zip: a list of 1000000000 elements needs 80000000000 bytes", 1},
	{"enumerate", "x = enumerate(range(10**9))", "enumerate: a list of 1000000000 elements needs 80000000000 bytes", 1},
	{"map", "x = map(lambda i: i, range(10**9))", "", 1},
	{"join", "x = ','.join(['abc' * 100] * 10**6)", "join: a string needs 300999999 bytes", 1},
	{"replace", "x = ('ab' * 10**6).replace('a', 'x' * 1000)", "replace: a string needs 1001000000 bytes", 1},
	{"replace nothing", "x = ('ab' * 10**6).replace('', 'x' * 1000)", "replace: a string needs 2002001000 bytes", 1},
	{"split", "x = ('a,' * 10**6).split(',')", "split: a list of 1000001 elements needs 56000056 bytes", 1},
	{"lines", "x = ('a\\n' * 10**6).splitlines()", "splitlines: a list of 1000001 elements needs 56000056 bytes", 1},
	{"upper case", "s = 'x' * (25 * 10**6)\nx = s.upper()", "upper: a string needs 25000000 bytes", 2},
	{"a slice", "xs = [0] * (15 * 10**5)\nys = [xs[:], xs[:]]", `\[:\]: a list of 1500000 elements needs 36000000 bytes`, 2},
	{"percent", "x = '%s' * 1000 % tuple(['x' * 10**6] * 1000)", `%: a string needs \d+ bytes`, 1},
	{"format", "x = ('{}' * 1000).format(*['x' * 10**6] * 1000)", `format: a string needs \d+ bytes`, 1},
	{"f-string", "s = 'x' * 10**7\nx = f'{s}{s}{s}{s}{s}'", "f-string: a string needs 50000000 bytes", 2},
	{"repr", "x = ['x' * 10**6] * 1000\ny = repr(x)", `repr: a string needs \d+ bytes`, 2},
	{"str of a value that doubles", "x = []\nfor i in range(60): x = [x, x]\ny = str(x)", `repr: a string needs \d+ bytes`, 3},
	{"a comprehension", "x = [i for i in range(10**9)]", "", 1},
	{"a growing list", "x = []\nfor i in range(10**9): x.append(i)", "", 2},
	{"a growing dict", "d = {}\nfor i in range(10**9): d[i] = i", "", 2},
	{"a growing set", "s = set()\nfor i in range(10**9): s.add(i)", "", 2},
	{"dict comprehension", "d = {i: i for i in range(10**9)}", "", 1},
	{"nested tuples", "x = ()\nwhile True: x = (x, x)", "", 2},
	{"recursion", "def f(n): return 1 if n == 0 else (f(n - 1), [n] * 1000)\nx = f(5000)", "", 1},
	{"a generator", "def f():\n    while True:\n        yield 'x'\nx = list(f())", "", 0},
	{"unpacking a generator", "def f():\n    while True:\n        yield 'x'\na, *b = f()", "", 0},
	{"a graph", "x = T.dscalar('x')\ny = x\nfor i in range(10**7): y = y + x", "", 3},
}

// TestHostilePrograms: each ends in an error that names its line and the bytes; what was there
// before is there after, and memory is given back.
func TestHostilePrograms(t *testing.T) {
	s := limited(t)
	starlibtest.Run(t, s, 1, "keep = list(range(1000))")
	for i, tt := range hostile {
		if !long.Turn(i, 1) {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			err := starlibtest.Fails(t, s, 2, tt.code)
			const grown = `values hold \d+ bytes of memory, more than the \d+ bytes that they may hold`
			want := tt.asked + ` of memory, which with the \d+ bytes that values hold is more than the \d+ bytes that they may hold`
			if tt.asked == "" {
				want = grown
			}
			if tt.asked != "" && tt.asked[0] == '*' {
				want = `\` + want
			}
			want = "^" + strings.Replace(want, "+=:", `\+=:`, 1) + ` \(config.memory_limit is 100000000\)$`
			want = strings.Replace(want, "^+:", `^\+:`, 1)
			if strings.HasPrefix(tt.name, "double") {
				// What doubles holds the old and the new value for a moment: a collection then
				// finds the growth before the next step asks.
				want += "|^" + grown
			}
			if !regexp.MustCompile(want).MatchString(err.Error()) || err.Name() != "MemoryError" {
				t.Errorf("got %s: %s\nwant %s", err.Name(), err, want)
			}
			frames := err.Frames()
			if len(frames) == 0 || tt.line != 0 && frames[len(frames)-1].Line != tt.line {
				t.Errorf("got frames %v, want line %d", frames, tt.line)
			}
			for _, name := range []string{"x", "xs", "ys", "a", "d", "s", "y"} {
				starlibtest.Run(t, s, 3, name+" = None")
			}
			if shown, _ := starlibtest.Run(t, s, 4, "z = [0] * 10**6\nz = None\nsum(keep)"); shown != "499500" {
				t.Errorf("then: got %s", shown)
			}
		})
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if held := m.HeapSys - m.HeapReleased; held > 400e6 {
		t.Errorf("%d bytes are held", held)
	}
}

// TestMemoryWithinLimit: what fits is computed, garbage however much.
func TestMemoryWithinLimit(t *testing.T) {
	s := limited(t)
	for _, code := range []string{
		"for i in range(50): x = [0] * (8 * 10**5)",
		"for i in range(50): x = 'x' * 10**7",
		"a = []\nfor i in range(200000): a = [i, i, i, i, str(i)]",
		"xs = []\nfor i in range(10**6): xs.append(i)",
		"xs = None\nd = {}\nfor i in range(10**5): d[i] = i",
		"x = ','.join([str(i) for i in range(10**5)])\nfor i in range(10): y = x.split(',')",
	} {
		if _, _, err := s.Execute(context.Background(), 1, code, nil); err != nil {
			t.Errorf("%s: %v", code, err)
		}
	}
}

// TestShownShort: a value whose text is long is shown as far as anybody looks; print shows all.
func TestShownShort(t *testing.T) {
	s := starlibtest.NewSession(t)
	for _, code := range []string{"['x' * 10**6] * 10", "x = []\nfor i in range(60): x = [x, x]\nx", "range(3) and list(range(10**6))"} {
		if shown, _ := starlibtest.Run(t, s, 1, code); len(shown) < 1<<19 || len(shown) > 1<<20+3 || !strings.HasSuffix(shown, "...") {
			t.Errorf("%s: got %d bytes that end in %q", code, len(shown), shown[max(0, len(shown)-10):])
		}
	}
	if _, out := starlibtest.Run(t, s, 1, "print(list(range(10**6)))"); len(out.String()) < 6*1e6 {
		t.Errorf("print: got %d bytes", len(out.String()))
	}
}

// TestNestedKeys: what nests too deep to be hashed is refused, before Go ends the program.
func TestNestedKeys(t *testing.T) {
	s := starlibtest.NewSession(t)
	deep := "x = ()\nfor i in range(2000): x = (x,)\n"
	wide := "x = ()\nfor i in range(60): x = (x, x)\n"
	for _, x := range []string{deep, wide} {
		for _, use := range []string{"{x: 1}", "d = {}\nd[x] = 1", "set([x])", "set().add(x)", "set([1]).union([x])", "set([1]).issubset([x])", "x in {}", "dict([(x, 1)])",
			"{y: 1 for y in [x]}", "{x}"} {
			err := starlibtest.Fails(t, s, 1, x+use)
			if want := "a key of nested tuples: got more than 1000 levels or 65536 tuples"; !strings.HasSuffix(err.Error(), want) {
				t.Errorf("%s: got %v, want %s", use, err, want)
			}
		}
	}
	if shown, _ := starlibtest.Run(t, s, 1, fmt.Sprintf("x = 1\nfor i in range(%d): x = (x, 2)\nlen({x: 7})", 900)); shown != "1" {
		t.Errorf("got %s", shown)
	}
}

// TestMemoryErrorsAreCaught: what arrays, lists and text want too much of is a MemoryError to a
// program, whatever refuses it.
func TestMemoryErrorsAreCaught(t *testing.T) {
	s := limited(t)
	for _, want := range []string{
		"np.zeros(10**8)", "np.ones((10**4, 10**4)) + 1", "np.arange(10**8)", "np.zeros(10**18)", "np.eye(10**8)", "np.linspace(0, 1, 10**16)",
		"np.pad(np.ones(3), 10**17)", "np.broadcast_to(np.ones(1), (10**17,)) + 1", "np.ones(10**3).repeat(10**6)", "np.outer(np.ones(10**5), np.ones(10**5))",
		"np.random.rand(10**8)", "np.tri(10**8)", "[0] * 10**9", "'x' * 10**12", "list(range(10**9))",
		"theano.function([], T.zeros((10**8,)))()", "theano.function([v], T.outer(v, v))(np.ones(10**5))", "theano.shared(np.ones(10**8))",
	} {
		for _, class := range []string{"MemoryError", "Exception", "(ValueError, MemoryError)"} {
			code := "v = T.dvector('v')\ntry:\n    x = " + want + "\n    print('no error')\nexcept " + class + " as e:\n    print(type(e).__name__, isinstance(e, ValueError))\n"
			var out starlibtest.Printed
			if _, _, err := s.Execute(context.Background(), 1, code, &out); err != nil || out.String() != "MemoryError False\n" {
				t.Errorf("%s: got %q, %v", want, out.String(), err)
			}
		}
	}
}
