package session_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/kernels/parallel"
	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/starlibtest"
)

func TestLastValue(t *testing.T) {
	s := starlibtest.NewSession(t)
	for i, tt := range []struct{ code, want string }{
		{"1 + 2 + 3", "6"},
		{"[n*n for n in range(1, 4)]", "[1, 4, 9]"},
		{"x = 1", ""},
		{"None", ""},
		{"1 + 1;", ""},
		{"1 + 1; # hush", ""},
		{"1 + 1 # a; b", "2"},
		{"'a;b'", `"a;b"`},
		{"x = 2; x", "2"},
		{"(1,\n 2)", "(1, 2)"},
		{"if True: 5", ""},
		{"", ""},
		{"# only a comment", ""},
		{`"""text"""`, `"text"`},
		{"0.1 + 0.2", "0.30000000000000004"},
		{"[123456789.0, 1e16, 1e15, 1e-5, 0.0001]", "[123456789.0, 1e+16, 1000000000000000.0, 1e-05, 0.0001]"},
		{"(math.inf, -math.inf, math.nan, -0.0)", "(inf, -inf, nan, -0.0)"},
		{`{"a": 1e9, 2.0: set([1.5])}`, `{"a": 1000000000.0, 2.0: set([1.5])}`},
		{"struct(a = 1e9, b = [1.0])", "struct(a = 1000000000.0, b = [1.0])"},
		{"x = [1.0]; x.append(x); x", "[1.0, [...]]"},
	} {
		if got, _ := starlibtest.Run(t, s, i+1, tt.code); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.code, got, tt.want)
		}
	}
}

func TestOutput(t *testing.T) {
	s := starlibtest.NewSession(t)
	for _, tt := range []struct{ code, want string }{
		{`print("a", 1.0, [1e9], sep="-", end="!")`, "stdout: a-1.0-[1000000000.0]!"},
		{`print("test", file="stderr")`, "stderr: test\n"},
		{`display(HTML("<b>x</b>"))`, `display(text/html=<b>x</b> text/plain=<HTML: 8 bytes>,"",false)`},
		{`display(SVG("<svg/>"), 1)`,
			`display(image/svg+xml=<svg/> text/plain=<SVG: 6 bytes>,"",false)|display(text/plain=1,"",false)`},
		{`display(Markdown("*x*"), display_id="d1"); update_display(1, display_id="d1")`,
			`display(text/markdown=*x* text/plain=*x*,"d1",false)|display(text/plain=1,"d1",true)`},
		{`display({"text/plain": "p", "a/b": [1, {"c": None}]}, raw=True)`, `display(a/b=[1 map[c:<nil>]] text/plain=p,"",false)`},
		{`display(symbol())`, `display(text/html=<i>x</i> text/plain=x,"",false)`},
		{`clear_output(); clear_output(wait=True)`, "clear(false)|clear(true)"},
		{"%%markdown\n# Title", "display(text/markdown=# Title text/plain=# Title,\"\",false)"},
		{"zip?",
			"page: zip(*args, strict=False)\n\nA list of tuples of the first elements, the second, ..., up to the end of the shortest. If one is an iterator, so is the result.\n\nArgs:\n  *args: iterables\n  strict: an error if they are not equally long\n\nExample:\n  zip([1, 2], \"ab\") # [(1, \"a\"), (2, \"b\")]"},
		{"zpi?", "stdout: name 'zpi' is not defined (did you mean zip?)\n"},
		{`config("n_apply")`, ""},
	} {
		if _, out := starlibtest.Run(t, s, 1, tt.code); out.String() != tt.want {
			t.Errorf("%q:\ngot  %q\nwant %q", tt.code, out.String(), tt.want)
		}
	}
}

func TestImage(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.svg"), []byte("<svg/>"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := starlib.NewSession(starlib.Options{Dir: dir})
	data, meta, err := s.Execute(context.Background(), 1, `Image("a.svg", width=10)`, nil)
	if err != nil || data["image/svg+xml"] != "<svg/>" || fmt.Sprint(meta) != "map[image/svg+xml:map[width:10]]" {
		t.Errorf("got %v, %v, %v", data, meta, err)
	}
	for bytes, mime := range map[string]string{
		`\x89PNG\r\n\x1a\n`: "image/png", `\xff\xd8\xff\xe0`: "image/jpeg", `GIF89a,`: "image/gif", `RIFF\x04\x00\x00\x00WEBPVP8 `: "image/webp", `BM\x01`: "image/bmp",
	} {
		data, _, err := s.Execute(context.Background(), 1, fmt.Sprintf(`Image(b"%s")`, bytes), nil)
		if err != nil || data[mime] == nil {
			t.Errorf("%s: got %v, %v, want %s", bytes, data, err, mime)
		}
	}
	data, _, err = s.Execute(context.Background(), 1, `Image(b"\x89PNG\r\n\x1a\n")`, nil)
	if err != nil || data["image/png"] != "iVBORw0KGgo=" {
		t.Errorf("got %v, %v", data, err)
	}
	for bytes, kind := range map[string]string{`<svg`: "text/plain", `RIFF`: "text/plain", `\x89PN`: "application/octet-stream"} {
		_, _, err := s.Execute(context.Background(), 1, fmt.Sprintf(`Image(b"%s")`, bytes), nil)
		if err == nil || !strings.Contains(err.Error(), "got data of type "+kind+", want a picture") {
			t.Errorf("%s: got %v, want one that names %s", bytes, err, kind)
		}
	}
}

func TestInput(t *testing.T) {
	s := starlibtest.NewSession(t)
	out := &starlibtest.Recorder{Answer: func(prompt string, password bool) (string, error) {
		return fmt.Sprintf("%s%v", prompt, password), nil
	}}
	data, _, err := s.Execute(context.Background(), 1, `input("a? ") + getpass("b? ")`, out)
	if err != nil || data["text/plain"] != `"a? falseb? true"` {
		t.Errorf("got %v, %v", data, err)
	}
	out.Answer = func(string, bool) (string, error) { return "", errors.New("stdin is off") }
	if _, _, err = s.Execute(context.Background(), 1, "input()", out); err == nil || err.Error() != "input: stdin is off" {
		t.Errorf("got %v", err)
	}
}

// TestInterrupt stops cells in each place where they can spend time, and uses the
// session again.
func TestInterrupt(t *testing.T) {
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir(), Bound: func(threads int, _ int64) { parallel.SetThreads(threads) }})
	defer parallel.SetThreads(parallel.Threads())
	starlibtest.Run(t, s, 1, "kept = 7\ndef spin():\n    for i in range(1000000000):\n        x = i\n")
	starlibtest.Run(t, s, 1, `x = T.dmatrix("x")
product = function([x], T.dot(x, T.dot(x, x)))
y = x
for _ in range(60):
    y = pow(y, x)
fused = function([x], y)
big = np.full((3000, 3000), 0.5)
`)
	waiting := &starlibtest.Recorder{Answer: func(string, bool) (string, error) { select {} }}
	for _, code := range []string{"spin()", "while True: pass", "time.sleep(100)", "input()", "[i for i in range(1000000000)];",
		"product(big)", "fused(big)", "config.threads = 2\nproduct(big)", "fused(big)", "np.dot(big, np.dot(big, big))"} {
		// The machine may be busy with something else: what does not stop is late every time.
		late, soon := time.Hour, 100*time.Millisecond
		if long.Race { // products by Go's kernels look at it ten times less often
			soon = time.Second
		}
		for try := 0; try < 5 && late > soon; try++ {
			ctx, cancel := context.WithCancel(context.Background())
			cancelled := make(chan time.Time, 1)
			time.AfterFunc(20*time.Millisecond, func() { cancelled <- time.Now(); cancel() })
			_, _, err := s.Execute(ctx, 2, code, waiting)
			late = min(late, time.Since(<-cancelled))
			var e *starlib.Error
			if !errors.As(err, &e) || e.Name() != "KeyboardInterrupt" {
				t.Errorf("%q: got %v, want KeyboardInterrupt", code, err)
			}
		}
		if late > soon {
			t.Errorf("%q: stopped %v after the interrupt, want within %v", code, late, soon)
		}
		if got, _ := starlibtest.Run(t, s, 3, "kept"); got != "7" {
			t.Errorf("after %q: kept is %q", code, got)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if _, _, err := s.Execute(ctx, 4, "spin()", nil); err == nil || err.(*starlib.Error).Name() != "TimeoutError" {
		t.Errorf("got %v, want TimeoutError", err)
	}
}

func TestTraceback(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, "def inner(n):\n\treturn 1 // n\n")
	starlibtest.Run(t, s, 2, "def outer(xs):\n    return [inner(x) for x in xs]\n")
	got := strings.Join(starlibtest.Fails(t, s, 3, "a = 1\nouter([1, 0])").Traceback()[1:], "\n")
	want := strings.TrimPrefix(`
ZeroDivisionError                         Traceback (most recent call last)
In[3]:2:6
      1 a = 1
-->   2 outer([1, 0])
             ^
In[2]:2:18 in outer
      1 def outer(xs):
-->   2     return [inner(x) for x in xs]
                         ^
In[1]:2:11 in inner
      1 def inner(n):
-->   2 	return 1 // n
        	         ^
ZeroDivisionError: floored division by zero (of arrays it is inf or nan: np.array(x) / y)`, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	e := starlibtest.Fails(t, s, 4, "def f(n): return f(n + 1)\nf(0)")
	tb := strings.Join(e.Traceback(), "\n")
	if n := strings.Count(tb, "In[4]:"); e.Name() != "RecursionError" || n != 20 || !strings.Contains(tb, " frames like these left out ...") {
		t.Errorf("recursion: got %s with %d frames shown", e.Name(), n)
	}
	if e := starlibtest.Fails(t, s, 6, "inner(1, 2)"); len(e.Frames()) != 1 {
		t.Errorf("wrong arguments: got frames %v, want the call alone", e.Frames())
	}
	if e := starlibtest.Fails(t, s, 5, "x = ("); e.Name() != "SyntaxError" || e.Frames()[0].Pos().String() != "In[5]:1:6" {
		t.Errorf("got %s at %v", e.Name(), e.Frames())
	}
}

func TestPanic(t *testing.T) {
	s := starlibtest.NewSession(t)
	e := starlibtest.Fails(t, s, 1, "a = 1\npanics()")
	if e.Name() != "InternalError" || !strings.Contains(e.Error(), "wires crossed") || e.Frames()[0].Line != 2 {
		t.Errorf("got %s: %v at %v", e.Name(), e, e.Frames())
	}
	if got, _ := starlibtest.Run(t, s, 2, "a"); got != "1" {
		t.Errorf("a: got %s, want 1", got)
	}
}

func TestMagic(t *testing.T) {
	s := starlibtest.NewSession(t)
	var cells []*starlib.Cell
	var during []string
	s.Before = func(c *starlib.Cell) { during = append(during, s.Config().String("optimizer_excluding")) }
	s.After = func(c *starlib.Cell, out starlib.Output) {
		cells = append(cells, c)
		out.Stream("stdout", "after")
	}
	_, out := starlibtest.Run(t, s, 1, "\n# why\n%%profile memory=True optimizer_excluding=fusion:inplace --top 5 --name last\norigin()")
	c := cells[0]
	if c.Magic.Name != "profile" || c.Magic.Line != 3 || c.Magic.Option("name") != "last" || c.Magic.Option("top") != "5" || c.Magic.Option("rewrites") != "False" {
		t.Errorf("got magic %+v", c.Magic)
	}
	if during[0] != "fusion:inplace" || s.Config().String("optimizer_excluding") != "" ||
		!regexp.MustCompile(`^stderr: %%profile: the cell called no compiled function, and in .* no sample was taken: %timeit repeats what is short\n\|stdout: after$`).MatchString(out.String()) {
		t.Errorf("got flags %q then %q, output %q", during, s.Config().String("optimizer_excluding"), out)
	}
	if got, _ := starlibtest.Run(t, s, 2,
		"# %%flags profiling__n_ops=3 profile_memory=1\n(config.profiling.n_ops, config.profile_memory, config.profile, origin())"); got != `(3, True, False, "2:71:<toplevel>")` {
		t.Errorf("flags: got %s", got)
	}
	for _, tt := range []struct{ code, want string }{
		{"%%profle\n1", "SyntaxError: unknown magic %%profle (did you mean %%profile?) at 1:1"},
		{"\n%%profile memry=True", "ConfigError: %%profile: unknown flag memry (did you mean memory?) at 2:11"},
		{"%%flags floatX=float16", `ConfigError: %%flags: floatX: got "float16", want one of float64, float32 at 1:9`},
		{"%%profile n_ops=x", `ConfigError: %%profile: n_ops: got "x", want an integer > 0, or all at 1:11`},
		{"%%profile fast", "ConfigError: %%profile: got fast, want name=value or --name at 1:11"},
		{"%%profile show=all", `ConfigError: %%profile: profiling.show: got "all", want one of open, closed, head, text, none at 1:11`},
		{"%%profile top=0", `ConfigError: %%profile: top: got "0", want an integer > 0, or all at 1:11`},
	} {
		e := starlibtest.Fails(t, s, 3, tt.code)
		f := e.Frames()[0]
		if got := fmt.Sprintf("%s: %s at %d:%d", e.Name(), e, f.Line, f.Col); got != tt.want {
			t.Errorf("%q: got %s\nwant %s", tt.code, got, tt.want)
		}
	}
	starlibtest.Fails(t, s, 4, "%%flags floatX=float32\nfail('x')")
	if got := s.Config().String("floatX"); got != "float64" {
		t.Errorf("after a failed cell: floatX is %s", got)
	}
	if n := len(cells); cells[n-1].Err == nil || cells[n-1].Name != "In[4]" {
		t.Errorf("After was not told of the error: %+v", cells[n-1])
	}
}

func TestConfigValue(t *testing.T) {
	c, err := config.Load(config.Options{Dir: t.TempDir(), UserFile: "none",
		Getenv: func(name string) string { return map[string]string{"ARIGNOTE_FLAGS": "floatX=float32"}[name] }})
	if err != nil {
		t.Fatal(err)
	}
	s := starlib.NewSession(starlib.Options{Config: c, Dir: t.TempDir()})
	_, out := starlibtest.Run(t, s, 1,
		"config.profiling.n_apply = 5\nconfig.profiling__n_ops = 6\nconfig.optimizer = None\nconfig.optimizer_excluding = ['fusion']\nprint(config)")
	for _, want := range []string{
		`floatX += "float32" +# ARIGNOTE_FLAGS`, `profiling.n_apply += 5 +# In\[1\]:1:1`, `profiling.n_ops += 6 `,
		`optimizer += "None"`, `optimizer_excluding += "fusion"`, `profile += False +# default`,
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("print(config) has no line %q:\n%s", want, out)
		}
	}
	if got, _ := starlibtest.Run(t, s, 2, "(config.floatX, config.profiling__n_apply, config.optimizer)"); got != `("float32", 5, None)` {
		t.Errorf("got %s", got)
	}
	for _, tt := range []struct{ code, want string }{
		{"config.flotX", "config: unknown flag flotX (did you mean floatX?)"},
		{"config.profiling.n_aply = 1", "config: unknown flag profiling.n_aply (did you mean profiling.n_apply?)"},
		{"config.floatX = 'int8'", `config.floatX: got "int8", want one of float64, float32`},
		{"config.profile = {}", "config.profile: got dict, want bool, int, string or None"},
		{"config.profiling = 1", "config: profiling is a section of flags, not a flag; it has always, debugprint, destination"},
	} {
		if e := starlibtest.Fails(t, s, 3, tt.code); !strings.HasPrefix(e.Error(), tt.want) {
			t.Errorf("%q: got %s, want %s", tt.code, e, tt.want)
		}
	}
}

func TestEvaluate(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, "ue = 20")
	if data, err := s.Evaluate(context.Background(), "ue + 1"); err != nil || data["text/plain"] != "21" {
		t.Errorf("got %v, %v", data, err)
	}
	if data,
		err := s.Evaluate(context.Background(),
		"(symbol()[1:], symbol() < 1, None)"); err != nil || data["text/plain"] != `((1, None, None), "< 1 True", None)` {
		t.Errorf("got %v, %v", data, err)
	}
	if data, err := s.Evaluate(context.Background(), "None"); err != nil || data["text/plain"] != "None" {
		t.Errorf("got %v, %v", data, err)
	}
	if _, err := s.Evaluate(context.Background(), "ue = 3"); err == nil || err.(*starlib.Error).Name() != "SyntaxError" {
		t.Errorf("a statement: got %v", err)
	}
	_, err := s.Evaluate(context.Background(), "no_such")
	var e *starlib.Error
	if !errors.As(err, &e) || e.Name() != "NameError" || e.Error() != "name 'no_such' is not defined" {
		t.Errorf("got %v", err)
	}
}

func TestRunFile(t *testing.T) {
	dir := t.TempDir()
	starlibtest.Write(t, dir, "lib.star", "def twice(x): return 2 * x\n")
	path := starlibtest.Write(t, dir, "a.star",
		"# %% [markdown]\n# # Title\n\n# %% First\nload(\"lib.star\", \"twice\")\nx = twice(4)\n\n# %%\n# %%flags floatX=float32\nconfig.floatX\n# %%\nx = origin()\nx\n# %%\ny = nope\n# %%\nprint('not reached')\n")
	s := starlib.NewSession(starlib.Options{Predeclared: starlibtest.Assertions})
	out := &starlibtest.Recorder{}
	err := s.RunFile(context.Background(), path, out)
	var e *starlib.Error
	if !errors.As(err, &e) || e.Name() != "NameError" || e.Frames()[0].Pos().String() != path+":15:5" {
		t.Fatalf("got %v at %v", err, e)
	}
	if want := `display(text/plain="float32","",false)|display(text/plain="12:11:<toplevel>","",false)`; out.String() != want {
		t.Errorf("got %s, want %s", out, want)
	}
	if tb := strings.Join(e.Traceback(), "\n"); !strings.Contains(tb, "-->  15 y = nope\n            ^") {
		t.Errorf("got %s", tb)
	}
	if err := s.RunFile(context.Background(), filepath.Join(dir, "none.star"), out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// TestReload checks that a changed file is read again, also one that is loaded by a file.
func TestReload(t *testing.T) {
	dir := t.TempDir()
	starlibtest.Write(t, dir, "a.star", "load('b.star', 'v')\nw = v\n")
	b := starlibtest.Write(t, dir, "b.star", "v = 1\n")
	s := starlib.NewSession(starlib.Options{Dir: dir})
	if got, _ := starlibtest.Run(t, s, 1, "load('a.star', 'w')\nw"); got != "1" {
		t.Errorf("got %s, want 1", got)
	}
	starlibtest.Write(t, dir, "b.star", "v = 2\n")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(b, later, later); err != nil {
		t.Fatal(err)
	}
	if got, _ := starlibtest.Run(t, s, 2, "load('a.star', 'w')\nw"); got != "2" {
		t.Errorf("after a change: got %s, want 2", got)
	}
}

func TestIsComplete(t *testing.T) {
	s := starlibtest.NewSession(t)
	for _, tt := range []struct{ code, status, indent string }{
		{"1", "complete", ""},
		{"print('hello, world')", "complete", ""},
		{"def f(x):\n  return x*2\n\n\n", "complete", ""},
		{"def f(x):\n  x*2", "incomplete", "  "},
		{"def f(x):", "incomplete", "    "},
		{"def f(x):\n  if x:", "incomplete", "      "},
		{"print('''hello", "incomplete", ""},
		{"f(1,", "incomplete", ""},
		{"load = = 7q", "invalid", ""},
		{"x = 1 +", "invalid", ""},
		{"zip?", "complete", ""},
		{"%%profile memory=True\nx", "complete", ""},
		{"%%profile memry=True\nx", "invalid", ""},
		{"%%markdown\n# Some text, with (", "complete", ""},
		{"", "complete", ""},
		// What CPython's codeop and IPython's console say.
		{"a = 1 \\", "incomplete", ""},
		{"a = 1 \\\n", "incomplete", ""},
		{"a = 1 \\\n\n", "complete", ""},
		{"if x: \\", "incomplete", ""},
		{"x = 'abc\\", "incomplete", ""},
		{"f(\\", "incomplete", ""},
		{"if 1:\n  a = 1 \\", "incomplete", "  "},
		{"\\", "incomplete", ""},
		{"# a \\", "complete", ""},
		{"a = 1 # \\", "complete", ""},
		{"a = = 1 \\", "invalid", ""},
		{"%%time", "incomplete", ""},
		{"%%time\n", "incomplete", ""},
		{"%%time\n\n", "complete", ""},
		{"\n# c\n%%timeit -n 1", "incomplete", ""},
		{"%%html", "incomplete", ""},
		{"%%time\nx = 1", "complete", ""},
		{"%%time\nx = (", "incomplete", ""},
		{"%%tim", "invalid", ""},
	} {
		if status, indent := s.IsComplete(tt.code); status != tt.status || indent != tt.indent {
			t.Errorf("%q: got %s %q, want %s %q", tt.code, status, indent, tt.status, tt.indent)
		}
	}
}
