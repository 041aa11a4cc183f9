package np

import (
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// arange counts in integers where start, stop and step are integers, and in floats with
// NumPy's formula otherwise: the distance is that of the first two numbers, as stored.
func arange(c *call) (starlark.Value, error) {
	if c.v[1] == nil {
		c.v[0], c.v[1] = starlark.MakeInt(0), c.v[0]
	}
	if c.v[2] == nil {
		c.v[2] = starlark.MakeInt(1)
	}
	start, ok1 := asInt(c.v[0])
	stop, ok2 := asInt(c.v[1])
	step, ok3 := asInt(c.v[2])
	whole := ok1 && ok2 && ok3
	dtype, err := c.dtype(3, map[bool]kernels.DType{true: kernels.Int64, false: kernels.Float64}[whole])
	if err != nil {
		return nil, err
	}
	var ends [3]float64
	for i := range ends {
		if ends[i], err = c.float(i, 0); err != nil {
			return nil, err
		}
	}
	count := math.Ceil((ends[1] - ends[0]) / ends[2])
	switch {
	case ends[2] == 0:
		return nil, fmt.Errorf("for parameter step: got 0, want another number")
	case math.IsNaN(count) || count > float64(tensor.MaxBytes()/8):
		return nil, fmt.Errorf("got %s numbers from %s to %s, which need more memory than there is",
			value.FormatFloat(count), value.FormatFloat(ends[0]), value.FormatFloat(ends[1]))
	}
	n := int(max(count, 0))
	if whole {
		n = max(0, (stop-start+step-sign(step))/step)
		values := make([]int64, n)
		for i := range values {
			values[i] = int64(start + i*step)
		}
		return c.made(tensor.From(values, n).AsType(dtype), nil)
	}
	second := ends[0] + ends[2]
	switch {
	case dtype == kernels.Float32:
		return c.made(progression(n, float32(ends[0]), float32(second)), nil)
	case dtype.IsInteger(): // the first two are cut to integers, and set the distance
		return c.made(progression(n, int64(ends[0]), int64(second)).AsType(dtype), nil)
	}
	return c.made(progression(n, ends[0], second).AsType(dtype), nil)
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// progression returns n numbers, of which the first two are given.
func progression[E float32 | float64 | int64](n int, first, second E) *tensor.Dense {
	values := make([]E, n)
	distance := second - first
	for i := range values {
		switch i {
		case 0:
			values[i] = first
		case 1:
			values[i] = second
		default:
			values[i] = first + E(E(i)*distance) // the conversion keeps it from being fused
		}
	}
	return tensor.From(values, n)
}

func linspace(e *eval) starlark.Value {
	num, endpoint, axis := e.count(2, 50), e.bool(3, true), e.int(6, 0)
	z, step := e.linspaced(num, endpoint)
	dtype := e.dtype(5, z.DType())
	if dtype.IsInteger() {
		z = e.do("floor", z)
	}
	if axis = e.axisOf(axis, z.Rank()); e.failed() {
		return nil
	}
	order := slices.Insert(countTo(z.Rank())[1:], axis, 0)
	v := NewArray(e.session, e.permute(z.AsType(dtype), order))
	if e.bool(4, false) {
		return starlark.Tuple{v, e.value(step)}
	}
	return v
}

// linspaced returns num numbers from argument 0 to argument 1 along axis 0, and their distance. The arguments may be arrays, which
// broadcast.
func (e *eval) linspaced(num int, endpoint bool) (z, step *tensor.Dense) {
	start, stop := e.real(0), e.real(1)
	if start.Rank()+stop.Rank() == 0 && !e.failed() {
		values, step := spaced(start.Floats()[0], stop.Floats()[0], num, endpoint)
		return tensor.From(values, num), tensor.Scalar(kernels.Float64, step)
	}
	parts := num
	if endpoint {
		parts--
	}
	ends := e.broadcast(start, stop)
	delta := e.do("subtract", ends[1], ends[0])
	step = e.do("divide", delta, float64(parts))
	if e.failed() {
		return meaningless(), step
	}
	if err := checkShape(append([]int{num}, delta.Shape()...)); err != nil {
		return e.got(nil, err), step
	}
	z = e.reshape(e.counted(num, 0, 1).AsType(delta.DType()), append([]int{num}, slices.Repeat([]int{1}, delta.Rank())...)...)
	switch {
	case parts <= 0:
		z = e.do("multiply", z, delta)
		step = e.do("multiply", step, math.NaN())
	case slicesHas(step, 0): // a delta so small that it vanished
		z = e.do("multiply", e.do("divide", z, float64(parts)), delta)
	default:
		z = e.do("multiply", z, step)
	}
	z = e.do("add", z, ends[0])
	if endpoint && num > 1 && !e.failed() {
		tensor.CopyTo(e.part(z, 0, num-1, num), ends[1])
	}
	return z, step
}

// spaced returns num numbers from start to stop, and their distance, nan if there is none.
func spaced(start, stop float64, num int, endpoint bool) (values []float64, step float64) {
	parts := float64(num)
	if endpoint {
		parts--
	}
	delta := stop - start
	step = delta / parts
	values = make([]float64, num)
	for i := range values {
		x := float64(i)
		switch {
		case parts > 0 && step != 0:
			x = float64(x * step)
		case parts > 0: // delta is so small that it vanished
			x = float64(x / parts * delta)
		default:
			x = float64(x * delta)
		}
		values[i] = x + start
	}
	if endpoint && num > 1 {
		values[num-1] = stop
	}
	if parts <= 0 {
		step = math.NaN()
	}
	return values, step
}
