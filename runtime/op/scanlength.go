package op

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Length: there is a row for each step, a state has the lengths that it begins with, and the rows
// of other results those that follow from the body's inputs.
func (s Scan) Length(m Maker, v V, axis int) V {
	o := s.Operands(v.Owner.Inputs)
	isState := v.Index < len(s.States)
	switch {
	case isState && (axis > 0 || !s.States[v.Index].Kept):
		return length(m, o.Begin[v.Index], axis)
	case axis > 0:
		return s.rowLength(m, o, v.Index, axis-1)
	case s.Until:
		return nil
	}
	return o.Steps
}

// rowLength is the length of an axis of output i of the body in each step, for these operands; nil
// if it is not computed of their lengths.
func (s Scan) rowLength(m Maker, o ScanOperands, i, axis int) V {
	w := &lengthsInside{Maker: m, Scan: s, operands: o, outer: make(map[V]bool)}
	n := length(w, s.Body.Outputs[i], axis)
	if w.failed {
		return nil
	}
	return n
}

// lengthsInside makes lengths of what is in a body of the lengths of a loop's operands.
type lengthsInside struct {
	Maker
	Scan
	operands ScanOperands
	outer    map[V]bool // variables outside of the body that it has made
	failed   bool
}

func (w *lengthsInside) made(v V) V {
	w.outer[v] = true
	return v
}

func (w *lengthsInside) Constant(data *tensor.Dense) V { return w.made(w.Maker.Constant(data)) }

func (w *lengthsInside) number(n int) V { return w.Constant(tensor.IntScalar(kernels.Int64, int64(n))) }

func (w *lengthsInside) fail() V {
	w.failed = true
	return w.number(0)
}

func (w *lengthsInside) Apply(o graph.Op, in ...V) V {
	if s, ok := o.(ShapeI); ok && !w.outer[in[0]] {
		return w.measure(in[0], s.Axis)
	}
	if c, ok := o.(IfElse); ok && c.N == 1 { // the condition may be of values
		a, b := w.outside(in[1]), w.outside(in[2])
		if w.failed || a == b || a.IsConstant() && b.IsConstant() && a.Data.Item() == b.Data.Item() {
			return a
		}
		return w.fail()
	}
	out := make([]V, len(in))
	for i, v := range in {
		out[i] = w.outside(v)
	}
	if w.failed {
		return w.number(0)
	}
	return w.made(w.Maker.Apply(o, out...))
}

// measure is the length of an axis of what is in the body.
func (w *lengthsInside) measure(v V, axis int) V {
	if d := v.Type.Dim(axis); d != graph.Unknown {
		return w.number(d)
	}
	if v.Owner != nil {
		if o, ok := v.Owner.Op.(Measurer); ok {
			if n := o.Length(w, v, axis); n != nil {
				return w.outside(n)
			}
		}
		return w.fail()
	}
	all, lead := w.operand(v)
	if all == nil {
		return w.fail()
	}
	if d := all.Type.Dim(lead + axis); d != graph.Unknown {
		return w.number(d)
	}
	return w.made(length(w.Maker, all, lead+axis))
}

// operand is what an input of the body stands for, which has so many axes more.
func (w *lengthsInside) operand(v V) (all V, lead int) {
	if i := slices.Index(w.RowInputs(), v); i >= 0 {
		return w.operands.Rows[i], 1
	}
	if i := slices.Index(w.FixedInputs(), v); i >= 0 {
		return w.operands.Fixed[i], 0
	}
	taps := w.TapInputs()
	for i, st := range w.States {
		if slices.Contains(taps[:len(st.Taps)], v) {
			if st.Kept {
				lead = 1
			}
			return w.operands.Begin[i], lead
		}
		taps = taps[len(st.Taps):]
	}
	return nil, 0
}

// outside is what a scalar that decides a length is outside of the body, if no step changes it.
func (w *lengthsInside) outside(v V) V {
	switch {
	case w.failed || w.outer[v]:
		return v
	case v.IsConstant():
		return w.Constant(v.Data)
	case v.Type.Rank() > 0 || v.Type.State != graph.NoState:
		return w.fail()
	case v.Owner == nil:
		if i := slices.Index(w.FixedInputs(), v); i >= 0 {
			return w.made(w.operands.Fixed[i])
		}
		return w.fail()
	case ActsOf(v.Owner.Op) || len(v.Owner.Outputs) > 1:
		return w.fail()
	}
	return w.Apply(v.Owner.Op, v.Owner.Inputs...)
}

// emptyShape is the shape of a result of a loop that makes no step, for operands of which the
// values are in.
func (s Scan) emptyShape(in []*tensor.Dense, sets kernels.Sets, i int) []int {
	vars := make([]V, len(in))
	for k, a := range in {
		switch {
		case a == nil: // a state of random numbers
		case a.Rank() == 0 && !a.DType().IsFloat():
			vars[k] = graph.NewConstant(a, nil)
		default:
			vars[k] = graph.NewInput("", graph.TypeOf(a.DType(), a.Shape()...), nil)
		}
	}
	rank := s.Body.Outputs[i].Type.Rank()
	shape := make([]int, 1+rank)
	for axis := range rank {
		if d := s.Body.Outputs[i].Type.Dim(axis); d != graph.Unknown {
			shape[1+axis] = d
			continue
		}
		n := s.rowLength(&graph.Builder{}, s.Operands(vars), i, axis)
		if n == nil {
			continue
		}
		if a := valueOf(n, sets); a != nil {
			shape[1+axis] = int(a.Ints()[0])
		}
	}
	return shape
}

// valueOf computes what is made of constants; nil if it is not.
func valueOf(v V, sets kernels.Sets) *tensor.Dense {
	if v.IsConstant() {
		return v.Data
	}
	if v.Owner == nil {
		return nil
	}
	in := make([]*tensor.Dense, len(v.Owner.Inputs))
	for i, u := range v.Owner.Inputs {
		if in[i] = valueOf(u, sets); in[i] == nil {
			return nil
		}
	}
	out, err := Run(v.Owner, sets, Call{}, in)
	if err != nil {
		return nil
	}
	return out[v.Index]
}
