package assist_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
	"go.starlark.net/starlark"
)

func TestComplete(t *testing.T) {
	dir := t.TempDir()
	starlibtest.Write(t, dir, "nn.star", "")
	s := starlib.NewSession(starlib.Options{Dir: dir, Predeclared: starlibtest.Assertions})
	starlibtest.Run(t, s, 1, `
def train(inputs, *args, rate=0.1, **kw):
    """Trains."""
sortable = struct(alpha = 1, beta = struct(gamma = 2))
table = {"one": 1, "other": 2}
`)
	for _, tt := range []struct {
		code       string // | is the cursor
		start, end int
		want       string // matches that must be there, in this order; !x must not be
	}{
		{"sor|", 0, 3, "sortable sorted"},
		{"enumer|", 0, 6, "enumerate"},
		{"s = '\U0001d41aé'; sor|", 10, 13, "sortable sorted"},
		{"sortable.|", 9, 9, "alpha beta"},
		{"sortable.beta.g|", 14, 15, "gamma"},
		{"x = math.sq|rt", 9, 11, "sqrt"},
		{"'a'.upp|", 4, 7, "upper"},
		{"f().x|", 4, 5, "!x !xrange"},
		{"train(|", 6, 6, "inputs= rate= !args= !kw= sortable"},
		{"train([1, 2], ra|", 14, 16, "rate= range"},
		{"print(1, se|", 9, 11, "sep= set"},
		{`table["o|`, 7, 8, "one other"},
		{`load("n|`, 6, 7, "nn.star"},
		{`"sor|`, 1, 4, "!sorted"},
		{"# sor|", 2, 5, "sorted"},
		{"config.profiling.n_|", 17, 19, "n_apply n_ops"},
		{"%%pro|", 2, 5, "profile"},
		{"%%profile mem|", 10, 13, "memory="},
		{"%%profile memory=|", 17, 17, "True False"},
		{"%%profile show=o|", 15, 16, "open"},
		{"%%profile roofline=F|", 19, 20, "False"},
		{"%%profile wa|", 10, 12, "warmup="},
		{"%%flags profiling.layout=t|", 25, 26, "theano"},
		{"# %%flags floatX=|\nx", 17, 17, "float64 float32"},
		{"%%profile profiling.n_|", 20, 22, "n_apply= n_ops="},
		{"counter = 1\ncoun|", 12, 16, "counter"},
		{"|", 0, 0, "train sortable !__env__ !$env lambda"},
	} {
		before, after, _ := strings.Cut(tt.code, "|")
		start, end, matches := s.Complete(before+after, len([]rune(before)))
		if start != tt.start || end != tt.end {
			t.Errorf("%q: got %d to %d, want %d to %d", tt.code, start, end, tt.start, tt.end)
		}
		var got []string
		for _, m := range matches {
			got = append(got, m.Text)
		}
		for _, want := range strings.Fields(tt.want) {
			if name, absent := strings.CutPrefix(want, "!"); absent == slices.Contains(got, strings.TrimPrefix(want, "!")) {
				t.Errorf("%q: %s: got %q", tt.code, name, got)
			}
		}
	}
	_, _, m := s.Complete("tra", 3)
	if len(m) != 1 || m[0].Type != "function" || m[0].Signature != "train(inputs, *args, rate=0.1, **kw)" {
		t.Errorf("got %v", m)
	}
}

// TestCompleteMethods asks for methods that only this project has, and for their documentation.
func TestCompleteMethods(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, "x = [1]")
	for _, code := range []string{"[].so", "x.so"} {
		if _, _, m := s.Complete(code, len(code)); len(m) != 1 || m[0].Signature != "sort(*, key=None, reverse=False)" {
			t.Errorf("%s: got %v", code, m)
		}
	}
	if _, _, m := s.Complete(`"".zf`, 5); len(m) != 1 || m[0].Signature != "zfill(width)" {
		t.Errorf("zfill: got %v", m)
	}
	if text, _ := s.Inspect("x.append(", 9, 0)["text/plain"].(string); !strings.HasPrefix(text, "append(x)\n\nAdds an element at the end.") {
		t.Errorf("append: got %q", text)
	}
}

// TestWhileBusy asks while a cell runs. Between two instructions all is known, also what the cell
// has made; inside of a function that takes long, what was there before and stays as it is.
func TestWhileBusy(t *testing.T) {
	inside, leave := make(chan bool), make(chan bool)
	s := starlib.NewSession(starlib.Options{Predeclared: starlark.StringDict{
		"hold": starlark.NewBuiltin("hold", func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
			inside <- true
			<-leave
			return starlark.None, nil
		}),
	}})
	starlibtest.Run(t, s, 1, "import numpy as arrays\nsorting = 1\nclass Net: pass\nnet = Net(); net.weights = [1]\ndef train(): \"Trains.\"")
	ask := func(when string, wants ...string) {
		t.Helper()
		for _, want := range wants {
			code, want, _ := strings.Cut(want, ": ")
			if call, isCall := strings.CutSuffix(code, "?"); isCall {
				if text, _ := s.Inspect(call, len(call), 0)["text/plain"].(string); !strings.Contains(text, want) || text != "" && want == "" {
					t.Errorf("%s: %s: got %q, want %q", when, code, text, want)
				}
				continue
			}
			_, _, matches := s.Complete(code, len(code))
			var got []string
			for _, m := range matches {
				got = append(got, m.Text)
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: %s: got %v, want %s", when, code, got, want)
			}
		}
	}
	ended := make(chan bool)
	run := func(code string) {
		go func() {
			defer close(ended)
			if _, _, err := s.Execute(t.Context(), 2, code, &starlibtest.Printed{}); err != nil {
				t.Error(err)
			}
		}()
	}

	run("done = False\nmade = Net(); made.layers = 3\nhold()\nimport time\nwhile not done: time.sleep(0.001)")
	<-inside
	ask("inside", "sorti: sorting", "arrays.linalg.sv: svd", "arrays.linalg.svd?: svd(a, full_matrices", "net.w: ", "made.l: ", "train?: ", "open('co: ", "'a'.upp: upper")
	leave <- true
	ask("asleep", "sorti: sorting", "made.l: layers", "net.w: weights", "train?: Trains.", "arrays.linalg.sv: svd")
	if !s.Visit(func() { s.Globals().Set("done", starlark.True) }) {
		t.Error("a cell that sleeps takes no visitor")
	}
	<-ended

	ended = make(chan bool)
	run("done = False\nmade = Net(); made.units = 4\nhold()\nn = 0\nwhile not done: n += 1")
	<-inside
	leave <- true
	ask("in a loop", "made.u: units", "made.units?: int: 4")
	func() {
		defer func() {
			if recover() != "its own" {
				t.Error("the panic of a visitor is lost")
			}
		}()
		s.Visit(func() { panic("its own") })
	}()
	s.Visit(func() { s.Globals().Set("done", starlark.True) })
	<-ended
	ask("idle", "made.u: units")
}

func TestInspect(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, "def train(inputs, *args, rate=0.1, **kw):\n    \"\"\"Trains.\n\n    Slowly.\n    \"\"\"\n    return 1\n\nx = 5")
	for _, tt := range []struct {
		code   string
		detail int
		want   string // of text/plain; "" for nothing
	}{
		{"train|", 0, "train(inputs, *args, rate=0.1, **kw)\n\nTrains.\n\nSlowly.\n\nDefined at In[1]:1:1"},
		{"tr|ain(1)", 1,
			"train(inputs, *args, rate=0.1, **kw)\n\nTrains.\n\nSlowly.\n\nDefined at In[1]:1:1\n\nSource:\ndef train(inputs, *args, rate=0.1, **kw):\n    \"\"\"Trains.\n\n    Slowly.\n    \"\"\"\n    return 1"},
		{"x|", 0, "int: 5"},
		{"abs(|", 0, "abs(x)\n\nAbsolute value.\n\nArgs:\n  x: a number or array\n\nExample:\n  abs(-2) # 2"},
		{"math.pi|", 0, "float: 3.141592653589793\n\nCircumference of a circle of diameter 1."},
		{"nope|", 0, ""},
		{"|", 0, ""},
	} {
		before, after, _ := strings.Cut(tt.code, "|")
		data := s.Inspect(before+after, len(before), tt.detail)
		got, _ := data["text/plain"].(string)
		if got != tt.want {
			t.Errorf("%q: got %q\nwant %q", tt.code, got, tt.want)
		}
		if (data != nil) != (tt.want != "") || data != nil && data["text/markdown"] == "" {
			t.Errorf("%q: got %v", tt.code, data)
		}
	}
}

// TestEveryCursor asks at every position of texts as they look while being typed, and
// runs every beginning of them: nothing may panic.
func TestEveryCursor(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, "d = {'k': 1}\ndef f(a, b=1): return a")
	for _, text := range []string{
		"x = d['k'] + f(1, b=2).real # '\nd[\"",
		"%%profile memory=True profiling.n_ops=3 --top 4 x.\nf(",
		"# %%flags floatX=float32\nload('a.star', 'x')\n",
		"def g(x, *, y=1, **kw):\n    \"\"\"Doc.\"\"\"\n    return [z for z in x if z][::-1]\n\ng([1, 2])",
		"a.b.c..d. .5.e é.ü 'x'.y (1).z ?? %% %%? {[(\"\"\"\\",
		"\r\n\tif True:\r\n\t\tx = 1;\r\n",
		"'%d %s {} {:>4}' % (1, 2); '{}{'.format(1)",
		"for i, (j, k) in []: pass\nwhile False: pass\n[q, w] = 1, 2\nq += w\nlambda x=q: x",
	} {
		runes := []rune(text)
		for i := range len(runes) + 1 {
			s.Complete(text, i)
			s.Inspect(text, i, 1)
			part := string(runes[:i])
			s.Complete(part, i)
			s.IsComplete(part)
			_, _, err := s.Execute(context.Background(), 2, part, nil)
			var e *starlib.Error
			if errors.As(err, &e) && (e.Name() == "InternalError" || len(e.Traceback()) == 0) {
				t.Errorf("%q: %v", part, err)
			}
		}
	}
}

// TestCompleteBeforeRunning: imports, names of the same cell and files, which nothing has to run
// for.
func TestCompleteBeforeRunning(t *testing.T) {
	dir := t.TempDir()
	starlibtest.Write(t, dir, "houses.csv", "1")
	starlibtest.Write(t, dir, "layers.py", "print('this runs')\ndef dense(x): return x\ndepth = 3\n")
	if err := os.Mkdir(filepath.Join(dir, "housing"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := starlib.NewSession(starlib.Options{Dir: dir})
	for _, c := range []struct{ code, has, hasNot string }{
		{"from theano.tensor import d", "dvector dmatrix dot", "delattr dict display"},
		{"from theano.tensor import dvector, dm", "dmatrix", "dvector"},
		{"from theano.tensor import (dvector,\n    dm", "dmatrix", "dvector"},
		{"x = 1; from tqdm import t", "tqdm trange", "tuple type"},
		{"from numpy.linalg import s", "svd solve slogdet", "sorted set"},
		{"from layers import d", "dense depth", "dict"},
		{"from lay", "layers", "load"},
		{"import num", "numpy", "num"},
		{"import theano.te", "tensor", "theano"},
		{"from theano.tensor.nn", "nnet", "nn"},
		{"import tqdm.no", "notebook", "tqdm"},
		{"import os, ar", "argparse", "array"},
		{"from_import = 1\nfrom_", "from_import", ""},
		{"import numpy as xp\nxp.lins", "linspace", ""},
		{"from theano import tensor as TT\nTT.dvec", "dvector", ""},
		{"from tqdm import auto\nauto.tr", "trange", ""},
		{"housing = [1]\nhousing.ap", "append", "upper"},
		{"housing = [1]\nhousing = 'a'\nhousing.up", "upper", "append"},
		{"housing = f(3)\nhous", "housing", ""},
		{"for epoch in range(3):\n    ep", "epoch", ""},
		{"def f(alpha):\n    al", "alpha", ""},
		{`open("hou`, "houses.csv housing/", "layers.py"},
		{`np.load('`, "houses.csv housing/ layers.py", ""},
		{`np.loadtxt(fname, "hou`, "houses.csv", ""},
		{`x["hou`, "", "houses.csv"},
		{"%load hou", "houses.csv", ""},
	} {
		_, _, matches := s.Complete(c.code, len([]rune(c.code)))
		got := map[string]bool{}
		for _, m := range matches {
			got[m.Text] = true
		}
		for _, name := range strings.Fields(c.has) {
			if !got[name] {
				t.Errorf("%q: %s is not offered", c.code, name)
			}
		}
		for _, name := range strings.Fields(c.hasNot) {
			if got[name] {
				t.Errorf("%q: %s is offered", c.code, name)
			}
		}
	}
}

// TestQuestionsOfParts: name? of what modules have, and the nearest name of what they have not.
func TestQuestionsOfParts(t *testing.T) {
	s := starlibtest.NewSession(t)
	for code, want := range map[string]string{
		"np.linalg.svd?":             "page: svd(a, full_matrices=True, compute_uv=True)",
		"np.linalg.sv?":              "stdout: name 'np.linalg.sv' is not defined (did you mean np.linalg.svd?)",
		"np.linalg.slove?":           "stdout: name 'np.linalg.slove' is not defined (did you mean np.linalg.solve?)",
		"theano.tensor.nnet.sigmod?": "stdout: name 'theano.tensor.nnet.sigmod' is not defined (did you mean theano.tensor.nnet.sigmoid?)",
		"nowhere.at.all?":            "stdout: name 'nowhere.at.all' is not defined",
	} {
		if _, out := starlibtest.Run(t, s, 1, code); !strings.HasPrefix(out.String(), want) {
			t.Errorf("%s: got %q, want %q", code, out.String(), want)
		}
	}
}
