package advice

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

// minGain is the part of the time that a change must save to be advised.
const minGain = 0.05

// An Advice is a change that saves time.
type Advice struct {
	Rule  *Rule
	File  string // of the line to change
	Line  int
	Cause string  // what was seen there
	Write string  // what to write instead, in the imperative
	Gain  float64 // nanoseconds that it is expected to save
	Of    float64 // nanoseconds of which that is a part: the wall time of a cell, or the calls
}

// Place is file:line, the file without its folder.
func (a Advice) Place() string {
	return units.Tail(units.OneLine(path.Base(a.File)), 60) + ":" + strconv.Itoa(a.Line)
}

// Saves says what the change is expected to save: "about 50.0 ms of 100 ms (50 %)".
func (a Advice) Saves() string {
	return fmt.Sprintf("about %s of %s (%s)", units.Human(units.Times, a.Gain), units.Human(units.Times, a.Of), units.Share(units.Ratio(a.Gain, a.Of)))
}

// String is the advice as a sentence, from the line to the gain.
func (a Advice) String() string {
	return fmt.Sprintf("%s: %s; %s: saves %s [%s]", a.Place(), a.Cause, a.Write, a.Saves(), a.Rule.ID)
}

// A Rule is a kind of change.
type Rule struct {
	ID    string // "function-in-loop"
	Title string // of its chapter
	Doc   string // why it is slow, and what the prediction is made of
	Slow  string // a program for which it speaks
	Fast  string // the same with the change, for which it does not
	find  func(f *finder)
}

// Rules are all rules, those about cells first.
var Rules = slices.Concat(cellRules, nodeRules)

// nodeRules look at compiled functions: at their nodes, at what rewrites said of them, and at their
// calls.
var nodeRules = slices.Concat(functionRules, declinedRules, shapeRules)

// Of is the advice for a profile as it was measured, the most gain first; of a steady one, gains
// lack the interruptions that go with the work. A line has at most one of each rule.
func Of(s *profiler.Stats) []Advice {
	if s == nil {
		return nil
	}
	measured := s.Clone()
	f := &finder{Stats: measured.Steady(), of: calls(measured), texts: make(map[string][]string)}
	if f.Cell.Sampled() {
		f.of = float64(f.Cell.Wall)
	}
	f.look(cellRules, 1)
	if steady := calls(f.Stats); steady > 0 {
		f.look(nodeRules, calls(measured)/steady)
	}
	f.all = slices.DeleteFunc(f.all, func(a Advice) bool { return a.Gain < minGain*f.of })
	slices.SortStableFunc(f.all, func(a, b Advice) int { return cmp.Compare(b.Gain, a.Gain) })
	return f.all
}

// finder collects the advice for a profile.
type finder struct {
	*profiler.Stats
	of   float64 // the time of which gains are a part
	rule *Rule   // that looks
	// stretch is how much longer calls took than steady ones: interruptions are in the wall time,
	// and a call of half the time has half of them.
	stretch float64
	all     []Advice
	texts   map[string][]string // the lines of files and cells
	cell    []profiler.CellLine // see cellLines
}

// cellLines are the cell's lines, found once.
func (f *finder) cellLines() []profiler.CellLine {
	if f.cell == nil {
		f.cell = f.Cell.Lines()
	}
	return f.cell
}

// look applies rules.
func (f *finder) look(rules []Rule, stretch float64) {
	f.stretch = stretch
	for i := range rules {
		f.rule = &rules[i]
		f.rule.find(f)
	}
}

// calls is the time of all calls of compiled functions.
func calls(s *profiler.Stats) (sum float64) {
	for _, g := range s.Functions {
		sum += g.CallTime
	}
	return sum
}

// say advises a change of a line. What a rule says of one line again adds to the gain.
func (f *finder) say(file string, line int, gain float64, cause, write string) {
	if line <= 0 || f.of <= 0 {
		return
	}
	gain = min(gain*f.stretch, f.of)
	for i := range f.all {
		if a := &f.all[i]; a.Rule == f.rule && a.File == file && a.Line == line {
			a.Gain = min(a.Gain+gain, f.of)
			return
		}
	}
	f.all = append(f.all, Advice{Rule: f.rule, File: file, Line: line, Cause: cause, Write: write, Gain: gain, Of: f.of})
}
