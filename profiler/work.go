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

func (n *Node) count(w work, calls int64) {
	if !w.known {
		return
	}
	n.Counted += calls
	n.Flops += w.flops * float64(calls)
	n.BytesRead += w.read * float64(calls)
	n.BytesWritten += w.written * float64(calls)
}

// staticWork is the work of every call of a node if the lengths of all axes are known before it runs.
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

// countWork counts the work on operands. An op that does not know its flops makes none: it moves data.
func countWork(n *Node, op graph.Op, in, out []Operand) work {
	w := work{known: true}
	if c, ok := op.(graph.Coster); ok {
		if flops := c.Flops(shapes(in), shapes(out)); flops > 0 && !math.IsInf(flops, 0) {
			w.flops = flops
		}
	}
	// An input that is only viewed is not read, and a view is not written.
	for i, o := range in {
		if !slices.ContainsFunc(n.Views, func(a Alias) bool { return a.In == i }) {
			w.read += float64(o.Bytes())
		}
	}
	for i, o := range out {
		if !slices.ContainsFunc(n.Views, func(a Alias) bool { return a.Out == i }) {
			w.written += float64(o.Bytes())
		}
	}
	return w
}

func shapes(list []Operand) [][]int {
	all := make([][]int, len(list))
	for i, o := range list {
		all[i] = o.Shape
	}
	return all
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
	step := o.ItemSize
	for i := len(o.Shape) - 1; i >= 0; i-- {
		if o.Shape[i] == 0 {
			return true
		}
		if o.Shape[i] != 1 && (i >= len(o.Strides) || o.Strides[i] != step) {
			return false
		}
		step *= o.Shape[i]
	}
	return true
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
