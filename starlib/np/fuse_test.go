package np

import (
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// TestFuse: which expressions are computed as one. That the rest, and these, are right is tested against the operations one by one: TestFusedExpressions.
func TestFuse(t *testing.T) {
	array := func(d kernels.DType, shape ...int) starlark.Value { return NewArray(nil, tensor.New(d, shape...)) }
	x, y, f, m := array(kernels.Float64, 3), array(kernels.Float64, 3), array(kernels.Float32, 3), array(kernels.Float64, 2, 3)
	np := value.NewModule("np", "", value.Member{Name: "exp", Value: ufuncMember("exp")}, value.Member{Name: "isnan", Value: ufuncMember("isnan")},
		value.Member{Name: "ldexp", Value: ufuncMember("ldexp")}, value.Member{Name: "pi", Value: starlark.Float(3)})
	huge := starlark.MakeInt(1).Lsh(80)
	for _, test := range []struct {
		code     string
		operands starlark.Tuple
		want     string // type and shape, "" of what is left to the operations
	}{
		{"2 $0 $1 + *", starlark.Tuple{x, y}, "float64(3,)"},
		{"$0 $1 * $0 <", starlark.Tuple{x, y}, "bool(3,)"},
		{"$0 2 ** $0 -1 ** +", starlark.Tuple{f}, "float32(3,)"},
		{"$0 2 ** 1 +", starlark.Tuple{f}, "float32(3,)"},
		{"$0 -1 ** 1 +", starlark.Tuple{f}, "float32(3,)"},
		{"$0 -1 ** 1 +", starlark.Tuple{x}, "float64(3,)"},
		{"$0 neg $1.exp/1 0.5 -", starlark.Tuple{m, np}, "float64(2, 3)"},
		{"$0 $1 * $2 *", starlark.Tuple{starlark.MakeInt(3), starlark.Float(2), x}, "float64(3,)"},
		{"$0 $1 * $2 *", starlark.Tuple{floatScalar(kernels.Float64, 2), starlark.Float(2), f}, "float32(3,)"},
		{"2 $2.exp/1 $0 * $1 +", starlark.Tuple{x, y, np}, "float64(3,)"},
		{"$0.T 2 *", starlark.Tuple{x}, ""},
		{"$0 $1 + 2 *", starlark.Tuple{x, m}, ""},                                         // broadcasts
		{"$0 $1 + 2 *", starlark.Tuple{x, f}, ""},                                         // two types
		{"$0 $1 + 2 *", starlark.Tuple{array(kernels.Int64, 3), x}, ""},                   // no floats
		{"$0 $1 + 2 *", starlark.Tuple{array(kernels.Float64), x}, ""},                    // no dimensions
		{"$0 $1 + 2 *", starlark.Tuple{x, starlark.None}, ""},                             // an error
		{"$0 $1 + 2 *", starlark.Tuple{x, huge}, ""},                                      // perhaps one
		{"$0 $1 / $2 *", starlark.Tuple{starlark.MakeInt(1), starlark.MakeInt(0), x}, ""}, // one, of Starlark
		{"$0 $1 + $2 *", starlark.Tuple{f, floatScalar(kernels.Float64, 1e39), f}, ""},    // becomes float64
		{"$0 $1 * $0 < 2 *", starlark.Tuple{x, y}, ""},                                    // a bool in between
		{"$0 $1.isnan/1 2 *", starlark.Tuple{x, np}, ""},
		{"$0 $0 $1.ldexp/2 2 *", starlark.Tuple{x, np}, ""},
		{"$0 $1.nosuch/1 2 *", starlark.Tuple{x, np}, ""},
		{"$0 $0 $1.exp/2 2 *", starlark.Tuple{x, np}, ""},
		{"$0 $1.pi/1 2 *", starlark.Tuple{x, np}, ""},
		{"$0 $1 +", starlark.Tuple{x, np}, ""},
	} {
		f := value.NewFusion(starlark.String(test.code)).(*value.Fusion)
		for range 2 {
			took, _, err := f.Get(test.operands)
			z, _ := f.Attr("value")
			got := ""
			if z, ok := z.(*Array); ok {
				got = z.d.DType().String() + tensor.ShapeString(z.d.Shape())
			}
			if err != nil || got != test.want || bool(took.(starlark.Bool)) != (got != "") {
				t.Errorf("%s of %v: got %q, %v, want %q", test.code, test.operands, got, took, test.want)
			}
		}
	}
}

func ufuncMember(name string) starlark.Value { return ufuncValue{value.Callable{}, ufuncs[name]} }
