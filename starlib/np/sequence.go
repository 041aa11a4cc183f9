package np

import (
	"fmt"
	"math"

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

func linspace(c *call) (starlark.Value, error) {
	start, err := c.float(0, 0)
	if err != nil {
		return nil, err
	}
	stop, err := c.float(1, 0)
	if err != nil {
		return nil, err
	}
	num, err := c.int(2, 50)
	if err != nil {
		return nil, err
	}
	endpoint, err := c.bool(3, true)
	if err != nil {
		return nil, err
	}
	retstep, err := c.bool(4, false)
	if err != nil {
		return nil, err
	}
	dtype, err := c.dtype(5, kernels.Float64)
	if err != nil {
		return nil, err
	}
	if err := checkShape([]int{num}); err != nil {
		return nil, fmt.Errorf("for parameter num: %w", err)
	}
	values, step := spaced(start, stop, num, endpoint)
	if dtype.IsInteger() {
		for i, x := range values {
			values[i] = math.Floor(x)
		}
	}
	z := NewArray(c.session, tensor.From(values, num).AsType(dtype))
	if retstep {
		return starlark.Tuple{z, starlark.Float(step)}, nil
	}
	return z, nil
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
