package text_test

import (
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/text"
)

// The lines of the seeds, with the product's name replaced. The tables of the fourth seed lost
// their leading blanks when it was translated: here they have those of the columns. Its validate
// time, 3.712177e-04s, is not a whole number of nanoseconds.
const (
	seed001Text = `Function profiling
==================
  Message: Add
  Time in 1 calls to Function.__call__: 2.119541e-04s
  Time in Function.fn.__call__: 6.079674e-05s (28.684%)
  Time in thunks: 9.059906e-06s (4.274%)
  Total compile time: 1.518121e-01s
    Arignote Optimizer time: 4.169512e-02s
       Arignote validate time: 0.000000e+00s
    Arignote Linker time (includes C, CUDA code generation/compiling): 4.143310e-02s

Class
---
<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> <Class name>
  100.0%   100.0%       0.000s       9.06e-06s     C        1        1   <class 'arignote.tensor.elemwise.Elemwise'>
   ... (remaining 0 Classes account for   0.00%(0.00s) of the runtime)

Ops
---
<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> <Op name>
  100.0%   100.0%       0.000s       9.06e-06s     C        1        1   Elemwise{add,no_inplace}
   ... (remaining 0 Ops account for   0.00%(0.00s) of the runtime)

Apply
------
<% time> <sum %> <apply time> <time per call> <#call> <id> <Mflops> <Gflops/s> <Apply name>
  100.0%   100.0%       0.000s       9.06e-06s      1     0                     Elemwise{add,no_inplace}(x, y)
    input 0: dtype=float64, shape=(), strides=c
    input 1: dtype=float64, shape=(), strides=c
    output 0: dtype=float64, shape=(), strides=c
   ... (remaining 0 Apply instances account for 0.00%(0.00s) of the runtime)

Memory Profile
(Sparse variables are ignored)
---
    Max if linker=c|go (default): 0KB
    Max if no gc (allow_gc=False): 0KB
    Max if linker=c|go: 0KB
    Memory saved if gc is enabled (linker=c|go): 0KB

    <Sum apply outputs (bytes)> <Apply outputs shape> <created/inplace/view> <Apply node>

   ... (remaining 1 Apply account for    8B/8B ((100.00%)) of the Apply with dense outputs sizes)

    All Apply nodes have output sizes that take less than 1024B.
    <created/inplace/view> is taken from the Op's declaration.
    Apply nodes marked 'inplace' or 'view' may actually allocate memory, this is not reported here. If you use DebugMode, warnings will be emitted in those cases.

`
	seed004Text = `Function profiling
==================
  Message: None
  Time in 1 calls to Function.__call__: 5.698204e-05s
  Time in Function.fn.__call__: 1.192093e-05s (20.921%)
  Time in thunks: 6.198883e-06s (10.879%)
  Total compile time: 3.642474e+00s
    Arignote Optimizer time: 7.326508e-02s
       Arignote validate time: 3.712180e-04s
    Arignote Linker time (includes C, CUDA code generation/compiling): 9.584920e-01s

Class
---
<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> <Class name>
  100.0%   100.0%       0.000s       2.07e-06s     C        3        3   <class 'arignote.tensor.elemwise.Elemwise'>
   ... (remaining 0 Classes account for   0.00%(0.00s) of the runtime)

Ops
---
<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> <Op name>
  65.4%    65.4%       0.000s       2.03e-06s     C        2        2   Elemwise{add,no_inplace}
  34.6%   100.0%       0.000s       2.15e-06s     C        1        1   Elemwise{mul,no_inplace}
   ... (remaining 0 Ops account for   0.00%(0.00s) of the runtime)

Apply
------
<% time> <sum %> <apply time> <time per call> <#call> <id> <Apply name>
  50.0%    50.0%       0.000s       3.10e-06s      1     0   Elemwise{add,no_inplace}(x, y)
  34.6%    84.6%       0.000s       2.15e-06s      1     2   Elemwise{mul,no_inplace}(TensorConstant{(1,) of 2.0}, Elemwise{add,no_inplace}.0)
  15.4%   100.0%       0.000s       9.54e-07s      1     1   Elemwise{add,no_inplace}(Elemwise{add,no_inplace}.0, z)
   ... (remaining 0 Apply instances account for 0.00%(0.00s) of the runtime)

`
)

// flopColumns are blank in the seeds: no op of theirs knew its flops.
var flopColumns = regexp.MustCompile(`(?m)^(  100.*s +\d+ +\d+)( +[0-9.e-]+ +[0-9.e-]+)( Elemwise)`)

func TestSeeds(t *testing.T) {
	for _, c := range []struct {
		name  string
		stats *profiler.Stats
		want  string
	}{{"001", profilertest.Seed001(t), seed001Text}, {"004", profilertest.Seed004(t), seed004Text}} {
		t.Run(c.name, func(t *testing.T) {
			got := written(t, c.stats, text.Options{Layout: text.Theano})
			if c.name == "001" {
				got = flopColumns.ReplaceAllString(got, "$1"+strings.Repeat(" ", 20)+"$3")
			}
			if got != c.want {
				t.Errorf("%s", profilertest.Diff(c.want, got))
			}
			profilertest.RoundTrip(t, c.stats)
		})
	}
}

func TestGolden(t *testing.T) {
	several := profiler.Sum(profilertest.Seed004(t), profilertest.Training(t, true))
	for _, c := range []struct {
		name  string
		stats *profiler.Stats
		opts  text.Options
	}{
		{"threenodes.aesara.txt", profilertest.Seed004(t), text.Options{}},
		{"threenodes.theano.txt", profilertest.Seed004(t), text.Options{Layout: text.Theano}},
		{"threenodes.profilemode.txt", profilertest.Seed004(t), text.Options{Layout: text.ProfileMode}},
		{"add.memory.aesara.txt", profilertest.Seed001(t), text.Options{}},
		{"training.txt", profilertest.Training(t, false), text.Options{Rewrites: true}},
		{"training.memory.txt", profilertest.Training(t, true), text.Options{MinMemorySize: 64}},
		{"training.short.txt", profilertest.Training(t, true), text.Options{NOps: 2, NApply: 1, LineWidth: 80}},
		{"sum.txt", several, text.Options{MinMemorySize: -1}},
		{"nested.aesara.txt", profilertest.Nested(), text.Options{}},
		{"nested.theano.txt", profilertest.Nested(), text.Options{Layout: text.Theano}},
		{"nested.arignote.txt", profilertest.Nested(), text.Options{Layout: text.Arignote, Listing: true}},
		{"inclusive.arignote.txt", profilertest.Nested(), text.Options{Layout: text.Arignote, Inclusive: true, Details: true,
			NLines: 3,
			NApply: 2, NOps: 2}},
		{"training.arignote.txt", profilertest.Training(t, false), text.Options{Layout: text.Arignote, Rewrites: true, Memory: true}},
		{"training.memory.arignote.txt", profilertest.Training(t, true), text.Options{Layout: text.Arignote, MinMemorySize: 64,
			Details: true}},
		{"uncut.arignote.txt", several, text.Options{Layout: text.Arignote, LineWidth: -1}},
		{"narrow.arignote.txt", several, text.Options{Layout: text.Arignote, LineWidth: 80, MinMemorySize: 1 << 20}},
		{"empty.arignote.txt", profiler.NewStats(profiler.Options{Clock: profilertest.Still()}), text.Options{Layout: text.Arignote}},
		{"empty.txt", profiler.NewStats(profiler.Options{Clock: profilertest.Still()}), text.Options{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := written(t, c.stats, c.opts)
			profilertest.Golden(t, c.name, got)
			profilertest.RoundTrip(t, c.stats)
			profilertest.CheckText(t, c.stats, got)
		})
	}
}

// TestColumns compares rows with more digits with those that Theano 1.0.5 printed.
func TestColumns(t *testing.T) {
	s := &profiler.Stats{Functions: []*profiler.Function{{Name: "train", Calls: 50, Runs: 50, CallTime: 576e6, RunTime: 573e6}}}
	f := s.Functions[0]
	for i := range 5 {
		f.Nodes = append(f.Nodes,
			&profiler.Node{ID: i, Op: "Dot22", Class: "tensor.blas.Dot22", Text: "Dot22(x, W0)", Impl: "C", Calls: 50,
				Time: 51.6e6})
	}
	f.Nodes = append(f.Nodes,
		&profiler.Node{ID: 31, Op: "Rest", Class: "Rest", Text: "Rest(x)", Impl: "C", Calls: 50, Time: 312.8e6})
	got := written(t, s, text.Options{})
	for _, want := range []string{
		"  45.2%   100.0%       0.258s       1.03e-03s     C      250       5   arignote.tensor.blas.Dot22\n",
		"  45.2%   100.0%       0.258s       1.03e-03s     C      250        5   Dot22\n",
		"   9.0%    63.8%       0.052s       1.03e-03s     50     4   Dot22(x, W0)\n",
		"  54.8%    54.8%       0.313s       6.26e-03s     50    31   Rest(x)\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no row %q in\n%s", want, got)
		}
	}
}

func TestEmpty(t *testing.T) {
	info := profiler.FunctionInfo{Name: "f", Program: profilertest.Program(t, profilertest.ThreeNodes, "C")}
	never := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
	never.Add(info)
	calls := profiler.NewStats(profiler.Options{Clock: profilertest.Still(), NoNodes: true})
	calls.Add(info).Call(500, nil)
	failed := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
	failed.Add(info).Call(500, errors.New("no"))
	first := profiler.NewStats(profiler.Options{Clock: profilertest.Still(), IgnoreFirstCall: true})
	profilertest.Play(first.Add(info), 50, 10, 10, 10)
	for _, c := range []struct {
		stats *profiler.Stats
		want  string
	}{
		{never, "No execution time accumulated (the function was not called)"},
		{calls, "No execution time accumulated (hint: try config profiling.time_thunks=1)"},
		{failed, "Time in 1 failed calls (not counted): 5.000000e-07s"},
		{failed, "No execution time accumulated (no call succeeded)"},
		{first, "No execution time accumulated (the first call was left out"},
	} {
		got := written(t, c.stats, text.Options{})
		if !strings.Contains(got, c.want) {
			t.Errorf("got\n%s\nwant a line with %q", got, c.want)
		}
		if strings.Contains(got, "NaN") || strings.Contains(got, "Inf") {
			t.Errorf("a number is not finite:\n%s", got)
		}
		if h := panel.HTML([]*profiler.Stats{c.stats}, panel.Options{}); strings.Contains(h, "NaN") || strings.Contains(h, "Inf") {
			t.Errorf("a number is not finite:\n%s", h)
		}
		profilertest.RoundTrip(t, c.stats)
	}
}

func TestNil(t *testing.T) {
	var s *profiler.Stats
	r := s.Add(profiler.FunctionInfo{})
	if r != nil || r.Tracer() != nil || r.Stats() != nil {
		t.Errorf("recorder of no profile: got %v, want nil", r)
	}
	r.Call(1, nil)
	r.Reset()
	s.Reset()
	if panel.HTML([]*profiler.Stats{s}, panel.Options{}) != "" || written(t, s,
		text.Options{}) != "" || s.Rows(profiler.ByOp) != nil || !s.Empty() {
		t.Errorf("a nil profile shows something")
	}
	if b, err := json.Marshal(s); err != nil || string(b) != "null" {
		t.Errorf("JSON of nil: got %s, %v", b, err)
	}
	if got := panel.HTML(nil, panel.Options{}); got != "" {
		t.Errorf("HTML of nothing: got %q", got)
	}
	if got := written(t, profiler.Sum(nil, nil), text.Options{}); !strings.Contains(got, "Sum of all(0)") {
		t.Errorf("sum of nothing: got\n%s", got)
	}
	// A function without a program, and the zero Stats.
	zero := new(profiler.Stats)
	zero.Add(profiler.FunctionInfo{Name: "g"}).Call(10, nil)
	if got := zero.Functions[0].Calls; got != 1 {
		t.Errorf("calls of the zero Stats: got %d, want 1", got)
	}
	written(t, zero, text.Options{Memory: true})
}

func TestUnknownLayout(t *testing.T) {
	if _, err := text.Of(profilertest.Seed004(t), text.Options{Layout: "fancy"}); err == nil || !strings.Contains(err.Error(),
		"fancy") {
		t.Errorf("got error %v, want one that names the layout", err)
	}
}

func TestWriteError(t *testing.T) {
	f, err := os.Open(os.DevNull) // for reading
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := text.Write(f, profilertest.Seed004(t), text.Options{}); err == nil {
		t.Error("an error of the writer was lost")
	}
}

func written(t testing.TB, s *profiler.Stats, opts text.Options) string {
	t.Helper()
	got, err := text.Of(s, opts)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestFunctionParts: the parts of a call's time are those of the head, for each function.
func TestFunctionParts(t *testing.T) {
	s := profilertest.Training(t, false)
	s.Add(profiler.FunctionInfo{Name: "other", Program: profilertest.Program(t, profilertest.ThreeNodes, "C")})
	s = s.Clone()
	f := s.Functions[1]
	f.Calls, f.Runs, f.CallTime, f.RunTime = 1, 1, 1000, 700
	for _, n := range f.Nodes {
		n.Calls, n.Time = 1, 200
	}
	row := profilertest.Parse(written(t, s, text.Options{Layout: text.Arignote})).Section("Functions").Rows[1]
	if row.Name != "other" || row.Cells["loop%"] != "10.0" || row.Cells["thunks%"] != "60.0" {
		t.Errorf("got %v, want 10 %% in the loop around nodes and 60 %% in nodes", row)
	}
}
