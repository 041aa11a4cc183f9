package profiler_test

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
)

func itoa(i int) string { return strconv.Itoa(i) }

// The lines of the seeds, with the product's name replaced. The tables of the fourth seed lost their leading blanks when it was
// translated: here they have those of the columns. Its validate time, 3.712177e-04s, is not a whole number of nanoseconds.
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
	}{{"001", seed001(t), seed001Text}, {"004", seed004(t), seed004Text}} {
		t.Run(c.name, func(t *testing.T) {
			got := text(t, c.stats, profiler.TextOptions{Layout: profiler.LayoutTheano})
			if c.name == "001" {
				got = flopColumns.ReplaceAllString(got, "$1"+strings.Repeat(" ", 20)+"$3")
			}
			if got != c.want {
				t.Errorf("%s", diff(c.want, got))
			}
			roundTrip(t, c.stats)
		})
	}
}

func TestGolden(t *testing.T) {
	several := profiler.Sum(seed004(t), training(t, true))
	for _, c := range []struct {
		name  string
		stats *profiler.Stats
		opts  profiler.TextOptions
	}{
		{"threenodes.aesara.txt", seed004(t), profiler.TextOptions{}},
		{"threenodes.theano.txt", seed004(t), profiler.TextOptions{Layout: profiler.LayoutTheano}},
		{"threenodes.profilemode.txt", seed004(t), profiler.TextOptions{Layout: profiler.LayoutProfileMode}},
		{"add.memory.aesara.txt", seed001(t), profiler.TextOptions{}},
		{"training.txt", training(t, false), profiler.TextOptions{Rewrites: true}},
		{"training.memory.txt", training(t, true), profiler.TextOptions{MinMemorySize: 64}},
		{"training.short.txt", training(t, true), profiler.TextOptions{NOps: 2, NApply: 1, LineWidth: 80}},
		{"sum.txt", several, profiler.TextOptions{MinMemorySize: -1}},
		{"empty.txt", profiler.NewStats(profiler.Options{Clock: still()}), profiler.TextOptions{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := text(t, c.stats, c.opts)
			golden(t, c.name, got)
			roundTrip(t, c.stats)
			if c.opts.Layout != profiler.LayoutProfileMode {
				checkText(t, c.stats, got)
			}
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
	got := text(t, s, profiler.TextOptions{})
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

// roundTrip writes and reads JSON; the copy must have equal fields and print the same.
func roundTrip(t *testing.T, s *profiler.Stats) {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	back, err := profiler.ReadJSON(strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	if s := s.Clone(); !reflect.DeepEqual(s.Functions, back.Functions) || !reflect.DeepEqual(s.Globals,
		back.Globals) || s.Memory != back.Memory || s.Name != back.Name || s.ClockCost != back.ClockCost {
		t.Errorf("read back from JSON:\n got %+v\nwant %+v", back, s)
	}
	again, err := json.Marshal(back)
	if err != nil {
		t.Fatal(err)
	}
	if string(again) != string(data) {
		t.Errorf("JSON of what was read differs:\n got %s\nwant %s", again, data)
	}
	if a, b := text(t, s, profiler.TextOptions{}), text(t, back, profiler.TextOptions{}); a != b {
		t.Errorf("text of what was read: %s", diff(a, b))
	}
}

var tableRow = regexp.MustCompile(`^ *([0-9.]+)% +([0-9.]+)% +([0-9.]+)s +([0-9.e+-]+)s +(?:(C Go|C|Go) +)?(\d+) +(\d+) `)
var tableRows = regexp.MustCompile(`(?m)` + tableRow.String())
var footer = regexp.MustCompile(`\.\.\. \(remaining (\d+) .* account for +([0-9.]+)%`)

// checkText reads the tables of a text back: each must add up to the whole and agree with the others.
func checkText(t *testing.T, s *profiler.Stats, text string) {
	t.Helper()
	calls := map[string]int64{}
	full := map[string]bool{}
	section := ""
	var sum, cumulative float64
	for _, line := range strings.Split(text, "\n") {
		switch line {
		case "Class", "Ops", "Apply":
			section, sum, cumulative = line, 0, 0
			continue
		}
		if section == "" {
			continue
		}
		if m := tableRow.FindStringSubmatch(line); m != nil {
			fraction, _ := strconv.ParseFloat(m[1], 64)
			cumulative, _ = strconv.ParseFloat(m[2], 64)
			sum += fraction
			n, _ := strconv.ParseInt(m[6], 10, 64)
			calls[section] += n
			if d := cumulative - sum; d > 1 || d < -1 {
				t.Errorf("%s: rows add up to %.1f%%, the sum column says %.1f%%: %s", section, sum, cumulative, line)
			}
		}
		if m := footer.FindStringSubmatch(line); m != nil {
			rest, _ := strconv.ParseFloat(m[2], 64)
			full[section] = m[1] == "0"
			if total := cumulative + rest; total < 99.8 || total > 100.2 {
				t.Errorf("%s: shown and remaining rows add up to %.2f%%, want 100%%", section, total)
			}
			section = ""
		}
	}
	if full["Class"] && full["Apply"] && (calls["Class"] != calls["Ops"] || calls["Ops"] != calls["Apply"]) {
		t.Errorf("the tables count different numbers of calls: %v", calls)
	}
	if total := s.Clone().Total(); total.ThunkTime() > 0 && len(full) == 0 {
		t.Errorf("no tables in\n%s", text)
	}
}

// TestCheckText makes sure that checkText can fail.
func TestCheckText(t *testing.T) {
	m := tableRow.FindStringSubmatch("  65.4%    65.4%       0.000s       2.03e-06s     C        2        2   Elemwise{add,no_inplace}")
	if m == nil || m[6] != "2" {
		t.Errorf("row of ops: got %q", m)
	}
	m = tableRow.FindStringSubmatch("  50.0%    50.0%       0.000s       3.10e-06s      7     0   Elemwise{add,no_inplace}(x, y)")
	if m == nil || m[6] != "7" {
		t.Errorf("row of apply nodes: got %q", m)
	}
}

func TestEmpty(t *testing.T) {
	info := profiler.FunctionInfo{Name: "f", Program: program(t, threeNodes, "C")}
	never := profiler.NewStats(profiler.Options{Clock: still()})
	never.Add(info)
	calls := profiler.NewStats(profiler.Options{Clock: still(), NoNodes: true})
	calls.Add(info).Call(500, nil)
	failed := profiler.NewStats(profiler.Options{Clock: still()})
	failed.Add(info).Call(500, errors.New("no"))
	first := profiler.NewStats(profiler.Options{Clock: still(), IgnoreFirstCall: true})
	play(first.Add(info), 50, 10, 10, 10)
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
		got := text(t, c.stats, profiler.TextOptions{})
		if !strings.Contains(got, c.want) {
			t.Errorf("got\n%s\nwant a line with %q", got, c.want)
		}
		if strings.Contains(got, "NaN") || strings.Contains(got, "Inf") {
			t.Errorf("a number is not finite:\n%s", got)
		}
		if h := c.stats.HTML(profiler.HTMLOptions{}); strings.Contains(h, "NaN") || strings.Contains(h, "Inf") {
			t.Errorf("a number is not finite:\n%s", h)
		}
		roundTrip(t, c.stats)
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
	if s.HTML(profiler.HTMLOptions{}) != "" || text(t, s,
		profiler.TextOptions{}) != "" || s.Rows(profiler.ByOp) != nil || !s.Empty() {
		t.Errorf("a nil profile shows something")
	}
	if b, err := json.Marshal(s); err != nil || string(b) != "null" {
		t.Errorf("JSON of nil: got %s, %v", b, err)
	}
	if got := profiler.HTMLOf(nil, profiler.HTMLOptions{}); got != "" {
		t.Errorf("HTML of nothing: got %q", got)
	}
	if got := text(t, profiler.Sum(nil, nil), profiler.TextOptions{}); !strings.Contains(got, "Sum of all(0)") {
		t.Errorf("sum of nothing: got\n%s", got)
	}
	// A function without a program, and the zero Stats.
	zero := new(profiler.Stats)
	zero.Add(profiler.FunctionInfo{Name: "g"}).Call(10, nil)
	if got := zero.Functions[0].Calls; got != 1 {
		t.Errorf("calls of the zero Stats: got %d, want 1", got)
	}
	text(t, zero, profiler.TextOptions{Memory: true})
}

func TestUnknownLayout(t *testing.T) {
	if _, err := seed004(t).Text(profiler.TextOptions{Layout: "fancy"}); err == nil || !strings.Contains(err.Error(), "fancy") {
		t.Errorf("got error %v, want one that names the layout", err)
	}
}

func TestWriteError(t *testing.T) {
	f, err := os.Open(os.DevNull) // for reading
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := seed004(t).WriteText(f, profiler.TextOptions{}); err == nil {
		t.Error("an error of the writer was lost")
	}
}
