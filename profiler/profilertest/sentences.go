package profilertest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
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
	ranIn      = regexp.MustCompile(`^([\d.]+) % of the time of the nodes ran in (\S+),`)
)

// CheckSentences compares the advice that a view gives of s with what was recorded, added up here
// once more, and with the rows of the view: whatever percentage a sentence names stands in a row,
// and is the one of what the sentence is about.
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
	shown := func(number string) bool {
		return regexp.MustCompile(`(^|[^\d.])` + regexp.QuoteMeta(number) + `(\.0)?($|[^\d.])`).MatchString(rows)
	}
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
			if !shown(m[1]) {
				wrong("no row has %s", m[1])
			}
		}
		is := func(got string, want float64) {
			if v, err := strconv.ParseFloat(got, 64); err != nil || math.Abs(v-100*want) > 0.051 {
				wrong("got %s, want %.2f", got, 100*want)
			}
		}
		known := true
		if m := ofTheWall.FindStringSubmatch(sentence); m != nil {
			share, functions := wallShare(s.Cell, m[1])
			is(m[2], share)
			if m[3] != "" {
				of, _ := wallShare(s.Cell, m[4])
				is(m[5], of)
				if m[3] != strconv.Itoa(functions) {
					wrong("got %s functions, want %d", m[3], functions)
				}
			}
		} else if m := ofTheNodes.FindStringSubmatch(sentence); m != nil {
			is(m[2], lineShare(steady, total.ThunkTime()))
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
