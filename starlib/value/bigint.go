package value

import (
	"math/big"

	"github.com/arignote/arignote/runtime/tensor"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Products and quotients of large integers ask while they are computed: they are made of those of
// halves, down to what Go computes in some milliseconds.

const (
	// wholeBits is up to how many bits Go multiplies and divides by itself.
	wholeBits = 1 << 18
	// wholeWork is the work of such a product, in elements that are moved.
	wholeWork = 1 << 16
)

// IsLarge reports whether operations of an int have to ask.
func IsLarge(x starlark.Value) bool {
	n, ok := x.(starlark.Int)
	if !ok {
		return false
	}
	if _, small := n.Int64(); small {
		return false
	}
	return n.BigInt().BitLen() > wholeBits
}

// LargeInts is x op y for ints that are large, one of them at least, and nil for others, and for
// other operators.
func LargeInts(host Host, op syntax.Token, x, y starlark.Value) (z starlark.Value, err error) {
	a, ok := x.(starlark.Int)
	b, also := y.(starlark.Int)
	if !ok || !also || host == nil || !IsLarge(a) && !IsLarge(b) {
		return nil, nil
	}
	defer func() {
		if p := recover(); p != nil {
			z, err = nil, Recovered(p)
		}
	}()
	l := large{tensor.Poll{Stop: host.Stop()}}
	switch {
	case op == syntax.STAR:
		return starlark.MakeBigInt(l.product(a.BigInt(), b.BigInt())), nil
	case (op == syntax.SLASHSLASH || op == syntax.PERCENT) && b.Sign() != 0:
		q, r := l.floored(a.BigInt(), b.BigInt())
		if op == syntax.PERCENT {
			q = r
		}
		return starlark.MakeBigInt(q), nil
	}
	return nil, nil
}

// large computes with integers whose operations take long.
type large struct{ poll tensor.Poll }

// halves is x as high<<n + low, for x >= 0.
func halves(x *big.Int, n uint) (high, low *big.Int) {
	high = new(big.Int).Rsh(x, n)
	return high, new(big.Int).Sub(x, new(big.Int).Lsh(high, n))
}

// product is x*y. Where both are long it is made of three products of halves (Karatsuba), where
// one is, of its parts.
func (l *large) product(x, y *big.Int) *big.Int {
	if x.Sign() < 0 || y.Sign() < 0 {
		z := l.product(new(big.Int).Abs(x), new(big.Int).Abs(y))
		if x.Sign() != y.Sign() {
			z.Neg(z)
		}
		return z
	}
	if x.BitLen() < y.BitLen() {
		x, y = y, x
	}
	if x.BitLen() <= wholeBits {
		l.poll.Ask(wholeWork)
		return new(big.Int).Mul(x, y)
	}
	n := uint(x.BitLen()+1) / 2
	a, b := halves(x, n)
	if uint(y.BitLen()) <= n {
		z := new(big.Int).Lsh(l.product(a, y), n)
		return z.Add(z, l.product(b, y))
	}
	c, d := halves(y, n)
	high, low := l.product(a, c), l.product(b, d)
	mid := l.product(a.Add(a, b), c.Add(c, d))
	mid.Sub(mid, high).Sub(mid, low)
	z := new(big.Int).Lsh(high, n)
	z.Add(z, mid).Lsh(z, n)
	return z.Add(z, low)
}

// floored is the quotient that is rounded down and the remainder, which has the sign of y.
func (l *large) floored(x, y *big.Int) (q, r *big.Int) {
	q, r = l.divided(new(big.Int).Abs(x), new(big.Int).Abs(y))
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
func (l *large) divided(x, y *big.Int) (q, r *big.Int) {
	n := uint(max(y.BitLen(), wholeBits))
	y, shift := new(big.Int).Lsh(y, n-uint(y.BitLen())), n-uint(y.BitLen()) // so that y has n bits
	x = new(big.Int).Lsh(x, shift)
	var digits []*big.Int // the lowest first
	for rest := x; rest.Sign() > 0; {
		high, low := halves(rest, n)
		digits, rest = append(digits, low), high
		l.poll.Ask(wholeWork)
	}
	q, r = new(big.Int), new(big.Int)
	for i := len(digits) - 1; i >= 0; i-- {
		var d *big.Int
		d, r = l.digit(new(big.Int).Add(new(big.Int).Lsh(r, n), digits[i]), y, n)
		q.Add(q.Lsh(q, n), d)
		l.poll.Ask(wholeWork)
	}
	return q, r.Rsh(r, shift)
}

// digit is x divided by y, which has n bits, for x < y<<n: two halves of a digit, each of three
// halves by two.
func (l *large) digit(x, y *big.Int, n uint) (q, r *big.Int) {
	if n <= 2*wholeBits {
		l.poll.Ask(wholeWork)
		return new(big.Int).QuoRem(x, y, new(big.Int))
	}
	if n%2 == 1 {
		q, r = l.digit(new(big.Int).Lsh(x, 1), new(big.Int).Lsh(y, 1), n+1)
		return q, r.Rsh(r, 1)
	}
	half := n / 2
	y1, y2 := halves(y, half)
	high, low := halves(x, n)
	low1, low2 := halves(low, half)
	q1, r := l.half(high, low1, y, y1, y2, half)
	q2, r := l.half(r, low2, y, y1, y2, half)
	return q1.Add(q1.Lsh(q1, half), q2), r
}

// half is x<<n + low divided by y = y1<<n + y2, of n bits a half: it is guessed from y1, and the
// guess is at most 2 too large.
func (l *large) half(x, low, y, y1, y2 *big.Int, n uint) (q, r *big.Int) {
	if top, _ := halves(x, n); top.Cmp(y1) == 0 {
		one := big.NewInt(1)
		q = new(big.Int).Sub(new(big.Int).Lsh(one, n), one)
		r = new(big.Int).Sub(x, new(big.Int).Lsh(y1, n))
		r.Add(r, y1)
	} else {
		q, r = l.digit(x, y1, n)
	}
	r.Add(r.Lsh(r, n), low)
	r.Sub(r, l.product(q, y2))
	for r.Sign() < 0 {
		q.Sub(q, big.NewInt(1))
		r.Add(r, y)
	}
	return q, r
}

// text is the decimal digits of x >= 0: those of the quotient by a power of ten and of the
// remainder.
func (l *large) text(x *big.Int) string {
	if x.BitLen() <= wholeBits {
		return x.Text(10)
	}
	powers, lengths := []*big.Int{new(big.Int).Exp(big.NewInt(10), big.NewInt(1<<15), nil)}, []int{1 << 15}
	for k := 0; 2*powers[k].BitLen() <= x.BitLen()+1; k++ {
		powers, lengths = append(powers, l.product(powers[k], powers[k])), append(lengths, 2*lengths[k])
	}
	out := make([]byte, 0, x.BitLen()*31/100+1)
	var write func(x *big.Int, k int, fill bool)
	write = func(x *big.Int, k int, fill bool) {
		if k < 0 {
			l.poll.Ask(wholeWork)
			digits := x.Text(10)
			for i := len(digits); fill && i < lengths[0]; i++ {
				out = append(out, '0')
			}
			if fill || x.Sign() > 0 {
				out = append(out, digits...)
			}
			return
		}
		q, r := l.divided(x, powers[k])
		write(q, k-1, fill)
		write(r, k-1, fill || len(out) > 0)
	}
	write(x, len(powers)-1, false)
	return string(out)
}

// decimal is the decimal digits of an int.
func decimal(poll tensor.Poll, n starlark.Int) string {
	if !IsLarge(n) {
		return n.String()
	}
	l := large{poll}
	text := l.text(new(big.Int).Abs(n.BigInt()))
	if n.Sign() < 0 {
		return "-" + text
	}
	return text
}

// powMod is x to the power y modulo m, all > 0 but for x, which may be 0 or negative: bits of y
// are taken together as long as Go takes some milliseconds.
func (l *large) powMod(x, y, m *big.Int) *big.Int {
	words := m.BitLen()/64 + 1
	bits := max(1, 1<<18/(words*words))
	_, x = l.floored(x, m)
	if bits == 1 {
		z := big.NewInt(1)
		for i := y.BitLen() - 1; i >= 0; i-- {
			_, z = l.divided(l.product(z, z), m)
			if y.Bit(i) == 1 {
				_, z = l.divided(l.product(z, x), m)
			}
		}
		return z
	}
	shift := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	z := big.NewInt(1)
	for at := (y.BitLen() - 1) / bits * bits; at >= 0; at -= bits {
		l.poll.Ask(wholeWork)
		part := new(big.Int).Rsh(y, uint(at))
		_, part = halves(part, uint(bits))
		z.Exp(z, shift, m)
		z.Mul(z, new(big.Int).Exp(x, part, m)).Mod(z, m)
	}
	return z.Mod(z, m)
}
