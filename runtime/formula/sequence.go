package formula

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Window is m numbers, float64: f of a vector that goes from -1 to 1. The window of one number is
// 1.
func Window(b *graph.Builder, m V, f func(a Arithmetic, x V) V) V {
	a := Arithmetic{b}
	n := double(b, m)
	span := a.Do(op.Sub, n, 1.0)
	// Twice the place plus 1 less m is exact, and symmetric.
	x := a.Do(op.TrueDiv, a.Do(op.Sub, a.Do(op.Add, a.Do(op.Mul, double(b, UpTo(b, m)), 2.0), 1.0), n), a.Do(op.Maximum, span, 1.0))
	return a.Do(op.Switch, a.Do(op.Gt, n, 1.0), f(a, x), 1.0)
}

// Cosines is the Window of a sum of cosines: that of k pi x times the k-th factor.
func Cosines(factors ...float64) func(a Arithmetic, x V) V {
	return func(a Arithmetic, x V) V {
		z := a.Do(op.Add, a.Do(op.Mul, x, 0.0), factors[0])
		for k, factor := range factors[1:] {
			z = a.Do(op.Add, z, a.Do(op.Mul, factor, a.Do(op.Cos, a.Do(op.Mul, x, float64(k+1)*math.Pi))))
		}
		return z
	}
}

// Kaiser is the Window I0(beta sqrt(1 - x*x)) / I0(beta).
func Kaiser(beta float64) func(a Arithmetic, x V) V {
	return func(a Arithmetic, x V) V {
		root := a.Do(op.Sqrt, a.Do(op.Sub, 1.0, a.Do(op.Mul, x, x)))
		return a.Do(op.TrueDiv, a.Do(op.I0, a.Do(op.Mul, beta, root)), a.Do(op.I0, beta))
	}
}

// Geomspace is num numbers from start to stop, scalars of one sign, each the same multiple of the
// one before; float64.
func Geomspace(b *graph.Builder, start, stop V, num int, endpoint bool) (V, error) {
	start, stop = double(b, start), double(b, stop)
	sign := b.Apply(op.Sgn, start)
	log := func(v V) V { return b.Apply(op.Log10, b.Apply(op.Mul, v, sign)) }
	x, err := Linspace(b, log(start), log(stop), num, endpoint, kernels.Float64)
	if err != nil || num == 0 {
		return x, err
	}
	z := b.Apply(op.Mul, b.Apply(op.Pow, b.Like(x, 10), x), sign)
	list := []V{Pad(b, start, 1, true), Part(b, z, 0, 1, num)}
	if endpoint && num > 1 { // both ends are what was given
		list = []V{list[0], Part(b, z, 0, 1, num-1), Pad(b, stop, 1, true)}
	}
	return b.Apply(op.Join{Axis: 0}, list...), nil
}

// Coordinates are vectors as the coordinates of the grid of all their combinations: the i-th along
// axis i, or along axis 1 - i of the first two if swapped. Sparse ones have length 1 along the
// other axes.
func Coordinates(b *graph.Builder, vectors []V, swapped, sparse bool) ([]V, error) {
	rank := len(vectors)
	list := make([]V, rank)
	for i, v := range vectors {
		axis := i
		if swapped && rank > 1 && i < 2 {
			axis = 1 - i
		}
		if v.Type.Rank() != 1 {
			v = Ravel(b, v)
		}
		list[i] = KeepAxes(b, v, tensor.AllAxes(rank).Without(tensor.AxesOf(axis)), rank)
	}
	if sparse || rank == 0 {
		return list, nil
	}
	return Spread(b, list)
}
