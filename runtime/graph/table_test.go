package graph_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
)

// TestTable: a table is a map of variables whose zero is a value that is not there.
func TestTable(t *testing.T) {
	x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), nil)
	if (*graph.Table[int])(nil).Get(x) != 0 {
		t.Error("a nil table has something")
	}
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var table, other graph.Table[int]
		vars := make([]*graph.Variable, 1+rng.IntN(400))
		for i := range vars {
			vars[i] = graph.NewInput("", graph.AnyShape(kernels.Float64, 1), nil)
			other.Set(vars[i], -1)
			if rng.IntN(50) == 0 { // what is met of other graphs in between
				for range rng.IntN(20000) {
					other.Set(graph.NewInput("", graph.AnyShape(kernels.Float64, 1), nil), -1)
				}
			}
		}
		want := make(map[*graph.Variable]int)
		for range 2000 {
			v := vars[rng.IntN(len(vars))]
			switch n := rng.IntN(5); n {
			case 0:
				table.Set(v, n)
				want[v] = n
			case 1:
				*table.At(v)++
				want[v]++
			case 2:
				other.Set(v, -1)
			default:
				if got := table.Get(v); got != want[v] {
					t.Fatalf("seed %d: got %d, want %d", seed, got, want[v])
				}
			}
		}
	}
}

// TestTablesOfOneGraph: several goroutines may keep tables of the same variables, which are
// numbered once.
func TestTablesOfOneGraph(t *testing.T) {
	vars := make([]*graph.Variable, 2000)
	for i := range vars {
		vars[i] = graph.NewInput("", graph.AnyShape(kernels.Float64, 1), nil)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			var table graph.Table[int]
			for i, v := range vars {
				table.Set(v, i+1)
			}
			for i, v := range vars {
				if got := table.Get(v); got != i+1 {
					t.Errorf("got %d, want %d", got, i+1)
					return
				}
			}
		})
	}
	all.Wait()
}
