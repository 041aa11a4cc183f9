package parse

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.starlark.net/syntax"
)

// show writes a tree as a program, in one line, with all that is implied in parentheses.
func show(n syntax.Node) string {
	switch x := n.(type) {
	case *syntax.File:
		return block(x.Stmts)
	case *syntax.Ident:
		return x.Name
	case *syntax.Literal:
		if s, ok := x.Value.(string); ok {
			return syntax.Quote(s, x.Token == syntax.BYTES)
		}
		return fmt.Sprint(x.Value)
	case *syntax.UnaryExpr:
		op := strings.Trim(x.Op.String(), "'")
		if x.X == nil {
			return op
		}
		if x.Op == syntax.NOT {
			op += " "
		}
		return op + show(x.X)
	case *syntax.BinaryExpr:
		if x.Op == syntax.EQ {
			return show(x.X) + "=" + show(x.Y)
		}
		return "(" + show(x.X) + " " + strings.Trim(x.Op.String(), "'") + " " + show(x.Y) + ")"
	case *syntax.CondExpr:
		return "(" + show(x.True) + " if " + show(x.Cond) + " else " + show(x.False) + ")"
	case *syntax.ParenExpr:
		return "<" + show(x.X) + ">"
	case *syntax.CallExpr:
		return show(x.Fn) + "(" + commas(x.Args) + ")"
	case *syntax.DotExpr:
		return show(x.X) + "." + x.Name.Name
	case *syntax.IndexExpr:
		return show(x.X) + "[" + show(x.Y) + "]"
	case *syntax.SliceExpr:
		out := []string{"", "", ""}
		for i, e := range []syntax.Expr{x.Lo, x.Hi, x.Step} {
			if e != nil {
				out[i] = show(e)
			}
		}
		return show(x.X) + "[" + strings.Join(out, ":") + "]"
	case *syntax.TupleExpr:
		return "(" + commas(x.List) + ",)"
	case *syntax.ListExpr:
		return "[" + commas(x.List) + "]"
	case *syntax.DictExpr:
		return "{" + commas(x.List) + "}"
	case *syntax.DictEntry:
		return show(x.Key) + ": " + show(x.Value)
	case *syntax.LambdaExpr:
		return "lambda " + commas(x.Params) + ": " + show(x.Body)
	case *syntax.Comprehension:
		out := show(x.Body)
		for _, c := range x.Clauses {
			switch c := c.(type) {
			case *syntax.ForClause:
				out += " for " + show(c.Vars) + " in " + show(c.X)
			case *syntax.IfClause:
				out += " if " + show(c.Cond)
			}
		}
		if x.Curly {
			return "{" + out + "}"
		}
		return "[" + out + "]"
	case *syntax.ExprStmt:
		return show(x.X)
	case *syntax.AssignStmt:
		return show(x.LHS) + " " + strings.Trim(x.Op.String(), "'") + " " + show(x.RHS)
	case *syntax.BranchStmt:
		return x.Token.String()
	case *syntax.ReturnStmt:
		if x.Result == nil {
			return "return"
		}
		return "return " + show(x.Result)
	case *syntax.IfStmt:
		out := "if " + show(x.Cond) + ": {" + block(x.True) + "}"
		if x.False != nil {
			out += " else: {" + block(x.False) + "}"
		}
		return out
	case *syntax.ForStmt:
		return "for " + show(x.Vars) + " in " + show(x.X) + ": {" + block(x.Body) + "}"
	case *syntax.DefStmt:
		return "def " + x.Name.Name + "(" + commas(x.Params) + "): {" + block(x.Body) + "}"
	}
	return fmt.Sprintf("%T", n)
}

func block(list []syntax.Stmt) string {
	var out []string
	for _, s := range list {
		out = append(out, show(s))
	}
	return strings.Join(out, "; ")
}

func commas(list []syntax.Expr) string {
	var out []string
	for _, x := range list {
		out = append(out, show(x))
	}
	return strings.Join(out, ", ")
}

// extensions: what each construct becomes. Some are combined.
var extensions = []struct {
	construct Construct
	text      string
	want      string
}{
	{Power, "x ** y", "$pow(x, y)"},
	{Power, "-x ** 2", "-$pow(x, 2)"},
	{Power, "2 ** -x ** 3", "$pow(2, -$pow(x, 3))"},
	{Power, "a ** b ** c * d", "($pow(a, $pow(b, c)) * d)"},
	{Power, "x[0].f(1) ** not_y", "$pow(x[0].f(1), not_y)"},
	{MatMul, "x @ y @ z + b", "($matmul($matmul(x, y), z) + b)"},
	{MatMul, "-x @ w - b", "($matmul(-x, w) - b)"},
	{AugmentedPower, "x **= y, 1", "x = $pow(x, (y, 1,))"},
	{AugmentedPower, "(x) **= 2", "<x> = $pow(x, 2)"},
	{AugmentedPower, "a[f()] **= y", `$update("**", a[f()], y)`},
	{AugmentedPower, "a[1:, 0] **= y", `$update("**", a[($bounds(1, None, None), 0,)], y)`},
	{AugmentedMatMul, "x @= y", "x = $matmul(x, y)"},
	{AugmentedMatMul, "a[i] @= y", `$update("@", a[i], y)`},
	{AugmentedMatMul, "(a.b) @= y, 1", `$update("@", a.b, (y, 1,))`},
	{AugmentedPower, "a[1:] **= yield", `$update("**", a[1::], $yield(None))`},
	{Subscripts, "x[:, 0]", "x[($bounds(None, None, None), 0,)]"},
	{Subscripts, "x[a:b, c, None, ::2]", "x[($bounds(a, b, None), c, None, $bounds(None, None, 2),)]"},
	{Subscripts, "x[1, 2:]", "x[(1, $bounds(2, None, None),)]"},
	{Subscripts, "x[1,]", "x[(1,)]"},
	{Subscripts, "x[1:2,]", "x[($bounds(1, 2, None),)]"},
	{Subscripts, "x[-3:2, ::-1] = y", "x[($bounds(-3, 2, None), $bounds(None, None, -1),)] = y"},
	{EllipsisName, "x[...]", "x[$ellipsis]"},
	{EllipsisName, "x[:, None, ...]", "x[($bounds(None, None, None), None, $ellipsis,)]"},
	{EllipsisName, "f(..., 1)", "f($ellipsis, 1)"},
	{FormattedString, `f"a{x}b"`, `$fstring("a", $field(x, "", ""), "b")`},
	{FormattedString, `f'{x!r:>{w}.{p}f}'`, `$fstring($field(x, "r", $fstring(">", $field(w, "", ""), ".", $field(p, "", ""), "f")))`},
	{FormattedString, `f"{x:.3f}{y!s}"`, `$fstring($field(x, "", ".3f"), $field(y, "s", ""))`},
	{FormattedString, `f"{x=} {y = :.1f} {z=!s}"`,
		`$fstring("x=", $field(x, "r", ""), " y = ", $field(y, "", ".1f"), " z=", $field(z, "s", ""))`},
	{FormattedString, `f"plain {{}} \n"`, `"plain {} \n"`},
	{FormattedString, `f""`, `""`},
	{FormattedString, `rf"\d{x}"`, `$fstring("\\d", $field(x, "", ""))`},
	{FormattedString, `f"{d['k']} {f(a, b=1)} {[i for i in x][0]} {a != b} {(lambda: 1)()} {1, 2}"`,
		`$fstring($field(d["k"], "", ""), " ", $field(f(a, b=1), "", ""), " ", $field([i for i in x][0], "", ""), " ", ` +
			`$field((a != b), "", ""), " ", $field(<lambda : 1>(), "", ""), " ", $field((1, 2,), "", ""))`},
	{FormattedString, `f"{ {'a': 1}['a'] } {x[1:2]} {y:}"`,
		`$fstring($field({"a": 1}["a"], "", ""), " ", $field(x[1:2:], "", ""), " ", $field(y, "", ""))`},
	{FormattedString, "f'''{\nx}\n'''", `$fstring($field(x, "", ""), "\n")`},
	{FormattedString, `f"{x == y} {a or b} {-c ** 2}"`,
		`$fstring($field((x == y), "", ""), " ", $field((a or b), "", ""), " ", $field(-$pow(c, 2), "", ""))`},
	{FormattedString, `f"{f'{x}'}"`, `$fstring($field($fstring($field(x, "", "")), "", ""))`},
	{AdjacentStrings, `"a" 'b' r"\c"`, `"ab\\c"`},
	{AdjacentStrings, `b"a" b"\xff"`, `b"a\xff"`},
	{AdjacentStrings, `("a"` + "\n" + `  f"{x}b" "c")`, `<$fstring("a", $field(x, "", ""), "bc")>`},
	{StringPrefix, `u"a\n"`, `"a\n"`},
	{StringPrefix, `R"\d" + rB'\d' B"\n"`, `("\\d" + b"\\d\n")`},
	{UnknownEscape, `"\sum \π \\s"`, `"\\sum \\π \\s"`},
	{TrailingComma, "x, = y", "(x,) = y"},
	{TrailingComma, "for x, in y: pass", "for (x,) in y: {pass}"},
	{TrailingComma, "return x,", "return (x,)"},
	{TrailingComma, "a, = b, c, = d", "((a,), (b, c,),) = $repeat(d, 2)"},
	{IsOperator, "x is None", "$is(x, None)"},
	{IsOperator, "x is not None and y", "(not $is(x, None) and y)"},
	{IsOperator, "not x is y", "not $is(x, y)"},
	{ComparisonChain, "a < b <= c", "((a < b) and (b <= c))"},
	{ComparisonChain, "0 <= -1 < n != m", "((0 <= -1) and ((-1 < n) and (n != m)))"},
	{ComparisonChain, "a in b not in c", "((a in b) and (b not in c))"},
	{ComparisonChain, "a < f() < c", "<lambda $x, $y: (($x < $y) and ($y < c))>(a, f())"},
	{ComparisonChain, "a < f() < g() is h",
		"<lambda $x, $y: (($x < $y) and <lambda $x, $y: (($x < $y) and $is($y, h))>($y, g()))>(a, f())"},
	{AssignmentChain, "a = b[0] = c.d = e", "(a, b[0], c.d,) = $repeat(e, 3)"},
	{AssignmentChain, "a, b = c = 1, 2", "((a, b,), c,) = $repeat((1, 2,), 2)"},
	{AssignmentChain, "a, *b = c = e", "((a, b,), c,) = <lambda $x: ($unstar($x, 1, 0), $x,)>(e)"},
	{StarTarget, "a, *b, c = e", "(a, b, c,) = $unstar(e, 1, 1)"},
	{StarTarget, "(*a, b) = e", "<(a, b,)> = $unstar(e, 0, 1)"},
	{StarTarget, "(a), *b = e", "(<a>, b,) = $unstar(e, 1, 0)"},
	{StarTarget, "for a, *b in e: pass", "for (a, b,) in $unstar_each(e, 1, 0): {pass}"},
	{NestedStar, "a, (b, *c) = e", "(a, <(b, c,)>,) = $unstar(e, 2, -1, 1, (1, 0,))"},
	{NestedStar, "(*a, b), *c = d = e", "((<(a, b,)>, c,), d,) = <lambda $x: ($unstar($x, 1, 0, 0, (0, 1,)), $x,)>(e)"},
	{NestedStar, "for a, (b, *c) in e: pass", "for (a, <(b, c,)>,) in $unstar_each(e, 2, -1, 1, (1, 0,)): {pass}"},
	{NestedStar, "[a for a, ((*b,), c) in e]", "[a for (a, <(<(b,)>, c,)>,) in $unstar_each(e, 2, -1, 1, (2, -1, 0, (0, 0,),))]"},
	{SpreadArguments, "f(*a, b)", "f(*$concat(a, [b]))"},
	{SpreadArguments, "f(a, *b, c, d, *e, k=1)", "f(a, k=1, *$concat(b, [c, d], e))"},
	{SpreadArguments, "f(**a, k=b, **c)", "f(**$keywords(a, {\"k\": b}, c))"},
	{SpreadArguments, "f(j=a, **b, **c)", "f(j=a, **$keywords(b, c))"},
	{SpreadArguments, "f(*a, k=1, *b)", "f(k=1, *$concat(a, b))"},
	{StarTarget, "[b for *a, b in e if c]", "[b for (a, b,) in $unstar_each(e, 0, 1) if c]"},
	{StarElement, "[*a, 1, 2, *b]", "$concat(a, [1, 2], b)"},
	{StarElement, "x = (*a, b)", "x = <$tuple($concat(a, [b]))>"},
	{StarElement, "x = *a, b", "x = $tuple($concat(a, [b]))"},
	{StarElement, "return 1, *a", "return $tuple($concat([1], a))"},
	{StarElement, "{*a, b}", "$set($concat(a, [b]))"},
	{StarElement, "for x in *a, 1: pass", "for x in $tuple($concat(a, [1])): {pass}"},
	{StarElement, "if (*a, 1): pass", "if <$tuple($concat(a, [1]))>: {pass}"},
	{DigitGroups, "1_000 + 0x_ff + 1_0.5e1_0 + 0b1_1", "(((1000 + 255) + 1.05e+11) + 3)"},
	{Imaginary, "2j + 1.5J", "((0+2i) + (0+1.5i))"},
	{SetDisplay, "{1, x}", "$set([1, x])"},
	{SetDisplay, "{1,}", "$set([1])"},
	{SetComprehension, "{x for x in y if z}", "$set([x for x in y if z])"},
	{Generator, "f(x for x in xs)", "f([x for x in xs])"},
	{Generator, "(x for x in xs)", "[x for x in xs]"},
	{Import, "import a.b as c", `c = $import("a.b", "")`},
	{Import, "import a.b, c", `$import("a.b", ""); a = $import("a", ""); c = $import("c", "")`},
	{Import, "from a.b import c as d, e", `d = $import("a.b", "c"); e = $import("a.b", "e")`},
	{Import, "from a import (b,\n c,)", `b = $import("a", "b"); c = $import("a", "c")`},
	{Import, "from a import *", `$import_all("a")`},
	{Import, "from .a.b import c as d", `d = $import(".a.b", "c")`},
	{Import, "from . import a, b", `a = $import(".", "a"); b = $import(".", "b")`},
	{Import, "from ....a import *", `$import_all("....a")`},
	{Import, "from __future__ import print_function, division", "pass"},
	{Annotation, "x: int = 3", "x = 3"},
	{Annotation, "x.y: int", "pass"},
	{Annotation, "def f(x: int, *a: int, y: str = 'a', **k: dict) -> float: pass", `def f(x, *a, y="a", **k): {pass}`},
	{PositionalOnly, "def f(a, /, b): pass", "def f(a, b): {pass}"},
	{PositionalOnly, "lambda a, /: a", "lambda a: a"},
	{Decorator, "@f\n@g(1)\ndef h():\n  pass\nx", "def h(): {pass}; h = g(1)(h); h = f(h); x"},
	{Decorator, "if x:\n  @f\n  def g(): pass", "if x: {def g(): {pass}; g = f(g)}"},
	{Assert, "assert x == 1, 'm'", `if not (x == 1): {$assert("m")}`},
	{Assert, "assert not x", "if not not x: {$assert()}"},
	{Assert, "assert x; y", "if not x: {$assert()}; y"},
	{LoadAttribute, "np.load(f)", "np.load(f)"},
	{LoadName, "load = f", "load = f"},
	{LoadName, "def load(load): pass", "def load(load): {pass}"},
	{LoadName, "x = load(f)(load=load)", "x = load(f)(load=load)"},
	{Try, "try: a\nexcept E as e: b\nexcept: c\nelse: d\nfinally: f",
		"if $try: {a} else: {if $except(E): {e = $caught(); b} else: {if $except(): {c} else: {if $orelse: {d} else: {if $finally: {f}}}}}"},
	{Try, "try:\n  a\nfinally:\n  b\nc", "if $try: {a} else: {if $finally: {b}}; c"},
	{Raise, "raise E(1) from x", "$raise(E(1), x)"},
	{Raise, "if x: raise", "if x: {$raise()}"},
	{Class, "class A: pass", "if $class(A): {pass}"},
	{Class, "class A(B, C):\n  x = 1\n  def f(self): pass\ny", "if $class(A, B, C): {x = 1; def f(self): {pass}}; y"},
	{Class, "@d\nclass A: pass", "if $class(A): {pass}; A = d(A)"},
	{With, "with a as b, c: d", "if $with(a): {b = $entered(); if $with(c): {d}}"},
	{Del, "del x, y[0], z.w", "$del(x, y[0], z.w)"},
	{Global, "def f():\n  global x, y", "def f(): {$global(x, y)}"},
	{Nonlocal, "def f():\n  nonlocal x", "def f(): {$nonlocal(x)}"},
	{LoopElse, "for x in y: a\nelse: b", "if $loop: {for x in y: {a}} else: {b}"},
	{Walrus, "if (x := f()) > 1: pass", "if (<$walrus(x, f())> > 1): {pass}"},
	{Walrus, "f(y := 1)", "f($walrus(y, 1))"},
	{DictSpread, "{1: 2, **d, 3: 4}", "$merge({1: 2}, d, {3: 4})"},
	{DictSpread, "{**d}", "$merge(d)"},
	{Yield, "def f(): yield 1", "def f(): {$yield(1)}"},
	{Yield, "def f(): x = yield from y", "def f(): {x = $yield_from(y)}"},
	{Decorator, "@f.g\ndef f(): pass", "$decorator0 = f.g; def f(): {pass}; f = $decorator0(f)"},
}

// TestExtensions: each construct becomes what the table says, and is noted.
func TestExtensions(t *testing.T) {
	seen := map[Construct]bool{}
	for _, test := range extensions {
		seen[test.construct] = true
		f, err := File("a.star", test.text, Options{})
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got := show(f); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.text, got, test.want)
		}
		if uses, err := Uses("a.star", test.text); err != nil || !slices.Contains(uses, test.construct) {
			t.Errorf("%s: constructs %v, %v, want %v among them", test.text, uses, err, test.construct)
		}
	}
	for c := range numConstructs {
		if !seen[c] || c.String() == "" {
			t.Errorf("construct %d, %v, is not tested", c, c)
		}
	}
}

// TestNames: trees refer to the names in the list, to all of them and to no others.
func TestNames(t *testing.T) {
	used := map[string]bool{}
	for _, test := range extensions {
		for _, name := range regexp.MustCompile(`\$\w+`).FindAllString(test.want, -1) {
			used[name] = true
		}
	}
	delete(used, "$x") // parameters
	delete(used, "$y")
	delete(used, "$decorator0") // a variable
	for _, mark := range []string{MarkTry, MarkExcept, MarkOrElse, MarkFinally, MarkCaught, MarkClass, MarkWith, MarkEntered, MarkLoop, MarkRaise,
		MarkDel, MarkGlobal, MarkNonlocal, MarkWalrus, MarkYield, MarkYieldFrom, MarkUpdate} {
		if !used[mark] {
			t.Errorf("the mark %s is in no tree", mark)
		}
		delete(used, mark)
	}
	for _, n := range Names {
		if !used[n.Name] || n.Meaning == "" {
			t.Errorf("%s is in no tree, or means nothing", n.Name)
		}
		delete(used, n.Name)
	}
	for name := range used {
		t.Errorf("%s is not listed", name)
	}
}

// TestPositions: nodes that stand for operators point to these in the source.
func TestPositions(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"aé + b ** c", "Lparen 1:8, from 1:6 to 1:12"},
		{"a @ b", "Lparen 1:3, from 1:1 to 1:6"},
		{"x = (a is\n b)", "Lparen 1:8, from 1:6 to 2:3"},
		{"f'{a}'", "Lparen 1:1, from 1:1 to 1:7"},
		{"f'é{a **\\\n b}'", "Lparen 1:7, from 1:5 to 2:3"},
		{"x[:, 12:]", "Lparen 1:8, from 1:6 to 1:9"},
	} {
		f, err := File("a.star", test.text, Options{})
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		got := ""
		syntax.Walk(f, func(n syntax.Node) bool {
			if c, ok := n.(*syntax.CallExpr); ok {
				id, _ := c.Fn.(*syntax.Ident)
				if id != nil && (id.Name != NameFString || len(c.Args) == 1 && test.text == "f'{a}'" && got == "") && id.Name != NameField {
					start, end := c.Span()
					got = fmt.Sprintf("Lparen %d:%d, from %d:%d to %d:%d", c.Lparen.Line, c.Lparen.Col, start.Line, start.Col, end.Line, end.Col)
				}
			}
			return true
		})
		if got != test.want {
			t.Errorf("%s: got %s, want %s", test.text, got, test.want)
		}
	}
}

// TestNotebooks: programs of the project are standard Starlark.
func TestNotebooks(t *testing.T) {
	files, _ := filepath.Glob("../../notebooks/*.star")
	if len(files) == 0 {
		t.Fatal("no notebooks")
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, wrong := agrees(string(text)); wrong != "" {
			t.Errorf("%s: %s", f, wrong)
		}
	}
}
