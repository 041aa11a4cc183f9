package random

// A Source makes random numbers: a *RandomState or a *Generator.
type Source interface {
	Uint32() uint32               // uniform over all values
	Uint64() uint64               // uniform over all values
	Float64() float64             // uniform in [0, 1), a multiple of 2**-53
	StandardNormal() float64      // of mean 0 and variance 1
	StandardExponential() float64 // of mean 1

	// legacy reports whether numbers are made as RandomState has always made them.
	legacy() bool
}

var (
	_ Source = (*RandomState)(nil)
	_ Source = (*Generator)(nil)
)

// scale replaces every x of dst by loc + factor x.
func scale(dst []float64, loc, factor float64) {
	if loc == 0 && factor == 1 {
		return // but for a negative zero, which no distribution here makes
	}
	for i, x := range dst {
		dst[i] = loc + float64(factor*x)
	}
}
