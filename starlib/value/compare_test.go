package value_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// TestCompareNumbers: comparisons of ints and floats are those of their exact values; nan is
// unordered, and -0.0 is 0.
func TestCompareNumbers(t *testing.T) {
	numbers := []starlark.Value{starlark.Float(math.NaN())}
	for _, f := range []float64{0, math.Copysign(0, -1), 0.5, -0.5, 1, 1<<53 - 1, 1 << 53, 1<<53 + 2, -(1 << 53), -(1<<53 + 2), 1 << 62, 1 << 63, -(1 << 63), 1e300, -1e300,
		math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64, math.MaxFloat64} {
		numbers = append(numbers, starlark.Float(f))
	}
	for _, n := range []int64{0, 1, -1, 1<<53 - 1, 1 << 53, 1<<53 + 1, -(1 << 53), -(1<<53 + 1), 1 << 62, math.MaxInt64, math.MinInt64} {
		numbers = append(numbers, starlark.MakeInt64(n))
	}
	huge := new(big.Int).Lsh(big.NewInt(1), 1100)
	numbers = append(numbers, starlark.MakeUint64(1<<63), starlark.MakeBigInt(huge), starlark.MakeBigInt(new(big.Int).Neg(huge)))
	exact := func(v starlark.Value) (r *big.Rat, infinite int, nan bool) {
		switch v := v.(type) {
		case starlark.Int:
			return new(big.Rat).SetInt(v.BigInt()), 0, false
		case starlark.Float:
			switch f := float64(v); {
			case f != f:
				return nil, 0, true
			case math.IsInf(f, 1):
				return new(big.Rat), 1, false
			case math.IsInf(f, -1):
				return new(big.Rat), -1, false
			default:
				return new(big.Rat).SetFloat64(f), 0, false
			}
		}
		panic(v)
	}
	for _, x := range numbers {
		for _, y := range numbers {
			a, i, nan := exact(x)
			b, j, also := exact(y)
			order := 0
			if !nan && !also {
				if order = i - j; order == 0 {
					order = a.Cmp(b)
				}
			}
			for op, want := range map[syntax.Token]bool{syntax.LT: order < 0, syntax.LE: order <= 0, syntax.GT: order > 0, syntax.GE: order >= 0, syntax.EQL: order == 0, syntax.NEQ: order != 0} {
				if nan || also {
					want = op == syntax.NEQ
				}
				if got, err := value.Compare(op, x, y); err != nil || got != starlark.Bool(want) {
					t.Errorf("%v %v %v is %v, %v, want %v", x, op, y, got, err, want)
				}
			}
		}
	}
}
