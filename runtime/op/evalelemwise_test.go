package op_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestElementwise computes every row, in every type that it has a loop for, of operands of every
// type, with axes that broadcast, and compares with the row's loop run on copies that were
// converted and repeated before.
func TestElementwise(t *testing.T) {
	v := op.NewEvaluator(kernels.Sets{kernels.GoSet})
	shapes := [][]int{{2, 1, 3}, {4, 3}, {}}
	for e := range op.Rows {
		if _, ok := e.IsCast(); ok || e == op.Second {
			continue
		}
		kernel := e.Kernel()
		for _, d := range kernels.DTypes() {
			loop := kernel.Loops[d]
			if loop == nil {
				continue
			}
			for _, from := range kernels.DTypes() {
				in := make([]*tensor.Dense, kernel.Arity)
				for i := range in {
					shape := shapes[i%len(shapes)]
					list := make([]float64, tensor.Size(shape))
					for k := range list {
						list[k] = float64((k+i)%3 + 1)
					}
					in[i] = tensor.From(list, shape...).AsType(from)
				}
				got, err := v.Elementwise(e, d, nil, in...)
				if err != nil {
					t.Fatal(e.Name(), d, from, err)
				}
				shape, _ := tensor.CommonShape(in...)
				want := tensor.New(kernel.Key(d).Out, shape...)
				var args [kernels.MaxArgs]unsafe.Pointer
				for i, x := range in {
					wide, _ := x.AsType(kernel.Operand(i, d)).BroadcastTo(shape)
					args[i] = wide.Copy().Pointer()
				}
				loop(want.Size(), want.Pointer(), &args)
				if got.DType() != want.DType() || !slices.Equal(got.Shape(), shape) {
					t.Fatalf("%s in %v: got %v of shape %v, want %v of %v", e.Name(), d, got.DType(), got.Shape(), want.DType(), shape)
				}
				if g, w := fmt.Sprint(got.Floats()), fmt.Sprint(want.Floats()); g != w {
					t.Errorf("%s in %v of %v: got %s, want %s", e.Name(), d, from, g, w)
				}
			}
		}
	}
}

// TestElementwiseEdges: nothing, views, what is not finite, single numbers, shapes that do not fit,
// and interrupts.
func TestElementwiseEdges(t *testing.T) {
	v := op.NewEvaluator(kernels.Sets{kernels.GoSet})
	run := func(e op.Elemwise, d kernels.DType, in ...*tensor.Dense) *tensor.Dense {
		t.Helper()
		z, err := v.Elementwise(e, d, nil, in...)
		if err != nil {
			t.Fatal(err)
		}
		return z
	}
	x := tensor.From([]float64{math.NaN(), math.Inf(1), math.Copysign(0, -1), 1, 2, 3}, 2, 3)
	if got := fmt.Sprint(run(op.Neg, kernels.Float64, x.Transpose()).Floats()); got != "[NaN -1 -Inf -2 0 -3]" {
		t.Error("neg of a transpose:", got)
	}
	if z := run(op.Neg, kernels.Float64, tensor.From([]float64{0})).Floats()[0]; !math.Signbit(z) {
		t.Error("neg of 0: got 0, want -0")
	}
	one := tensor.From([]float64{1}, 1, 1)
	if z := run(op.Add, kernels.Float32, tensor.New(kernels.Int8, 0, 3), one); !slices.Equal(z.Shape(), []int{0, 3}) || z.DType() != kernels.Float32 {
		t.Error("of nothing:", z.DType(), z.Shape())
	}
	if z := run(op.Add, kernels.Float64, one, one); !slices.Equal(z.Shape(), []int{1, 1}) || z.Floats()[0] != 2 {
		t.Error("of axes of length 1:", z.Shape(), z.Floats())
	}
	if z := run(op.Exp, kernels.Float64, tensor.Scalar(kernels.Int64, 1)); z.Floats()[0] != math.E {
		t.Errorf("exp(1): got %v, want e", z.Floats()[0])
	}
	_, err := v.Elementwise(op.Add, kernels.Float64, nil, x, tensor.New(kernels.Float64, 4))
	if want := "operands could not be broadcast together: shapes (2, 3) and (4,)"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	raised := uint32(1)
	long := tensor.New(kernels.Float64, 1<<20)
	if _, err := v.Elementwise(op.Exp, kernels.Float64, &raised, long); !errors.Is(err, op.ErrStopped) {
		t.Errorf("interrupted: got %v, want %v", err, op.ErrStopped)
	}
	if z := run(op.Exp, kernels.Float64, long); z.Floats()[1<<20-1] != 1 {
		t.Error("after an interrupt: exp(0) is not 1")
	}
}

// TestStoppedInPlace: what is stopped leaves the array as it was, and what writes over it does not
// take long, of which the Go kernels' costs are known.
func TestStoppedInPlace(t *testing.T) {
	v, raised := op.NewEvaluator(kernels.Sets{kernels.GoSet}), uint32(1)
	for _, test := range []struct {
		op      op.Elemwise
		d       kernels.DType
		n       int
		written bool
	}{
		{op.Add, kernels.Float64, 1000, true}, {op.Add, kernels.Float64, 1 << 20, true}, {op.Add, kernels.Float64, 1<<22 + 1, false},
		{op.Gcd, kernels.Int64, 1000, true}, {op.Gcd, kernels.Int64, 1 << 20, false},
		{op.Pow, kernels.Float64, 1000, true}, {op.Pow, kernels.Float64, 1 << 20, false}, {op.Pow, kernels.Int64, 1 << 20, false},
	} {
		x, y := tensor.Empty(test.d, test.n), tensor.Empty(test.d, test.n)
		x.Fill(6)
		y.Fill(4)
		z, err := v.ElementwiseInto(x, false, test.op, test.d, &raised, x, y)
		written, changed := z == x && err == nil, x.Floats()[test.n-1] != 6
		if written != test.written || changed != test.written || !written && !errors.Is(err, op.ErrStopped) {
			t.Errorf("%s of %d %v: written %v, changed %v, %v", test.op.Name(), test.n, test.d, written, changed, err)
		}
	}
}
