package starlib_test

import (
	"fmt"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestClassesOfNumPy: errors of np are caught by the classes that NumPy 1.24 raises for the same
// statements.
func TestClassesOfNumPy(t *testing.T) {
	for _, c := range []struct{ statement, class string }{
		{"np.linalg.cholesky(-np.eye(2))", "np.linalg.LinAlgError"},
		{"np.linalg.inv(np.zeros((2, 2)))", "np.linalg.LinAlgError"},
		{"np.linalg.inv(X)", "np.linalg.LinAlgError"},
		{"np.linalg.solve(np.zeros((2, 2)), x[:2])", "np.linalg.LinAlgError"},
		{"np.linalg.det(x)", "np.linalg.LinAlgError"},
		{"np.linalg.matrix_power(np.zeros((2, 2)), -1)", "np.linalg.LinAlgError"},
		{"np.linalg.svd(np.array([[np.nan, 1], [1, 1]]))", "np.linalg.LinAlgError"},
		{"np.linalg.solve(np.eye(2), np.ones(3))", "ValueError"},
		{"x[9]", "IndexError"},
		{"X[:, [0, 5]]", "IndexError"},
		{"X[0, 0, 0]", "IndexError"},
		{"X[0, 0, [1]]", "IndexError"},
		{"X[:, [0], ..., ...]", "IndexError"},
		{"X[b]", "IndexError"},
		{"X[:, b]", "IndexError"},
		{"x[0.5]", "IndexError"},
		{"x[[0.5]]", "IndexError"},
		{"x['a']", "IndexError"},
		{"np.array(5)[0]", "IndexError"},
		{"X.sum(axis=2)", "IndexError"},
		{"np.bitwise_and(x, x)", "TypeError"},
		{"x & x", "TypeError"},
		{"~x", "TypeError"},
		{"-b", "TypeError"},
		{"b - b", "TypeError"},
		{"np.dtype('foo')", "TypeError"},
		{"x.astype('foo')", "TypeError"},
		{"x + 'a'", "TypeError"},
		{"x + X", "ValueError"},
		{"X @ X", "ValueError"},
		{"x.reshape(4, 4)", "ValueError"},
		{"x[:] = [1, 2]", "ValueError"},
		{"np.concatenate([])", "ValueError"},
		{"np.zeros(-1)", "ValueError"},
		{"np.zeros(0).max()", "ValueError"},
		{"np.convolve([], x)", "ValueError"},
		{"np.random.choice([1, 2], 3, replace=False)", "ValueError"},
	} {
		code := fmt.Sprintf("import numpy as np\nx = np.arange(6.0)\nX = x.reshape(2, 3)\nb = x > 2\ntry:\n    %s\nexcept %s:\n    print('caught')\n", c.statement, c.class)
		var out starlibtest.Printed
		if _, _, err := starlib.NewSession(starlib.Options{}).Execute(t.Context(), 1, code, &out); err != nil {
			t.Errorf("%s: not a %s: %v", c.statement, c.class, err)
		} else if got := out.String(); got != "caught\n" {
			t.Errorf("%s: printed %q, want that a %s is caught", c.statement, got, c.class)
		}
	}
}
