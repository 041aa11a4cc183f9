package slot

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"

	"go.starlark.net/starlark"
)

// Keys that are equal have one hash. That of a number is CPython's, so that it is the same for
// equal numbers of all types, and for what a program's __hash__ makes of them: the number modulo
// the prime 2^61 - 1, with its sign, and -2 for -1.
const (
	modulusBits = 61
	modulus     = 1<<modulusBits - 1
)

var (
	seed       = maphash.MakeSeed()
	secret     = [2]uint64{rand.Uint64() | 1, rand.Uint64() | 1} // as that, for short texts
	bigModulus = big.NewInt(modulus)
)

// Hash is hash(x), by which dicts and sets find a key.
func Hash(x Slot) (int64, error) {
	h, err := hashOf(x)
	return int64(h), err
}

func hashOf(x Slot) (uint64, error) {
	switch v := x.ref.(type) {
	case intTag:
		return hashInt(int64(x.bits)), nil
	case starlark.String:
		return hashText(string(v)), nil
	case floatTag:
		if f := x.Float(); f == f {
			return hashFloat(f), nil
		}
		return x.bits * golden, nil
	case starlark.Bool, starlark.Int:
		return hashNumber(x), nil
	case starlark.Bytes:
		return hashText(string(v)), nil
	case starlark.NoneType:
		return 0xfca86420, nil
	case starlark.Tuple:
		parts := 0
		return hashTuple(v, 1, &parts)
	case nil:
		return 0, errors.New("unhashable: nothing")
	}
	h, err := Hooks.Hash(x.Value())
	return uint64(h), err
}

// hashText is the hash of a text. That of a short one is a product of its two halves, which may
// have bytes in common.
func hashText(s string) uint64 {
	var a, b uint64
	switch n := len(s); {
	case n > 16:
		return maphash.String(seed, s)
	case n >= 8:
		a, b = eight(s), eight(s[n-8:])
	case n >= 4:
		a, b = four(s), four(s[n-4:])
	case n > 0:
		a, b = uint64(s[0])<<8|uint64(s[n-1]), uint64(s[n/2])
	}
	high, low := bits.Mul64(a^secret[0], b^secret[1]^uint64(len(s))<<56)
	return high ^ low
}

func eight(s string) uint64 {
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func four(s string) uint64 {
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

// hashInt is the hash of an int of 64 bits.
func hashInt(i int64) uint64 {
	if i >= modulus || i <= -modulus {
		i %= modulus
	}
	if i == -1 {
		i = -2
	}
	return uint64(i)
}

// hashNumber is the hash of a bool or of a large int.
func hashNumber(x Slot) uint64 {
	if k, i := kindOf(x); k == small {
		return uint64(i)
	}
	rest := x.ref.(starlark.Int).BigInt()
	return hashInt(rest.Rem(rest, bigModulus).Int64())
}

// hashFloat is m * 2^e modulo 2^61 - 1, for which the bits of m go around.
func hashFloat(f float64) uint64 {
	switch {
	case f != f:
		return rand.Uint64()
	case math.IsInf(f, 0):
		return hashInt(int64(math.Copysign(314159, f)))
	}
	const fraction = 52
	b := math.Float64bits(f)
	m, e := b&(1<<fraction-1), int(b>>fraction&0x7ff)
	if e == 0 {
		e = 1
	} else {
		m |= 1 << fraction
	}
	e = (e - 1075 + 18*modulusBits) % modulusBits // the least exponent is -1074
	h := int64(m<<e&modulus | m>>(modulusBits-e))
	if f < 0 {
		h = -h
	}
	return hashInt(h)
}

// A tuple is hashed by calls that nest, and one that holds another twice, and so on, for as long
// as the numbers of its parts say.
const (
	maxNesting  = 1000
	maxKeyParts = 1 << 16
)

func hashTuple(t starlark.Tuple, depth int, parts *int) (uint64, error) {
	if *parts++; *parts > maxKeyParts || depth > maxNesting {
		return 0, fmt.Errorf("a key of nested tuples: got more than %d levels or %d tuples",
			maxNesting, maxKeyParts)
	}
	sum := uint64(len(t)) * golden
	for _, v := range t {
		var h uint64
		var err error
		switch v := v.(type) {
		case starlark.Int:
			if i, ok := v.Int64(); ok {
				h = hashInt(i)
			} else {
				h = hashNumber(Slot{ref: v})
			}
		case starlark.String:
			h = hashText(string(v))
		case starlark.Tuple:
			h, err = hashTuple(v, depth+1, parts)
		default:
			h, err = hashOf(Of(v))
		}
		if err != nil {
			return 0, err
		}
		sum = bits.RotateLeft64(sum^h*golden, 29) * 0xbf58476d1ce4e5b9
	}
	return sum, nil
}

// sameKey is whether two keys of one hash are equal. stored is the one of the table, whose
// methods are asked first.
//
// A nan is the key that has its bits, as the same object is in CPython.
func sameKey(stored, key Slot) (bool, error) {
	if stored.IsFloat() && key.IsFloat() && stored.bits == key.bits {
		return true, nil
	}
	a, isTuple := stored.ref.(starlark.Tuple)
	b, both := key.ref.(starlark.Tuple)
	if !isTuple || !both {
		return Equal(stored, key)
	}
	if len(a) != len(b) {
		return false, nil
	}
	if identical(stored, key) {
		return true, nil
	}
	for i := range a {
		switch x := a[i].(type) {
		case starlark.Int: // comparable by their bits if they are small
			if y, ok := b[i].(starlark.Int); ok && x == y {
				continue
			}
		case starlark.String:
			if y, ok := b[i].(starlark.String); ok && x == y {
				continue
			}
		}
		if same, err := sameKey(Of(a[i]), Of(b[i])); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}
