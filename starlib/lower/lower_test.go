package lower_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// wild are statements that let arrays and text flow through variables that were numbers: through
// closures, defaults, unpacking, loops and comprehensions. <any> is an expression of any type.
var wild = table(`
any     <int>; <float>; <vec>; <ivec>; <bool>; <ints>; <str>
any     (<any> if <bool> else <any>); [q for q in [<any>, <any>]][0]; (lambda q, r=<any>: [q, r][1])(1); dict(a=<any>)['a']; h0(<any>)
op      <any> < <any>; <any> == <any>; <any> != <any>; <any> % <nonzero>; <any> >= 2; [q < 2 for q in [<any>, <any>]]; [q == r for q, r in [(<any>, 1)]]
op      (lambda q: q == 1)(<any>); (lambda q, r=[p == 2 for p in [<any>]]: r)(1); [q % 3 for q in <ivec>]; abs(<any>) > 1; max(<int>, <any>) == 1
op      len([<any>]) == 1; (<any>, <any>)[0] < 3; -<any> == 1; (<any> + <any>) == 2; <any> < 2 <= <any>; [i < q for i, q in enumerate([<any>])]
op      h0(<any>) == 1; h1(<any>) < 2; h2(<small>); h2(<any>); h3(<any>, <any>); h4(<any>)()
wild    <VAR> = <any>; <VAR>, <VAR> = <any>, <any>; (<VAR>, [<VAR>]) = (<any>, [<any>]); <VAR> += <any>; <VAR> -= <small>; <VAR> *= 2; <VAR> %= 3; <VAR> **= 2
wild    print(<op>); print(<VAR>, <VAR> == 1); <VAR> = <op>; print(<VAR> < <VAR>); print([<op> for z0 in [1, 2]]); <VAR> = <VAR> = <any>
wild    for <VAR> in [<any>, <any>]:\n    <VAR> = <any>\n    print(<op>); for <VAR> in range(<small>):\n    <VAR> += <any>\n    print(<VAR> == 1)
wild    for <VAR>, <VAR> in enumerate([<any>, <any>]):\n    print(<VAR> < 1, <op>); for <VAR> in <ints>:\n    z9.append(<VAR>)\n    <VAR> = len(z9)\n    print(<op>)
wild    for <VAR> in range(3):\n    if <VAR> == 1:\n        <VAR> = <any>\n        continue\n    <VAR> = <op>\nprint(<VAR>)
wild    z1 = 0\nwhile z1 < 3:\n    z1 += 1\n    <VAR> = <any>\n    print(<op>, <VAR>)
wild    *<VAR>, <VAR> = [<any>, <any>]; <VAR> = [<VAR> == q for q in [<any>]]; if <bool>:\n    <VAR> = <any>\nelse:\n    <VAR> = <any>
`)

// wildFunctions are called by the statements.
const wildFunctions = `
z9 = []
def h0(p):
    return p
def h1(p, q=2):
    for r in range(2):
        if p == r:
            p = [p, v0][q % 2]
        p, q = q, p
    return p
def h2(n, k=v0):
    out, i = [], 0
    while i < 3:
        i += 1
        out.append([n % 2, i < n, k == n])
        def inner(m, j=[y == 1 for y in [n, k]]):
            return m < i, j
        out.append(inner(n))
    n = k
    return out, n == 1
def h3(a, b, *rest, c=1, **named):
    "Has two bodies below this."
    for i in range(2):
        a, b = b, a + c
        c = a == b
        rest += (c,)
        c = 2
    return rest, [x for x in rest if c != 3]
def h4(n):
    for i in range(3):
        n = n + i
    return lambda: (n < 2, n % 3)
`

// TestForget runs generated cells with and without what package lower does to save time: they must
// print the same, and leave the same variables behind.
func TestForget(t *testing.T) {
	all := make([]string, 0, len(features))
	for _, f := range features {
		all = append(all, f.name)
	}
	run := func(cells []string, slow bool) string {
		s := starlib.NewSession(starlib.Options{})
		if slow {
			s.RunSlowly()
		}
		var out starlibtest.Printed
		for i, code := range cells {
			if _, _, err := s.Execute(t.Context(), i+1, code, &out); err != nil {
				e := err.(*starlib.Error)
				fmt.Fprintf(&out, "%s: %s, on line %d\n", e.Name(), e.Error(), e.Frames()[len(e.Frames())-1].Line)
			}
		}
		return out.String()
	}
	failed := 0
	for i := range 80 {
		g := &generator{rnd: rand.New(rand.NewPCG(2, uint64(i))), has: all}
		cells := []string{g.program() + "v0 = v1 = v2 = 1", wildFunctions}
		for range 12 {
			cells = append(cells, g.wild("wild", 3))
		}
		cells = append(cells, strings.Join(cells[2:], "\n"), "print([v0, v1, v2, z9])")
		got, want := run(cells, false), run(cells, true)
		if strings.Contains(got, "InternalError") {
			t.Errorf("program %d:\n%s\ngot\n%s", i, strings.Join(cells, "\n# %%\n"), got)
		}
		if got != want {
			if failed++; failed > 3 {
				continue
			}
			gotLines, wantLines := strings.Split(got, "\n"), strings.Split(want, "\n")
			for n := range min(len(gotLines), len(wantLines)) {
				if gotLines[n] != wantLines[n] {
					t.Errorf("program %d:\n%s\ngot  %s\nwant %s", i, strings.Join(cells[2:], "\n# %%\n"), gotLines[n], wantLines[n])
					break
				}
			}
		}
	}
	if failed > 3 {
		t.Errorf("%d programs differ", failed)
	}
}

// wild fills the holes of a text of wild.
func (g *generator) wild(typ string, depth int) string {
	if depth == 0 {
		return []string{"v0", "v1", "v2", g.leaf("int", true)}[g.rnd.IntN(4)]
	}
	return hole.ReplaceAllStringFunc(g.choose(wild[typ]).text, func(mark string) string {
		switch name := strings.Trim(mark, "<>"); name {
		case "VAR":
			return []string{"v0", "v1", "v2"}[g.rnd.IntN(3)]
		case "any", "op":
			return "(" + g.wild(name, depth-1) + ")"
		default:
			return g.expand(mark, 1)
		}
	})
}

// TestLoopsOwnNothing checks that names which loops only read are not the user's after.
func TestLoopsOwnNothing(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	for n, code := range []string{"1 + 1", "for i in range(2): x = [_, len(Out)]", "x", "_"} {
		data, _, err := s.Execute(t.Context(), n+1, code, nil)
		if want := []any{"2", nil, "[2, 1]", "[2, 1]"}[n]; err != nil || data["text/plain"] != want {
			t.Errorf("%s: got %v, %v, want %v", code, data["text/plain"], err, want)
		}
	}
	if got := strings.Join(s.UserNames(), " "); got != "i x" || s.IsUser("_") || s.IsUser("Out") {
		t.Errorf("the user's names: got %s, want i x; _: %v, Out: %v", got, s.IsUser("_"), s.IsUser("Out"))
	}
}
