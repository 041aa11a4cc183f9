package compile_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/parallel"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestThreadsDoNotMatter: steps of learning give the same bits on any number of threads. The arrays
// are large enough for each kind of node to be divided.
func TestThreadsDoNotMatter(t *testing.T) {
	defer parallel.SetThreads(parallel.Threads())
	const n, in, hidden, out, steps = 300, 400, 500, 70, 3
	for _, d := range []kernels.DType{kernels.Float64, kernels.Float32} {
		r := rand.New(rand.NewPCG(3, 3))
		random := func(shape ...int) *tensor.Dense {
			values := make([]float64, tensor.Size(shape))
			for i := range values {
				values[i] = r.Float64() - 0.5
			}
			return tensor.From(values, shape...).AsType(d)
		}
		args := []*tensor.Dense{random(n, in), random(n, out)}
		var want []*tensor.Dense
		for _, threads := range []int{1, 2, 7, 64} {
			parallel.SetThreads(threads)
			spec := mlp(t, d, in, hidden, hidden, out)
			spec.Mode = compile.Mode{Linker: "c|go", Optimizer: "fast_run"}
			f := compiled(t, spec)
			var got []*tensor.Dense
			for range steps {
				costs, err := f.Call(context.Background(), args, nil)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, costs...)
			}
			for _, u := range spec.Updates {
				got = append(got, u.Shared.Shared.Get())
			}
			if want == nil {
				want = got
			}
			for i := range got {
				if !tensor.Equal(got[i], want[i]) {
					t.Errorf("%v: value %d of %s differs between 1 thread and %d", d, i, fmt.Sprint(got[i].Shape()), threads)
				}
			}
		}
	}
}
