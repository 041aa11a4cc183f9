package magic_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestRaises: a cell that fails as its first line says is none that fails.
func TestRaises(t *testing.T) {
	for _, c := range []struct{ code, out, err string }{
		{"%%raises\nx = 1 // 0", "ZeroDivisionError: floored division by zero", ""},
		{"%%raises NameError\n\nprint(nothing)", "-->   3 print(nothing)", ""},
		{"%%raises AssertionError: no\nassert 1 == 2, \"no\"", "AssertionError: no", ""},
		{"%%raises SyntaxError\nx = = 1", "SyntaxError: ", ""},
		{"%%raises\nx = 1", "", "%%raises: the cell did not fail; want an error"},
		{"%%raises NameError\nx = 1", "", "%%raises: the cell did not fail; want an error with NameError"},
		{"%%raises NameError\nx = 1 // 0", "", "floored division by zero (of arrays it is inf or nan: np.array(x) / y)"},
	} {
		out := &starlibtest.Recorder{}
		_, _, err := starlibtest.NewSession(t).Execute(t.Context(), 1, c.code, out)
		got := ""
		if err != nil {
			got, _, _ = strings.Cut(fmt.Sprint(err), "\n")
		}
		if got != c.err || !strings.Contains(out.String(), c.out) || c.err != "" && out.String() != "" {
			t.Errorf("%s:\ngot  %q, printed %q\nwant %q, %q", c.code, got, out, c.err, c.out)
		}
	}
}
