package graphs_test

import (
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// graphSession has a profiled function, train, one that is not, plain, and the expression cost.
func graphSession(t *testing.T) (*starlib.Session, string) {
	t.Helper()
	dir := t.TempDir()
	s := starlib.NewSession(starlib.Options{Dir: dir})
	runCell(t, s, `
x, y = T.matrix("x"), T.vector("y")
w = shared(np.zeros(3), name="w")
cost = ((T.nnet.sigmoid(T.dot(x, w)) - y) ** 2).mean()
train = function([x, y], cost, updates=[(w, w - 0.1 * grad(cost, w))], name="train", profile=True)
plain = function([x], T.exp(x) + 1, name="plain")
data, target = np.ones((50, 3)), np.ones(50)`)
	return s, dir
}

func runCell(t *testing.T, s *starlib.Session, code string) map[string]any {
	t.Helper()
	data, _, err := s.Execute(t.Context(), 1, code, nil)
	if err != nil {
		t.Fatalf("%s: %v", code, err)
	}
	return data
}

// TestGraph: a drawing shows itself as an image that untrusted notebooks keep, and is saved by the
// extension of the file.
func TestGraph(t *testing.T) {
	s, dir := graphSession(t)
	data := runCell(t, s, `train.graph(file="a.svg")`)
	image := `^<div style="[^"]*"><img src="data:image/svg\+xml;base64,([^"]*)" alt="train: [^"]*" style="[^"]*"></div>$`
	m := regexp.MustCompile(image).FindStringSubmatch(data["text/html"].(string))
	if m == nil {
		t.Fatalf("got %.200s, want an image", data["text/html"])
	}
	svg, err := base64.StdEncoding.DecodeString(m[1])
	if err != nil || !strings.HasPrefix(string(svg), "<svg ") {
		t.Errorf("got %.100s, %v", svg, err)
	}
	file, err := os.ReadFile(filepath.Join(dir, "a.svg"))
	if err != nil || string(file) != string(svg) {
		t.Errorf("a.svg has %d bytes, want the %d of the image (%v)", len(file), len(svg), err)
	}
	runCell(t, s, `train.graph().save("b.dot")`)
	if dot, err := os.ReadFile(filepath.Join(dir, "b.dot")); err != nil || !strings.HasPrefix(string(dot), `digraph "train" {`) {
		t.Errorf("b.dot: got %.100s, %v", dot, err)
	}
	got := runCell(t, s, `theano.printing.pydotprint(cost, "c.svg")`)["text/plain"].(string)
	if !strings.Contains(got, "2\u00a0inputs") {
		t.Errorf("got %s, want both inputs of the expression counted", got)
	}
}

// TestGraphviz: with Graphviz a PNG is one, and without it an error or, from pydotprint, an SVG and
// a word about it.
func TestGraphviz(t *testing.T) {
	s, dir := graphSession(t)
	if _, err := exec.LookPath("dot"); err != nil {
		t.Log("Graphviz is not installed: apt-get install graphviz")
	} else {
		for name, begin := range map[string]string{"a.png": "\x89PNG\r\n", "a.pdf": "%PDF-", "b.png": "\x89PNG\r\n"} {
			code := `train.graph().save("` + name + `")`
			if name == "b.png" {
				code = `theano.printing.pydotprint(cost, outfile="b", format="png", print_output_file=False)`
			}
			runCell(t, s, code)
			if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.HasPrefix(string(data), begin) {
				t.Errorf("%s: got %.10q, %v, want a file that begins with %q", name, data, err, begin)
			}
		}
	}
	t.Setenv("PATH", "")
	want := "save: got the file c.png: Graphviz, whose program dot makes a png, is not installed; write c.svg, or install graphviz"
	if _, _, err := s.Execute(t.Context(), 1, `train.graph().save("c.png")`, nil); err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
	out := &starlibtest.Recorder{}
	if _, _, err := s.Execute(t.Context(), 1, `theano.printing.pydotprint(cost, "d.png");`, out); err != nil ||
		!strings.Contains(out.String(), "d.png is not written, but d.svg: Graphviz, whose program dot makes a png, is not installed") ||
		!strings.Contains(out.String(), "The output file is available at d.svg") {
		t.Errorf("got %v, %s", err, out)
	}
	if svg, err := os.ReadFile(filepath.Join(dir, "d.svg")); err != nil || !strings.HasPrefix(string(svg), "<svg") {
		t.Errorf("d.svg: got %.20q, %v", svg, err)
	}
}

// TestGraphByTime: the times are those of the function's profile, else of the last %%profile cell;
// without either the error says what to do.
func TestGraphByTime(t *testing.T) {
	s, _ := graphSession(t)
	for _, c := range []struct{ code, want string }{
		{`plain.graph(color="time")`, `graph: color="time" needs a profile: compile with function(..., profile=True), ` +
			`or call the function in a %%profile cell`},
		{`train.graph(color="time")`, `graph: color="time" needs a profile: that of train has no times of nodes; ` +
			`call the function first, with profiling.time_thunks on`},
		{`theano.printing.pydotprint(cost, color="time")`, `pydotprint: color="time" needs a profile: ` +
			`symbolic variables have none before they are compiled; draw the compiled function`},
		{`train.graph(color="heat")`, `graph: color: got "heat", want "op" or "time"`},
		{`train.graph().save("x.bmp")`, `save: got the file x.bmp, want one that ends in .svg or .dot, or in .png or .pdf if Graphviz is installed`},
		{`theano.printing.pydotprint(3)`, `pydotprint: got int, want a compiled function or symbolic variables`},
	} {
		if _, _, err := s.Execute(t.Context(), 1, c.code, nil); err == nil || err.Error() != c.want {
			t.Errorf("%s: got error %v, want %s", c.code, err, c.want)
		}
	}
	runCell(t, s, "%%profile\nplain(data)")
	runCell(t, s, "train(data, target)")
	for _, name := range []string{"plain", "train"} {
		text := runCell(t, s, name+`.graph(color="time").svg()`)["text/plain"].(string)
		if !strings.Contains(text, `in nodes, 1\u00a0call<`) {
			t.Errorf("%s: the legend has no times", name)
		}
	}
}

// numbers are the times of a tree.
var numbers = regexp.MustCompile(`--> +\d\.\d\de-\d\ds +[\d.]+% +\d\.\d\de-\d\ds +[\d.]+%`)

// TestDebugprint: the tree of a profiled function has times and a legend, others have neither.
func TestDebugprint(t *testing.T) {
	s, _ := graphSession(t)
	text := func(code string) string {
		runCell(t, s, "text = "+code)
		v, _ := s.Lookup("text")
		return strings.Trim(v.String(), `"`)
	}
	if got := text(`train.debugprint(file="str")`); strings.Contains(got, "-->") {
		t.Errorf("before the first call: got times:\n%s", got)
	}
	runCell(t, s, "train(data, target)")
	got := text(`train.debugprint(file="str")`)
	if !strings.HasPrefix(got, "Timing Info") || len(numbers.FindAllString(got, -1)) < 3 {
		t.Errorf("got no times:\n%s", got)
	}
	if got := text(`train.debugprint(file="str", profile=False)`); strings.Contains(got, "-->") {
		t.Errorf("profile=False: got times:\n%s", got)
	}
	if got := text(`train.debugprint(file="str", style="text")`); !strings.HasPrefix(got, "func train(x float64[?,?]") {
		t.Errorf("style=text: got %s", got)
	}
	if got, want := text(`debugprint([x, cost], depth=1, ids="", print_type=True, file="str")`),
		`x <float64[?,?]>\nElemwise{true_div,no_inplace} <float64>   # In[1]:4:53\n`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, c := range []struct{ code, want string }{
		{`debugprint(3)`, "debugprint: got int, want a compiled function or symbolic variables"},
		{`debugprint(x, ids="roman")`, `debugprint: ids: got "roman", want one of ["CHAR" "int" "id" ""]`},
		{`debugprint(x, depth="deep")`, "debugprint: for parameter depth: got string, want int"},
		{`debugprint([x, 1])`, "debugprint: obj[1]: got int, want a symbolic variable"},
	} {
		if _, _, err := s.Execute(t.Context(), 1, c.code, nil); err == nil || err.Error() != c.want {
			t.Errorf("%s: got error %v, want %s", c.code, err, c.want)
		}
	}
}
