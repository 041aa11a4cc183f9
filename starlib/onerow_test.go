package starlib_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/np"
	"go.starlark.net/starlark"
)

// twoRows are the functions that T and np both have and that are two rows, each with the reason.
var twoRows = map[string]string{
	"split":         "np's cuts into equal parts or at places, T's into parts of given lengths",
	"fill_diagonal": "np's writes to its array, T's result is another matrix",
	"round":         "np's has decimals, T's is an elementwise operation",
}

// notYet are those that wait for their symbolic half.
var notYet = strings.Fields(`zeros ones empty full zeros_like ones_like full_like arange linspace logspace eye identity tri tril triu
	reshape transpose shape clip argsort sort searchsorted cumsum cumprod take bincount diff`)

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
				if twoRows[name] == "" && !slices.Contains(notYet, name) {
					t.Errorf("%s: T and np have it in two rows: give the one of np a symbolic half, or say here why there are two", name)
				}
			}
		}
	}
	for _, name := range slices.AppendSeq(notYet, maps.Keys(twoRows)) {
		if !two[name] {
			t.Errorf("%s: got one row, want two: take it off the list", name)
		}
	}
	if one < 30 {
		t.Errorf("got %d functions of T and np in one row, want more", one)
	}
}
