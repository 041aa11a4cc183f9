package starlib

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

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"go.starlark.net/starlark"
)

func TestAgainstNumPy(t *testing.T) {
	text, err := os.ReadFile("testdata/np_cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases [][3]json.RawMessage
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	s := NewSession(Options{})
	failures := 0
	for _, c := range cases {
		var kind, code string
		json.Unmarshal(c[0], &kind)
		json.Unmarshal(c[1], &code)
		if problem := checkCase(s, kind, code, c[2]); problem != "" {
			if failures++; failures <= 40 {
				t.Errorf("%s\n%s", code, problem)
			}
		}
	}
	t.Logf("%d cases, %d failures", len(cases), failures)
}

// checkCase runs one case of np_cases.json and says what is wrong.
func checkCase(s *Session, kind, code string, data json.RawMessage) string {
	_, _, err := s.Execute(context.Background(), 1, code, nil)
	if kind == "fails" {
		if err == nil {
			return "no error"
		}
		if e := err.(*Error); e.Name() == "InternalError" || e.Name() == "SyntaxError" || e.Name() == "NameError" {
			return e.Name() + ": " + e.Error()
		}
		return ""
	}
	if err != nil {
		return err.Error()
	}
	v, _ := s.Lookup("v")
	if kind == "near" {
		return checkNear(v, data)
	}
	var want string
	json.Unmarshal(data, &want)
	got := Repr(v)
	if kind == "str" {
		got = v.(*Array).Str()
	}
	if got != want {
		return fmt.Sprintf("got  %s\nwant %s", got, want)
	}
	return ""
}

// checkNear compares with NumPy's elements to a few units in the last place.
func checkNear(v starlark.Value, data json.RawMessage) string {
	var parts [3]json.RawMessage
	json.Unmarshal(data, &parts)
	var dtype string
	var shape []int
	var values []string
	json.Unmarshal(parts[0], &dtype)
	json.Unmarshal(parts[1], &shape)
	json.Unmarshal(parts[2], &values)
	d, err := ToDense(v)
	if err != nil {
		return err.Error()
	}
	if _, isArray := v.(*Array); isArray && d.DType().String() != dtype || !slices.Equal(d.Shape(), shape) {
		return fmt.Sprintf("got %v %v, want %v %v", d.DType(), d.Shape(), dtype, shape)
	}
	epsilon := 0x1p-52
	if dtype == "float32" {
		epsilon = 0x1p-23
	}
	for i, x := range d.Floats() {
		want, _ := strconv.ParseFloat(values[i], 64)
		if math.IsNaN(want) != math.IsNaN(x) || !(math.Abs(x-want) <= 4*epsilon*math.Abs(want)+1e-300) && x != want && !math.IsNaN(want) {
			return fmt.Sprintf("element %d: got %v, want %v", i, x, want)
		}
	}
	return ""
}

// TestNumPyCovers checks that every elementwise operation has NumPy's name or is known
// to have none.
func TestNumPyCovers(t *testing.T) {
	for e := range op.Rows {
		_, isCast := e.IsCast()
		_, named := npElemwise[e]
		if others := isCast || slices.Contains(notNumPy, e); named == others {
			t.Errorf("%s: in npElemwise %v, elsewhere %v", e.Name(), named, others)
		}
	}
	for name := range numpyFunctions() {
		if slices.Contains(strings.Fields(missingNumPy), name) {
			t.Errorf("%s is there and in missingNumPy", name)
		}
	}
	for _, names := range []string{missingNumPy, missingRandom} {
		list := strings.Fields(names)
		slices.Sort(list)
		if len(slices.Compact(list)) != len(strings.Fields(names)) {
			t.Error("a missing name is there twice")
		}
	}
	for _, name := range randomMethods().Names() {
		if slices.Contains(strings.Fields(missingRandom), name) {
			t.Errorf("%s is there and in missingRandom", name)
		}
	}
}

// TestNumPyExamples checks that every function and method is documented, and runs its
// example.
func TestNumPyExamples(t *testing.T) {
	tables := map[string][]Builtin{
		"np.":             numpyTable(),
		"ndarray.":        append(reductionRows("ndarray."), methodTable...),
		"np.random.":      randomTable("np.random.", newRandomState()),
		"np.RandomState.": randomTable("RandomState.", nil),
	}
	s := NewSession(Options{})
	for prefix, table := range tables {
		for _, b := range table {
			name := prefix + b.Name
			if !strings.Contains(b.Doc, ".") || b.Example == "" {
				t.Errorf("%s: documentation is %q, example %q", name, b.Doc, b.Example)
			}
			for _, p := range b.Params {
				if p.Doc == "" && p.Name != "*" {
					t.Errorf("%s: parameter %s is not documented", name, p.Name)
				}
			}
			code, want, hasResult := strings.Cut(b.Example, " # ")
			data, _, err := s.Execute(context.Background(), 1, code, nil)
			if err != nil {
				t.Errorf("%s: %s: %v", name, code, err)
			} else if hasResult && data["text/plain"] != want {
				t.Errorf("%s: %s: got %v, want %s", name, code, data["text/plain"], want)
			} else if !hasResult && prefix != "np.random." && b.Name != "seed" && b.Name != "shuffle" && b.Name != "fill" {
				t.Errorf("%s: the example has no result", name)
			}
		}
	}
}

func TestToDense(t *testing.T) {
	s := NewSession(Options{})
	for _, tt := range []struct{ code, want string }{
		{`np.array("abc")`, `np.array: for parameter x: got string, want a number, bool, list, tuple or ndarray`},
		{`np.array([1, "a"])`, `np.array: for parameter x: [1]: got string, want a number, bool, list, tuple or ndarray`},
		{`np.array([[1, 2], [3, None]])`,
			`np.array: for parameter x: [1, 1]: got NoneType, want a number, bool, list, tuple or ndarray`},
		{`np.array([[1, 2], [3]])`, `np.array: for parameter x: ragged: [1]: got length 1, want 2 like the others`},
		{`np.array([1, [2]])`, `np.array: for parameter x: ragged: [1]: got list, want a number like the others`},
		{`np.array([[1], 2])`, `np.array: for parameter x: ragged: [1]: got int, want a list of length 1 like the others`},
		{`np.array([np.zeros(2), np.zeros(3)])`,
			`np.array: for parameter x: ragged: [1]: got an array of shape (3,), want (2,) like the others`},
		{`np.array([np.zeros(2), 3])`, `np.array: for parameter x: ragged: [1]: got int, want a list of length 2 like the others`},
		{`np.array(1 << 64)`, `np.array: for parameter x: int 18446744073709551616 does not fit int64 or uint64`},
		{`np.array([300], dtype="int8")`, `np.array: int 300 does not fit int8`},
		{`np.array([-1], dtype="uint8")`, `np.array: int -1 does not fit uint8`},
		{`np.array(1, dtype="float23")`, `np.array: unknown dtype "float23" (did you mean float32?)`},
		{`np.array(1, dtype="complex64")`, `np.array: dtype complex64 is not in Arignote`},
		{`np.array(1, dtype=3)`, `np.array: for parameter dtype: got int, want a name such as "float32"`},
		{`np.array(np.array)`,
			`np.array: for parameter x: got builtin_function_or_method, want a number, bool, list, tuple or ndarray`},
	} {
		_, _, err := s.Execute(context.Background(), 1, tt.code, nil)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s:\ngot  %v\nwant %s", tt.code, err, tt.want)
		}
	}
}

func TestArrayHTML(t *testing.T) {
	a := NewArray(nil, tensor.From([]float64{1, 2.5, -3, 1}, 2, 2))
	want := `<table>
<tr><td align="right">1.</td><td align="right">2.5</td></tr>
<tr><td align="right">-3.</td><td align="right">1.</td></tr>
</table>
<div>float64 (2, 2)</div>`
	if got := a.MimeBundle()["text/html"]; got != want {
		t.Errorf("got %v", got)
	}
	for _, shape := range [][]int{{3}, {21, 2}, {2, 21}, {0, 2}, {2, 2, 2}} {
		if _, ok := NewArray(nil, tensor.New(kernels.Float64, shape...)).MimeBundle()["text/html"]; ok {
			t.Errorf("shape %v has a table", shape)
		}
	}
}

// TestRoundedLog compares with known logarithms, and with math.Log.
func TestRoundedLog(t *testing.T) {
	for _, tt := range []struct{ x, want float64 }{
		{1, 0}, {2, math.Ln2}, {0.5, -math.Ln2}, {math.E, 1}, {10, math.Ln10}, {1e-300, -690.7755278982137},
		{5e-324, -744.4400719213812},
		{0.9999999999999999, -1.1102230246251565e-16}, {1.0000000000000002, 2.2204460492503128e-16},
		{math.MaxFloat64, 709.782712893384},
	} {
		if got := roundedLog(tt.x); got != tt.want {
			t.Errorf("log %v: got %v, want %v", tt.x, got, tt.want)
		}
	}
	// math.Log errs by less than one unit in the last place.
	var r twister
	r.seed(1)
	for range 100000 {
		x := r.float64()
		got, near := roundedLog(x), math.Log(x)
		if math.Abs(got-near) > 2.5e-16*math.Abs(near) {
			t.Fatalf("log %v: got %v, math.Log %v", x, got, near)
		}
	}
}

func TestArrayTruth(t *testing.T) {
	for _, code := range []string{"if np.arange(3): pass", "x = 1 if np.zeros((2, 2)).T else 2", "not np.arange(3)[ix[:2]]",
		"np.arange(2) and 1", "bool(np.arange(2) + 1)"} {
		_, _, err := NewSession(Options{}).Execute(context.Background(), 1, code, nil)
		if err == nil || !strings.Contains(err.Error(), "is ambiguous: use a.any() or a.all()") {
			t.Errorf("%s: got %v", code, err)
		}
	}
}

func TestBuiltWithoutSession(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("the truth of an array without a session: no panic")
		}
	}()
	NewArray(nil, tensor.New(kernels.Float64, 2)).Truth()
}

func BenchmarkArray(b *testing.B) {
	s := NewSession(Options{})
	for _, bb := range []struct{ name, setup, code string }{
		{"add3", "x = np.arange(3.0)", "x + x"},
		{"add1e6", "x = np.arange(1e6)", "x + x"},
		{"sum1e6", "x = np.arange(1e6)", "x.sum()"},
		{"list1e5", "x = [float(i) for i in range(100000)]", "np.array(x)"},
		{"index", "x = np.arange(3.0)", "x[1]"},
		{"dot100", "x = np.ones((100, 100))", "np.dot(x, x)"},
		{"randn1e5", "x = np.random.RandomState(0)", "x.randn(100000)"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			code := fmt.Sprintf("%s\ndef f(n):\n    for i in range(n):\n        %s\nf(%d)", bb.setup, bb.code, b.N)
			b.ResetTimer()
			if _, _, err := s.Execute(context.Background(), 1, code, nil); err != nil {
				b.Fatal(err)
			}
		})
	}
}
