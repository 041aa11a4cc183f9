package formula

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Cast is v with elements of type d; Invalid leaves them as they are.
func Cast(b *graph.Builder, v V, d kernels.DType) V {
	switch {
	case d == kernels.Invalid || d == v.Type.DType:
		return v
	case v.IsConstant() && v.Type.Rank() == 0 && v.Name == "": // what is made with it can see its value
		return b.Constant(v.Data.AsType(d))
	}
	return b.Apply(op.Cast(d), v)
}

// AsInt is an integer variable as int64, an error for another.
func AsInt(b *graph.Builder, v V, what string) (V, error) {
	if !v.Type.DType.IsInteger() {
		return nil, fmt.Errorf("%s: got %v, want an integer", what, v.Type)
	}
	return Cast(b, v, kernels.Int64), nil
}

// Full is an array of the given lengths with all elements x.
func Full(b *graph.Builder, x V, lengths []V, d kernels.DType) V {
	return BroadcastTo(b, Cast(b, x, d), lengths)
}

// FullLike is an array of x's shape with all elements value, of x's type unless d says another.
func FullLike(b *graph.Builder, x, value V, d kernels.DType) V {
	if d == kernels.Invalid {
		d = x.Type.DType
	}
	return b.Apply(op.Second, x, Cast(b, value, d))
}

// ARange is start, start + step, ... before stop. Without d integers are int64 or uint64.
func ARange(b *graph.Builder, start, stop, step V, d kernels.DType) V {
	if d == kernels.Invalid {
		d = kernels.Promote(kernels.Promote(start.Type.DType, stop.Type.DType), step.Type.DType)
		switch {
		case d.IsFloat():
		case d.IsInteger() && !d.IsSigned():
			d = kernels.Uint64
		default:
			d = kernels.Int64
		}
	}
	return b.Apply(op.ARange{}, Cast(b, start, d), Cast(b, stop, d), Cast(b, step, d))
}

// UpTo is 0, 1, ..., n-1 for an int64 scalar.
func UpTo(b *graph.Builder, n V) V { return b.Apply(op.ARange{}, Int(b, 0), n, Int(b, 1)) }

// checkLengths refuses negative lengths of new axes, where they are known: UpTo of a negative
// number is empty.
func checkLengths(lengths ...V) error {
	for axis, v := range lengths {
		if n, ok := op.KnownLength(v); ok && n < 0 {
			return fmt.Errorf("length of axis %d: got %d, want at least 0", axis, n)
		}
	}
	return nil
}

// grid is the numbers of the rows plus k, as a column, and those of the columns, as a row.
func grid(b *graph.Builder, n, m, k V) (rows, columns V, err error) {
	if err := checkLengths(n, m); err != nil {
		return nil, nil, err
	}
	rows = b.Apply(op.Add, UpTo(b, n), k)
	return Permute(b, rows, []int{0, tensor.NewAxis}), Permute(b, UpTo(b, m), []int{tensor.NewAxis, 0}), nil
}

// Eye is the n by m matrix with ones on diagonal k.
func Eye(b *graph.Builder, n, m, k V, d kernels.DType) (V, error) {
	rows, columns, err := grid(b, n, m, k)
	if err != nil {
		return nil, err
	}
	return Cast(b, b.Apply(op.Eq, rows, columns), d), nil
}

// Tri is the n by m matrix with ones at and below diagonal k.
func Tri(b *graph.Builder, n, m, k V, d kernels.DType) (V, error) {
	rows, columns, err := grid(b, n, m, k)
	if err != nil {
		return nil, err
	}
	return Cast(b, b.Apply(op.Ge, rows, columns), d), nil
}

// Triangle is x with zeros above diagonal k of its last two axes, below it if upper.
func Triangle(b *graph.Builder, x, k V, upper bool) (V, error) {
	rank := x.Type.Rank()
	if rank < 2 {
		return nil, fmt.Errorf("got %d dimensions, want at least 2", rank)
	}
	lengths := op.Lengths(b, x)
	rows, columns, err := grid(b, lengths[rank-2], lengths[rank-1], k)
	if err != nil {
		return nil, err
	}
	inside := b.Apply(op.Ge, rows, columns)
	if upper {
		inside = b.Apply(op.Le, rows, columns)
	}
	return b.Apply(op.Switch, inside, x, b.Like(x, 0)), nil
}

// Linspace is num numbers from start to stop, which is the last of them if endpoint.
func Linspace(b *graph.Builder, start, stop V, num int, endpoint bool, d kernels.DType) (V, error) {
	if num < 0 {
		return nil, fmt.Errorf("num: got %d, want a number that is not negative", num)
	}
	if start.Type.Rank() != 0 || stop.Type.Rank() != 0 {
		return nil, fmt.Errorf("got %v and %v, want scalars", start.Type, stop.Type)
	}
	steps := num
	if endpoint {
		steps--
	}
	at := make([]float64, num)
	for i := range at {
		at[i] = float64(i)
	}
	start, stop = Cast(b, start, kernels.Float64), Cast(b, stop, kernels.Float64)
	step := b.Apply(op.TrueDiv, b.Apply(op.Sub, stop, start), b.Number(kernels.Float64, float64(max(steps, 1))))
	z := b.Apply(op.Add, start, b.Apply(op.Mul, b.Constant(tensor.From(at, num)), step))
	if endpoint && num > 1 {
		z = b.Apply(op.Join{Axis: 0}, Part(b, z, 0, 0, num-1), Pad(b, stop, 1, true))
	}
	if d.IsInteger() {
		z = b.Apply(op.Floor, z)
	}
	return Cast(b, z, d), nil
}
