package symbolic_test

import (
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestPrinted: what is printed, and what is warned of, goes to the cell that runs.
func TestPrinted(t *testing.T) {
	s := starlibtest.NewSession(t)
	for _, c := range []struct{ code, want string }{
		{`x = T.dmatrix("x")
p = theano.printing.Print("hello", attrs=("__str__", "shape", "mean"))
f = function([x], [p(x * 2) + 1, theano.printing.Print("sum")(x.sum())])`, ""},
		{`r = f([[1, 2]])`, "stdout: hello __str__ = [[2. 4.]]\nhello shape = (1, 2)\nhello mean = 3.0\n|stdout: sum __str__ = 3.0\n"},
		{`f(np.ones((2, 1)))`, "stdout: hello __str__ = [[2.]\n [2.]]\nhello shape = (2, 1)\nhello mean = 2.0\n|stdout: sum __str__ = 2.0\n"},
		{`r = function([x], theano.printing.Print("once")(x), mode="DebugMode")([[1]])`, "stdout: once __str__ = [[1.]]\n"},
		{`config.compute_test_value = "warn"
y = T.exp(x) * 2`, "stderr: warning: In[1]:2:10: compute_test_value: input 0 (x) of Elemwise{exp,no_inplace}(x) has no test value\n|" +
			"stderr: warning: In[1]:2:14: compute_test_value: input 0 (Elemwise{exp,no_inplace}.0) of Elemwise{mul,no_inplace}(Elemwise{exp,no_inplace}.0, " +
			"TensorConstant{(1, 1) of 2.0}) has no test value\n"},
		{`x.tag.test_value = [[1]]
y = theano.printing.Print("built", attrs=("__repr__",))(x)
config.compute_test_value = "off"`, "stdout: built __repr__ = array([[1.]])\n"},
		{`config.warn_float64 = "warn"
y = x * 2 + T.dscalar("z")
config.warn_float64 = "ignore"`, "stderr: warning: In[1]:2:22: warn_float64: a float64 variable: z; give it a dtype, or set config.floatX = \"float32\"\n"},
		{`r = function([x], theano.printing.Print("profiled")(x), profile=True, name="f")
r([[1]])
ops = [o for o in r.profile.ops() if o.op.startswith("Print{")]
assert len(ops) == 1 and ops[0].calls == 1, str(ops)`, "stdout: profiled __str__ = [[1.]]\n"},
	} {
		out := &starlibtest.Recorder{}
		if _, _, err := s.Execute(t.Context(), 1, c.code, out); err != nil {
			t.Errorf("%s: %v", c.code, err)
		} else if got := out.String(); got != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q", c.code, got, c.want)
		}
	}
}
