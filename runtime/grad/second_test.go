package grad_test

import (
	"math"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestSecondDerivatives compares them with central differences of the first, and third ones with
// those of the second.
func TestSecondDerivatives(t *testing.T) {
	for name, f := range map[string]func(x V) V{
		"sqr":         func(x V) V { return do(op.Sqr, x) },
		"x cubed":     func(x V) V { return do(op.Pow, x, number(3)) },
		"x**x":        func(x V) V { return do(op.Pow, x, x) },
		"2**x":        func(x V) V { return do(op.Pow, number(2), x) },
		"exp(sin)":    func(x V) V { return do(op.Exp, do(op.Sin, x)) },
		"quotient":    func(x V) V { return do(op.TrueDiv, do(op.Cos, x), do(op.Add, number(2), do(op.Sqr, x))) },
		"log(1+exp)":  func(x V) V { return do(op.Log, do(op.Add, number(1), do(op.Exp, x))) },
		"softplus":    func(x V) V { return do(op.Softplus, x) },
		"sigmoid":     func(x V) V { return do(op.Sigmoid, x) },
		"tanh*sqrt":   func(x V) V { return do(op.Mul, do(op.Tanh, x), do(op.Sqrt, x)) },
		"erf":         func(x V) V { return do(op.Erf, x) },
		"arctan2":     func(x V) V { return do(op.Arctan2, x, do(op.Sqr, x)) },
		"reciprocal":  func(x V) V { return do(op.Reciprocal, x) },
		"log1p expm1": func(x V) V { return do(op.Mul, do(op.Log1p, x), do(op.Expm1, x)) },
	} {
		x := scalar("x")
		first := f(x)
		for order := 1; order <= 3; order++ {
			// The third derivative of a square does not depend on x any more.
			next := gradients(t, first, []V{x}, grad.Options{Disconnected: func(V) error { return nil }})[0]
			for _, p := range []float64{0.4, 0.9, 1.7} {
				const h = 1e-5
				want := (at0(t, x, p+h, first)[0] - at0(t, x, p-h, first)[0]) / (2 * h)
				got := at0(t, x, p, next)[0]
				if !(math.Abs(got-want) <= 1e-5*(1+math.Abs(want))) {
					t.Errorf("%s, derivative %d at %v: got %v, want %v", name, order, p, got, want)
				}
			}
			first = next
		}
	}
}

// hessianCases are scalar functions of a vector of 3.
var hessianCases = map[string]func(v V) V{
	"sum of cubes":    func(v V) V { return sum(do(op.Mul, v, do(op.Sqr, v))) },
	"product":         func(v V) V { return b.Apply(op.Reduce{Kind: op.Prod, Axes: tensor.AxesOf(0)}, v) },
	"softmax":         func(v V) V { return do(op.Log, b.Apply(op.Subtensor{Index: "1"}, b.Apply(op.Softmax{}, v))) },
	"logsoftmax":      func(v V) V { return do(op.Sqr, b.Apply(op.Subtensor{Index: "0"}, b.Apply(op.Softmax{Log: true}, v))) },
	"dot":             func(v V) V { return do(op.Exp, do(op.Mul, number(0.3), b.Apply(op.Dot{}, v, v))) },
	"mean and square": func(v V) V { return do(op.Mul, op.Mean(b, v, tensor.AxesOf(0)), sum(do(op.Sqr, v))) },
	"views":           func(v V) V { return sum(do(op.Mul, do(op.Sqr, b.Apply(op.Subtensor{Index: "::-1"}, v)), v)) },
	"part": func(v V) V {
		return do(op.Sqr, sum(b.Apply(op.IncSubtensor{Index: "1:"}, v, do(op.Sqr, b.Apply(op.Subtensor{Index: ":2"}, v)))))
	},
	"outer": func(v V) V {
		col, row := b.Apply(op.NewDimShuffle([]int{0, tensor.NewAxis}), v), b.Apply(op.NewDimShuffle([]int{tensor.NewAxis, 0}), v)
		m := do(op.Sin, do(op.Mul, col, row))
		return sum(b.Apply(op.Dot{}, m, b.Apply(op.Dot{}, m, v)))
	},
	"largest": func(v V) V {
		return do(op.Sqr, b.Apply(op.Reduce{Kind: op.Max, Axes: tensor.AxesOf(0)}, do(op.Sqr, v)))
	},
	"reshape": func(v V) V {
		m := b.Apply(op.Reshape{Rank: 2}, v, b.Constant(tensor.From([]int64{3, 1}, 2)))
		return sum(do(op.Exp, b.Apply(op.Dot{}, b.Apply(op.NewDimShuffle([]int{1, 0}), m), m)))
	},
	"alloc": func(v V) V {
		n := func(k int64) V { return b.Constant(tensor.IntScalar(kernels.Int64, k)) }
		return sum(do(op.Sqr,
			do(op.Mul, b.Apply(op.Alloc{}, b.Apply(op.NewDimShuffle([]int{tensor.NewAxis, 0}), v), n(2), n(3)), v)))
	},
}

// TestHessians compares the gradients of the elements of a gradient with central differences.
func TestHessians(t *testing.T) {
	for name, f := range hessianCases {
		for _, typ := range []graph.Type{graph.TypeOf(kernels.Float64, 3), graph.AnyShape(kernels.Float64, 1)} {
			v := graph.NewInput("v", typ, at(2))
			g := gradients(t, f(v), []V{v}, grad.Options{})[0]
			values := []float64{0.8, -0.6, 1.1}
			at := func(k int, h float64) []float64 {
				moved := tensor.From(values, 3)
				tensor.Elements[float64](moved)[k] += h
				return eval(t, []V{v}, []*tensor.Dense{moved}, g)[0].Floats()
			}
			for i := range values {
				element := b.Apply(op.Subtensor{Index: []op.Subscripts{"0", "1", "2"}[i]}, g)
				row := gradients(t, element, []V{v}, grad.Options{})[0]
				got := eval(t, []V{v}, []*tensor.Dense{tensor.From(values, 3)}, row)[0].Floats()
				for k := range values {
					const h = 1e-5
					want := (at(k, h)[i] - at(k, -h)[i]) / (2 * h)
					if !(math.Abs(got[k]-want) <= 1e-5*(1+math.Abs(want))) {
						t.Errorf("%s of %v, element %d %d: got %v, want %v", name, typ, i, k, got[k], want)
					}
				}
			}
		}
	}
}

// TestProductWithZeros: the gradient of a product is the product of the other elements, also where
// it is 0.
func TestProductWithZeros(t *testing.T) {
	v := vector("v")
	g := gradients(t, b.Apply(op.Reduce{Kind: op.Prod, Axes: tensor.AxesOf(0)}, v), []V{v}, grad.Options{})[0]
	for _, c := range []struct{ in, want []float64 }{
		{[]float64{2, 3, 4}, []float64{12, 8, 6}},
		{[]float64{2, 0, 4}, []float64{0, 8, 0}},
		{[]float64{0, 0, 4}, []float64{0, 0, 0}},
		{[]float64{0}, []float64{1}},
	} {
		got := eval(t, []V{v}, []*tensor.Dense{tensor.From(c.in, len(c.in))}, g)[0].Floats()
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-12 || got[i] != got[i] {
				t.Errorf("at %v: got %v, want %v", c.in, got, c.want)
				break
			}
		}
	}
}
