package np_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// deferredWords are the operators and functions of TestDeferred's expressions.
var deferredWords = map[string]syntax.Token{
	"+": syntax.PLUS, "-": syntax.MINUS, "*": syntax.STAR, "/": syntax.SLASH, "**": syntax.STARSTAR, "<": syntax.LT, "|": syntax.PIPE, "%": syntax.PERCENT,
}

// TestDeferred: which operations wait, of operands that come before them, and what they are then.
// That values are right is tested against operations one by one: TestFusedExpressions.
func TestDeferred(t *testing.T) {
	array := func(d kernels.DType, shape ...int) *np.Array { return np.NewArray(nil, tensor.New(d, shape...)) }
	scalar := func(x float64) starlark.Value {
		z, err := member(t, "float64").CallInternal(new(starlark.Thread), starlark.Tuple{starlark.Float(x)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return z
	}
	operands := map[string]starlark.Value{
		"x": array(kernels.Float64, 3), "y": array(kernels.Float64, 3), "f": array(kernels.Float32, 3), "m": array(kernels.Float64, 2, 3),
		"c": array(kernels.Float64, 2, 1), "k": array(kernels.Int64, 3), "j": array(kernels.Int32, 3), "u": array(kernels.Uint8, 3),
		"b": array(kernels.Bool, 3), "z": array(kernels.Float64), "e": array(kernels.Float64, 0), "two": array(kernels.Float64, 2),
		"s": scalar(2), "wide": scalar(1e39), "2": starlark.MakeInt(2), "300": starlark.MakeInt(300),
		"0.5": starlark.Float(0.5), "-1": starlark.MakeInt(-1), "None": starlark.None, "True": starlark.True, "3": starlark.MakeInt(3),
		"exp/1": member(t, "exp"), "exp/2": member(t, "exp"), "isnan/1": member(t, "isnan"),
		"maximum/2": member(t, "maximum"), "ldexp/2": member(t, "ldexp"),
		"where/3": (&value.Builtin{Name: "where", Module: "np"}).Value(), "sum/1": (&value.Builtin{Name: "sum", Module: "np"}).Value(),
	}
	for _, test := range []struct{ code, want string }{ // type and shape, "" of what does not wait
		{"2 x y + *", "float64(3,)"},
		{"x y * x <", "bool(3,)"},
		{"f 2 ** f -1 ** +", "float32(3,)"},
		{"m neg exp/1 0.5 -", "float64(2, 3)"},
		{"s f *", "float32(3,)"},
		{"f wide *", "float64(3,)"},
		{"x m + 2 *", "float64(2, 3)"},
		{"c x + 2 *", "float64(2, 3)"},
		{"x f + 2 *", "float64(3,)"},
		{"k x + 2 *", "float64(3,)"},
		{"u u * 2 -", "uint8(3,)"},
		{"j 2 ** 3 +", "int32(3,)"},
		{"z x + 2 *", "float64(3,)"},
		{"x y * x < 2 *", "int64(3,)"},
		{"x 2 < y 0.5 < |", "bool(3,)"},
		{"x isnan/1 2 *", "int64(3,)"},
		{"x 2 < x f where/3 2 *", "float64(3,)"},
		{"x 0.5 maximum/2 2 *", "float64(3,)"},
		{"x 2 + m *", "float64(2, 3)"}, // x + 2 is computed before
		{"x T 2 *", "float64(3,)"},
		{"m T 2 *", "float64(3, 2)"},
		{"m [1] x *", "float64(3,)"},
		{"x 2 * [1] x *", ""}, // a view of what waits
		{"z z +", ""},
		{"e x +", ""},
		{"x two +", ""},  // an error
		{"b neg", ""},    // likewise
		{"u 300 +", ""},  // likewise
		{"k 3 **", ""},   // is one if the power is negative
		{"x None +", ""}, // likewise
		{"x True +", ""}, // True becomes 1 before
		{"2 3 +", ""},    // numbers alone
		{"x x ldexp/2", ""},
		{"x sum/1", ""},
		{"x x exp/2", ""},
	} {
		c := new(np.Array).Defers(nil)
		var stack []value.Node
		isArray := map[value.Node]bool{} // of those that do not wait
		failed := false
		for word := range strings.FieldsSeq(test.code) {
			name, arity, isCall := strings.Cut(word, "/")
			z, n := value.NoNode, 1
			switch {
			case isCall && name != "":
				n = int(arity[0] - '0')
				z = c.Function(operands[word], stack[len(stack)-n:])
			case word == "neg":
				z = c.Operator(syntax.MINUS, stack[len(stack)-1], value.NoNode)
			case word == "T":
				z = c.Turned(stack[len(stack)-1])
				isArray[z] = true
			case word == "[1]" && isArray[stack[len(stack)-1]]:
				z = c.View(stack[len(stack)-1], starlark.MakeInt(1))
				isArray[z] = true
			case word == "[1]":
			case deferredWords[word] != 0:
				n = 2
				z = c.Operator(deferredWords[word], stack[len(stack)-2], stack[len(stack)-1])
			default:
				n = 0
				if a, ok := operands[word].(*np.Array); ok {
					z = c.Array(a)
					isArray[z] = true
				} else {
					x := slot.Of(operands[word])
					z = c.Number(&x)
				}
			}
			if failed = z == value.NoNode; failed {
				break
			}
			stack = append(stack[:len(stack)-n], z)
		}
		got := ""
		if !failed {
			v, err := c.Compute(stack[0], nil)
			if a, ok := v.(*np.Array); ok && err == nil {
				got = a.D.DType().String() + tensor.ShapeString(a.D.Shape())
			} else {
				t.Errorf("%s: computed %v, %v, want %s", test.code, v, err, test.want)
			}
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.code, got, test.want)
		}
	}
}
