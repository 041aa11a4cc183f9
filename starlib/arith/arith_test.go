package arith

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

var limits = []int64{0, 1, -1, 2, 3, -7, 62, 63, 64, 65, exact - 1, exact, exact + 1, -exact - 1,
	math.MaxInt32, math.MinInt32, 1 << 62, math.MaxInt64, math.MinInt64, math.MinInt64 + 1}

// floored divides as Python does: the remainder has the sign of the divisor.
func floored(a, b *big.Int) (q, rem *big.Int) {
	q, rem = new(big.Int).QuoRem(a, b, new(big.Int))
	if rem.Sign() != 0 && rem.Sign() != b.Sign() {
		q.Sub(q, big.NewInt(1))
		rem.Add(rem, b)
	}
	return q, rem
}

// exactly is a op b without limits; nil where that is not defined, or no int.
func exactly(op code.Op, a, b *big.Int) *big.Int {
	z := new(big.Int)
	switch op {
	case code.Mul:
		return z.Mul(a, b)
	case code.And:
		return z.And(a, b)
	case code.Or:
		return z.Or(a, b)
	case code.Xor:
		return z.Xor(a, b)
	case code.FloorDiv, code.Mod:
		if b.Sign() == 0 {
			return nil
		}
		q, rem := floored(a, b)
		if op == code.Mod {
			return rem
		}
		return q
	case code.Shl, code.Shr, code.Pow:
		if n := b.Int64(); b.Sign() < 0 {
			return nil
		} else if op == code.Shr {
			return z.Rsh(a, uint(min(n, 100)))
		} else if op == code.Shl {
			return z.Lsh(a, uint(min(n, 100)))
		}
		return z.Exp(a, big.NewInt(min(b.Int64(), 100)), nil)
	}
	return nil
}

// TestInts: what is computed is the exact result, and what overflows or is not defined is left.
func TestInts(t *testing.T) {
	for _, op := range []code.Op{code.Mul, code.FloorDiv, code.Mod, code.And, code.Or, code.Xor, code.Shl, code.Shr, code.Pow} {
		computed := 0
		for _, a := range limits {
			for _, b := range limits {
				x, y, z := slot.Int(a), slot.Int(b), slot.Slot{}
				want := exactly(op, big.NewInt(a), big.NewInt(b))
				if !Numbers(op, &x, &y, &z) {
					continue
				}
				computed++
				if want == nil || !want.IsInt64() || !z.IsInt() || z.Int() != want.Int64() {
					t.Errorf("%v of %d and %d: got %v, want %v", code.Tokens[op], a, b, z.Value(), want)
				}
			}
		}
		if computed < len(limits) {
			t.Errorf("%v: only %d of %d pairs are computed", code.Tokens[op], computed, len(limits)*len(limits))
		}
	}
}

// TestSum: a sum that does not fit is left, and so it is of a bool.
func TestSum(t *testing.T) {
	for _, a := range limits {
		for _, b := range limits {
			want := new(big.Int).Add(big.NewInt(a), big.NewInt(b))
			z := slot.Slot{}
			if ok := Sum(a, b, &z); ok != want.IsInt64() || ok && z.Int() != want.Int64() {
				t.Errorf("%d + %d: got %v, %v, want %v", a, b, z.Value(), ok, want)
			}
		}
		for _, op := range []code.Op{code.Add, code.Sub} {
			want := new(big.Int).Add(big.NewInt(a), big.NewInt(map[code.Op]int64{code.Add: 1, code.Sub: -1}[op]))
			x, y, z := slot.Int(a), slot.Bool(true), slot.Slot{}
			ok, err := Plain(op, &x, &y, &z, 0, new(Texts))
			if err != nil || ok != want.IsInt64() || ok && z.Int() != want.Int64() {
				t.Errorf("%d %v True: got %v, %v, %v, want %v", a, code.Tokens[op], z.Value(), ok, err, want)
			}
		}
	}
}

// TestGrowing: texts that grow in turn, more of them than are remembered, and from texts that have
// grown before, are what + makes; and those before stay what they were.
func TestGrowing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var texts Texts
	var got []starlark.String
	var want []string
	for range maxGrowing + 2 {
		got, want = append(got, ""), append(want, "")
	}
	for i := range 4000 {
		from, add := rnd.IntN(len(got)), strings.Repeat(string(rune('a'+i%26)), rnd.IntN(40))
		z, err := texts.Join(got[from], starlark.String(add), code.Changes)
		if err != nil {
			t.Fatal(err)
		}
		to := from
		if rnd.IntN(20) == 0 { // another goes on from here
			to = rnd.IntN(len(got))
		}
		got[to], want[to] = z, want[from]+add
		if i%500 == 0 {
			texts.Forget()
		}
	}
	for i := range got {
		if string(got[i]) != want[i] {
			t.Errorf("text %d of %d bytes is not the %d bytes that were added", i, len(got[i]), len(want[i]))
		}
	}
}

// TestGrowingIsLinear: a text to which bytes are added one by one is copied a few times, not each
// time.
func TestGrowingIsLinear(t *testing.T) {
	const n = 1 << 14
	allocated := testing.AllocsPerRun(1, func() {
		var texts Texts
		x := starlark.String(strings.Repeat("x", minGrowing))
		for range n {
			x, _ = texts.Join(x, "y", 0)
		}
		if len(x) != minGrowing+n {
			t.Errorf("got %d bytes, want %d", len(x), minGrowing+n)
		}
	})
	if allocated > 100 {
		t.Errorf("%d bytes that are added one by one took %v allocations, want few", n, allocated)
	}
}
