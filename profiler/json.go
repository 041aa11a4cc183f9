package profiler

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// jsonVersion changes when a field changes its meaning.
const jsonVersion = 2

// Stats as JSON: the fields, with a version in front.
type statsJSON struct {
	Version int `json:"version"`
	*statsFields
}

// statsFields has the fields of Stats without its methods.
type statsFields Stats

// MarshalJSON writes a snapshot of s; null if s is nil. All numbers are finite.
func (s *Stats) MarshalJSON() ([]byte, error) {
	if s == nil {
		return []byte("null"), nil
	}
	return json.Marshal(statsJSON{jsonVersion, (*statsFields)(s.Clone())})
}

// UnmarshalJSON replaces s by what MarshalJSON wrote, after checking that it hangs together.
func (s *Stats) UnmarshalJSON(data []byte) error {
	var read Stats
	in := statsJSON{statsFields: (*statsFields)(&read)}
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	if in.Version == 0 {
		return fmt.Errorf("profile: got JSON without a version, want what p.save(\"file.anprof\") writes")
	}
	if in.Version != jsonVersion {
		return fmt.Errorf("profile: got version %d, want %d: another Arignote wrote it", in.Version, jsonVersion)
	}
	if err := read.check(); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	for _, f := range read.Functions {
		read.namePlainly(f)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Name, s.Memory, s.NoNodes, s.Split, s.Warmup, s.ClockCost = read.Name, read.Memory, read.NoNodes, read.Split, read.Warmup,
		read.ClockCost
	s.Globals, s.Functions, s.globals, s.clock = read.Globals, read.Functions, nil, nil
	s.Machine, s.Usage, s.Flags, s.Sources, s.Cell = read.Machine, read.Usage, read.Flags, read.Sources, read.Cell
	s.meter.read = nil
	s.meter.begun.Store(false)
	return nil
}

// ReadJSON reads a profile.
func ReadJSON(r io.Reader) (*Stats, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	s := new(Stats)
	if err := s.UnmarshalJSON(data); err != nil {
		return nil, err
	}
	return s, nil
}

// check finds what would break the reports: they trust the model.
func (s *Stats) check() error {
	if !plausible(s.ClockCost) {
		return fmt.Errorf("got a clock cost of %g", s.ClockCost)
	}
	if err := errors.Join(s.Machine.check(), s.Usage.check(), s.Cell.check()); err != nil {
		return err
	}
	return checkAll(s.Functions, 0)
}

// maxNesting bounds the functions inside nodes: no program nests loops as deep.
const maxNesting = 32

func checkAll(functions []*Function, depth int) error {
	if depth > maxNesting {
		return fmt.Errorf("got functions nested more than %d deep", maxNesting)
	}
	for i, f := range functions {
		if f == nil {
			return fmt.Errorf("function %d is missing", i)
		}
		if err := f.check(depth); err != nil {
			return fmt.Errorf("function %d: %w", i, err)
		}
	}
	return nil
}

func (m *Machine) check() error {
	if m == nil {
		return nil
	}
	return errors.Join(m.Roof.check(), m.Serial.check())
}

func (f *Function) check(depth int) error {
	if f.Calls < 0 || f.Runs < 0 || f.Untraced < 0 || f.Untraced > f.Runs || f.Unmeasured < 0 || f.Unmeasured > f.Calls || f.Failed < 0 || f.Ignored < 0 || min(f.Slow, f.LoopSlow) < 0 || !plausible(f.SlowTime, f.LoopSlowTime, f.CallTime, f.CallMin, f.CallMax, f.RunTime,
		f.FailedTime, f.FirstCall) {
		return fmt.Errorf("got negative or huge counts or times")
	}
	variables := 0
	for i, n := range f.Nodes {
		if n == nil {
			return fmt.Errorf("node %d is missing", i)
		}
		if n.ID != i {
			return fmt.Errorf("node %d has id %d", i, n.ID)
		}
		variables += len(n.In) + len(n.Out)
	}
	for _, run := range f.Trace {
		if len(run.Ends) != len(f.Nodes) || !plausible(run.Start) || !plausible(run.Ends...) {
			return fmt.Errorf("got a trace of a run that does not fit its nodes")
		}
	}
	if err := f.checkShapes(); err != nil {
		return err
	}
	if f.Variables < 0 || f.Variables > variables+len(f.Results) {
		return fmt.Errorf("got %d variables, want at most %d", f.Variables, variables+len(f.Results))
	}
	known := func(list []int) bool {
		for _, v := range list {
			if v < 0 || v >= f.Variables {
				return false
			}
		}
		return true
	}
	made := make([]bool, f.Variables)
	for i, n := range f.Nodes {
		if err := n.check(); err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
		if err := checkAll(n.Inner, depth+1); err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
		if !known(n.In) || !known(n.Out) {
			return fmt.Errorf("node %d: got an unknown variable", i)
		}
		for _, v := range n.Out {
			if made[v] {
				return fmt.Errorf("node %d makes a variable that another node made", i)
			}
			made[v] = true
		}
	}
	if !known(f.Results) || !known(f.Inputs) || !known(f.Shared) || !known(f.Constants) || !known(f.Changed) {
		return fmt.Errorf("got an unknown result, input, shared variable or constant")
	}
	if o := f.Lowest; o != nil && slices.ContainsFunc(o.Nodes, func(i int) bool { return i < 0 || i >= len(f.Nodes) }) {
		return fmt.Errorf("got an order of unknown nodes")
	}
	if m := f.Real; m != nil && (m.PeakNode < 0 || m.PeakNode >= max(len(f.Nodes), 1) || min(m.Peak, m.Held, m.Results, m.Workspace) < 0) {
		return fmt.Errorf("got memory of %+v", *m)
	}
	return nil
}

func (n *Node) check() error {
	if n.Workspace < 0 || n.Calls < 0 || n.Counted < 0 || n.Counted > n.Calls || n.Slow < 0 || n.Slow > n.Calls || !plausible(n.Time, n.SlowTime, n.Min, n.Max, n.Flops, n.BytesRead,
		n.BytesWritten, n.Allocated) {
		return fmt.Errorf("got negative or huge counts or times")
	}
	if n.Calls == 0 && n.Time > 0 {
		return fmt.Errorf("got a time of %g ns of no calls", n.Time)
	}
	if n.Min > n.Max {
		return fmt.Errorf("got a shortest time of %g above the longest of %g", n.Min, n.Max)
	}
	for _, p := range n.Parts {
		if !(p.Share >= 0 && p.Share <= 1) {
			return fmt.Errorf("got a share of %g", p.Share)
		}
	}
	for _, list := range [][]Alias{n.Views, n.Destroys} {
		for _, a := range list {
			if a.In < 0 || a.In >= len(n.In) || a.Out < 0 || a.Out >= len(n.Out) {
				return fmt.Errorf("got an alias of output %d and input %d, want less than %d and %d", a.Out, a.In, len(n.Out),
					len(n.In))
			}
		}
	}
	return errors.Join(checkOperands(n.Inputs), checkOperands(n.Outputs))
}

func checkOperands(list []Operand) error {
	for _, o := range list {
		if o.ItemSize < 0 || o.ItemSize > 1<<16 {
			return fmt.Errorf("got elements of %d bytes", o.ItemSize)
		}
		for _, d := range o.Shape {
			if d < 0 {
				return fmt.Errorf("got a length of %d", d)
			}
		}
	}
	return nil
}

// plausible numbers can be added up without becoming infinite.
func plausible(numbers ...float64) bool {
	for _, v := range numbers {
		if !(v >= 0) || v > math.MaxFloat64/1e12 {
			return false
		}
	}
	return true
}
