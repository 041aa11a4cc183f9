package rewrite

import (
	"errors"
	"testing"
	"time"

	"github.com/arignote/arignote/runtime/op"
)

// checked is what Check says of rules: right, wrong, unstable, or where stabilizing is all that an
// unstable one does, stabilizes.
func checked(t *testing.T, text string) (kind, detail string) {
	t.Helper()
	rules, err := ParseRule(text, "In[1]:1")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	report, err := Check(rules, nil)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("%s: checking took %v", text, took)
	}
	switch {
	case report.Never != nil:
		return "never", ""
	case report.Wrong != nil:
		return "wrong", report.Wrong.String()
	case report.Endless != "":
		return "endless", report.Endless
	case report.Loses != nil:
		return "unstable", report.Loses.String()
	case report.Unstable != nil:
		return "stabilizes", report.Unstable.String()
	}
	return "right", ""
}

func TestCheck(t *testing.T) {
	for _, c := range []struct{ rule, kind, detail string }{
		{"r: log(exp(x)) => x", "stabilizes", "for x = 1000.0 (float64), log(exp(x)) gives inf and x gives 1000.0"},
		{"r: x * x => sqr(x)", "right", ""},
		{"r: x * y => x * y * 1", "endless", "mul(x, y) => mul(mul(...), 1) => mul(mul(...), 1) => ..."},
		{"r: log(1 + x) => log(x)", "wrong", "for x = 1.0 (float64), log(1 + x) gives 0.6931471805599453 and log(x) gives 0.0"},
		{"r: exp(x) => exp(x) * 1.00001", "wrong", "for x = 1.0 (float64), exp(x) gives 2.718281828459045 and exp(x) * 1.00001 gives 2.71830901127733"},
		{"r: x + y => y + x", "endless", "add(x, y) => add(y, x) => add(x, y) => ..."},
		{"r: x + -y => x - y", "wrong", "for x = 3.0 (float64), y = 1 (uint64), x + -y gives 1.8446744073709552e+19 and x - y gives 2.0"},
		{"r: x + -y => x - y if samedtype(x, y)", "right", ""},
		{"r: abs(-x) => abs(x)", "wrong", "for x = 1 (uint64), abs(-x) gives 18446744073709551615 and abs(x) gives 1"},
		{"r: x * 0 => 0", "unstable", "for x = nan (float64), x * 0 gives nan and 0 gives 0.0"},
		{"r: x / x => 1", "unstable", "for x = nan (float64), x / x gives nan and 1 gives 1.0"},
		{"r: x == x => true", "unstable", "for x = nan (float64), x == x gives False and true gives True"},
		{"r: x - x => 0", "unstable", "for x = nan (float64), x - x gives nan and 0 gives 0.0"},
		{"r: x - x => 0 if integer(x)", "right", ""},
		{"r: x + 0 => x", "unstable", "for x = -0.0 (float64), x + 0 gives 0.0 and x gives -0.0"},
		{"r: x <= y => x < y", "wrong", "for x = 1.0 (float64), y = 1.0 (float64), x <= y gives True and x < y gives False"},
		{"r: x - y <= 0 => x <= y if float(x, y)", "unstable", "for x = inf (float64), y = inf (float64), x - y <= 0 gives False and x <= y gives True"},
		{"r: where(c, x, x) => x", "right", ""},
		{"r: dot(x, y) => dot(y, x)", "wrong", "for x = [[3.0, 0.5], [-1.0, 1.0]] (float64[?,?]), y = [[0.5, -1.0], [2.0, -0.5]] (float64[?,?]), dot(x, y) gives [[2.5, -3.25], [1.5, 0.5]] and dot(y, x) gives [[2.5, -0.75], [6.5, 0.5]]"},
		{"r: log(softmax(x)) => logsoftmax(x)", "right", ""},
		{"r: softmax(x + 1) => softmax(x)", "right", ""},
		{"r: softmax(x) => sigmoid(x)", "wrong", "for x = [2.0] (float64[?]), softmax(x) gives [1.0] and sigmoid(x) gives [0.8807970779778823]"},
		{"r: sqrt(sqr(x)) => x", "wrong", "for x = -1.0 (float64), sqrt(sqr(x)) gives 1.0 and x gives -1.0"},
		{"r: sqrt(sqr(x)) => abs(x) if float(x)", "stabilizes", "for x = 1e+300 (float64), sqrt(sqr(x)) gives inf and abs(x) gives 1e+300"},
		{"r: x + y => x if float(x) && integer(x)", "never", ""},
		{"r: x + y * z => y * z + x", "endless", "add(x, mul(...)) => add(mul(...), x) => add(mul(...), x) => ..."},
		{"r: (x + y) * z => x * z + y * z if float(x, y, z) && samedtype(x, y, z)", "unstable", "for x = 0.0 (float64), y = -1.0 (float64), z = inf (float64), (x + y) * z gives -inf and x * z + y * z gives nan"},
		{"r: c * (d * x) => c * d * x if constant(c, d) && samedtype(c, d, x) && covers(x)", "unstable", "for c = 1e+38 (float32), d = 10.0 (float32), x = 0.0 (float32), c * (d * x) gives 0.0 and c * d * x gives nan"},
		{"r: log(x * y) => log(x) + log(y)", "wrong", "for x = -1.0 (float64), y = -1.0 (float64), log(x * y) gives 0.0 and log(x) + log(y) gives nan"},
		{"r: log(x * y) => log(x) + log(y) if positive(x, y) && float(x, y)", "stabilizes", "for x = 6.235149e+27 (uint16), y = 6.235149e+27 (uint16), log(x * y) gives inf and log(x) + log(y) gives 128.0"},
		{"r: x / c => (1 / c) * x if invertible(c) && samedtype(c, x)", "right", ""},
		{"r: tanh(x) => (exp(x) - exp(-x)) / (exp(x) + exp(-x)) if float(x)", "unstable", "for x = 1000.0 (float64), tanh(x) gives 1.0 and (exp(x) - exp(-x)) / (exp(x) + exp(-x)) gives nan"},
		{"r: x * 1e-20 => 0", "wrong", "for x = 1.0 (float64), x * 1e-20 gives 1e-20 and 0 gives 0.0"},
	} {
		if kind, detail := checked(t, c.rule); kind != c.kind || detail != c.detail {
			t.Errorf("%s\ngot  %s %s\nwant %s %s", c.rule, kind, detail, c.kind, c.detail)
		}
	}
}

// TestCheckOfOwnRules: the checks cry no wolf, and the rules tagged unstable are.
func TestCheckOfOwnRules(t *testing.T) {
	for _, r := range Rules() {
		if r.text == nil {
			continue
		}
		report, err := Check([]*Rule{r}, nil)
		switch {
		case err != nil:
			t.Fatal(err)
		case report.Wrong != nil:
			t.Errorf("%v: %v", r, report.Wrong)
		case report.Never != nil:
			t.Errorf("%v: %s applied to no sample", r, r.Text)
		case report.Endless != "":
			t.Errorf("%v: %s", r, report.Endless)
		case report.Unstable == nil && r.IsUnstable():
			t.Errorf("%v: %s is tagged unstable, and nothing shows it", r, r.Text)
		case report.Loses != nil && !r.IsUnstable():
			t.Errorf("%v: %s is not tagged unstable: %v", r, r.Text, report.Loses)
		case report.Unstable != nil && !r.IsUnstable() && !r.Stabilizes():
			t.Errorf("%v: %s has no tag: %v", r, r.Text, report.Unstable)
		}
	}
}

// TestCheckIsInterrupted: what is raised ends it.
func TestCheckIsInterrupted(t *testing.T) {
	rules, err := ParseRule("r: x * y + z => z + y * x", "")
	if err != nil {
		t.Fatal(err)
	}
	stop := uint32(1)
	if _, err := Check(rules, &stop); !errors.Is(err, op.ErrStopped) {
		t.Errorf("got %v", err)
	}
}
