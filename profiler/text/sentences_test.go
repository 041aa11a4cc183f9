package text_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/profiler/units"
)

// A briefText is the brief text taken apart: the fields of its head, and its tables.
type briefText struct {
	fields map[string]string
	advice []string
	tables map[string][]string // rows by title, without the header
	more   map[string]string
	rows   string // all that is no advice
}

func readBrief(txt string) briefText {
	b := briefText{fields: map[string]string{}, tables: map[string][]string{}, more: map[string]string{}}
	head, rest, _ := strings.Cut(txt, "\n\n")
	var names, values []string
	for _, line := range strings.Split(head, "\n")[2:] {
		name := strings.TrimSpace(line[:min(10, len(line))])
		value := strings.TrimSpace(line[min(10, len(line)):])
		switch {
		case name != "" || len(names) == 0:
			names, values = append(names, name), append(values, value)
		case names[len(names)-1] == "then" && regexp.MustCompile(`^(\S.* takes? [\d.]+ %|calls take longer|[\d.]+ % of the time of the nodes ran)`).MatchString(value):
			names, values = append(names, "then"), append(values, value)
		default:
			values[len(values)-1] += " " + value
		}
	}
	for i, name := range names {
		if name == "first" || name == "then" {
			b.advice = append(b.advice, values[i])
		} else {
			b.fields[name] = values[i]
			b.rows += values[i] + "\n"
		}
	}
	for block := range strings.SplitSeq(rest, "\n\n") {
		lines := strings.Split(strings.Trim(block, "\n"), "\n")
		if len(lines) < 3 || !strings.HasPrefix(lines[2], "-") {
			continue
		}
		for _, line := range lines[3:] {
			if strings.HasPrefix(line, "  and ") {
				b.more[lines[0]] = line
			} else {
				b.tables[lines[0]] = append(b.tables[lines[0]], line)
			}
		}
		b.rows += strings.Join(lines[3:], "\n") + "\n"
	}
	return b
}

// first is the number that a row begins with, in percent.
func first(row string) float64 {
	v, _ := strconv.ParseFloat(strings.Fields(row)[0], 64)
	return v
}

var (
	lastShare = regexp.MustCompile(`([\d.]+) %$`)
	partOf    = regexp.MustCompile(`([\d.]+) (s|ms|µs|ns) \(([\d.]+) %\)`)
	timeOf    = regexp.MustCompile(`([\d.]+(?: \d+)*) (s|ms|µs|ns)`)
)

func nanoseconds(number, unit string) float64 {
	v, _ := strconv.ParseFloat(strings.ReplaceAll(number, " ", ""), 64)
	return v * map[string]float64{"s": 1e9, "ms": 1e6, "µs": 1e3, "ns": 1}[unit]
}

// TestSentences: what the brief text says of random profiles stands in its rows, the parts of the
// wall time and of the calls add up, and so do the rows.
func TestSentences(t *testing.T) {
	profilertest.Sentences(t, 400, 7, func(s *profiler.Stats) (spoken int, problems []string) {
		txt := written(t, s, text.Options{Layout: text.Arignote, Brief: true, LineWidth: 240})
		b := readBrief(txt)
		problems = profilertest.SentenceProblems(s, b.advice, b.rows)
		wrong := func(p string) { problems = append(problems, p) }
		for name, want := range map[string]float64{"wall": float64(s.Cell.Wall), "calls": s.Steady().Total().CallTime} {
			field, _, _ := strings.Cut(b.fields[name], ";")
			whole, parts, ok := strings.Cut(field, " = ")
			if !ok {
				continue
			}
			sum, shares := 0.0, 0.0
			list := partOf.FindAllStringSubmatch(parts, -1)
			for _, m := range list {
				v, _ := strconv.ParseFloat(m[3], 64)
				sum, shares = sum+nanoseconds(m[1], m[2]), shares+v
			}
			m := timeOf.FindAllStringSubmatch(whole, -1)
			last := m[len(m)-1]
			if math.Abs(nanoseconds(last[1], last[2])-want) > 0.006*want || math.Abs(sum-want) > 0.006*want || math.Abs(shares-100) > 0.06*float64(len(list)) {
				wrong(name + " does not add up: " + field)
			}
		}
		for _, title := range []string{"What the wall time was spent in", "Lines, whatever ran them", "Lines of the compiled functions", "Nodes"} {
			rows, sum := b.tables[title], 0.0
			for _, row := range rows {
				if sum += first(row); first(row) > 100 {
					wrong(title + ": a row of more than 100 %: " + row)
				}
			}
			if m := lastShare.FindStringSubmatch(b.more[title]); m != nil {
				v, _ := strconv.ParseFloat(m[1], 64)
				sum += v
			}
			slack := 0.06 * float64(len(rows)+1)
			if whole := title != "Lines, whatever ran them"; len(rows) > 0 && (sum > 100+slack || whole && sum < 100-slack) {
				wrong(title + ": rows add up to " + strconv.FormatFloat(sum, 'f', 2, 64))
			}
		}
		if len(problems) > 0 {
			problems = append(problems, "in\n"+txt)
		}
		return len(b.advice), problems
	})
}

// TestSentencesCanFail: a share of all of np for one function, and one that no row has, are found.
func TestSentencesCanFail(t *testing.T) {
	s := &profiler.Stats{Cell: &profiler.Cell{Name: "a.star", Wall: 100, Spots: []profiler.Spot{{Kind: profiler.Numpy, Name: "np.sin", Time: 58}, {Kind: profiler.Numpy, Name: "np.log", Time: 42}}}}
	for sentence, ok := range map[string]bool{"np.sin takes 58.0 % of the wall time": true, "np.sin takes 100 % of the wall time": false, "np.sin takes 58.1 % of the wall time": false,
		"np.sin took long": false} {
		if got := profilertest.SentenceProblems(s, []string{sentence}, " 58.0 np.sin\n 42.0 np.log\n100"); ok != (len(got) == 0) {
			t.Errorf("%s: got %q", sentence, got)
		}
	}
	if got := profilertest.SentenceProblems(s, []string{"np.sin takes 58.0 % of the wall time"}, " 58.0 np.log\n 42.0 np.sin"); len(got) == 0 {
		t.Error("the share of a function that stands in the row of another is found right")
	}
	if got := units.Share(0.58); got != "58.0\u00a0%" {
		t.Errorf("got %q", got)
	}
}
