package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/runtime/graph"
)

const source = "x = T.dmatrix()\nw = shared(0)\nxt = x.T\np = sigmoid(T.dot(x, w))\nd = p - y\n"

// cell is a profile whose lines are those of a cell, with a fused node of two lines.
func cell(t testing.TB) *profiler.Stats {
	s := profilertest.Training(t, true).Clone()
	f := s.Functions[0]
	for _, n := range f.Nodes {
		for i := range n.Origin.Frames {
			n.Origin.Frames[i].File, n.Origin.Frames[i].Func = "In[4]", "<toplevel>"
		}
	}
	n := f.Nodes[1]
	at := func(line int) profiler.Origin {
		return profiler.Origin{Frames: []graph.Frame{{File: "In[4]", Line: 9, Func: "<toplevel>"},
			{File: "nn.star", Line: line, Func: "dense"}}, Role: "gradient"}
	}
	n.Parts = []profiler.Part{{Origin: at(1), Op: "mul", Share: 0.75}, {Origin: at(2), Op: "add", Share: 0.25}}
	s.AddSource("In[4]", source)
	return s
}

// total is what the calls took.
func total(s *profiler.Stats) float64 {
	t := s.Steady().Total()
	return t.CallTime
}

// TestPProf reads the profile back with the library that wrote it, which checks it, and sums up.
func TestPProf(t *testing.T) {
	s := cell(t)
	var b bytes.Buffer
	if err := export.PProf(&b, []*profiler.Stats{s, nil}); err != nil {
		t.Fatal(err)
	}
	p, err := profile.ParseData(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var ns int64
	deepest := 0
	for _, x := range p.Sample {
		ns += x.Value[0]
		deepest = max(deepest, len(x.Location))
	}
	if got, want := float64(ns), total(s); math.Abs(got-want) > float64(len(p.Sample)) {
		t.Errorf("got %g ns, want %g", got, want)
	}
	if deepest != 7 { // the function, two lines, class, op, node, part
		t.Errorf("the deepest stack has %d levels, want 7", deepest)
	}
}

// TestGoToolPProf asks the real program for the price of each line.
func TestGoToolPProf(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "train.pb.gz")
	if err := export.Write(files.Open(), path, []*profiler.Stats{cell(t)}, export.View()); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		cmd := exec.Command("go", append([]string{"tool", "pprof"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	list := run("-list", `In\[4\]`, path)
	if !strings.Contains(list, "p = sigmoid(T.dot(x, w))") || !strings.Contains(list, "In[4].star") {
		t.Errorf("the listing does not show the cell:\n%s", list)
	}
	if _, err := os.Stat(filepath.Join(dir, "In[4].star")); err == nil {
		t.Error("the text of a cell lies among the user's files")
	}
	for _, want := range []string{"function train", "Sigmoid", "dense"} {
		if top := run("-top", "-cum", path); !strings.Contains(strings.ToLower(top), strings.ToLower(want)) {
			t.Errorf("no %s in\n%s", want, top)
		}
	}
	if tags := run("-tags", path); !strings.Contains(tags, "gradient") || !strings.Contains(tags, "impl") {
		t.Errorf("got tags\n%s", tags)
	}
	if flops := run("-sample_index=flops", "-top", path); !strings.Contains(flops, "flops") {
		t.Errorf("got\n%s", flops)
	}
}

// TestPProfNames: pprof shows the names of nodes whole, and two nodes with the same name as two.
func TestPProfNames(t *testing.T) {
	const name = "Elemwise{Composite{(i0 * exp(i1))}}(x.T, TensorConstant{(1,) of 2.0})"
	s := &profiler.Stats{Functions: []*profiler.Function{{Name: "f", Calls: 1, Runs: 1, CallTime: 3e6, RunTime: 3e6, Variables: 2}}}
	for id := range 2 {
		s.Functions[0].Nodes = append(s.Functions[0].Nodes, &profiler.Node{ID: id, Op: "Elemwise{Composite{(i0 * exp(i1))}}", Class: "tensor.elemwise.Elemwise",
			Text: name, Impl: "C", Calls: 1, Time: 1.5e6, Out: []int{id}})
	}
	dir := t.TempDir()
	if err := export.Write(files.Open(), filepath.Join(dir, "f.pb.gz"), []*profiler.Stats{s}, export.View()); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "tool", "pprof", "-top", filepath.Join(dir, "f.pb.gz"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"#0 " + name, "#1 " + name} {
		want = strings.ReplaceAll(want, ".", "·") // of whose like pprof begins a line or a name
		if !strings.Contains(string(out), want) {
			t.Errorf("want %s in\n%s", want, out)
		}
	}
}

// TestCSV sums over columns.
func TestCSV(t *testing.T) {
	s := cell(t)
	var b bytes.Buffer
	if err := export.CSV(&b, []*profiler.Stats{s}, export.View()); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	// Programs may count columns: what is new comes last.
	const first = "function inside node class op apply impl role file line stack part share calls time_ns min_ns median_ns p90_ns spread max_ns left_out_ns flops " +
		"bytes_read bytes_written allocated shapes "
	if got := strings.Join(rows[0], " "); !strings.HasPrefix(got, first) || !strings.Contains(got, " roof limit") {
		t.Errorf("got the columns %s, want first %s, then roof and limit", got, first)
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	var ns, gradient float64
	for _, r := range rows[1:] {
		v, err := strconv.ParseFloat(r[at["time_ns"]], 64)
		if err != nil {
			t.Fatal(err)
		}
		ns += v
		if r[at["role"]] == "gradient" && r[at["file"]] == "nn.star" {
			gradient += v
		}
	}
	if want := total(s); math.Abs(ns-want) > 1e-6*want {
		t.Errorf("got %g ns, want %g", ns, want)
	}
	if want := s.Functions[0].Nodes[1].Time; math.Abs(gradient-want) > 1e-6*want {
		t.Errorf("the fused node's parts have %g ns, want %g", gradient, want)
	}
}

// TestFramesOfLines: a line of a cell that calls two functions is one frame, with its text, though
// only the profile of one of them has that.
func TestFramesOfLines(t *testing.T) {
	of := func(name string) *profiler.Stats {
		return &profiler.Stats{Functions: []*profiler.Function{{Name: name, Calls: 1, CallTime: 4e6}}}
	}
	f, g := of("f"), of("g")
	f.AddSource("In[2]", "f(x); g(x)\n")
	f.SetCell(&profiler.Cell{Name: "In[2]", ID: "run", Wall: 8e6, Spots: []profiler.Spot{
		{Kind: profiler.CompiledFunctions, Name: "f", File: "In[2]", Line: 1, Time: 4e6}, {Kind: profiler.CompiledFunctions, Name: "g", File: "In[2]", Line: 1, Time: 4e6}}})
	f.CalledBy(f.Cell)
	g.CalledBy(f.Cell)
	var b strings.Builder
	if err := export.Collapsed("time")(&b, []*profiler.Stats{f, g}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	for i, name := range []string{"f", "g"} {
		if len(lines) != 2 || !strings.HasPrefix(lines[i], "In[2]:1 f(x), g(x);"+name+";") {
			t.Errorf("got %q", lines)
		}
	}
}

// A traceEvent is one of Chrome's trace format, as far as tests ask for it.
type traceEvent struct {
	Name, Ph, Cat string
	PID           int
	TS, Dur       float64
	Args          map[string]any
}

// traceOf are the events of the trace of profiles.
func traceOf(t *testing.T, all ...*profiler.Stats) []traceEvent {
	t.Helper()
	var b bytes.Buffer
	if err := export.Trace(&b, all); err != nil {
		t.Fatal(err)
	}
	var got struct{ TraceEvents []traceEvent }
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	return got.TraceEvents
}

// TestTrace: runs lie one after the other, each node inside its run, and what was not kept is said.
func TestTrace(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still(), Events: 9})
	r := s.Add(profiler.FunctionInfo{Name: "f", Program: profilertest.Program(t, profilertest.ThreeNodes, "C")})
	for range 5 {
		profilertest.Play(r, 100, 10, 20, 30)
	}
	runs, nodes := 0, 0
	var end, nodeTime float64
	for _, e := range traceOf(t, s) {
		switch {
		case e.Ph == "X" && e.Cat == "run":
			runs++
			end = e.TS + e.Dur
		case e.Ph == "X" && e.PID == 1:
			nodes++
			nodeTime += e.Dur
			if e.TS+e.Dur > end+1e-9 {
				t.Errorf("node %s ends at %g, its run at %g", e.Name, e.TS+e.Dur, end)
			}
		case e.Ph == "i" && e.Args["runs"] != 3.0:
			t.Errorf("got %v runs left out, want 3", e.Args["runs"])
		}
	}
	if runs != 2 || nodes != 6 || math.Abs(nodeTime-0.12) > 1e-9 {
		t.Errorf("got %d runs and %d nodes of %g µs, want 2, 6 and 0.12", runs, nodes, nodeTime)
	}
	profilertest.RoundTrip(t, s)
	if left := s.Compact().Functions[0].Trace; left != nil {
		t.Errorf("got a trace of %d runs", len(left))
	}
	s.Reset()
	if left := s.Clone().Functions[0].Trace; left != nil {
		t.Errorf("a reset leaves a trace of %d runs", len(left))
	}
}

// TestTraceOfCell: what a cell did stands where it was on the clock of the runs, with the counters
// and pauses of the time, and events that were not kept are counted.
func TestTraceOfCell(t *testing.T) {
	const ms = time.Millisecond
	event := func(name string, from, took time.Duration, arrays int64) profiler.CellEvent {
		return profiler.CellEvent{Spot: profiler.Spot{Kind: profiler.Numpy, Name: name, File: "In[4]", Line: 2, Time: took, CPU: 2 * took}, From: from,
			Read: &profiler.Reading{Arrays: arrays, Heap: 2 * arrays, GCs: 3}}
	}
	s := cell(t)
	s.SetCell(&profiler.Cell{Name: "In[4]", Wall: 20 * ms, Trace: &profiler.CellTrace{Start: 5e6, Lost: 7, Pauses: []profiler.Pause{{At: 3 * ms, Time: ms / 2}},
		Work: []profiler.Work{{Worker: 0, From: 2 * ms, Time: ms}, {Worker: 1, From: 2 * ms, Time: 2 * ms}}, Events: []profiler.CellEvent{event("np.exp", 0, 2*ms, 100), event("np.dot", 2*ms, 5*ms, 300)}}})
	f := s.Functions[0]
	ends := make([]float64, len(f.Nodes))
	for i := range ends {
		ends[i] = 8e6 + float64(i+1)*1e5
	}
	f.Trace = []profiler.RunTrace{{Start: 8e6, Ends: ends}}
	profilertest.RoundTrip(t, s)
	if s.Compact().Cell.Trace != nil || s.Cell.Trace == nil {
		t.Error("a compact profile has the trace of its cell, or a profile lost it")
	}
	found := make(map[string]bool)
	for _, e := range traceOf(t, s) {
		found[fmt.Sprintf("%s %s at %g for %g", e.Ph, e.Name, e.TS, e.Dur)] = true
		if e.Ph == "X" && e.Name == "np.dot" && e.PID != 3 && (e.Args["line"] != "In[4]:2" || e.Args["source"] != "w = shared(0)") {
			t.Errorf("np.dot has %v", e.Args)
		}
		if e.Ph == "C" && e.TS == 7000 && e.Name == "arrays in use" && e.Args["bytes"] != 300.0 || e.Name == "processors" && e.Args["busy"] != 2.0 {
			t.Errorf("%s at %g: got %v", e.Name, e.TS, e.Args)
		}
		if e.Name == "what was not kept" && e.Args["events"] != 7.0 {
			t.Errorf("got %v", e.Args)
		}
	}
	for _, want := range []string{"X np.exp at 0 for 2000", "X np.dot at 2000 for 5000", "X pause at 3000 for 500", "X part of a kernel at 2000 for 1000", "X part of a kernel at 2000 for 2000", "X train at 3000 for " + fmt.Sprint(100*len(ends)),
		"C arrays in use at 2000 for 0", "C heap at 7000 for 0", "C collections at 7000 for 0", "i what was not kept at 7000 for 0"} {
		if !found[want] {
			t.Errorf("there is no %q in %v", want, found)
		}
	}
}

// TestWriteRead: what is read back is what was written, and an export of it is the same.
func TestWriteRead(t *testing.T) {
	dir := t.TempDir()
	all := []*profiler.Stats{cell(t), profilertest.Seed004(t)}
	for _, n := range []int{1, 2} {
		path := filepath.Join(dir, "p.anprof")
		if err := export.Write(files.Open(), path, all[:n], export.View()); err != nil {
			t.Fatal(err)
		}
		back, err := export.Read(files.Open(), path)
		if err != nil {
			t.Fatal(err)
		}
		for _, ext := range []string{".anprof", ".csv", ".trace.json", ".html", ".txt"} {
			var written [2][]byte
			for i, list := range [][]*profiler.Stats{all[:n], back} {
				out := filepath.Join(dir, "out"+ext)
				if err := export.Write(files.Open(), out, list, export.View()); err != nil {
					t.Fatal(err)
				}
				if written[i], err = os.ReadFile(out); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(written[0], written[1]) {
				t.Errorf("%d profiles as %s: %s", n, ext, profilertest.Diff(string(written[0]), string(written[1])))
			}
		}
	}
	data, _ := json.Marshal(all)
	nb := filepath.Join(dir, "nb.ipynb")
	os.WriteFile(nb, []byte(`{"cells":[{"source":"1"},{"outputs":[{"data":{"application/vnd.arignote.profile+json":`+string(data)+`}}]}]}`), 0o644)
	if back, err := export.Read(files.Open(), nb); err != nil || len(back) != 2 {
		t.Errorf("got %d profiles of the notebook and %v, want 2", len(back), err)
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ path, want string }{
		{filepath.Join(dir, "none.anprof"), "no such file"},
		{write("a.anprof", "hello"), `got no profile, want what p.save("file.anprof") writes, or a notebook`},
		{write("b.anprof", `{"version":99}`), "got version 99, want 2"},
		{write("c.anprof", `[]`), "the list of profiles is empty"},
		{write("d.anprof", `[null]`), "profile 0 is null"},
		{write("e.ipynb", `{"cells":[]}`), "the notebook shows no profiles: run it with %%profile"},
		{write("f.ipynb", `x`), "got no notebook"},
	} {
		if _, err := export.Read(files.Open(), c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.path, err, c.want)
		}
	}
	if err := export.Write(files.Open(), filepath.Join(dir, "x.pdf"), nil, export.View()); err == nil ||
		!strings.Contains(err.Error(), "want one of .anprof .trace.json") {
		t.Errorf("got %v", err)
	}
	if err := export.Write(files.Open(), filepath.Join(dir, "no/dir/x.csv"), nil, export.View()); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("got %v", err)
	}
}

func FuzzParse(f *testing.F) {
	data, _ := json.Marshal(profilertest.Seed004(f))
	f.Add(data)
	f.Add([]byte(`[{"version":2}]`))
	f.Add([]byte(`{"version":2,"cell":{"name":"In[1]","wall_ns":9,"spots":[{"kind":"np","name":"x[k]","file":"In[1]","line":2,"ns":8,"outer":[{"file":"In[1]","line":1}]}],"trace":{"start_ns":1,"events":[{"kind":"np","ns":4,"from_ns":1,"read":{"arrays":1}}],"work":[{"worker":1,"from_ns":1,"ns":2}]}}}`))
	f.Add([]byte(`{"cells":[{"outputs":[{"data":{}}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, parse := range []func([]byte) ([]*profiler.Stats, error){export.Parse, export.ParseNotebook} {
			all, err := parse(data)
			if err != nil {
				continue
			}
			var b bytes.Buffer
			for _, write := range []func(*bytes.Buffer) error{
				func(b *bytes.Buffer) error { return export.CSV(b, all, export.View()) },
				func(b *bytes.Buffer) error { return export.Trace(b, all) },
				func(b *bytes.Buffer) error { return export.PProf(b, all) },
				func(b *bytes.Buffer) error { return export.Collapsed("time")(b, all) },
				func(b *bytes.Buffer) error { return export.Speedscope(b, all) },
				func(b *bytes.Buffer) error { return export.Flame(b, all) },
			} {
				if err := write(&b); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// TestCSVFormulas: no text of a cell begins like a formula of a spreadsheet, whatever names the
// user chose, and numbers are as they are.
func TestCSVFormulas(t *testing.T) {
	for _, bad := range []string{"=1+2", "+1+cmd", "-2+3+cmd|' /C calc'!A0", "@SUM(1)", "\t=1", "\r=1", "\n=1", "\uff1d1"} {
		s := cell(t)
		f := s.Functions[0]
		f.Name = bad
		for _, n := range f.Nodes {
			n.Class, n.Op, n.Text = bad, bad, bad
		}
		for _, by := range []string{"", "class", "op", "apply", "line"} {
			view := export.View()
			if by != "" {
				if err := view.Set("by", by); err != nil {
					t.Fatal(err)
				}
			}
			var b bytes.Buffer
			if err := export.CSV(&b, []*profiler.Stats{s}, view); err != nil {
				t.Fatal(err)
			}
			rows, err := csv.NewReader(&b).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			guarded, numbers := 0, 0
			for _, row := range rows {
				for _, cell := range row {
					_, notNumber := strconv.ParseFloat(cell, 64)
					switch {
					case notNumber == nil:
						numbers++
					case strings.HasPrefix(cell, "'"):
						guarded++
					case cell != "" && strings.ContainsRune("=+-@\t\r\n\uff1d", []rune(cell)[0]):
						t.Errorf("%q by %s: got the cell %q", bad, by, cell)
					}
				}
			}
			if numbers == 0 || guarded == 0 && by != "line" { // whose texts are lines of this file
				t.Errorf("%q by %s: got %d guarded cells and %d numbers", bad, by, guarded, numbers)
			}
		}
	}
}

// TestCSVOfTable: of one table CSV has its rows, with the columns of the rows of a cell.
func TestCSVOfTable(t *testing.T) {
	s := cell(t)
	for _, tt := range []struct {
		flags string
		rows  int
		has   string
	}{
		{"by=class", len(s.Clone().Rows(profiler.ByClass)), "fraction cumulative time_ns per_call_ns calls applies impl flops "},
		{"by=op", len(s.Clone().Rows(profiler.ByOp)), " gflops gbytes roof limit op"},
		{"by=apply top=2", 2, " min_ns median_ns max_ns op name "},
		{"by=line n_ops=1", len(s.Clone().Lines(false)), " file line function source ops"},
		{"by=line top=1", 1, "fraction time_ns "},
	} {
		view := export.View()
		for _, flag := range strings.Fields(tt.flags) {
			name, value, _ := strings.Cut(flag, "=")
			if err := view.Set(name, value); err != nil {
				t.Fatal(err)
			}
		}
		var b bytes.Buffer
		if err := export.CSV(&b, []*profiler.Stats{s, nil}, view); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		left := rows[0] // a new column may stand between those that are named
		for _, name := range strings.Fields(tt.has) {
			i := slices.Index(left, name)
			if i < 0 {
				t.Errorf("%s: got the columns %s, want %s in this order", tt.flags, rows[0], tt.has)
				break
			}
			left = left[i+1:]
		}
		if len(rows) != 1+tt.rows {
			t.Errorf("%s: got %d rows, want %d", tt.flags, len(rows)-1, tt.rows)
		}
	}
}

// TestOldNotebook: a profile of a notebook from before functions had identities is known by what it
// says.
func TestOldNotebook(t *testing.T) {
	s := cell(t)
	outputs := func(s *profiler.Stats) string {
		data, err := json.Marshal([]*profiler.Stats{s})
		if err != nil {
			t.Fatal(err)
		}
		return `{"outputs":[{"data":{"` + export.MIME + `":` + string(data) + `}}]}`
	}
	again := s.Clone()
	again.Globals = &profiler.Globals{Since: 7}
	other := s.Clone()
	other.Functions[0].Calls++
	all, err := export.ParseNotebook([]byte(`{"cells":[` + outputs(s) + "," + outputs(again) + "," + outputs(other) + `]}`))
	if err != nil || len(all) != 2 {
		t.Errorf("got %d profiles and %v, want 2", len(all), err)
	}
}
