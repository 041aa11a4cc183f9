package text_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/runtime/tensor"
)

// The defects of the peers, by their numbers in the collection that this project was begun with. D13 and D14 are in
// recorder_test.go, with D5.

// TestWriteAll is D1, D1b and D1c: the texts at the end of a program are written, to any writer, and their sum too.
func TestWriteAll(t *testing.T) {
	never := profiler.NewStats(profiler.Options{Name: "never", Clock: profilertest.Still()})
	var b bytes.Buffer
	if err := text.WriteAll(&b, []*profiler.Stats{profilertest.Training(t, false), nil, never, profilertest.Seed004(t)},
		text.Options{}); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	at := -1
	for _, want := range []string{"Message: None", "Message: train", "Skipping empty profile of never",
		"Message: Sum of all(2) printed profiles at exit\n  Time in 4 calls"} {
		i := strings.Index(got, want)
		if i <= at {
			t.Errorf("%q: got it at %d, want it after %d", want, i, at)
		}
		at = i
	}
	b.Reset()
	if err := text.WriteAll(&b, []*profiler.Stats{profilertest.Training(t, false)},
		text.Options{}); err != nil || strings.Contains(b.String(), "Sum of all") {
		t.Errorf("one profile: got a sum or %v", err)
	}
}

// TestFlopsPerCall is D3: the rate does not depend on the number of calls, and its units are decimal.
func TestFlopsPerCall(t *testing.T) {
	var rates []string
	for _, calls := range []int{1, 10, 100} {
		s := profiler.NewStats(profiler.Options{Clock: profilertest.Still(), Memory: true})
		r := s.Add(profiler.FunctionInfo{Program: profilertest.Program(t, "func f(x float64[?], y float64[?])\n\tv1 = add x y\n\treturn v1",
			"C")})
		v := profilertest.Vectors(3, 2_000_000)
		for range calls {
			run := profilertest.Trace(1_000_000)
			run.Arrays = [][]*tensor.Dense{v}
			r.Run(run, nil)
			r.Call(1_000_000, nil)
		}
		row := ""
		for _, line := range strings.Split(written(t, s, text.Options{}), "\n") {
			if strings.HasSuffix(line, "(x, y)") && strings.HasPrefix(line, "  100.0%") {
				row = line
			}
		}
		f := strings.Fields(row)
		if len(f) < 8 {
			t.Fatalf("got row %q", row)
		}
		rates = append(rates, f[6]+" "+f[7])
	}
	for _, r := range rates {
		if r != "2.0 2.0" {
			t.Errorf("Mflops and Gflops/s after 1, 10 and 100 calls: got %q, want 2.0 2.0 each", rates)
			break
		}
	}
}

// TestMemoryHint is D6: who asks for memory that was not recorded is told why.
func TestMemoryHint(t *testing.T) {
	got := written(t, profilertest.Seed004(t), text.Options{Memory: true})
	if !strings.Contains(got, "nothing was recorded (hint: set profile_memory=True") {
		t.Errorf("got\n%s", got)
	}
}

// TestMemoryBytes is D7: numbers, not formats.
func TestMemoryBytes(t *testing.T) {
	got := written(t, profilertest.Training(t, true), text.Options{MinMemorySize: 1})
	if !strings.Contains(got, "           480B  [(60,)] c dot(x, w)\n") || strings.Contains(got, "%!") {
		t.Errorf("got\n%s", got)
	}
}

// TestLimits is D9 and D10: the numbers of rows are obeyed, and none of their values fails.
func TestLimits(t *testing.T) {
	for _, c := range []struct{ opts, rows int }{{0, 7}, {3, 3}, {1000, 7}, {-1, 7}, {7, 7}, {6, 6}} {
		got := written(t, profilertest.Training(t, false), text.Options{NOps: c.opts})
		ops := got[strings.Index(got, "\nOps\n"):strings.Index(got, "\nApply\n")]
		if n := len(profilertest.TableRows.FindAllString(ops, -1)); n != c.rows {
			t.Errorf("NOps %d: got %d rows, want %d\n%s", c.opts, n, c.rows, ops)
		}
		if want := fmt.Sprintf("(remaining %d Ops", 7-c.rows); !strings.Contains(ops, want) {
			t.Errorf("NOps %d: no %q in\n%s", c.opts, want, ops)
		}
	}
	got := written(t, profilertest.Training(t, false), text.Options{NApply: 5})
	if !strings.Contains(got, "(remaining 3 Apply instances account for 0.15%") {
		t.Errorf("NApply 5: got\n%s", got)
	}
	got = written(t, profilertest.Training(t, true), text.Options{LineWidth: 90})
	for _, line := range strings.Split(got, "\n") {
		if (strings.Contains(line, "% ") || strings.Contains(line, "           Node")) && !strings.Contains(line,
			"<") && len(line) > 90 {
			t.Errorf("LineWidth 90: got %d characters: %s", len(line), line)
		}
	}
}

// TestSharedProfile is D12: several functions in one profile. Nodes are counted over all of them, ids are unique, each node
// names its function, and a profile without a name shows the functions'.
func TestSharedProfile(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
	for _, name := range []string{"f", "g"} {
		profilertest.Play(s.Add(profiler.FunctionInfo{Name: name, Program: profilertest.Program(t, profilertest.ThreeNodes, "C")}), 70, 10, 20, 30)
	}
	got := written(t, s, text.Options{})
	for _, want := range []string{"Message: f, g\n", "Time in 2 calls", "Number of Apply nodes: 6\n", "[f]\n", "[g]\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	ids := map[int]bool{}
	for _, s := range []*profiler.Stats{s.Clone(), profiler.Sum(s, s)} {
		clear(ids)
		rows := s.Rows(profiler.ByApply)
		for _, r := range rows {
			ids[r.ID] = true
		}
		if len(rows) == 0 || len(ids) != len(rows) {
			t.Errorf("got %d ids for %d nodes", len(ids), len(rows))
		}
	}
	profilertest.CheckText(t, s, got)
	profilertest.RoundTrip(t, s)
	if h := panel.HTML([]*profiler.Stats{s}, panel.Options{}); !strings.Contains(h, ">function</th>") {
		t.Error("the panel does not show the functions of the nodes")
	}
}

// TestSumLeavesParts: summing changes nothing in what is summed.
func TestSumLeavesParts(t *testing.T) {
	a, b := profilertest.Training(t, true), profilertest.Seed004(t)
	before := written(t, a, text.Options{})
	sum := profiler.Sum(a, nil, b)
	sum.Reset()
	if after := written(t, a, text.Options{}); after != before {
		t.Errorf("%s", profilertest.Diff(before, after))
	}
}

// TestComposite is D15: a fused node shows what it computes, so that two of them can be told apart.
func TestComposite(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
	profilertest.Play(s.Add(profiler.FunctionInfo{Program: profilertest.Program(t, `func f(x float64[?], y float64[?])
		a = composite{code=t0=add(i0,i1);t1=mul(t0,t0);t1} x y
		b = composite{code=t0=mul(i0,i1);t1=mul(t0,t0);t1} x a
		return b`, "C")}), 70, 10, 20)
	rows := s.Clone().Rows(profiler.ByOp)
	if len(rows) != 2 || rows[0].Name == rows[1].Name || !strings.Contains(rows[1].Name, "i0 + i1") {
		t.Errorf("got %+v, want two ops that show their expressions", rows)
	}
}

// TestGroups: equal labels do not make equal ops, and a group may run in C and in Go.
func TestGroups(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
	for _, impl := range []string{"Go", "C"} {
		profilertest.Play(s.Add(profiler.FunctionInfo{Program: profilertest.Program(t,
			"func f(x float64[?])\n v1 = dimshuffle{pattern=x 0} x\n v2 = exp x\n return v1, v2", impl)}), 70, 10, 20)
	}
	s = s.Clone()
	s.Functions[1].Nodes[0].Key = "dimshuffle with other parameters"
	if rows := s.Rows(profiler.ByOp); len(rows) != 3 || rows[0].Type != "C Go" || rows[1].Name != rows[2].Name {
		t.Errorf("got %+v, want exp in C and Go, and two ops of one label", rows)
	}
	shares := s.Shares()
	if len(shares) != 2 || shares[0] != (profiler.Share{Impl: "C", Fraction: 0.5}) {
		t.Errorf("got shares %v, want a half each", shares)
	}
}

// TestFooter is D16: one percent sign, and times with as many digits everywhere.
func TestFooter(t *testing.T) {
	for _, l := range []text.Layout{text.Aesara, text.Theano, text.ProfileMode} {
		got := written(t, profilertest.Training(t, true), text.Options{Layout: l})
		if strings.Contains(got, "%%") {
			t.Errorf("layout %s doubles a percent sign", l)
		}
	}
}

// TestShortTimes is D20: runs too short to measure and strange shapes break nothing.
func TestShortTimes(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still(), Memory: true})
	r := s.Add(profiler.FunctionInfo{Name: "f", Program: profilertest.Program(t, profilertest.ThreeNodes, "C"), Compile: profiler.CompileTimes{Validate: 5}})
	empty := profilertest.Vectors(3, 0)
	run := profilertest.Trace(0, 0, 0)
	run.Arrays = [][]*tensor.Dense{empty, empty, empty}
	r.Run(run, nil)
	r.Call(0, nil)
	got := written(t, s, text.Options{})
	if strings.Contains(got, "NaN") || strings.Contains(got, "Inf") {
		t.Errorf("got\n%s", got)
	}
	profilertest.CheckText(t, s, got)
	profilertest.Survives(t, panel.HTML([]*profiler.Stats{s}, panel.Options{}))
	profilertest.RoundTrip(t, s)
}

// TestNewlines: a name cannot break the layout.
func TestNewlines(t *testing.T) {
	s := profilertest.Training(t, false)
	s.Name = "a\nb"
	s.Functions[0].Nodes[0].Text = "dot(x,\nApply\n------\n w)"
	if got := written(t, s, text.Options{}); strings.Count(got, "\nApply\n") != 1 || !strings.Contains(got, "Message: a b\n") {
		t.Errorf("got\n%s", got)
	}
}
