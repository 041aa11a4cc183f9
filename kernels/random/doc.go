// Package random makes NumPy's random numbers: the same bits from the same seed as NumPy 1.24 (see
// Exactness). It knows nothing of arrays: it fills slices and returns indices.
//
//	MT19937        bit generator of the legacy interface: words of 32 bits
//	PCG64          bit generator of the new interface: words of 64 bits
//	SeedSequence   makes states of PCG64 from seeds
//	RandomState    numpy.random.RandomState: an MT19937, with the ways of making other numbers that will never change
//	Generator      numpy.random.default_rng: a PCG64, with faster ways
//	Source         either of these two
//	Distribution   a row of Distributions: the name, parameters and limits of a distribution; Sampler draws from it
//
// Uniform and normal numbers have methods of their own, which are fast; integers come from Ranges;
// Shuffle, Permutation, Choose and the rest are functions of a Source. Nothing here may be used by
// several goroutines at once.
//
// # Exactness
//
// Every number has NumPy's bits, on every machine that Arignote runs on: those of NumPy 1.24 with
// glibc 2.36 (Debian 12) on x86-64 processors with FMA (since 2013). On others NumPy's own last
// bits may differ, as they hang on the C library's log, exp, pow, expm1, log1p, cos and acos, and
// on what its compiler made of them.
package random
