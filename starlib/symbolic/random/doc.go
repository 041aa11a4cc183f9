// Package random is the symbolic variables that draw: streams of Theano and PyTensor, T.random and
// T.raw_random, and MRG.
//
// The states that they draw from are variables of package symbolic (randomstate.go), the numbers
// package kernels/random's.
//
//	distribution  rows.go: what there is to draw, with its parameters; draw.go, how a draw becomes nodes
//	streams       streams.go, RandomStreams and RandomStream; mrgstreams.go, MRG_RandomStreams
//	modules       modules.go, the functions of explicit states
package random
