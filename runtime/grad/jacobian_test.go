package grad_test

import (
	"math"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestJacobianRows compares the Hessians of the cases with the gradients of each element of the
// first gradient, where the length is known only when the function runs.
func TestJacobianRows(t *testing.T) {
	point := tensor.From([]float64{0.7, -1.3, 0.4}, 3)
	for name, f := range hessianCases {
		x := vector("x")
		first := gradients(t, f(x), []V{x}, grad.Options{})[0]
		ignore := grad.Options{Disconnected: func(V) error { return nil }}
		rows, err := grad.Jacobian(b, first, []V{x}, ignore)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := eval(t, []V{x}, []*tensor.Dense{point}, rows[0])[0]
		if !slices.Equal(got.Shape(), []int{3, 3}) {
			t.Errorf("%s: got shape %v, want (3, 3)", name, got.Shape())
			continue
		}
		for i := range 3 {
			element := b.Apply(op.Take{}, first, b.Constant(tensor.From([]int64{int64(i)}, 1)))
			want := eval(t, []V{x}, []*tensor.Dense{point}, gradients(t, sum(element), []V{x}, ignore)[0])[0].Floats()
			for k, w := range want {
				if g := got.Floats()[3*i+k]; !(math.Abs(g-w) <= 1e-9*(1+math.Abs(w))) {
					t.Errorf("%s: element %d, %d: got %v, want %v", name, i, k, g, w)
				}
			}
		}
	}
}

// TestJacobianShapes: of a vector with respect to a matrix, of nothing, and where the vector does
// not depend on the variable.
func TestJacobianShapes(t *testing.T) {
	m := graph.NewInput("m", graph.AnyShape(kernels.Float64, 2), at(1))
	x, other := vector("x"), vector("other")
	y := b.Apply(op.Dot{}, m, x)
	rows, err := grad.Jacobian(b, y, []V{m, x, other}, grad.Options{Disconnected: func(V) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 4} {
		args := []*tensor.Dense{tensor.New(kernels.Float64, n, 3), tensor.From([]float64{1, 2, 3}, 3), tensor.New(kernels.Float64, 2)}
		out := eval(t, []V{m, x, other}, args, rows...)
		for i, want := range [][]int{{n, n, 3}, {n, 3}, {n, 2}} {
			if !slices.Equal(out[i].Shape(), want) {
				t.Errorf("%d rows, variable %d: got shape %v, want %v", n, i, out[i].Shape(), want)
			}
		}
		for k, v := range out[0].Floats() { // row i of the Jacobian has x in row i
			want := 0.0
			if i, j := k/(3*max(n, 1)), k/3%max(n, 1); i == j {
				want = float64(k%3 + 1)
			}
			if v != want {
				t.Errorf("element %d: got %v, want %v", k, v, want)
			}
		}
	}
}
