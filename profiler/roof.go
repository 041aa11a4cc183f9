package profiler

import "github.com/arignote/arignote/profiler/units"

// A Machine is what a profile was measured on.
type Machine struct {
	CPU     string `json:"cpu"`
	ISA     string `json:"isa,omitempty"` // of the kernels in use
	Cores   int    `json:"cores"`
	Threads int    `json:"threads"` // that kernels may use
	Roof    *Roof  `json:"roof,omitempty"`
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

// Bound places a node under the machine's roof. It is not ok if the roof, or the node's work, is unknown.
func (s *Stats) Bound(n *Node) (b Bound, ok bool) {
	if s.Machine == nil || s.Machine.Roof == nil || n.Calls == 0 || n.Counted == 0 {
		return Bound{}, false
	}
	roof := s.Machine.Roof
	flops, _ := n.FlopsPerCall()
	bytes, _ := n.BytesPerCall()
	peak := roof.Flops64
	if len(n.Outputs) > 0 && n.Outputs[0].DType == "float32" {
		peak = roof.Flops32
	}
	b.Best, b.Limit = units.Ratio(flops, peak)*1e9, "compute"
	for i, l := range roof.Levels {
		if i < len(roof.Levels)-1 && bytes > float64(l.Size) {
			continue
		}
		if t := units.Ratio(bytes, l.Bandwidth) * 1e9; t > b.Best {
			b.Best, b.Limit = t, "memory ("+l.Name+")"
		}
		break
	}
	if b.Best < roof.Overhead {
		b.Best, b.Limit = roof.Overhead, "overhead"
	}
	b.Fraction = units.Ratio(b.Best, n.Time/float64(n.Calls))
	return b, true
}
