package complexes

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
)

// A Transformer computes discrete Fourier transforms of vectors of one length n,
//
//	z[k] = sum over j of x[j] exp(-2πi jk/n)
//
// and the inverse ones, with the other sign and not divided by n. A length whose prime factors are
// small is transformed by these; of others the transform is a convolution of a length that is a
// power of two (L. Bluestein, 1970), so that the time of every length is about n log n.
type Transformer struct {
	n      int
	plan   *fourier.CmplxFFT
	around *around // of a length with a large prime factor
}

// around is what Bluestein's way needs.
type around struct {
	length     int
	chirp      []complex128 // exp(-πi j²/n)
	transform  []complex128 // of the conjugate chirp, to both sides of 0
	work, back []complex128
}

// maxFactor is the largest prime factor that is transformed by itself: the time of a factor p grows
// with its square.
const maxFactor = 13

// NewTransformer returns a Transformer of vectors of n >= 1 numbers.
func NewTransformer(n int) *Transformer {
	t := &Transformer{n: n}
	if largestFactor(n) <= maxFactor {
		t.plan = fourier.NewCmplxFFT(n)
		return t
	}
	a := &around{length: 1}
	for a.length < 2*n-1 {
		a.length *= 2
	}
	t.plan, t.around = fourier.NewCmplxFFT(a.length), a
	a.chirp, a.transform = make([]complex128, n), make([]complex128, a.length)
	a.work, a.back = make([]complex128, a.length), make([]complex128, a.length)
	square := 0 // j² modulo 2n, so that angles stay small
	for j := range n {
		sin, cos := math.Sincos(math.Pi * float64(square) / float64(n))
		a.chirp[j] = complex(cos, -sin)
		square = (square + 2*j + 1) % (2 * n)
	}
	for j, c := range a.chirp {
		a.work[j] = Conj(c)
		if j > 0 {
			a.work[a.length-j] = Conj(c)
		}
	}
	t.plan.Coefficients(a.transform, a.work)
	return t
}

func largestFactor(n int) int {
	largest := 1
	for p := 2; p*p <= n; p++ {
		for n%p == 0 {
			largest, n = p, n/p
		}
	}
	return max(largest, n)
}

// Transform writes the transform of x to z, which may be x; the inverse one if that is asked for.
func (t *Transformer) Transform(z, x []complex128, inverse bool) {
	switch {
	case t.n == 1:
		z[0] = x[0]
	case t.around != nil && inverse:
		for i, v := range x {
			z[i] = Conj(v)
		}
		t.bluestein(z, z)
		for i, v := range z {
			z[i] = Conj(v)
		}
	case t.around != nil:
		t.bluestein(z, x)
	case inverse:
		t.plan.Sequence(z, x)
	default:
		t.plan.Coefficients(z, x)
	}
}

func (t *Transformer) bluestein(z, x []complex128) {
	a := t.around
	clear(a.work)
	for j, c := range a.chirp {
		a.work[j] = Mul(x[j], c)
	}
	t.plan.Coefficients(a.back, a.work)
	for i, v := range a.transform {
		a.back[i] = Mul(a.back[i], v)
	}
	t.plan.Sequence(a.work, a.back)
	scale := 1 / float64(a.length)
	for k, c := range a.chirp {
		z[k] = Mul(scaled(a.work[k], scale), c)
	}
}
