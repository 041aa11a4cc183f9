package profiler

import (
	"math"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
)

// work is what one call of a node does.
type work struct {
	known         bool
	flops         float64
	read, written float64 // bytes
	from          int64   // the first run whose work it is
}

// amount is how much work it is, in flops: moving as many bytes takes about as long as one.
func (w work) amount() float64 {
	const bytesPerFlop = 4 // as graph.Origin's parts have it
	return w.flops + (w.read+w.written)/bytesPerFlop
}

// A span is the least and the most work of a node's runs.
type span struct {
	known       bool
	least, most float64
}

func (s *span) include(w work) {
	if !w.known {
		return
	}
	a := w.amount()
	if !s.known {
		*s = span{true, a, a}
	}
	s.least, s.most = min(s.least, a), max(s.most, a)
}

// ratio is how many times as long as another a run may take for what it does; at least 1.
func (s span) ratio() float64 {
	if s.most <= s.least {
		return 1
	}
	return s.most / s.least // which may be 0
}

func (n *Node) count(w work, calls int64) {
	if !w.known {
		return
	}
	n.Counted += calls
	n.Flops += w.flops * float64(calls)
	n.BytesRead += w.read * float64(calls)
	n.BytesWritten += w.written * float64(calls)
}

// staticWork is the work of every call of a node if the lengths of all axes are known before it
// runs.
func staticWork(n *Node, a *graph.Apply) work {
	in, ok1 := staticOperands(a.Inputs)
	out, ok2 := staticOperands(a.Outputs)
	if !ok1 || !ok2 {
		return work{}
	}
	return countWork(n, a.Op, in, out)
}

func staticOperands(vs []*graph.Variable) (list []Operand, ok bool) {
	for _, v := range vs {
		if !v.Type.IsStatic() {
			return nil, false
		}
		list = append(list, Operand{DType: v.Type.DType.String(), ItemSize: v.Type.DType.Size(), Shape: v.Type.Dims()})
	}
	return list, true
}

// countWork counts the work on operands. A variable that is an operand twice is read once.
func countWork(n *Node, op graph.Op, in, out []Operand) work {
	cost := costOf(op, arrays(in), arrays(out))
	w := work{known: true, flops: cost.Flops}
	for i, v := range n.In {
		if !slices.Contains(n.In[:i], v) {
			w.read += cost.Read[i]
		}
	}
	for _, bytes := range cost.Written {
		w.written += bytes
	}
	for _, amount := range []*float64{&w.flops, &w.read, &w.written} {
		if !(*amount > 0) || math.IsInf(*amount, 0) {
			*amount = 0
		}
	}
	return w
}

// costOf is the cost that op states. Without one it makes no flops, reads and writes all operands
// but those that are viewed.
func costOf(op graph.Op, in, out []graph.Array) graph.Cost {
	if c, ok := op.(graph.Coster); ok {
		return c.Cost(in, out)
	}
	cost := graph.Once(0, in, out)
	for _, a := range graph.Views(op) {
		cost.Read[a.In], cost.Written[a.Out] = 0, 0
	}
	return cost
}

func arrays(list []Operand) []graph.Array {
	all := make([]graph.Array, len(list))
	for i, o := range list {
		all[i] = o.array()
	}
	return all
}

// array is o as ops see it. Of a static type the strides are unknown, and taken to be in C order.
func (o Operand) array() graph.Array {
	a := graph.Array{ItemSize: o.ItemSize, Shape: o.Shape}
	if len(o.Strides) == len(o.Shape) {
		a.Strides = o.Strides
	}
	return a
}

// Bytes of all elements; the largest number if that is more than an int holds.
func (o Operand) Bytes() int64 {
	size := int64(o.ItemSize)
	for _, d := range o.Shape {
		if d == 0 {
			return 0
		}
		if size > math.MaxInt64/int64(d) {
			size = math.MaxInt64
			continue
		}
		size *= int64(d)
	}
	return size
}

// Contiguous reports whether the elements lie in C order without gaps.
func (o Operand) Contiguous() bool {
	return len(o.Strides) == len(o.Shape) && o.array().Contiguous()
}

// FlopsPerCall returns the floating point operations of a call, and whether they are known.
func (n *Node) FlopsPerCall() (flops float64, ok bool) {
	if n.Counted == 0 {
		return 0, false
	}
	return n.Flops / float64(n.Counted), true
}

// BytesPerCall returns the bytes that a call reads and writes, and whether they are known.
func (n *Node) BytesPerCall() (bytes float64, ok bool) {
	if n.Counted == 0 {
		return 0, false
	}
	return (n.BytesRead + n.BytesWritten) / float64(n.Counted), true
}

// PerNanosecond divides an amount per call by the time per call: G a second.
func (n *Node) PerNanosecond(amount float64) float64 {
	if n.Time <= 0 || n.Calls == 0 {
		return 0
	}
	return amount / (n.Time / float64(n.Calls))
}
