package np_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// TestNumPyFunctions compares with what NumPy 1.24 gave for the same expressions:
// testdata/functions.py. Dtypes and shapes are equal, and elements within 4 units in the last place
// of the type.
func TestNumPyFunctions(t *testing.T) {
	text, err := os.ReadFile("testdata/functions.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases [][2]any
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	s := starlib.NewSession(starlib.Options{})
	for _, c := range cases {
		code := c[0].(string)
		_, _, err := s.Execute(context.Background(), 1, "v = "+code, nil)
		if c[1] == nil {
			if err == nil {
				t.Errorf("%s: no error", code)
			} else if name := err.(*starlib.Error).Name(); !slices.Contains([]string{"Error", "ShapeError", "TypeError", "IndexError", "ValueError", "ZeroDivisionError"}, name) {
				t.Errorf("%s: %s: %v", code, name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", code, err)
			continue
		}
		v, _ := s.Lookup("v")
		if problem := differs(v, c[1]); problem != "" {
			t.Errorf("%s: %s", code, problem)
		}
	}
	if len(cases) < 500 {
		t.Errorf("%d cases, want more than 500", len(cases))
	}
}

// differs says how a value differs from what functions.py wrote.
func differs(v starlark.Value, want any) string {
	switch want := want.(type) {
	case []any:
		seq, ok := v.(starlark.Indexable)
		if _, isArray := v.(*np.Array); !ok || isArray || seq.Len() != len(want) {
			return fmt.Sprintf("got %s, want %d values", value.Repr(v), len(want))
		}
		for i, w := range want {
			if problem := differs(seq.Index(i), w); problem != "" {
				return fmt.Sprintf("%d: %s", i, problem)
			}
		}
		return ""
	case map[string]any:
		return differsInNumbers(v, want)
	}
	if got := value.Repr(value.PlainDeep(v)); got != want { // scalars were written as Python's numbers
		return fmt.Sprintf("got %s, want %s", got, want)
	}
	return ""
}

func differsInNumbers(v starlark.Value, want map[string]any) string {
	d, err := np.ToDense(v)
	if err != nil {
		return err.Error()
	}
	values, isArray := want["values"].([]any)
	_, gotArray := v.(*np.Array)
	epsilon := 0x1p-52
	if want["dtype"] == "float32" {
		epsilon = 0x1p-23
	}
	if !isArray {
		if _, ok := value.Plain(v).(starlark.Float); !ok {
			return fmt.Sprintf("got %s, want a float", value.Repr(v))
		}
		values = []any{want["float"]}
	} else if got, shape := d.DType().String(), intsIn(want["shape"]); gotArray && got != want["dtype"] || !slices.Equal(d.Shape(),
		shape) {
		return fmt.Sprintf("got %s %v, want %v %v", got, d.Shape(), want["dtype"], shape)
	}
	for i, x := range d.Floats() {
		w, err := strconv.ParseFloat(strings.TrimSpace(values[i].(string)), 64)
		if err != nil {
			return err.Error()
		}
		near := x == w || math.Abs(x-w) <= 4*epsilon*math.Abs(w)+1e-300
		if math.IsNaN(w) != math.IsNaN(x) || !math.IsNaN(w) && !near {
			return fmt.Sprintf("element %d: got %v, want %v", i, x, w)
		}
	}
	return ""
}

func intsIn(list any) []int {
	var ints []int
	for _, x := range list.([]any) {
		ints = append(ints, int(x.(float64)))
	}
	return ints
}

// TestNumPyFunctionErrors checks the texts of errors.
func TestNumPyFunctionErrors(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	for _, tt := range []struct{ code, want string }{
		{"np.gcd(1.5, 2)", "np.gcd: got float64, want an integer"},
		{"np.add([1], [2], where=[False])",
			"np.add: got where without out: elements where it is False would be undefined; use out=, or np.where"},
		{"np.add([1.5], 1, out=np.zeros(1, dtype=int))", "np.add: for parameter out: got int64, want a type that holds float64; use " +
			"dtype=, or .astype of the result"},
		{"np.max([1, 2], where=[True, False])",
			"np.max: got where without initial: there may be no element that counts; use initial="},
		{"np.split([1, 2, 3], 2)", "np.split: length 3 of axis 0 does not divide into 2 equal parts; use np.array_split"},
		{"np.pad([1], 1, mode=\"mirror\")",
			"np.pad: for parameter mode: got \"mirror\", want one of constant, edge, reflect, symmetric, " +
				"wrap, maximum, minimum, mean, linear_ramp, empty"},
		{"np.pad([1], 1 << 40)", "np.pad: got shape (2199023255553,), which needs more memory than there is"},
		{"np.einsum(\"ij,jk\", [[1]])", "np.einsum: for parameter subscripts: got subscripts for 2 operands and 1 operands"},
		{"np.einsum(\"ij->k\", [[1]])", "np.einsum: for parameter subscripts: got \"k\" after ->, which no operand has"},
		{"np.einsum(\"ij,j\", np.ones((2, 3)), [1, 2])", "np.einsum: operand 1: axis 0, \"j\", has length 2, want 3 as before"},
		{"np.quantile([1], 2)", "np.quantile: for parameter q: got the quantile 2, want 0 to 1, or percentages from 0 to 100"},
		{"np.histogram([1], bins=\"stone\")",
			"np.histogram: for parameter bins: got \"stone\", want one of auto, doane, fd, rice, scott, sqrt, sturges, a number or edges"},
		{"np.histogram([1, 2], bins=\"auto\", weights=[1, 2])", "np.histogram: for parameter bins: got \"auto\": rules do not know weights; give a number"},
		{"np.histogram([1, np.nan], bins=\"auto\")", "np.histogram: for parameter bins: got elements that are not finite; use range="},
		{"np.histogram([0, 1, 1, 1, 1, 1, 2, 1e300], bins=\"fd\", range=(0, 1e300))", "np.histogram: for parameter bins: the rule \"fd\" asks for 4e+300 bins; use range="},
		{"np.tensordot([1, 2], [1, 2, 3], 1)",
			"np.tensordot: shapes (2,) and (3,) do not fit: axis 0 of the first is 2 and axis 0 of the second is 3"},
		{"np.broadcast_to([1, 2], (2, 2))[0, 0] = 1", "array is frozen; use a.copy()"},
		{"np.seterr(all=\"raise\")",
			"np.seterr: for parameter all: got \"raise\": arithmetic gives inf and nan without a word; test with np.isfinite"},
		{"np.finfo(int)", "np.finfo: got int64, want a float type; use np.iinfo"},
		{"np.vectorize(lambda x: x)([])", "np.vectorized: got no elements: the type of the result is not known; use otypes="},
		{"np.add.at(np.zeros(2), [5], 1)", "ufunc.at: index 5 is out of bounds for axis 0 of length 2"},
		{"np.subtract.reduce([])", "ufunc.reduce: got no elements: np.subtract has no identity"},
		{"np.take([1, 2], 5)", "np.take: index 5 is out of bounds for axis 0 with size 2"},
		{"np.errstate(invalid=\"raise\")",
			"np.errstate: for parameter invalid: got \"raise\": arithmetic gives inf and nan without a word; test with np.isfinite"},
		{"np.printoptions(precision=\"x\")", "np.printoptions: for parameter precision: got \"x\", want an int from 0 to 1100"},
		{"np.trace(np.eye(2), [])", "np.trace: for parameter offset: got list, want int"},
		{"np.poly1d([1])", "np.poly1d is not in Arignote yet; use np.polyval"},
	} {
		_, _, err := s.Execute(context.Background(), 1, tt.code, nil)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s:\ngot  %v\nwant %s", tt.code, err, tt.want)
		}
	}
}

// TestNumPyInPlace checks what functions write, and where; and what is subscripted to make arrays.
func TestNumPyInPlace(t *testing.T) {
	for _, tt := range []struct{ code, want string }{
		{"a = np.mgrid[slice(0, 2), slice(0, 3)][1]", "array([[0, 1, 2],\n       [0, 1, 2]])"},
		{"a = np.ogrid[slice(0, 2), slice(0, 1, 3j)][1]", "array([[0. , 0.5, 1. ]])"},
		{"a = np.r_[slice(0, 3), 7, [8, 9.5]]", "array([0. , 1. , 2. , 7. , 8. , 9.5])"},
		{"a = np.c_[slice(0, 2), [3, 4]]", "array([[0, 3],\n       [1, 4]])"},
		{"a = np.arange(5)[np.s_[1:3]]", "array([1, 2])"},
		{"a = np.zeros(3); np.add.at(a, [0, 0, 2], 1)", "array([2., 0., 1.])"},
		{"a = np.zeros((2, 2)); np.add.at(a, ([0, 1], [1, 1]), [5, 7])", "array([[0., 5.],\n       [0., 7.]])"},
		{"a = np.zeros(2); b = np.add([1, 2], 3, out=a)", "array([4., 5.])"},
		{"a = np.zeros(2); np.add([1, 2], 3, a, where=[True, False])", "array([4., 0.])"},
		{"a = np.zeros(2); np.sum([[1, 2], [3, 4]], axis=0, out=a)", "array([4., 6.])"},
		{"a = np.zeros(2); np.copyto(a, [1, 2], where=[False, True])", "array([0., 2.])"},
		{"a = np.arange(4); np.put(a, [0, -1], [7, 8])", "array([7, 1, 2, 8])"},
		{"a = np.arange(4); a.put([1, 2], 9)", "array([0, 9, 9, 3])"},
		{"a = np.arange(4); np.place(a, a > 1, [7])", "array([0, 1, 7, 7])"},
		{"a = np.arange(4); np.putmask(a, a > 1, [7, 8])", "array([0, 1, 7, 8])"},
		{"a = np.zeros((3, 3)); np.fill_diagonal(a, [1, 2])",
			"array([[1., 0., 0.],\n       [0., 2., 0.],\n       [0., 0., 1.]])"},
		{"a = np.zeros((2, 2)); np.put_along_axis(a, np.array([[0], [1]]), 5, 1)", "array([[5., 0.],\n       [0., 5.]])"},
		{"a = np.array([3, 1, 2]); a.sort()", "array([1, 2, 3])"},
		{"a = np.array([[3, 1], [0, 2]]); a.T.sort()", "array([[0, 1],\n       [3, 2]])"},
		{"a = np.arange(4); a.shape = (2, -1)", "array([[0, 1],\n       [2, 3]])"},
		{"a = np.arange(4).reshape(2, 2); a.flat[3] = 9", "array([[0, 1],\n       [2, 9]])"},
		{"a = np.arange(4).reshape(2, 2); a.itemset((0, 1), 9)", "array([[0, 9],\n       [2, 3]])"},
		{"a = np.arange(4).reshape(2, 2); a.itemset(3, 9)", "array([[0, 1],\n       [2, 9]])"},
		{"a = np.arange(6).reshape(2, 3); a.swapaxes(0, 1)[2, 0] = 9", "array([[0, 1, 9],\n       [3, 4, 5]])"},
		{"a = np.arange(4); np.split(a, 2)[1][0] = 9", "array([0, 1, 9, 3])"},
		{"a = np.zeros((2, 2)); np.diag(a)[0] = 5", "array([[5., 0.],\n       [0., 0.]])"},
		{"m = [1, 2]; for x in m: np.random.shuffle(m); a = sorted(m)", "[1, 2]"},
		{"a = np.arange(2, dtype=\"int32\"); a.view(\"uint8\")[0] = 7", "array([7, 1], dtype=int32)"},
	} {
		s := starlib.NewSession(starlib.Options{})
		if _, _, err := s.Execute(context.Background(), 1, strings.ReplaceAll(tt.code, "; ", "\n"), nil); err != nil {
			t.Errorf("%s: %v", tt.code, err)
			continue
		}
		a, _ := s.Lookup("a")
		if got := value.Repr(a); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.code, got, tt.want)
		}
	}
}

// TestComplexInterrupted: what takes seconds of complex numbers, in one vector or one matrix, ends
// soon after an interrupt.
func TestComplexInterrupted(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	if _, _, err := s.Execute(context.Background(), 1, "m = np.random.RandomState(0).rand(1200, 1200) * (1 + 1j)\nx = np.arange(8000009.0)", nil); err != nil {
		t.Fatal(err)
	}
	for _, code := range []string{"np.fft.fft(x)", "np.linalg.solve(m, m)", "np.linalg.inv(m)", "m @ m"} {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		start := time.Now()
		_, _, err := s.Execute(ctx, 2, code, nil)
		cancel()
		if took := time.Since(start); err == nil || took > 2*time.Second { // of 3 to 11 s
			t.Errorf("%s: after %v: %v", code, took, err)
		}
	}
}
