package value_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
	"github.com/arignote/arignote/starlib/value"
)

// Programs that make calls in two ways, of which one, with a star, is not quick: they print where
// it makes a difference. Operands are what quick functions know, and what they leave to the
// functions.
const quickly = `import numpy as np

def outcome(f, *args):
    try:
        return repr(f(*args))
    except Exception as e:
        return "%s: %s" % (type(e).__name__, e)

def compare(what, quick, called):
    if quick != called:
        print(what[:200], "is", quick[:200], "and with a star", called[:200])

operands = [lambda: 0, lambda: -1, lambda: 3, lambda: 2**63 - 1, lambda: -2**63, lambda: 2**63, lambda: 1.5, lambda: -0.0,
    lambda: 1e300, lambda: float("inf"), lambda: float("nan"), lambda: True, lambda: None, lambda: "", lambda: "a",
    lambda: "a,b,,c", lambda: "ä,ß", lambda: b"a", lambda: [], lambda: ["a", "b"], lambda: [1, "b"], lambda: ("a",),
    lambda: {"a": 1, 3: 4, 1.5: 5}, lambda: {1, 2}, lambda: np.arange(2), lambda: "a" * 5000]

def functions():
    for make in operands + [lambda: np.float64(0.5)]:
        x = make()
@        compare("NAME(%r)" % (x,), outcome(lambda: NAME(x)), outcome(lambda: NAME(*[x])))
        for other in operands:
            y = other()
@            compare("NAME(%r, %r)" % (x, y), outcome(lambda: NAME(x, y)), outcome(lambda: NAME(*[x, y])))
@    compare("NAME()", outcome(lambda: NAME()), outcome(lambda: NAME(*[])))

def methods():
    for make in operands:
        a, b = make(), make()
$        compare("%r.NAME()" % (a,), outcome(lambda: (a.NAME(), a)), outcome(lambda: (b.NAME(*[]), b)))
        for argument in operands:
            x = argument()
$            compare("%r.NAME(%r)" % (a, x), outcome(lambda: (a.NAME(x), a)), outcome(lambda: (b.NAME(*[x]), b)))
            for y in [0, "a", None]:
                pass # where there are no methods
$                compare("%r.NAME(%r, %r)" % (a, x, y), outcome(lambda: (a.NAME(x, y), a)), outcome(lambda: (b.NAME(*[x, y]), b)))

def few(f):
    def first(*args):
        xs = []
        for i in f(*args):
            xs.append(i)
            if len(xs) == 4:
                break
        return xs
    return first

def first1(stop):
    xs = []
    for i in range(stop):
        xs.append(i)
        if len(xs) == 4:
            break
    return xs

def first2(start, stop):
    xs = []
    for i in range(start, stop):
        xs.append(i)
        if len(xs) == 4:
            break
    return xs

def first3(start, stop, step):
    xs = []
    for i in range(start, stop, step):
        xs.append(i)
        if len(xs) == 4:
            break
    return xs

def ranges():
    bounds = [0, 1, -3, 7, 2**40, 2**40 + 2, -2**62, 2**62, 1.5, None, np.int64(3)]
    for a in bounds:
        compare("range(%r)" % (a,), outcome(first1, a), outcome(few(range), a))
        for b in bounds:
            compare("range(%r, %r)" % (a, b), outcome(first2, a, b), outcome(few(range), a, b))
            for c in [1, -1, 3, -3, 0, 2**40, -2**62, None]:
                compare("range(%r, %r, %r)" % (a, b, c), outcome(first3, a, b, c), outcome(few(range), a, b, c))

functions()
methods()
ranges()
`

// forNames repeats the lines that begin with a mark for each name.
func forNames(src, mark string, names []string) string {
	out := new(strings.Builder)
	for line := range strings.Lines(src) {
		rest, ok := strings.CutPrefix(line, mark)
		if !ok {
			out.WriteString(line)
			continue
		}
		for _, name := range names {
			out.WriteString(strings.ReplaceAll(rest, "NAME", name))
		}
	}
	return out.String()
}

func TestQuickIsAsCalled(t *testing.T) {
	if testing.Short() {
		t.Skip("short: every function and method with every value")
	}
	s := starlibtest.NewSession(t)
	var functions []string
	for name, v := range s.Predeclared() {
		if b := value.AsBuiltin(v); b != nil && b.Quick != nil {
			functions = append(functions, name)
		}
	}
	slices.Sort(functions)
	methods := slices.Sorted(maps.Keys(value.QuickMethods))
	for _, name := range []string{"isinstance", "len", "sorted", "type"} { // of several tables
		if !slices.Contains(functions, name) {
			t.Errorf("%s is not quick", name)
		}
	}
	if len(functions) < 5 || len(methods) < 5 {
		t.Fatalf("got only the functions %v and the methods %v", functions, methods)
	}
	_, out := starlibtest.Run(t, s, 1, forNames(forNames(quickly, "@", functions), "$", methods))
	if len(out.Log) > 0 {
		t.Error(fmt.Sprint(out))
	}
}
