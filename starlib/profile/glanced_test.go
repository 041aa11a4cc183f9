package profile_test

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// dearCell takes most of its time in a def, a part in np and a part in a compiled function, until
// enough has passed for glances to tell them apart, and measures what each of the three took.
const dearCell = `from time import perf_counter
def dear():
    s = 0
    for i in range(20000):
        s += i % 3
    return s
x = T.dvector("x")
f = function([x], T.tanh(x).sum(), name="f")
a, b = np.ones(1000), np.ones(20000)
took = [0.0, 0.0, 0.0]
began = perf_counter()
while perf_counter() < began + 1.5:
    t0 = perf_counter()
    dear()
    t1 = perf_counter()
    c = np.sin(b)
    t2 = perf_counter()
    for k in range(10): f(a)
    t3 = perf_counter()
    took = [took[0] + t1 - t0, took[1] + t2 - t1, took[2] + t3 - t2]
`

// lineShares are the parts of the wall time by line, the dearest first.
func lineShares(t *testing.T, s *starlib.Session, code string) (first int, shares map[int]float64, c *profiler.Cell, all []*profiler.Stats) {
	t.Helper()
	out := new(bundles)
	s.Execute(t.Context(), 9, code, out) // it may fail
	all = shownProfiles(t, out)
	if len(all) == 0 || all[0].Cell == nil {
		t.Fatalf("no profile of a cell is shown: %s", out.String())
	}
	c, shares = all[0].Cell, map[int]float64{}
	for i, l := range c.Lines() {
		if i == 0 {
			first = l.Line
		}
		shares[l.Line] += c.Share(l.Time)
	}
	return first, shares, c, all
}

// %profile last and %%profile say of a cell what it measured itself.
func TestAlwaysLast(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, dearCell)
	_, shares, c, all := lineShares(t, s, "%profile last")
	if c.Glances == 0 || !strings.Contains(c.Glanced(), "nobody asked") {
		t.Errorf("got %d glances", c.Glances)
	}
	if total := profiler.Sum(all...).Total(); total.Calls < 10 || total.CallTime <= 0 {
		t.Errorf("got %d calls of %v ns", total.Calls, total.CallTime)
	}
	// Two standard deviations by the number of glances, and what they come late on a busy machine.
	sameShares(t, "%profile last", shares, measured(t, s, c), 0, 1/math.Sqrt(float64(c.Glances))+0.05)
	var sum time.Duration
	for _, r := range c.Rows() {
		sum += r.Time
	}
	if diff := (sum - c.Wall).Abs(); float64(diff) > 0.01*float64(c.Wall) {
		t.Errorf("rows have %v of %v", sum, c.Wall)
	}
	_, shares, c, _ = lineShares(t, s, "%%profile\n"+dearCell)
	sameShares(t, "%%profile", shares, measured(t, s, c), 1, 0.1)
}

// measured are the parts of the wall time that the three statements of dearCell took by its own
// clock.
func measured(t *testing.T, s *starlib.Session, c *profiler.Cell) (shares [3]float64) {
	t.Helper()
	for i := range shares {
		shown, _ := starlibtest.Run(t, s, 10, fmt.Sprintf("took[%d]", i))
		seconds, err := strconv.ParseFloat(shown, 64)
		if err != nil {
			t.Fatal(err)
		}
		shares[i] = seconds / c.Wall.Seconds()
	}
	return shares
}

// sameShares compares what a profile says of dearCell, which begins below a line, with what the
// cell measured.
func sameShares(t *testing.T, from string, shares map[int]float64, want [3]float64, below int, allowed float64) {
	t.Helper()
	for i, lines := range [3][]int{{3, 4, 5, 6, 14}, {16}, {18}} {
		got := 0.0
		for _, line := range lines {
			got += shares[line+below]
		}
		if math.Abs(got-want[i]) > allowed {
			t.Errorf("%s: lines %v have %.3f of the time, and measured %.3f: more than %.3f apart", from, lines, got, want[i], allowed)
		}
	}
}

// Cells that failed or were interrupted are there, whatever they were in.
func TestAlwaysFailed(t *testing.T) {
	for _, tt := range []struct {
		name, code, failed string
		line               int
	}{
		{"error", "n = 0\nwhile True:\n    n += 1\n    if n % 1000 == 0 and perf_counter() > began + 0.2:\n        1 // 0\n", "ZeroDivisionError", 0},
		{"loop", "n = 0\nwhile True:\n    n += 1\n", "KeyboardInterrupt", 3},
		{"np", "A = np.ones((300, 300))\nfor k in range(100000):\n    B = np.linalg.svd(A)\n", "KeyboardInterrupt", 3},
		{"builtin", "a = list(range(20000))\nfor k in range(1000000):\n    b = sorted(a, key=lambda x: -x)", "KeyboardInterrupt", 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := starlibtest.NewSession(t)
			starlibtest.Run(t, s, 1, "from time import perf_counter\nbegan = perf_counter()")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			time.AfterFunc(400*time.Millisecond, cancel)
			if _, _, err := s.Execute(ctx, 2, tt.code, nil); err == nil {
				t.Fatal("it did not fail")
			}
			first, _, c, _ := lineShares(t, s, "%profile last")
			if c.Name != "In[2]" || c.Failed != tt.failed || tt.line > 0 && first != tt.line {
				t.Errorf("got %s, which ended with %s, and the dearest line %d; want In[2], %s, %d", c.Name, c.Failed, first, tt.failed, tt.line)
			}
		})
	}
}

// glancedSession is a session with a function glanced, which takes 5 ms and is glanced at: on a busy
// machine the session's own clock may come late.
func glancedSession(t *testing.T) *starlib.Session {
	glanced := value.Builtin{Name: "glanced", Fn: func(thread *starlark.Thread, _ *value.Builtin, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		time.Sleep(5 * time.Millisecond)
		value.HostOf(thread).SamplerPlace().Look()
		return starlark.None, nil
	}}
	return starlib.NewSession(starlib.Options{Dir: t.TempDir(), Predeclared: starlark.StringDict{"glanced": glanced.Value()}})
}

func TestAlwaysSlow(t *testing.T) {
	s := glancedSession(t)
	wait := func(times int) string { return fmt.Sprintf("for k in range(%d): glanced()", times) }
	if e := starlibtest.Fails(t, s, 1, "%profile slow"); !strings.Contains(e.Error(), "no cell was profiled yet") {
		t.Errorf("got %v", e)
	}
	starlibtest.Run(t, s, 2, wait(100))
	for i := range 23 { // more than are kept: the slowest is
		starlibtest.Run(t, s, 3+i, wait(8))
	}
	if _, _, c, _ := lineShares(t, s, "%profile slow top=3"); c.Name != "In[2]" {
		t.Errorf("the slowest is %s, want In[2]", c.Name)
	}
	if _, _, c, _ := lineShares(t, s, "%profile show In[20]"); c.Name != "In[20]" {
		t.Errorf("got %s, want In[20]", c.Name)
	}
	if e := starlibtest.Fails(t, s, 40, "%profile show In[3]"); !strings.Contains(e.Error(), "no profile is called In[3]") {
		t.Errorf("got %v", e)
	}
	starlibtest.Run(t, s, 41, "%profile export slow slow.speedscope.json\n%profile diff slow last\n%profile list")
	if _, out := starlibtest.Run(t, s, 41, "%profile list"); strings.Contains(out.String(), " 0 ns") {
		t.Errorf("cells without functions took no time:\n%s", out)
	}
	starlibtest.Run(t, s, 42, "z = 1")
	_, out := starlibtest.Run(t, s, 43, "%profile last")
	if !strings.Contains(out.String(), "In[42] took") {
		t.Errorf("nothing is said of the cell that was too short:\n%s", out.String())
	}
	starlibtest.Run(t, s, 44, "config.profiling.always = False")
	starlibtest.Run(t, s, 45, wait(150))
	if _, _, c, _ := lineShares(t, s, "%profile slow"); c.Name != "In[2]" {
		t.Errorf("off, but %s was glanced at", c.Name)
	}
}

// The spots of a cell are bounded, and have all of its time.
func TestAlwaysSpotsAreBounded(t *testing.T) {
	s := starlibtest.NewSession(t)
	g := value.Glance(s.Session, s.Current)
	for i := range 3000 {
		s.SamplerPlace().Look()
		value.SamplerOf(s.Session).Leave("function", fmt.Sprintf("f%d", i))
	}
	wall, spots, count := g.EndGlances()
	var sum time.Duration
	for _, d := range spots {
		sum += d
	}
	other := spots[value.Spot{Kind: "rest", Name: value.OtherLines}]
	if len(spots) > 401 || other == 0 || count != 3000 || (sum-wall).Abs() > wall/100 {
		t.Errorf("got %d spots of %d glances, %v of %v, others %v", len(spots), count, sum, wall, other)
	}
}

// Calls of functions without a profile are counted, with their shapes.
func TestAlwaysFunctionProfile(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, "x = T.dvector('x')\nf = function([x], T.exp(x) * 2, name='f')")
	if got, _ := starlibtest.Run(t, s, 1, "f.profile"); got != "" {
		t.Errorf("not called, but has %s", got)
	}
	starlibtest.Run(t, s, 2, "for i in range(3000): f(np.ones(20))\nfor i in range(3000): f(np.ones(30))")
	if got, _ := starlibtest.Run(t, s, 3, "p = f.profile\n(p.fct_callcount, p.fct_call_time > 0, p.nb_nodes, p.message)"); got != `(6000, True, 1, "f")` {
		t.Errorf("got %s", got)
	}
	_, out := starlibtest.Run(t, s, 4, "f.profile.summary(layout='arignote')")
	for _, want := range []string{"6000 in ", "(20,)", "(30,)", "function(..., profile=True) times them"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	starlibtest.Run(t, s, 5, "q = f.profile\nf(np.ones(20))\ntry:\n    f('no')\nexcept Exception: pass\n")
	if got, _ := starlibtest.Run(t, s, 6, "n = p.fct_callcount\np.reset()\n(n, p.fct_callcount, f.profile == p)"); got != "(6001, 0, True)" {
		t.Errorf("got %s", got)
	}
	starlibtest.Run(t, s, 7, "f(np.ones(3))\nconfig.profiling.always = False")
	starlibtest.Run(t, s, 8, "f(np.ones(3))\ng = function([x], x + 1)\ng(np.ones(3))")
	if got, _ := starlibtest.Run(t, s, 9, "(g.profile, p.fct_callcount)"); got != "(None, 1)" {
		t.Errorf("off, but counted: %s", got)
	}
	// A profile that was asked for is live, whatever was between.
	starlibtest.Run(t, s, 10, "config.profiling.always = True")
	starlibtest.Run(t, s, 11, "f(np.ones(3))\nf(np.ones(3))")
	if got, _ := starlibtest.Run(t, s, 12, "n = p.fct_callcount\np.reset()\n(n, p.fct_callcount, f.profile.fct_callcount)"); got != "(3, 0, 0)" {
		t.Errorf("after it was off: %s", got)
	}
	if got, _ := starlibtest.Run(t, s, 13, "f(np.ones(3))\nq = f.profile\nf(np.ones(3))\nf(np.ones(3))\nq.fct_callcount"); got != "3" {
		t.Errorf("in one cell: got %s calls, want 3", got)
	}
}

// The calls of a cell are not all taken for those of the shapes that its first call had.
func TestAlwaysShapesOfShortCells(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, "x = T.dvector('x')\nf = function([x], x * 2, name='f')\nfor i in range(50): f(np.ones(2))")
	starlibtest.Run(t, s, 2, "for i in range(30): f(np.ones(3 + i))")
	got, _ := starlibtest.Run(t, s, 3, "shapes = f.profile.to_dict()['functions'][0]['shapes']\n"+
		"(f.profile.fct_callcount, sum([r['calls'] for r in shapes]), max([r['calls'] for r in shapes[1:] if r.get('inputs')]))")
	var calls, sum, most int
	if n, _ := fmt.Sscanf(got, "(%d, %d, %d)", &calls, &sum, &most); n != 3 || calls != 80 || sum != 80 || most > 5 {
		t.Errorf("got %s: want 80 calls, and of no shape of the second cell many", got)
	}
}

// A cell that runs others is glanced at as often as if it ran none: two glances are at least 2.5 ms
// apart.
func TestAlwaysNested(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, `from time import perf_counter
def nest(depth):
    if depth > 0:
        get_ipython().run_cell("nest(%d)" % (depth - 1))
        return
    began = perf_counter()
    while perf_counter() < began + 0.3: pass`)
	starlibtest.Run(t, s, 2, "nest(6)")
	_, _, c, _ := lineShares(t, s, "%profile last")
	if most := int64(c.Wall/(2500*time.Microsecond)) + 1; c.Name != "In[2]" || c.Glances > most {
		t.Errorf("%s was glanced at %d times in %v, want %d at most", c.Name, c.Glances, c.Wall, most)
	}
}

// Sessions of a process do not meet each other, whichever way they are sampled.
func TestAlwaysSessions(t *testing.T) {
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			s := glancedSession(t)
			magic := ""
			if i%2 == 1 {
				magic = "%%profile\n"
			}
			code := magic + fmt.Sprintf("def mine%d():\n    for k in range(20): glanced()\nmine%d()\nnp.ones(10).sum()", i, i)
			if _, _, err := s.Execute(t.Context(), 1, code, nil); err != nil {
				t.Error(err)
				return
			}
			out := new(bundles)
			s.Execute(t.Context(), 2, "%profile last", out)
			shown := shownProfiles(t, out)
			if len(shown) == 0 || !shown[0].Cell.Sampled() {
				t.Errorf("session %d has no profile: %s", i, out.String())
				return
			}
			for _, spot := range shown[0].Cell.Spots {
				if strings.HasPrefix(spot.Func, "mine") && spot.Func != fmt.Sprintf("mine%d", i) {
					t.Errorf("session %d has time of %s", i, spot.Func)
				}
			}
		})
	}
	all.Wait()
}
