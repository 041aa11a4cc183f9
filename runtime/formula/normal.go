package formula

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// BoxMuller makes the first n standard normal numbers of a vector of uniform ones in (0, 1), of an
// even length that is not below n: the first half of these are radii, the second angles (Box and
// Muller, 1958). All cosines come before all sines. If resample is not nil, numbers beyond 2 are
// replaced: it makes as many uniform ones in (exp(-2), 1) as it is asked for, which are radii below
// 2 with the same angles; then the order is that of Theano's truncated numbers.
func BoxMuller(b *graph.Builder, uniform, n V, resample func(n V) (V, error)) (V, error) {
	size := b.Apply(op.ShapeI{}, uniform)
	half := b.Apply(op.IntDiv, size, Int(b, 2))
	one := func(v float64) V { return b.Like(uniform, v) }
	radius := func(u V) V { return b.Apply(op.Sqrt, b.Apply(op.Mul, b.Like(u, -2), b.Apply(op.Log, u))) }
	r := radius(Slice(b, uniform, 0, nil, half, nil))
	theta := b.Apply(op.Mul, one(2*math.Pi), Slice(b, uniform, 0, half, nil, nil))
	var list []V
	cos, sin := b.Apply(op.Cos, theta), b.Apply(op.Sin, theta)
	z := []V{b.Apply(op.Mul, r, cos), b.Apply(op.Mul, r, sin)}
	if resample == nil {
		list = z
	} else {
		var far [2]V // which are
		var count [2]V
		for i, x := range z {
			outside := b.Apply(op.Or, b.Apply(op.Lt, x, one(-2)), b.Apply(op.Gt, x, one(2)))
			far[i] = FlatNonZero(b, outside)
			count[i] = b.Apply(op.ShapeI{}, far[i])
			z[i] = b.Apply(op.Take{}, x, FlatNonZero(b, b.Apply(op.Invert, outside)))
		}
		u, err := resample(b.Apply(op.Add, count[0], count[1]))
		if err != nil {
			return nil, err
		}
		near := radius(u)
		list = []V{
			z[0], b.Apply(op.Mul, Slice(b, near, 0, nil, count[0], nil), b.Apply(op.Take{}, cos, far[0])),
			z[1], b.Apply(op.Mul, Slice(b, near, 0, count[0], nil, nil), b.Apply(op.Take{}, sin, far[1])),
		}
	}
	all, err := Join(b, 0, list)
	if err != nil {
		return nil, err
	}
	return Slice(b, all, 0, nil, n, nil), nil
}

// Product is that of int64 scalars.
func Product(b *graph.Builder, lengths []V) V {
	n := int64(1)
	for _, v := range lengths {
		if !v.IsConstant() {
			return b.Apply(op.Reduce{Kind: op.Prod, Axes: tensor.AxesOf(0)}, b.Apply(op.MakeVector{}, lengths...))
		}
		n *= v.Data.Ints()[0]
	}
	return b.Constant(tensor.IntScalar(kernels.Int64, n))
}
