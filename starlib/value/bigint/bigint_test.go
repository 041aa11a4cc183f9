package bigint

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// TestLargeInts compares products, quotients, texts and powers of integers that are computed in
// parts with Go's: random lengths, ones and zeros in a row, and quotients that are guessed too
// large.
func TestLargeInts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func(bits int) *big.Int {
		x := new(big.Int)
		for x.BitLen() < bits {
			n := uint(r.IntN(bits)/2 + 1)
			x.Lsh(x, n)
			switch r.IntN(3) {
			case 0: // ones
				x.Add(x, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), n), big.NewInt(1)))
			case 1:
				words := make([]big.Word, n/64+1)
				for i := range words {
					words[i] = big.Word(r.Uint64())
				}
				x.Add(x, new(big.Int).Rsh(new(big.Int).SetBits(words), uint(64-n%64)))
			}
			x.Add(x, big.NewInt(1))
		}
		if r.IntN(2) == 0 {
			x.Neg(x)
		}
		return x
	}
	var ar Arithmetic
	for range 60 {
		x, y := number(1+r.IntN(8*wholeBits)), number(1+r.IntN(4*wholeBits))
		if got, want := ar.Product(x, y), new(big.Int).Mul(x, y); got.Cmp(want) != 0 {
			t.Fatalf("a product of %d and %d bits is wrong", x.BitLen(), y.BitLen())
		}
		a, b := starlark.MakeBigInt(x), starlark.MakeBigInt(y)
		q, rem := ar.Floored(x, y)
		for op, got := range map[syntax.Token]*big.Int{syntax.SLASHSLASH: q, syntax.PERCENT: rem} {
			want, err := starlark.Binary(op, a, b)
			if err != nil {
				t.Fatal(err)
			}
			if got.Cmp(want.(starlark.Int).BigInt()) != 0 {
				t.Fatalf("x %s y is wrong for %d and %d bits", op, x.BitLen(), y.BitLen())
			}
		}
	}
	for _, bits := range []int{wholeBits - 1, wholeBits + 1, 3 * wholeBits, 5*wholeBits + 7} {
		x := number(bits)
		if got := ar.Decimal(x); got != x.String() {
			t.Errorf("the digits of a number of %d bits are wrong", bits)
		}
	}
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(1<<17), nil)
	for _, x := range []*big.Int{ten, new(big.Int).Sub(ten, big.NewInt(1)), new(big.Int).Add(ten, big.NewInt(1))} {
		if got := ar.Decimal(x); got != x.String() {
			t.Error("the digits of a number at a power of ten are wrong")
		}
	}
	for _, bits := range []int{1, 64, 20000, wholeBits + 5} {
		x, y, m := number(bits), number(min(60, bits)), number(bits)
		y.Abs(y)
		m.Abs(m)
		if got, want := ar.PowMod(x, y, m), new(big.Int).Exp(x, y, m); got.Cmp(want) != 0 {
			t.Errorf("a power modulo a number of %d bits is wrong", bits)
		}
	}
}
