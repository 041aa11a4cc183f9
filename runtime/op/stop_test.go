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

// TestStops: operations that run in Go over large arrays hear an interrupt within 50 ms. A busy
// machine may be late: one of ten attempts has to be in time.
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
	at := make([]int64, n)
	for i := range at {
		at[i] = r.Int64N(n)
	}
	places := tensor.From(at, n)
	count := func(k int64) *tensor.Dense { return tensor.From([]int64{k}) }
	state, positive := tensor.From([]uint32{1, 2, 3, 4, 5, 6, 7, 8, 0, 0}, 10), tensor.New(kernels.Float64, n)
	positive.Fill(0.5)
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
		{"topk", op.ArgTopK{}, []*tensor.Dense{x, count(1000)}},
		{"unique", op.Unique{}, []*tensor.Dense{x}},
		{"unique rows", op.Unique{Axis: 0}, []*tensor.Dense{rows}},
		{"searchsorted", op.SearchSorted{}, []*tensor.Dense{x, x}},
		{"matmul", op.Matmul{}, []*tensor.Dense{tensor.From(list, 4, 1<<10, 1<<10), tensor.From(list, 4, 1<<10, 1<<10)}},
		{"dot", op.Dot{}, []*tensor.Dense{tensor.From(list[:1<<22], 1<<11, 1<<11), tensor.From(list, 1<<11, 1<<11)}},
		{"conv2d", op.Convolution{}, []*tensor.Dense{tensor.From(list, 64, 4, 128, 128), tensor.From(list[:32*4*49], 32, 4, 7, 7)}},
		{"gather", op.Take{}, []*tensor.Dense{x, places}},
		{"scatter", op.IncTake{}, []*tensor.Dense{x, x, places}},
		{"numbers", op.Draw{Dist: "normal", Rank: 1, DType: op.Element(kernels.Float64)}, []*tensor.Dense{state, tensor.From([]int64{4 * n}, 1), number(0), number(1)}},
		{"numbers of parameters of their own", op.Draw{Dist: "gamma", Rank: 1, DType: op.Element(kernels.Float32)}, []*tensor.Dense{state, tensor.From([]int64{n}, 1), positive, number(1)}},
		{"a permutation", op.Draw{Dist: "permutation", DType: op.Element(kernels.Int64)}, []*tensor.Dense{state, tensor.New(kernels.Int64, 0), tensor.IntScalar(kernels.Int64, 4*n)}},
		{"uniform numbers of streams", op.MRGUniform{Rank: 1, DType: op.Element(kernels.Float64)}, []*tensor.Dense{tensor.From([]int32{1, 2, 3, 4, 5, 6}, 1, 6), tensor.From([]int64{4 * n}, 1)}},
		{"outcomes", op.FromUniform{Counts: true, DType: op.Element(kernels.Int64)}, []*tensor.Dense{rows, tensor.From(list, n), tensor.IntScalar(kernels.Int64, 16)}},
		{"eigh", op.Eigh{}, []*tensor.Dense{tensor.From(list[:600*600], 600, 600)}},
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
