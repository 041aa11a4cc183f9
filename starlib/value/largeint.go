package value

import (
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value/bigint"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
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
	return bigint.IsLarge(n.BigInt())
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
	ar := bigint.Arithmetic{Poll: tensor.Poll{Stop: host.Stop()}}
	switch {
	case op == syntax.STAR:
		return starlark.MakeBigInt(ar.Product(a.BigInt(), b.BigInt())), nil
	case (op == syntax.SLASHSLASH || op == syntax.PERCENT) && b.Sign() != 0:
		q, r := ar.Floored(a.BigInt(), b.BigInt())
		if op == syntax.PERCENT {
			q = r
		}
		return starlark.MakeBigInt(q), nil
	}
	return nil, nil
}

// decimal is the decimal digits of an int.
func decimal(poll tensor.Poll, n starlark.Int) string {
	if !IsLarge(n) {
		return n.String()
	}
	ar := bigint.Arithmetic{Poll: poll}
	return ar.Decimal(n.BigInt())
}
