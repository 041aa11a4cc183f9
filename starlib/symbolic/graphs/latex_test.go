package graphs_test

import (
	"context"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestFormulas checks what a front end is given for a variable: LaTeX beside the text, unless there
// is nothing to say or too much.
func TestFormulas(t *testing.T) {
	s := starlibtest.NewSession(t)
	for _, c := range []struct{ code, tex, text string }{
		{"x = T.dvector('x')\nx * 2", `$\displaystyle x \cdot 2$`, "Elemwise{mul,no_inplace}.0"},
		{"q = T.dscalar('q')\nq * (2 * q)", `$\displaystyle q \cdot 2 \, q$`, "Elemwise{mul,no_inplace}.0"},
		{"q * 2 ** q", `$\displaystyle q \cdot {2}^{q}$`, "Elemwise{mul,no_inplace}.0"},
		{"T.grad(q ** 2, q)", `$\displaystyle 1 \cdot 2 \, {q}^{2 - 1}$`, "Elemwise{mul,no_inplace}.0"},
		{"x", `$\displaystyle x$`, "x"},
		{"T.dvector()", "", "<TensorType(float64, vector)>"},
		{"y = T.exp(x)\ny.name = 'y_1'\ny", `$\displaystyle y_{1} = e^{x}$`, "y_1"},
		{"shared(1.0, name='w')", `$\displaystyle w$`, "w"},
		{"z = x\nfor i in range(3000):\n    z = z + 1\nz", "", "Elemwise{add,no_inplace}.0"},
		{"z = x\nfor i in range(60):\n    z = z * z\nz", "", "Elemwise{mul,no_inplace}.0"},
		{"x.mean()", `$\displaystyle \mathrm{mean}\left(x\right)$`, "Elemwise{true_div,no_inplace}.0"},
		{"m = T.fmatrix('m')\nm.mean(axis=0)", `$\displaystyle \mathrm{mean}_{0}\left(m\right)$`, "Elemwise{true_div,no_inplace}.0"},
		{"-m.mean(keepdims=True)", `$\displaystyle -\mathrm{mean}\left(m\right)$`, "Elemwise{neg,no_inplace}.0"},
		{"T.dmatrix('k', shape=(2, None)).mean()", `$\displaystyle \mathrm{mean}\left(k\right)$`, "Elemwise{true_div,no_inplace}.0"},
		{"T.drow('r').mean(axis=0)", `$\displaystyle \mathrm{mean}_{0}\left(r\right)$`, "Elemwise{true_div,no_inplace}.0"},
		{"m.sum() / x.shape[0]", `$\displaystyle \frac{\sum m}{\mathrm{len}_{0}\left(x\right)}$`, "Elemwise{true_div,no_inplace}.0"},
		{"x.sum() / 2", `$\displaystyle \frac{\sum x}{2}$`, "Elemwise{true_div,no_inplace}.0"},
		{"[x * 2]", "", "[Elemwise{mul,no_inplace}.0]"},
		{"T.dscalar('a\\x1b]0;b')", `$\displaystyle \mathrm{a]0;b}$`, `a\x1b]0;b`},
	} {
		data, _, err := s.Execute(context.Background(), 1, c.code, &starlibtest.Recorder{})
		if err != nil {
			t.Fatalf("%s: %v", c.code, err)
		}
		tex, _ := data["text/latex"].(string)
		if text := data["text/plain"].(string); tex != c.tex || text != c.text {
			t.Errorf("%s: got %q and %q, want %q and %q", strings.ReplaceAll(c.code, "\n", "; "), tex, text, c.tex, c.text)
		}
	}
}
