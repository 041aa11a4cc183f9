package op

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// What is known of integers before the function runs decides lengths, so that types see through
// what operands are converted by, and through the arithmetic of lengths.

// knownData is the value of a constant, or of one that is converted; nil of what is computed.
func knownData(v V) *tensor.Dense {
	if v.Data != nil {
		return v.Data
	}
	if e, ok := v.Op().(Elemwise); ok {
		if to, cast := e.IsCast(); cast && v.Owner.Inputs[0].Data != nil {
			return v.Owner.Inputs[0].Data.AsType(to)
		}
	}
	return nil
}

// maxKnown is how many operations deep lengths are looked into.
const maxKnown = 8

// KnownLength reads an integer scalar that is a constant, the length of an axis that is known, or a
// sum, a difference or a product of such.
func KnownLength(v V) (int, bool) { return knownLength(v, maxKnown) }

func knownLength(v V, depth int) (int, bool) {
	if v.Type.Rank() != 0 || !v.Type.DType.IsInteger() || depth == 0 {
		return 0, false
	}
	if data := knownData(v); data != nil {
		return int(data.Ints()[0]), true
	}
	switch o := v.Op().(type) {
	case ShapeI:
		if d := v.Owner.Inputs[0].Type.Dim(o.Axis); d != graph.Unknown {
			return d, true
		}
	case Pointwise: // also as it was fused, or overwrites an operand
		if p, ok := o.(Inplace); ok {
			o = p.Op
		}
		_, fused := o.(Composite)
		in := make([]knownInt, len(v.Owner.Inputs))
		for i, u := range v.Owner.Inputs {
			in[i].n, in[i].known = knownLength(u, depth-1)
			if fused && u.Type.DType.Size() != 8 { // a step of less may wrap around
				in[i].known = false
			}
		}
		n := knownResult(o, v.Index, v.Type.DType, in)
		return n.n, n.known
	case DimShuffle: // x.shape[0] of a vector, as it is rewritten
		if vector := v.Owner.Inputs[0]; vector.Op() == graph.Op(MakeVector{}) && len(vector.Owner.Inputs) == 1 {
			return knownLength(vector.Owner.Inputs[0], depth-1)
		}
	case Subtensor: // x.shape[1], as it is written
		vector := v.Owner.Inputs[0]
		list, operands, err := o.Index.parse()
		if err != nil || operands > 0 || len(list) != 1 || list[0].kind != atInteger || vector.Op() != graph.Op(MakeVector{}) {
			return 0, false
		}
		at := list[0].parts[0].value
		if at < 0 {
			at += len(vector.Owner.Inputs)
		}
		if at < 0 || at >= len(vector.Owner.Inputs) {
			return 0, false
		}
		return knownLength(vector.Owner.Inputs[at], depth-1)
	}
	return 0, false
}

// A knownInt is an integer, if it is known.
type knownInt struct {
	n     int
	known bool
}

// knownResult is result k, of element type d, of an operation on scalars.
func knownResult(o graph.Op, k int, d kernels.DType, in []knownInt) (z knownInt) {
	switch o := o.(type) {
	case Composite:
		values := slices.Clone(in)
		for _, s := range o.Body.Steps() {
			args := make([]knownInt, len(s.Args))
			for i, a := range s.Args {
				args[i] = values[a]
			}
			values = append(values, knownResult(s.Op, 0, d, args))
		}
		return values[o.Body.Outputs()[k]]
	case Elemwise:
		if o != Add && o != Sub && o != Mul || d.Size() != 8 {
			return knownInt{}
		}
		z = in[0]
		for _, x := range in[1:] {
			z.known = z.known && x.known
			switch o {
			case Add:
				z.n += x.n
			case Sub:
				z.n -= x.n
			case Mul:
				z.n *= x.n
			}
		}
	}
	return z
}

// vectorValues reads the elements of an integer vector that are known: those of a constant, or the
// constant operands of a MakeVector. What is not known is graph.Unknown, which is also what -1
// means to Reshape.
func vectorValues(v V, n int) []int {
	values := make([]int, n)
	for i := range values {
		values[i] = graph.Unknown
	}
	switch {
	case v.Data != nil && v.Data.Size() == n:
		for i, d := range v.Data.Ints() {
			values[i] = int(d)
		}
	case v.Op() == graph.Op(MakeVector{}) && len(v.Owner.Inputs) == n:
		for i, e := range v.Owner.Inputs {
			if d, ok := KnownLength(e); ok {
				values[i] = d
			}
		}
	}
	return values
}
