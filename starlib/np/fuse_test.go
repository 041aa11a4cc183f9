package np

import (
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// TestFuse: which expressions are computed as one. That the rest, and these, are right is tested against the operations one by one: TestFusedExpressions.
func TestFuse(t *testing.T) {
	array := func(d kernels.DType, shape ...int) starlark.Value { return NewArray(nil, tensor.New(d, shape...)) }
	x, y, f, m := array(kernels.Float64, 3), array(kernels.Float64, 3), array(kernels.Float32, 3), array(kernels.Float64, 2, 3)
	np := value.NewModule("np", "", value.Member{Name: "exp", Value: ufuncMember("exp")}, value.Member{Name: "isnan", Value: ufuncMember("isnan")},
		value.Member{Name: "ldexp", Value: ufuncMember("ldexp")}, value.Member{Name: "pi", Value: starlark.Float(3)},
		value.Member{Name: "where", Value: (&value.Builtin{Name: "where", Module: "np"}).Value()})
	huge := starlark.MakeInt(1).Lsh(80)
	list, dict := slot.NewList([]starlark.Value{x, m}), new(slot.Dict)
	members := starlark.StringDict{"w": x, "n": starlark.MakeInt(3), "deep": slot.NewList([]starlark.Value{y})}
	for name, v := range members {
		if err := dict.SetKey(starlark.String(name), v); err != nil {
			t.Fatal(err)
		}
	}
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
		{"$0 $1 + 2 *", starlark.Tuple{x, m}, "float64(2, 3)"},
		{"$0 $1 + 2 *", starlark.Tuple{array(kernels.Float64, 2, 1), x}, "float64(2, 3)"},
		{"$0 $1 + 2 *", starlark.Tuple{x, f}, "float64(3,)"},
		{"$0 $1 + 2 *", starlark.Tuple{array(kernels.Int64, 3), x}, "float64(3,)"},
		{"$0 $0 * 2 -", starlark.Tuple{array(kernels.Uint8, 3)}, "uint8(3,)"},
		{"$0 2 ** 3 +", starlark.Tuple{array(kernels.Int32, 3)}, "int32(3,)"},
		{"$0 $1 + 2 *", starlark.Tuple{array(kernels.Float64), x}, "float64(3,)"},
		{"$0 $1 + $2 *", starlark.Tuple{f, floatScalar(kernels.Float64, 1e39), f}, "float64(3,)"},
		{"$0 $1 * $0 < 2 *", starlark.Tuple{x, y}, "int64(3,)"},
		{"$0 0 < $1 2 > | ~", starlark.Tuple{x, y}, "bool(3,)"},
		{"$0 $1.isnan/1 2 *", starlark.Tuple{x, np}, "int64(3,)"},
		{"$0 0 > $0 $1 $2.where/3 2 *", starlark.Tuple{x, f, np}, "float64(3,)"},
		{"$0.T 2 * 1 +", starlark.Tuple{m}, "float64(3, 2)"},
		{"$0['w] $0['n] * $0['deep][-1] -", starlark.Tuple{dict}, "float64(3,)"},
		{"$0[$1] $2.pi * 1 -", starlark.Tuple{list, starlark.MakeInt(1), np}, "float64(2, 3)"},
		{"$0 $0.mean() - $0.std() /", starlark.Tuple{x}, "float64(3,)"},
		{"$0 2 * $0.shape[0] /", starlark.Tuple{m}, "float64(2, 3)"},
		{"$0[1] 2 * $0 +", starlark.Tuple{m}, ""}, // 2*m[1] is smaller than the result
		{"$0 1 + $1 +", starlark.Tuple{x, m}, ""}, // likewise
		{"$0 $1 + 2 *", starlark.Tuple{array(kernels.Float64), array(kernels.Float64)}, ""},
		{"$0 $1 + 2 *", starlark.Tuple{array(kernels.Float64, 0), x}, ""},
		{"$0 $1 + 2 *", starlark.Tuple{array(kernels.Float64, 2), x}, ""}, // an error
		{"$0 neg 1 +", starlark.Tuple{array(kernels.Bool, 3)}, ""},        // likewise
		{"$0 300 + 1 -", starlark.Tuple{array(kernels.Uint8, 3)}, ""},     // likewise
		{"$0 3 ** 1 -", starlark.Tuple{array(kernels.Int64, 3)}, ""},      // is one if the power is negative
		{"$0['none] 2 * 1 +", starlark.Tuple{dict}, ""},
		{"$0[7] 2 * 1 +", starlark.Tuple{list}, ""},
		{"$0[$1] 2 * 1 +", starlark.Tuple{list, starlark.Float(1)}, ""},
		{"$0.nosuch 2 * 1 +", starlark.Tuple{x}, ""},
		{"$0.mean() 2 * 1 +", starlark.Tuple{x}, ""},                                      // numbers alone
		{"$0 $1 + 2 *", starlark.Tuple{x, starlark.None}, ""},                             // an error
		{"$0 $1 + 2 *", starlark.Tuple{x, huge}, ""},                                      // perhaps one
		{"$0 $1 / $2 *", starlark.Tuple{starlark.MakeInt(1), starlark.MakeInt(0), x}, ""}, // one, of Starlark
		{"$0 $0 $1.ldexp/2 2 *", starlark.Tuple{x, np}, ""},
		{"$0 $1.nosuch/1 2 *", starlark.Tuple{x, np}, ""},
		{"$0 $0 $1.exp/2 2 *", starlark.Tuple{x, np}, ""},
		{"$0 $1.pi/1 2 *", starlark.Tuple{x, np}, ""},
		{"$0 $1 +", starlark.Tuple{x, np}, ""},
	} {
		f := value.NewFusion(starlark.String(test.code)).(*value.Fusion)
		for range 2 {
			z, took := f.Compute(test.operands)
			got := ""
			if z, ok := z.(*Array); ok {
				got = z.d.DType().String() + tensor.ShapeString(z.d.Shape())
			}
			if got != test.want || took != (got != "") {
				t.Errorf("%s of %v: got %q, %v, want %q", test.code, test.operands, got, took, test.want)
			}
		}
	}
}

func ufuncMember(name string) starlark.Value { return ufuncValue{value.Callable{}, ufuncs[name]} }
