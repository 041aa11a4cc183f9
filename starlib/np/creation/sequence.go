package creation

import (
	"cmp"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type arangeArgs struct {
	Start functions.Operand `arg:"start: the first number, or stop if it is the only argument"`
	Stop  functions.Operand `arg:"stop=None: the end, which is left out"`
	Step  functions.Operand `arg:"step=None: the distance, 1 if not given"`
	np.TypeArg
}

// arange counts in integers where start, stop and step are integers, and in floats with
// NumPy's formula otherwise: the distance is that of the first two numbers, as stored.
func arange(e *np.Eval, a *arangeArgs) starlark.Value {
	ends := [3]starlark.Value{a.Start.Value, a.Stop.Value, a.Step.Value}
	if ends[1] == nil {
		ends[0], ends[1] = starlark.MakeInt(0), ends[0]
	}
	if ends[2] == nil {
		ends[2] = starlark.MakeInt(1)
	}
	first, last, by := e.Number("start", ends[0]), e.Number("stop", ends[1]), e.Number("step", ends[2])
	count := math.Ceil((last - first) / by)
	switch {
	case by == 0:
		e.FailFor("step", "got 0, want another number")
	case math.IsNaN(count) || count > float64(tensor.MaxBytes()/8):
		e.Fail("got %s numbers from %s to %s, which need more memory than there is", value.FormatFloat(count), value.FormatFloat(first),
			value.FormatFloat(last))
	}
	if e.Failed() {
		return nil
	}
	start, ok1 := np.AsInt(ends[0])
	stop, ok2 := np.AsInt(ends[1])
	step, ok3 := np.AsInt(ends[2])
	if ok1 && ok2 && ok3 {
		z := tensor.Empty(kernels.Int64, max(0, (stop-start+step-sign(step))/step))
		values, v := tensor.Elements[int64](z), int64(start)
		poll := e.Poll()
		poll.Each(len(values), func(first, end int) {
			for i := first; i < end; i++ {
				values[i] = v
				v += int64(step)
			}
		})
		return np.NewArray(e.Session, e.As(a.DType, z))
	}
	dtype := cmp.Or(a.DType, kernels.Float64)
	n, second := int(max(count, 0)), first+by
	switch {
	case dtype == kernels.Float32:
		return np.NewArray(e.Session, progression(e, dtype, n, float32(first), float32(second)))
	case dtype.IsInteger(): // the first two are cut to integers, and set the distance
		return np.NewArray(e.Session, e.As(dtype, progression(e, kernels.Int64, n, int64(first), int64(second))))
	}
	return np.NewArray(e.Session, e.As(dtype, progression(e, kernels.Float64, n, first, second)))
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// progression returns n numbers of type d, which is E's, of which the first two are given.
func progression[E float32 | float64 | int64](e *np.Eval, d kernels.DType, n int, first, second E) *tensor.Dense {
	z := tensor.Empty(d, n)
	values, distance := tensor.Elements[E](z), second-first
	poll := e.Poll()
	poll.Each(n, func(from, end int) {
		for i := from; i < end; i++ {
			values[i] = first + E(E(i)*distance) // the conversion keeps it from being fused
		}
	})
	copy(values, []E{first, second}) // as they are
	return z
}

type linspaceArgs struct {
	Start    functions.Operand `arg:"start: the first number, or an array of them"`
	Stop     functions.Operand `arg:"stop: the last number, or an array"`
	Num      np.Count          `arg:"num|steps=50: how many"`
	Endpoint bool              `arg:"endpoint|end=True: False to leave stop out"`
	Retstep  bool              `arg:"retstep=False: return the distance too" eager:"compute it from the ends"`
	np.TypeArg
	Axis int `arg:"axis=0: of arrays, the axis that the numbers lie along" eager:"their ends are scalars"`
}

func linspace(e *np.Eval, a *linspaceArgs) starlark.Value {
	z, step := Linspaced(e, a.Start.D, a.Stop.D, int(a.Num), a.Endpoint)
	if a.DType.IsInteger() {
		z = e.Do("floor", z)
	}
	v := e.Array1(e.FirstAxisTo(a.Axis, e.As(a.DType, z)), nil)
	if a.Retstep {
		return starlark.Tuple{v, e.Result(step)}
	}
	return v
}

// Linspaced returns num numbers from start to stop along axis 0, and their distance. Both may be
// arrays, which broadcast.
func Linspaced(e *np.Eval, start, stop *tensor.Dense, num int, endpoint bool) (z, step *tensor.Dense) {
	start, stop = array.AsReal(start), array.AsReal(stop)
	if start.Rank()+stop.Rank() == 0 {
		poll := e.Poll()
		z, step := array.Spaced(&poll, start.Floats()[0], stop.Floats()[0], num, endpoint)
		return z, tensor.Scalar(kernels.Float64, step)
	}
	parts := num
	if endpoint {
		parts--
	}
	ends := e.Broadcast(start, stop)
	delta := e.Do("subtract", ends[1], ends[0])
	step = e.Do("divide", delta, float64(parts))
	if e.Failed() {
		return np.Meaningless(), step
	}
	if err := np.CheckShape(append([]int{num}, delta.Shape()...)); err != nil {
		return e.Got(nil, err), step
	}
	z = e.Reshape(e.Counted(num, 0, 1).AsType(delta.DType()), append([]int{num}, slices.Repeat([]int{1}, delta.Rank())...)...)
	switch {
	case parts <= 0:
		z = e.Do("multiply", z, delta)
		step = e.Do("multiply", step, math.NaN())
	case np.HasBool(step, 0): // a delta so small that it vanished
		z = e.Do("multiply", e.Do("divide", z, float64(parts)), delta)
	default:
		z = e.Do("multiply", z, step)
	}
	z = e.Do("add", z, ends[0])
	if endpoint && num > 1 && !e.Failed() {
		tensor.CopyTo(e.Part(z, 0, num-1, num), ends[1])
	}
	return z, step
}
