package random

import (
	"math"

	"github.com/arignote/arignote/kernels/libm"
)

// These make numbers of 24 bits from words of 32: a sequence of its own, not the one of 64 bits
// rounded.

// FillUniform32 fills dst with uniform numbers: random(dtype=float32).
func (g *Generator) FillUniform32(dst []float32) {
	for i := range dst {
		dst[i] = g.Float32()
	}
}

// FillNormal32 fills dst with standard normal numbers: standard_normal(dtype=float32).
func (g *Generator) FillNormal32(dst []float32) {
	for i := range dst {
		dst[i] = g.StandardNormal32()
	}
}

// FillExponential32 fills dst with exponential numbers of mean 1:
// standard_exponential(dtype=float32).
func (g *Generator) FillExponential32(dst []float32) {
	for i := range dst {
		dst[i] = g.StandardExponential32()
	}
}

// StandardNormal32 is a number of the standard normal distribution, by the ziggurat method.
func (g *Generator) StandardNormal32() float32 {
	for {
		r := g.Uint32()
		i := r & 255
		layer := &normalLayers32[i]
		steps := r >> 9
		x := math.Float32frombits(math.Float32bits(float32(steps)*layer.step) | r<<23&(1<<31))
		if steps < layer.edge {
			return x
		}
		if i == 0 {
			return g.normalTail32(r)
		}
		low, high := layer.height, normalLayers32[i-1].height
		y := float32((high-low)*g.Float32()) + low
		if float64(y) < libm.Exp(-0.5*float64(x)*float64(x)) {
			return x
		}
	}
}

func (g *Generator) normalTail32(r uint32) float32 {
	for {
		x := float32(-float32(normalInverse) * libm.Log1p32(-g.Float32()))
		y := -libm.Log1p32(-g.Float32())
		if y+y <= float32(x*x) {
			continue
		}
		if r>>17&1 != 0 {
			return -(normalTail + x)
		}
		return normalTail + x
	}
}

// StandardExponential32 is a number of the exponential distribution of mean 1, by the ziggurat
// method.
func (g *Generator) StandardExponential32() float32 {
	for {
		r := g.Uint32() >> 1
		i := r & 255
		layer := &exponentialLayers32[i]
		steps := r >> 8
		x := float32(steps) * layer.step
		if steps < layer.edge {
			return x
		}
		if i == 0 {
			return exponentialTail - libm.Log1p32(-g.Float32())
		}
		low, high := layer.height, exponentialLayers32[i-1].height
		if float32((high-low)*g.Float32())+low < float32(libm.Exp(-float64(x))) {
			return x
		}
	}
}
