package profiler

import (
	"math"
	"slices"

	"github.com/arignote/arignote/profiler/clock"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/tensor"
)

// Calls counts the calls of a compiled function that has no profile, at so little cost that it is
// always done: a call counts, and of long ones each, of short ones a few are measured by two
// readings of the clock and stand for those before them. The shapes of the arguments are those
// of the measured calls.
//
// They are told by cell and all together. A nil *Calls counts nothing.
type Calls struct {
	Cell  int64 // the number of the cell that counts
	cell  callCounts
	total callCounts // of the cells before

	sample exec.Sample
	passed int64   // calls since the last one that was measured
	mean   float64 // of the last ones measured, in nanoseconds
	tick   float64
	given  int // the shapes of the call that is being measured: an index of cell.shapes
}

// callCounts are calls that were counted. Times are nanoseconds.
type callCounts struct {
	calls, measured, failed int64
	time, failedTime        float64
	min, max                float64
	hist                    Histogram
	shapes                  []countedShapes
}

// countedShapes are the calls whose arguments had the same shapes.
type countedShapes struct {
	inputs []Operand // nil: all other shapes
	calls  int64
	time   float64
}

// Of short calls as few are measured as take one part in countShare of their time, but none stands
// for more than one part in standShare of the calls of the cell: those of a cell that makes few may
// each have other shapes. countNS is what measuring one takes.
const (
	standShare = 8
	countShare = 1000
	countNS    = 100
	maxCounted = 8 // shapes that are told apart
)

// NewCalls counts the calls of a function.
func NewCalls() *Calls {
	return &Calls{tick: clock.Tick(), sample: exec.Sample{Share: countShare}}
}

// Begin counts a call that begins, and returns the clock if it is to be measured; else 0.
func (c *Calls) Begin() int64 {
	if c == nil {
		return 0
	}
	if !c.sample.Due() && standShare*c.passed < c.cell.calls {
		c.passed++
		return 0
	}
	return clock.Now()
}

// Given notes the arguments of a call that is measured since start.
func (c *Calls) Given(start int64, values []*tensor.Dense) {
	if start != 0 {
		c.given = c.cell.shapesOf(values)
	}
}

// End ends a call that Begin returned start for.
func (c *Calls) End(start int64, err error) {
	switch {
	case c == nil, start == 0 && err == nil:
	case err != nil:
		c.fail(start)
	default:
		c.measure(float64(clock.Now()-start) * c.tick)
	}
}

func (c *Calls) fail(start int64) {
	c.cell.failed++
	if start == 0 {
		c.passed--
		return
	}
	c.cell.failedTime += float64(clock.Now()-start) * c.tick
	c.sample.Hurry()
}

// measure adds a call that took ns, and those before it that were not measured. One that was
// interrupted, or did what others do not, stands for itself alone.
func (c *Calls) measure(ns float64) {
	ns = max(ns, MinNodeTime)
	if c.passed > 0 && ns > slowFactor*c.mean {
		c.stand()
	}
	calls := 1 + c.passed
	c.passed = 0
	follow(&c.mean, ns)
	c.cell.measured++
	c.cell.add(ns, calls, c.given)
	c.sample.Traced(int64(ns), countNS)
}

// stand adds the calls that were not measured, as the last measured ones were.
func (c *Calls) stand() {
	if c.passed > 0 {
		c.cell.add(max(c.mean, MinNodeTime), c.passed, c.given)
		c.passed = 0
	}
}

func (n *callCounts) add(ns float64, calls int64, shapes int) {
	if n.calls == 0 || ns < n.min {
		n.min = ns
	}
	n.max = max(n.max, ns)
	n.calls += calls
	n.time += ns * float64(calls)
	n.hist = n.hist.with(ns, calls)
	if shapes < len(n.shapes) {
		n.shapes[shapes].calls += calls
		n.shapes[shapes].time += ns * float64(calls)
	}
}

// shapesOf is the index of the shapes that values have.
func (n *callCounts) shapesOf(values []*tensor.Dense) int {
	i := slices.IndexFunc(n.shapes, func(s countedShapes) bool { return s.are(values) })
	switch {
	case i >= 0:
		return i
	case len(n.shapes) == maxCounted:
		n.shapes = append(n.shapes, countedShapes{})
		return maxCounted
	case len(n.shapes) > maxCounted:
		return maxCounted
	}
	inputs := []Operand{}
	for _, a := range values {
		o := Operand{}
		if a != nil {
			o = Operand{DType: a.DType().String(), ItemSize: a.DType().Size(), Shape: slices.Clone(a.Shape())}
		}
		inputs = append(inputs, o)
	}
	n.shapes = append(n.shapes, countedShapes{inputs: inputs})
	return len(n.shapes) - 1
}

func (s countedShapes) are(values []*tensor.Dense) bool {
	if s.inputs == nil || len(s.inputs) != len(values) {
		return false
	}
	for i, a := range values {
		if a != nil && !slices.Equal(s.inputs[i].Shape, a.Shape()) {
			return false
		}
	}
	return true
}

// Enter has the calls be counted for another cell from now on.
func (c *Calls) Enter(cell int64) {
	c.stand()
	c.total = c.all()
	c.Cell, c.cell, c.given = cell, callCounts{}, 0
}

// Reset forgets all calls. c may be nil.
func (c *Calls) Reset() {
	if c != nil {
		c.total, c.cell, c.passed, c.given = callCounts{}, callCounts{}, 0, 0
	}
}

// all is the calls of all cells.
func (c *Calls) all() callCounts {
	sum := c.total
	sum.hist = slices.Clone(sum.hist)
	sum.shapes = slices.Clone(sum.shapes)
	if c.cell.calls > 0 && (sum.calls == 0 || c.cell.min < sum.min) {
		sum.min = c.cell.min
	}
	sum.max = max(sum.max, c.cell.max)
	sum.calls, sum.measured, sum.failed = sum.calls+c.cell.calls, sum.measured+c.cell.measured, sum.failed+c.cell.failed
	sum.time, sum.failedTime = sum.time+c.cell.time, sum.failedTime+c.cell.failedTime
	for b, n := range c.cell.hist {
		if b >= len(sum.hist) {
			sum.hist = append(sum.hist, 0)
		}
		sum.hist[b] += min(n, math.MaxUint32-sum.hist[b])
	}
	for _, s := range c.cell.shapes {
		sum.include(s)
	}
	return sum
}

// include adds calls of some shapes.
func (n *callCounts) include(s countedShapes) {
	i := slices.IndexFunc(n.shapes, func(o countedShapes) bool {
		return (o.inputs == nil) == (s.inputs == nil) &&
			slices.EqualFunc(o.inputs, s.inputs, func(a, b Operand) bool { return slices.Equal(a.Shape, b.Shape) })
	})
	switch {
	case i < 0 && len(n.shapes) < maxCounted:
		n.shapes = append(n.shapes, s)
		return
	case i < 0 && len(n.shapes) == maxCounted:
		n.shapes = append(n.shapes, countedShapes{})
		fallthrough
	case i < 0:
		i = maxCounted
	}
	n.shapes[i].calls += s.calls
	n.shapes[i].time += s.time
}

// OfCell is the function with the calls of the running cell, without nodes.
func (c *Calls) OfCell(name, id string) *Function {
	c.stand()
	f := &Function{Name: name, ID: id}
	c.cell.fill(f)
	return f
}

// Called reports whether there were calls.
func (c *Calls) Called() bool {
	return c != nil && c.total.calls+c.total.failed+c.cell.calls+c.cell.failed+c.passed > 0
}

// Count has the profile's only function show the calls that c has counted when it is shown.
func (s *Stats) Count(c *Calls) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Counted, s.calls = true, c
	s.Functions[0].recorder = nil // no call is told to it
}

// fill gives a function all calls. c may be nil.
func (c *Calls) fill(f *Function) {
	if c != nil {
		c.stand()
		sum := c.all()
		sum.fill(f)
	}
}

// fill gives a function the calls. Shapes are told if there are several.
func (n *callCounts) fill(f *Function) {
	f.Calls, f.CallTime, f.CallMin, f.CallMax = n.calls, n.time, n.min, n.max
	f.Unmeasured, f.Failed, f.FailedTime = n.calls-n.measured, n.failed, n.failedTime
	f.CallHist, f.Shapes = n.hist.trimmed(), nil
	shapes := slices.DeleteFunc(slices.Clone(n.shapes), func(s countedShapes) bool { return s.calls == 0 })
	if len(shapes) < 2 {
		return
	}
	for _, s := range shapes {
		f.Shapes = append(f.Shapes, Shapes{Inputs: s.inputs, Calls: s.calls, Time: s.time, Outside: s.time, Nodes: make([]ShapesNode, len(f.Nodes))})
	}
}
