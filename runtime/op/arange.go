package op

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// ARange is the vector start, start + step, ... of the numbers before stop. Its operands are start,
// stop and step, scalars of one element type, which is that of the result. With a negative step the
// numbers descend.
type ARange struct{}

var _ = register(ARange{})

func (ARange) Name() string  { return "arange" }
func (ARange) Label() string { return "ARange" }
func (ARange) Class() string { return classBasic + "ARange" }

// upTo counts 0, 1, ... n-1.
func upTo(b *graph.Builder, n V) V {
	number := func(v int64) V { return b.Constant(tensor.IntScalar(kernels.Int64, v)) }
	return b.Apply(ARange{}, number(0), n, number(1))
}

// Coerce converts the operands to their common element type, bools to int64, and refuses constants
// that make no vector.
func (ARange) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	out := toCommonType(b, in)
	for i, v := range out {
		if v.Type.DType.IsBool() {
			out[i] = castTo(b, v, kernels.Int64)
		}
	}
	_, err := knownCount(in)
	return out, err
}

// knownCount is how many numbers there are for constants, and otherwise graph.Unknown.
func knownCount(in []V) (int, error) {
	data := make([]*tensor.Dense, len(in))
	for i, v := range in {
		data[i] = knownData(v)
		if n, ok := knownLength(v, maxKnown); ok {
			data[i] = tensor.IntScalar(v.Type.DType, int64(n))
		}
		if data[i] == nil || v.Type != graph.TypeOf(in[0].Type.DType) {
			return graph.Unknown, nil
		}
	}
	if len(in) != 3 {
		return graph.Unknown, nil
	}
	return countOf(data)
}

func (ARange) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 3); err != nil {
		return nil, err
	}
	d := in[0].Type.DType
	for i, v := range in {
		if v.Type != graph.TypeOf(d) || d.IsBool() {
			return nil, fmt.Errorf("operand %d: got %v, want a number of the type of all three", i, v.Type)
		}
	}
	n, err := knownCount(in)
	if err != nil {
		n = graph.Unknown // the run will say why
	}
	return []graph.Type{graph.TypeOf(d, n)}, nil
}

// countOf is how many numbers there are.
func countOf(in []*tensor.Dense) (int, error) {
	d := in[0].DType()
	var n float64
	if d.IsFloat() {
		start, stop, step := in[0].Floats()[0], in[1].Floats()[0], in[2].Floats()[0]
		if n = math.Ceil((stop - start) / step); step == 0 || n != n {
			return 0, fmt.Errorf("got start %v, stop %v and step %v, want numbers and a step that is not 0", start, stop, step)
		}
	} else {
		start, stop, step := in[0].Ints()[0], in[1].Ints()[0], in[2].Ints()[0]
		if step == 0 {
			return 0, fmt.Errorf("got start %d, stop %d and step 0, want a step that is not 0", start, stop)
		}
		n = integersBetween(start, stop, step, d == kernels.Uint64)
	}
	if n <= 0 {
		return 0, nil
	}
	if n > maxBytes {
		return 0, fmt.Errorf("got %.3g numbers, which is more than there can be", n)
	}
	if err := tensor.CheckSize(d.Size(), []int{int(n)}); err != nil {
		return 0, err
	}
	return int(n), nil
}

// integersBetween is ceil((stop - start) / step): exact where there is memory for as many numbers.
// Distances of int64 fit into uint64.
func integersBetween(start, stop, step int64, unsigned bool) float64 {
	up := stop > start
	if unsigned {
		up = uint64(stop) > uint64(start)
	}
	if up == (step < 0 && !unsigned) || start == stop {
		return 0
	}
	distance, stride := uint64(stop)-uint64(start), uint64(step)
	if !up {
		if unsigned {
			return 0
		}
		distance, stride = -distance, -stride
	}
	return float64((distance-1)/stride) + 1
}

func (ARange) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	d := node.Outputs[0].Type.DType
	return func(c *Call, in, out []*tensor.Dense) error {
		n, err := countOf(in)
		if err != nil {
			return err
		}
		out[0] = c.Alloc(0, d, []int{n})
		if !progressions[d](out[0], in[0], in[2], c.Stop) {
			return ErrStopped
		}
		return nil
	}, goImpl, nil
}

// progressions fill a vector with start, start + step, ... and report whether they ran to their
// end.
var progressions = map[kernels.DType]func(z, start, step *tensor.Dense, stop kernels.Stop) bool{
	kernels.Int8: progression[int8], kernels.Int16: progression[int16], kernels.Int32: progression[int32], kernels.Int64: progression[int64],
	kernels.Uint8: progression[uint8], kernels.Uint16: progression[uint16], kernels.Uint32: progression[uint32],
	kernels.Uint64: progression[uint64], kernels.Float32: progression[float32], kernels.Float64: progression[float64],
}

// progression computes element i from i, so that errors do not add up. As in NumPy, the step is the
// difference of the first two.
func progression[T tensor.Number](z, start, step *tensor.Dense, stop kernels.Stop) bool {
	first := tensor.Elements[T](start)[0]
	delta := T(first+tensor.Elements[T](step)[0]) - first
	list := tensor.Elements[T](z)
	for from := 0; from < len(list); from += pollEvery {
		if kernels.Stopped(stop) {
			return false
		}
		for i := from; i < min(from+pollEvery, len(list)); i++ {
			list[i] = first + T(T(i)*delta)
		}
	}
	if len(list) > 1 {
		list[1] = first + tensor.Elements[T](step)[0]
	}
	return true
}

// pollEvery is how many numbers are written between two looks at Call.Stop.
const pollEvery = 1 << 16

// Cost counts a multiplication and an addition for each number.
func (ARange) Cost(in, out []graph.Array) graph.Cost {
	return graph.Once(2*out[0].Elements(), in, out)
}

// Length of integers is ceil((stop - start) / step), or 0.
func (ARange) Length(m Maker, v V, _ int) V {
	if d := v.Type.DType; d.IsFloat() || d == kernels.Uint64 {
		return nil
	}
	in := make([]V, 3)
	for i, u := range v.Owner.Inputs {
		if in[i] = u; u.Type.DType != kernels.Int64 {
			in[i] = m.Apply(Cast(kernels.Int64), u)
		}
	}
	zero := m.Constant(tensor.IntScalar(kernels.Int64, 0))
	n := in[1]
	if start, ok := KnownLength(in[0]); !ok || start != 0 {
		n = m.Apply(Sub, n, in[0])
	}
	if step, ok := KnownLength(in[2]); !ok || step != 1 {
		n = m.Apply(Neg, m.Apply(IntDiv, m.Apply(Neg, n), in[2])) // rounded up
	}
	return m.Apply(Maximum, n, zero)
}

// Connects: a cost does not depend on where the numbers end.
func (ARange) Connects(_ *graph.Apply, in, _ int) bool { return in != 1 }

// Grad: all numbers move with start, and number i moves i times as far as step. stop does not
// matter as long as as many are before it.
func (ARange) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	d := node.Outputs[0].Type.DType
	if !d.IsFloat() {
		return make([]V, 3)
	}
	sum := func(v V) V { return b.Apply(Reduce{Kind: Sum, Axes: tensor.AllAxes(1)}, v) }
	numbers := castTo(b, upTo(b, Lengths(b, node.Outputs[0])[0]), d)
	return []V{sum(g[0]), nil, sum(Mul.do(b, g[0], numbers))}
}

func (ARange) Traits() Traits { return Jumps }

func (a ARange) Cases() []Case {
	list := cases("float64 float64 float64", a)
	for _, d := range kernels.DTypes() {
		switch {
		case d.IsSigned() || d.IsFloat():
			list = append(list, cases(fmt.Sprintf("%v(5) %[1]v(-2) %[1]v(-3)", d), a)...)
			list = append(list, cases(fmt.Sprintf("%v(5) %[1]v(-2) %[1]v(1)", d), a)...)
			fallthrough
		case !d.IsBool():
			list = append(list, cases(fmt.Sprintf("%v(2) %[1]v(9) %[1]v(3)", d), a)...)
			list = append(list, cases(fmt.Sprintf("%v(0) %[1]v(4) %[1]v(1)", d), a)...)
		}
	}
	return append(list, cases("int64(0) float32(1) bool(1)", a)...)
}
