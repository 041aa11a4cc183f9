package display_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// A shown is one output of a cell.
type shown struct {
	Data     map[string]any `json:"data"`
	Metadata map[string]any `json:"metadata"`
	ID       string         `json:"id"`
	Update   bool           `json:"update"`
}

// A front is a front end that writes down what it is shown.
type front struct {
	session.Discard
	outputs        []shown
	stdout, stderr strings.Builder
	next           string
}

func (*front) Screen() session.Screen { return session.ScreenPage }
func (f *front) Stream(name, text string) {
	if name == "stderr" {
		f.stderr.WriteString(text)
		return
	}
	f.stdout.WriteString(text)
}
func (f *front) Display(data, metadata map[string]any, id string, update bool) {
	f.outputs = append(f.outputs, shown{data, metadata, id, update})
}
func (f *front) NextInput(text string, replace bool) { f.next = fmt.Sprint(text, replace) }

// run executes a cell; its value is the last output.
func run(t *testing.T, s *starlib.Session, count int, code string) (*front, error) {
	t.Helper()
	f := &front{}
	data, metadata, err := s.Execute(context.Background(), count, code, f)
	if data != nil {
		f.Display(data, metadata, "", false)
	}
	return f, err
}

// normal is v as JSON has it, without empty metadata.
func normal(t *testing.T, v []shown) (list []shown) {
	t.Helper()
	for i := range v {
		if v[i].Metadata == nil {
			v[i].Metadata = map[string]any{}
		}
		v[i].Data = maps.Clone(v[i].Data)
		if text, _ := v[i].Data["text/plain"].(string); strings.HasPrefix(text, "<IPython.core.display.") || ofThing(v[i].Data) {
			delete(v[i].Data, "text/plain") // ours say how large they are
		}
		for mime, x := range v[i].Data {
			if text, ok := x.(string); ok && strings.HasPrefix(mime, "image/") {
				v[i].Data[mime] = strings.TrimSuffix(text, "\n")
			}
		}
	}
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// ofThing reports whether a bundle is that of HTML, Image or their like.
func ofThing(data map[string]any) bool {
	text, _ := data["text/plain"].(string)
	if strings.HasPrefix(text, "<") && strings.HasSuffix(text, " bytes>") {
		return true
	}
	for _, mime := range []string{"text/markdown", "text/latex"} {
		if data[mime] == text {
			return true
		}
	}
	return data["application/json"] != nil && len(data) == 2
}

// TestAsIPython compares what cells show with what IPython does (testdata/oracle.py).
func TestAsIPython(t *testing.T) {
	text, err := os.ReadFile("testdata/ipython.json")
	if err != nil {
		t.Fatal(err)
	}
	var cells []struct {
		Code, Stdout string
		Outputs      []shown
	}
	if err := json.Unmarshal(text, &cells); err != nil || len(cells) < 40 {
		t.Fatalf("got %d cells, %v", len(cells), err)
	}
	s := starlibtest.NewSession(t)
	for i, c := range cells {
		f, err := run(t, s, i+1, c.Code)
		if err != nil {
			t.Errorf("%s\n%s", c.Code, strings.Join(err.(*starlib.Error).Traceback(), "\n"))
			continue
		}
		if got := strings.Trim(f.stdout.String(), "\n"); got != c.Stdout {
			t.Errorf("%s\nprinted %q, IPython %q", c.Code, got, c.Stdout)
		}
		if f.stderr.String() != "" {
			t.Errorf("%s\nstderr: %s", c.Code, f.stderr.String())
		}
		got, want := normal(t, f.outputs), normal(t, c.Outputs)
		if len(got) != len(want) {
			t.Errorf("%s\ngot %d outputs %v, IPython %d %v", c.Code, len(got), got, len(want), want)
			continue
		}
		for j := range got {
			// Ours have text nearly always: terminals show nothing else.
			if _, ok := want[j].Data["text/plain"]; !ok {
				delete(got[j].Data, "text/plain")
			}
			if !reflect.DeepEqual(got[j], want[j]) {
				t.Errorf("%s\noutput %d:\ngot     %s\nIPython %s", c.Code, j, asJSON(got[j]), asJSON(want[j]))
			}
		}
	}
}

func asJSON(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// TestFailingMethods: what a method of the user's fails with is shown, and the rest is kept.
func TestFailingMethods(t *testing.T) {
	s := starlibtest.NewSession(t)
	for i, c := range []struct{ code, data, stderr string }{
		{"class A:\n    def __repr__(self): return 'A()'\n    def _repr_html_(self): raise ValueError('no html')\n    def _repr_latex_(self): return '$x$'\nA()",
			`{"text/latex":"$x$","text/plain":"A()"}`, "In[1]:3:28 in A._repr_html_|ValueError: no html"},
		{"class A:\n    def __repr__(self): return 'A()'\n    def _repr_html_(self): return 1\nA()", `{"text/plain":"A()"}`,
			"warning: _repr_html_ of A: got int, want str"},
		{"class A:\n    def __repr__(self): return 'A()'\n    def _repr_png_(self): return [1]\nA()", `{"text/plain":"A()"}`,
			"warning: _repr_png_ of A: got list, want bytes or str in base64"},
		{"class A:\n    def __repr__(self): return 'A()'\n    def _repr_mimebundle_(self): return {}\nA()", `{"text/plain":"A()"}`,
			"TypeError: |unexpected keyword argument"},
		{"class A:\n    def __repr__(self): return 'A()'\n    def _repr_mimebundle_(self, include, exclude): return 3\nA()", `{"text/plain":"A()"}`,
			"warning: _repr_mimebundle_ of A: got int, want dict"},
		{"class A:\n    def __repr__(self): return 'A()'\n    def _repr_mimebundle_(self, **kw): return {'a/b': A, 'c/d': 1}\nA()", `{"c/d":1,"text/plain":"A()"}`,
			"warning: _repr_mimebundle_ of A: a/b: got type, want what JSON can hold"},
		{"class A:\n    def __repr__(self): return 'A()'\n    def _repr_pretty_(self, p, cycle): p.text(1)\nA()", `{"text/plain":"A()"}`,
			"TypeError: text: for parameter obj: got int, want a string"},
		{"class A:\n    def __repr__(self): raise ValueError('no text')\n    def _repr_html_(self): return '<b>'\nA()",
			`{"text/html":"\u003cb\u003e","text/plain":"\u003cA object\u003e"}`, "in A.__repr__|ValueError: no text"},
		{"class A:\n    def __repr__(self): return 'A()'\n    def _ipython_display_(self): 1 // 0\nA()", `{"text/plain":"A()"}`, "ZeroDivisionError"},
		{"display(A()); print(2)", `{"text/plain":"A()"}`, "ZeroDivisionError"},
	} {
		f, err := run(t, s, i+1, c.code)
		if err != nil || len(f.outputs) != 1 {
			t.Errorf("%s: got %v, %v", c.code, f.outputs, err)
			continue
		}
		if got := asJSON(f.outputs[0].Data); got != c.data {
			t.Errorf("%s: got %s, want %s", c.code, got, c.data)
		}
		for _, part := range strings.Split(c.stderr, "|") {
			if !strings.Contains(f.stderr.String(), part) {
				t.Errorf("%s: stderr: got %q, want one with %q", c.code, f.stderr.String(), part)
			}
		}
	}
	if _, err := run(t, s, 90, "1 + 1"); err != nil {
		t.Errorf("the cell after: %v", err)
	}
}

// TestMethodsEndCells: an interrupt in a method ends the cell, and is no error of the method's.
func TestMethodsEndCells(t *testing.T) {
	s := starlibtest.NewSession(t)
	ctx, stop := context.WithCancel(context.Background())
	code := "class A:\n    def _repr_html_(self):\n        print('in')\n        while True: pass\nA()"
	f := &stopping{stop: stop}
	_, _, err := s.Execute(ctx, 1, code, f)
	if e, ok := err.(*starlib.Error); !ok || e.Name() != "KeyboardInterrupt" || f.stderr.String() != "" {
		t.Errorf("got %v and %q on stderr, want KeyboardInterrupt", err, f.stderr.String())
	}
}

// A stopping front interrupts the cell when it prints.
type stopping struct {
	front
	stop func()
}

func (f *stopping) Stream(name, text string) {
	f.front.Stream(name, text)
	f.stop()
}

// TestResultsAreKept: what shows itself, or is shown with an error, is a result as others are.
func TestResultsAreKept(t *testing.T) {
	s := starlibtest.NewSession(t)
	for i, c := range []struct{ code, want string }{
		{"class A:\n    def __repr__(self): return 'A()'\n    def _ipython_display_(self): print('shown')\nA()", "shown"},
		{"print(Out, _)", "{1: A()} A()"},
	} {
		f, err := run(t, s, i+1, c.code)
		if got := strings.TrimSpace(f.stdout.String()); got != c.want || err != nil || len(f.outputs) > 0 {
			t.Errorf("%s: got %q, %v, %v, want %q", c.code, got, f.outputs, err, c.want)
		}
	}
}

// TestThings: HTML, Image and their like, and the arguments that they refuse.
func TestThings(t *testing.T) {
	dir := t.TempDir()
	starlibtest.Write(t, dir, "page.html", "<p>page</p>")
	starlibtest.Write(t, dir, "x.svg", "<?xml?>\n<svg><g/></svg>")
	starlibtest.Write(t, dir, "a.json", `{"a": [1]}`)
	starlibtest.Write(t, dir, "a.wav", "RIFF")
	s := starlib.NewSession(starlib.Options{Dir: dir})
	if _, err := run(t, s, 1, "from IPython.display import *\nimport IPython, IPython.display\nfrom IPython.core.display import display as d2, HTML as H2\nfrom IPython.utils.capture import capture_output"); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct{ code, want string }{
		{`HTML("page.html")`, `{"text/html":"<p>page</p>","text/plain":"<HTML: 11 bytes>"}`},
		{`H2(filename="page.html").filename`, `{"text/plain":"\"page.html\""}`},
		{`SVG("x.svg")`, `{"image/svg+xml":"<svg><g/></svg>","text/plain":"<SVG: 23 bytes>"}`},
		{`JSON(filename="a.json")`, `{"application/json":{"a":[1]},"text/plain":"{\"a\": [1]}"}`},
		{`JSON(3)`, `TypeError: JSON: for parameter data: got int, want a dict or a list`},
		{`JSON("{")`, `ValueError: JSON: for parameter data: unexpected end of JSON input: the text is not JSON`},
		{`HTML()`, `TypeError: HTML: got no data, want text or a filename: HTML(text)`},
		{`HTML(filename="none.html")`, `FileNotFoundError: HTML: `},
		{`HTML("https://example.org")`, `ValueError: HTML: got a url: programs reach no network; IFrame(url, width, height) and Image(url=...) have the front end fetch it`},
		{`Math("$x$")`, `{"text/latex":"$\\displaystyle x$","text/plain":"$\\displaystyle x$"}`},
		{`Code("a < b", language="python")`, `{"text/html":"<pre><code>a &lt; b</code></pre>","text/plain":"a < b"}`},
		{`Image(url="https://example.org/a.png", width=5, alt="a \"b\"")`,
			`{"text/html":"<img src=\"https://example.org/a.png\" width=\"5\" alt=\"a &#34;b&#34;\"/>","text/plain":"<Image: https://example.org/a.png>"}`},
		{`Image(b"x", format="tiff")`, `ValueError: Image: for parameter format: got "tiff", want png, jpeg, gif, webp or svg`},
		{`Image()`, `ValueError: Image: got no picture, want data, filename or url`},
		{`Image(b"\x89PNG\r\n\x1a\n" + b"0123IHDR" + b"\x00\x00\x00\x08\x00\x00\x00\x06", retina=True).metadata`, `{"text/plain":"{\"height\": 3, \"width\": 4}"}`},
		{`IFrame("https://example.org", "100%", 90, start=3)`,
			`{"text/html":"<iframe width=\"100%\" height=\"90\" src=\"https://example.org?start=3\" frameborder=\"0\" allowfullscreen></iframe>","text/plain":"<IFrame: https://example.org?start=3>"}`},
		{`Audio([0, 1, -1], rate=4)`, `{"text/html":"<audio controls=\"controls\" src=\"data:audio/wav;base64,UklGRioAAABXQVZFZm10IBAAAAABAAEABAAAAAgAAAACABAAZGF0YQYAAAAAAP9/AYA=\">This front end plays no sound.</audio>","text/plain":"<Audio: 3 samples at 4 Hz>"}`},
		{`Audio([0, 1])`, `ValueError: Audio: got no rate for samples, want how many there are in a second: Audio(data, rate=8000)`},
		{`Audio(np.array([0.0, 2.0]), rate=4, normalize=False)`, `ValueError: Audio: for parameter data: got 2, want numbers from -1 to 1 where normalize is False`},
		{`Audio(np.array([0.0, np.nan]), rate=4)`, `ValueError: Audio: for parameter data: got nan or inf, want numbers`},
		{`Audio(np.zeros((2, 2, 2)), rate=4)`, `ValueError: Audio: for parameter data: got shape (2, 2, 2), want samples, or a row of them for each channel`},
		{`Audio("a.wav", autoplay=True)`, `{"text/html":"<audio controls=\"controls\" autoplay=\"autoplay\" src=\"data:audio/wav;base64,UklGRg==\">This front end plays no sound.</audio>","text/plain":"<Audio: a.wav>"}`},
		{`Audio({})`, `TypeError: Audio: for parameter data: got dict, want samples, a path, a url or bytes`},
		{`FileLink("a b.json")`, `{"text/html":"<a href=\"a%20b.json\" target=\"_blank\">a b.json</a><br>","text/plain":"<FileLink: a b.json>"}`},
		{`display(1, display_id=2)`, `TypeError: display: for parameter display_id: got int, want text, or True for a new one`},
		{`display(1, raw=True)`, `TypeError: display: raw: got int, want dict`},
		{`display(1, include=[2])`, `TypeError: display: for parameter include: got a int in it, want MIME types`},
		{`from IPython.display import ProgressBar`, `ImportError: IPython.display.ProgressBar is not in Arignote yet; use progress(xs)`},
		{`from IPython import parallel`, `ImportError: module IPython has no attribute .parallel`},
		{`get_ipython().system("ls")`, `NotImplementedError: system: cells do not run commands of the system: use a terminal`},
		{`get_ipython().__class__.__name__, IPython.get_ipython() == get_ipython()`, `{"text/plain":"(\"ZMQInteractiveShell\", True)"}`},
		{`get_ipython().run_line_magic("nomagic", "")`, `SyntaxError: unknown magic %nomagic (did you mean %lsmagic?)`},
		{"get_ipython().run_cell_magic('time', '', 'q = 5\\nq + 1')", `{"text/plain":"6"}`},
		{"'IPKernelApp' in get_ipython().config, get_ipython().user_ns['q']", `{"text/plain":"(True, 5)"}`},
		{`get_ipython().run_cell("q + 2")`, `{"text/plain":"7"}`},
		{`get_ipython().ev("q + 3")`, `{"text/plain":"8"}`},
	} {
		f, err := run(t, s, i+2, c.code)
		got := ""
		if err != nil {
			got = err.(*starlib.Error).Name() + ": " + err.Error()
		} else if len(f.outputs) > 0 {
			var b strings.Builder
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			e.Encode(f.outputs[0].Data)
			got = strings.TrimSpace(b.String())
		}
		if got != c.want && !(strings.HasSuffix(c.want, ": ") && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s:\ngot  %s\nwant %s", c.code, got, c.want)
		}
	}
}

// TestCapture: what %%capture keeps, with magics above and below it.
func TestCapture(t *testing.T) {
	s := starlibtest.NewSession(t)
	for i, c := range []struct{ code, stdout, stderr, outputs string }{
		{"%%capture\nprint(1)\ndisplay(2)\n3", "", "", "[]"},
		{"%%capture out\nprint(1)\nprint('e', file='stderr')\ndisplay(2)\n3", "", "", "[]"},
		{"print(out.stdout, out.stderr, out.outputs, [o.data for o in out.outputs])", "1\n e\n [2, 3] [{\"text/plain\": \"2\"}, {\"text/plain\": \"3\"}]\n", "", "[]"},
		{"out.show()", "1\n", "e\n", `[{"text/plain":"2"},{"text/plain":"3"}]`},
		{"out(); print(str(out))", "1\n1\n\n", "e\n", `[{"text/plain":"2"},{"text/plain":"3"}]`},
		{"out.outputs[1].display()", "", "", `[{"text/plain":"3"}]`},
		{"%%capture --no-stdout --no-display kept\nprint(1)\nprint('e', file='stderr')\n3", "1\n", "", `[{"text/plain":"3"}]`},
		{"%%capture --no-stderr\nprint('e', file='stderr')", "", "e\n", "[]"},
		{"%%capture behind --no-stdout\nprint(1)", "1\n", "", "[]"},
		{"%%flags floatX=float32\n%%capture inner\nprint(config.floatX)", "", "", "[]"},
		{"inner.stdout", "", "", `[{"text/plain":"\"float32\\n\""}]`},
		{"%%capture timed\n%%time\nx = 1", "", "", "[]"},
		{"timed.stdout.startswith('CPU times') or timed.stdout", "", "", `[{"text/plain":"True"}]`},
		{"%%capture\n%%capture\n%%markdown\ntext", "", "", "[]"},
		{"%%raises ValueError\n%%capture failed\nprint(5)\nraise ValueError('no')", "*", "", "[]"},
		{"failed.stdout", "", "", `[{"text/plain":"\"5\\n\""}]`},
		{"from IPython.utils.capture import capture_output\nwith capture_output(stdout=False) as c:\n    print(1); display(2)\n    with capture_output() as d: print(3)\nprint(c.outputs, d.stdout)",
			"1\n[2] 3\n\n", "", "[]"},
		{"# %%time\n# a comment\n\n# %%capture\nprint(1)", "*", "", "[]"},
	} {
		f, err := run(t, s, i+1, c.code)
		var data []any
		for _, o := range f.outputs {
			data = append(data, o.Data)
		}
		if data == nil {
			data = []any{}
		}
		if err != nil || f.stdout.String() != c.stdout && c.stdout != "*" || f.stderr.String() != c.stderr || asJSON(data) != c.outputs {
			t.Errorf("%s:\ngot %q %q %s %v\nwant %q %q %s", c.code, f.stdout.String(), f.stderr.String(), asJSON(data), err, c.stdout, c.stderr, c.outputs)
		}
	}
	for code, want := range map[string]string{
		"%%timeit\n%%capture\nx": "%%timeit takes statements below it, and no magic: put %%capture above it",
		"%%capture 1x\n1":        "%%capture: got 1x, want one name and the options --no-stdout, --no-stderr, --no-display",
		"%%capture a b\n1":       "%%capture: got a b, want one name and the options --no-stdout, --no-stderr, --no-display",
		"%%capture -x\n1":        "%%capture: unknown option -x: %%capture [--no-stdout] [--no-stderr] [--no-display] [name]",
		"%%time\nx\n%%capture":   "%%capture must be the first line of its cell: put a line \"# %%\" before it, which begins one",
		"%%capture\n%%nomagic":   "unknown magic %%nomagic (%lsmagic lists the magics)",
	} {
		if _, err := run(t, s, 50, code); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", code, err, want)
		}
	}
}
