// Package random makes NumPy's random numbers: the same bits from the same seed as NumPy 1.24, but for the last bits that it
// takes from the C library (see below). It knows nothing of arrays: it fills slices and returns indices.
//
//	MT19937        bit generator of the legacy interface: words of 32 bits
//	PCG64          bit generator of the new interface: words of 64 bits
//	SeedSequence   makes states of PCG64 from seeds
//	RandomState    numpy.random.RandomState: an MT19937, with the ways of making other numbers that will never change
//	Generator      numpy.random.default_rng: a PCG64, with faster ways
//	Source         either of these two
//	Distribution   a row of Distributions: the name, parameters and limits of a distribution; Sampler draws from it
//
// Uniform and normal numbers have methods of their own, which are fast; Integers, Bools, Shuffle, Permutation, Choose and the rest
// are functions of a Source. Nothing here may be used by several goroutines at once.
//
// # Exactness
//
// Uniform numbers, integers, orders, choices and counts have NumPy's bits. So have the normal and exponential numbers of a
// Generator. What comes of log, exp or pow (the legacy normal and exponential numbers, gamma, ...) is computed with correct
// rounding, and differs in the last bits from NumPy with glibc 2.36, whose functions do not always round correctly: of ten
// million legacy normal numbers, in 3,679. Sequences stay in step nonetheless: a decision hangs on such a bit only by a rare
// chance, which did not come about in ten million numbers of any distribution that was tried.
package random
