package kernels

import "unsafe"

var correlations = [NumDTypes]CorrelateFunc{Float32: correlate[float32], Float64: correlate[float64]}

func correlate[T float](n, k int, dst, src, weights unsafe.Pointer, stop Stop) bool {
	x, w := vec[T](src, n+k-1), vec[T](weights, k)
	for i := range vec[T](dst, n) {
		if i%pollInterval == 0 && Stopped(stop) {
			return false
		}
		sum := T(0)
		for j, v := range x[i : i+k] {
			sum += T(v * w[j]) // the conversion keeps a product from being fused with the sum
		}
		vec[T](dst, n)[i] = sum
	}
	return true
}
