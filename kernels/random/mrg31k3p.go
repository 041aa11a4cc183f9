package random

import (
	"errors"
	"fmt"
)

// The moduli of MRG31k3p.
const (
	mrgModulus1 = 1<<31 - 1
	mrgModulus2 = 1<<31 - 21069
)

// MRG31k3p is the combined multiple recursive generator of L'Ecuyer and Touzin (2000), of period
// near 2**185: the difference of
//
//	x[n] = (2**22 x[n-2] + (2**7 + 1) x[n-3])       mod 2**31 - 1
//	y[n] = (2**15 y[n-1] + (2**15 + 1) y[n-3])      mod 2**31 - 21069
//
// It holds x[n-1], x[n-2], x[n-3] and the same of y. A state from which every number is 0 is none:
// see Check. A copy is another generator in the same state.
type MRG31k3p [6]int32

// NewMRG31k3p is the state that a seed repeated six times makes.
func NewMRG31k3p(seed int64) (MRG31k3p, error) {
	if seed < 1 || seed >= mrgModulus2 {
		return MRG31k3p{}, fmt.Errorf("seed: got %d, want a number from 1 to %d", seed, mrgModulus2-1)
	}
	n := int32(seed)
	return MRG31k3p{n, n, n, n, n, n}, nil
}

// Check reports what is wrong with a state: each half is below its modulus, not negative and not
// all 0.
func (g *MRG31k3p) Check() error {
	for half, modulus := range []int32{mrgModulus1, mrgModulus2} {
		x := g[3*half : 3*half+3]
		for i, n := range x {
			if n < 0 || n >= modulus {
				return fmt.Errorf("seed: got %d as number %d, want one from 0 to %d", n, 3*half+i+1, modulus-1)
			}
		}
		if x[0] == 0 && x[1] == 0 && x[2] == 0 {
			return errors.New("seed: got three zeros in the " + []string{"first", "second"}[half] + " half, want one number above 0")
		}
	}
	return nil
}

// Next is uniform over the integers from 1 to 2**31 - 1.
func (g *MRG31k3p) Next() int32 {
	x := (uint64(g[1])<<22 + uint64(g[2])<<7 + uint64(g[2])) % mrgModulus1
	y := (uint64(g[3])<<15 + uint64(g[5])<<15 + uint64(g[5])) % mrgModulus2
	g[0], g[1], g[2] = int32(x), g[0], g[1]
	g[3], g[4], g[5] = int32(y), g[3], g[4]
	if x <= y {
		return int32(x + mrgModulus1 - y)
	}
	return int32(x - y)
}

// Float64 is uniform in (0, 1), a multiple of 2**-31.
func (g *MRG31k3p) Float64() float64 { return float64(g.Next()) * 0x1p-31 }

// mrgNorm32 is the largest float32 below 2**-31, so that no number becomes 1.
const mrgNorm32 float32 = 0x1p-31 * (1 - 0x1p-24)

// Float32 is uniform in (0, 1): the integer, rounded to a float32, times a number just below
// 2**-31.
func (g *MRG31k3p) Float32() float32 { return float32(g.Next()) * mrgNorm32 }

// A mrgMatrix is a linear map modulo a number, of three numbers of a state.
type mrgMatrix [3][3]uint64

func (a mrgMatrix) times(b mrgMatrix, modulus uint64) (c mrgMatrix) {
	for i := range c {
		for j := range c {
			for k := range c {
				c[i][j] = (c[i][j] + a[i][k]*b[k][j]%modulus) % modulus
			}
		}
	}
	return c
}

// power2 is a to the power of 2**n.
func (a mrgMatrix) power2(n int, modulus uint64) mrgMatrix {
	for range n {
		a = a.times(a, modulus)
	}
	return a
}

// A mrgJump passes over many numbers at once.
type mrgJump [2]mrgMatrix

// newMRGJump is the jump over 2**n numbers.
func newMRGJump(n int) mrgJump {
	return mrgJump{
		mrgMatrix{{0, 1 << 22, 1<<7 + 1}, {1, 0, 0}, {0, 1, 0}}.power2(n, mrgModulus1),
		mrgMatrix{{1 << 15, 0, 1<<15 + 1}, {1, 0, 0}, {0, 1, 0}}.power2(n, mrgModulus2),
	}
}

// The distances of streams and of their parts (L'Ecuyer, Simard, Chen and Kelton, 2002).
var (
	mrgStream    = newMRGJump(134)
	mrgSubstream = newMRGJump(72)
)

func (g MRG31k3p) jump(by mrgJump) (next MRG31k3p) {
	for half, modulus := range []uint64{mrgModulus1, mrgModulus2} {
		for i, row := range by[half] {
			sum := uint64(0)
			for k, factor := range row {
				sum += factor * uint64(g[3*half+k]) % modulus
			}
			next[3*half+i] = int32(sum % modulus)
		}
	}
	return next
}

// Substream is g after 2**72 numbers: the next of the parts that a stream is cut into.
func (g MRG31k3p) Substream() MRG31k3p { return g.jump(mrgSubstream) }

// Stream is g after 2**134 numbers: the next stream.
func (g MRG31k3p) Stream() MRG31k3p { return g.jump(mrgStream) }
