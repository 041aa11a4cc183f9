package profile_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/kernels/parallel"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestWhatIfInterrupted: an interrupt ends a measurement, and nothing of it stays: neither values
// nor flags.
func TestWhatIfInterrupted(t *testing.T) {
	defer parallel.SetThreads(parallel.Threads())
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir(), Bound: func(threads int, _ int64) { parallel.SetThreads(threads) }})
	starlibtest.Run(t, s, 1, "w = shared(np.ones((64, 64)), name='w')\nf = function([], w.sum(), updates=[(w, T.dot(w, w) / 64)], name='f')\nf()\nthreads = config.threads")
	was := parallel.Threads()
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(200*time.Millisecond, func() { cancel(why) })
	began := time.Now()
	_, _, err := s.Execute(ctx, 2, "f.what_if(threads=1, seconds=3600)", nil)
	if err == nil || !strings.Contains(err.Error(), "interrupted") || time.Since(began) > time.Minute {
		t.Errorf("got %v after %v", err, time.Since(began))
	}
	if got, _ := starlibtest.Run(t, s, 3, "(w.get_value() == 1).all() and config.threads == threads"); got != "True" || parallel.Threads() != was {
		t.Errorf("got %s, %d threads, want %d", got, parallel.Threads(), was)
	}
}

// TestWhatIfShown: a notebook shows sentences and a table, and names are text.
func TestWhatIfShown(t *testing.T) {
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	data, _, err := s.Execute(t.Context(), 1, "f = function([], shared(2.0) + 1, name='<b>f')\nf.what_if(fusion=False, seconds=0.01)", nil)
	if err != nil {
		t.Fatal(err)
	}
	page, text := data["text/html"].(string), data["text/plain"].(string)
	for _, want := range []string{"&lt;b&gt;f with fusion=False", "<td align=\"left\">verdict</td>", "<td align=\"left\">gain</td>"} {
		if !strings.Contains(page, want) || strings.Contains(page, "<b>") {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	if !strings.Contains(text, "<b>f with fusion=False: ") || !strings.Contains(text, "by turns") {
		t.Errorf("got %s", text)
	}
}

// TestLaterInputs: of a function that is called often, inputs are kept that take time to copy.
func TestLaterInputs(t *testing.T) {
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	starlibtest.Run(t, s, 1, "x = T.dmatrix('x')\nf = function([x], x.sum(), name='f')\nfor i in range(300):\n    f(np.ones((30, 20)) * i)")
	if got, _ := starlibtest.Run(t, s, 2, "f.what_if(fusion=False, seconds=0.01).inputs"); got != `"those of call 256"` {
		t.Errorf("got %s", got)
	}
}

// TestLargeInputs: inputs that are too large to be kept are asked for, and those that are kept have
// the order that they had.
func TestLargeInputs(t *testing.T) {
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	starlibtest.Run(t, s, 1, "x = T.dmatrix('x')\nf = function([x], x.sum(), name='f')\nf(np.ones((1100, 1000)))")
	_, _, err := s.Execute(t.Context(), 2, "f.what_if(fusion=False)", nil)
	if err == nil || !strings.Contains(err.Error(), "the inputs of f are of 8.80 MB, and no more than 1.02 kB is kept of the first 255 calls, or 1.05 MB later: pass inputs=[...]") {
		t.Errorf("got %v", err)
	}
	starlibtest.Run(t, s, 3, "a = np.arange(24.0).reshape(2, 3, 4)\ny = T.dtensor3('y')\ng = function([y], y * 2, name='g')\nvalues = []")
	for i, form := range []string{"a", "a.T", "a.transpose(1, 0, 2)", "a[:, ::2]", "a[::-1]", "a[:, :, 1:3].T", "np.broadcast_to(a[:1], (5, 3, 4))", "a[:0]"} {
		starlibtest.Run(t, s, 4, "g.free()\ng2 = function([y], y * 2)\nb = "+form+"\ng2(b)\nr = g2.what_if(replace={y: T.constant(b)}, seconds=0.001)")
		if got, _ := starlibtest.Run(t, s, 5, "r.ok, r.error"); got != "(True, 0.0)" {
			shown, _ := starlibtest.Run(t, s, 6, "r.text")
			t.Errorf("%d: %s: got %s: %s", i, form, got, shown)
		}
	}
}

// TestWhatIfAuto: what the advice proposes is tried, on the inputs that the cell had, and told
// beside what was expected; the cell's values are as it left them.
func TestWhatIfAuto(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector slows kernels down")
	}
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	starlibtest.Run(t, s, 1, `c, n = shared(np.ones(400), name="c"), shared(0.0, name="n")
x, y = T.fmatrix("x"), T.dmatrix("y")
f = function([x], T.tanh(T.exp(T.sin(x * c))).sum(), updates=[(n, n + 1)], name="f")
g = function([y], T.sqrt(y * y + 2.0 * y + 1.0) - y, mode="FAST_COMPILE", name="g")
X, Y = np.ones((500, 400), dtype="float32"), np.ones((1100, 1000)).T`)
	out := new(bundles)
	if _, _, err := s.Execute(t.Context(), 2, "%%profile what_if=0.2\nfor i in range(120):\n    f(X)\nfor i in range(20):\n    g(Y)", out); err != nil {
		t.Fatal(err)
	}
	shown := out.list()
	last := shown[len(shown)-1]
	text, page := last.data["text/plain"].(string), last.data["text/html"].(string)
	for _, want := range []string{"floatX=\"float32\"       f    In[1]:3", "optimizer=\"fast_run\"   g    In[1]:4", "% less time, ", "faster"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if !strings.Contains(page, "<td align=\"left\">floatX=&#34;float32&#34;</td>") {
		t.Errorf("got %s", page)
	}
	progress := 0
	for _, b := range shown {
		if strings.Contains(b.data["text/plain"].(string), "what_if: trying ") && b.id == last.id {
			progress++
		}
	}
	if !last.update || progress != 2 {
		t.Errorf("got %d displays of the progress, the last is an update: %t", progress, last.update)
	}
	if got, _ := starlibtest.Run(t, s, 3, "n.get_value(), c.dtype"); got != "(120.0, \"float64\")" && got != "(120.0, 'float64')" {
		t.Errorf("got %s", got)
	}
	// The table is kept with the profile.
	again := new(bundles)
	if _, _, err := s.Execute(t.Context(), 3, "%profile last", again); err != nil {
		t.Fatal(err)
	}
	if list := again.list(); list[len(list)-1].data["text/plain"] != last.data["text/plain"] {
		t.Errorf("%%profile last shows %v, want the table of the tries", list[len(list)-1].data["text/plain"])
	}
	// What is large is forgotten when the cell is over.
	if _, _, err := s.Execute(t.Context(), 4, "g.what_if(fusion=False)", nil); err == nil || !strings.Contains(err.Error(), "no more than 1.02 kB") {
		t.Errorf("got %v", err)
	}
	out = new(bundles)
	if _, _, err := s.Execute(t.Context(), 5, "%%profile what_if=auto\na = np.ones(3)\nh = function([], c.sum())\nh()", out); err != nil {
		t.Fatal(err)
	}
	if shown = out.list(); !strings.Contains(shown[len(shown)-1].data["text/plain"].(string), "proposes nothing that can be tried") {
		t.Errorf("got %v", shown[len(shown)-1].data)
	}
	for _, bad := range []string{"yes", "0", "-1", "nan"} {
		if _, _, err := s.Execute(t.Context(), 6, "%%profile what_if="+bad+"\nf(X)", nil); err == nil || !strings.Contains(err.Error(), "want auto, or a number of seconds above 0") {
			t.Errorf("%s: got %v", bad, err)
		}
	}
}

// TestWhatIfAutoInterrupted: an interrupt ends the tries, and what is known is shown.
func TestWhatIfAutoInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector slows kernels down")
	}
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	ctx, cancel := context.WithCancelCause(t.Context())
	out := &stopping{stop: func() { cancel(errors.New("enough")) }}
	code := `%%profile what_if=3600
x, c = T.fmatrix("x"), shared(np.ones(400), name="c")
f = function([x], T.tanh(T.exp(T.sin(x * c))).sum(), name="f")
X = np.ones((500, 400), dtype="float32")
for i in range(60):
    f(X)`
	began := time.Now()
	s.Execute(ctx, 1, code, out)
	shown := out.list()
	if text := shown[len(shown)-1].data["text/plain"].(string); time.Since(began) > time.Minute || !strings.Contains(text, "not measured: ") {
		t.Errorf("after %v got\n%s", time.Since(began), text)
	}
}

// stopping interrupts the cell a little after the tries begin.
type stopping struct {
	bundles
	stop func()
}

func (o *stopping) Display(data, meta map[string]any, id string, update bool) {
	o.bundles.Display(data, meta, id, update)
	if strings.Contains(data["text/plain"].(string), "what_if: trying ") {
		time.AfterFunc(100*time.Millisecond, o.stop)
	}
}
