package array

import "math"

// Spaced returns num numbers from start to stop, and their distance, nan if there is none.
func Spaced(start, stop float64, num int, endpoint bool) (values []float64, step float64) {
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
