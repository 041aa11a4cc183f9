package magic_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// A magicStep is a cell of a notebook with magics and what comes of it.
type magicStep struct {
	code  string
	shown string // value of the cell
	out   string // regular expression for all of its output
	err   string // position, kind and message of its error
}

// runSteps runs cells in one session, which is numbered on.
func runSteps(t *testing.T, s *starlib.Session, steps []magicStep, answers ...string) {
	t.Helper()
	for i, step := range steps {
		out := &starlibtest.Recorder{Answer: func(string, bool) (string, error) {
			if len(answers) == 0 {
				return "", fmt.Errorf("nobody to ask")
			}
			a := answers[0]
			answers = answers[1:]
			return a, nil
		}}
		data, _, err := s.Execute(context.Background(), i+1, step.code, out)
		shown, failed := "", ""
		if data != nil {
			shown = data["text/plain"].(string)
		}
		if err != nil {
			e := err.(*starlib.Error)
			for _, f := range e.Frames() {
				failed += f.Pos().String() + " "
			}
			failed += e.Name() + ": " + e.Error()
		}
		if shown != step.shown || failed != step.err || !regexp.MustCompile("^(?s:"+step.out+")$").MatchString(out.String()) {
			t.Errorf("cell %d %q:\ngot  %q, error %q, output %q\nwant %q, error %q, output %q",
				i+1, step.code, shown, failed, out, step.shown, step.err, step.out)
		}
	}
}

const timed = `stdout: CPU times: user [^,]+, sys: [^,]+, total: [^,]+\nWall time: [0-9.]+ [µnm]?s\n`

func TestTimeMagics(t *testing.T) {
	loops := func(runs, loops string) string {
		return `stdout: [0-9.]+ [µnm]?s ± [0-9.]+ [µnm]?s per loop \(mean ± std. dev. of ` + runs + `, ` + loops + ` each\)\n`
	}
	runSteps(t, starlibtest.NewSession(t), []magicStep{
		{code: "x = 3\n%time y = x + 1\ny", shown: "4", out: timed},
		{code: "%time y * 2", shown: "8", out: timed},
		{code: "%time y * 2;", out: timed},
		{code: "if True:\n    for i in range(2):\n\t\t%time z = i\nz", shown: "1", out: timed + `\|` + timed},
		{code: "%time for i in range(3): x = i\nx", shown: "2", out: timed},
		{code: "%%time\nx += 1\nx", shown: "3", out: timed},
		{code: "%timeit -n 10 -r 2 x + 1", out: loops("2 runs", "10 loops")},
		{code: "%timeit -n1000 -r1 x + 1", out: loops("1 run", "1,000 loops")},
		{code: "%timeit -q -n1 -r1 x = 7"},
		{code: "x", shown: "3"},
		{code: "# sums\n%%timeit -n 10 -r 3 k = 5\na = k + 1\n\nfor b in range(2):\n    a = \"\"\"1\n2\"\"\"",
			out: loops("3 runs", "10 loops")},
		{code: "calls = []\n%timeit -n 3 -r 2 -q calls.append(1)\nlen(calls)", shown: "6"},
		{code: "%time y = [\"%\",\n 1]", err: `In[13]:1:16 SyntaxError: got end of file, want ']' ('[' at line 1 was never closed)`},
		{code: "%time", err: "In[14]:1:1 Error: %time: got nothing to run: %time [statement]"},
		{code: "  \n%time nope(1)", err: "In[15]:2:7 NameError: name 'nope' is not defined (did you mean None?)"},
		{code: "%time 1 // (x - 3)",
			err: "In[16]:1:9 ZeroDivisionError: floored division by zero (of arrays it is inf or nan: np.array(x) / y)"},
		{code: "def g(a): return 1 // a\n%time g(0)\n1 + 1",
			err: "In[17]:2:8 In[17]:1:20 ZeroDivisionError: floored division by zero (of arrays it is inf or nan: np.array(x) / y)"},
		{code: "x\n%timeit g(0)",
			err: "In[18]:2:10 In[17]:1:20 ZeroDivisionError: floored division by zero (of arrays it is inf or nan: np.array(x) / y)"},
		{code: "%%timeit -n x\n1", err: "Error: timeit: -n: got x, want an integer from 1 to 1000000000"},
		{code: "%timeit -z 1", err: "In[20]:1:1 SyntaxError: %timeit: unknown option -z: " +
			"%timeit [-n N] [-r R] [-q] [-o] [-p P] [statement], or %%timeit [-n N] [-r R] [-q] [-o] [-p P] [statement]"},
		{code: "%timeit -n", err: "In[21]:1:1 SyntaxError: %timeit: option -n has no value"},
		{code: "%timeit -n 5 -1 + x", out: loops("7 runs", "5 loops")},
		{code: "%%timeit\n", err: "In[23]:1:1 SyntaxError: %%timeit: got nothing to run below it"},
		{code: "%%time x\n1",
			err: "In[24]:1:1 SyntaxError: %%time: got x, want nothing after it: the cell is what follows on the next lines"},
		{code: "%timeit -r 1 time.sleep(0.03)", out: loops("1 run", "10 loops")},
		{code: "def h():\n    %time 1\nh()",
			err: "In[26]:3:2 In[26]:2:5 Error: %time stands in a function: magics are lines of a cell outside functions"},
	})
}

// TestWhereMagics checks which lines are magics, and what is said of those that are none.
func TestWhereMagics(t *testing.T) {
	runSteps(t, starlibtest.NewSession(t), []magicStep{
		{code: "s = '''\n%time\n!ls '''\ns", shown: `"\n%time\n!ls "`},
		{code: "n, who = 7, 4\nz = (n\n%who\n)\nz", shown: "3"},
		{code: "z = n \\\n%who\nz", shown: "3"},
		{code: "# don't (\n%who # it's\nz", err: "In[4]:2:1 SyntaxError: %who: got # it's, want nothing after it"},
		{code: "x = '# ('\n%who\nz", shown: "3", out: `stdout: n  s  who  x  z\n`},
		{code: "%timeti 3", err: "In[6]:1:1 SyntaxError: unknown magic %timeti (did you mean %timeit?)"},
		{code: "1\n  %qqqqq", err: "In[7]:2:3 SyntaxError: unknown magic %qqqqq (%lsmagic lists the magics)"},
		{code: "%%who", err: "In[8]:1:1 SyntaxError: %%who: who is the magic of a line: write %who"},
		{code: "%markdown",
			err: "In[9]:1:1 SyntaxError: %markdown: markdown is the magic of a cell: write %%markdown on its first line"},
		{code: "!ls", err: "In[10]:1:1 SyntaxError: ! is not in Arignote: cells do not run commands of the system: use a terminal"},
		{code: "%%bash\nls",
			err: "In[11]:1:1 SyntaxError: %%bash is not in Arignote: cells do not run commands of the system: use a terminal"},
		{code: "%unload_ext autoreload",
			err: "In[12]:1:1 SyntaxError: %unload_ext is not in Arignote: there are no extensions; %lsmagic lists what there is"},
		{code: "%params", err: "In[13]:1:1 SyntaxError: %params is not in Arignote yet"},
		{code: "%matplotlib inline\n%matplotlib\n%config InlineBackend.figure_format = 'retina'\n%config IPCompleter.greedy=True"},
		{code: "x = y = %time 3",
			err: "In[15]:1:9 SyntaxError: got '%', want primary expression (a magic stands at the beginning of its line: %time x = f())"},
		{code: "1\n%%time", err: "In[16]:2:1 SyntaxError: %%time must be the first line of its cell: " +
			"put a line \"# %%\" before it, which begins one"},
		{code: "def __f(): 1 // 0\n__f()",
			err: "In[17]:2:4 In[17]:1:14 ZeroDivisionError: floored division by zero (of arrays it is inf or nan: np.array(x) / y)"},
		{code: "__magik__", err: "In[18]:1:1 NameError: name '__magik__' is not defined"},
		{code: "%%markdown\n%time not code ('", out: `display\(.*`},
		{code: "%timeit?", out: `page: %timeit \[-n N\].*\n%%timeit.*loops of a run.*Example:\n  %timeit -r 3 f\(x\)`},
		{code: "?%%profile", out: `page: %profile last.*%%profile \[name=value\].*ignore_first_call .*`},
		{code: "%help np.dot", out: `page: dot\(.*`},
		{code: "%help %who", out: `page: %who\n.*`},
		{code: "%help", out: `stdout: Type and run.*`},
		{code: "%lsmagic",
			out: `stdout: On a line of its own:\n  %autoreload .*  %cd .*  %whos .*On the first line of a cell:\n  %%capture .*%%flags .*%%timeit.*`},
		{code: "%magic", out: `stdout: %autoreload \[MODE\].*%cd \[DIR\].*%%profile.*%whos\n\nLists.*`},
	})
}

func TestNamesMagics(t *testing.T) {
	runSteps(t, starlibtest.NewSession(t), []magicStep{
		{code: "%who\n%whos", out: `stdout: No names have been assigned.\n\|stdout: No names have been assigned.\n`},
		{code: "a = np.zeros((3, 4))\nlong = [1] * 100\ns = 'x' * 100\nT = 5\ndef f(x, y=1): pass\n_p = 1\n%who",
			out: `stdout: T  a  f  long  s\n`},
		{code: "%whos", out: "stdout: " + regexp.QuoteMeta(`Name   Type       Value
-----------------------------------------
T      int        5
a      ndarray    float64(3, 4), 96 bytes
f      function   f(x, y=1)
long   list       100 elements
s      string     100 characters
`)},
		{code: "%reset", out: "stdout: Nothing was forgotten.\n"}, // n
		{code: "T", shown: "5"},
		{code: "%reset\nT.name", err: `In[6]:2:2 AttributeError: module T has no attribute .name`}, // y
		{code: "a", err: "In[7]:1:1 NameError: name 'a' is not defined"},
		{code: "%reset", err: "In[8]:1:1 Error: %reset: nobody to ask: %reset -f does not ask"},
		{code: "b = 1\n%reset -f\nOut", shown: "{}"},
		{code: "b", err: "In[10]:1:1 NameError: name 'b' is not defined"},
		{code: "%reset names", err: "In[11]:1:1 Error: %reset: got names, want -f, in or out"},
	}, "n", "y")
}

func TestConfigMagic(t *testing.T) {
	s := starlibtest.NewSession(t)
	runSteps(t, s, []magicStep{
		{code: "%config floatX = float32\nconfig.floatX", shown: `"float32"`},
		{code: "%config floatX",
			out: `stdout: floatX = "float32"  # In\[1\]:1; default "float64"\n  type of .* \(one of float64, float32\)\n`},
		{code: "%config profiling.n_ops=7\n%config",
			out: `stdout: Flag +Value +Default +From\n-+\nfloatX +"float32" +"float64" +In\[1\]:1\n.*profiling.n_ops +7 +20 +In\[3\]:1\n.*`},
		{code: "%config flotX", err: "In[4]:1:1 Error: %config: unknown flag flotX (did you mean floatX?)"},
		{code: "%config floatX=int8", err: `In[5]:1:1 Error: %config: floatX: got "int8", want one of float64, float32`},
	})
}

func TestFileMagics(t *testing.T) {
	dir := t.TempDir()
	starlibtest.Write(t, dir, "data.star", "v = 1\n")
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	starlibtest.Write(t, dir, "sub/setup.star", "# %% [markdown]\n# Title\n# %%\nload('lib.star', 'twice')\nseed = twice(4)\n%who\nseed\n")
	starlibtest.Write(t, dir, "sub/lib.star", "def twice(x): return 2 * x\n")
	starlibtest.Write(t, dir, "bad.star", "before = 1\n# %%\n1 // 0\n")
	starlibtest.Write(t, dir, "loop.star", "%run loop.star\n")
	starlibtest.Write(t, dir, "mag.star", "%time 1\n")
	s := starlib.NewSession(starlib.Options{Dir: dir})
	division := "ZeroDivisionError: floored division by zero (of arrays it is inf or nan: np.array(x) / y)"
	runSteps(t, s, []magicStep{
		{code: "%pwd", shown: fmt.Sprintf("%q", dir)},
		{code: "%ls", out: "stdout: bad.star\n.stdout: data.star\n.stdout: loop.star\n.stdout: mag.star\n.stdout: sub/\n"},
		{code: "%run sub/setup.star\nseed + 1", shown: "9", out: `stdout: seed  twice\n\|display\(text/plain=8,"",false\)`},
		{code: "%run bad.star", err: "In[4]:1:1 bad.star:3:3 " + division},
		{code: "before", shown: "1"},
		{code: "%run bud.star", err: "In[6]:1:1 FileNotFoundError: %run: no file bud.star (did you mean bad.star?)"},
		{code: "%run", err: "In[7]:1:1 Error: %run: got no file: %run FILE.star"},
		{code: "%run bad.star 3", err: "In[8]:1:1 Error: %run: got 3 after the file, want nothing: scripts take no arguments"},
		{code: "%run loop.star", err: "In[9]:1:1 loop.star:1:1 Error: %run: loop.star runs itself"},
		{code: "load('mag.star', 'x')", err: "In[10]:1:1 mag.star:1:1 SyntaxError: got '%', want primary expression " +
			"(magics stand in cells, outside of brackets, not in files that are loaded)"},
		{code: "%cd sub\nload('lib.star', 'twice')", out: "stdout: " + filepath.Join(dir, "sub") + "\n"},
		{code: "%cd nowhere", err: "In[12]:1:1 FileNotFoundError: %cd: no directory nowhere"},
		{code: "load('lob.star', 'twice')",
			err: "In[13]:1:1 FileNotFoundError: cannot load lob.star: no file lob.star (did you mean lib.star?)"},
		{code: "%reload\n%history -n 2",
			out: `stdout:   13: load\('lob.star', 'twice'\)\n\|stdout:   14: %reload\n      %history -n 2\n`},
		{code: "%history 11-12 13-13", out: `stdout: %cd sub\n.*\n\|stdout: %cd nowhere\n\|stdout: load\('lob.star', 'twice'\)\n`},
		{code: "%history x", err: "In[16]:1:1 Error: %history: got x, want how many cells, an integer > 0, or which: 2-5"},
	})
	// A script of magics runs from the command line too.
	out := &starlibtest.Recorder{}
	path := filepath.Join(dir, "sub/setup.star")
	if err := starlib.NewSession(starlib.Options{}).RunFile(context.Background(), path, out); err != nil {
		t.Error(err)
	}
	if want := `stdout: seed  twice` + "\n" + `|display(text/plain=8,"",false)`; out.String() != want {
		t.Errorf("got %q, want %q", out, want)
	}
}

// TestMagicsAssign checks that the rest of a cell does not rely on what names were before a magic
// assigned them.
func TestMagicsAssign(t *testing.T) {
	dir := t.TempDir()
	starlibtest.Write(t, dir, "a.star", "x = np.arange(3)\n")
	for _, code := range []string{
		"%time x = np.arange(3)\n(x < y).tolist()", "x = 1\n%time x = np.arange(3)\n(x < y).tolist()",
		"x = 1\n%run a.star\n(x < y).tolist()",
		"for x in [1]:\n    %run a.star\n    z = (x < y).tolist()\nz",
	} {
		s := starlib.NewSession(starlib.Options{Dir: dir})
		starlibtest.Run(t, s, 1, "x, y = 5, 2")
		if got, _ := starlibtest.Run(t, s, 2, code); got != "[True, True, False]" {
			t.Errorf("%q: got %s", code, got)
		}
	}
	s := starlib.NewSession(starlib.Options{})
	if got, _ := starlibtest.Run(t, s, 1, "%time total = 5\nfor i in range(4):\n    total += i\n%time total += i\ntotal"); got != "14" {
		t.Errorf("a loop between magics: got %s, want 14", got)
	}
}

// TestReloadMagic checks that %reload reads a file again that seems not to have changed.
func TestReloadMagic(t *testing.T) {
	dir := t.TempDir()
	path := starlibtest.Write(t, dir, "a.star", "v = 1\n")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	s := starlib.NewSession(starlib.Options{Dir: dir})
	for i, tt := range []struct{ code, want string }{
		{"load('a.star', 'v')\nv", "1"}, {"load('a.star', 'v')\nv", "1"}, {"%reload\nload('a.star', 'v')\nv", "2"},
	} {
		if i == 1 {
			starlibtest.Write(t, dir, "a.star", "v = 2\n")
			if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
				t.Fatal(err)
			}
		}
		if got, _ := starlibtest.Run(t, s, i+1, tt.code); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.code, got, tt.want)
		}
	}
}

// TestNestedProfile checks that %run does not end the profile of the cell that it stands in.
func TestNestedProfile(t *testing.T) {
	dir := t.TempDir()
	starlibtest.Write(t, dir, "f.star", "x = T.scalar('x')\nf = function([x], x + 1)\nf(1)\n")
	s := starlib.NewSession(starlib.Options{Dir: dir})
	_, out := starlibtest.Run(t, s, 1, "%%profile\n%run f.star\nf(2);")
	if n := strings.Count(out.String(), "text/plain"); n != 2 || strings.Contains(out.String(), "called no compiled function") {
		t.Errorf("got %d displays: %s", n, out)
	}
}

func TestHistory(t *testing.T) {
	s := starlibtest.NewSession(t)
	runSteps(t, s, []magicStep{
		{code: "_", err: "In[1]:1:1 NameError: name '_' is not defined (no cell has shown a value yet, or too few)"},
		{code: "10"},
		{code: "None"},
		{code: "20;"},
		{code: "[30]"},
	}[:1])
	for i, tt := range []struct{ code, want string }{
		{"10", "10"}, {"None", ""}, {"20;", ""}, {"[30]", "[30]"}, {"x = 5", ""},
		{"(_, __, _2, _5, Out, In[2], len(In))", `([30], 10, 10, [30], {2: 10, 5: [30]}, "10", 8)`},
		{"len(_)", "7"}, {"___", "[30]"}, {"Out.pop(5)[0]", "30"},
	} {
		if got, _ := starlibtest.Run(t, s, i+2, tt.code); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.code, got, tt.want)
		}
	}
	for _, tt := range []struct{ code, want string }{
		{"_5", "name '_5' is not defined (cell 5 showed no value, or it was forgotten)"},
		{"_77", "name '_77' is not defined (there was no cell 77)"},
		{"def f(): return _4\nf()", "name '_4' is not defined (cell 4 showed no value, or it was forgotten)"},
	} {
		if e := starlibtest.Fails(t, s, 11, tt.code); e.Error() != tt.want {
			t.Errorf("%q: got %s, want %s", tt.code, e, tt.want)
		}
	}
	// A number that was used belongs to the first cell that had it: front ends run hidden cells so.
	starlibtest.Run(t, s, 3, "'hidden'")
	if got, _ := starlibtest.Run(t, s, 12, "(In[3], 3 in Out)"); got != `("None", False)` {
		t.Errorf("got %s", got)
	}
	if got, _ := starlibtest.Run(t, s, 13, "Out"); !strings.HasPrefix(got, "{2: 10, ") || strings.Contains(got, "13: ") {
		t.Errorf("Out holds itself: %s", got)
	}
	starlibtest.Run(t, s, 13, "Out.clear()")
	if e := starlibtest.Fails(t, s, 14, "_"); !strings.Contains(e.Error(), "no cell has shown") {
		t.Errorf("after Out.clear(): got %s", e)
	}
	// A name that the user has assigned stays the user's.
	starlibtest.Run(t, s, 15, "for _ in range(3): pass")
	starlibtest.Run(t, s, 16, "1")
	if got, _ := starlibtest.Run(t, s, 17, "(_, _16)"); got != "(2, 1)" {
		t.Errorf("got %s, want (2, 1)", got)
	}
	starlibtest.Run(t, s, 18, "_19 = 'mine'")
	starlibtest.Run(t, s, 19, "3")
	if got, _ := starlibtest.Run(t, s, 20, "(_19, Out[19])"); got != `("mine", 3)` {
		t.Errorf("got %s", got)
	}
	starlibtest.Run(t, s, 21, "%reset -f out\n%reset -f in")
	if got, _ := starlibtest.Run(t, s, 22, "(Out, In[16], _19, _)"); got != `({}, "", "mine", 2)` {
		t.Errorf("got %s", got)
	}
	starlibtest.Run(t, s, 23, "%reset -f")
	starlibtest.Run(t, s, 24, "7")
	if got, _ := starlibtest.Run(t, s, 25, "(_, Out[24])"); got != "(7, 7)" {
		t.Errorf("got %s", got)
	}
}

// TestScriptHasNoHistory checks that the results of a script are not kept.
func TestScriptHasNoHistory(t *testing.T) {
	s := starlibtest.NewSession(t)
	path := starlibtest.Write(t, t.TempDir(), "a.star", "1\n# %%\nOut\n")
	err := s.RunFile(context.Background(), path, &starlibtest.Recorder{})
	const want = "name 'Out' is not defined (notebooks and the prompt keep cells and results; in a file give them names)"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
}

func TestCompleteMagics(t *testing.T) {
	dir := t.TempDir()
	starlibtest.Write(t, dir, "setup.star", "")
	starlibtest.Write(t, dir, "notes.txt", "")
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := starlib.NewSession(starlib.Options{Dir: dir})
	for _, tt := range []struct{ code, want string }{
		{"%ti", "time timeit"},
		{"x = 1\n  %who", "who who_ls whos"},
		{"%%ti", "time timeit"},
		{"%%mark", "markdown"},
		{"%pro", "profile"}, {"%profile ", "last slow list session show export diff"}, {"%profile show ", "last slow"},
		{"%timeit -", "-n -r -q -o -p"},
		{"%timeit -n 3 np.lins", "linspace"},
		{"%run s", "sub/ setup.star"},
		{"%run se", "setup.star"},
		{"%cd s", "sub/"},
		{"%config floa", "floatX="},
		{"%config floatX=", "float64 float32"},
		{"%help np.lins", "linspace"},
		{"(5\n%rang", "range"},
		{"__mag", ""},
	} {
		_, _, list := s.Complete(tt.code, len([]rune(tt.code)))
		var got []string
		for _, m := range list {
			got = append(got, m.Text)
		}
		want := strings.Fields(tt.want)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", tt.code, got, want)
		}
	}
	text, _ := s.Inspect("x = 1\n%timeit f()", 9, 0)["text/plain"].(string)
	if !strings.HasPrefix(text, "%timeit [-n N]") {
		t.Errorf("inspect: got %v", text)
	}
	for _, tt := range []struct{ code, status string }{
		{"%time f(1)", "complete"}, {"%timeti f(1)", "invalid"}, {"%who\nfor i in x:", "incomplete"}, {"%timeit?", "complete"},
	} {
		if status, _ := s.IsComplete(tt.code); status != tt.status {
			t.Errorf("%q: got %s, want %s", tt.code, status, tt.status)
		}
	}
}
