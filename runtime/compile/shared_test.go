package compile_test

import (
	"context"
	"sync"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestFunctionsShareVariables: functions that run at once with the same shared variables lose no
// update, whatever the order in which they name them.
func TestFunctionsShareVariables(t *testing.T) {
	b := &graph.Builder{}
	one := func() *tensor.Dense { return tensor.Scalar(kernels.Float64, 0) }
	p := graph.NewShared("p", graph.TypeOf(kernels.Float64), one(), nil)
	q := graph.NewShared("q", graph.TypeOf(kernels.Float64), one(), nil)
	next := func(v *graph.Variable) graph.Update {
		return graph.Update{Shared: v, Value: b.Apply(op.Add, v, b.Like(v, 1))}
	}
	const calls = 2000
	var wg sync.WaitGroup
	for _, updates := range [][]graph.Update{{next(p), next(q)}, {next(q), next(p)}} {
		f, err := compile.Compile(compile.Spec{Updates: updates, Outputs: []*graph.Variable{b.Apply(op.Sub, p, q)},
			Mode: compile.Mode{Linker: "go", Optimizer: "fast_run"}})
		if err != nil {
			t.Fatal(err)
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range calls {
				out, err := f.Call(context.Background(), nil, nil)
				if err != nil {
					t.Error(err)
					return
				}
				if d := out[0].Floats()[0]; d != 0 {
					t.Errorf("p and q of different calls: they differ by %g", d)
					return
				}
			}
		}()
	}
	wg.Wait()
	if got := p.Shared.Get().Floats()[0]; got != 2*calls {
		t.Errorf("got %g after %d calls, want %d", got, 2*calls, 2*calls)
	}
}
