package random_test

import (
	"math/big"
	"testing"
)

// bigs parses hexadecimal integers.
func bigs(t testing.TB, list ...string) []*big.Int {
	z := make([]*big.Int, len(list))
	for i, s := range list {
		var ok bool
		if z[i], ok = new(big.Int).SetString(s, 16); !ok {
			t.Fatalf("got %q, want an integer", s)
		}
	}
	return z
}
