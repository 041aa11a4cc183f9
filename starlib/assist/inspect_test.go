package assist_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// inspectSetup makes values of all kinds to ask about.
const inspectSetup = `
def train(inputs, rate=0.1):
    """Trains slowly."""
    return inputs

a = np.arange(6).reshape(2, 3)
x = T.dmatrix("x")
y = T.TensorType("float32", (None, 3))("y")
w = shared(np.zeros(3), name="w")
z = T.exp(x)
f = function([x], [z, x.sum()], name="f")
name = "text"
t = time.parse_time("2024-05-06T07:08:09Z")
`

// TestInspectKinds asks about things of every kind. | is the cursor.
func TestInspectKinds(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, inspectSetup)
	for _, tt := range []struct {
		code string
		want string // parts that must be there, separated by ;;
	}{
		{"np.sum|", "sum(a, axis=None;;Example:"},
		{"np.add|", "add(x;;Args:"},
		{"np.add.reduce|", "reduce(;;along an axis"},
		{"np.float32|", "The element type float32"},
		{"np.pi|", "float: 3.14;;circumference"},
		{"np|", "Arrays;;  linalg           Linear algebra.;;Functions:;;Values:"},
		{"T|", "Constructors of variables:;;Functions:;;nnet"},
		{"\"abc\".upper|", "upper()"},
		{"\"abc\".upper(|", "upper()"},
		{"[1, [2]].append|", "append(x);;at the end"},
		{"{1: 2}.get|", "get(key"},
		{"name.split(|", "split("},
		{"a|", "ndarray: array([[0, 1, 2];;dtype int64, shape (2, 3), 48 bytes"},
		{"a.shape|", "tuple: (2, 3);;The lengths of the axes"},
		{"a.dtype|", "element type"},
		{"a.sum|", "sum(axis=None"},
		{"x|", "TensorVariable: x;;TensorType(float64, matrix);;static shape (None, None);;at In[1]:7:14"},
		{"y|", "static shape (None, 3)"},
		{"z|", "made by exp"},
		{"w|", "TensorSharedVariable: w;;shape of the value (3,)"},
		{"x.ndim|", "int: 2;;number of its axes"},
		{"x.type|", "Its type, which makes;;TensorType(float64, matrix)"},
		{"f|", "f(x: ;;Inputs:\n  x: float64;;Outputs:\n  float64;;Graph:"},
		{"f.name|", "str;;What it is called"},
		{"f(|", "Inputs:"},
		{"train|", "train(inputs, rate=0.1);;Trains slowly.;;Defined at In[1]:2:1"},
		{"config.floatX|", "string: \"float64\";;Default: float64. In force: from default."},
		{"config.profiling.n_ops|", "int: 20;;Rows of the Ops table"},
		{"%timeit|", "%timeit [-n N]"},
		{"%%profile|", "%%profile"},
		{"t.year|", "int: 2024;;The year."},
		{"np.zeros(train(|", "train("},
		{"np.zeros(train([1, |", "train("},
		{"np.zeros(train(1), |", "zeros(shape"},
		{"np.zeros(unknown(1, |", "zeros(shape"},
		{"np.zeros(\n    (2, 3),\n    dt|", "zeros(shape"},
		{"np.zeros(3, dtype=\"name|", "zeros(shape"},
		{"a[0].x|", ""},
		{"unknown.shape|", ""},
	} {
		before, after, _ := strings.Cut(tt.code, "|")
		got, _ := s.Inspect(before+after, len([]rune(before)), 0)["text/plain"].(string)
		if tt.want == "" && got != "" {
			t.Errorf("%s: got %q, want nothing", tt.code, got)
		}
		for part := range strings.SplitSeq(tt.want, ";;") {
			if !strings.Contains(got, part) {
				t.Errorf("%s: got %q, want %q in it", tt.code, got, part)
			}
		}
	}
}

// TestHelp asks by value and by name.
func TestHelp(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, inspectSetup)
	for _, tt := range []struct{ code, want string }{
		{`help()`, "np  arrays;;%timeit f(x);;help(\"**\")"},
		{`help(np.sum)`, "sum(a, axis=None"},
		{`help("np.sum")`, "sum(a, axis=None"},
		{`help("sum")`, "sum(x, start=0)"},
		{`help("reshape")`, "in several places:\n  np.reshape;;ndarray.reshape;;TensorVariable.reshape"},
		{`help("ndarray.T")`, "T\n\nA view with the axes reversed.;;np.array([[1, 2]]).T"},
		{`help("ndarray")`, "ndarray.T  ;;ndarray.view"},
		{`help("TensorVariable")`, "TensorVariable.eval"},
		{`help("floatX")`, "config.floatX\n\nType of floating point"},
		{`help("%timeit")`, "-n N"},
		{`help("%timeit")`, "-n N"}, {`help("timeit")`, "default_timer"},
		{`help("**")`, "x ** y\n\nx to the power y."},
		{`help("f-string")`, "{x:.3f}"},
		{`help("lambda")`, "A function of one expression."},
		{`help("@")`, "x @ y;;@f"},
		{`help("Syntax")`, "x ** y"},
		{`help("np.sun")`, `no documentation of "np.sun" (did you mean np.`},
		{`help("qqqqqq")`, "(help() says what there is)"},
		{`help(np)`, "Functions:"},
		{`help(f)`, "Inputs:"},
		{`help("")`, "Modules"},
	} {
		out := new(starlibtest.Recorder)
		if _, _, err := s.Execute(t.Context(), 2, tt.code, out); err != nil {
			t.Errorf("%s: %v", tt.code, err)
		}
		got := strings.Join(out.Log, "")
		for part := range strings.SplitSeq(tt.want, ";;") {
			if !strings.Contains(got, part) {
				t.Errorf("%s: got %q, want %q in it", tt.code, got, part)
			}
		}
	}
}

// TestCompleteDetails asks for the second column of the list: types, signatures, documentation, and
// values of arguments.
func TestCompleteDetails(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, inspectSetup)
	for _, tt := range []struct{ code, text, typ, signature string }{
		{"a.sha", "shape", "property", "The lengths of the axes. Assigning to it gives the same memory another shape."},
		{"a.resh", "reshape", "function", "reshape(*shape, order=\"C\")"},
		{"x.ndi", "ndim", "property", "The number of its axes."},
		{"f.profil", "profile", "property", "Its ProfileStats; without profile=True its calls, their times and shapes, and None before the first."},
		{"[1, 2].app", "append", "function", "append(x)"},
		{"np.rando", "random", "module", ""},
		{"np.zeros(dt", "dtype=", "param", "None"},
		{"np.add(1, 2, wh", "where=", "param", "True"},
		{"[].sort(rev", "reverse=", "param", "False"},
		{"f(", "x=", "param", ""},
		{`np.zeros(3, dtype="float3`, "float32", "instance", ""},
		{`config.floatX = "float3`, "float32", "instance", ""},
	} {
		_, _, matches := s.Complete(tt.code, len(tt.code))
		found := false
		for _, m := range matches {
			if m.Text == tt.text {
				found = true
				if m.Type != tt.typ || m.Signature != tt.signature {
					t.Errorf("%s: got %+v", tt.code, m)
				}
			}
		}
		if !found {
			t.Errorf("%s: %s is not there", tt.code, tt.text)
		}
	}
}
