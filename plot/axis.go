package plot

import (
	"math"
	"slices"

	"github.com/arignote/arignote/plot/ticks"
)

// An Axis maps numbers of one direction to the page.
type Axis struct {
	axes       *Axes
	Horizontal bool

	Lo, Hi   float64 // limits; Lo > Hi where the axis is inverted
	Fixed    bool    // they were set, and do not follow the data
	held     bool    // they are an image's until something else is drawn
	Inverted bool    // of limits that follow the data
	Log      bool
	Margin   float64 // part of the data's extent that is left free on each side

	Label     Label
	At        []float64 // where ticks stand; nil: the numbers decide
	AtSet     bool
	Names     []string  // their texts
	NamesSet  bool      // Names are used even if there are none
	MinorAt   []float64 // ticks without numbers that were asked for
	Format    func(x float64, i int) string
	Common    string // the text at the end of the axis, beside ticks that Format writes
	Number    ticks.Options
	Rule      ticks.Rule // Most is 0: as many intervals as have room
	Step      float64    // the ticks are its multiples; 0: as Rule says
	MinorStep float64    // of the short ticks
	Minor     bool       // short ticks between

	Grid    Grid
	NoTicks bool // neither ticks nor numbers
	NoNames bool // ticks without numbers, as the inner ones of shared axes
	Far     bool // ticks are at the top or right
	Both    bool // ticks on both sides
	Ticks   TickStyle

	Categories []string // texts that were given for numbers, each its own
	shared     *group
}

// A Grid is lines across the axes at the ticks.
type Grid struct {
	On, Minor bool
	Pen       Pen
}

// A TickStyle is how ticks look.
type TickStyle struct {
	Length, Width, Pad, Size, Rotation float64
	Color, LabelColor                  Color
	Direction                          string // out, in, inout
	Align                              string // of rotated labels: "", left, right, center
	NoMarks                            bool
	NoStart                            bool // none on the usual side
}

// A group is axes that have their limits in common.
type group struct{ axes []*Axis }

func newAxis(a *Axes, horizontal bool) *Axis {
	s := a.Figure.Style
	x := &Axis{axes: a, Horizontal: horizontal, Lo: 0, Hi: 1, Margin: s.Margin, Minor: s.MinorTicks}
	x.Ticks = TickStyle{Length: 3.5, Width: s.TickWidth, Pad: 3.5, Size: s.Size * s.tickSize(), Color: s.TickColor, LabelColor: s.TickColor, Direction: s.TickDirection}
	if s.NoTickMarks {
		x.Ticks.NoMarks = true
	}
	x.Grid.Pen = s.GridPen
	return x
}

// Share makes the axis have the limits of another.
func (x *Axis) Share(with *Axis) {
	if with.shared == nil {
		with.shared = &group{axes: []*Axis{with}}
	}
	x.shared = with.shared
	x.shared.axes = append(x.shared.axes, x)
	x.Lo, x.Hi, x.Fixed, x.Log, x.Inverted, x.Categories = with.Lo, with.Hi, with.Fixed, with.Log, with.Inverted, with.Categories
}

// group are the axes that have the same limits.
func (x *Axis) group() []*Axis {
	if x.shared == nil {
		return []*Axis{x}
	}
	return x.shared.axes
}

// Set sets the limits, for good.
func (x *Axis) Set(lo, hi float64) {
	for _, y := range x.group() {
		y.set(lo, hi)
	}
}

func (x *Axis) set(lo, hi float64) { x.Lo, x.Hi, x.Fixed, x.Inverted = lo, hi, true, lo > hi }

// Hold sets limits that do not hinder others to follow the data: of an image, until something else
// is drawn.
func (x *Axis) Hold(lo, hi float64) {
	if x.Fixed {
		return
	}
	for _, y := range x.group() {
		y.set(lo, hi)
		y.Fixed, y.held = false, true
	}
}

// Free lets the limits follow the data again.
func (x *Axis) Free() {
	for _, y := range x.group() {
		y.Fixed, y.held = false, false
	}
}

// Invert swaps the ends of the axis.
func (x *Axis) Invert() {
	for _, y := range x.group() {
		y.Inverted = !y.Inverted
		y.Lo, y.Hi = y.Hi, y.Lo
	}
}

// SetLog makes the axis logarithmic, or linear.
func (x *Axis) SetLog(log bool) {
	for _, y := range x.group() {
		y.Log = log
	}
}

// Category is the number that a text stands for.
func (x *Axis) Category(text string) float64 {
	i := slices.Index(x.Categories, text)
	if i < 0 {
		i = len(x.Categories)
		for _, y := range x.group() {
			y.Categories = append(slices.Clip(y.Categories), text)
		}
	}
	return float64(i)
}

// Fraction is where a number lies on the axis, 0 at its beginning and 1 at its end.
func (x *Axis) Fraction(v float64) float64 {
	lo, hi := x.Lo, x.Hi
	if x.Log {
		if v <= 0 {
			return math.Inf(-1)
		}
		v, lo, hi = math.Log10(v), math.Log10(lo), math.Log10(hi)
	}
	if hi == lo {
		return 0.5
	}
	return (v - lo) / (hi - lo)
}

// Value is the number at a fraction of the axis.
func (x *Axis) Value(f float64) float64 {
	if x.Log {
		lo, hi := math.Log10(x.Lo), math.Log10(x.Hi)
		return math.Pow(10, lo+f*(hi-lo))
	}
	return x.Lo + f*(x.Hi-x.Lo)
}

// A Tick is a place with a text.
type Tick struct {
	At    float64
	Text  string
	Minor bool
}

// TicksOf are the ticks of an axis of a length in points, and what their texts have in common.
func (x *Axis) TicksOf(length float64) (list []Tick, common string) {
	if x.NoTicks {
		return nil, ""
	}
	lo, hi := min(x.Lo, x.Hi), max(x.Lo, x.Hi)
	major, minor := x.places(lo, hi, length)
	shown := ticks.Within(major, lo, hi)
	texts, common := x.texts(major, lo, hi)
	for i, t := range major {
		if slices.Contains(shown, t) {
			list = append(list, Tick{At: t, Text: texts[i]})
		}
	}
	for _, t := range ticks.Within(minor, lo, hi) {
		if !slices.Contains(shown, t) {
			text := ""
			if x.Log && x.Format == nil && !x.AtSet {
				text = ticks.LogMinorLabel(t, lo, hi)
			}
			list = append(list, Tick{t, text, true})
		}
	}
	return list, common
}

// Room is how many intervals between ticks an axis of a length in points has room for.
func (x *Axis) Room(length float64) int {
	if x.Rule.Most > 0 {
		return x.Rule.Most
	}
	wide := 2.0
	if x.Horizontal {
		wide = 3
	}
	return min(max(int(length/(max(x.Ticks.Size, 1)*wide)), 1), 9)
}

func (x *Axis) places(lo, hi, length float64) (major, minor []float64) {
	switch {
	case x.AtSet:
		major = x.At
	case len(x.Categories) > 0:
		for i := range x.Categories {
			major = append(major, float64(i))
		}
	case x.Log:
		return ticks.Log(lo, hi, max(x.Room(length), 2))
	case x.Step > 0 && (hi-lo)/x.Step < 1000:
		major = multiples(x.Step, lo, hi)
	default:
		rule := x.Rule
		rule.Most, rule.Least = x.Room(length), max(rule.Least, 2)
		major = rule.Linear(lo, hi)
	}
	if x.Minor && len(major) > 1 && !x.AtSet && len(x.Categories) == 0 {
		minor = between(major)
	}
	if x.MinorAt != nil {
		minor = x.MinorAt
	} else if x.MinorStep > 0 && (hi-lo)/x.MinorStep < 1000 {
		minor = multiples(x.MinorStep, lo, hi)
	} else if x.AtSet && x.Log {
		_, minor = ticks.Log(lo, hi, max(x.Room(length), 2))
	}
	return major, minor
}

// multiples are the multiples of a step from lo to hi.
func multiples(step, lo, hi float64) []float64 {
	var out []float64
	first := math.Ceil(lo/step - 1e-9)
	for i := 0.0; i <= (hi-lo)/step+1; i++ { // next to a large number there is no +1
		if at := (first + i) * step; at <= hi+1e-9*step {
			out = append(out, at)
		}
	}
	return slices.Compact(out)
}

// between are the places that part the intervals of evenly spaced ticks into four or five.
func between(major []float64) []float64 {
	step := major[1] - major[0]
	parts := 4
	switch first := step / math.Pow(10, math.Floor(math.Log10(step))); math.Round(first * 10) {
	case 10, 25, 50, 100:
		parts = 5
	}
	var out []float64
	for _, t := range major[:len(major)-1] {
		for k := 1; k < parts; k++ {
			out = append(out, t+step*float64(k)/float64(parts))
		}
	}
	return out
}

func (x *Axis) texts(at []float64, lo, hi float64) (texts []string, common string) {
	texts = make([]string, len(at))
	switch {
	case x.NoNames:
	case x.Names != nil || x.NamesSet:
		copy(texts, x.Names)
	case x.Format != nil:
		for i, t := range at {
			texts[i] = x.Format(t, i)
		}
		return texts, x.Common
	case len(x.Categories) > 0:
		for i, t := range at {
			if k := int(math.Round(t)); k >= 0 && k < len(x.Categories) && math.Abs(t-float64(k)) < 1e-9 {
				texts[i] = x.Categories[k]
			}
		}
	case x.Log:
		for i, t := range at {
			if t > 0 {
				texts[i] = ticks.LogLabel(t)
			}
		}
	case len(at) > 0:
		return ticks.Labels(at, lo, hi, x.Number)
	}
	return texts, ""
}
