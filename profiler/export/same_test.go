package export_test

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/profiler/units"
)

// A tally is the nanoseconds of rows by name: things that the wall time was spent in, as
// "kind/name", and lines of the cell, as "file:line".
type tally map[string]float64

// randomCell is a profile of functions with a cell that called them, whose names are those of a
// careful user; and what its tables say.
func randomCell(seed uint64) (s *profiler.Stats, want tally) {
	r := rand.New(rand.NewPCG(seed, 36))
	s = profilertest.Random(r)
	for i, f := range s.Functions {
		f.Name = fmt.Sprint("f", i)
	}
	c := profilertest.RandomCell(r, s)
	c.Wall += time.Duration(s.Total().CallTime + s.Total().FailedTime)
	for i := range c.Spots {
		p := &c.Spots[i]
		if p.Line > 0 {
			p.File = "net.star"
			for range r.IntN(3) {
				p.Outer = append(p.Outer, profiler.Spot{File: "In[3]", Line: 100 + r.IntN(3), Func: "<toplevel>"}.Frame())
			}
		}
		if p.Name = strings.NewReplacer(`a "b" <c>`, "sorted", "x\ny", "sorted").Replace(p.Name); r.IntN(3) > 0 {
			p.CPU = p.Time * 3 / 2
		}
	}
	c.Measure([]*profiler.Stats{s})
	s.SetCell(c)
	want = make(tally)
	for _, row := range c.Rows() {
		want[string(row.Kind)+"/"+row.Name] += float64(row.Time)
	}
	for _, l := range c.Lines() {
		want[fmt.Sprintf("%s:%d", l.File, l.Line)] += float64(l.Time)
	}
	return s, want
}

// exports read back what each format says of the rows.
var exports = map[string]func(t *testing.T, all []*profiler.Stats) (rows tally, sum float64){
	"JSON": func(t *testing.T, all []*profiler.Stats) (tally, float64) {
		var b bytes.Buffer
		if err := export.JSON(&b, all); err != nil {
			t.Fatal(err)
		}
		var got struct {
			Cell struct {
				Spots []struct {
					Kind, Name, File string
					Line             int
					NS               float64
				}
			}
		}
		if err := json.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		rows, sum := make(tally), 0.0
		for _, s := range got.Cell.Spots {
			sum += s.NS
			rows[s.Kind+"/"+s.Name] += s.NS
			if s.Line > 0 {
				rows[fmt.Sprintf("%s:%d", s.File, s.Line)] += s.NS
			}
		}
		return rows, sum
	},
	"pprof": func(t *testing.T, all []*profiler.Stats) (tally, float64) {
		var b bytes.Buffer
		if err := export.PProf(&b, all); err != nil {
			t.Fatal(err)
		}
		p, err := profile.ParseData(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		rows, sum := make(tally), 0.0
		for _, x := range p.Sample {
			ns := float64(x.Value[0])
			sum += ns
			kind, name := x.Label["kind"][0], ""
			switch leaf := x.Location[0].Line[0].Function; {
			case x.Label["function"] != nil:
				name = x.Label["function"][0]
			case len(x.Location) > 1 && leaf != x.Location[1].Line[0].Function:
				name = strings.ReplaceAll(leaf.Name, "·", ".")
			case len(x.Location) == 1 && strings.ReplaceAll(leaf.Name, "·", ".") != kind && leaf.Filename == "":
				name = strings.ReplaceAll(leaf.Name, "·", ".")
			}
			if kind == string(profiler.Starlark) || kind == string(profiler.Rest) {
				name = ""
			}
			rows[kind+"/"+name] += ns
			var line *profile.Line
			for _, l := range x.Location { // the leaf first
				if f := l.Line[0]; f.Line > 0 && f.Function.Filename == "net.star" {
					line = &f
					break
				}
			}
			if line != nil {
				rows[fmt.Sprintf("net.star:%d", line.Line)] += ns
			}
		}
		return rows, sum
	},
	"CSV": func(t *testing.T, all []*profiler.Stats) (tally, float64) {
		var b bytes.Buffer
		if err := export.CSV(&b, all, export.View()); err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		at := make(map[string]int)
		for i, name := range records[0] {
			at[name] = i
		}
		rows, sum := make(tally), 0.0
		for _, r := range records[1:] {
			ns, err := strconv.ParseFloat(r[at["time_ns"]], 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += ns
			rows[r[at["kind"]]+"/"+r[at["spent_in"]]] += ns
			calls := strings.Split(r[at["called"]], " > ")
			if last := calls[len(calls)-1]; last != "" {
				rows[last] += ns
			}
		}
		return rows, sum
	},
	"trace":      traced,
	"collapsed":  collapsed,
	"speedscope": speedscoped,
	"flame":      flamed,
}

// add adds a stack whose frames have these names. Kinds are not in them.
func (rows tally) add(names []string, ns float64) {
	var line, thing string
	for _, name := range names {
		if m := regexp.MustCompile(`^net\.star:\d+`).FindString(name); m != "" && thing == "" {
			line = m
		} else if thing == "" && !strings.HasPrefix(name, "In[3]:") {
			thing = name
		}
	}
	if line != "" {
		rows[line] += ns
	}
	rows[cmp.Or(thing, string(profiler.Starlark))] += ns
}

func traced(t *testing.T, all []*profiler.Stats) (tally, float64) {
	type open struct {
		name      string
		end, left float64
	}
	rows, sum := make(tally), 0.0
	var stack []open
	pop := func() {
		last := stack[len(stack)-1]
		var names []string
		for _, o := range stack {
			names = append(names, o.name)
		}
		stack = stack[:len(stack)-1]
		if last.left > 1e-6 {
			rows.add(names, last.left)
			sum += last.left
		}
	}
	for _, e := range traceOf(t, all...) {
		if e.Ph != "X" || e.PID != 3 {
			continue
		}
		for len(stack) > 0 && e.TS >= stack[len(stack)-1].end-e.Dur/2-1e-9 {
			pop()
		}
		if len(stack) > 0 {
			stack[len(stack)-1].left -= 1e3 * e.Dur
		}
		stack = append(stack, open{e.Name, e.TS + e.Dur, 1e3 * e.Dur})
	}
	for len(stack) > 0 {
		pop()
	}
	return rows, sum
}

func collapsed(t *testing.T, all []*profiler.Stats) (tally, float64) {
	var b bytes.Buffer
	if err := export.Collapsed("time")(&b, all); err != nil {
		t.Fatal(err)
	}
	rows, sum := make(tally), 0.0
	for line := range strings.Lines(b.String()) {
		// As flamegraph.pl reads it.
		m := regexp.MustCompile(`^(.*)\s+?(\d+)\n$`).FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("got the line %q", line)
		}
		ns, _ := strconv.ParseFloat(m[2], 64)
		rows.add(strings.Split(m[1], ";"), ns)
		sum += ns
	}
	return rows, sum
}

func speedscoped(t *testing.T, all []*profiler.Stats) (tally, float64) {
	var b bytes.Buffer
	if err := export.Speedscope(&b, all); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Shared   struct{ Frames []struct{ Name string } }
		Profiles []struct {
			Name     string
			EndValue float64
			Samples  [][]int
			Weights  []float64
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	rows, sum := make(tally), 0.0
	p := got.Profiles[0]
	for i, stack := range p.Samples {
		var names []string
		for _, k := range stack {
			names = append(names, got.Shared.Frames[k].Name)
		}
		rows.add(names, p.Weights[i])
		sum += p.Weights[i]
	}
	if p.Name != "time" || math.Abs(p.EndValue-sum) > 1e-6*sum {
		t.Errorf("%s ends at %g, its weights are %g", p.Name, p.EndValue, sum)
	}
	return rows, sum
}

func flamed(t *testing.T, all []*profiler.Stats) (tally, float64) {
	var b bytes.Buffer
	if err := export.Flame(&b, all); err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?s)<script id="data" type="application/json">(.*?)</script>`).FindSubmatch(b.Bytes())
	if m == nil {
		t.Fatal("the page has no data")
	}
	var got struct {
		Names []string
		Root  json.RawMessage
	}
	if err := json.Unmarshal(m[1], &got); err != nil {
		t.Fatal(err)
	}
	rows := make(tally)
	var walk func(raw json.RawMessage, outer []string) float64
	walk = func(raw json.RawMessage, outer []string) float64 {
		var name, kind int
		var values []float64
		var inside []json.RawMessage
		if err := json.Unmarshal(raw, &[]any{&name, &kind, &values, &inside}); err != nil {
			t.Fatal(err)
		}
		if got.Names[name] != "" {
			outer = append(outer[:len(outer):len(outer)], got.Names[name])
		}
		own := values[0]
		for _, in := range inside {
			own -= walk(in, outer)
		}
		if own > 1e-9*values[0] {
			rows.add(outer, own)
		}
		return values[0]
	}
	return rows, walk(got.Root, nil)
}

// TestSameNumbers: whatever a cell did, each row of its tables has the same number in every export,
// and all of an export is the wall time.
func TestSameNumbers(t *testing.T) {
	for seed := range uint64(40) {
		s, want := randomCell(seed)
		all := []*profiler.Stats{s}
		wall := float64(s.Cell.Wall)
		for format, read := range exports {
			got, sum := read(t, all)
			if !s.Cell.Sampled() && format == "JSON" {
				continue
			}
			if math.Abs(sum-wall) > 0.001*wall {
				t.Errorf("seed %d: %s has %g ns, want the wall time of %g", seed, format, sum, wall)
			}
			for row, ns := range want {
				kind, name, thing := strings.Cut(row, "/")
				if thing && format != "JSON" && format != "pprof" && format != "CSV" { // no kinds
					row = cmp.Or(name, kind)
				}
				const rounding = 300 // of each stack
				if s.Cell.Sampled() && math.Abs(got[row]-ns) > 1e-6*ns+rounding {
					t.Errorf("seed %d: %s has %g ns of %s, want %g", seed, format, got[row], row, ns)
				}
			}
		}
		if s.Cell.Sampled() {
			sameText(t, seed, s)
		}
	}
}

// sameText looks for the rows in text and in the panel.
func sameText(t *testing.T, seed uint64, s *profiler.Stats) {
	var b strings.Builder
	opts := text.Options{Layout: text.Arignote, NLines: -1, LineWidth: -1}
	if err := text.Write(&b, s, opts); err != nil {
		t.Fatal(err)
	}
	page := html.UnescapeString(panel.HTML([]*profiler.Stats{s}, panel.Options{NApply: -1, NOps: -1}))
	_, page, _ = strings.Cut(page, "What it was spent in")
	lines := strings.Split(b.String(), "\n")
	for _, row := range s.Cell.Rows() {
		ms := float64(row.Time) / 1e6
		found := false
		for _, line := range lines {
			words := strings.Fields(line)
			if !strings.HasSuffix(line, " "+row.Title()) || row.Name != "" && !strings.Contains(line, string(row.Kind)) {
				continue
			}
			for _, w := range words {
				if n, err := strconv.ParseFloat(w, 64); err == nil && math.Abs(n-ms) <= 0.501 {
					found = true
				}
			}
		}
		if !found && ms > 2 && !strings.Contains(b.String(), "more row") {
			t.Errorf("seed %d: the text has no row of %.1f ms of %s", seed, ms, row.Title())
		}
		if human := units.Human(units.Times, float64(row.Time)); !regexp.MustCompile(`>` + regexp.QuoteMeta(row.Title()) + `<(?s:.{0,400}?)>` + human + `<`).MatchString(page) {
			t.Errorf("seed %d: the panel has no row of %s of %s", seed, human, row.Title())
		}
	}
}
