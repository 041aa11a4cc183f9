package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/format"
	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

const head = "# arignote: syntax=portable\n"

// portables are texts with a construct and what they become.
var portables = []struct {
	construct parse.Construct
	text      string
	want      string
}{
	{parse.Power, "y = -x ** 2 ** n.m", "y = -pow(x, pow(2, n.m))"},
	{parse.Power, "y = (a + b) ** (c, d)[0]", "y = pow((a + b), (c, d)[0])"},
	{parse.Power, "y = (x  # c\n  ** 2)", "y = pow(x,  # c\n    2)"},
	{parse.MatMul, "y = a @ b @ c.T * 2", "y = matmul(matmul(a, b), c.T) * 2"},
	{parse.MatMul, "y = (a @ b).T + f(a @ b)", "y = matmul(a, b).T + f(matmul(a, b))"},
	{parse.AugmentedPower, "x = 3\nx **= 2 + 1", "x = 3\nx = pow(x, 2 + 1)"},
	{parse.AugmentedPower, "x[:, i] **= 1, 2", "x[ix[:], i] = pow(x[ix[:], i], (1, 2))"},
	{parse.AugmentedMatMul, "x @= y", "x = matmul(x, y)"},
	{parse.Subscripts, "x[:, 0, a:b, ::2][1, :]", "x[ix[:], 0, ix[a:b], ix[::2]][1, ix[:]]"},
	{parse.Subscripts, "x[a,][a:b,]", "x[(a,)][(ix[a:b],)]"},
	{parse.Subscripts, "x = np.zeros(3).copy()\nx[1:2] = y[1:2]\nz[0][:] += 1", "x = np.zeros(3).copy()\nx[ix[1:2]] = y[1:2]\nz[0][ix[:]] += 1"},
	{parse.EllipsisName, "x[..., None]", "x[Ellipsis, None]"},
	{parse.FormattedString, `f"a{x}{y!r}{z:.3f}{{}}"`, `"a{}{}{}{{}}".format(x, repr(y), fmt(z, ".3f"))`},
	{parse.FormattedString, `f'{x=} {y = :{w}.{d}f} {z!s:>5}'`, `'x={} y = {} {}'.format(repr(x), fmt(y, '{}.{}f'.format(w, d)), fmt(str(z), '>5'))`},
	{parse.FormattedString, `rf"""{a["b"] ** 2}\d""" + f"{{x}}"`, `r"""{}\d""".format(pow(a["b"], 2)) + "{x}"`},
	{parse.FormattedString, `f"{ 1, 2 }{(lambda: 1)}"`, `"{}{}".format((1, 2), (lambda: 1))`},
	{parse.AdjacentStrings, "x = 'a' \"b\" f'{c}'", "x = 'a' + \"b\" + '{}'.format(c)"},
	{parse.AdjacentStrings, "('a' # c\n 'b' % x)", "(('a' +  # c\n    'b') % x)"},
	{parse.AdjacentStrings, "'a' 'b'[0]", "('a' + 'b')[0]"},
	{parse.StringPrefix, "u'a' + U\"b\" u'c'", "'a' + (\"b\" + 'c')"},
	{parse.StringPrefix, "R'\\a', B'b', bR'\\c', BR'd', Rb'e'", "r'\\a', b'b', rb'\\c', rb'd', rb'e'"},
	{parse.UnknownEscape, `x = "\sum\n\\s" + f"\d{x}\\d"`, `x = "\\sum\n\\s" + "\\d{}\\d".format(x)`},
	{parse.TrailingComma, "x, = y\nfor a, b, in x: y = 1,", "(x,) = y\nfor (a, b,) in x: y = (1,)"},
	{parse.IsOperator, "x is None, y is not True, not z is False", "x == None, y != True, not z == False"},
	{parse.ComparisonChain, "x = a < b <= 3 != c", "x = a < b and b <= 3 and 3 != c"},
	{parse.ComparisonChain, "x = not a < b < c", "x = not (a < b and b < c)"},
	{parse.ComparisonChain, "x = a < f() not in c is None", "x = (lambda _x, _y: _x < _y and _y not in c and c == None)(a, f())"},
	{parse.ComparisonChain, "x = a < f() < g() < b", "x = (lambda _x, _y: _x < _y and (lambda _x2, _y2: _x2 < _y2 and _y2 < b)(_y, g()))(a, f())"},
	{parse.ComparisonChain, "x = _x < f.y < 2", "x = (lambda _x2, _y: _x2 < _y and _y < 2)(_x, f.y)"},
	{parse.AssignmentChain, "a = b = f(x)  # c", "a = f(x)\nb = a  # c"},
	{parse.AssignmentChain, "a = b[a] = c, d = 0", "a = 0\nb[a] = 0\nc, d = 0"},
	{parse.AssignmentChain, "if x: a[0] = b = f(x)", "if x:\n    _value = f(x)\n    a[0] = _value\n    b = _value"},
	{parse.AssignmentChain, "a = (a, b) = f(x)", "_value = f(x)\na = _value\n(a, b) = _value"},
	{parse.StarTarget, "a, *b, c = x", "_items = list(x)\na, b, c = _items[0], _items[1:-1], _items[1:][-1]"},
	{parse.StarTarget, "*a, b = 'xyz'", "_items = list('xyz'.codepoints())\na, b = _items[0:-1], _items[-1]"},
	{parse.StarTarget, "a, *b = c = 1, 2", "_value = 1, 2\n_items = list(_value)\na, b = _items[0], _items[1:]\nc = _value"},
	{parse.StarTarget, "for a, *b in x: f(a)", "for a, b in [(_v[0], _v[1:]) for _v in [list(_v) for _v in x]]: f(a)"},
	{parse.StarTarget, "[b for a, *b in x if b]", "[b for a, b in [(_v[0], _v[1:]) for _v in [list(_v) for _v in x]] if b]"},
	{parse.StarElement, "x = [*a, b, *c][0]", "x = (list(a) + [b] + list(c))[0]"},
	{parse.StarElement, "x = (*a, b)\ny = 1, *x", "x = tuple(list(a) + [b])\ny = tuple([1] + list(x))"},
	{parse.StarElement, "x = 0, *a,\ny = *x,", "x = tuple([0] + list(a))\ny = tuple(list(x))"},
	{parse.StarElement, "x = [*a]\nreturn_ = {*a, 1}", "x = list(a)\nreturn_ = set(list(a) + [1])"},
	{parse.StarElement, "for x in *a, 1: pass", "for x in tuple(list(a) + [1]): pass"},
	{parse.UnknownEscape, `"\sum\n" + u"\d" "\(" + b'\d'`, `"\\sum\n" + ("\\d" + "\\(") + b'\\d'`},
	{parse.DigitGroups, "1_000 + 0x_ff + 1_0.5e1_0", "1000 + 0xff + 10.5e10"},
	{parse.LoadAttribute, `x = np.load("a.npy")[f(2 ** y).load]`, `x = getattr(np, "load")("a.npy")[getattr(f(pow(2, y)), "load")]`},
	{parse.SetDisplay, "{1, x ** 2,}", "set([1, pow(x, 2),])"},
	{parse.SetComprehension, "{x for x in y if z}", "set([x for x in y if z])"},
	{parse.Generator, "f(x for x in xs)\n(x for x in xs)", "f([x for x in xs])\n[x for x in xs]"},
	{parse.Import, "import numpy as np\nimport theano, theano.tensor as T\nx", "x"},
	{parse.Import, "import math as m, theano.tensor as tt  # c", "m = math\ntt = theano.tensor  # c"},
	{parse.Import, "from numpy import (zeros, ones as eins)\nfrom theano import shared", "zeros = numpy.zeros\neins = numpy.ones"},
	{parse.Import, "def f():\n  import numpy\n  return numpy", "def f():\n    pass\n    return numpy"},
	{parse.Import, "from __future__ import division\nimport aesara.tensor", ""},
	{parse.Annotation, "x: int = 3\nx.y: int  # c", "x = 3\npass  # c"},
	{parse.Annotation, "def f(x: int, *a: t, y: str = 'a', **k: d) -> float: return x", "def f(x, *a, y = 'a', **k): return x"},
	{parse.PositionalOnly, "def f(a, /, b): pass\nlambda a, /: a", "def f(a, b): pass\nlambda a: a"},
	{parse.Decorator, "if x:\n  @f.g\n  @h(1)  # c\n  def k(a):\n    return a  # d\n  l",
		"if x:\n    # c\n    def k(a):\n        return a  # d\n    k = h(1)(k)\n    k = f.g(k)\n    l"},
	{parse.Decorator, "@lambda f: f\ndef k(a: b): pass", "def k(a): pass\nk = (lambda f: f)(k)"},
	{parse.Assert, "assert x == 1, f'{x}'  # c", "if not x == 1:\n    fail('{}'.format(x))  # c"},
	{parse.Assert, "if y: assert x or z; w", "if y:\n    if not (x or z):\n        fail(\"the assertion is false\")\n    w"},
	{parse.Assert, "assert 1 < x < 3", "if not (1 < x and x < 3):\n    fail(\"the assertion is false\")"},
	{parse.Power, "%time x ** 2\ny ** 2", "%time x ** 2\npow(y, 2)"},
}

// standard says what is wrong with a text that should be standard Starlark.
func standard(text string) error {
	if _, err := parse.File("a.star", text, parse.Options{Portable: true}); err != nil {
		return fmt.Errorf("%v: %w", err.(*parse.Error).Pos, err)
	}
	_, err := (&syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true}).Parse("a.star", text, 0)
	return err
}

func TestPortable(t *testing.T) {
	seen := map[string]bool{}
	for _, test := range portables {
		seen[test.construct.String()] = true
		want := head + test.want
		if test.want != "" {
			want += "\n"
		}
		got, err := format.Portable("a.star", test.text)
		if err != nil || got != want {
			t.Errorf("%s:\n got %s\nwant %s\n%v", test.text, got, want, err)
			continue
		}
		if err := standard(got); err != nil && !strings.Contains(got, "%time") {
			t.Errorf("%s: %v", test.text, err)
		}
		if again, err := format.Portable("a.star", got); err != nil || again != got {
			t.Errorf("%s: then %s, %v", got, again, err)
		}
	}
	for c := parse.Construct(0); c <= parse.Assert; c++ {
		if !seen[c.String()] {
			t.Errorf("%v is not tested", c)
		}
	}
}

func listed(pos, name string) string {
	return pos + ": portable: " + name + " may be a list, of which standard Starlark assigns no slices: assign x[:i] + y + x[j:], " +
		"or make it by np in this text"
}

func powered(pos, name string) string {
	return pos + ": portable: " + strings.ReplaceAll("_ may be an array, which **= changes in place and _ = pow(_, y) does not: "+
		"write what is meant, or give _ a number in this text", "_", name)
}

// TestNotPortable: what cannot be rewritten is an error at its place in the source.
func TestNotPortable(t *testing.T) {
	for text, want := range map[string]string{
		"y = 1\nx = [y ** 2\n     for z in y]\ndef f(a, b, a): pass": `a.star:4:1: portable: this does not resolve: duplicate parameter: a`,
		"x = 1; \n\n\n\n\n\ny  =x is z":                              "a.star:7:7: portable: is asks whether two values are one object, which standard Starlark cannot; == compares them",
		"x = 1\nl[1:3] = []":                                         listed("a.star:2:2", "l"),
		"def f(x): x[:] = np.y":                                      listed("a.star:1:12", "x"),
		"x = np.a()\nx = [1]\nx[:] = y":                              listed("a.star:3:2", "x"),
		"x = 1\nassert (x), y, z":                                    "a.star:2:14: got ',', want newline",
		"x = np.a().shape\nx[:] = y":                                 listed("a.star:2:2", "x"),
		"x = np.nonzero(y)\nx[:] = y":                                listed("a.star:2:2", "x"),
		"x = np.zeros(3)\n[x, y] = z\nx[:] = y":                      listed("a.star:3:2", "x"),
		"x = np.zeros(3).tolist()\nx[:] = y":                         listed("a.star:2:2", "x"),
		"x += 1\nx **= 2":                                            powered("a.star:2:1", "x"),
		"b = np.arange(3)\nb **= 2":                                  powered("a.star:2:1", "b"),
		"y = x\nx = y\nx **= 2":                                      powered("a.star:3:1", "x"),
		"x = 2\ndef f(x): x **= 2":                                   powered("a.star:2:11", "x"),
		"x[f()] **= 2":                                               "a.star:1:1: portable: x[f()] is evaluated once, but x = pow(x, y) would twice: assign what it calls to a variable before",
		"from numpy import *":                                        "a.star:1:1: portable: from numpy import * binds names that are not in the text: import those that it needs",
		"import torch":                                               "a.star:1:1: portable: there is no module torch to import; load(\"file.star\", \"name\") loads a file of your own",
		"def pow(x): pass\ny = x ** 2":                               "a.star:2:5: portable: this needs the predeclared pow, but the text has a pow of its own: rename that",
		"x = [*a, # c\n b]":                                          "a.star:1:8: portable: the comment # c stands where it cannot be kept: put it on a line before",
		`f"{x!a}"`:                                                   "a.star:1:1: portable: !a in an f-string: write !r",
		`f"\x7b{x}"`:                                                 `a.star:1:1: portable: \x7b in an f-string: write {{ or }}`,
		"# %% [markdown]\n(\n# %%\nx is y\n":                         "a.star:4:3: portable: is asks whether two values are one object, which standard Starlark cannot; == compares them",
	} {
		_, err := format.Portable("a.star", text)
		if err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}

// notPortable returns what is wrong with the portable form of a text, or "".
func notPortable(text string) string {
	out, err := format.Portable("a.star", text)
	if err != nil {
		if _, ok := err.(*format.Error); !ok || strings.Contains(err.Error(), "which is not standard Starlark") {
			return err.Error()
		}
		return ""
	}
	if err := standard(strings.TrimPrefix(out, "\ufeff")); err != nil {
		if _, magics := parse.File("a.star", strings.TrimPrefix(text, "\ufeff"), parse.Options{}); magics == nil &&
			!strings.Contains(err.Error(), "nest") {
			return fmt.Sprintf("%v in\n%s", err, out)
		}
	}
	return ""
}

// TestPortablePrograms: real programs become standard Starlark.
func TestPortablePrograms(t *testing.T) {
	for _, text := range programs(t) {
		if what := notPortable(text); what != "" {
			t.Errorf("%s\nof:\n%s", what, text)
		}
	}
}

func FuzzPortable(f *testing.F) {
	for _, test := range portables {
		f.Add(test.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if what := notPortable(text); what != "" {
			t.Error(what)
		}
	})
}

// TestPortableCalls: what parses as a call, and is none in standard Starlark.
func TestPortableCalls(t *testing.T) {
	for _, tt := range [][2]string{
		{`print(*xs, sep="-")`, `print(sep = "-", *xs)`},
		{`f(1, *xs, k=x ** 2, **d)`, `f(1, k = pow(x, 2), *xs, **d)`},
		{`f(g(*a, k=1), *b, m=2)`, `f(g(k = 1, *a), m = 2, *b)`},
		{`f(k=1, *a)`, `f(k = 1, *a)`},
		{`assert (x)`, "if not (x):\n    fail(\"the assertion is false\")"},
		{`assert [x, y] == z, "differs"`, "if not [x, y] == z:\n    fail(\"differs\")"},
		{`assert (x, y) == z`, "if not (x, y) == z:\n    fail(\"the assertion is false\")"},
		{`assert (x == y).all(), "differs"`, "if not (x == y).all():\n    fail(\"differs\")"},
		{"def f(x):\n    assert(x or y)  # why\n    return x", "def f(x):\n    if not (x or y):\n        fail(\"the assertion is false\")  # why\n    return x"},
		{"def assert(x): pass\nassert(1)", "def assert(x): pass\nassert(1)"},
	} {
		got, err := format.Portable("a.star", tt[0])
		if want := "# arignote: syntax=portable\n" + tt[1] + "\n"; got != want || err != nil {
			t.Errorf("%s:\n got %s\nwant %s\n%v", tt[0], got, want, err)
		}
	}
}
