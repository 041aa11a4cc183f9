package specials_test

import (
	"os"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestTable: the special methods of the builtin types and their results are those of CPython and
// NumPy.
func TestTable(t *testing.T) {
	program, err := os.ReadFile("testdata/table.py")
	if err != nil {
		t.Fatal(err)
	}
	golden, err := os.ReadFile("testdata/table.golden")
	if err != nil {
		t.Fatal(err)
	}
	var out starlibtest.Printed
	if _, _, err := starlibtest.NewSession(t).Execute(t.Context(), 1, string(program), &out); err != nil {
		t.Fatal(err)
	}
	got, want := strings.Split(out.String(), "\n"), strings.Split(string(golden), "\n")
	if len(got) != len(want) {
		t.Errorf("%d lines, CPython prints %d", len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Errorf("line %d:\n%s\nCPython:\n%s", i+1, got[i], want[i])
		}
	}
}
