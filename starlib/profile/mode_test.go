package profile_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// A classicSummary is what ProfileMode.print_summary printed, read back.
type classicSummary struct {
	localTime   float64
	applies     []classicRow
	ops         []classicRow
	restApplies float64 // shares of what is not shown
	restOps     float64
}

type classicRow struct {
	share    float64
	position int
	star     bool
	name     string
	function string
}

var (
	localTimeLine = regexp.MustCompile(`(?m)^local_time (\S+) \(Time spent running thunks\)$`)
	applyLine     = regexp.MustCompile(`(?m)^\t(\d\.\d{3})\t(\d+)\t(.*?)(?:  \[(.*)\])?$`)
	opLine        = regexp.MustCompile(`(?m)^\t(\d\.\d{3})\t([* ]) (.*)$`)
	restLine      = regexp.MustCompile(`(?m)^   \.\.\. \(remaining \d+ (?:Apply instances|Ops) account for (\d\.\d\d) of the runtime`)
)

func readSummary(t *testing.T, text string) classicSummary {
	t.Helper()
	number := func(s string) float64 {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		return x
	}
	var s classicSummary
	local, rest := localTimeLine.FindStringSubmatch(text), restLine.FindAllStringSubmatch(text, -1)
	if !strings.HasPrefix(text, "ProfileMode.print_summary()\n---------------------------\n\nlocal_time ") ||
		local == nil || len(rest) != 2 || !strings.HasSuffix(text, "\n(*) Op is running a c implementation\n\n") {
		t.Fatalf("got\n%s\nwant the summary of 2009", text)
	}
	s.localTime, s.restApplies, s.restOps = number(local[1]), number(rest[0][1]), number(rest[1][1])
	for _, m := range applyLine.FindAllStringSubmatch(text, -1) {
		s.applies = append(s.applies, classicRow{share: number(m[1]), position: int(number(m[2])), name: m[3], function: m[4]})
	}
	for _, m := range opLine.FindAllStringSubmatch(text, -1) {
		s.ops = append(s.ops, classicRow{share: number(m[1]), star: m[2] == "*", name: m[3]})
	}
	return s
}

// problems are what a summary cannot be: printed shares are rounded to three digits, and those of
// the rest to two.
func (s classicSummary) problems() (list []string) {
	check := func(what string, rows []classicRow, rest float64) {
		sum := rest
		for i, r := range rows {
			sum += r.share
			if i > 0 && r.share > rows[i-1].share {
				list = append(list, fmt.Sprintf("%s: %s comes after what took less", what, r.name))
			}
		}
		if math.Abs(sum-1) > 0.005+0.0006*float64(len(rows)) {
			list = append(list, fmt.Sprintf("%s: shares add up to %.3f", what, sum))
		}
	}
	check("by node", s.applies, s.restApplies)
	check("by op", s.ops, s.restOps)
	seen := make(map[string]bool)
	for _, r := range s.applies {
		at := fmt.Sprintf("%s at %d", r.function, r.position)
		if seen[at] {
			list = append(list, "two nodes in "+at)
		}
		seen[at] = true
	}
	return list
}

// TestSummaryProblems: the check can fail.
func TestSummaryProblems(t *testing.T) {
	good := classicSummary{applies: []classicRow{{share: 0.6}, {share: 0.3, position: 1}, {position: 1, function: "f"}},
		restApplies: 0.1, ops: []classicRow{{share: 1}}}
	if p := good.problems(); len(p) != 0 {
		t.Errorf("got %q", p)
	}
	for _, tt := range []struct {
		spoil func(s *classicSummary)
		want  string
	}{
		{func(s *classicSummary) { s.restApplies = 0.2 }, "by node: shares add up to 1.1"},
		{func(s *classicSummary) { s.ops[0].share = 0.9 }, "by op: shares add up to 0.9"},
		{func(s *classicSummary) { s.applies[1].position = 0 }, "two nodes in  at 0"},
		{func(s *classicSummary) { s.applies[0], s.applies[1] = s.applies[1], s.applies[0] }, "comes after what took less"},
	} {
		s := good
		s.applies, s.ops = slices.Clone(good.applies), slices.Clone(good.ops)
		tt.spoil(&s)
		if p := s.problems(); len(p) != 1 || !strings.HasPrefix(p[0], tt.want) && !strings.HasSuffix(p[0], tt.want) {
			t.Errorf("got %q, want %q", p, tt.want)
		}
	}
}

// typeRow is a row of the classic table of ops, with what it ran in.
var typeRow = regexp.MustCompile(`(?m)^ +[\d.]+% +[\d.]+% +[\d.]+s +[\d.e+-]+s +(C Go|C|Go) +\d+ +\d+   (.*)$`)

// TestRegressionSummary profiles the example of ProfileMode's document as users do, and reads what
// it prints. Which ops ran in C only is known from another report.
func TestRegressionSummary(t *testing.T) {
	s := starlibtest.NewSession(t)
	var stdout, stderr strings.Builder
	script, err := filepath.Abs("../../benchmarks/regression.star")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.RunFile(t.Context(), script, &starlib.Terminal{Out: &stdout, Err: &stderr}); err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	progress, text, _ := strings.Cut(stdout.String(), "ProfileMode.")
	text = "ProfileMode." + text
	if !strings.Contains(progress, "\nright: ") {
		t.Errorf("got %q, want the costs and how many are right", progress)
	}
	got := readSummary(t, text)
	for _, p := range got.problems() {
		t.Errorf("%s\n%s", p, text)
	}
	isProduct := func(r classicRow) bool { return r.name == "dot" || strings.HasPrefix(r.name, "Gemm") }
	if len(got.ops) < 2 || !slices.ContainsFunc(got.ops[:2], isProduct) {
		t.Errorf("got no product among the two ops that took most\n%s", text)
	}
	_, out := starlibtest.Run(t, s, 1, `print(profmode.local_time <= profmode.call_time)
for p in profmode.profile_stats.values():
    p.summary()`)
	if !strings.HasPrefix(out.String(), "stdout: True\n") {
		t.Errorf("got %.100q, want local_time to be at most call_time", out)
	}
	stars := make(map[string]bool)
	for _, report := range strings.Split(out.String(), "\nOps\n---\n")[1:] {
		ops, _, _ := strings.Cut(report, "\n   ... (remaining")
		for _, m := range typeRow.FindAllStringSubmatch(ops, -1) {
			star, ok := stars[m[2]]
			stars[m[2]] = m[1] == "C" && (star || !ok)
		}
	}
	if len(stars) != len(got.ops) {
		t.Errorf("got %d ops, the reports of the functions have %d", len(got.ops), len(stars))
	}
	for _, r := range got.ops {
		if star, ok := stars[r.name]; !ok || star != r.star {
			t.Errorf("%s: got star %v, want %v (known %v)", r.name, r.star, star, ok)
		}
	}
}

// TestPrintSummaryRows: flags and arguments limit the rows, and the rest is accounted for.
func TestPrintSummaryRows(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, `m = ProfileMode(optimizer="merge")
x = T.vector("x")
f = function([x], T.exp(T.sin(x) + T.cos(x)) * T.tanh(x), mode=m, name="f")
f(np.ones(10))`)
	for _, tt := range []struct {
		code         string
		applies, ops int
	}{
		{"m.print_summary()", 6, 6},
		{"m.print_summary(2, 3)", 2, 3},
		{"m.print_summary(n_ops_to_print=1)", 6, 1},
		{"config.ProfileMode.n_apply_to_print = 4\nconfig.ProfileMode__n_ops_to_print = 5\nm.print_summary()", 4, 5},
		{"# %%flags ProfileMode.n_apply_to_print=1\nm.print_summary(n_ops_to_print=2)", 1, 2},
	} {
		_, out := starlibtest.Run(t, s, 2, tt.code)
		got := readSummary(t, strings.TrimPrefix(out.String(), "stdout: "))
		if len(got.applies) != tt.applies || len(got.ops) != tt.ops || len(got.problems()) > 0 {
			t.Errorf("%s: got %d and %d rows, %q; want %d and %d\n%s", tt.code, len(got.applies), len(got.ops), got.problems(), tt.applies,
				tt.ops, out)
		}
	}
}

// TestShowProfileMode: the value of a cell is shown with the profiles, once there are some.
func TestShowProfileMode(t *testing.T) {
	s := starlibtest.NewSession(t)
	for _, tt := range []struct {
		code string
		html bool
	}{
		{"m = ProfileMode()\nm", false},
		{"x = T.vector('x')\nfunction([x], x + 1, mode=m, name='f')([1])\nm", true},
	} {
		data, _, err := s.Execute(t.Context(), 1, tt.code, nil)
		if err != nil {
			t.Fatal(err)
		}
		if html, _ := data["text/html"].(string); data["text/plain"] != `ProfileMode(linker="c|go", optimizer="fast_run")` ||
			strings.Contains(html, "Elemwise{add") != tt.html {
			t.Errorf("got %q and %q", data["text/plain"], html)
		}
	}
}

// TestProfileModeMemory: the flag of the mode's own records memory, which the layout of 2011 shows.
func TestProfileModeMemory(t *testing.T) {
	for flag, want := range map[string]string{
		"False": "\nProfile of Arignote intermediate memory disabled.", "True": "\nMemory Profile\n"} {
		s := starlibtest.NewSession(t)
		_, out := starlibtest.Run(t, s, 1, "config.ProfileMode.profile_memory = "+flag+`
m, x = ProfileMode(), T.vector("x")
function([x], T.exp(x), mode=m, name="f")(np.ones(1000))
m.print_summary(layout="2011")`)
		if !strings.Contains(out.String(), want) {
			t.Errorf("profile_memory=%s: got\n%s\nwant %q", flag, out, want)
		}
	}
}

// TestProfileModeAtExit: the summary of the mode that has a name is printed when a program ends, if
// there is anything to tell.
func TestProfileModeAtExit(t *testing.T) {
	const compile = "x = T.vector('x')\nf = function([x], x + 1, name='f')\n"
	file := filepath.Join(t.TempDir(), "profile.txt")
	for _, tt := range []struct {
		name, code     string
		stdout, stderr int // summaries
	}{
		{"flag", "config.mode = 'PROFILE_MODE'\n" + compile + "f([1])", 0, 1},
		{"argument", "x = T.vector('x')\nfunction([x], x + 1, mode='ProfileMode')([1])", 0, 1},
		{"stdout", "config.profiling.destination = 'stdout'\nconfig.mode = 'PROFILE_MODE'\n" + compile + "f([1])", 1, 0},
		{"file", fmt.Sprintf("config.profiling.destination = %q\nconfig.mode = 'PROFILE_MODE'\n", file) + compile + "f([1])", 0, 0},
		{"not called", "config.mode = 'PROFILE_MODE'\n" + compile, 0, 0},
		{"an object", "m = ProfileMode()\nx = T.vector('x')\nfunction([x], x + 1, mode=m)([1])", 0, 0},
		{"no profile", compile + "f([1])", 0, 0},
		{"with profiles", "config.mode, config.profile = 'PROFILE_MODE', True\n" + compile + "f([1])", 0, 1},
	} {
		s := starlibtest.NewSession(t)
		starlibtest.Run(t, s, 1, tt.code)
		var stdout, stderr strings.Builder
		if err := s.PrintProfiles(&stdout, &stderr); err != nil {
			t.Fatal(err)
		}
		const title = "ProfileMode.print_summary()\n"
		if a, b := strings.Count(stdout.String(), title), strings.Count(stderr.String(), title); a != tt.stdout || b != tt.stderr {
			t.Errorf("%s: got %d summaries on stdout and %d on stderr, want %d and %d", tt.name, a, b, tt.stdout, tt.stderr)
		}
		if profiles := strings.Count(stderr.String(), "Function profiling\n"); (profiles > 0) != (tt.name == "with profiles") {
			t.Errorf("%s: got %d profiles", tt.name, profiles)
		}
	}
	if text, err := os.ReadFile(file); err != nil {
		t.Error(err)
	} else {
		readSummary(t, string(text))
	}
}

// TestPrintDiffSummary: what one mode does in one node and the other in three is on both sides of
// the difference.
func TestPrintDiffSummary(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, `x, y, z = T.vectors("xyz")
fused = ProfileMode()
plain = fused.excluding("fusion:inplace")
a = np.ones(10)
for mode in [fused, plain]:
    f = function([x, y, z], (x + y + z) * 2, mode=mode, name="f")
    for i in range(5):
        f(a, a, a)
function([x], x + 1, mode=plain, name="only")(a)`)
	for _, layout := range []string{"2009", "2011"} {
		for code, sign := range map[string]string{"fused.print_diff_summary(plain": "", "plain.print_diff_summary(fused": "-"} {
			_, out := starlibtest.Run(t, s, 2, code+fmt.Sprintf(", layout=%q)", layout))
			text := out.String()
			composite := regexp.MustCompile(`(?m)^\s+` + sign + `\d.*Elemwise\{Composite`)
			add := regexp.MustCompile(`(?m)^\s+` + strings.Replace("-", sign, "", 1) + `\d.*Elemwise\{add,no_inplace\}$`)
			if !composite.MatchString(text) || !add.MatchString(text) || !strings.Contains(text, "only") ||
				strings.Contains(text, "Apply-wise") {
				t.Errorf("%s: got\n%s\nwant the composite of one and the sums of the other, with opposite signs", code, text)
			}
		}
	}
}
