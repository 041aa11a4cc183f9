package object

import (
	"math"
	"math/big"

	"github.com/arignote/arignote/starlib/slot"
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

// QuickHash is hash of an int, and of a tuple of what has no __hash__ of the program's.
func QuickHash(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	if args[0].IsInt() {
		h, err := slot.Hash(args[0])
		return slot.Int(h), err == nil
	}
	t, isTuple := args[0].Ref().(starlark.Tuple)
	if !isTuple || len(t) > maxQuickHash {
		return slot.Slot{}, false
	}
	for _, x := range t {
		switch x := x.(type) {
		case starlark.Int, starlark.Float, starlark.Bool, starlark.NoneType:
		case starlark.String:
			if len(x) > maxQuickHash {
				return slot.Slot{}, false
			}
		default:
			return slot.Slot{}, false
		}
	}
	h, err := t.Hash()
	return slot.Int(int64(h)), err == nil
}

// maxQuickHash is up to how many elements or bytes are hashed without a look at the time.
const maxQuickHash = 256

// QuickID is id of an instance and of a list.
func QuickID(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	switch x := args[0].Ref().(type) {
	case *value.Object, *slot.List:
		return slot.Int(int64(slot.Identity(slot.Ref(x)))), true
	}
	return slot.Slot{}, false
}

// HashMethod returns the __hash__ that hash(x) of an instance calls, nil where no function of the
// program's is needed for the hash or the error.
func HashMethod(x *value.Object) value.Def {
	i := x.Being.(*Instance)
	if i.hashed() != nil || i.class.forgetsHash() {
		return nil
	}
	return i.Function("__hash__")
}

// HashOf is the hash of an instance whose __hash__ has returned a value.
func HashOf(instance, result starlark.Value) (int64, error) {
	return instance.(*value.Object).Being.(*Instance).hashOf(result)
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
