package parse

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestHints: what people write by habit or mistake is refused at the right place, with what to
// write instead.
func TestHints(t *testing.T) {
	for _, test := range []struct {
		text  string
		start string // line:column of the token at fault
		want  string // part of the error
	}{
		{"try:\n  f()", "2:6", "want except or finally"},
		{"try:\n  f()\nexcept E, e:\n  pass", "3:9", "write except A as e, or except (A, B)"},
		{"try:\n  f()\nexcept:\n  pass\nexcept E:\n  pass", "5:1", "after an except without a class"},
		{"raise E, 'x'", "1:8", "write raise E(x)"},
		{"del f()", "1:5", "del takes names, elements and attributes"},
		{"with f() as (a, *b):\n  pass", "1:13", "a star in the target of a with"},
		{"f()\nexcept E:\n  pass", "2:1", "it follows a try in the same column"},
		{"async def f(): pass", "1:1", "no coroutines"},
		{"x = await f()", "1:5", "no coroutines"},
		{"x = import", "1:5", "begins a statement of its own"},
		{"print x", "1:7", "print(x)"},
		{"print 'a', b", "1:7", "print(x)"},
		{"exec 'x'", "1:6", "there is no exec"},
		{"x := 1", "1:4", "a statement is x = y"},
		{"x = `y`", "1:5", "repr(x)"},
		{"if x <> y: pass", "1:7", "write !="},
		{"x = 0777", "1:5", "use 0o777"},
		{"x = 1L", "1:6", "without L"},
		{"x = 1.0f", "1:8", "without a suffix"},
		{"x = 2y", "1:6", "written with *"},
		{"x++", "1:4", "x += 1"},
		{"x--", "1:4", "x -= 1"},
		{"a && b", "1:4", "write and"},
		{"a || b", "1:4", "write or"},
		{"if !x: pass", "1:4", "not x"},
		{"!ls", "1:1", "no shell commands"},
		{"x?", "1:2", "help(x)"},
		{"x = c ? a : b", "1:7", "a if condition else b"},
		{"lambda (a, b): a", "1:8", "one parameter"},
		{"def f(a, (b, c)): pass", "1:10", "take it apart in the body"},
		{"if x:\n  y\nelse if z:\n  w", "3:6", "write elif"},
		{"switch x:\n  pass", "1:8", "there is no switch"},
		{"match x:\n  pass", "1:7", "there is no switch"},
		{"if x\n  y", "1:5", "ends with a colon"},
		{"def f()\n  y", "1:8", "ends with a colon"},
		{"while x\n", "1:8", "ends with a colon"},
		{"if x = 1: pass", "1:6", "a comparison is written =="},
		{"a === b", "1:5", "write =="},
		{"a => b", "1:4", ">="},
		{"let x = 1", "1:5", "not declared"},
		{"int x = 1", "1:5", "not declared"},
		{"function f(x): pass", "1:10", "begins with def"},
		{"if (x) {", "1:8", "a colon and is indented"},
		{"// c", "1:1", "begins with #"},
		{"f(1,\n  2\nx = 3\ny = 4\n", "3:1", "'(' at line 1 was never closed"},
		{"x = (1 + 2]\n", "1:11", "'(' at line 1 is still open here"},
		{"f(a\n  b)", "2:3", "got identifier, want ','"},
		{"if x ==\n  y", "1:8", "got newline, want primary expression"},
		{"f'\\{x}'", "1:3", "use \\\\ for a backslash"},
		{"x = [1,\n2\n", "3:1", "'[' at line 1 was never closed"},
		{"{'a': (1,\n2}\n", "2:2", "'(' at line 1 is still open here"},
		{"f(x))", "1:5", "no bracket is open"},
		{"x = 'abc\ny", "1:5", "three quotes"},
		{"x = '''abc\ny", "1:5", "never closed"},
		{"x = 'it's'", "1:9", "a quote is written"},
		{"if x:\n\ty\n        z\n    w", "4:5", "with tabs and with spaces"},
		{"if x:\n    y\n\tz", "3:2", "with tabs and with spaces"},
		{"x = 1\n  y = 2", "2:3", "indented more"},
		{"if x:\ny = 2", "2:1", "the lines of a block are indented"},
		{"x = “a”", "1:5", "straight quotes"},
		{"x = ‘a’", "1:5", "straight quotes"},
		{"x =\u00a01", "1:4", "plain space"},
		{"a ≤ b", "1:3", "write <="},
		{"f() **= 2", "1:5", "must be a name, a subscript or an attribute"},
		{"a, *b, *c = x", "1:8", "two targets with a star"},
		{"a, (*b, *c) = x", "1:9", "two targets with a star"},
		{"'a' b'c'", "1:5", "strings of one kind"},
		{"for *a in b: pass", "1:5", "want primary expression"},
		{"f(a, x for x in y)", "1:8", "got for, want ','"},
		{"f(x for x in y, z)", "1:15", "want ')', for, or if"},
		{"f'{x'", "1:5", "want '}'"},
		{"f'{x # c}'", "1:10", "want '}'"},
		{"f'{x:{y}'", "1:9", "want '}'"},
		{"x = 1\x00", "1:6", "NUL character"},
		{`f"{d["k"]}"`, "1:6", "the other kind of quotes"},
		{"f'}'", "1:3", "a brace in the text is written }}"},
		{"f'a{}'", "1:5", "no expression"},
		{"f'a{ }'", "1:6", "no expression"},
		{"f'{x!z}'", "1:6", "want !r, !s or !a"},
		{"f'{x y}'", "1:6", "want '}'"},
		{"f'{x:{y:{z}}}'", "1:9", "nested too deep"},
		{`f'\xq{x}'`, "1:3", "truncated escape"},
		{"f'{x +}'", "1:7", "end of the field"},
		{"x = 1e999", "1:5", "out of range"},
		{"@f\nx = 1", "2:1", "want def"},
		{strings.Repeat("(", 1100), "1:1001", "more than 1000 levels"},
		{strings.Repeat("- ", 1100), "1:1999", "more than 1000 levels"},
		{strings.Repeat("not ", 1100), "1:3997", "more than 1000 levels"},
		{strings.Repeat("2**", 1100), "1:2999", "more than 1000 levels"},
		{strings.Repeat("a < ", 1100) + "a", "1:4007", "at most 1000"},
		{"x = " + strings.Repeat("lambda: ", 1100), "1:8005", "more than 1000 levels"},
	} {
		_, err := File("a.star", test.text, Options{})
		if err == nil {
			t.Errorf("%.40q: no error", test.text)
			continue
		}
		e := err.(*Error)
		if start := fmt.Sprintf("%d:%d", e.Start.Line, e.Start.Col); start != test.start || !strings.Contains(e.Error(), test.want) {
			t.Errorf("%.40q: got %s: %v, want %s: ...%s", test.text, start, e, test.start, test.want)
		}
		if w := inside(test.text, err); w != "" {
			t.Errorf("%q: %s", test.text, w)
		}
	}
}

// TestIncomplete: what more text could mend is told from what it could not.
func TestIncomplete(t *testing.T) {
	for _, test := range []struct {
		text string
		want bool
	}{
		{"f(1,\n", true}, {"x = [\n", true}, {"x = '''a\n", true}, {"x = f'''a\n", true}, {"if x:\n", true}, {"def f():\n  # c\n", true}, {"def f():\n  if x:\n", true},
		{"@f\n", true}, {"x = 1 + \\\n", true}, {"if x:\n  y\nelse:\n", true}, {"x = {'a': 1,\n'b':\n", true}, {"for x in (a,\n", true},
		{"x = 1 +\n", false}, {"x = 'a\n", false}, {"f(]\n", false}, {"x y\n", false}, {"f'{x'\n", false}, {"f'{x +}'", false},
		{"if x\n", false},
		{"class A:\n", true}, {"try:\n  f()\n", true}, {"with f():\n", true}, {"f'{a if b}'", false}, {`f"{'a}"`, false}, {"f'{a\\}'", false},
		{"x = (a if b\n", true}, {"f(1,\n2\nx = 3 $", false},
	} {
		_, err := File("a.star", test.text, Options{})
		if e, ok := err.(*Error); !ok || e.Incomplete != test.want {
			t.Errorf("%q: got %+v, want incomplete %v", test.text, err, test.want)
		}
	}
}

// TestOptions: the number of the first line, and the dialect.
func TestOptions(t *testing.T) {
	f, err := File("a.star", "\nx = 1", Options{Dialect: dialect, FirstLine: 7})
	if err != nil || f.Options != dialect || f.Path != "a.star" {
		t.Errorf("got %+v, %v", f, err)
	}
	if start, _ := f.Stmts[0].Span(); start.Line != 8 || start.Filename() != "a.star" {
		t.Errorf("got start %v, want line 8", start)
	}
	if _, err := Expr("a.star", "x @ y, 1\n", Options{}); err != nil {
		t.Error(err)
	}
	if _, err := Expr("a.star", "x; y", Options{}); err == nil || !strings.Contains(err.Error(), "after expression") {
		t.Errorf("got %v, want an error after the expression", err)
	}
}

// TestScan: kinds and places of all tokens.
func TestScan(t *testing.T) {
	text := "if é:  # c\n\tx @= f'a'\n\ny"
	toks, err := Scan("a.star", text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, k := range toks {
		got = append(got, fmt.Sprintf("%v %d:%d-%d:%d %q", k.Kind, k.Start.Line, k.Start.Col, k.End.Line, k.End.Col, k.Text(text)))
	}
	want := []string{`if 1:1-1:3 "if"`, `identifier 1:4-1:5 "é"`, `':' 1:5-1:6 ":"`, `comment 1:8-1:11 "# c"`, `newline 1:11-2:1 "\n"`,
		`indent 2:2-2:2 ""`, `identifier 2:2-2:3 "x"`, `'@=' 2:4-2:6 "@="`, `f-string 2:7-2:11 "f'a'"`, `newline 2:11-3:1 "\n"`,
		`outdent 4:1-4:1 ""`, `identifier 4:1-4:2 "y"`, `end of file 4:2-4:2 ""`}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if toks, err := Scan("a.star", "x = 'a"); err == nil || len(toks) != 2 {
		t.Errorf("got %v, %v, want two tokens and an error", toks, err)
	}
}
