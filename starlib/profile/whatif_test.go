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
	starlibtest.Run(t, s, 1, "w = shared(np.ones((50, 50)), name='w')\nf = function([], w.sum(), updates=[(w, T.dot(w, w) / 50)], name='f')\nf()\nthreads = config.threads")
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

// TestLargeInputs: inputs that are too large to be kept are asked for, and those that are kept have
// the order that they had.
func TestLargeInputs(t *testing.T) {
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	starlibtest.Run(t, s, 1, "x = T.dmatrix('x')\nf = function([x], x.sum(), name='f')\nf(np.ones((1100, 1000)))")
	_, _, err := s.Execute(t.Context(), 2, "f.what_if(fusion=False)", nil)
	if err == nil || !strings.Contains(err.Error(), "the inputs of f are of 8.80 MB, and no more than 8.39 MB is kept of a call: pass inputs=[...]") {
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
