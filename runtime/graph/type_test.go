package graph_test

import (
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
)

// TestLongAxes: a length that takes more than 31 bits is one that is known when the function runs,
// and no other length.
func TestLongAxes(t *testing.T) {
	for _, n := range []int{1<<31 - 1, 1 << 31, 1<<32 + 1, 1 << 40} {
		got, want := graph.TypeOf(kernels.Int8, 1, n), n
		if n > 1<<31-1 {
			want = graph.Unknown
		}
		if got.Dim(1) != want || got.Dims()[1] != want || got.Broadcasts(1) || !got.AcceptsShape([]int{1, n}) {
			t.Errorf("length %d: got %v", n, got)
		}
	}
}
