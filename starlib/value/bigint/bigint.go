// Package bigint is arithmetic of large integers that can be stopped: products, quotients, powers
// and decimal digits are made of those of halves, down to what math/big computes in some
// milliseconds, and a poll is asked between them.
//
//	Arithmetic   Product, Floored, PowMod and Decimal
//	IsLarge      whether an integer is so long that its operations have to ask
package bigint

import (
	"math/big"

	"github.com/arignote/arignote/runtime/tensor"
)

const (
	// wholeBits is up to how many bits Go multiplies and divides by itself.
	wholeBits = 1 << 18
	// wholeWork is the work of such a product, in elements that are moved.
	wholeWork = 1 << 16
)

// IsLarge reports whether operations of x have to ask.
func IsLarge(x *big.Int) bool { return x.BitLen() > wholeBits }

// Arithmetic computes with integers whose operations take long.
type Arithmetic struct {
	// Poll is asked between operations of some milliseconds; it panics when it is to stop.
	Poll tensor.Poll
}

// halves is x as high<<n + low, for x >= 0.
func halves(x *big.Int, n uint) (high, low *big.Int) {
	high = new(big.Int).Rsh(x, n)
	return high, new(big.Int).Sub(x, new(big.Int).Lsh(high, n))
}

// Product is x*y. Where both are long it is made of three products of halves (Karatsuba), where
// one is, of its parts.
func (ar *Arithmetic) Product(x, y *big.Int) *big.Int {
	if x.Sign() < 0 || y.Sign() < 0 {
		z := ar.Product(new(big.Int).Abs(x), new(big.Int).Abs(y))
		if x.Sign() != y.Sign() {
			z.Neg(z)
		}
		return z
	}
	if x.BitLen() < y.BitLen() {
		x, y = y, x
	}
	if x.BitLen() <= wholeBits {
		ar.Poll.Ask(wholeWork)
		return new(big.Int).Mul(x, y)
	}
	n := uint(x.BitLen()+1) / 2
	a, b := halves(x, n)
	if uint(y.BitLen()) <= n {
		z := new(big.Int).Lsh(ar.Product(a, y), n)
		return z.Add(z, ar.Product(b, y))
	}
	c, d := halves(y, n)
	high, low := ar.Product(a, c), ar.Product(b, d)
	mid := ar.Product(a.Add(a, b), c.Add(c, d))
	mid.Sub(mid, high).Sub(mid, low)
	z := new(big.Int).Lsh(high, n)
	z.Add(z, mid).Lsh(z, n)
	return z.Add(z, low)
}

// Floored is the quotient that is rounded down and the remainder, which has the sign of y.
func (ar *Arithmetic) Floored(x, y *big.Int) (q, r *big.Int) {
	q, r = ar.divided(new(big.Int).Abs(x), new(big.Int).Abs(y))
	if x.Sign() < 0 {
		r.Neg(r)
	}
	if x.Sign()*y.Sign() < 0 {
		q.Neg(q)
	}
	if r.Sign() != 0 && r.Sign() != y.Sign() {
		q.Sub(q, big.NewInt(1))
		r.Add(r, y)
	}
	return q, r
}

// divided is quotient and remainder for x >= 0 and y > 0: long division whose digits have as many
// bits as y.
func (ar *Arithmetic) divided(x, y *big.Int) (q, r *big.Int) {
	n := uint(max(y.BitLen(), wholeBits))
	y, shift := new(big.Int).Lsh(y, n-uint(y.BitLen())), n-uint(y.BitLen()) // so that y has n bits
	x = new(big.Int).Lsh(x, shift)
	var digits []*big.Int // the lowest first
	for rest := x; rest.Sign() > 0; {
		high, low := halves(rest, n)
		digits, rest = append(digits, low), high
		ar.Poll.Ask(wholeWork)
	}
	q, r = new(big.Int), new(big.Int)
	for i := len(digits) - 1; i >= 0; i-- {
		var d *big.Int
		d, r = ar.digit(new(big.Int).Add(new(big.Int).Lsh(r, n), digits[i]), y, n)
		q.Add(q.Lsh(q, n), d)
		ar.Poll.Ask(wholeWork)
	}
	return q, r.Rsh(r, shift)
}

// digit is x divided by y, which has n bits, for x < y<<n: two halves of a digit, each of three
// halves by two.
func (ar *Arithmetic) digit(x, y *big.Int, n uint) (q, r *big.Int) {
	if n <= 2*wholeBits {
		ar.Poll.Ask(wholeWork)
		return new(big.Int).QuoRem(x, y, new(big.Int))
	}
	if n%2 == 1 {
		q, r = ar.digit(new(big.Int).Lsh(x, 1), new(big.Int).Lsh(y, 1), n+1)
		return q, r.Rsh(r, 1)
	}
	half := n / 2
	y1, y2 := halves(y, half)
	high, low := halves(x, n)
	low1, low2 := halves(low, half)
	q1, r := ar.half(high, low1, y, y1, y2, half)
	q2, r := ar.half(r, low2, y, y1, y2, half)
	return q1.Add(q1.Lsh(q1, half), q2), r
}

// half is x<<n + low divided by y = y1<<n + y2, of n bits a half: it is guessed from y1, and the
// guess is at most 2 too large.
func (ar *Arithmetic) half(x, low, y, y1, y2 *big.Int, n uint) (q, r *big.Int) {
	if top, _ := halves(x, n); top.Cmp(y1) == 0 {
		one := big.NewInt(1)
		q = new(big.Int).Sub(new(big.Int).Lsh(one, n), one)
		r = new(big.Int).Sub(x, new(big.Int).Lsh(y1, n))
		r.Add(r, y1)
	} else {
		q, r = ar.digit(x, y1, n)
	}
	r.Add(r.Lsh(r, n), low)
	r.Sub(r, ar.Product(q, y2))
	for r.Sign() < 0 {
		q.Sub(q, big.NewInt(1))
		r.Add(r, y)
	}
	return q, r
}

// Decimal is the decimal digits of x, after a minus sign where it is negative.
func (ar *Arithmetic) Decimal(x *big.Int) string {
	if x.Sign() < 0 {
		return "-" + ar.digits(new(big.Int).Abs(x))
	}
	return ar.digits(x)
}

// digits are those of x >= 0: those of the quotient by a power of ten and of the remainder.
func (ar *Arithmetic) digits(x *big.Int) string {
	if x.BitLen() <= wholeBits {
		return x.Text(10)
	}
	powers, lengths := []*big.Int{new(big.Int).Exp(big.NewInt(10), big.NewInt(1<<15), nil)}, []int{1 << 15}
	for k := 0; 2*powers[k].BitLen() <= x.BitLen()+1; k++ {
		powers, lengths = append(powers, ar.Product(powers[k], powers[k])), append(lengths, 2*lengths[k])
	}
	out := make([]byte, 0, x.BitLen()*31/100+1)
	var write func(x *big.Int, k int, fill bool)
	write = func(x *big.Int, k int, fill bool) {
		if k < 0 {
			ar.Poll.Ask(wholeWork)
			digits := x.Text(10)
			for i := len(digits); fill && i < lengths[0]; i++ {
				out = append(out, '0')
			}
			if fill || x.Sign() > 0 {
				out = append(out, digits...)
			}
			return
		}
		q, r := ar.divided(x, powers[k])
		write(q, k-1, fill)
		write(r, k-1, fill || len(out) > 0)
	}
	write(x, len(powers)-1, false)
	return string(out)
}

// PowMod is x to the power y modulo m, all > 0 but for x, which may be 0 or negative: bits of y
// are taken together as long as Go takes some milliseconds.
func (ar *Arithmetic) PowMod(x, y, m *big.Int) *big.Int {
	words := m.BitLen()/64 + 1
	bits := max(1, 1<<18/(words*words))
	_, x = ar.Floored(x, m)
	if bits == 1 {
		z := big.NewInt(1)
		for i := y.BitLen() - 1; i >= 0; i-- {
			_, z = ar.divided(ar.Product(z, z), m)
			if y.Bit(i) == 1 {
				_, z = ar.divided(ar.Product(z, x), m)
			}
		}
		return z
	}
	shift := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	z := big.NewInt(1)
	for at := (y.BitLen() - 1) / bits * bits; at >= 0; at -= bits {
		ar.Poll.Ask(wholeWork)
		part := new(big.Int).Rsh(y, uint(at))
		_, part = halves(part, uint(bits))
		z.Exp(z, shift, m)
		z.Mul(z, new(big.Int).Exp(x, part, m)).Mod(z, m)
	}
	return z.Mod(z, m)
}
