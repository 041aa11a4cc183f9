package array

import (
	"math"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestPrinter compares with what NumPy prints. More cases, with all options, are those of
// starlib/np/printing/testdata/printing.py.
func TestPrinter(t *testing.T) {
	numbers := make([]float64, 12)
	wide := make([]int64, 2000)
	for i := range numbers {
		numbers[i] = float64(i)
	}
	for i := range wide {
		wide[i] = int64(i)
	}
	step := 5
	strided, err := tensor.From(numbers, 12).Subscript(tensor.Index{Step: &step})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		d         *tensor.Dense
		repr, str string
	}{
		{tensor.New(kernels.Float64, 0), "array([], dtype=float64)", "[]"},
		{tensor.New(kernels.Float64, 0, 3), "array([], shape=(0, 3), dtype=float64)", "[]"},
		{tensor.From([]float64{1.5, math.Copysign(0, -1), math.NaN(), math.Inf(1)}, 4), "array([ 1.5, -0. ,  nan,  inf])",
			"[ 1.5 -0.   nan  inf]"},
		{tensor.From([]int32{1, 2, 3, 400}, 2, 2), "array([[  1,   2],\n       [  3, 400]], dtype=int32)", "[[  1   2]\n [  3 400]]"},
		{strided, "array([ 0.,  5., 10.])", "[ 0.  5. 10.]"},
		{tensor.From([]uint8{1, 0}, 2).AsType(kernels.Bool), "array([ True, False])", "[ True False]"},
		{tensor.From([]uint64{math.MaxUint64, 0}, 2), "array([18446744073709551615,                    0], dtype=uint64)",
			"[18446744073709551615                    0]"},
		{tensor.From([]float32{1e-5}), "array(1.e-05, dtype=float32)", "1e-05"},
		{tensor.From([]float64{1e-9, 1}, 2), "array([1.e-09, 1.e+00])", "[1.e-09 1.e+00]"},
		{tensor.From(wide, 2, 1000), "array([[   0,    1,    2, ...,  997,  998,  999],\n       [1000, 1001, 1002, ..., 1997, 1998, 1999]])",
			"[[   0    1    2 ...  997  998  999]\n [1000 1001 1002 ... 1997 1998 1999]]"},
	} {
		if got := Standard().Repr(c.d); got != c.repr {
			t.Errorf("got\n%s\nwant\n%s", got, c.repr)
		}
		if got := Standard().Str(c.d); got != c.str {
			t.Errorf("got\n%s\nwant\n%s", got, c.str)
		}
	}
}

// TestFormatNumber compares floats without an array around them with Python's repr.
func TestFormatNumber(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{{1, "1.0"}, {0.1, "0.1"}, {1e16, "1e+16"}, {1.5e-5, "1.5e-05"}, {math.Copysign(0, -1), "-0.0"}, {math.Inf(-1), "-inf"},
		{5e-324, "5e-324"}, {math.MaxFloat64, "1.7976931348623157e+308"}, {0x1p-44, "5.684341886080802e-14"}} {
		if got := FormatNumber(tensor.Scalar(kernels.Float64, c.x)); got != c.want {
			t.Errorf("%g: got %s, want %s", c.x, got, c.want)
		}
	}
}

// TestFloatText compares with NumPy's format_float_positional and format_float_scientific.
func TestFloatText(t *testing.T) {
	of := func(n int) *int { return &n }
	for _, c := range []struct {
		x    float64
		f    FloatText
		want string
	}{
		{1.0 / 3, FloatText{Bits: 64, Unique: true, Trim: "k", Precision: of(4)}, "0.3333"},
		{math.Copysign(0, -1), FloatText{Bits: 64, Unique: true, Trim: "k"}, "-0."},
		{12345.678, FloatText{Bits: 64, Unique: true, Trim: "k", Precision: of(3), Exponent: true}, "1.235e+04"},
		{math.Inf(1), FloatText{Bits: 64, Unique: true, Trim: "k", Plus: true}, "+inf"},
		{2.5, FloatText{Bits: 64, Trim: "0", Precision: of(3), PadLeft: 3, PadRight: of(4)}, "  2.5   "},
		{1e-300, FloatText{Bits: 64, Unique: true, Trim: "-", Exponent: true, ExpDigits: of(4)}, "1e-0300"},
		{float64(float32(0.1)), FloatText{Bits: 32, Unique: true, Trim: "k", MinDigits: of(3)}, "0.100"},
	} {
		got, err := c.f.Format(c.x)
		if err != nil || got != c.want {
			t.Errorf("%g: got %q, %v, want %q", c.x, got, err, c.want)
		}
	}
	if _, err := (FloatText{Bits: 64}).Format(1); err == nil || err.Error() != "for parameter precision: got None, want an int where unique is False" {
		t.Error(err)
	}
}
