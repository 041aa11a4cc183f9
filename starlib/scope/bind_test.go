package scope_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"go.starlark.net/syntax"
)

// kinds are how the table below names them.
var kinds = map[scope.Kind]string{
	scope.Undefined: "undefined", scope.Local: "local", scope.Cell: "cell", scope.Free: "free", scope.Member: "member",
	scope.Global: "global", scope.Shared: "shared", scope.Universal: "universal",
}

// bound lists the names of a text with their kinds, each once, in the order of their places.
func bound(t *testing.T, text string, isModule bool) string {
	t.Helper()
	f, err := parse.File("text", text, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := scope.Prepare(f, isModule); err != nil {
		return err.Error()
	}
	known := func(name string) bool { return name[0] == '$' || name == "np" }
	universal := func(name string) bool { return name == "len" || name == "range" || name == "print" }
	scope.Bind(f, scope.Outside{Cell: !isModule, Shared: known, Universal: universal})
	var out []string
	syntax.Walk(f, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok && !strings.HasPrefix(id.Name, "$") {
			if b, ok := id.Binding.(*scope.Binding); ok {
				if line := fmt.Sprint(id.Name, " ", kinds[b.Kind]); !slices.Contains(out, line) {
					out = append(out, line)
				}
			}
		}
		return true
	})
	return strings.Join(out, ", ")
}

func TestBind(t *testing.T) {
	for _, c := range []struct{ text, cell, module string }{
		{"x = 1\nx", "x shared", "x global"},
		{"y", "y undefined", "y undefined"},
		{"np\nlen", "np shared, len universal", "np shared, len universal"},
		{"def f(a):\n    b = a\n    return b, c", "f shared, a local, b local, c undefined", "f global, a local, b local, c undefined"},
		{"def f(a):\n    def g(): return a\n    return g", "f shared, a cell, g local, a free", ""},
		{"def f():\n    n = 0\n    def g():\n        nonlocal n\n        n = 1\n    return g", "f shared, n cell, g local, n free", ""},
		{"def f():\n    global x\n    x = 1", "f shared, x shared", "f global, x global"},
		{"[i for i in range(3)]", "i local, range universal", ""},
		{"i = 1\n[i for j in range(i)]", "i shared, j local, range universal", ""},
		{"def f(x):\n    return [x for x in x]", "f shared, x local", ""},
		{"class A:\n    n = 1\n    m = n\n    def f(self): return n", "A shared, n member, m member, f member, self local, n undefined", ""},
		{"n = 1\nclass A:\n    n = n\n    def f(self): return n", "n shared, A shared, n member, f member, self local", ""},
		{"def f():\n    t = 1\n    class A:\n        u = t", "f shared, t cell, A local, u member, t free", ""},
		{"def f():\n    if (n := 3) > 2: return n", "f shared, n local", ""},
		{"def f(xs):\n    [(y := x) for x in xs]\n    return y", "f shared, xs local, y local, x local", ""},
		{"try:\n    a = 1\nexcept KeyError as e:\n    a\nelse:\n    b = a\nfinally:\n    b", "a shared, KeyError undefined, e shared, b shared", ""},
		{"with np as (a, b):\n    c = a", "np shared, a shared, b shared, c shared", ""},
		{"def f():\n    del x\n    x = 1", "f shared, x local", ""},
		{"def f(*args, k, **kw): return args, k, kw", "f shared, args local, k local, kw local", ""},
		{"f = lambda x, y=np: x + y", "f shared, x local, y local, np shared", ""},
		{"def f():\n    nonlocal q\n    q = 1", "text:2:14: nonlocal q: no function around this one has a variable q", ""},
		{"def f(x):\n    global x", "text:2:12: name 'x' is parameter and global", ""},
		{"return 1", "text:1:1: return statement not within a function", ""},
		{"class A:\n    return 1", "text:2:5: return statement not within a function", ""},
		{"x = (yield 1)", "text:1:6: yield outside of a function", ""},
		{"class A:\n    def f(): return super().f()", "text:2:21: super() in a function without a first parameter; write super(A, x)", ""},
	} {
		if got := bound(t, c.text, false); got != c.cell {
			t.Errorf("%s\ngot  %s\nwant %s", c.text, got, c.cell)
		}
		if got := bound(t, c.text, true); c.module != "" && got != c.module {
			t.Errorf("a module of\n%s\ngot  %s\nwant %s", c.text, got, c.module)
		}
	}
}

// A class's private names are the class's; what is private to another class is not.
func TestPrivateNames(t *testing.T) {
	text := "class A:\n    __x = 1\n    def f(self, __y): return self.__x + __y + __z__\nclass _B:\n    __x = A"
	const want = "A shared, _A__x member, f member, self local, _A__y local, __z__ undefined, _B shared, _B__x member"
	if got := bound(t, text, false); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
