package operations_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// elementwiseValues are operands by kind of type: what is hard, and what every function can take.
var elementwiseValues = map[bool]string{
	true:  `[-inf, -2.5, -1.0, -0.0, 0.0, 0.25, 1.0, 3.0, inf, nan]`,
	false: `[0, 1, 2, 3, 5, 7, 100, 0, 1, 64]`,
}

// TestElementwiseOfBoth checks, for every row, that the functions of T and np give the same where
// their typing is the same.
func TestElementwiseOfBoth(t *testing.T) {
	for e := range op.Rows {
		row := e.Row()
		symbolic, eager := row.NamesIn("T"), row.NamesIn("np")
		if len(symbolic) == 0 || len(eager) == 0 || row.NumPy != 0 {
			continue
		}
		var code strings.Builder
		code.WriteString("inf, nan = np.inf, np.nan\n")
		for _, d := range []kernels.DType{kernels.Bool, kernels.Int8, kernels.Uint16, kernels.Int64, kernels.Float32, kernels.Float64} {
			if _, refused := row.Takes.Of(d); refused != "" {
				continue
			}
			var names, givens []string
			for i := range e.Arity() {
				names, givens = append(names, fmt.Sprint("x", i)), append(givens, fmt.Sprintf("x%d: v%d", i, i))
				fmt.Fprintf(&code, "v%d = np.roll(np.array(%s), %d).astype(%q)\nx%d = T.vector(dtype=%q)\n", i, elementwiseValues[d.IsFloat()], 3*i, d, i, d)
			}
			values := strings.ReplaceAll(strings.Join(names, ", "), "x", "v")
			for _, name := range symbolic {
				fmt.Fprintf(&code, "z, want = T.%s(%s).eval({%s}), np.%s(%s)\n", name, strings.Join(names, ", "), strings.Join(givens, ", "), eager[0], values)
				fmt.Fprintf(&code, "eq([%q, z.dtype, z.tolist()], [%q, want.dtype, want.tolist()]) if not np.array_equal(z, want, equal_nan=True) or z.dtype != want.dtype else None\n",
					d, d)
			}
		}
		t.Run(row.Name, func(t *testing.T) {
			for _, problem := range starlibtest.RunSpec(row.Name, code.String()) {
				t.Errorf("%s\n%s", problem, code.String())
			}
		})
	}
}
