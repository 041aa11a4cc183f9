package starlib_test

import (
	"slices"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/np"
	"go.starlark.net/starlark"
)

// twoRows are the functions that T and np both have and that are two rows, each with the reason.
var twoRows = map[string]string{
	"block":         "np's nested lists have arrays, T's have variables, which no parameter of a row can find",
	"split":         "np's cuts into equal parts or at places, T's into parts of given lengths",
	"fill_diagonal": "np's writes to its array, T's result is another matrix",
	"reshape":       "the third parameter is order in NumPy and ndim in Theano",
	"round":         "np's has decimals, T's is an elementwise operation",
}

// TestOneRow compares the functions of np with the names of T: what both have is one row.
func TestOneRow(t *testing.T) {
	inT := starlib.NewSession(starlib.Options{}).Predeclared()["T"].(starlark.HasAttrs).AttrNames()
	two, one := map[string]bool{}, 0
	for _, f := range np.Functions() {
		for _, name := range f.In("np") {
			switch {
			case slices.Contains(f.In("T"), name):
				one++
			case slices.Contains(inT, name):
				two[name] = true
				if twoRows[name] == "" {
					t.Errorf("%s: T and np have it in two rows: give the one of np a symbolic half, or say here why there are two", name)
				}
			}
		}
	}
	for name := range twoRows {
		if !two[name] {
			t.Errorf("%s: got one row, want two: take it off the list", name)
		}
	}
	if one < 30 {
		t.Errorf("got %d functions of T and np in one row, want more", one)
	}
}
