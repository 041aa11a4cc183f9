package profiler

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/tensor"
)

// Shapes are the calls of a function whose inputs had the same shapes. Times are nanoseconds. The
// calls and times of all Shapes add up to the calls and times of the function and its nodes.
type Shapes struct {
	// Inputs are the arguments and then the shared variables, as far as nodes read them; nil stands
	// for all other shapes.
	Inputs []Operand `json:"inputs,omitempty"`
	Calls  int64     `json:"calls"`
	Time   float64   `json:"ns"` // of the calls: Outside, Loop and Nodes
	Runs   int64     `json:"runs"`
	// Outside is what calls took beside their runs, Loop what runs took beside their nodes.
	Outside float64 `json:"outside_ns"`
	Loop    float64 `json:"loop_ns"`
	// Of calls and runs that took much longer than the others of these shapes, as in Function.
	Slow         int64        `json:"slow,omitempty"`
	SlowTime     float64      `json:"slow_ns,omitempty"`
	LoopSlow     int64        `json:"loop_slow,omitempty"`
	LoopSlowTime float64      `json:"loop_slow_ns,omitempty"`
	Nodes        []ShapesNode `json:"nodes"` // by node of the function
	over         float64      // of a steady profile: what was measured more than Time
}

// A ShapesNode is the part of a Node's calls that had these shapes.
type ShapesNode struct {
	Calls    int64   `json:"calls"`
	Time     float64 `json:"ns"`
	Slow     int64   `json:"slow,omitempty"`
	SlowTime float64 `json:"slow_ns,omitempty"`
}

func cloneShapes(list []Shapes) []Shapes {
	list = slices.Clone(list)
	for i := range list {
		list[i].Nodes = slices.Clone(list[i].Nodes)
	}
	return list
}

// steadyNode is by how much less time node i takes without slow calls, and its Shapes.
func (f *Function) steadyNode(i int) (over float64) {
	n := f.Nodes[i]
	if f.Shapes == nil {
		return excess(n.Slow, n.SlowTime, n.Calls, n.Time)
	}
	for k := range f.Shapes {
		m := &f.Shapes[k].Nodes[i]
		less := excess(m.Slow, m.SlowTime, m.Calls, m.Time)
		m.Time -= less
		over += less
	}
	return over
}

// steadyCalls is by how much less time runs take beside their nodes, which take loop, and calls
// beside their runs, which take outside.
func (f *Function) steadyCalls(loop, outside float64) (lessLoop, lessOutside float64) {
	if f.Shapes == nil {
		return excess(f.LoopSlow, f.LoopSlowTime, f.Runs, loop), excess(f.Slow, f.SlowTime, f.Calls, outside)
	}
	for k := range f.Shapes {
		s := &f.Shapes[k]
		inLoop, beside := excess(s.LoopSlow, s.LoopSlowTime, s.Runs, s.Loop), excess(s.Slow, s.SlowTime, s.Calls, s.Outside)
		s.Loop, s.Outside = s.Loop-inLoop, s.Outside-beside
		lessLoop, lessOutside = lessLoop+inLoop, lessOutside+beside
	}
	return min(lessLoop, loop), min(lessOutside, outside)
}

// divideTimes makes the times of Shapes add up to the times of the function and its nodes. Sums are
// rounded, and what an inner loop leaves out is known for all calls together: each of Shapes gets
// its share of the difference.
func (f *Function) divideTimes() {
	if f.Shapes == nil {
		return
	}
	thunks := f.ThunkTime()
	part := func(all float64, of func(s *Shapes) (ns *float64, calls int64)) {
		var sum float64
		var calls int64
		for k := range f.Shapes {
			ns, n := of(&f.Shapes[k])
			sum, calls = sum+*ns, calls+n
		}
		for k := range f.Shapes {
			if ns, n := of(&f.Shapes[k]); sum > 0 {
				*ns *= all / sum
			} else {
				*ns = all * units.Ratio(float64(n), float64(calls))
			}
		}
	}
	part(f.CallTime-max(f.RunTime, thunks), func(s *Shapes) (*float64, int64) { return &s.Outside, s.Calls })
	part(max(f.RunTime-thunks, 0), func(s *Shapes) (*float64, int64) { return &s.Loop, s.Runs })
	for i, n := range f.Nodes {
		part(n.Time, func(s *Shapes) (*float64, int64) { return &s.Nodes[i].Time, s.Nodes[i].Calls })
	}
	for k := range f.Shapes {
		s := &f.Shapes[k]
		before := s.Time
		s.Time = s.Outside + s.Loop
		for _, n := range s.Nodes {
			s.Time += n.Time
		}
		s.over += max(before-s.Time, 0)
	}
}

// scaleShapes multiplies counts and times: the traced runs of a loop's step are a sample of all.
func scaleShapes(list []Shapes, scale float64) {
	if len(list) == 0 {
		return
	}
	to := func(counts func(s *Shapes) *int64) { // the sum is rounded, not each count
		var sum, done int64
		for k := range list {
			c := counts(&list[k])
			sum += *c
			upTo := int64(math.Round(float64(sum) * scale))
			*c, done = upTo-done, upTo
		}
	}
	to(func(s *Shapes) *int64 { return &s.Runs })
	for i := range list[0].Nodes {
		to(func(s *Shapes) *int64 { return &s.Nodes[i].Calls })
		to(func(s *Shapes) *int64 { return &s.Nodes[i].Slow })
	}
	for k := range list {
		s := &list[k]
		s.Calls = s.Runs
		s.Outside, s.Loop = s.Outside*scale, s.Loop*scale
		for i := range s.Nodes {
			n := &s.Nodes[i]
			n.Slow = min(n.Slow, n.Calls)
			n.Time, n.SlowTime = n.Time*scale, n.SlowTime*scale
		}
	}
}

// checkShapes refuses what does not fit the function.
func (f *Function) checkShapes() error {
	for k, s := range f.Shapes {
		if len(s.Nodes) != len(f.Nodes) {
			return fmt.Errorf("shapes %d: got %s, want %d", k, units.Plural(int64(len(s.Nodes)), "node"), len(f.Nodes))
		}
		if min(s.Calls, s.Runs, s.Slow, s.LoopSlow) < 0 || !plausible(s.Time, s.Outside, s.Loop, s.SlowTime, s.LoopSlowTime) {
			return fmt.Errorf("shapes %d: got negative or huge counts or times", k)
		}
		for i, n := range s.Nodes {
			if n.Calls < 0 || n.Slow < 0 || n.Slow > n.Calls || !plausible(n.Time, n.SlowTime) {
				return fmt.Errorf("shapes %d: node %d: got negative or huge counts or times", k, i)
			}
		}
		if err := checkOperands(s.Inputs); err != nil {
			return fmt.Errorf("shapes %d: %w", k, err)
		}
	}
	return nil
}

// A ShapeRow is a line of the table of the shapes with which functions were called.
type ShapeRow struct {
	Function string
	Name     string // "(20, 50) (50,)": of the arguments, and of the shared variables that differ
	Calls    int64
	Time     float64 // nanoseconds
	PerCall  float64
	Fraction float64 // of the time of the function's calls
	Over     float64 // nanoseconds of a steady profile that were measured more than Time
}

// otherShapes is the name of calls whose shapes have no row of their own.
const otherShapes = "all other shapes"

// ShapeRows computes the table of shapes: of each function that was called with several, the most
// expensive first.
func (s *Stats) ShapeRows() []ShapeRow {
	if s == nil {
		return nil
	}
	var rows []ShapeRow
	for _, f := range s.Functions {
		var own []ShapeRow
		for _, sh := range f.Shapes {
			own = append(own, ShapeRow{Function: f.Title(), Name: f.shapesName(sh), Calls: sh.Calls, Time: sh.Time,
				PerCall: units.Ratio(sh.Time, float64(sh.Calls)), Fraction: units.Ratio(sh.Time, f.CallTime), Over: sh.over})
		}
		slices.SortStableFunc(own, func(a, b ShapeRow) int { return cmp.Compare(b.Time, a.Time) })
		rows = append(rows, own...)
	}
	return rows
}

// shapesName lists the shapes of the arguments, and of the shared variables that do not always have
// the same.
func (f *Function) shapesName(s Shapes) string {
	if s.Inputs == nil {
		return otherShapes
	}
	arguments := 0
	for _, v := range f.Inputs {
		if slices.ContainsFunc(f.Nodes, func(n *Node) bool { return slices.Contains(n.In, v) }) {
			arguments++
		}
	}
	var list []string
	for k, o := range s.Inputs {
		differs := func(t Shapes) bool { return k < len(t.Inputs) && !slices.Equal(t.Inputs[k].Shape, o.Shape) }
		if k < arguments || slices.ContainsFunc(f.Shapes, differs) {
			list = append(list, tensor.ShapeString(o.Shape))
		}
	}
	return strings.Join(list, " ")
}

// LeftOut says what the time of a row of a steady profile does not have, "" if it is little.
func (r ShapeRow) LeftOut() string {
	if units.Ratio(r.Over, r.Time) <= notableInRow {
		return ""
	}
	return units.Human(units.Times, r.Over) + " of " + units.Human(units.Times, r.Over+r.Time) + " measured: left out"
}
