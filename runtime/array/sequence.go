package array

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// Spaced returns num numbers from start to stop, and their distance, nan if there is none.
func Spaced(poll *tensor.Poll, start, stop float64, num int, endpoint bool) (z *tensor.Dense, step float64) {
	parts := float64(num)
	if endpoint {
		parts--
	}
	delta := stop - start
	step = delta / parts
	z = tensor.Empty(kernels.Float64, num)
	values, factor := tensor.Elements[float64](z), delta
	if parts > 0 {
		factor = step
	}
	poll.Each(num, func(first, end int) {
		for i := first; i < end; i++ {
			values[i] = float64(float64(i)*factor) + start
		}
	})
	if parts > 0 && step == 0 { // delta is so small that it vanished
		for i := range values {
			poll.Ask(1)
			values[i] = float64(float64(i)/parts*delta) + start
		}
	}
	if endpoint && num > 1 {
		values[num-1] = stop
	}
	if parts <= 0 {
		step = math.NaN()
	}
	return z, step
}
