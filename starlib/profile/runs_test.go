package profile_test

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// A profileRun is a program that users profile. Its profiles are those that it leaves; they are
// read when it has ended.
type profileRun struct {
	name, flags string
	code, file  string // one of them
	memory      bool   // the memory profile is printed
	profiles    []leftProfile
	extra       []string // that the text of the first profile has, in the layout aesara
	pattern     string   // that it matches
}

// A leftProfile is an expression and what its value says.
type leftProfile struct {
	expr, title string
	functions   string // whose graphs have its nodes; expressions, separated by blanks
	calls       int64
}

var profileRuns = []profileRun{
	{name: "example", flags: "optimizer_excluding=fusion:inplace,profile=True", // seed 004
		code: `x, y, z = T.vectors("xyz")
f = function([x, y, z], [(x + y + z) * 2])
f(np.ones(10), np.ones(10), np.ones(10));`,
		profiles: []leftProfile{{"f.profile", "In[1]:2", "f", 1}},
		extra: []string{"     3       3   arignote.tensor.elemwise.Elemwise\n", "     2        2   Elemwise{add,no_inplace}\n",
			"     1        1   Elemwise{mul,no_inplace}\n"}},
	{name: "Add", flags: "profile=True,profile_memory=True", memory: true, // seed 001
		code: `x, y = T.dscalars("xy")
f = function([x, y], x + y, name="Add")
print(f(2, 3))`,
		profiles: []leftProfile{{"f.profile", "Add", "f", 1}},
		extra: []string{"     1       1   arignote.tensor.elemwise.Elemwise\n", "     1     0 ", "Elemwise{add,no_inplace}(x, y)\n",
			"    input 1: dtype=float64, shape=(), strides=c\n    output 0: dtype=float64, shape=(), strides=c\n",
			"   ... (remaining 1 Apply account for    8B/8B ((100.00%)) of the Apply with dense outputs sizes)\n",
			"    All Apply nodes have output sizes that take less than 1024B.\n"}},
	{name: "logreg", flags: "profile=True,profile_memory=True,profile_optimizer=True", memory: true, // the peers' program
		file:     "testdata/profileruns/logreg.star",
		profiles: []leftProfile{{"train.profile", "train", "train", 20}, {"predict.profile", "predict", "predict", 3}},
		extra:    []string{"B  [(784,)] ", "\nRewriter Profile\n----------------\n  train: "},
		// The three slowest passes, whichever they are on a busy machine: also BlasOpt.
		pattern: ` for \d+ passes, \d+/9 nodes before/after.*\n.* <changes> <pass>\n(    \d+\.\d{6}s +\d+ +\d+ +\d+  [A-Za-z]\w*\n){3}    \.\.\. \(remaining \d+ passes `},
	{name: "shared", flags: "profile=True",
		code: `x, y = T.vectors("xy")
p = ProfileStats("both")
f1 = function([x, y], x + y, profile=p)
f2 = function([x, y], T.dot(T.exp(x), y), profile=p)
f3 = function([x], x * 2, name="f3")
never = function([x], x, name="never", profile=ProfileStats("never"))
a = np.ones(1000)
f1(a, a)
for i in range(5): f2(a, a)
f3(a);`,
		profiles: []leftProfile{{"p", "both", "f1 f2", 6}, {"f3.profile", "f3", "f3", 1}}},
	{name: "ProfileMode", file: "../../benchmarks/regression.star", // seed 000
		profiles: []leftProfile{{"list(profmode.profile_stats.values())[0].merge(*list(profmode.profile_stats.values())[1:])",
			"update, apply", "model.update model.apply", 202}}},
}

// start runs the program in a new session.
func (r *profileRun) start(t *testing.T) *starlib.Session {
	t.Helper()
	c := config.New()
	if err := c.SetAll(r.flags, "test"); err != nil {
		t.Fatal(err)
	}
	s := starlib.NewSession(starlib.Options{Config: c, Dir: t.TempDir()})
	if r.file == "" {
		starlibtest.Run(t, s, 1, r.code)
		return s
	}
	file, err := filepath.Abs(r.file)
	if err == nil {
		err = s.RunFile(t.Context(), file, &starlib.Terminal{Out: io.Discard, Err: io.Discard})
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// stats is the profile, through the file that save() writes.
func (p leftProfile) stats(t *testing.T, s *starlib.Session) *profiler.Stats {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.anprof")
	starlibtest.Run(t, s, 2, fmt.Sprintf("(%s).save(%q)", p.expr, file))
	data, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	stats, err := profiler.ReadJSON(data)
	if err != nil {
		t.Fatal(err)
	}
	return stats
}

var printedNode = regexp.MustCompile(`\[id \w+\] (?:'[^']*' )?(\d+)`)

// printedNodes counts the nodes of a graph in what debugprint writes of it.
func printedNodes(t *testing.T, s *starlib.Session, function string) int {
	t.Helper()
	_, out := starlibtest.Run(t, s, 3, "debugprint("+function+", profile=False)")
	seen := make(map[string]bool)
	for _, m := range printedNode.FindAllStringSubmatch(out.String(), -1) {
		seen[m[1]] = true
	}
	return len(seen)
}

const groupColumns = "<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> "

// profileSections are what a text has in each layout, in this order.
var profileSections = map[text.Layout][]string{
	text.Aesara: {"Function profiling\n==================\n  Message: ", "\n  Time in ", " calls to Function.__call__: ",
		"\n  Time in Function.vm.__call__: ", "\n  Time in thunks: ", "\n  Total compilation time: ", "\n    Number of Apply nodes: ",
		"\n    Arignote rewrite time: ", "\n       Arignote validate time: ",
		"\n    Arignote Linker time (includes C, CUDA code generation/compiling): ", "\n       Import time ",
		"\n       Node make_thunk time ", "\n           Node ", "\nTime in all call to arignote.grad() ", "\nTime since arignote import ",
		"\nClass\n---\n" + groupColumns + "<Class name>\n", "\n   ... (remaining 0 Classes account for   0.00%(0.00s) of the runtime)\n",
		"\nOps\n---\n" + groupColumns + "<Op name>\n", "\n   ... (remaining 0 Ops account for   0.00%(0.00s) of the runtime)\n",
		"\nApply\n------\n<% time> <sum %> <apply time> <time per call> <#call> <id> ", "<Apply name>\n",
		"\n   ... (remaining 0 Apply instances account for 0.00%(0.00s) of the runtime)\n"},
	text.Theano: {"Function profiling\n==================\n  Message: ", "\n  Time in ", " calls to Function.__call__: ",
		"\n  Time in Function.fn.__call__: ", "\n  Time in thunks: ", "\n  Total compile time: ", "\n    Arignote Optimizer time: ",
		"\n       Arignote validate time: ", "\n    Arignote Linker time (includes C, CUDA code generation/compiling): ",
		"\nClass\n---\n" + groupColumns + "<Class name>\n", "   <class 'arignote.",
		"\nOps\n---\n" + groupColumns + "<Op name>\n", "\nApply\n------\n<% time> "},
	text.Arignote: {"Profile of ", "\ncalls     ", "\ntime      ", "\nkernels   ", "\ncompile   ", "\nLines\n", "\nClass\n", "\nOps\n",
		"\nApply\n"},
	text.ProfileMode: {"ProfileMode.print_summary()\n---------------------------\n\nlocal_time ", " (Time spent running thunks)\n",
		"\nApply-wise summary: <fraction of local_time spent at this position> (<Apply position>, <Apply Op name>)\n\t",
		" Apply instances account for ",
		"\nOp-wise summary: <fraction of local_time spent on this kind of Op> <Op name>\n\t", " Ops account for ",
		"\n(*) Op is running a c implementation\n"},
	text.ProfileMode2011: {"ProfileMode is deprecated! ", "\nProfileMode.print_summary(", "\nTime since import ",
		"\nArignote compile time: ", "\n    Optimization time: ", "\n    Linker time: ", "\nArignote fct call ", "\n   Arignote Op time ",
		"\n   Arignote function overhead in ProfileMode ", "\nRest of the time since import ", "\nArignote fct summary:\n",
		"\nSingle Op-wise summary:\n", "\nOp-wise summary:\n", "\nApply-wise summary:\n"},
}

// memorySections are what the memory profile has, after the others.
var memorySections = map[text.Layout][]string{
	text.Aesara: {"\nMemory Profile", "\n(Sparse variables are ignored)\n",
		"\n    Max peak memory with current setting\n        CPU: ",
		"flag optimizer_excluding=inplace\n        CPU: ", "\n    Max peak memory if allow_gc=False ",
		"\n    <Sum apply outputs (bytes)> <Apply outputs shape> <created/inplace/view> <Apply node>\n", " Apply account for ",
		"\n    <created/inplace/view> is taken from the Op's declaration.\n"},
	text.Theano: {"\nMemory Profile", "\n    Max if no gc (allow_gc=False): ", "\n    Memory saved if gc is enabled ",
		"\n    <Sum apply outputs (bytes)> <Apply outputs shape> <created/inplace/view> <Apply node>\n", " Apply account for "},
	text.Arignote:        {"\nMemory\n", "\nreplay    "},
	text.ProfileMode2011: {"\nMemory Profile", "\n    <Sum apply outputs (bytes)> "},
}

// missing lists which of the parts a text does not have in their order.
func missing(report string, parts []string) (list []string) {
	for _, part := range parts {
		_, after, ok := strings.Cut(report, part)
		if !ok {
			list = append(list, part)
			continue
		}
		if n := len(part); part[n-1] == '\n' {
			after = "\n" + after // it may also begin the next part
		}
		report = after
	}
	return list
}

// TestProfileRuns runs programs as users do and reads back every text that their profiles print, in
// every layout, and the data: they must agree with each other, with the calls that were made and
// with the compiled graphs.
func TestProfileRuns(t *testing.T) {
	for _, r := range profileRuns {
		t.Run(r.name, func(t *testing.T) {
			s := r.start(t)
			var other string
			for i, p := range r.profiles {
				stats := p.stats(t, s)
				total := stats.Total()
				nodes := 0
				for f := range strings.FieldsSeq(p.functions) {
					nodes += printedNodes(t, s, f)
				}
				if stats.Title() != p.title || total.Calls != p.calls || len(total.Nodes) != nodes || nodes == 0 {
					t.Errorf("got %s with %d calls of %d nodes, want %s with %d of %d", stats.Title(), total.Calls, len(total.Nodes), p.title,
						p.calls, nodes)
				}
				for _, layout := range text.LayoutNames() {
					_, out := starlibtest.Run(t, s, 4, fmt.Sprintf("(%s).summary(layout=%q, n_ops_to_print=100, n_apply_to_print=100)", p.expr, layout))
					report := strings.TrimPrefix(out.String(), "stdout: ")
					profilertest.CheckText(t, stats, report)
					parts := profileSections[text.Layout(layout)]
					if r.memory {
						parts = append(slices.Clone(parts), memorySections[text.Layout(layout)]...)
					}
					if layout == string(text.Aesara) && i == 0 {
						for _, want := range r.extra {
							if !strings.Contains(report, want) {
								t.Errorf("got no %q in\n%s", want, report)
							}
						}
						if !regexp.MustCompile(r.pattern).MatchString(report) {
							t.Errorf("got nothing like %s in\n%s", r.pattern, report)
						}
						other = report
					}
					if list := missing(report, parts); len(list) > 0 {
						t.Errorf("%s: got no %q in\n%s", layout, list, report)
					}
				}
				checkData(t, s, p.expr, stats)
			}
			if len(r.profiles) > 1 && len(profilertest.Problems(r.profiles[1].stats(t, s), other)) == 0 {
				t.Error("the text of one profile passes for that of another: the check sees nothing")
			}
		})
	}
}

// TestSummaryWidth: our own layout fits a terminal if nobody asks for more. Names are cut, and
// columns of numbers never: those alone take 100 characters.
func TestSummaryWidth(t *testing.T) {
	s := profileRuns[2].start(t)
	for _, tt := range []struct {
		code        string
		least, most int
	}{
		{`train.profile.summary(layout="arignote")`, 100, 120},
		{`train.profile.summary(layout="aesara")`, 300, 512},
		{`train.profile.summary(layout="arignote", line_width=80)`, 60, 115},
		{`train.profile.summary(layout="arignote", line_width=0)`, 300, 1000},
		{"config.profiling.output_line_width = 200\ntrain.profile.summary(layout='arignote')", 150, 200},
	} {
		_, out := starlibtest.Run(t, s, 2, tt.code)
		report, _, _ := strings.Cut(strings.TrimPrefix(out.String(), "stdout: "), "\nRewriter Profile\n")
		if got := profilertest.LongestLine(report); got < tt.least || got > tt.most {
			t.Errorf("%s: got lines of %d characters, want %d to %d:\n%s", tt.code, got, tt.least, tt.most, report)
		}
	}
}

// checkData: what is read back has the numbers of the profile, and tables of one profile add up to
// each other.
func checkData(t *testing.T, s *starlib.Session, expr string, stats *profiler.Stats) {
	t.Helper()
	profilertest.RoundTrip(t, stats)
	starlibtest.Run(t, s, 5, fmt.Sprintf(`p = %s
p.save("again.anprof")
q = load_profile("again.anprof")
fields = ["fct_callcount", "fct_call_time", "vm_call_time", "thunk_time", "compile_time", "rewriting_time", "validate_time",
    "linker_time", "nb_nodes"]
a, b = [[getattr(x, name) for name in fields] + [str(x.nodes()), str(x.ops()), str(x.lines()), str(x.functions()), str(x.memory()),
    str(x.rewrites())] for x in [p, q]]
same = a == b
data = [str({k: v for k, v in x.to_dict().items() if k not in ("globals", "name")}) for x in [p, q]]
tables = [p.classes(), p.ops(), p.nodes()]
sums = [sum([r.time + r.left_out for r in rows]) for rows in tables + [p.lines()]]
parts = [sum([x.fraction for x in n.shares]) for n in p.nodes()]`, expr))
	for _, tt := range []struct{ code, want string }{
		{"same", "True"},
		{"data[0] == data[1]", "True"},
		{"p.thunk_time <= p.vm_call_time and p.vm_call_time <= p.fct_call_time", "True"},
		{"[abs(x - p.thunk_time) <= 1e-6 * p.thunk_time for x in sums]", "[True, True, True, True]"},
		{"all([abs(x - 1) < 1e-9 for x in parts])", "True"},
		{"len(set([sum([r.calls for r in rows]) for rows in tables]))", "1"},
		{"len(set([sum([r.applies for r in rows]) for rows in tables]))", "1"},
		{"[abs(rows[-1].cumulative - 1) < 1e-9 for rows in tables]", "[True, True, True]"},
		{"sum([f.calls for f in p.functions()]) == p.fct_callcount and sum([f.nodes for f in p.functions()]) == p.nb_nodes", "True"},
	} {
		if got, _ := starlibtest.Run(t, s, 6, tt.code); got != tt.want {
			shown, _ := starlibtest.Run(t, s, 7, "(sums, parts, a[:9], b[:9])")
			t.Errorf("%s: %s: got %s, want %s: %s", expr, tt.code, got, tt.want, shown)
		}
	}
}

// blockStart begins each profile that is printed at exit.
var blockStart = map[text.Layout]*regexp.Regexp{
	text.Aesara: regexp.MustCompile(`(?m)^Function profiling$`), text.Theano: regexp.MustCompile(`(?m)^Function profiling$`),
	text.Arignote:        regexp.MustCompile(`(?m)^(Profile of |Sum of the )`),
	text.ProfileMode:     regexp.MustCompile(`(?m)^ProfileMode\.print`),
	text.ProfileMode2011: regexp.MustCompile(`(?m)^ProfileMode is deprecated`),
}

// TestProfileRunsAtExit reads what programs print when they end: the profiles, the most expensive
// first, and their sum.
func TestProfileRunsAtExit(t *testing.T) {
	for _, r := range profileRuns {
		if r.flags == "" {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			s := r.start(t)
			var all []*profiler.Stats
			for _, p := range r.profiles {
				all = append(all, p.stats(t, s))
			}
			cost := func(s *profiler.Stats) time.Duration {
				total := s.Total()
				return total.Compile.Total + time.Duration(total.CallTime)
			}
			slices.SortStableFunc(all, func(a, b *profiler.Stats) int { return cmp.Compare(cost(b), cost(a)) })
			if len(all) > 1 {
				all = append(all, profiler.Sum(all...))
			}
			for _, layout := range text.LayoutNames() {
				starlibtest.Run(t, s, 8, fmt.Sprintf("config.profiling.layout = %q", layout))
				var stdout, stderr strings.Builder
				if err := s.PrintProfiles(&stdout, &stderr); err != nil || stdout.Len() > 0 {
					t.Fatalf("got %v and on stdout %q", err, &stdout)
				}
				printed := stderr.String()
				const empty = "Skipping empty profile of never\n\n"
				if got, want := strings.Contains(printed, empty), strings.Contains(r.code, `"never"`); got != want {
					t.Errorf("%s: got an empty profile %v, want %v", layout, got, want)
				}
				printed = strings.ReplaceAll(printed, empty, "")
				starts := blockStart[text.Layout(layout)].FindAllStringIndex(printed, -1)
				if len(starts) != len(all) {
					t.Fatalf("%s: got %d profiles, want %d:\n%s", layout, len(starts), len(all), printed)
				}
				for i, at := range starts {
					end := len(printed)
					if i+1 < len(starts) {
						end = starts[i+1][0]
					}
					report := printed[at[0]:end]
					profilertest.CheckText(t, all[i], report)
					if list := missing(report, profileSections[text.Layout(layout)][:1]); len(list) > 0 && i < len(r.profiles) {
						t.Errorf("%s: got no %q in\n%s", layout, list, report)
					}
					if i == len(r.profiles) && (layout == "aesara" || layout == "theano") &&
						!strings.Contains(report, "\n  Message: Sum of all(2) printed profiles at exit\n") {
						t.Errorf("%s: got no title of the sum in\n%s", layout, report)
					}
				}
			}
		})
	}
}

// TestRegressionLines: each line of the logistic regression has its price, with that of its
// gradient, although nodes are fused. As in what Theano prints of it, the products are worst.
func TestRegressionLines(t *testing.T) {
	const dotLine, xentLine, predictionLine, updateLine = 5, 7, 6, 13 // of logreg.star
	s := profileRuns[2].start(t)
	var wrong []string
	for range 3 { // a pause of the machine may hit the one node or the other
		starlibtest.Run(t, s, 2, "train.profile.reset()\nfor i in range(50): train(X, Y)")
		stats := profileRuns[2].profiles[0].stats(t, s)
		if wrong = regressionProblems(stats, dotLine, xentLine, predictionLine, updateLine); len(wrong) == 0 {
			return
		}
	}
	_, out := starlibtest.Run(t, s, 3, "train.profile.summary(layout='arignote')")
	t.Errorf("%s in\n%s", strings.Join(wrong, "\n"), out)
}

func regressionProblems(stats *profiler.Stats, dot, xent, prediction, update int) (wrong []string) {
	lines := stats.Lines(false)
	byLine := make(map[int]profiler.LineRow)
	for _, l := range lines {
		byLine[l.Line] = l
		if sum := l.ByRole[0] + l.ByRole[1] + l.ByRole[2]; math.Abs(sum-l.Time) > 1e-6*l.Time {
			wrong = append(wrong, fmt.Sprintf("line %d: got %g ns of %v", l.Line, l.Time, l.ByRole))
		}
	}
	if lines[0].Line != dot || lines[0].Fraction < 0.5 {
		wrong = append(wrong, fmt.Sprintf("got line %d as the worst, with %g, want %d", lines[0].Line, lines[0].Fraction, dot))
	}
	for _, tt := range []struct {
		line  int
		roles [3]bool // forward, gradient, update
	}{{dot, [3]bool{true, true}}, {xent, [3]bool{true, true}}, {prediction, [3]bool{true}}, {update, [3]bool{2: true}}} {
		l := byLine[tt.line]
		if roles := [3]bool{l.ByRole[0] > 0, l.ByRole[1] > 0, l.ByRole[2] > 0}; roles != tt.roles {
			wrong = append(wrong, fmt.Sprintf("line %d: got %v ns forward, in gradients and in updates, want some in %v", tt.line,
				l.ByRole, tt.roles))
		}
	}
	// The product and its gradient take the same operations, and the same time but for caches.
	if l := byLine[dot]; l.ByRole[1] < 0.2*l.Time || l.ByRole[1] > 0.8*l.Time {
		wrong = append(wrong, fmt.Sprintf("line %d: got %g of it for the gradient, want about a half", dot, l.ByRole[1]/l.Time))
	}
	shared := false
	for _, n := range stats.Total().Nodes {
		roles := make(map[string]bool)
		sum := 0.0
		for part := range n.Shares() {
			sum += part.Share
			roles[part.Origin.Role] = true
			if part.Origin.Frame().Line == 0 {
				wrong = append(wrong, fmt.Sprintf("%s: %s has no line", n.Op, part.Op))
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			wrong = append(wrong, fmt.Sprintf("%s: shares add up to %g", n.Op, sum))
		}
		shared = shared || roles["forward"] && roles["gradient"]
	}
	if !shared {
		wrong = append(wrong, "no node is both forward and gradient: nothing was fused")
	}
	for i, r := range stats.Rows(profiler.ByApply)[:2] {
		if !strings.HasPrefix(r.Name, "Gem") && !strings.HasPrefix(r.Name, "Dot") && !strings.HasPrefix(r.Name, "dot") {
			wrong = append(wrong, fmt.Sprintf("got %s as number %d of the nodes, want a product", r.Name, i+1))
		}
	}
	return wrong
}
