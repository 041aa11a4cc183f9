package random

import (
	"math"

	"github.com/arignote/arignote/kernels/libm"
)

// A Generator is numpy.random.Generator over a PCG64, which numpy.random.default_rng makes. A copy
// of it is another one in the same state.
type Generator struct {
	PCG64
	seeds *SeedSequence
}

// NewGenerator is default_rng(seed) with the words of the seed (see SeedWords), or with the
// operating system's randomness if there are none.
func NewGenerator(words ...uint32) *Generator { return NewGeneratorOf(NewSeedSequence(words...)) }

// NewGeneratorOf is default_rng(s).
func NewGeneratorOf(s *SeedSequence) *Generator {
	g := &Generator{seeds: s}
	g.Seed(s)
	return g
}

// Seeds is the sequence that the generator was made of.
func (g *Generator) Seeds() *SeedSequence { return g.seeds }

// Spawn is n generators that are independent of one another and of g.
func (g *Generator) Spawn(n int) []*Generator {
	list := make([]*Generator, n)
	for i, s := range g.seeds.Spawn(n) {
		list[i] = NewGeneratorOf(s)
	}
	return list
}

func (g *Generator) legacy() bool { return false }

// A layer of a ziggurat (Marsaglia and Tsang, 2000): the layers cover the area under a density and
// are of equal area. A point of a layer is a whole number of steps from the middle; below edge, it
// lies under the density wherever it is in height.
type layer[Word, Float any] struct {
	edge   Word
	step   Float
	height Float // of the density at the layer's full width
}

const (
	normalTail      = 3.6541528853610087963519472518 // where the lowest layer's rectangle ends
	exponentialTail = 7.69711747013104971404462804811
	normalInverse   = 0.27366123732975827203338247596 // 1/normalTail
)

// StandardNormal is a number of the standard normal distribution, by the ziggurat method.
func (g *Generator) StandardNormal() float64 {
	r := g.Uint64()
	layer := &normalLayers[r&255]
	steps := r >> 9 & (1<<52 - 1)
	// The sign is put in without a jump that no processor could foresee.
	x := math.Float64frombits(math.Float64bits(float64(steps)*layer.step) | r<<55&(1<<63))
	if steps < layer.edge {
		return x
	}
	return g.normalEdge(r, x)
}

// normalEdge decides on the point x that r made, in the part of a layer that may be above the
// density.
func (g *Generator) normalEdge(r uint64, x float64) float64 {
	i := r & 255
	if i == 0 {
		for {
			x := float64(-normalInverse * libm.Log1p(-g.Float64()))
			y := -libm.Log1p(-g.Float64())
			if y+y <= float64(x*x) {
				continue
			}
			if r>>17&1 != 0 {
				return -(normalTail + x)
			}
			return normalTail + x
		}
	}
	low, high := normalLayers[i].height, normalLayers[i-1].height
	if float64((high-low)*g.Float64())+low < libm.Exp(-0.5*x*x) {
		return x
	}
	return g.StandardNormal()
}

// StandardExponential is a number of the exponential distribution of mean 1, by the ziggurat
// method.
func (g *Generator) StandardExponential() float64 {
	for {
		r := g.Uint64() >> 3
		i := r & 255
		layer := &exponentialLayers[i]
		steps := r >> 8
		x := float64(steps) * layer.step
		if steps < layer.edge {
			return x
		}
		if i == 0 {
			return exponentialTail - libm.Log1p(-g.Float64())
		}
		low, high := layer.height, exponentialLayers[i-1].height
		if float64((high-low)*g.Float64())+low < libm.Exp(-x) {
			return x
		}
	}
}

// FillUniform fills dst with uniform numbers: random.
func (g *Generator) FillUniform(dst []float64) {
	for i := range dst {
		dst[i] = g.Float64()
	}
}

// FillNormal fills dst with standard normal numbers: standard_normal.
func (g *Generator) FillNormal(dst []float64) {
	for i := range dst {
		dst[i] = g.StandardNormal()
	}
}

// FillExponential fills dst with exponential numbers of mean 1: standard_exponential.
func (g *Generator) FillExponential(dst []float64) {
	for i := range dst {
		dst[i] = g.StandardExponential()
	}
}
