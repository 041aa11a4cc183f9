package vm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
)

// listed is f(0), f(1), ... between commas.
func listed(n int, format string) string {
	var parts []string
	for i := range n {
		parts = append(parts, fmt.Sprintf(format, i))
	}
	return strings.Join(parts, ", ")
}

// repeated are n lines.
func repeated(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format+"\n", i)
	}
	return b.String()
}

// TestLargePrograms runs programs that have much of one thing on both sides.
func TestLargePrograms(t *testing.T) {
	for name, src := range map[string]string{
		"locals": "def f(a):\n" + repeated(300, "  v%[1]d = a + %[1]d") + "  return [" + listed(300, "v%d") + "]\nprint(f(5))\n",
		"locals that are shared": "def f(a):\n" + repeated(300, "  v%[1]d = a + %[1]d") +
			"  def g():\n    return [" + listed(300, "v%d") + "]\n  v299 += 1\n  return g()\nprint(f(5))\n",
		"locals that have no value": "def f(a):\n  if a:\n" + repeated(200, "    v%[1]d = %[1]d") + "  return v199\nprint(f(1))\nf(0)\n",
		"locals that loops bind": "def f(a):\n" + repeated(200, "  v%[1]d = %[1]d") +
			"  for w in range(3):\n    for u, z in [(w, v1)]:\n      w += u + z\n  w += v199\n  return w, [q + w for q in (1, 2)]\nprint(f(5))\n",
		"globals":                  repeated(1000, "g%[1]d = %[1]d") + "print(" + "[" + listed(1000, "g%d") + "])\n",
		"arguments":                "def f(*a): return a\nprint(f(" + listed(250, "%d") + "))\n",
		"arguments in turn":        "def f(*a, **k): return a, k\nprint(f(" + listed(60, "log(%d)") + ", x=log(60)))\n",
		"arguments and *":          "def f(*a, **k): return a, k\nprint(f(" + listed(220, "log(%d)") + ", a=log(1), *log([1, 2]), **log({\"b\": 2})))\n",
		"arguments of a builtin":   "print(" + listed(250, "%d") + ")\nprint(max(" + listed(100, "%d") + "))\n",
		"arguments with names":     "def f(**k): return k\nprint(f(" + listed(150, "a%[1]d=%[1]d") + "))\n",
		"parameters":               "def f(" + listed(120, "a%d") + "): return a0 + a119\nprint(f(" + listed(120, "%d") + "))\n",
		"parameters with defaults": "def f(" + listed(100, "a%[1]d=%[1]d") + "): return a0 + a99\nprint(f(), f(5, a99=1))\n",
		"elements of a list":       "x = [" + listed(10000, "%d") + "]\nprint(len(x), x[9999], x[5000])\n",
		"elements of a tuple":      "x = (" + listed(10000, "%d") + ")\nprint(len(x), x[9999], type(x))\n",
		"elements of a dict":       "x = {" + listed(10000, "%[1]d: %[1]d") + "}\nprint(len(x), x[9999])\n",
		"elements that fail":       "def f(a):\n  return [" + listed(100, "a[%d]") + "]\nf([1, 2, 3])\n",
		"targets":                  listed(100, "t%d") + " = range(100)\nprint(t0, t99)\n",
		"targets of a tuple":       listed(60, "t%d") + " = " + listed(60, "log(%d)") + "\nprint(t0, t59)\n",
		"statements":               repeated(20000, "x = %d") + "print(x)\n",
		"branches":                 "def f(x):\n  if x < 0: return x\n" + repeated(3000, "  elif x == %[1]d: return %[1]d * 2") + "print(f(2999), f(3000))\n",
		"a long loop body":         "x = 0\nfor i in range(3):\n" + repeated(20000, "  x += %d") + "print(x)\n",
		"operators":                "x = 1\nprint(x" + strings.Repeat(" + x", 100000) + ")\n",
		"operators in turn":        "def f(x): return x" + strings.Repeat(" + x * 2 - x", 10000) + "\nprint(f(3))\n",
		"conditions":               "x = 0\nprint(x" + strings.Repeat(" or x", 5000) + " or 5)\nif x" + strings.Repeat(" and x", 5000) + ": print(1)\n",
		"text":                     "print(len(" + strings.Repeat(`"abc" + `, 5000) + `"d"))` + "\n",
		"attributes":               "o = obj()\no.o = o\nprint(o" + strings.Repeat(".o", 5000) + ")\n",
		"calls in a row":           "f = lambda: f\nprint(f" + strings.Repeat("()", 5000) + ")\n",
		"parentheses":              "x = 1\nprint(" + nest(40, "(x + ", "x", ")") + ")\n",
		"lists in lists":           "x = 1\nprint(" + nest(40, "[x, ", "x", "]") + ")\n",
		"calls in calls":           "f = lambda x: x + 1\nprint(" + nest(80, "f(", "0", ")") + ")\n",
		"conditionals":             "x = 1\nprint(" + nest(40, "0 if x == 0 else (", "x", ")") + ")\n",
		"indices":                  "x = [0, 1]\nprint(" + nest(80, "x[", "1", "]") + ")\n",
		"loops in loops":           nestLoops(40) + "print(n)\n",
		"functions":                nestFunctions(60) + "print(f0())\n",
		"calls deep":               "def f(n): return 0 if n == 0 else 1 + f(n - 1)\nprint(f(20000))\n",
		"calls deep that fail":     "def f(n): return 1 // n if n == 0 else 1 + f(n - 1)\nf(3000)\n",
	} {
		t.Run(name, func(t *testing.T) {
			got, want := ours(src), upstream(src)
			if got != want {
				t.Errorf("got %.3000s\nwant %.3000s", got, want)
			}
			if want.failed != "" && want.stack == "" {
				t.Errorf("it is no program: %s", want.failed)
			}
		})
	}
}

// nest is open n times, what is innermost, and close n times.
func nest(n int, open, innermost, closing string) string {
	return strings.Repeat(open, n) + innermost + strings.Repeat(closing, n)
}

func nestLoops(n int) string {
	var b strings.Builder
	b.WriteString("n = 0\n")
	for i := range n {
		fmt.Fprintf(&b, "%sfor i%d in [1]:\n", strings.Repeat(" ", i), i)
	}
	fmt.Fprintf(&b, "%sn += 1\n", strings.Repeat(" ", n))
	return b.String()
}

func nestFunctions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sdef f%d(a%d=%d):\n", strings.Repeat(" ", i), i, i, i)
	}
	fmt.Fprintf(&b, "%sreturn a0 + a%d\n", strings.Repeat(" ", n), n-1)
	for i := n - 1; i > 0; i-- {
		fmt.Fprintf(&b, "%sreturn f%d()\n", strings.Repeat(" ", i), i)
	}
	return b.String()
}

// Calls nest as deep as a machine allows, also those through builtins, and then fail.
func TestDeepestCall(t *testing.T) {
	for name, c := range map[string]struct {
		src   string
		calls int
	}{
		"functions":      {"def f(n): return f(n + 1)\nf(0)\n", 20000},
		"comprehensions": {"def f(n): return [f(n + 1) for _ in range(1)]\nf(0)\n", 20000},
		"builtins":       {"def f(n): return call(f, n + 1)\nf(0)\n", 20000},
		"sorted":         {"def f(n): return sorted([n], key=f)\nf(0)\n", 20000},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := program(c.src)
			if err != nil {
				t.Fatal(err)
			}
			thread, _ := newThread()
			m := vm.Attach(thread, vm.Limits{Deepest: c.calls, TooDeep: "too deep"})
			found := globals()
			for range 2 { // the second time on the same machine
				_, err := vm.Run(thread, p, found)
				if err == nil || !strings.HasSuffix(err.Error(), "too deep") {
					t.Errorf("got %v, want too deep", err)
				}
				if m.Depth() != 0 {
					t.Errorf("after it there are %d calls", m.Depth())
				}
			}
			if v, err := starlark.Call(thread, starlark.Universe["len"], starlark.Tuple{starlark.String("abc")}, nil); err != nil {
				t.Errorf("then: %v, %v", v, err)
			}
		})
	}
}
