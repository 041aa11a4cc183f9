package np_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/np"
)

func TestToDense(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
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
		{`np.array(1, dtype="float23")`, `np.array: for parameter dtype: unknown dtype "float23" (did you mean float32?)`},
		{`np.array(1, dtype="complex256")`, `np.array: for parameter dtype: dtype complex256 is not in Arignote: complex numbers, of 64 or 128 bits, are np's alone`},
		{`np.full(1, 1, dtype=3)`, `np.full: for parameter dtype: got int, want a name such as "float32"`},
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
	a := np.NewArray(nil, tensor.From([]float64{1, 2.5, -3, 1}, 2, 2))
	want := `<table>
<tr><td align="right">1. </td><td align="right">2.5</td></tr>
<tr><td align="right">-3. </td><td align="right">1. </td></tr>
</table>
<div>float64 (2, 2)</div>`
	if got := a.MimeBundle()["text/html"]; got != want {
		t.Errorf("got %v", got)
	}
	for _, shape := range [][]int{{3}, {21, 2}, {2, 21}, {0, 2}, {2, 2, 2}} {
		if _, ok := np.NewArray(nil, tensor.New(kernels.Float64, shape...)).MimeBundle()["text/html"]; ok {
			t.Errorf("shape %v has a table", shape)
		}
	}
}

func TestArrayTruth(t *testing.T) {
	for _, code := range []string{"if np.arange(3): pass", "x = 1 if np.zeros((2, 2)).T else 2", "not np.arange(3)[ix[:2]]",
		"np.arange(2) and 1", "bool(np.arange(2) + 1)"} {
		_, _, err := starlib.NewSession(starlib.Options{}).Execute(context.Background(), 1, code, nil)
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
	np.NewArray(nil, tensor.New(kernels.Float64, 2)).Truth()
}

func BenchmarkArray(b *testing.B) {
	s := starlib.NewSession(starlib.Options{})
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
