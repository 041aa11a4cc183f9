package object

import (
	"math"
	"math/big"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// modulus is what hashes of numbers are taken by, as CPython's on machines of 64 bits: the Mersenne
// prime 2^61 - 1. Equal numbers of all types have the same.
var modulus = big.NewInt(1<<61 - 1)

// Hash is hash(x). Of a text it is Starlark's, of a number CPython's; an instance has what __hash__
// returns.
func Hash(x starlark.Value) (starlark.Value, error) {
	x = value.Plain(x)
	switch v := x.(type) {
	case *value.Object:
		if held := v.Being.(*Instance).hashed(); held != nil {
			return Hash(held)
		}
		h, err := v.KeyHash()
		return starlark.MakeInt64(h), err
	case value.ComplexNumber:
		h, err := v.KeyHash()
		return starlark.MakeInt64(h), err
	case starlark.Bool:
		if v {
			return starlark.MakeInt(1), nil
		}
		return starlark.MakeInt(0), nil
	case starlark.Int:
		return hashNumber(new(big.Rat).SetInt(v.BigInt())), nil
	case starlark.Float:
		switch f := float64(v); {
		case math.IsNaN(f):
			return starlark.MakeInt(0), nil
		case math.IsInf(f, 0):
			return starlark.MakeInt(int(math.Copysign(314159, f))), nil
		default:
			return hashNumber(new(big.Rat).SetFloat64(f)), nil
		}
	case starlark.String, starlark.Bytes:
		return value.Call(&starlark.Thread{}, starlark.Universe["hash"], starlark.Tuple{x}, nil)
	}
	h, err := x.Hash()
	if err != nil {
		return nil, typeError("unhashable type: '%s'", typeName(x))
	}
	return starlark.MakeUint(uint(h)), nil
}

// hashNumber is a fraction modulo 2^61 - 1, with its sign; -1 stands for an error in CPython, and
// becomes -2.
func hashNumber(r *big.Rat) starlark.Value {
	inverse := new(big.Int).ModInverse(r.Denom(), modulus) // denominators are powers of two
	n := new(big.Int).Abs(r.Num())
	n.Mod(n.Mul(n, inverse), modulus)
	if r.Sign() < 0 {
		n.Neg(n)
	}
	if n.Cmp(big.NewInt(-1)) == 0 {
		n.SetInt64(-2)
	}
	return starlark.MakeBigInt(n)
}
