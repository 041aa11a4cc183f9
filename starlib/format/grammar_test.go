package format_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/format"
)

// grammar is Python's, as far as it is ours: what a name in angle brackets may be, between bars.
var grammar = map[string][]string{}

func init() {
	for line := range strings.Lines(grammarText) {
		name, rest, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if ok {
			for form := range strings.SplitSeq(rest, " ¦ ") {
				grammar[name] = append(grammar[name], strings.TrimSpace(form))
			}
		}
	}
}

const grammarText = `
atom    a ¦ b1 ¦ xs ¦ 0 ¦ 1.5 ¦ 0x1f ¦ 1_000 ¦ "s" ¦ 'it\'s # no comment' ¦ r"\d" ¦ Rb'\x' ¦ """t: ; #""" ¦ "a" 'b' ¦ f"{a!r:>{b1}} {xs=}" ¦ None ¦ ... ¦ () ¦ [] ¦ {}
expr    <atom> ¦ <atom> ¦ -<expr> ¦ not <expr> ¦ ~<expr> ¦ <expr> + <expr> ¦ <expr> ** <expr> ¦ <expr> @ <expr> ¦ <expr> // <expr> ¦ <expr> and <expr> ¦ <expr> or <expr>
expr    <expr> < <expr> <= <expr> ¦ <expr> is not <expr> ¦ <expr> not in <expr> ¦ <expr> if <expr> else <expr> ¦ lambda: <expr> ¦ lambda a, *b, c=<expr>, **d: <expr>
expr    (<expr>) ¦ (<expr>, <expr>) ¦ (<expr>,) ¦ [<expr>, *<atom>] ¦ {<expr>: <expr>, **<atom>} ¦ {<expr>, *<atom>} ¦ [<expr> for a in <atom> if <atom>] ¦ {a: <expr> for a, *b in <atom>}
expr    (<expr> for a in <atom>) ¦ f(<expr>, *<atom>, k=<expr>, **<atom>) ¦ f(<expr> for a in <atom>) ¦ a.b(<expr>)[<expr>] ¦ a[<expr>:<expr>, ::<expr>, ...] ¦ a[:] ¦ a[lambda: <expr>:<expr>] ¦ (a := <expr>) ¦ (yield <expr>) ¦ (yield)
target  a ¦ a.b ¦ a[<expr>] ¦ a[1:] ¦ a, b ¦ a, *b ¦ (a, b) ¦ [a, b] ¦ a, (b, *c)
small   <expr> ¦ <expr>, <expr> ¦ <target> = <expr> ¦ <target> = <target> = <expr> ¦ a = b, = <expr> ¦ a += <expr> ¦ a[<expr>] //= <expr> ¦ a @= <expr> ¦ a **= <expr> ¦ a: int = <expr> ¦ a.b: f(<expr>)
small   pass ¦ break ¦ continue ¦ return ¦ return <expr> ¦ return <expr>, ¦ del a, b[<expr>] ¦ del (a, b) ¦ raise ¦ raise <expr> ¦ raise <expr> from <expr> ¦ global a, b ¦ nonlocal a
small   import a.b as c, d ¦ from a import b as c ¦ from .a import (b, c as d,) ¦ from . import a ¦ from a import * ¦ assert [<expr>] ¦ assert f(<expr>), <expr> ¦ assert -a < <atom> ¦ assert (a), "m" ¦ yield <expr> ¦ yield from <expr> ¦ a = yield <expr>
stmt    <inline> ¦ <inline> ¦ <block>
block   if <expr>:<suite> ¦ if a := <expr>:<suite> ¦ if <expr>:<suite>elif <expr>:<suite>else:<suite> ¦ while <expr>:<suite> ¦ while a := <expr>:<suite>else:<suite>
block   for <loop> in <expr>:<suite> ¦ for a in <atom>, <atom>:<suite>else:<suite> ¦ try:<suite>except:<suite> ¦ try:<suite>except <atom> as e:<suite>except (a, b):<suite>else:<suite>finally:<suite> ¦ try:<suite>finally:<suite>
block   with <expr>:<suite> ¦ with <expr> as a, <atom>:<suite> ¦ with (<expr> as a, <atom> as b):<suite> ¦ with <expr> as (a, b):<suite> ¦ class A:<suite> ¦ class A(B, m=<expr>):<suite> ¦ class A():<suite>
block   def f():<suite> ¦ def f(a, /, b: <expr> = <expr>, *c, d=<expr>, **e) -> <expr>:<suite> ¦ def f(*, a):<suite> ¦ def f(a: lambda: <expr>, b={1: <expr>}):<suite>
block   @f.g(<expr>)<nl>def f():<suite> ¦ @a<nl>@b<nl>class A:<suite>
loop    a ¦ a, b ¦ (a, b) ¦ a, *b ¦ a.b ¦ a[<atom>]
`

// A grower writes programs of the grammar.
type grower struct{ *rand.Rand }

// of writes what a name stands for, indented; deeper it takes simpler forms.
func (g grower) of(name, indent string, depth int) string {
	switch name {
	case "nl":
		return g.comment() + "\n" + indent
	case "inline":
		var small []string
		for range 1 + g.IntN(3)*g.IntN(2) {
			small = append(small, g.of("small", indent, depth-1))
		}
		return strings.Join(small, "; ") + g.pick("", "", "", ";") + g.comment() + "\n"
	case "suite":
		if g.IntN(2) == 0 || depth <= 0 {
			return " " + g.of("inline", indent, depth-1) + indent
		}
		inner := indent + g.pick(" ", "  ", "    ", "\t")
		out := g.comment() + "\n"
		for range 1 + g.IntN(3) {
			out += g.pick("", "", "", "\n", inner+"# c\n", "# out\n") + inner + strings.TrimRight(g.of("stmt", inner, depth-1), " \t")
		}
		return out + indent
	}
	forms := grammar[name]
	if name == "stmt" && depth <= 0 {
		forms = forms[:1]
	}
	if name == "expr" && depth <= 0 {
		forms = grammar["atom"]
	}
	form := forms[g.IntN(len(forms))]
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(form, "<")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		hole, after, closed := strings.Cut(rest, ">")
		if !closed || grammar[hole] == nil && hole != "suite" && hole != "inline" && hole != "nl" { // an operator
			b.WriteString("<")
			form = rest
			continue
		}
		text := g.of(hole, indent, depth-1)
		if name == "expr" && hole == "expr" && strings.ContainsAny(text, " :") && !strings.HasSuffix(strings.TrimRight(before, " "), "(") {
			text = "(" + text + ")" // whatever binds tighter
		}
		b.WriteString(text)
		form = after
	}
}

func (g grower) pick(of ...string) string { return of[g.IntN(len(of))] }

func (g grower) comment() string { return g.pick("", "", "", "", "  # c", "#d; e:") }

// TestGrammar: programs of every statement keep their trees, by our parser and by CPython's where
// that is here.
func TestGrammar(t *testing.T) {
	const n = 3000
	var texts, formatted []string
	used := map[string]bool{}
	for i := range n {
		r := rand.New(rand.NewPCG(33, uint64(i)))
		g := grower{r}
		text := ""
		for range 1 + r.IntN(4) {
			text += strings.TrimRight(g.of("stmt", "", 4), " \t")
		}
		for _, program := range []string{text, scramble(r, text)} {
			refused, what := wrong(program)
			if what != "" {
				t.Fatalf("%s\nof program %d:\n%s", what, i, program)
			}
			if refused {
				_, err := format.Source("a.star", program)
				t.Fatalf("%v\nof program %d:\n%s", err, i, program)
			}
			out, _ := format.Source("a.star", program)
			texts, formatted = append(texts, program), append(formatted, out)
		}
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' }) {
			used[word] = true
		}
	}
	for _, word := range strings.Fields("if elif else while for try except finally with class def lambda yield from import assert del raise global nonlocal return") {
		if !used[word] {
			t.Errorf("no program has %s", word)
		}
	}
	sameByPython(t, texts, formatted)
}

// comparesTrees is a program of Python's that says of pairs of texts whether their trees are the
// same: 1, 0, or -1 where the first is no program of Python's.
const comparesTrees = `
import ast, json, sys, warnings
warnings.simplefilter("ignore")
def tree(text):
    try:
        return ast.dump(ast.parse(text))
    except (SyntaxError, ValueError):
        return None
print(json.dumps([-1 if tree(a) is None else int(tree(a) == tree(b)) for a, b in json.load(sys.stdin)]))
`

// sameByPython compares trees by CPython.
func sameByPython(t *testing.T, before, after []string) {
	const name = "/usr/bin/python3"
	if err := exec.Command(name, "-c", "import sys; assert sys.version_info >= (3, 10)").Run(); err != nil {
		t.Skipf("no Python to compare with: %v", err)
	}
	pairs := make([][2]string, len(before))
	for i := range pairs {
		pairs[i] = [2]string{before[i], after[i]}
	}
	in, err := json.Marshal(pairs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(name, "-c", comparesTrees)
	cmd.Stdin = strings.NewReader(string(in))
	out, err := cmd.Output()
	var same []int
	if err == nil {
		err = json.Unmarshal(out, &same)
	}
	if err != nil || len(same) != len(pairs) {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
	compared := 0
	for i, s := range same {
		if s == 0 {
			t.Fatalf("CPython has another tree of\n%s\nformatted:\n%s", before[i], after[i])
		}
		compared += max(s, 0)
	}
	t.Log(fmt.Sprint(compared, " of ", len(pairs), " programs are CPython's too"))
	if compared < len(pairs)*2/3 {
		t.Errorf("only %d of %d programs are CPython's", compared, len(pairs))
	}
}
