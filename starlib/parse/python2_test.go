package parse

import (
	"fmt"
	"strings"
	"testing"
)

// TestModern: statements of Python 2 are shown as Python 3 writes them. What is new is right: it
// parses, and has nothing old.
func TestModern(t *testing.T) {
	type row struct{ old, new string }
	rows := []row{
		{`print "loss %f" % loss`, `print("loss %f" % loss)`},
		{`print x, "y",`, `print(x, "y", end=" ")`},
		{`print >>sys.stderr, "bad", x`, `print("bad", x, file=sys.stderr)`},
		{`print >>f`, `print(file=f)`},
		{`print >> f, x,`, `print(x, file=f, end=" ")`},
		{`if x: print "a"; print y`, `if x: print("a"); print(y)`},
		{"print 'a', \\\n    'b'", `print('a', \ 'b')`},
		{"print `x`, 0777, 10L, 0xFFL", `print(repr(x), 0o777, 10, 0xFF)`},
		{`print not x  # why`, `print(not x)  # why`},
		{`print u"π", ur"\d"`, `print(u"π", r"\d")`},
		{`raise ValueError, "x %d" % n`, `raise ValueError("x %d" % n)`},
		{`raise E, "x", tb`, `raise E("x").with_traceback(tb)`},
		{`except (A, B), e:`, `except (A, B) as e:`},
		{`for k, v in sorted(d.iteritems()):`, `for k, v in sorted(d.items()):`},
		{`if not d.has_key("a") and self.seen.has_key(f(x)): pass`, `if "a" not in d and f(x) in self.seen: pass`},
		{`n = [long(i) for i in xrange(3)]`, `n = [int(i) for i in range(3)]`},
		{`if x <> y or a < b > c: pass`, `if x != y or a < b > c: pass`},
		{`isinstance(x, basestring)`, `isinstance(x, str)`},
		{`x = itertools.izip(a, b)`, `x = itertools.zip(a, b)`},
		{`exec "x = 1"`, `exec("x = 1")`},
	}
	for _, form := range python2 {
		rows = append(rows, row{form.old, form.new})
	}
	for _, r := range rows {
		got, _ := Modern(r.old)
		if got != r.new {
			t.Errorf("%s\ngot  %s\nwant %s", r.old, got, r.new)
		}
		if again, _ := Modern(r.new); again != "" {
			t.Errorf("%s: is written anew again: %s", r.new, again)
		}
	}
	for _, text := range []string{`print("x")`, `print`, `print (x), y`, `print(x) if y else z`, `print = 3`, `print.x`, `raise E("a", 1)`,
		`except (A, B):`, `x = {0: 1, 00: 2}`, `f(unicode=1)`, `self.xrange(3)`, `x = lambda: print`, `has_key(d)`, `x = d[1:print]`, "x = 'print \"a\"'",
		`raise`, `x.L`} {
		if got, _ := Modern(text); got != "" {
			t.Errorf("%s is Python 3: got %s", text, got)
		}
	}
}

// TestModernInErrors: the mistake of a text in Python 2 tells the line in Python 3, over all of its
// lines, and no other mistake does.
func TestModernInErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"x = 1\nif x:\n    print 'a', x  # c\ny = 2\n", "print('a', x)  # c"},
		{"print 'a %s' % (\n    x)\n", "print('a %s' % ( x))"},
		{"x = 0777\ny = 1", "x = 0o777"},
		{"x = `y`\nz = 1", "x = repr(y)"},
		{"try:\n    f()\nexcept E, e:\n    pass\n", "except E as e:"},
		{"raise E, 'x'", "raise E('x')"},
		{"print >>f, x", "print(x, file=f)"},
		{"# c\nprint 1\n", "print(1)"},
		{"x = = 1", ""},
		{"0ur", ""},
		{"x ur", ""},
		{"print('a'\n", ""},
		{"x = 1 +* 2\nprint 'a'", ""},
	} {
		_, err := File("f.py", c.text, Options{})
		e, ok := err.(*Error)
		if !ok || e.Modern != c.want {
			t.Errorf("%s\ngot %v, want Modern %q", c.text, err, c.want)
			if ok {
				t.Logf("Modern is %q", e.Modern)
			}
		}
	}
}

// TestAll: every statement that is refused is reported once, at its place, and nothing that follows
// from it.
func TestAll(t *testing.T) {
	for _, c := range []struct {
		text string
		want string // the places of the mistakes
		left string // first words of what the tree has
	}{
		{"x = 1\n", "", "assign"},
		{"x = = 1\ny = 2\nprint 'a'\nz = 3", "1:5 3:7", "assign assign"},
		{"def f(a, (b, c)):\n    print a\n    return a\nx = `y`\n", "1:10 2:11 4:5", "def"},
		{"class A:\n    def f(self):\n        print 1\n    def g(self):\n        x = 10L\n", "3:15 5:15", "if"},
		{"try:\n    f()\nexcept A, e:\n    print e\nexcept B, e:\n    pass\nelse:\n    0777\n", "3:9 4:11 5:9 8:5", "if"},
		{"if x <> 1:\n    print 1\nelif x <> 2:\n    y\nelse:\n    print 2\nz\n", "1:7 2:11 6:11", "if expr"},
		{"for (a) b in c:\n    break\nwhile x y:\n    continue\n", "1:9 3:9", "while while"},
		{"  x = 1\ny = 2\n", "1:3", "if assign"},
		{"if x:\n        a\n    b\nc\n", "3:5", "if expr"},
		{"def f():\nx = 1\n", "2:1", "assign"},
		{"x = 'abc\ny = 1\nz = “a”\nw = f'{1 +}'\nv = f'{a b}'\nu = 1", "1:5 3:5 4:11 5:10", "assign assign"},
		{"x = (1 2)\ny = ]\nz = 3", "1:8 2:5", "assign"},
		{"x = (1,\ny = 2\n", "2:3", ""},
		{"@f x\ndef g(): pass\n", "1:4", "def"},
		{"async def f():\n    return 1\nx", "1:1", "if expr"},
		{"x = '''a\n", "1:5", ""},
		{"", "", ""},
		{"x = 1 if", "1:9", ""},
		{"x = '\\ud800'; y = 1\nz z", "1:5 2:3", ""},
	} {
		f, errs := All("f.py", c.text, Options{})
		var at, left []string
		for _, e := range errs {
			at = append(at, strings.TrimPrefix(e.Start.String(), "f.py:"))
		}
		for _, s := range f.Stmts {
			word := strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%T", s), "*syntax."), "Stmt"))
			left = append(left, word)
		}
		if got := strings.Join(at, " "); got != c.want {
			t.Errorf("%q: got mistakes at %s, want %s", c.text, got, c.want)
			for _, e := range errs {
				t.Log(e.Start, e)
			}
		}
		if got := strings.Join(left, " "); got != c.left {
			t.Errorf("%q: got %s, want %s", c.text, got, c.left)
		}
	}
}

// TestAllOfBroken: All ends whatever a text has lost, finds a mistake where File does, and none
// where File finds none.
func TestAllOfBroken(t *testing.T) {
	text := "import a.b as c\n@d\nclass A(B):\n    '''doc'''\n    def f(self, x=(1, 2), *y):\n        try:\n            return [z for z in x if z], f'{x!r:>{w}}'\n" +
		"        except (E, F) as e:\n            raise\n        finally:\n            pass\n    while x:\n        break\n    else:\n        x, = y\nwith a as b, c: del b\nprint('π', end='')\n"
	n := 0
	for i := range len(text) {
		for _, size := range []int{1, 7} {
			for _, put := range []string{"", "(", "'", "\n", ":", "`", "  "} {
				broken := text[:i] + put + text[min(i+size, len(text)):]
				_, err := File("f.py", broken, Options{})
				_, all := All("f.py", broken, Options{})
				if (err == nil) != (len(all) == 0) {
					t.Fatalf("%s\nFile: %v\nAll: %v", broken, err, all)
				}
				if len(all) > 1 {
					n++
				}
			}
		}
	}
	if n == 0 {
		t.Error("no text had several mistakes")
	}
}
