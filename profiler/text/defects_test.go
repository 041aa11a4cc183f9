package text_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/runtime/history"
	"github.com/arignote/arignote/runtime/tensor"
)

// The defects of the peers, by their numbers in the collection that this project was begun with,
// and what shows that they are not ours. Tests without a file are in this one.
//
//	D1   nothing but a traceback at exit           TestWriteAll; testdata/script/profile.txtar
//	D1b  the sum at exit crashes                   TestWriteAll, TestSumLeavesParts
//	D1c  no sum at exit                            TestWriteAll
//	D2   no times of nodes, and a wrong hint why   TestEmpty in text_test.go; TestRun in profiler/recorder_test.go
//	D3   flops by all calls, binary units          TestFlopsPerCall
//	D3b  hardly any op counts its flops            TestCosts in runtime/op/cost_test.go; TestStaticWork in profiler/recorder_test.go
//	D4   memory profiles run another executor      TestMemoryRunsTheSame here and in profiler/realmemory_test.go
//	D5   microseconds                              TestClockCost in profiler/recorder_test.go
//	D6   memory asked for and not there            TestMemoryAsked
//	D7   formats instead of bytes                  TestMemoryBytes
//	D8   debugprint without its times              TestDebugprint in starlib/symbolic/graphs/graph_test.go; TestTreeTimes in profiler/picture/tree_test.go
//	D9   summary() ignores the flags               TestLimits; testdata/script/profile.txtar
//	D10  no limit crashes                          TestLimits
//	D11  the global block is lost                  TestGlobal
//	D12  shared profiles mix functions up          TestSharedProfile, TestSumLeavesParts
//	D13  failed calls leave times behind           TestFailedCall, TestStaleTimes in profiler/recorder_test.go
//	D14  lazy nodes count twice                    TestSharedNode in profiler/recorder_test.go
//	D15  Composite{...} hides what it is           TestComposite, TestCompositeLines
//	D16  %% and unaligned digits                   TestFooter, TestPeers in peers_test.go
//	D17  misspelt flags and tags are ignored       TestErrors in starlib/config/config_test.go; TestQueryErrors in runtime/compile/passes_test.go
//	D18  compiling counts as rewriting             TestCompileParts; TestCounts in runtime/compile/declined_test.go
//	D19  rewriting and peak search blow up         TestRulesThatDoNotSettle in runtime/rewrite/load_test.go; TestLowestPeakOfBranches in profiler/order_test.go
//	D20  crashes on strange profiles               TestShortTimes, TestNested, TestNewlines; TestRandom in random_test.go
//	D21  advice for a linker that does not run     no text names a linker but c|go, which runs: TestLinkerWords

// TestDefectTable: every defect of the table above has tests, and they are there.
func TestDefectTable(t *testing.T) {
	source, err := os.ReadFile("defects_test.go")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`^//\t(D\d+)[a-z]?  `)
	test := regexp.MustCompile(`(Test\w+)|([\w/]+_test\.go|testdata/script/\w+\.txtar)`)
	rows := make(map[string]bool)
	for line := range strings.Lines(string(source)) {
		m := row.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		rows[m[1]] = true
		found := 0
		for part := range strings.SplitSeq(line, ";") {
			var names []string
			path := "profiler/text/*_test.go"
			for _, m := range test.FindAllStringSubmatch(part, -1) {
				if m[1] != "" {
					names = append(names, m[1])
				} else {
					path = m[2]
				}
			}
			if !strings.Contains(path, "/") {
				path = "profiler/text/" + path
			}
			files, err := filepath.Glob("../../" + path)
			if err != nil || len(files) == 0 {
				t.Errorf("%s: no file %s", m[1], path)
			}
			var all []byte
			for _, f := range files {
				text, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, text...)
			}
			for _, name := range names {
				if found++; !bytes.Contains(all, []byte("func "+name+"(")) && !bytes.Contains(source, []byte("func "+name+"(")) {
					t.Errorf("%s: no %s in %s", m[1], name, path)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s has no test", m[1])
		}
	}
	if len(rows) != 21 {
		t.Errorf("got %d defects, want 21", len(rows))
	}
}

// TestWriteAll is D1, D1b and D1c: the texts at the end of a program are written, to any writer,
// and their sum too.
func TestWriteAll(t *testing.T) {
	never := profiler.NewStats(profiler.Options{Name: "never", Clock: profilertest.Still()})
	var b bytes.Buffer
	if err := text.WriteAll(&b, []*profiler.Stats{profilertest.Training(t, false), nil, never, profilertest.Seed004(t)},
		text.Options{AtExit: true}); err != nil {
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
	if err := text.WriteAll(&b, []*profiler.Stats{profilertest.Training(t, false), profilertest.Seed004(t)},
		text.Options{}); err != nil || !strings.Contains(b.String(), "Message: Sum of all(2) printed profiles\n") {
		t.Errorf("while a program runs: got %v and\n%s", err, &b)
	}
	b.Reset()
	if err := text.WriteAll(&b, []*profiler.Stats{profilertest.Training(t, false), profilertest.Seed004(t)},
		text.Options{Most: 1, Layout: text.Arignote}); err != nil || strings.Contains(b.String(), "Profile of train\n") ||
		!strings.Contains(b.String(), "   ... (1 profile more, in the sum only)\n\nSum of all 2 profiles\n") {
		t.Errorf("the most expensive: got %v and\n%s", err, &b)
	}
	b.Reset()
	if err := text.WriteAll(&b, []*profiler.Stats{profilertest.Training(t, false)},
		text.Options{}); err != nil || strings.Contains(b.String(), "Sum of all") {
		t.Errorf("one profile: got a sum or %v", err)
	}
}

// TestFlopsPerCall is D3: the rate does not depend on the number of calls, and its units are
// decimal.
func TestFlopsPerCall(t *testing.T) {
	var rates []string
	for _, calls := range []int{1, 10, 100} {
		s := profiler.NewStats(profiler.Options{Clock: profilertest.Still(), Memory: true})
		r := s.Add(profiler.FunctionInfo{Program: profilertest.Program(t,
			"func f(x float64[?], y float64[?])\n\tv1 = add x y\n\treturn v1",
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

// TestMemoryAsked is D6: who asks for the memory of a function after it ran gets it, and is told
// why where there is none.
func TestMemoryAsked(t *testing.T) {
	s := profilertest.Training(t, false)
	if got := written(t, s, text.Options{}); strings.Contains(got, "Memory Profile") || strings.Contains(got, "strides=") {
		t.Errorf("nobody asked for memory, got\n%s", got)
	}
	got := written(t, s, text.Options{Memory: true})
	if want := written(t, profilertest.Training(t, true), text.Options{}); got != want {
		t.Errorf("%s", profilertest.Diff(want, got))
	}
	got = written(t, profiler.NewStats(profiler.Options{Clock: profilertest.Still()}), text.Options{Memory: true})
	if !strings.Contains(got, "Memory Profile: nothing was recorded (it has no functions: ") {
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

// TestSharedProfile is D12: several functions in one profile. Nodes are counted over all of them,
// ids are unique, each node names its function, and a profile without a name shows the functions'.
func TestSharedProfile(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
	for _, name := range []string{"f", "g"} {
		profilertest.Play(s.Add(profiler.FunctionInfo{Name: name, Program: profilertest.Program(t, profilertest.ThreeNodes, "C")}),
			70, 10, 20, 30)
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
	if h := panel.HTML([]*profiler.Stats{s}, panel.Options{}); !strings.Contains(h, "function</div></th>") {
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
	for _, l := range []text.Layout{text.Arignote, text.Aesara, text.Theano, text.ProfileMode} {
		got := written(t, profilertest.Training(t, true), text.Options{Layout: l})
		if strings.Contains(got, "%%") {
			t.Errorf("layout %s doubles a percent sign", l)
		}
	}
}

// TestShortTimes is D20: runs too short to measure and strange shapes break nothing.
func TestShortTimes(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still(), Memory: true})
	r := s.Add(profiler.FunctionInfo{Name: "f", Program: profilertest.Program(t, profilertest.ThreeNodes, "C"),
		Compile: history.Times{Validate: 5}})
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

// TestGlobal is D11: the times of the whole process come last, in the same text.
func TestGlobal(t *testing.T) {
	all := []*profiler.Stats{profilertest.Training(t, false), profilertest.Seed004(t)}
	for l, want := range map[text.Layout]string{
		text.Aesara: `==================================================
Global stats:  Time elasped since Arignote import =  4.110s, Time spent in Arignote functions =  0.006s, Time spent compiling Arignote functions:  optimzation =  0.093s, linker =  0.967s 
==================================================
`,
		text.Arignote: `Process
=======
time      4.11 s since it began
calls     6.36 ms in 4 calls
compile   rewriting 93.3 ms, linking 967 ms, all calls of grad() 13.0 ms
`} {
		var b bytes.Buffer
		if err := text.WriteAll(&b, all, text.Options{Layout: l, Global: true}); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); !strings.HasSuffix(got, want) || strings.Count(got, "Sum of ") != 1 {
			t.Errorf("layout %s: got\n%s\nwant at its end\n%s", l, got, want)
		}
		b.Reset()
		if err := text.WriteGlobal(&b, nil, text.Options{Layout: l}); err != nil || !strings.Contains(b.String(), "0") {
			t.Errorf("layout %s: nothing at all: got %q, %v", l, b.String(), err)
		}
	}
}

// TestCompositeLines is D15: the lines that a fused node stands for share its price, and are listed
// with their shares.
func TestCompositeLines(t *testing.T) {
	got := written(t, profilertest.Nested(), text.Options{Layout: text.Arignote, Details: true})
	for _, want := range []string{"tanh(((i0 * i1) + i2))", "part 75.0 % tanh of cells.star:3\n",
		"part 12.5 % mul of cells.star:2\n",
		" cells.star:2 step z = a * prev + c\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestCompileParts is D18: what is not rewriting is not told as rewriting.
func TestCompileParts(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
	s.Add(profiler.FunctionInfo{Program: profilertest.Program(t, profilertest.ThreeNodes, "C"), Compile: history.Times{
		Total: profilertest.Seconds(4), Rewrite: profilertest.Seconds(1), Link: profilertest.Seconds(2)}})
	for l, want := range map[text.Layout]string{text.Arignote: "compile   4.00 s = building the graph 1.00 s + rewriting 1.00 s (of it validating 0 ns) + linking 2.00 s;",
		text.Aesara: "Arignote rewrite time: 1.000000e+00s\n", text.Theano: "Arignote Optimizer time: 1.000000e+00s\n"} {
		if got := written(t, s, text.Options{Layout: l}); !strings.Contains(got, want) {
			t.Errorf("layout %s: no %q in\n%s", l, want, got)
		}
	}
}

// TestNested is D20: what runs inside of a loop is shown under it, part of its time and no more,
// and not again in a sum.
func TestNested(t *testing.T) {
	s := profilertest.Nested()
	got := written(t, s, text.Options{})
	if n := strings.Count(got, "\nScan Op profiling ( rec )\n"); n != 1 {
		t.Errorf("got %d profiles of the loop, want 1", n)
	}
	var b bytes.Buffer
	if err := text.WriteAll(&b, []*profiler.Stats{s, profilertest.Seed004(t)}, text.Options{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\nScan Op profiling ( rec )\n"); n != 1 {
		t.Errorf("at exit: got %d profiles of the loop, want 1", n)
	}
	s.Functions[0].Nodes[1].Inner[0].Nodes[0].Time = 1e12 // more than the loop itself
	for _, l := range []text.Layout{text.Arignote, text.Aesara, text.Theano} {
		profilertest.CheckText(t, s, written(t, s, text.Options{Layout: l}))
	}
}

// TestLinkerWords is D21: the only linker that texts name is the one that runs.
func TestLinkerWords(t *testing.T) {
	for _, l := range []text.Layout{text.Arignote, text.Aesara, text.Theano} {
		got := written(t, profilertest.Training(t, true), text.Options{Layout: l})
		for _, bad := range []string{"cvm", "c|py", "NUMBA", "numba", "amdlibm", "theano", "aesara"} {
			if strings.Contains(got, bad) {
				t.Errorf("layout %s names %s", l, bad)
			}
		}
	}
}

// TestMemoryRunsTheSame is D4: the memory profile is of the very program that runs without it, and
// changes neither results nor kernels.
func TestMemoryRunsTheSame(t *testing.T) {
	p := profilertest.Linked(t, profilertest.ThreeNodes)
	inputs := profilertest.Vectors(3, 7)
	for i := range 7 {
		tensor.Elements[float64](inputs[0])[i] = float64(i)
	}
	var results []*tensor.Dense
	var impls []string
	for _, memory := range []bool{false, true} {
		s := profiler.NewStats(profiler.Options{Memory: memory, Clock: profilertest.Still()})
		r := s.Add(profiler.FunctionInfo{Program: p})
		out, err := p.Run(inputs, nil, r.Tracer())
		if err != nil {
			t.Fatal(err)
		}
		r.Call(10, nil)
		results = append(results, out[0])
		impl := ""
		for _, row := range s.Clone().Rows(profiler.ByApply) {
			impl += row.Name + row.Type
		}
		impls = append(impls, impl)
		if got := written(t, s, text.Options{}); strings.Contains(got, "Memory Profile\n") != memory {
			t.Errorf("memory %v: got\n%s", memory, got)
		}
	}
	a, b := tensor.Elements[float64](results[0]), tensor.Elements[float64](results[1])
	if !slices.Equal(a, b) || a[3] != 6 || impls[0] != impls[1] {
		t.Errorf("got %v and, with memory, %v; nodes %q and %q", a, b, impls[0], impls[1])
	}
}

// TestRowsFit: rows for a panel have no hint to a flag that it does not obey, fewer columns, and
// names that are whole where there is room.
func TestRowsFit(t *testing.T) {
	other := profilertest.Seed004(t)
	training := profilertest.Training(t, true).Clone()
	training.Functions[0].Name = "multiply"
	rows := text.Rows(profiler.Sum(training, other), text.Options{NLines: 100, NApply: 100, LineWidth: 110})
	if !strings.Contains(rows, " dot(x, w)  [multiply]\n") {
		t.Errorf("a name is cut, or stands below though there is room:\n%s", rows)
	}
	for _, not := range []string{"hint:", " spread%", " flops"} {
		if _, nodes, _ := strings.Cut(rows, "Apply\n"); strings.Contains(nodes, not) {
			t.Errorf("got %q in\n%s", not, rows)
		}
	}
}

// TestBuilding: building a graph is the same time in all tables, so that the parts of compiling add
// up.
func TestBuilding(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
	s.Add(profiler.FunctionInfo{Name: "f", Program: profilertest.Program(t, profilertest.ThreeNodes, "C"), Rewrites: []history.Pass{{Name: "merge", Before: 3, After: 3}},
		Compile: history.Times{Total: profilertest.Seconds(4), Build: profilertest.Seconds(0.5), Rewrite: profilertest.Seconds(1), Link: profilertest.Seconds(2)}})
	got := written(t, s, text.Options{Layout: text.Arignote, Rewrites: true, Details: true})
	for _, want := range []string{"4.00 s = building the graph 1.00 s + rewriting 1.00 s", "    1.000000s  25.0%  making a graph"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
