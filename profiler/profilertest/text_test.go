package profilertest_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/text"
)

func TestTableRow(t *testing.T) {
	for row, calls := range map[string]string{
		"  65.4%    65.4%       0.000s       2.03e-06s     C        2        2   Elemwise{add,no_inplace}":            "2",
		"  50.0%    50.0%       0.000s       3.10e-06s      7     0   Elemwise{add,no_inplace}(x, y)":                 "7",
		"  93.9%    93.9%       0.005s       8.50e-04s     C Go       6        2   arignote.tensor.basic.Dot":         "6",
		"  99.8%    99.8%       0.058s       2.89e-03s     Go      20       1   arignote.scan.op.Scan":                "20",
		"  44.4%    44.4%       0.051s       5.14e-04s    100    11                     Gemm{inplace}(W, x.T)":        "100",
		"  44.2%    93.9%       0.002s       8.00e-04s      3     5  2.4e-03    3.0e-03 dot(Elemwise{Sub}[(0, 0)].0)": "3",
	} {
		if m := profilertest.TableRow.FindStringSubmatch(row); m == nil || m[6] != calls {
			t.Errorf("got %q of %q, want %s calls", m, row, calls)
		}
	}
}

// TestCheckText makes sure that CheckText can fail: each change of a right text is found.
func TestCheckText(t *testing.T) {
	own := text.Options{Layout: text.Arignote}
	for _, c := range []struct {
		opts      text.Options
		old, new  string
		complaint string
	}{
		{text.Options{}, "in 20 calls to", "in 21 calls to", "the head has 21 calls, want 20"},
		{text.Options{}, "Apply nodes: 6", "Apply nodes: 7", "7 nodes"},
		{text.Options{}, "thunks: 5.785346e-02s", "thunks: 5.985346e-02s", "a part takes more than the whole"},
		{text.Options{}, "thunks: 5.785346e-02s", "thunks: 5.685346e-02s", "want 0.0578"},
		{text.Options{}, "  99.8%    99.8%", "  98.8%    99.8%", "the sum column says"},
		{text.Options{}, "C       60       3 ", "C       60       4 ", "want 120 of 6"},
		{text.Options{}, "1.19e-06s     C       60", "1.19e-06s     C       61", "have 121 calls"},
		{text.Options{}, "2.89e-03s     Go ", "2.99e-03s     Go ", "Class: rows take"},
		{text.Options{}, "account for   0.00%", "account for   2.00%", "want 100%"},
		{text.Options{}, "\nOps\n", "\nApply\n", "there is no table Ops"},
		{text.Options{}, "  100.0%   100.0%", "  90.0%   90.0%", "add up to 90.00%"},
		{text.Options{}, "scanfn", "scan\x1b[31m", "control character"},
		{text.Options{}, "scanfn", "NaN", "NaN"},
		{text.Options{Layout: text.ProfileMode}, "\t0.998\t", "\t0.898\t", "want 100%"},
		{text.Options{Layout: text.ProfileMode2011}, "   99.8%   99.8%", "   89.8%   89.8%", "want 100%"},
		{text.Options{Layout: text.ProfileMode2011}, "account for   0.00%", "account for   9.00%", "want 100%"},
		{own, "calls     20 in", "calls     21 in", "the head has 21 calls"},
		{own, "thunks 57.9 ms", "thunks 77.9 ms", "a part takes more than the whole"},
		{own, " 93.4 ███", " 90.4 ███", "Lines: they add up to"},
		{own, " 6.5 ▌ ", " 5.5 ▌ ", "Lines: files add up to"},
		{own, "57.74 2.89ms    20     1 Go", "57.74 2.79ms    20     1 Go", "Class: rows take"},
		{own, "    60     3 C ", "    60     2 C ", "want 120 of 6"},
		{own, " 99.8 ████████  99.8", " 89.8 ████████  99.8", "the sum column says"},
	} {
		s := profilertest.Nested()
		right, err := text.Of(s, c.opts)
		if err != nil {
			t.Fatal(err)
		}
		if p := profilertest.Problems(s, right); len(p) > 0 {
			t.Fatalf("layout %q: got %q\n%s", c.opts.Layout, p, right)
		}
		wrong := strings.Replace(right, c.old, c.new, 1)
		if c.old == "  100.0%   100.0%" {
			wrong = strings.Replace(right, c.old, c.new, 3) // of the loop
		}
		if wrong == right {
			t.Errorf("layout %q: no %q in\n%s", c.opts.Layout, c.old, right)
		}
		if p := strings.Join(profilertest.Problems(s, wrong), "; "); !strings.Contains(p, c.complaint) {
			t.Errorf("layout %q: %q instead of %q: got complaints %q, want one with %q", c.opts.Layout, c.new, c.old, p, c.complaint)
		}
	}
}
