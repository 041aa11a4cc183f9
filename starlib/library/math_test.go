package library_test

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/library"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// ulps is by how many units in the last place a function of math may differ from CPython's, which
// has rounding errors of its own: of cbrt and gamma it is the less accurate one. Functions that are
// not here are exact.
var ulps = map[string]int64{
	"acos": 1, "acosh": 1, "asin": 1, "asinh": 1, "atan": 1, "atanh": 1, "atan2": 1, "cbrt": 3, "cos": 1, "cosh": 1, "erf": 1, "erfc": 1,
	"exp2": 1, "gamma": 8, "lgamma": 16, "log10": 1, "log2": 1, "sin": 1, "sinh": 2, "tan": 1, "tanh": 2,
}

// TestMathAsPython calls every function of math with arguments of its whole domain, and beside it:
// see testdata/math.py.
func TestMathAsPython(t *testing.T) {
	data, err := os.ReadFile("testdata/math.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][3]*string
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	called, worst := map[string]int{}, map[string]int64{}
	env := starlark.StringDict{"math": library.Math, "inf": starlark.Float(math.Inf(1)), "nan": starlark.Float(math.NaN())}
	for _, row := range rows {
		name, call := *row[0], "math."+*row[0]+"("+*row[1]+")"
		called[name]++
		got, err := starlark.EvalOptions(&syntax.FileOptions{}, new(starlark.Thread), "", call, env)
		if (err != nil) != (row[2] == nil) {
			want := "an error"
			if row[2] != nil {
				want = *row[2]
			}
			t.Errorf("%s: got %v, error %v, want %s", call, got, err, want)
			continue
		}
		if err != nil {
			continue
		}
		apart := distance(value.Repr(got), *row[2])
		if y, ok := got.(starlark.Float); ok && name == "lgamma" && near(float64(y), *row[2]) {
			apart = 0
		}
		worst[name] = max(worst[name], apart)
		if apart > ulps[name] {
			t.Errorf("%s: got %s, want %s", call, value.Repr(got), *row[2])
		}
	}
	for _, name := range library.Math.AttrNames() {
		f, err := library.Math.Attr(name)
		if _, isFunction := f.(starlark.Callable); err != nil || !isFunction {
			continue
		}
		if n := called[name]; n < 15 && name != "mod" && name != "round" { // which Python's math has not
			t.Errorf("math.%s: got %d calls in the data, want more", name, n)
		}
		if worst[name] != 0 {
			t.Logf("math.%s: at most %d ulp", name, worst[name])
		}
	}
}

// near reports whether y is within 1e-15 of a number, to which CPython computes lgamma near its
// zeros 1 and 2.
func near(y float64, text string) bool {
	want, err := strconv.ParseFloat(text, 64)
	return err == nil && math.Abs(y-want) <= 1e-15
}

// distance is how many floats lie between two numbers that are written out, 0 for equal texts, and
// all for what cannot be compared.
func distance(a, b string) int64 {
	if a == b {
		return 0
	}
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	if err != nil || err2 != nil || !strings.ContainsAny(b, ".e") || x != x || y != y || math.Signbit(x) != math.Signbit(y) {
		return math.MaxInt64
	}
	d := int64(math.Float64bits(x)) - int64(math.Float64bits(y))
	return max(d, -d)
}
