package profiler

import (
	"maps"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/history"
)

// Options of a Stats. The zero value profiles every node of every call, without memory.
type Options struct {
	Name string // what the reports call the profile ("Message")
	// Memory asks for the memory profile in reports (profile_memory). It is recorded in any case,
	// since operations and bytes need shapes.
	Memory bool
	// NoNodes measures calls only (profiling.time_thunks=False).
	NoNodes bool
	// Split measures what the steps of fused nodes take, which costs some time in each block of
	// short programs; else the time of such a node is divided as its steps are known to cost.
	Split bool
	// Every has every call traced, however short its nodes are, so that what is counted is of the
	// program alone: else clocks decide which calls are traced.
	Every bool
	// Warmup is how many of each function's first successful calls are left out; IgnoreFirstCall
	// leaves out one at least.
	Warmup          int
	IgnoreFirstCall bool
	// Events is how many nodes each function keeps the times of, run by run, for a trace. 0 keeps
	// none.
	Events int
	// Clock to read; nil is that of package profiler/clock.
	Clock *Clock
	// Globals, if not nil, is asked for the times of the whole process whenever a report is made.
	Globals func() Globals
	// Usage, if not nil, reads what the processors have done since some time, for the wall and CPU
	// time of the profile.
	Usage func() Usage
	// Flags in force, as name=value.
	Flags []string
}

// Globals are times of the whole process.
type Globals struct {
	Grad  time.Duration `json:"grad_ns"`  // in all calls of grad()
	Since time.Duration `json:"since_ns"` // since the process started
}

// Stats is a profile of one or more functions. Recorders add to it while other goroutines may
// render it: what works on the fields takes a Clone first, which alone has the nodes' times. A nil
// *Stats records nothing and renders as nothing.
type Stats struct {
	Name      string   `json:"name"`
	Memory    bool     `json:"memory,omitempty"`   // reports show operands and memory
	NoNodes   bool     `json:"no_nodes,omitempty"` // only calls were measured
	Counted   bool     `json:"counted,omitempty"`  // calls were counted only: see Calls
	Split     bool     `json:"split,omitempty"`    // fused nodes are divided as was measured, not as costs say
	Warmup    int      `json:"warmup,omitempty"`   // so many first calls of each function are left out
	ClockCost float64  `json:"clock_cost_ns"`
	Globals   *Globals `json:"globals,omitempty"` // set by Clone
	Machine   *Machine `json:"machine,omitempty"` // what the times were measured on, if it was asked for
	Usage     *Usage   `json:"usage,omitempty"`   // of the processors, from the first call to the last
	Cell      *Cell    `json:"cell,omitempty"`    // in which the functions were called, of the first profile of a cell's
	// Flags are those that differed from their defaults when the profile began, as name=value.
	Flags []string `json:"flags,omitempty"`
	// Sources are the texts of the files and cells that the origins of nodes name.
	Sources   map[string]string `json:"sources,omitempty"`
	Functions []*Function       `json:"functions,omitempty"`

	mu      sync.Mutex
	events  int
	clock   *Clock
	globals func() Globals
	meter   meter
	steady  bool    // it is one of Steady
	every   bool    // Options.Every
	calls   counter // of the only function, which has no recorder; nil: recorders tell of calls
}

// A counter has the calls of a function that no recorder is told of.
type counter interface {
	fill(f *Function)
	Reset()
}

// A Function is the profile of one compiled function. Times are nanoseconds.
type Function struct {
	Name string `json:"name"`
	// ID is of the compiled function: other profiles may have other calls of it, or the same. These
	// were recorded from some time after the program had started until some time.
	ID    string        `json:"id,omitempty"`
	Cell  string        `json:"cell,omitempty"` // the ID of that which made the calls, if known
	From  time.Duration `json:"from_ns,omitempty"`
	Until time.Duration `json:"until_ns,omitempty"`

	Calls    int64   `json:"calls"`
	CallTime float64 `json:"call_ns"` // of successful calls, from entering the function to leaving it
	CallMin  float64 `json:"call_min_ns"`
	CallMax  float64 `json:"call_max_ns"`
	Runs     int64   `json:"runs"`   // of the loop over the nodes; less than Calls if some calls were not traced
	RunTime  float64 `json:"run_ns"` // part of CallTime
	// Untraced runs are those of which only the calls were measured, each: their nodes took what
	// those of the traced ones between them took, of so long a call.
	Untraced int64 `json:"untraced,omitempty"`
	// Unmeasured calls are those of which nothing was measured, of very short ones: each took what
	// the next measured one took.
	Unmeasured int64   `json:"unmeasured,omitempty"`
	Failed     int64   `json:"failed,omitempty"`
	FailedTime float64 `json:"failed_ns,omitempty"`     // not part of CallTime
	Ignored    int64   `json:"ignored,omitempty"`       // first calls left out
	FirstCall  float64 `json:"first_call_ns,omitempty"` // the first successful call, left out or not

	CallHist Histogram `json:"call_histogram,omitempty"` // of the calls of CallTime
	// SlowTime is what so many calls, Slow, took beside their runs, much longer than the others
	// did: see Steady.
	Slow     int64   `json:"slow,omitempty"`
	SlowTime float64 `json:"slow_ns,omitempty"`
	// So of its runs, beside their nodes.
	LoopSlow     int64   `json:"loop_slow,omitempty"`
	LoopSlowTime float64 `json:"loop_slow_ns,omitempty"`

	Compile  history.Times  `json:"compile"`
	Rewrites []history.Pass `json:"rewrites,omitempty"`
	KeepAll  bool           `json:"keep_all,omitempty"` // intermediate results live until the end of a call

	Nodes     []*Node `json:"nodes,omitempty"`   // in the order in which they run
	Variables int     `json:"variables"`         // how many there are; nodes name them by number
	Results   []int   `json:"results,omitempty"` // the variables that are outputs or updates
	// The variables that no node makes, as far as nodes read them.
	Inputs    []int `json:"inputs,omitempty"`
	Shared    []int `json:"shared,omitempty"`
	Constants []int `json:"constants,omitempty"`
	// Changed are those of Shared that had another value than one of the calls: an update gave it,
	// of this or another function, or set_value.
	Changed []int `json:"changed,omitempty"`
	// Names are the user's, of these variables.
	Names  map[int]string `json:"names,omitempty"`
	Real   *RealMemory    `json:"memory,omitempty"`      // nil before the first call that ended well
	Lowest *Order         `json:"lowest_peak,omitempty"` // set by LowestPeak

	// Trace has the first traced runs one by one, as many as there was room for; see
	// Options.Events.
	Trace []RunTrace `json:"trace,omitempty"`

	// Shapes are the calls by the shapes of their inputs; nil if all had the same.
	Shapes []Shapes `json:"shapes,omitempty"`

	recorder *Recorder // that still adds to it; what its nodes' calls took is in a Clone only
	noted    int64     // calls that had ended by Until
}

// A Node is the profile of one Apply node. Times are nanoseconds of successful runs.
type Node struct {
	ID     int           `json:"id"`  // position in the order of its function
	Op     string        `json:"op"`  // "Elemwise{add,no_inplace}"
	Key    string        `json:"key"` // the op with all its parameters: nodes with the same Key have equal ops
	Class  string        `json:"class"`
	Text   string        `json:"text"` // the op and the names of its operands
	Impl   string        `json:"impl"` // "C", "Go" or "Starlark"
	Origin Origin        `json:"origin,omitzero"`
	Parts  []Part        `json:"parts,omitempty"` // of a node that stands for several; see Shares
	Thunk  time.Duration `json:"make_thunk_ns,omitempty"`

	Calls int64     `json:"calls"`
	Time  float64   `json:"ns"`
	Min   float64   `json:"min_ns"`
	Max   float64   `json:"max_ns"`
	Hist  Histogram `json:"histogram,omitempty"`
	// SlowTime is the part of Time of the calls, Slow, that took much longer than the others: see
	// Steady.
	Slow     int64   `json:"slow,omitempty"`
	SlowTime float64 `json:"slow_ns,omitempty"`
	over     float64 // of a steady profile: what was measured more than Time
	plain    string  // see Plain: of a Clone, and of a profile from a file

	// Idle says that the last run did not need the node: it is in a branch that was not taken.
	// Calls counts the runs that did.
	Idle bool `json:"idle,omitempty"`

	ItemSize int `json:"itemsize,omitempty"` // of the element type in which it computes
	// Counted calls of known shape made Flops floating point operations and moved these bytes, all
	// calls together. Views move none.
	Counted int64   `json:"counted,omitempty"`
	Flops   float64 `json:"flops,omitempty"`
	// The part of the flops that are functions such as exp, and the nanoseconds that their kernels
	// were measured to take on one thread for each of all flops.
	Functions  float64 `json:"functions,omitempty"`
	FunctionNS float64 `json:"function_ns,omitempty"`

	BytesRead    float64 `json:"bytes_read,omitempty"`
	BytesWritten float64 `json:"bytes_written,omitempty"`
	Allocated    float64 `json:"allocated,omitempty"` // bytes of memory that was new, all calls together
	Workspace    int64   `json:"workspace,omitempty"` // the most bytes that the node's kernels had for themselves at a time

	In       []int     `json:"in,omitempty"` // numbers of the variables
	Out      []int     `json:"out"`
	Views    []Alias   `json:"views,omitempty"`
	Destroys []Alias   `json:"destroys,omitempty"`
	Inputs   []Operand `json:"inputs,omitempty"` // of the last run; nil if they were not recorded
	Outputs  []Operand `json:"outputs,omitempty"`

	// Inner are the profiles of functions that the node runs: of a loop, that of its step. Their
	// times are part of the node's.
	Inner []*Function `json:"inner,omitempty"`
}

// An Alias says that an output of a node uses the memory of an input.
type Alias struct {
	Out int `json:"out"`
	In  int `json:"in"`
}

// An Operand describes an array that a node read or wrote.
type Operand struct {
	DType    string `json:"dtype"`
	ItemSize int    `json:"itemsize"`
	Shape    []int  `json:"shape,omitempty"`
	Strides  []int  `json:"strides,omitempty"` // bytes
	Offset   int    `json:"offset,omitempty"`  // bytes
}

// NewStats returns an empty profile.
func NewStats(opts Options) *Stats {
	clock := opts.Clock
	if clock == nil {
		clock = &processClock
	}
	warmup := opts.Warmup
	if opts.IgnoreFirstCall {
		warmup = max(warmup, 1)
	}
	return &Stats{
		Name: opts.Name, Memory: opts.Memory, NoNodes: opts.NoNodes, Split: opts.Split, Warmup: warmup,
		ClockCost: clock.Cost(), clock: clock, globals: opts.Globals, Flags: opts.Flags, events: opts.Events,
		meter: meter{read: opts.Usage}, every: opts.Every,
	}
}

// FunctionInfo is what Add has to know of a function.
type FunctionInfo struct {
	Name     string
	ID       string // of the compiled function; "" if nobody knows
	Program  *exec.Program
	Compile  history.Times
	Rewrites []history.Pass
	KeepAll  bool // as in exec.Options
}

// Now reads the clock of s, in ticks, for Recorder.Call.
func (s *Stats) Now() int64 {
	if s == nil || s.clock == nil {
		return processClock.Now()
	}
	return s.clock.Now()
}

// Reset forgets all calls; what is known of compiling stays.
func (s *Stats) Reset() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.Functions {
		f.reset()
	}
	if s.calls != nil {
		s.calls.Reset()
	}
	s.Usage = nil
	s.meter.begun.Store(false)
}

// reset forgets the calls. A first call that was left out stays so: the function is warm.
func (f *Function) reset() {
	f.begin()
	f.Calls, f.CallTime, f.CallMin, f.CallMax, f.CallHist, f.Slow, f.SlowTime = 0, 0, 0, 0, nil, 0, 0
	f.LoopSlow, f.LoopSlowTime = 0, 0
	f.Runs, f.RunTime, f.Untraced, f.Unmeasured, f.Failed, f.FailedTime = 0, 0, 0, 0, 0, 0
	f.Trace, f.Real, f.Lowest, f.Shapes = nil, nil, nil, nil
	for _, n := range f.Nodes {
		n.Calls, n.Time, n.Min, n.Max, n.Hist, n.Slow, n.SlowTime, n.Allocated, n.Workspace = 0, 0, 0, 0, nil, 0, 0, 0, 0
		for _, inner := range n.Inner {
			inner.reset()
		}
		n.Counted, n.Flops, n.BytesRead, n.BytesWritten = 0, 0, 0, 0
		n.Inputs, n.Outputs = nil, nil
	}
	if f.recorder != nil {
		f.recorder.reset()
	}
}

// Clone returns a snapshot, which nothing changes any more. The clone of a nil Stats is empty.
func (s *Stats) Clone() *Stats {
	if s == nil {
		return &Stats{clock: &processClock}
	}
	var globals *Globals
	if s.globals != nil { // not under the lock: it is foreign code
		g := s.globals()
		globals = &g
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &Stats{Globals: globals, Name: s.Name, Memory: s.Memory, NoNodes: s.NoNodes, Counted: s.Counted, Split: s.Split, Warmup: s.Warmup,
		ClockCost: s.ClockCost, clock: s.clock, Machine: s.Machine, Flags: s.Flags, Sources: maps.Clone(s.Sources), Cell: s.Cell, steady: s.steady}
	if globals == nil && s.Globals != nil {
		g := *s.Globals
		c.Globals = &g
	}
	c.Usage = s.metered()
	for _, f := range s.Functions {
		if s.calls != nil {
			s.calls.fill(f)
		}
		c.Functions = append(c.Functions, f.clone())
		c.namePlainly(c.Functions[len(c.Functions)-1])
	}
	return c
}

// clone copies what recorders change; they replace Inputs and Outputs and never write into them.
func (f *Function) clone() *Function {
	if f.recorder != nil {
		f.recorder.share()
		f.noteCalls()
	}
	c := *f
	c.Nodes, c.recorder, c.noted = nil, nil, 0
	if f.Real != nil {
		real := *f.Real
		c.Real = &real
	}
	c.CallHist = append(Histogram(nil), f.CallHist...)
	c.Shapes = cloneShapes(f.Shapes)
	for i, n := range f.Nodes {
		m := *n
		m.Hist = append(Histogram(nil), n.Hist...)
		m.Inner = nil
		for _, inner := range n.Inner {
			m.Inner = append(m.Inner, inner.clone())
		}
		if f.recorder != nil {
			f.recorder.fill(&m, i)
		}
		c.Nodes = append(c.Nodes, &m)
	}
	if f.recorder != nil {
		f.recorder.fillCalls(&c)
		c.Trace = f.recorder.trace()
		if f.recorder.program != nil {
			f.recorder.settle(&c)
		}
	}
	// The sums were rounded in different orders.
	c.RunTime = max(c.RunTime, c.ThunkTime())
	c.CallTime = max(c.CallTime, c.RunTime)
	if f.recorder != nil {
		c.divideTimes()
	}
	return &c
}

// SetMachine says what the profile is measured on.
func (s *Stats) SetMachine(m *Machine) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Machine = m
}

// AddSource gives the text of a file or cell that origins name.
func (s *Stats) AddSource(file, text string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Sources == nil {
		s.Sources = make(map[string]string)
	}
	s.Sources[file] = text
}

// Title is the name of the profile or, if it has none, the names of its functions.
func (s *Stats) Title() string {
	if s == nil {
		return "None"
	}
	if s.Name != "" {
		return s.Name
	}
	const most = 3
	var names []string
	for _, f := range s.Functions {
		if f.Name != "" {
			names = append(names, f.Name)
		}
	}
	switch {
	case len(names) == 0:
		return "None"
	case len(names) > most:
		return strings.Join(names[:most], ", ") + " and " + strconv.Itoa(len(names)-most) + " more"
	}
	return strings.Join(names, ", ")
}

// Empty reports whether there is nothing to print: no call, no failed one, and compiling took less
// than a second.
func (s *Stats) Empty() bool {
	c := s.Clone()
	t := c.Total()
	return t.Calls == 0 && t.Failed == 0 && t.Compile.Total < time.Second
}

// Total adds up the functions: calls, compile times and nodes. It is not the total of a Stats that
// recorders still fill: take a Clone.
func (s *Stats) Total() Function {
	var t Function
	if s == nil {
		return t
	}
	for i, f := range s.Functions {
		t.Calls += f.Calls
		t.CallTime += f.CallTime
		if f.Calls > 0 && (i == 0 || t.CallMin == 0 || f.CallMin < t.CallMin) {
			t.CallMin = f.CallMin
		}
		t.CallMax = max(t.CallMax, f.CallMax)
		t.Runs += f.Runs
		t.RunTime += f.RunTime
		t.Untraced += f.Untraced
		t.Unmeasured += f.Unmeasured
		t.Slow += f.Slow
		t.SlowTime += f.SlowTime
		t.Failed += f.Failed
		t.FailedTime += f.FailedTime
		t.Ignored += f.Ignored
		t.Compile.Add(&f.Compile)
		t.Nodes = append(t.Nodes, f.Nodes...)
		t.Rewrites = append(t.Rewrites, f.Rewrites...)
	}
	t.RunTime = max(t.RunTime, t.ThunkTime()) // sums of the same numbers in another order
	t.CallTime = max(t.CallTime, t.RunTime)
	return t
}

// ThunkTime is the time of all nodes.
func (f *Function) ThunkTime() float64 {
	var sum float64
	for _, n := range f.Nodes {
		sum += n.Time
	}
	return sum
}

// MakeThunkTime is what making all thunks took.
func (f *Function) MakeThunkTime() time.Duration {
	var sum time.Duration
	for _, n := range f.Nodes {
		sum += n.Thunk
	}
	return sum
}

// WhyUnsized says why the shapes of nodes, and what follows from them, are not known.
func (s *Stats) WhyUnsized() string {
	switch t := s.Total(); {
	case len(s.Functions) == 0:
		return noFunctions
	case s.NoNodes:
		return "hint: try config profiling.time_thunks=1"
	case t.Runs == 0:
		return "no call succeeded"
	}
	return "the profile was made without shapes"
}

// noFunctions is why a profile is empty that no function belongs to.
const noFunctions = "it has no functions: pass it to function() as profile, or call one under profile()"

// onlyCounted says how to see the nodes of a function whose calls were counted.
const onlyCounted = "nobody asked for a profile, so that calls were counted and nodes were not timed: " +
	"function(..., profile=True) times them, and %%profile on the first line of the cell that calls it"

// WhyEmpty says why there is no time of nodes.
func (s *Stats) WhyEmpty() string {
	total := s.Total()
	switch {
	case len(s.Functions) == 0:
		return noFunctions
	case s.Counted && total.Calls > 0:
		return onlyCounted
	case s.NoNodes && total.Calls > 0:
		return "hint: try config profiling.time_thunks=1"
	case total.Calls > 0 && len(total.Nodes) == 0:
		return "there are no nodes to run"
	case total.Failed > 0:
		return "no call succeeded"
	case total.Ignored > 0 && s.Warmup > 1:
		return "the first " + strconv.Itoa(s.Warmup) + " calls of each function are left out: warmup"
	case total.Ignored > 0:
		return "the first call was left out: profiling.ignore_first_call"
	case total.Calls == 0:
		return "the function was not called"
	}
	return "the calls were not traced"
}

// Title is the function's name.
func (f *Function) Title() string {
	if f.Name == "" {
		return "None"
	}
	return f.Name
}
