// Package random is np.random: RandomState, Generator and the module's own, SeedSequence, and what
// they draw, number for number as NumPy.
//
//	Random        a source of random numbers, of package kernels/random
//	randomRow     a distribution: a function of np.random and a method of sources; draw.go, distributions.go, integers.go, order.go, vectors.go
//	seedSequence  seed.go: what sources are made of
//	StateOf, FromState  words.go: the state of a source as an array, and back
package random
