package profiler

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
)

// A Machine is what a profile was measured on.
type Machine struct {
	CPU     string `json:"cpu"`             // as the system calls it
	Model   string `json:"model,omitempty"` // its family and model: hypervisors give several processors one name
	ISA     string `json:"isa,omitempty"`   // of the kernels in use
	Cores   int    `json:"cores"`
	Threads int    `json:"threads"` // that kernels may use
	Roof    *Roof  `json:"roof,omitempty"`
	Serial  *Roof  `json:"serial_roof,omitempty"` // of one thread
	Doubt   string `json:"doubt,omitempty"`       // what speaks against the roof: it was measured while the machine was busy
	// Kernels are what those in use take within a program, which a profile has used when it has its
	// prices.
	Kernels kernels.FusedTable `json:"-"`
}

// A Roof is the most that a machine can do, as measured.
type Roof struct {
	Flops32  float64       `json:"flops32"` // float32 operations a second
	Flops64  float64       `json:"flops64"`
	Levels   []MemoryLevel `json:"levels"`      // of the memory, the smallest and fastest first
	Overhead float64       `json:"overhead_ns"` // of a node that does nothing
}

// A MemoryLevel is a cache, or the memory behind them all.
type MemoryLevel struct {
	Name      string  `json:"name"`           // "L1", "L2", "L3", "DRAM"
	Size      int64   `json:"size,omitempty"` // bytes; 0 of the last one
	Bandwidth float64 `json:"bandwidth"`      // bytes a second
}

// A Bound says how fast a node could be, and what keeps it from being faster.
type Bound struct {
	Best     float64 // nanoseconds of a call at the roof
	Fraction float64 // of the roof: Best by the time of a call
	Limit    string  // "compute", "memory (L2)" by the level, or "overhead"
}

// serialWork is how many nanoseconds of work are done by one thread: package parallel does not
// divide less.
const serialWork = 10_000

// Bound places a node under the machine's roof. It is not ok if the roof or the node's work is
// unknown, or if it only makes views.
//
// The roof is the larger of two times: that of the node's bytes at the bandwidth of the level that
// holds its operands, and that of its flops at the peak for its element type: of float32 for types
// of up to 4 bytes, else of float64. It is that of one thread for work that is not divided. Where a
// node's overhead is larger than both, that is what limits it.
//
// The peak is that of multiply-adds. What only adds reaches half of it. The flops of exp and its
// like are weights, about as many operations as they take: such a function has the time of its
// kernel as it was measured for the table of costs, in caches, instead. A Fraction is shown as it
// is: one above 1 says that operands were in a nearer cache than their size lets expect, that the
// machine was busy when it was calibrated, or that a kernel is faster here.
func (s *Stats) Bound(n *Node) (b Bound, ok bool) {
	if s.Machine == nil || s.Machine.Roof == nil || n.Calls == 0 || n.Counted == 0 || n.Flops+n.BytesRead+n.BytesWritten == 0 {
		return Bound{}, false
	}
	threads := 1.0 // that work as much as so many alone
	if serial := s.Machine.Serial; serial != nil && serial.Flops64 > 0 {
		threads = max(s.Machine.Roof.Flops64/serial.Flops64, 1)
	}
	if b = s.Machine.Roof.bound(n, threads); s.Machine.Serial != nil {
		if serial := s.Machine.Serial.bound(n, 1); serial.Best < serialWork {
			b = serial
		}
	}
	call := n.Time / float64(n.Calls)
	if b.Limit == "overhead" { // which some nodes have less of than others
		b.Best = min(b.Best, call)
	}
	b.Fraction = units.Ratio(b.Best, call)
	return b, true
}

// NoRoof says why a profile of this machine has no roof.
const NoRoof = "its roof is not known yet: it is measured when the program ends or waits"

// AboveRoof says why a row may do more than the machine can.
const AboveRoof = "roof above 100 %: a nearer cache than expected, a busy machine when it was measured, or a kernel that is faster here"

// bound is the best time of n, and what limits it.
func (r *Roof) bound(n *Node, threads float64) Bound {
	b := Bound{Best: r.Overhead, Limit: "overhead"}
	peak, calls := r.Flops64, float64(n.Counted)
	if n.ItemSize > 0 && n.ItemSize <= 4 {
		peak = r.Flops32
	}
	if t := (1-n.Functions)*units.Ratio(n.Flops/calls, peak)*1e9 + n.Flops/calls*n.FunctionNS/threads; t > b.Best {
		b.Best, b.Limit = t, "compute"
	}
	bytes, holds := (n.BytesRead+n.BytesWritten)/calls, n.footprint()/calls
	for i, l := range r.Levels {
		if i < len(r.Levels)-1 && holds > float64(l.Size) {
			continue
		}
		if t := units.Ratio(bytes, l.Bandwidth) * 1e9; t > b.Best {
			b.Best, b.Limit = t, "memory ("+l.Name+")"
		}
		break
	}
	return b
}

// footprint is how many bytes of memory n touches in all calls: results that overwrite operands
// have none of their own.
func (n *Node) footprint() float64 {
	if len(n.Destroys) == len(n.Out) {
		return max(n.BytesRead, n.BytesWritten)
	}
	return n.BytesRead + n.BytesWritten
}

// itemSize is that of the type in which a computes: the widest float among its operands and results
// or, without one, the widest type.
func itemSize(a *graph.Apply) int {
	size, float := 0, false
	for _, list := range [][]*graph.Variable{a.Inputs, a.Outputs} {
		for _, v := range list {
			d := v.Type.DType
			if d.IsFloat() == float {
				size = max(size, d.Size())
			} else if d.IsFloat() {
				size, float = d.Size(), true
			}
		}
	}
	return size
}

// String lists the peaks and bandwidths, and what a node takes at least.
func (r *Roof) String() string {
	var levels []string
	for _, l := range r.Levels {
		levels = append(levels, fmt.Sprintf("%s %.3g %s", l.Name, l.Bandwidth/units.Giga, units.ByteRate))
	}
	return fmt.Sprintf("%.3g %s in float64, %.3g in float32; %s; %.0f ns a node", r.Flops64/units.Giga, units.FlopRate,
		r.Flops32/units.Giga, strings.Join(levels, ", "), r.Overhead)
}

// check refuses a roof that nothing can be divided by.
func (r *Roof) check() error {
	if r == nil {
		return nil
	}
	ok := plausible(r.Flops32, r.Flops64, r.Overhead)
	for _, l := range r.Levels {
		ok = ok && plausible(l.Bandwidth, float64(l.Size))
	}
	if !ok {
		return fmt.Errorf("got a roof with negative or huge numbers")
	}
	return nil
}

// A Prediction is what a call of a node takes at the roof, before it has run.
type Prediction struct {
	Bound
	Flops, Bytes float64 // operations, and bytes read and written
}

// Predict places a node of a linked program under the roof by the lengths that its type has. It is
// not ok if one of them is not known. Without a roof there is no Bound.
func (m *Machine) Predict(linked *exec.Node) (p Prediction, ok bool) {
	a := linked.Apply
	n := &Node{Calls: 1, ItemSize: itemSize(a), Impl: linked.Impl}
	seen := make(map[*graph.Variable]int)
	for _, v := range a.Inputs {
		if _, ok := seen[v]; !ok {
			seen[v] = len(seen)
		}
		n.In = append(n.In, seen[v])
	}
	w := staticWork(n, a)
	if !w.known {
		return p, false
	}
	n.count(w, 1)
	p.Flops, p.Bytes = w.flops, w.read+w.written
	if m == nil || m.Roof == nil || p.Flops+p.Bytes == 0 {
		return p, true
	}
	if f, ok := a.Op.(graph.FunctionTimer); ok && linked.Impl == "C" && linked.ISA != "" {
		plain, ns := f.FunctionTime(a.Inputs)
		n.Functions, n.FunctionNS = 1-plain, ns.On(linked.ISA)
	}
	p.Bound, _ = (&Stats{Machine: m}).Bound(n)
	if p.Limit == "overhead" { // of which a call has no measure to be less
		p.Best = m.Roof.Overhead
	}
	return p, true
}
