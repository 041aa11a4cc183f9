package format_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/format"
)

// layouts are texts and what they become; a text without the other stays.
var layouts = [][2]string{
	{"x=1", "x = 1\n"},
	{"x=-1+~y*-z", "x = -1 + ~y * -z\n"},
	{"f( x,name='w' , * a,** k )", "f(x, name = 'w', *a, **k)\n"},
	{"def f(a,b=1,*,c:int=2,/)->str:pass", "def f(a, b = 1, *, c: int = 2, /) -> str: pass\n"},
	{"x [1 : 2,: :3 , ...] [ - 1]", "x[1:2, ::3, ...][-1]\n"},
	{"x[lambda a:a : b]", "x[lambda a: a:b]\n"},
	{"(2**n)+-x**-y", "(2 ** n) + -x ** -y\n"},
	{"a@b;c  @=d ;", "a @ b\nc @= d\n"},
	{"@ f . g\ndef h():return-1", "@f.g\ndef h(): return -1\n"},
	{"lambda:0", "lambda: 0\n"},
	{"lambda*a,b=1:(a,)", "lambda *a, b = 1: (a,)\n"},
	{"not(x)or y not  in[z]", "not (x) or y not in [z]\n"},
	{"x if(y)else{'a':1}", "x if (y) else {'a': 1}\n"},
	{"1 .x", "1 .x\n"},
	{"print (x) [0] . y", "print(x)[0].y\n"},
	{"from a . b import( c as d,)", "from a.b import (c as d,)\n"},
	{"from a import*", "from a import *\n"},
	{"assert(x)", "assert(x)\n"},
	{"load ('a', b='c')", "load('a', b = 'c')\n"},
	{"assert ~x,'m'", "assert ~x, 'm'\n"},
	{"if x:a;b\nelse:c", "if x:\n    a\n    b\nelse: c\n"},
	{"if x:\n\tif y:\n\t\tz\n\telse: w", "if x:\n    if y:\n        z\n    else: w\n"},
	{"\n\n\na\n\n\n\n\nb\n\n", "a\n\n\nb\n"},
	{"#a\n#\n#!b\n##c\n#:d\n#\te", "# a\n#\n#!b\n##c\n#:d\n#\te\n"},
	{"#arignote: profile=True\nx", "#arignote: profile=True\nx\n"},
	{"x # a\nyy # b", "x  # a\nyy  # b\n"},
	{"x     # a\nyyy   # b\nz # c", "x    # a\nyyy  # b\nz  # c\n"},
	{"if x:\n  a\n  # in\n # in?\n# out\nb", "if x:\n    a\n    # in\n# in?\n# out\nb\n"},
	{"if x:\n# in\n  a", "if x:\n    # in\n    a\n"},
	{"f(\n  a, # b\n\n\n  # c\n     [x,\n      y])", "f(\n    a,  # b\n\n    # c\n    [x,\n     y])\n"},
	{"f(a,\n  b,\n  )", "f(a,\n  b,\n  )\n"},
	{"f(a,\n  b,\n   )", "f(a,\n  b,\n)\n"},
	{"f (a,\n     b)", "f(a,\n    b)\n"},
	{"f  (a,\n    b)", "f(a,\n  b)\n"},
	{"g([\n1,\n])", "g([\n    1,\n])\n"},
	{"x = a + \\\n b", "x = a + \\\n    b\n"},
	{"x = '''a \n  b ''' +c", "x = '''a \n  b ''' + c\n"},
	{"x = 'é'   # a\ny = 'ab'  # b", "x = 'é'   # a\ny = 'ab'  # b\n"},
	// Magics, marks and cells of text.
	{"%time f( x )\nx=1", "%time f( x )\nx = 1\n"},
	{"if x:\n  %time  it's  \n  y", "if x:\n    %time  it's\n    y\n"},
	{"%%timeit -n 1 f( 1 )\ng( 1 )", "%%timeit -n 1 f( 1 )\ng(1)\n"},
	{"#%%profile  a=1\nx=1", "#%%profile  a=1\nx = 1\n"},
	{"# %%  a\nx=1\n#%%\ny=1", "# %%  a\nx = 1\n#%%\ny = 1\n"},
	{"if x:\n  y\n  # %% no mark\n# %% mark\n  z", "if x:\n    y\n  # %% no mark\n# %% mark\n    z\n"},
	{"x=1\n# %% [markdown]\n#text\n  Don't ( \n\n\n\n\n# %%\ny=1", "x = 1\n# %% [markdown]\n#text\n  Don't ( \n\n\n\n\n# %%\ny = 1\n"},
	{"# %%\n%%html\n<a b='c>\n", "# %%\n%%html\n<a b='c>\n"},
	{"x = a %b\n", "x = a % b\n"},
	{"x = (a\n%b)\n", "x = (a\n    % b)\n"},
	{"\ufeffx=1", "\ufeffx = 1\n"},
	{"", ""},
	{"\n \n", ""},
	{"f(x)(y)\n", ""},
}

func TestLayout(t *testing.T) {
	for _, test := range layouts {
		want := test[1]
		if want == "" && strings.TrimSpace(test[0]) != "" {
			want = test[0]
		}
		got, err := format.Source("a.star", test[0])
		if err != nil || got != want {
			t.Errorf("%q:\n got %q, %v\nwant %q", test[0], got, err, want)
		}
		if _, what := wrong(test[0]); what != "" {
			t.Errorf("%q: %s", test[0], what)
		}
	}
}

// TestMistakes: errors are at the places of the source, behind magics and cells of text too.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"x = (\n":                           "a.star:2:1: got end of file, want primary expression ('(' at line 1 was never closed)",
		"%cd é\nx = = 1\n":                  "a.star:2:5: got '=', want primary expression",
		"# %% [markdown]\n(\n# %%\n\nx y\n": "a.star:5:3: got identifier, want newline",
	} {
		_, err := format.Source("a.star", text)
		if err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}
