package roofline

import (
	"runtime"

	"github.com/arignote/arignote/kernels"
)

// goProber measures what bounds the kernels in Go: a native.Prober.
type goProber struct{}

func (goProber) Peak(d kernels.DType, rounds int) (flops float64) {
	if d == kernels.Float32 {
		return peak[float32](rounds, 1, 0)
	}
	return peak[float64](rounds, 1, 0)
}

// peak does twelve operations a round that do not wait for each other, half of them products.
func peak[T float32 | float64](rounds int, by, plus T) (flops float64) {
	var a, b, c, d, e, f T
	u, v, w, x, y, z := by, by, by, by, by, by
	for range rounds {
		a, b, c, d, e, f = a+plus, b+plus, c+plus, d+plus, e+plus, f+plus
		u, v, w, x, y, z = u*by, v*by, w*by, x*by, y*by, z*by
	}
	runtime.KeepAlive(a + b + c + d + e + f + u + v + w + x + y + z)
	return 12 * float64(rounds)
}

func (goProber) Read(rounds int, all []float64) {
	var a, b, c, d float64
	for range rounds {
		for x := all; len(x) >= 4; x = x[4:] {
			a, b, c, d = a+x[0], b+x[1], c+x[2], d+x[3]
		}
	}
	runtime.KeepAlive(a + b + c + d)
}

func (goProber) Triad(rounds int, z, x, y []float64) {
	for range rounds {
		x, y := x[:len(z)], y[:len(z)]
		for i := range z {
			z[i] = x[i] + 2*y[i]
		}
	}
}

func (goProber) Stream(z, x []float64) { copy(z, x) }
