package profilertest

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/arignote/arignote/profiler"
)

// CheckText reads a text of s back: each of its tables must add up to the whole and agree with the
// others and with s.
func CheckText(t *testing.T, s *profiler.Stats, text string) {
	t.Helper()
	problems := Problems(s, text)
	for _, p := range problems {
		t.Error(p)
	}
	if len(problems) > 0 {
		t.Logf("in\n%s", text)
	}
}

// Problems are what CheckText finds wrong.
func Problems(s *profiler.Stats, text string) []string {
	c := checker{report: Parse(text)}
	total := s.Clone().Total()
	if c.report.Layout == "arignote" {
		total = s.Steady().Total()
	}
	c.characters(text)
	c.head(&total)
	c.tables(&total)
	c.memory()
	for _, inner := range c.report.Inner {
		x := checker{report: inner}
		x.sections("Class", "Ops", "Apply")
		c.problems = append(c.problems, x.problems...)
	}
	return c.problems
}

type checker struct {
	report   *Report
	problems []string
}

func (c *checker) wrong(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

// characters must not be what formats and divisions go wrong with, nor what moves the cursor.
func (c *checker) characters(text string) {
	for _, bad := range []string{"NaN", "Inf", "%!", "%%", "(MISSING)"} {
		if strings.Contains(text, bad) {
			c.wrong("the text contains %s", bad)
		}
	}
	if !utf8.ValidString(text) {
		c.wrong("the text is not UTF-8")
	}
	for _, r := range text {
		if r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			c.wrong("the text contains the control character %U", r)
		}
	}
}

// head: a part takes no more than the whole, and counts are those of the model.
func (c *checker) head(total *profiler.Function) {
	r := c.report
	if r.Layout == "profilemode" {
		return
	}
	if r.Calls != total.Calls {
		c.wrong("the head has %d calls, want %d", r.Calls, total.Calls)
	}
	const rounding = 1.011 // three digits
	if r.Thunks > r.Run*rounding || r.Run > r.Call*rounding {
		c.wrong("got %gs in nodes, %gs in runs and %gs in calls: a part takes more than the whole", r.Thunks, r.Run, r.Call)
	}
	if r.Nodes != 0 && r.Nodes != int64(len(total.Nodes)) {
		c.wrong("the head has %d nodes, want %d", r.Nodes, len(total.Nodes))
	}
	if want := total.ThunkTime() * 1e-9; total.Calls > 0 && total.Runs > 0 && !near(r.Thunks, want, 0.006) {
		c.wrong("the head has %gs in nodes, want %gs", r.Thunks, want)
	}
}

func near(got, want, part float64) bool { return math.Abs(got-want) <= part*want+1e-12 }

func (c *checker) tables(total *profiler.Function) {
	names := []string{"Class", "Ops", "Apply"}
	if c.report.Layout == "profilemode" {
		names = []string{"Op", "Apply"}
		if c.report.Section("Single Op") != nil {
			names = append(names, "Single Op") // 2011
		}
	}
	if total.ThunkTime() > 0 {
		for _, name := range names {
			if c.report.Section(name) == nil {
				c.wrong("there is no table %s", name)
			}
		}
	}
	c.sections(names...)
	var calls, ran int64
	for _, n := range total.Nodes {
		if n.Calls > 0 {
			calls, ran = calls+n.Calls, ran+1
		}
	}
	for _, name := range names {
		s := c.report.Section(name)
		if s == nil || s.Left > 0 || c.report.Layout == "profilemode" {
			continue
		}
		var got, applies int64
		var time float64
		for _, r := range s.Rows {
			if !strings.Contains(r.ID, ".") {
				got, applies, time = got+r.Calls, applies+max(r.Applies, 1), time+r.Time
			}
		}
		if got != calls || applies != ran {
			c.wrong("%s: rows have %d calls of %d nodes, want %d of %d", name, got, applies, calls, ran)
		}
		if want := total.ThunkTime() * 1e-9; !near(time, want, 0.006) {
			c.wrong("%s: rows take %gs, want %gs", name, time, want)
		}
	}
	if lines := c.report.Section("Lines"); lines != nil && lines.Name == "Lines" {
		c.lines(lines, total.ThunkTime()*1e-9)
	}
}

// sections: the rows of each table add up to 100 %.
func (c *checker) sections(names ...string) {
	for _, name := range names {
		s := c.report.Section(name)
		if s == nil {
			continue
		}
		sum, n := 0.0, 0
		for _, r := range s.Rows {
			if strings.Contains(r.ID, ".") {
				continue
			}
			n++
			sum += r.Percent
			if r.Sum > 0 && math.Abs(r.Sum-sum) > 0.06*float64(n+1) {
				c.wrong("%s: rows add up to %.1f%%, the sum column says %.1f%% at %s", name, sum, r.Sum, r.Name)
			}
		}
		slack := 0.06 * float64(n+2)
		if c.report.Layout == "profilemode" {
			slack += 1 // its footer has two digits
		}
		if n > 0 && math.Abs(sum+s.Rest-100) > slack {
			c.wrong("%s: shown and remaining rows add up to %.2f%%, want 100%%", name, sum+s.Rest)
		}
	}
}

// lines: their prices, and those of the files, add up to the time of the nodes.
func (c *checker) lines(s *Section, want float64) {
	var lines, files, time float64
	for _, r := range s.Rows {
		if r.Cells["line"] == "" {
			files += r.Percent
			continue
		}
		lines += r.Percent
		time += r.Time
	}
	slack := 0.06 * float64(len(s.Rows)+2)
	if math.Abs(lines+s.Rest-100) > slack {
		c.wrong("Lines: they add up to %.2f%%, want 100%%", lines+s.Rest)
	}
	if files > 0 && s.Left == 0 && math.Abs(files-100) > slack {
		c.wrong("Lines: files add up to %.2f%%, want 100%%", files)
	}
	if s.Left == 0 && math.Abs(time-want) > want*(0.0006*float64(len(s.Rows))+0.001) {
		c.wrong("Lines: they take %gs, want %gs", time, want)
	}
}

// memory: peaks are in order, and the list adds up.
func (c *checker) memory() {
	r := c.report
	if r.peaks == len(r.Peak) && (r.Peak[0] > r.Peak[1] || r.Peak[0] > r.Peak[2]) {
		c.wrong("got peaks of %v KB: the first must be the least", r.Peak)
	}
	if r.memory > 0 && r.Layout == "classic" && r.ListedBytes+r.RestBytes != r.Bytes {
		c.wrong("got %d bytes listed and %d more, want %d", r.ListedBytes, r.RestBytes, r.Bytes)
	}
	if s := r.Section("Outputs"); s != nil {
		sum := s.Rest
		for _, row := range s.Rows {
			sum += row.Percent
		}
		if len(s.Rows) > 0 && sum > 0 && math.Abs(sum-100) > 0.06*float64(len(s.Rows)+2) {
			c.wrong("Outputs: rows add up to %.2f%%, want 100%%", sum)
		}
	}
}
