package profilertest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

var (
	percentage = regexp.MustCompile(`(\d+(?:\.\d+)?) %`)
	ofTheWall  = regexp.MustCompile(`^(.*?) takes? ([\d.]+) % of the wall time(?:, the dearest of (\d+) functions? (.*?) ([\d.]+) %)?`)
	ofTheNodes = regexp.MustCompile(`^(.*:\d+) takes ([\d.]+) % of the time of the nodes`)
	haveShare  = regexp.MustCompile(`of their time the nodes have ([\d.]+) %`)
	ranIn      = regexp.MustCompile(`^([\d.]+) % of the time of the nodes ran in (\S+), not in C(?:: the dearest of it is (.*))?`)
	mostlyAt   = regexp.MustCompile(`, most of it at (.*):(\d+)`)
	sourceText = regexp.MustCompile(`% of the time of the nodes.*?: (.*)$`)
	ofTheRoof  = regexp.MustCompile(`, its dearest node is (.*) at ([\d.]+) % of the roof \((.*?)\)`)
	overheads  = regexp.MustCompile(`, its dearest node is (.*), which has so little to do`)
)

// A rowText is one row of a view, as text.
type rowText string

// has reports whether the row has a number: between others, and as a whole one if it is.
func (r rowText) has(number string) bool {
	return regexp.MustCompile(`(^|[^\d.])` + regexp.QuoteMeta(number) + `(\.0)?($|[^\d.])`).MatchString(string(r))
}

// names reports whether the row has a name, which either of both may cut, and in which it may break
// lines.
func (r rowText) names(name string) bool {
	name, _, _ = strings.Cut(strings.Join(strings.Fields(name), " "), "...")
	if letters := []rune(name); len(letters) > 10 {
		name = string(letters[:10])
	}
	return strings.Contains(strings.Join(strings.Fields(string(r)), " "), strings.TrimSpace(name))
}

// rowTexts are the lines of text.
func rowTexts(rows string) (list []rowText) {
	for line := range strings.SplitSeq(rows, "\n") {
		list = append(list, rowText(line))
	}
	return list
}

// CheckSentences compares the advice that a view gives of s with what was recorded, added up here
// once more, and with the rows of the view, one a line: whatever percentage a sentence names stands
// in a row that names what it is about, and so does its place.
func CheckSentences(t *testing.T, s *profiler.Stats, sentences []string, rows string) {
	t.Helper()
	for _, p := range SentenceProblems(s, sentences, rows) {
		t.Error(p)
	}
}

// SentenceProblems are what CheckSentences finds wrong.
func SentenceProblems(s *profiler.Stats, sentences []string, rows string) (problems []string) {
	rows = units.Plain(rows)
	steady := s.Steady()
	total := steady.Total()
	list := rowTexts(rows)
	for _, sentence := range sentences {
		sentence = units.Plain(sentence)
		wrong := func(format string, args ...any) {
			problems = append(problems, fmt.Sprintf(format, args...)+": "+sentence)
		}
		figures := percentage.FindAllStringSubmatch(sentence, -1)
		for _, m := range figures {
			if v, _ := strconv.ParseFloat(m[1], 64); v > 100 && !strings.Contains(sentence, m[1]+" % of the roof") {
				wrong("a part of %s %%", m[1])
			}
			if !slices.ContainsFunc(list, func(r rowText) bool { return r.has(m[1]) }) {
				wrong("no row has %s", m[1])
			}
		}
		is := func(got string, want float64) {
			if v, err := strconv.ParseFloat(got, 64); err != nil || math.Abs(v-100*want) > 0.051 {
				wrong("got %s, want %.2f", got, 100*want)
			}
		}
		// What a sentence says of a thing stands in one row.
		row := func(about string, numbers []string, names ...string) {
			if !slices.ContainsFunc(list, func(r rowText) bool {
				return !slices.ContainsFunc(numbers, func(n string) bool { return !r.has(n) }) &&
					!slices.ContainsFunc(names, func(n string) bool { return !r.names(n) })
			}) {
				wrong("no row of %s has %q of %q", about, numbers, names)
			}
		}
		known := true
		if m := ofTheWall.FindStringSubmatch(sentence); m != nil {
			share, functions := wallShare(s.Cell, m[1])
			is(m[2], share)
			name := strings.TrimSuffix(m[1], " itself")
			row("the cell", []string{m[2]}, name)
			if at := mostlyAt.FindStringSubmatch(sentence); at != nil {
				of, what := m[2], name
				if m[3] != "" {
					of, what = m[5], m[4]
				}
				row("the cell", []string{of, at[2]}, what)
			}
			if m[3] != "" {
				row("the cell", []string{m[5]}, m[4])
				of, _ := wallShare(s.Cell, m[4])
				is(m[5], of)
				if m[3] != strconv.Itoa(functions) {
					wrong("got %s functions, want %d", m[3], functions)
				}
			}
		} else if m := ofTheNodes.FindStringSubmatch(sentence); m != nil {
			is(m[2], lineShare(steady, total.ThunkTime()))
			line := m[1][strings.LastIndex(m[1], ":")+1:]
			source := ""
			if m := sourceText.FindStringSubmatch(sentence); m != nil {
				source = m[1]
			}
			row("lines", []string{m[2], line}, source)
			if m := ofTheRoof.FindStringSubmatch(sentence); m != nil {
				row("nodes", []string{m[2]}, m[1])
			} else if m := overheads.FindStringSubmatch(sentence); m != nil {
				row("nodes", nil, m[1])
			}
		} else if m := haveShare.FindStringSubmatch(sentence); m != nil {
			is(m[1], total.ThunkTime()/total.CallTime)
		} else if m := ranIn.FindStringSubmatch(sentence); m != nil {
			ns := 0.0
			for _, n := range total.Nodes {
				if n.Impl == m[2] {
					ns += n.Time
				}
			}
			is(m[1], ns/total.ThunkTime())
			row("kinds", []string{m[1]}, m[2])
			row("nodes", nil, m[3])
		} else {
			known = false
		}
		if !known || len(figures) == 0 {
			wrong("a sentence that nobody knows")
		}
	}
	return problems
}

// wallShare is what part of the wall time a function has, or a kind, and how many functions are of
// it.
func wallShare(c *profiler.Cell, name string) (share float64, functions int) {
	var sum, of float64
	names := make(map[string]bool)
	kind := map[string]string{"Starlark itself": "Starlark"}[name]
	if kind == "" {
		kind = name
	}
	for _, s := range c.Spots {
		sum += float64(s.Time)
		title := s.Name
		if title == "" {
			title = string(s.Kind)
		}
		title = units.OneLine(title)
		if title == name || string(s.Kind) == kind {
			of += float64(s.Time)
			names[title] = true
		}
	}
	return of / max(sum, float64(c.Wall)), len(names)
}

// lineShare is the part of the time of the nodes that the dearest line has.
func lineShare(s *profiler.Stats, whole float64) float64 {
	type line struct {
		file string
		line int
	}
	lines := make(map[line]float64)
	most := 0.0
	for x := range s.Samples() {
		f := x.Origin.Frame()
		at := line{f.File, f.Line}
		lines[at] += x.Time
		most = max(most, lines[at])
	}
	return most / whole
}

// Sentences gives a view random profiles of cells, every eighth without functions. The view returns
// how many sentences it says first, one a profile at least in the mean, and what is wrong with it.
func Sentences(t *testing.T, tried, stream uint64, view func(s *profiler.Stats) (spoken int, problems []string)) {
	t.Helper()
	spoken := 0
	for seed := range tried {
		r := rand.New(rand.NewPCG(seed, stream))
		s := Random(r)
		if seed%8 == 0 {
			s.Functions = nil
		}
		s.Cell = RandomCell(r, s)
		said, problems := view(s)
		if spoken += said; len(problems) > 0 {
			t.Errorf("seed %d: %s", seed, strings.Join(problems, "\n"))
		}
	}
	if spoken < int(tried) {
		t.Errorf("%d profiles had %d sentences: too few to find a wrong one", tried, spoken)
	}
}
