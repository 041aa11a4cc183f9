package magic_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// A cellCase is a cell with the text of its value, or its error, and its output; * in a text
// stands for anything.
type cellCase struct{ code, value, printed string }

func runCases(t *testing.T, s *starlib.Session, cases []cellCase) {
	t.Helper()
	like := func(got, want string) bool {
		pattern := strings.ReplaceAll(regexp.QuoteMeta(want), `\*`, `(?s:.*)`)
		return regexp.MustCompile("^" + pattern + "$").MatchString(got)
	}
	for i, c := range cases {
		out := &starlibtest.Recorder{}
		data, _, err := s.Execute(t.Context(), i+1, c.code, out)
		got, _ := data["text/plain"].(string)
		if err != nil {
			got = err.(*starlib.Error).Name() + ": " + err.Error()
		}
		if !like(got, c.value) || !like(out.String(), c.printed) {
			t.Errorf("%s:\ngot  %q, printed %q\nwant %q, printed %q", c.code, got, out.String(), c.value, c.printed)
		}
	}
}

// TestTextMagics: cells go to files, and files to cells.
func TestTextMagics(t *testing.T) {
	dir := t.TempDir()
	s := starlib.NewSession(starlib.Options{Dir: dir})
	runCases(t, s, []cellCase{
		{"%%writefile a.py\nx = (\n%not a magic", "", "stdout: Writing a.py\n"},
		{"%%writefile a.py\nx = 1\n", "", "stdout: Overwriting a.py\n"},
		{"%%writefile -a a.py\ny = 2", "", "stdout: Appending to a.py\n"},
		{"%load a.py", "", "stdout: # %load a.py\nx = 1\ny = 2\n"},
		{"%load a", "", "stdout: # %load a\nx = 1\ny = 2\n"},
		{"%load b", "FileNotFoundError: %load: no file b*", ""},
		{"%load https://example.org/a.py", "Error: %load: got a url: programs reach no network; download the file, and load that", ""},
		{"%load", "Error: %load: got no file: %load FILE", ""},
		{"%%writefile\nx", "Error: %%writefile: got no file: %%writefile FILE", ""},
		{"%%writefile none/a.py\nx", "FileNotFoundError: %%writefile: no directory none/a.py", ""},
		{"%%latex\n$x$", "", `display(text/latex=$x$ text/plain=$x$,"",false)`},
		{"%%svg\n<svg/>", "", `display(image/svg+xml=<svg/> text/plain=<svg/>,"",false)`},
		{"%%javascript\n1 + 1", "", `display(application/javascript=1 + 1 text/plain=1 + 1,"",false)`},
		{"%%time\n%%html\n<b>", "", `display(text/html=<b> text/plain=<b>,"",false)|stdout: *`},
		{"%load_ext nothing", "Error: there is no extension nothing*", ""},
	})
	if text, err := os.ReadFile(filepath.Join(dir, "a.py")); string(text) != "x = 1\ny = 2\n" {
		t.Errorf("got %q, %v", text, err)
	}
}

// TestMagicOfFunction: the magic in a function is that of the cell which made the function.
func TestMagicOfFunction(t *testing.T) {
	const stands = "Error: %who_ls stands in a function: magics are lines of a cell outside functions"
	runCases(t, starlibtest.NewSession(t), []cellCase{
		{"def f():\n    %who_ls", "", ""},
		{"f()", stands, ""},
		{"x = 1\n%pwd\nf()", stands, ""},
		{"def g():\n    %pwd\ng()", "Error: %pwd stands in a function*", ""},
	})
}

// TestStore: values are kept from one session to the next.
func TestStore(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	runCases(t, starlibtest.NewSession(t), []cellCase{
		{"%store", "", "stdout: No values are stored.\n"},
		{"a = [1, 2.5]; w = np.arange(3.0); f = lambda: 1", "", ""},
		{"%store a w", "", "stdout: Stored 'a' (list)\n|stdout: Stored 'w' (ndarray)\n"},
		{"%store f", "PicklingError: %store: f: a function is not written*", ""},
		{"%store a > file", "ValueError: %store: > is not in Arignote: *", ""},
		{"%store missing", "NameError: %store: no cell has assigned missing", ""},
	})
	runCases(t, starlibtest.NewSession(t), []cellCase{
		{"%store", "", "stdout: Name   Type      Value\n*a      list      [1, 2.5]\nw      ndarray   float64(3,), 24 bytes\n"},
		{"%store -r\na, w", "([1, 2.5], array([0., 1., 2.]))", ""},
		{"%store -r b", `Error: %store: no value is stored as b (%store lists those that are)`, ""},
		{"%store -d a\n%store", "", "stdout: *Value\n*w *"},
		{"%store -d", "Error: %store: got no name to forget: %store -d NAME; %store -z forgets all", ""},
		{"%store -z\n%store", "", "stdout: No values are stored.\n"},
		{"config.sandbox", "False", ""},
	})
}

// TestStoreLeavesOut: a value that cannot be read is named, and the others are listed and assigned.
func TestStoreLeavesOut(t *testing.T) {
	data := t.TempDir()
	t.Setenv("XDG_DATA_HOME", data)
	dir := filepath.Join(data, "arignote", "store")
	s := starlibtest.NewSession(t)
	runCases(t, s, []cellCase{{"a, b, c = 1, 2, 3\n%store a b c", "", "*"}})
	if err := os.WriteFile(filepath.Join(dir, "b.pickle"), []byte("no pickle"), 0o600); err != nil {
		t.Fatal(err)
	}
	const warning = "stderr: warning: %store: b: *: it is left out (%store -d b forgets it)\n"
	runCases(t, starlibtest.NewSession(t), []cellCase{
		{"%store", "", warning + "|stdout: Name *\na *\nc *\n"},
		{"%store -r\na, c", "(1, 3)", warning},
		{"%store -r c b", "UnpicklingError: %store: b: *", ""},
		{"%store -d b\n%store -r", "", ""},
	})
}

// TestStoreIsPrivate: only the user can read stored values, also in files that others could read.
func TestStoreIsPrivate(t *testing.T) {
	data := t.TempDir()
	t.Setenv("XDG_DATA_HOME", data)
	dir := filepath.Join(data, "arignote", "store")
	store := []cellCase{{"a = 1\n%store a", "", "*"}}
	runCases(t, starlibtest.NewSession(t), store)
	look := func(path string, want os.FileMode) {
		t.Helper()
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: got %v, %v, want mode %v", path, info.Mode(), err, want)
		}
	}
	file := filepath.Join(dir, "a.pickle")
	look(dir, 0o700)
	look(file, 0o600)
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	runCases(t, starlibtest.NewSession(t), store)
	look(file, 0o600)
}

// TestShellMagics: the environment, times, names and digits, as in IPython.
func TestShellMagics(t *testing.T) {
	t.Setenv("ARIGNOTE_TRIED", "yes")
	runCases(t, starlibtest.NewSession(t), []cellCase{
		{"%env ARIGNOTE_TRIED", `"yes"`, ""},
		{"e = %env\ne['ARIGNOTE_TRIED']", `"yes"`, ""},
		{"%env NONE_OF_IT", "Error: %env: there is no variable NONE_OF_IT", ""},
		{"%env X=1", "Error: %env: the environment is read only: programs that read it have read it when Arignote began; flags are set by %config name=value", ""},
		{"r = %timeit -n 3 -r 2 -q -o 1 + 1\nr.loops, r.repeat, len(r.timings), r.best <= r.average, r.average <= r.worst, r.stdev >= 0, r.all_runs[0] >= r.timings[0], 0 < r.compile_time",
			"(3, 2, 2, True, True, True, True, True)", ""},
		{"r", "<TimeitResult : * ± * per loop (mean ± std. dev. of 2 runs, 3 loops each)>", ""},
		{"%timeit -n 3 -r 2 -o 1 + 1", "<TimeitResult : *>", "stdout: * per loop *\n"},
		{"%%timeit -n 3 -r 2 -q -o\n1 + 1", "<TimeitResult : *>", ""},
		{"x = %who_ls\nx", `["e", "r"]`, ""},
		{"%who_ls dict list", `["e", "x"]`, ""},
		{"a, b = %env", "*", ""},
		{"%pinfo zip", "", "page: zip(*"},
		{"%pinfo2 zip", "", "page: zip(*"},
		{"%pinfo", "Error: %pinfo: got no name: %pinfo NAME", ""},
		{"%precision 3", `"%.3f"`, ""},
		{"3.14159, [2.0], {1: 1e-9}", "(3.142, [2.000], {1: 0.000})", ""},
		{"np.array([3.14159])", "array([3.142])", ""},
		{"np.array([1.23456, 2.0]).mean()", "1.617", ""},
		{"np.float64(3.14159), [np.arange(2.0)[1]]", "(3.142, [1.000])", ""},
		{"np.float32(3.14159), np.int64(3)", "(3.14159, 3)", ""},
		{"{3.14159}, {(1, 2.0)}", "(set([3.142]), set([(1, 2.000)]))", ""},
		{"repr(3.14159)", `"3.14159"`, ""},
		{"%precision %.2e", `"%.2e"`, ""},
		{"3.14159", "3.14e+00", ""},
		{"%precision x", "ValueError: %precision: got x, want a number of digits, or a format such as %.3e", ""},
		{"%precision", `"%r"`, ""},
		{"3.14159, np.array([3.14159])", "(3.14159, array([3.14159]))", ""},
	})
}

// TestXmode: how much tracebacks show.
func TestXmode(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, "def f(a):\n    b = a + 1\n    return a // 0")
	for i, c := range []struct{ choose, told, traceback string }{
		{"%xmode plain", "Plain", "Traceback (most recent call last):\n  In[2]:1:2, in <cell>\n    f(7)\n  In[1]:3:14, in f\n    return a // 0\nZeroDivisionError: *"},
		{"%xmode Verbose", "Verbose", "-*ZeroDivisionError * Traceback (most recent call last)\nIn[2]:1:2\n-->   1 f(7)\n         ^\n        f = <function f>\nIn[1]:3:14 in f\n*\n        a = 7\n        b = 8\nZeroDivisionError: *"},
		{"%xmode minimal", "Minimal", "ZeroDivisionError: *"},
		{"%xmode", "Plain", "Traceback (most recent call last):\n*"},
		{"%xmode", "Context", "-*--> *"},
	} {
		if _, out := starlibtest.Run(t, s, 2*i+10, c.choose); out.String() != "stdout: Exception reporting mode: "+c.told+"\n" {
			t.Errorf("%s: got %q", c.choose, out.String())
		}
		got := strings.Join(starlibtest.Fails(t, s, 2, "f(7)").Traceback(), "\n")
		want := strings.ReplaceAll(c.traceback, ", in <cell>", "")
		if !regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(want), `\*`, `(?s:.*)`) + "$").MatchString(got) {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", c.choose, got, want)
		}
	}
	if e := starlibtest.Fails(t, s, 90, "%xmode Nothing"); e.Error() != "%xmode: got Nothing, want Plain, Context, Verbose, Minimal" {
		t.Errorf("got %v", e)
	}
}
