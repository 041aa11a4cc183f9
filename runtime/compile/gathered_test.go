package compile_test

import (
	"math"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestGatheredFactors: sums and products of matrices give their constant factors to what reads them
// while nothing overflows or underflows by it.
func TestGatheredFactors(t *testing.T) {
	do := func(o graph.Op, in ...V) V { return b.Apply(o, in...) }
	for _, d := range []kernels.DType{kernels.Float64, kernels.Float32} {
		far := map[kernels.DType]float64{kernels.Float64: 200, kernels.Float32: 25}[d]
		huge, tiny := math.Pow(10, far), math.Pow(10, -far)
		most := map[kernels.DType]float64{kernels.Float64: math.MaxFloat64, kernels.Float32: math.MaxFloat32}[d]
		v := graph.AnyShape(d, 1)
		x, y, m := graph.NewInput("x", v, nil), graph.NewInput("y", v, nil), graph.NewInput("m", graph.AnyShape(d, 2), nil)
		times := func(k float64, u V) V { return do(op.Mul, b.Like(u, k), u) }
		for _, test := range []struct {
			name    string
			out     V
			x, y, m float64
			want    float64
		}{
			{"sum(c*x)", do(all, times(tiny, x)), .9 * most, 0, 0, 2 * (.9 * most * tiny)},
			{"sum(x/c)", do(all, do(op.TrueDiv, x, b.Like(x, huge))), .9 * most, 0, 0, 2 * (.9 * most / huge)},
			{"c*(c*dot)", times(tiny, times(tiny, do(op.Dot{}, m, x))), huge, 0, 1, 2 * tiny},
			{"c*(c*dot), huge", times(huge, times(huge, do(op.Dot{}, m, x))), tiny, 0, 1, 2 * huge},
			{"dot/c/c", do(op.TrueDiv, do(op.TrueDiv, do(op.Dot{}, m, x), b.Like(x, huge)), b.Like(x, huge)), huge, 0, 1, 2 * tiny},
			{"y+c*(c*dot)", do(op.Add, y, times(tiny, times(tiny, do(op.Dot{}, m, x)))), huge, tiny, 1, 3 * tiny},
			{"c*(y+c*dot)", times(tiny, do(op.Add, y, times(tiny, do(op.Dot{}, m, x)))), huge, 1, 1, 3 * tiny},
			{"c*(y+dot)", times(huge, do(op.Add, y, do(op.Dot{}, m, x))), huge, -2 * huge, 1, 0},
			{"2*(3*dot)+y", do(op.Add, times(2, times(3, do(op.Dot{}, m, x))), y), 1, 1, 1, 13},
		} {
			f := compiled(t, compile.Spec{Inputs: []V{x, y, m}, Outputs: []V{test.out}, Mode: compile.Mode{Linker: "c|go", Optimizer: "fast_run"}})
			args := []*tensor.Dense{tensor.From([]float64{test.x, test.x}, 2).AsType(d), tensor.From([]float64{test.y, test.y}, 2).AsType(d),
				tensor.From([]float64{test.m, test.m, test.m, test.m}, 2, 2).AsType(d)}
			for _, got := range call(t, f, args...)[0].Floats() {
				if !(math.Abs(got-test.want) <= 1e-6*math.Abs(test.want)) {
					t.Errorf("%s of %v: got %v, want %v in\n%s", test.name, d, got, test.want, f.Graph)
				}
			}
		}
	}
}
