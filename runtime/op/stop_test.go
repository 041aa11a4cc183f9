package op_test

import (
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestStops: operations that run in Go over large arrays hear an interrupt within 50 ms. A busy machine may be late: one of ten attempts has
// to be in time.
func TestStops(t *testing.T) {
	if testing.Short() {
		t.Skip("sorts large arrays")
	}
	const n = 1 << 22
	r := rand.New(rand.NewPCG(1, 2))
	list := make([]float64, n)
	for i := range list {
		list[i] = r.NormFloat64()
	}
	x, rows := tensor.From(list, n), tensor.From(list, n/16, 16)
	number := func(v float64) *tensor.Dense { return tensor.Scalar(kernels.Float64, v) }
	v := op.NewEvaluator(kernels.Sets{kernels.GoSet})
	for _, c := range []struct {
		name string
		op   graph.Op
		in   []*tensor.Dense
	}{
		{"sort", op.Sort{}, []*tensor.Dense{x}},
		{"sort of short lines", op.Sort{Axis: 1}, []*tensor.Dense{rows}},
		{"argsort", op.ArgSort{}, []*tensor.Dense{x}},
		{"argsort of columns", op.ArgSort{Axis: 0}, []*tensor.Dense{rows}},
		{"cumsum", op.Cumulate{Kind: op.Sum}, []*tensor.Dense{x}},
		{"cumprod of rows", op.Cumulate{Kind: op.Prod, Axis: 1}, []*tensor.Dense{rows}},
		{"arange", op.ARange{}, []*tensor.Dense{number(0), number(4 * n), number(1)}},
		{"svd of a large matrix", op.SVD{}, []*tensor.Dense{tensor.From(list[:250*250], 250, 250)}},
		{"inv of many matrices", op.Inv{}, []*tensor.Dense{tensor.From(list, n/16, 4, 4)}},
		{"lstsq", op.Lstsq{}, []*tensor.Dense{tensor.From(list[:250*250], 250, 250), tensor.From(list[:250], 250), number(1e-15)}},
	} {
		raised := uint32(1)
		if _, err := v.Eval(c.op, &raised, c.in...); !errors.Is(err, op.ErrStopped) {
			t.Errorf("%s, interrupted before it runs: got %v, want %v", c.name, err, op.ErrStopped)
		}
		best := time.Hour
		for attempt := 0; attempt < 10 && best > 50*time.Millisecond; attempt++ {
			stop := new(uint32)
			at := make(chan time.Time, 1)
			time.AfterFunc(time.Millisecond, func() {
				at <- time.Now()
				atomic.StoreUint32(stop, 1)
			})
			_, err := v.Eval(c.op, stop, c.in...)
			ended := time.Now()
			if late := ended.Sub(<-at); errors.Is(err, op.ErrStopped) {
				best = min(best, late)
			}
		}
		if best > 50*time.Millisecond {
			t.Errorf("%s: interrupted after %v, want at most 50ms", c.name, best)
		}
	}
}

// TestScanChunks: a scan is the same where it is cut to look at the Stop.
func TestScanChunks(t *testing.T) {
	const n = 1<<17 + 3
	list := make([]float64, n)
	for i := range list {
		list[i] = 1
	}
	v := op.NewEvaluator(kernels.Sets{kernels.GoSet})
	for _, shape := range [][]int{{n, 1}, {1, n, 1}, {1, n}, {n}} {
		axis := 0
		if shape[0] == 1 {
			axis = 1
		}
		z, err := v.Eval1(op.Cumulate{Kind: op.Sum, Axis: axis}, nil, tensor.From(list, shape...))
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range z.Floats() {
			if got != float64(i+1) {
				t.Fatalf("shape %v: element %d is %v, want %d", shape, i, got, i+1)
			}
		}
	}
}
