package profile_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
	"go.starlark.net/starlark"
)

const profiled = `x = T.vector("x")
w = shared(np.ones(2), name="w")
f = function([x], T.exp(x) * 2, name="f")
g = function([x], x + 1, name="g")
up = function([x], w.sum(), updates=[(w, w + x)], name="up")
a = np.ones(2)
`

// shownProfiles is the profiles that a cell has displayed.
func shownProfiles(t *testing.T, out *bundles) []*profiler.Stats {
	t.Helper()
	var all []*profiler.Stats
	for _, b := range out.list() {
		if raw, ok := b.data["application/vnd.arignote.profile+json"].(json.RawMessage); ok {
			all = nil
			if err := json.Unmarshal(raw, &all); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all
}

// bundles is an Output that keeps what is displayed; it may be used from several goroutines.
type bundles struct {
	starlibtest.Recorder
	mu   sync.Mutex
	seen []bundle
}

type bundle struct {
	data   map[string]any
	id     string
	update bool
}

func (o *bundles) Stream(name, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.Recorder.Stream(name, text)
}

func (o *bundles) Display(data, _ map[string]any, id string, update bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen = append(o.seen, bundle{data, id, update})
}

func (o *bundles) list() []bundle {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.seen
}

// TestProfileCellFlags runs cells with each flag and looks at the data that they display.
func TestProfileCellFlags(t *testing.T) {
	for _, tt := range []struct {
		flags, code string
		calls       string // of each function
		err         string
	}{
		{"", "f(a)\ng(a)\ng(a);", "f:1 g:2", ""},
		{"functions=g*", "f(a)\ng(a);", "g:1", ""},
		{"functions=[a-f]", "f(a)\ng(a);", "f:1", ""},
		{"functions=h", "f(a);", "", ""},
		{"warmup=2", "for i in range(5): f(a)", "f:3", ""},
		{"--warmup 2 --repeat 3", "f(a)\ng(a)", "f:1 g:1", ""},
		{"ignore_first_call=True", "for i in range(5): f(a)", "f:4", ""},
		{"repeat=4", "for i in range(5): f(a)", "f:20", ""},
		{"repeat=2", "up(a);", "up:1", "%%profile: repeat: up updates w, so that another run would not be the same"},
		{"repeat=2", "f(a)\nw.set_value(a)", "f:1", "%%profile: repeat: set_value changes w, so"},
		{"repeat=2", "h = function([x], x * 2, name='h')\nh(a);", "h:1", "%%profile: repeat: the cell compiles h, so"},
		{"repeat=0", "f(a)", "", `%%profile: repeat: got "0", want an integer > 0`},
		{"show=none", "f(a);", "", ""},
		{"lines=True memory=True rewrites=1 --top 3 roofline=False optimizer_excluding=fusion",
			"function([x], T.exp(x) * 2, name='h')(a);", "h:1", ""},
		{"functions=[", "f(a)", "", "%%profile: functions: syntax error in pattern"},
		{"show=big", "f(a)", "", `%%profile: profiling.show: got "big", want one of open, closed, head, text, none`},
		{"compare=last", "f(a)", "", "%%profile: flag compare is not in Arignote yet"},
		{"trace=a.trace.json export=a.csv,a.pb.gz,a.html", "f(a);", "f:1", ""},
		{"export=a.png", "f(a)", "", "%%profile: export: a.png: got no format that is known by its name, want one of .anprof"},
		{"trace=a", "f(a)", "", "%%profile: trace: a: got no format"},
		{"export=no/such/a.csv", "f(a);", "f:1", "%%profile: export: "},
		{"wramup=3", "f(a)", "", "%%profile: unknown flag wramup (did you mean warmup?)"},
	} {
		t.Run(tt.flags, func(t *testing.T) {
			dir := t.TempDir()
			s := starlib.NewSession(starlib.Options{Dir: dir})
			starlibtest.Run(t, s, 1, profiled)
			out := new(bundles)
			_, _, err := s.Execute(context.Background(), 2, "%%profile "+tt.flags+"\n"+tt.code, out)
			switch {
			case tt.err == "" && err != nil, tt.err != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.err)):
				t.Errorf("got error %v, want %q", err, tt.err)
			case err != nil && !strings.Contains(strings.Join(err.(*starlib.Error).Traceback(), "\n"), "In[2]:1:"):
				t.Errorf("the error does not name the line of the flag: %s", err.(*starlib.Error).Traceback())
			}
			for _, file := range regexp.MustCompile(`a\.(csv|html|pb\.gz|trace\.json)`).FindAllString(tt.flags, -1) {
				if info, err := os.Stat(filepath.Join(dir, file)); tt.err == "" && (err != nil || info.Size() == 0) {
					t.Errorf("%s was not written: %v", file, err)
				}
			}
			var calls []string
			for _, p := range shownProfiles(t, out) {
				for _, f := range p.Functions {
					calls = append(calls, fmt.Sprintf("%s:%d", f.Name, f.Calls))
				}
			}
			if got := strings.Join(calls, " "); got != tt.calls {
				t.Errorf("got calls %q, want %q", got, tt.calls)
			}
		})
	}
}

// TestProfileCellPrintsOnce checks that the runs of repeat show nothing of their own.
func TestProfileCellPrintsOnce(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 1, profiled)
	_, out := starlibtest.Run(t, s, 2, "%%profile repeat=5\nprint('once', f(a).sum() > 0)\ndisplay('shown')")
	if strings.Count(out.String(), "once True") != 1 || strings.Count(out.String(), `"shown"`) != 1 {
		t.Errorf("got %s", out)
	}
}

// TestKeptProfiles goes through the profiles that a session keeps.
func TestKeptProfiles(t *testing.T) {
	dir := t.TempDir()
	s := starlib.NewSession(starlib.Options{Dir: dir})
	titles := func(count int, code string) string {
		t.Helper()
		out := new(bundles)
		if _, _, err := s.Execute(context.Background(), count, code, out); err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		var names []string
		for _, p := range shownProfiles(t, out) {
			names = append(names, p.Title())
		}
		return strings.Join(names, " ")
	}
	if e := starlibtest.Fails(t, s, 1,
		"%profile last"); e.Error() != "%profile: no cell was profiled yet: write %%profile on the first line of one" {
		t.Errorf("got %v", e)
	}
	starlibtest.Run(t, s, 2, "config.profiling.always = False") // a slow machine glances at cells
	starlibtest.Run(t, s, 2, profiled)
	titles(3, "%%profile save=base\nf(a);")
	titles(4, "%%profile export=both.anprof\nf(a)\ng(a);")
	for _, tt := range []struct{ code, want string }{
		{"%profile last", "f g"}, {"%profile show base", "f"}, {"%profile show In[4]", "f g"}, {"%profile show In[3]", "f"},
	} {
		if got := titles(5, tt.code); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.code, got, tt.want)
		}
	}
	if got, _ := starlibtest.Run(t, s, 6, `%profile export base base.anprof
[sorted([r.name for r in load_profile(p).functions()]) for p in ["base.anprof", "both.anprof"]]`); got != `[["f"], ["f", "g"]]` {
		t.Errorf("got %s", got)
	}
	for _, tt := range []struct{ code, want string }{
		{"%profile",
			"%profile: got nothing, want last, slow, list, show NAME, export NAME FILE, diff NAME NAME [FILE.flame.html], session; %%profile on the first line of a cell profiles it"},
		{"%profile memory=True",
			"%profile: got memory=True, want last, slow, list, show NAME, export NAME FILE, diff NAME NAME [FILE.flame.html], session; flags follow %%profile, on the first line of a cell"},
		{"%profile lst", "%profile: got lst, want last, slow, list, show NAME, export NAME FILE, diff NAME NAME [FILE.flame.html], session (did you mean last?)"},
		{"%profile show", "%profile: got show, want show NAME"},
		{"%profile show bse", "%profile: no profile is called bse (did you mean base?)"},
		{"%profile diff a b", "%profile: no profile is called a"},
		{"%profile list top=3", "%profile: got list top=3, want list"},
		{"%profile last memory=True", "%profile: memory says what is measured or written: it follows %%profile, on the first line of a cell; what is shown say full, show, " +
			"by, lines, top, n_ops, n_apply, min_memory_size, rewrites, details, listing, inclusive, paths, layout, width, as by=\"op\", top=5"},
		{"%profile last tops=3", "%profile: unknown flag tops (did you mean top?)"},
		{"%profile show base top=none", `%profile: top: got "none", want an integer > 0, or all`},
		{"%profile last layout=html", `%profile: layout: got "html", want one of aesara, theano, profilemode, profilemode2011, arignote`},
		{"%profile last show=some", `%profile: profiling.show: got "some", want one of open, closed, head, text, none`},
	} {
		if e := starlibtest.Fails(t, s, 7, tt.code); e.Error() != tt.want {
			t.Errorf("%s: got %s, want %s", tt.code, e, tt.want)
		}
	}
	// Flags of what is shown, of which each changes what is shown.
	shows := func(code string) map[string]any {
		t.Helper()
		out := new(bundles)
		if _, _, err := s.Execute(context.Background(), 8, code, out); err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		if len(out.list()) == 0 {
			return nil
		}
		return out.list()[0].data
	}
	for _, verb := range []string{"last", "show base"} {
		plain := shows("%profile " + verb)
		for _, tt := range []struct {
			flags, mime, want string
			not               bool // it has no want
		}{
			{"show=closed", "text/html", "<details style", false}, {"show=head", "text/html", "<b>All of it</b>", false}, {"--full", "text/plain", "\nClass\n", false}, {"top=3 --by op", "text/plain", "\nOps\n", false},
			{"by=op", "text/plain", "\nClass\n", true}, {"by=line,op", "text/html", "class.", true}, {"layout=theano", "text/plain", "Function profiling", false},
			{"rewrites=True", "text/html", "<b>Rewrites</b>", false}, {"listing=True", "text/plain", "def ", true}, {"width=60 full=True", "text/plain", "\nClass\n", false},
		} {
			shown, _ := shows("%profile " + verb + " " + tt.flags)[tt.mime].(string)
			if shown == plain[tt.mime] || strings.Contains(shown, tt.want) == tt.not {
				t.Errorf("%%profile %s %s: %q is there: %v in\n%s", verb, tt.flags, tt.want, !tt.not, shown)
			}
		}
		if _, ok := shows("%profile " + verb + " show=text")["text/html"]; ok {
			t.Error("show=text shows a panel")
		}
		if shows("%profile "+verb+" show=none") != nil {
			t.Error("show=none shows something")
		}
	}
	for i := range 25 {
		titles(10+i, "%%profile\ng(a);")
	}
	_, out := starlibtest.Run(t, s, 50, "%profile list")
	if n := strings.Count(out.String(), "In["); n != 21 || !strings.Contains(out.String(), "base   In[3]    f ") ||
		strings.Contains(out.String(), "In[14]") {
		t.Errorf("got %d profiles, want 20 and the saved one:\n%s", n, out)
	}
}

// TestLiveProfile checks that a long cell shows its profile while it runs, again and again under
// one id, and that the last display is of the whole. Under -race it checks that nothing is read
// that the cell writes.
func TestLiveProfile(t *testing.T) {
	const code = `%%profile memory=True
def work():
    for i in range(10000000):
        f(a)
        up(a)
        if i % 50 == 0:
            config.profiling.n_apply = 5 + i % 3
            grad(T.sqr(x).sum(), x)
        if seen():
            return [fail("enough"), 0][1] if failing else 0
work();`
	for _, end := range []string{"success", "error", "interrupt"} {
		t.Run(end, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			out := new(bundles)
			began := time.Now()
			seen := starlark.NewBuiltin("seen",
				func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
					enough := len(out.list()) >= 3 || time.Since(began) > time.Minute
					if enough && end == "interrupt" {
						cancel()
						return starlark.False, nil
					}
					return starlark.Bool(enough), nil
				})
			s := starlib.NewSession(starlib.Options{Live: 20 * time.Millisecond,
				Predeclared: starlark.StringDict{"seen": seen, "failing": starlark.Bool(end == "error")}})
			starlibtest.Run(t, s, 1, profiled)
			if _, _, err := s.Execute(ctx, 2, code, out); (err != nil) != (end != "success") {
				t.Fatalf("got %v", err)
			}
			list := out.list()
			if len(list) < 4 || list[0].id == "" {
				t.Fatalf("got %d displays, want three while the cell runs and one at its end", len(list))
			}
			calls := int64(-1)
			for i, b := range list {
				var all []*profiler.Stats
				if err := json.Unmarshal(b.data["application/vnd.arignote.profile+json"].(json.RawMessage), &all); err != nil {
					t.Fatal(err)
				}
				if b.id != list[0].id || b.update != (i > 0) {
					t.Errorf("display %d: got id %s, update %v", i, b.id, b.update)
				}
				n := all[0].Functions[0].Calls
				if n < calls {
					t.Errorf("display %d: got %d calls after %d", i, n, calls)
				}
				calls = n
				if i == len(list)-1 && n < 10 {
					t.Errorf("got %d calls in the end", n)
				}
				running := strings.Contains(b.data["text/html"].(string), "running")
				if running != (i < len(list)-1) {
					t.Errorf("display %d of %d says that the cell is running: %v", i, len(list), running)
				}
			}
			time.Sleep(60 * time.Millisecond)
			if n := len(out.list()); n != len(list) {
				t.Errorf("%d displays came after the cell", n-len(list))
			}
		})
	}
}

// TestNoLiveProfile checks that a session that was not asked to shows a profile once, as scripts
// do, and so do short cells.
func TestNoLiveProfile(t *testing.T) {
	for _, live := range []time.Duration{0, time.Hour} {
		s := starlib.NewSession(starlib.Options{Live: live})
		starlibtest.Run(t, s, 1, profiled)
		out := new(bundles)
		if _, _, err := s.Execute(context.Background(), 2, "%%profile\nf(a);\ntime.sleep(0.1)", out); err != nil {
			t.Fatal(err)
		}
		if list := out.list(); len(list) != 1 || list[0].id != "" || list[0].update {
			t.Errorf("Live %v: got %d displays", live, len(list))
		}
	}
}

// TestRoof checks that nodes are compared with the machine, which is asked for once, and only if
// somebody looks.
func TestRoof(t *testing.T) {
	asked := 0
	machine := func(context.Context, int) (*profiler.Machine, error) {
		asked++
		return &profiler.Machine{CPU: "test", Cores: 1, Threads: 1, Doubt: "threads ran 40 % of the time", Roof: &profiler.Roof{Flops64: 1e9, Flops32: 2e9,
			Levels: []profiler.MemoryLevel{{Name: "DRAM", Bandwidth: 1e3}}}}, nil
	}
	s := starlib.NewSession(starlib.Options{
		Machine: func(ctx context.Context, threads int, _ bool) (*profiler.Machine, error) {
			return machine(ctx, threads)
		}})
	starlibtest.Run(t, s, 1, profiled+"p = ProfileStats(memory=True)\nh = function([x], T.exp(x), profile=p)\nh(a)")
	if asked != 0 {
		t.Error("the machine was measured before anybody looked")
	}
	if got, _ := starlibtest.Run(t, s, 2, "[(r.limit, r.roof > 0) for r in p.nodes()]"); got != `[("memory (DRAM)", True)]` || asked != 1 {
		t.Errorf("got %s, asked %d times", got, asked)
	}
	roof := new(bundles)
	if _, _, err := s.Execute(t.Context(), 2, "%%profile\nh(a)\np.summary(layout=\"arignote\")", roof); err != nil ||
		!strings.Contains(strings.Join(strings.Fields(roof.String()), " "), "; in doubt: threads ran 40 % of the time") {
		t.Errorf("got %v and %s, want the doubt about the roof", err, roof.String())
	} else if html := roof.list()[0].data["text/html"].(string); !strings.Contains(html, " It is in doubt: threads ran 40 % of the time.") {
		t.Errorf("got no doubt about the roof in %s", html)
	}
	asked = 1
	starlibtest.Run(t, s, 3, "%%profile roofline=False\nh(a);")
	if asked != 1 {
		t.Error("roofline=False measures the machine")
	}
	out := new(bundles)
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	var cell *starlib.Cell
	var began time.Time
	s.After = func(c *starlib.Cell, _ starlib.Output) { cell = c }
	machine = func(of context.Context, _ int) (*profiler.Machine, error) {
		if of.Done() != ctx.Done() {
			t.Error("the machine is measured in another context than that of the cell")
		}
		began = time.Now()
		cancel(nil) // an interrupt
		return nil, of.Err()
	}
	if _, _, err := s.Execute(ctx, 4, "%%profile\nh(a);", out); err != nil || len(out.list()) != 1 {
		t.Errorf("got %v and %d displays, want a profile without roofs", err, len(out.list()))
	} else if html := out.list()[0].data["text/html"].(string); strings.Contains(html, "roof") || !strings.Contains(html, "Elemwise") {
		t.Errorf("got %s", html)
	}
	if out.String() != "" || cell.Started.Add(cell.Elapsed).After(began) {
		t.Errorf("got %q, and a cell of %v, of which the machine's measuring is a part", out.String(), cell.Elapsed)
	}
}

// TestTraces: every profile of nodes keeps its first runs one by one, for a trace, and no notebook
// keeps them.
func TestTraces(t *testing.T) {
	dir := t.TempDir()
	s := starlib.NewSession(starlib.Options{Dir: dir})
	starlibtest.Run(t, s, 1, profiled)
	out := new(bundles)
	for i, code := range []string{"%%profile export=cell.trace.json,cell.anprof\nfor i in range(20000): f(a)",
		"p = profile(lambda: f(a))\np.export('call.trace.json')\np",
		"q = ProfileStats('q')\nh = function([x], x + 1, profile=q)\nh(a)\nq.export('stats.trace.json')\nq",
		"n = ProfileStats('n', flag_time_thunks=False)\nh = function([x], x + 1, profile=n)\nh(a)\nn.export('none.trace.json')\nn"} {
		data, _, err := s.Execute(context.Background(), 2+i, code, out)
		if err != nil {
			t.Fatal(err)
		}
		if data != nil {
			out.Display(data, nil, "", false)
		}
	}
	for file, nodes := range map[string]bool{"cell": true, "call": true, "stats": true, "none": false} {
		text, err := os.ReadFile(filepath.Join(dir, file+".trace.json"))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(text), `"Elemwise{`); got != nodes {
			t.Errorf("%s: nodes in the trace: %v, want %v:\n%.500s", file, got, nodes, text)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "cell.anprof")); err != nil || info.Size() < 35_000 {
		t.Errorf("a file: got %d bytes, want one with the first traced runs", info.Size())
	}
	if n := len(out.list()); n != 4 {
		t.Fatalf("got %d displays, want 4", n)
	}
	for i, b := range out.list() {
		if data := string(b.data["application/vnd.arignote.profile+json"].(json.RawMessage)); strings.Contains(data, `"ends_ns"`) || len(data) > 20_000 {
			t.Errorf("display %d: got runs one by one, or %d bytes", i, len(data))
		}
	}
}

// TestLayouts: a cell shows our own layout and summary() prints the classic one, unless a flag says
// which.
func TestLayouts(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 1, profiled+"p = profile(lambda: f(a), name='p')")
	const own, classic, old = "Profile of", "Function profiling", "Apply-wise summary"
	for i, tt := range []struct{ code, cell, summary, panel string }{
		{"", own, classic, classic},
		{"config.profiling.layout = 'profilemode'\n", old, old, old},
		{"config.profiling.layout = 'arignote'\n", own, own, own},
		{"config.profiling.layout = 'auto'\n", own, classic, classic},
		{"config.profiling.layout = 'aesara'\n", classic, classic, classic},
	} {
		_, out := starlibtest.Run(t, s, 2*i+2, tt.code+"p.summary()")
		if !strings.Contains(out.String(), tt.summary) {
			t.Errorf("%s: summary(): got %s, want %s", tt.code, out, tt.summary)
		}
		b := new(bundles)
		if _, _, err := s.Execute(context.Background(), 2*i+3, "%%profile\nf(a);", b); err != nil {
			t.Fatal(err)
		}
		data := b.list()[0].data
		if text := data["text/plain"].(string); !strings.Contains(text, tt.cell) {
			t.Errorf("%s: a cell: got %s, want %s", tt.code, text, tt.cell)
		}
		if html := data["text/html"].(string); !strings.Contains(html, tt.panel) {
			t.Errorf("%s: the panel has no %s", tt.code, tt.panel)
		}
	}
}

// TestDetails: what details=True adds to summary(), and show=text to a cell that asks for the
// rewrites.
func TestDetails(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 1, profiled+"config.profile_optimizer = True\np = profile(lambda: f(a))")
	length := func(out fmt.Stringer) int { return strings.Count(out.String(), "\n") }
	for _, layout := range []string{"aesara", "arignote"} {
		_, brief := starlibtest.Run(t, s, 2, "p.summary(layout='"+layout+"')")
		_, whole := starlibtest.Run(t, s, 3, "p.summary(layout='"+layout+"', details=True)")
		if length(whole) < length(brief)+5 {
			t.Errorf("%s: got %d lines and with details %d", layout, length(brief), length(whole))
		}
	}
	cell := func(flags string) int {
		b := new(bundles)
		if _, _, err := s.Execute(context.Background(), 4, "%%profile "+flags+"\nf(a);", b); err != nil {
			t.Fatal(err)
		}
		return strings.Count(b.list()[0].data["text/plain"].(string), "\n")
	}
	if brief, whole := cell("rewrites=True"), cell("rewrites=True show=text"); whole < brief+5 {
		t.Errorf("a cell: got %d lines and with show=text %d", brief, whole)
	}
}

// TestVerboseRewrites is optimizer_verbose: each rule with what it replaced, and the passes that
// are no rules.
func TestVerboseRewrites(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	_, out := starlibtest.Run(t, s, 1, "%%flags optimizer_verbose=True\nx, y = T.vectors('xy')\nf = function([x, y], T.log(T.exp(x)) * 1 + y * 2)")
	for _, want := range []string{"rewriting: local_log_exp: Elemwise{log,no_inplace}(Elemwise{exp,no_inplace}.0) -> x\n",
		"rewriting: elemwise_fusion: "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("got %s, want %s", out, want)
		}
	}
	if _, out = starlibtest.Run(t, s, 2, "function([x], T.log(T.exp(x)));"); out.String() != "" {
		t.Errorf("without the flag: got %s", out)
	}
}

// TestRowsDisplay checks what tables of rows look like in a notebook.
func TestRowsDisplay(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 1, profiled+"p = profile(lambda: [f(a), g(a)], memory=True, name='<b>')")
	for _, code := range []string{"p.ops()", "p.nodes()", "p.lines()", "p.functions()", "p.memory()", "p.rewrites()", "p.classes()",
		"p.nodes()[0]"} {
		data, _, err := s.Execute(context.Background(), 2, code, nil)
		if err != nil {
			t.Fatal(err)
		}
		html, text := data["text/html"].(string), data["text/plain"].(string)
		if !strings.HasPrefix(html, "<table>") || !strings.Contains(html, "<th") || strings.Count(text, "\n") < 2 {
			t.Errorf("%s: got %s\n%s", code, text, html)
		}
	}
}

// TestProfileForms goes through the five forms of function(profile=), and the names that profiles
// have.
func TestProfileForms(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 3,
		"x = T.scalar('x')\np = ProfileStats('mine')\n\n\n"+
			"def make(profile, name=None):\n    return function([x], x + 1, profile=profile, name=name)")
	for _, tt := range []struct{ code, want string }{
		{"make(None).profile", ""}, // None shows nothing
		{"make(False).profile == None", "True"},
		{"make(True).profile.message", `"In[3]:6"`},
		{"make(True, 'f').profile.message", `"f"`},
		{"make('text', 'f').profile.message", `"text"`},
		{"(make(p).profile == p, make(p).profile.message)", `(True, "mine")`},
		{"config.profile = True\n(make(None, 'f').profile.message, make(False).profile)", `("f", None)`},
		{"config.profile = False\nconfig.print_global_stats = True\nmake(None, 'f').profile.message", `"f"`},
	} {
		if got, _ := starlibtest.Run(t, s, 4, tt.code); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.code, got, tt.want)
		}
	}
}
