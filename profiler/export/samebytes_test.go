package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"math/rand/v2"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/profiler/units"
)

// byteTally is the bytes of the arrays of lines, "file:line" and "" of no line, and those of nodes.
type byteTally struct {
	lines map[string]int64
	nodes float64
}

func newByteTally() byteTally { return byteTally{lines: make(map[string]int64)} }

// byteExports read back the bytes of each format.
var byteExports = map[string]func(t *testing.T, all []*profiler.Stats) byteTally{
	"JSON": func(t *testing.T, all []*profiler.Stats) byteTally {
		var b bytes.Buffer
		if err := export.JSON(&b, all); err != nil {
			t.Fatal(err)
		}
		read := new(profiler.Stats)
		if err := json.Unmarshal(b.Bytes(), read); err != nil {
			t.Fatal(err)
		}
		got := newByteTally()
		for _, l := range read.Cell.Memory.Lines {
			got.lines[lineKey(l.File, l.Line)] += l.Allocated
		}
		for _, x := range profiler.Stacks(read) {
			got.nodes += x.Bytes()
		}
		return got
	},
	"pprof": func(t *testing.T, all []*profiler.Stats) byteTally {
		var b bytes.Buffer
		if err := export.PProf(&b, all); err != nil {
			t.Fatal(err)
		}
		p, err := profile.ParseData(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		got, at := newByteTally(), map[string]int{}
		for i, v := range p.SampleType {
			at[v.Type] = i
		}
		for _, x := range p.Sample {
			got.nodes += float64(x.Value[at["alloc"]])
			if n := x.Value[at["arrays"]]; at["arrays"] > 0 && n > 0 {
				f := x.Location[0].Line[0]
				got.lines[lineKey(f.Function.Filename, int(f.Line))] += n
			}
		}
		return got
	},
	"CSV": func(t *testing.T, all []*profiler.Stats) byteTally {
		var b bytes.Buffer
		if err := export.CSV(&b, all, export.View()); err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		got, at := newByteTally(), map[string]int{}
		for i, name := range records[0] {
			at[name] = i
		}
		number := func(text string) float64 {
			n, err := strconv.ParseFloat(text, 64)
			if text != "" && err != nil {
				t.Fatal(err)
			}
			return n
		}
		for _, r := range records[1:] {
			got.nodes += number(r[at["allocated"]])
			if n := number(r[at["arrays"]]); n > 0 {
				got.lines[r[at["called"]]] += int64(n)
			}
		}
		return got
	},
	"speedscope": func(t *testing.T, all []*profiler.Stats) byteTally {
		var b bytes.Buffer
		if err := export.Speedscope(&b, all); err != nil {
			t.Fatal(err)
		}
		var file struct {
			Shared struct {
				Frames []struct {
					Name, File string
					Line       int
				}
			}
			Profiles []struct {
				Name    string
				Samples [][]int
				Weights []float64
			}
		}
		if err := json.Unmarshal(b.Bytes(), &file); err != nil {
			t.Fatal(err)
		}
		got := newByteTally()
		for _, p := range file.Profiles {
			for i, stack := range p.Samples {
				f := file.Shared.Frames[stack[0]]
				switch p.Name {
				case "arrays":
					got.lines[lineKey(f.File, f.Line)] += int64(p.Weights[i])
				case "bytes":
					got.nodes += p.Weights[i]
				}
			}
		}
		return got
	},
	"flame": func(t *testing.T, all []*profiler.Stats) byteTally {
		var b bytes.Buffer
		if err := export.Flame(&b, all); err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(`(?s)<script id="data" type="application/json">(.*?)</script>`).FindSubmatch(b.Bytes())
		var file struct {
			Names    []string
			Measures []struct{ Name string }
			Root     []json.RawMessage
		}
		if err := json.Unmarshal(m[1], &file); err != nil {
			t.Fatal(err)
		}
		got := newByteTally()
		read := func(frame []json.RawMessage) (name string, values []float64, inside [][]json.RawMessage) {
			var i int
			for k, v := range []any{&i, nil, &values, &inside} {
				if v != nil {
					if err := json.Unmarshal(frame[k], v); err != nil {
						t.Fatal(err)
					}
				}
			}
			return file.Names[i], values, inside
		}
		_, values, inside := read(file.Root)
		for k, m := range file.Measures {
			switch m.Name {
			case "bytes":
				got.nodes = values[k]
			case "arrays":
				for _, f := range inside {
					if name, values, _ := read(f); values[k] > 0 {
						place, _, _ := strings.Cut(name, " ")
						if !strings.Contains(place, ":") {
							place = ""
						}
						got.lines[place] += int64(values[k])
					}
				}
			}
		}
		return got
	},
	"collapsed": func(t *testing.T, all []*profiler.Stats) byteTally {
		var b bytes.Buffer
		if err := export.Collapsed("bytes")(&b, all); err != nil {
			t.Fatal(err)
		}
		got := newByteTally()
		for line := range strings.Lines(b.String()) {
			n, err := strconv.ParseFloat(strings.TrimSpace(line[strings.LastIndex(strings.TrimSpace(line), " "):]), 64)
			if err != nil {
				t.Fatal(err)
			}
			got.nodes += n
		}
		got.lines = nil // it has those of nodes alone
		return got
	},
}

func lineKey(file string, line int) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// bookedCell is randomCell with the memory of its lines.
func bookedCell(seed uint64) *profiler.Stats {
	s, _ := randomCell(seed)
	r := rand.New(rand.NewPCG(seed, 8))
	for _, f := range s.Functions {
		for _, n := range f.Nodes {
			n.Allocated = float64(r.Int64N(1e6))
		}
	}
	m := &profiler.CellMemory{}
	for i := range 1 + r.IntN(9) {
		l := profiler.LineMemory{File: "net.star", Line: i, Blocks: 1 + int64(r.IntN(99)), AtPeak: r.Int64N(1e9), Kept: r.Int64N(1e8)}
		l.Allocated = l.AtPeak + 1 + r.Int64N(1e10)
		m.Peak += l.AtPeak
		m.Lines = append(m.Lines, l)
	}
	m.Sort()
	m.Lines[len(m.Lines)-1].Line = 0 // what no line is to blame for
	s.Cell.Memory = m
	return s
}

// TestSameBytes: the bytes of each line are the same, to the byte, in every export and view, and
// add up to what was allocated; so do those of nodes, but for what pprof and stacks of text round.
func TestSameBytes(t *testing.T) {
	for seed := range uint64(30) {
		s := bookedCell(seed)
		want := newByteTally()
		for _, l := range s.Cell.Memory.Lines {
			want.lines[lineKey(l.File, l.Line)] += l.Allocated
		}
		stacks := profiler.Stacks(s)
		for _, x := range stacks {
			want.nodes += x.Bytes()
		}
		for format, read := range byteExports {
			got := read(t, []*profiler.Stats{s})
			var sum int64
			for line, n := range got.lines {
				sum += n
				if n != want.lines[line] {
					t.Errorf("seed %d: %s has %d bytes of %q, want %d", seed, format, n, line, want.lines[line])
				}
			}
			if total := s.Cell.Memory.Total().Allocated; got.lines != nil && sum != total {
				t.Errorf("seed %d: %s has %d bytes, want %d", seed, format, sum, total)
			}
			if math.Abs(got.nodes-want.nodes) > float64(len(stacks))+1e-9*want.nodes {
				t.Errorf("seed %d: %s has %g bytes of nodes, want %g", seed, format, got.nodes, want.nodes)
			}
		}
		sameLines(t, seed, s)
	}
}

// sameLines looks for the lines, their times and bytes, in text and in the panel; together with
// what stands in no line they are the wall time.
func sameLines(t *testing.T, seed uint64, s *profiler.Stats) {
	var b strings.Builder
	if err := text.Write(&b, s, text.Options{Layout: text.Arignote, NLines: 1 << 20, LineWidth: -1}); err != nil {
		t.Fatal(err)
	}
	page := strings.ReplaceAll(html.UnescapeString(panel.HTML([]*profiler.Stats{s}, panel.Options{NApply: -1, NOps: -1})), units.NBSP, " ")
	has := func(place string, words ...string) bool { // a line of the text, and a row of the panel
		inText := false
		for _, line := range strings.Split(b.String(), "\n") {
			all := strings.Contains(line, " "+place+" ") || strings.HasSuffix(line, " "+place)
			for _, w := range words {
				all = all && strings.Contains(strings.ReplaceAll(line, " ", ""), strings.ReplaceAll(w, " ", ""))
			}
			inText = inText || all
		}
		return inText
	}
	inPanel := func(place, number string) bool {
		return regexp.MustCompile(`>` + regexp.QuoteMeta(place) + `<(?s:.{0,900}?)>` + regexp.QuoteMeta(number) + `<`).MatchString(page)
	}
	human := func(of []units.Unit, v float64) string { return units.Plain(units.Human(of, v)) }
	var sum time.Duration
	for _, l := range s.Cell.Lines() {
		sum += l.Time
		place := lineKey(path.Base(l.File), l.Line)
		if ms := l.Time.Round(time.Millisecond).Milliseconds(); ms > 0 && !has(place, strconv.FormatInt(ms, 10)) && !has(place, units.Plain(units.Grouped(ms))) {
			t.Errorf("seed %d: the text has no %d ms at %s", seed, ms, place)
		}
		if n := human(units.Times, float64(l.Time)); l.Time > 0 && !inPanel(place, n) {
			t.Errorf("seed %d: the panel has no %s at %s", seed, n, place)
		}
	}
	for _, r := range s.Cell.Rows() { // what has no line
		sum += r.Time
	}
	for _, spot := range s.Cell.Spots {
		if spot.Line > 0 {
			sum -= spot.Time
		}
	}
	if diff := (sum - s.Cell.Wall).Abs(); s.Cell.Sampled() && float64(diff) > 0.01*float64(s.Cell.Wall) {
		t.Errorf("seed %d: lines and what has none have %v of %v", seed, sum, s.Cell.Wall)
	}
	for _, l := range s.Cell.Memory.Lines {
		place := "(no line)"
		if l.Line > 0 {
			place = lineKey(path.Base(l.File), l.Line)
		}
		n := human(units.Bytes, float64(l.Allocated))
		if !has(place, n) {
			t.Errorf("seed %d: the text has no %s at %s", seed, n, place)
		}
		if !inPanel(place, n) {
			t.Errorf("seed %d: the panel has no %s at %s", seed, n, place)
		}
	}
}
