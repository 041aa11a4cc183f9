package profile_test

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestCellSpent: every line of a profiled cell has a price, whatever runs it, and the parts add up
// to the wall time. Sleeping takes known time on any machine, but for the milliseconds by which the
// clock beside is late on a busy one.
func TestCellSpent(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 1, "import numpy as np\nimport time\na = np.random.randn(300, 300)\nx = T.dvector('x')\nf = function([x], T.exp(x).sum(), name='f')")
	all := profilesOf(t, s, `%%profile
def pause(n):
    time.sleep(n)

time.sleep(0.2)
pause(0.1)
total = 0
for i in range(400000):
    total += i % 7
for k in range(10):
    b = a @ a @ a @ a
for k in range(20):
    f(np.ones(1000000))
e = np.ones(1000000)
for k in range(30):
    b = (e - e.mean())/e.std()
`)
	cell := all[0].Cell
	if cell == nil {
		t.Fatal("the profile does not say where the cell's time went")
	}
	var sum float64
	times := make(map[profiler.Kind]float64)
	for _, p := range cell.Parts() {
		sum += p.Time.Seconds()
		times[p.Kind] = p.Time.Seconds()
	}
	if wall := cell.Wall.Seconds(); sum < 0.98*wall || sum > 1.02*wall || wall < 0.3 {
		t.Errorf("the parts are %.3f s together, the cell took %.3f", sum, wall)
	}
	for _, kind := range []profiler.Kind{profiler.CompiledFunctions, profiler.Numpy, profiler.Starlark} {
		if times[kind] == 0 {
			t.Errorf("%s took no time in %v", kind, cell.Spots)
		}
	}
	if got := times[profiler.OtherFunctions]; got < 0.2 {
		t.Errorf("other functions took %.3f s, want those of time.sleep, 0.3, or nearly", got)
	}
	what := make(map[int]string)
	for _, l := range cell.Lines() {
		for _, spot := range l.In { // the dearest may be whatever ran when another program took the processor
			what[l.Line] += " " + cmp.Or(spot.Name, string(spot.Kind))
		}
		if l.Line == 5 && l.Time.Seconds() < 0.1 {
			t.Errorf("line 5 took %v, want 0.2 s, or nearly", l.Time)
		}
	}
	for line, want := range map[int]string{3: "sleep", 5: "sleep", 9: "Starlark", 11: "np.matmul", 13: "f", 16: "std"} {
		if !strings.Contains(what[line], want) {
			t.Errorf("line %d is of %q, want %s", line, what[line], want)
		}
	}
}

// TestCellWithoutFunctions: a cell that calls no compiled function has a profile if it took a
// while.
func TestCellWithoutFunctions(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	if all := profilesOf(t, s, "%%profile\n1 + 1"); len(all) > 0 {
		t.Errorf("a short cell has a profile: %v", all[0].Cell)
	}
	all := profilesOf(t, s, "%%profile\nimport time\ntime.sleep(0.05)")
	if len(all) != 1 || all[0].Cell == nil {
		t.Fatalf("got %d profiles, want one of the cell", len(all))
	}
	if lines := all[0].Cell.Lines(); len(lines) != 1 || lines[0].Line != 3 {
		t.Errorf("got %v, want line 3", lines)
	}
	// What is said of it names the magic and the way out; where there is a profile that says it.
	for code, want := range map[string]string{
		"%prun 1 + 1":                                        "stderr: %prun: the cell called no compiled function, and in TIME no sample was taken: %timeit repeats what is short",
		"%%profile functions=loss*\n1 + 1":                   "stderr: %%profile: the cell called no compiled function whose name matches loss*",
		"%%profile show=none\nimport time\ntime.sleep(0.05)": "",
	} {
		out := new(starlibtest.Recorder)
		if _, _, err := s.Execute(t.Context(), 3, code, out); err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		got := regexp.MustCompile(`in [0-9.]+ [a-zµ]+ no`).ReplaceAllString(strings.TrimSpace(out.String()), "in TIME no")
		if got != want {
			t.Errorf("%s: got %q, want %q", code, got, want)
		}
	}
}

// profilesOf runs a cell and returns the profiles that it shows.
func profilesOf(t *testing.T, s *starlib.Session, code string) []*profiler.Stats {
	t.Helper()
	out := new(bundles)
	if _, _, err := s.Execute(context.Background(), 2, code, out); err != nil {
		t.Fatalf("%s: %v", code, err)
	}
	return shownProfiles(t, out)
}

// TestOneSampler: a profile inside of a profile leaves the time to the outer one.
func TestOneSampler(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 1, "import time\nx = T.dvector('x')\nf = function([x], x.sum(), name='f')\ndef g():\n    time.sleep(0.03)\n    return f([1.0])")
	all := profilesOf(t, s, "%%profile\np = profile(g)\ng()")
	if c := all[0].Cell; c == nil || c.Wall < 60*time.Millisecond {
		t.Errorf("got %v, want a cell of 60 ms and more", c)
	}
}

// advisedPrograms spend their time in functions of np that are as dear as each other, in nested
// calls and recursion, in callbacks, in compiling and in compiled functions.
var advisedPrograms = map[string]string{
	"np":        "a = np.ones((300, 300))\nfor i in range(300):\n    b = np.exp(a)\nfor i in range(300):\n    c = np.sin(a)\nfor i in range(300):\n    d = np.log(a)",
	"recursion": "def down(n):\n    if n == 0:\n        return np.tanh(np.ones(200000)).sum()\n    return down(n - 1) + np.exp(np.ones(100000)).sum()\nfor i in range(200):\n    down(5)",
	"callbacks": "def h(x):\n    return sum([float(k) for k in range(200)]) + x\nnp.vectorize(h)(np.arange(2000.))\nsorted(range(20000), key=lambda k: -k)\n" +
		"np.apply_along_axis(lambda r: np.sort(r)[0], 1, np.ones((9000, 50)))",
	"compiling": "for i in range(30):\n    x = T.dvector('x')\n    f = function([x], T.grad((T.exp(x)*T.tanh(x)*i).sum(), x), name='f%d' % i)\n    f(np.ones(1000))",
	"functions": "x = T.dmatrix('x')\nf = function([x], T.exp(x).sum(), name='f')\ng = function([x], T.dot(x, x), name='g')\nfor i in range(150):\n    f(np.ones((200, 200)))\n    g(np.ones((200, 200)))",
	"threads":   "config.threads = 2\na = np.ones((700, 700))\nfor i in range(20):\n    b = a @ a\n    c = np.sin(a)\nconfig.threads = 0",
}

// TestAdvice: what the text and the panel of programs say stands in their rows and is what was
// recorded.
func TestAdvice(t *testing.T) {
	spoken := 0
	tried := 0
	for i, name := range slices.Sorted(maps.Keys(advisedPrograms)) {
		if !long.Turn(i, 1) {
			continue
		}
		tried++
		program := advisedPrograms[name]
		s := starlib.NewSession(starlib.Options{})
		starlibtest.Run(t, s, 1, "import numpy as np")
		out := new(bundles)
		if _, _, err := s.Execute(t.Context(), 2, "%%profile\n"+program, out); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(out.list()) == 0 {
			t.Fatalf("%s: the cell was too short to show a profile", name)
		}
		shown := out.list()[0].data
		of := profiler.Sum(shownProfiles(t, out)...)
		txt := shown["text/plain"].(string)
		var advice []string
		for _, f := range of.Steady().First(3, strings.Contains(txt, "\nNodes\n")) {
			advice = append(advice, f.Text)
			one := strings.Join(strings.Fields(strings.ReplaceAll(f.Text, units.NBSP, " ")), " ")
			if !strings.Contains(strings.Join(strings.Fields(txt), " "), one) {
				t.Errorf("%s: the text does not say %q:\n%s", name, one, txt)
			}
		}
		spoken += len(advice)
		_, rows, _ := strings.Cut(txt, "\n\n")
		head, _, _ := strings.Cut(txt, "\nfirst ")
		for _, p := range profilertest.SentenceProblems(of, advice, head+"\n"+rows) {
			t.Errorf("%s: %s\n%s", name, p, txt)
		}
	}
	if spoken < tried {
		t.Errorf("got %d sentences of %d programs", spoken, tried)
	}
}

// TestSyntaxOfArrays: what np does where a program writes no function's name is np's, under what is
// written.
func TestSyntaxOfArrays(t *testing.T) {
	if long.Race {
		t.Skip("the race detector slows what is timed")
	}
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 1, `import numpy as np
A = np.ones((1000, 1000)); B = A + 1; j = np.random.permutation(1000); M = A > 2; b = np.ones(1000)
W = theano.shared(A)`)
	for _, row := range []struct{ code, name string }{
		{"A[j]", "x[k]"}, {"A[j, ::2]", "x[k]"}, {"A[A > 2]", "x[k]"}, {"A[list(range(900))]", "x[k]"}, {"A[[True] * 1000]", "x[k]"},
		{"A[M] = 0", "x[k] = y"}, {"A[j] = B", "x[k] = y"}, {"A[:, 1:] = B[:, :-1]", "x[k] = y"}, {"A[:] = 1", "x[k] = y"}, {"A[...] = b", "x[k] = y"},
		{"A += 1", "x += y"}, {"A *= B", "x *= y"}, {"A /= b", "x /= y"}, {"A **= 2", "x **= y"}, {"A[1:] -= B[1:]", "x -= y"}, {"A[j] += 1", "x[k]"}, {"A @= A", "np.matmul"},
		{"z = A + B", "np.add"}, {"z = 2*(A + B) + A", "np.add"}, {"z = -A", "np.negative"}, {"z = A > B", "np.greater"}, {"z = A.T @ B", "np.matmul"},
		{"z = A[1:] - A[:-1]", "np.subtract"}, {"z = (A * A).sum()", "ndarray.sum"}, {"z = A.mean()", "ndarray.mean"}, {"z = abs(A)", "np.abs"},
		{"z = np.abs(W.get_value()).max()", "np.abs"}, {"z = np.exp(W.get_value())", "np.exp"}, {"z = 1/(1 + np.exp(-W.get_value()))", "np.exp"},
	} {
		all := profilesOf(t, s, "%%profile\nfrom time import time\nbegan = time()\nwhile time() < began + 0.08:\n    "+row.code)
		if len(all) == 0 || !all[0].Cell.Sampled() {
			t.Errorf("%s: there is no profile", row.code)
			continue
		}
		var starlark, whole time.Duration
		names := ""
		for _, r := range all[0].Cell.Rows() {
			whole += r.Time
			if r.Kind == profiler.Starlark {
				starlark += r.Time
			}
			if r.Kind == profiler.Numpy {
				names += r.Name + ";"
			}
		}
		if !strings.Contains(names, row.name) || 3*starlark > whole {
			t.Errorf("%s: Starlark took %v of %v, np's are %q, want %s and little of Starlark", row.code, starlark, whole, names, row.name)
		}
	}
}
