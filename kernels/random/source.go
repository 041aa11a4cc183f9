package random

// A Source makes random numbers: a *RandomState or a *Generator.
type Source interface {
	Uint32() uint32               // uniform over all values
	Uint64() uint64               // uniform over all values
	Float64() float64             // uniform in [0, 1), a multiple of 2**-53
	StandardNormal() float64      // of mean 0 and variance 1
	StandardExponential() float64 // of mean 1

	// These fill dst with the numbers that as many calls of Float64, StandardNormal or
	// StandardExponential would make.
	FillUniform(dst []float64)
	FillNormal(dst []float64)
	FillExponential(dst []float64)

	// These fill dst with the words that as many calls of Uint32 or Uint64 would make.
	fill32(dst []uint32)
	fill64(dst []uint64)

	// legacy reports whether numbers are made as RandomState has always made them.
	legacy() bool
}

var (
	_ Source = (*RandomState)(nil)
	_ Source = (*Generator)(nil)
)
