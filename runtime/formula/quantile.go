package formula

import (
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Lanes are the elements that a quantile is taken of.
type Lanes struct {
	Axes    tensor.Axes
	Keep    bool // the axes stay, with length 1
	SkipNaN bool // nan are left out; otherwise the quantile is nan where one is
}

// lines is x as an array of lines: the elements along axes are its last axis, and the other axes,
// of the lengths that are returned too, come before.
func lines(b *graph.Builder, x V, axes tensor.Axes) (V, []V) {
	var order, along []int
	var shape []V
	n := Int(b, 1)
	for axis, length := range op.Lengths(b, x) {
		if axes.Has(axis) {
			along, n = append(along, axis), count(b, op.Mul, n, length)
			continue
		}
		order, shape = append(order, axis), append(shape, length)
	}
	x = Permute(b, x, append(order, along...))
	if len(along) == 1 {
		return x, shape
	}
	return Reshape(b, x, append(slices.Clone(shape), n)), shape
}

// Arithmetic is what formulas of float64 arrays and numbers are written with.
type Arithmetic struct{ b *graph.Builder }

// Do applies an operation to variables and to numbers, which are float64.
func (a Arithmetic) Do(o op.Elemwise, x ...any) V {
	in := make([]V, len(x))
	for i, x := range x {
		switch x := x.(type) {
		case V:
			in[i] = x
		case float64:
			in[i] = a.b.Number(kernels.Float64, x)
		}
	}
	return a.b.Apply(o, in...)
}

func (a Arithmetic) floor(x V) V { return a.Do(op.Floor, x) }
func (a Arithmetic) ceil(x V) V  { return a.Do(op.Ceil, x) }

// at is (n - 1)·q, for the methods that count positions from the first element to the last.
func (a Arithmetic) at(n, q V) V { return a.Do(op.Mul, a.Do(op.Sub, n, 1.0), q) }

// hyndman is n·q + alpha + q·(1 - alpha - beta) - 1.
func hyndman(alpha, beta float64) func(a Arithmetic, n, q V) V {
	return func(a Arithmetic, n, q V) V {
		return a.Do(op.Sub, a.Do(op.Add, a.Do(op.Mul, n, q), a.Do(op.Add, alpha, a.Do(op.Mul, q, 1-alpha-beta))), 1.0)
	}
}

// A quantileMethod says where, among n sorted elements counted from 0, the quantile q lies: at a
// position whose fraction says how much of the next element counts. R. J. Hyndman and Y. Fan,
// Sample quantiles in statistical packages, 1996, number nine of them.
type quantileMethod struct {
	position func(a Arithmetic, n, q V) V
	elements bool                             // it is a whole number: results are elements, of which none is new
	counts   func(a Arithmetic, fraction V) V // how much of the next element counts, if not the fraction
}

var quantileMethods = map[string]quantileMethod{
	"linear":  {position: Arithmetic.at}, // 7
	"lower":   {func(a Arithmetic, n, q V) V { return a.floor(a.at(n, q)) }, true, nil},
	"higher":  {func(a Arithmetic, n, q V) V { return a.ceil(a.at(n, q)) }, true, nil},
	"nearest": {func(a Arithmetic, n, q V) V { return a.Do(op.Round, a.at(n, q)) }, true, nil},
	"midpoint": {position: func(a Arithmetic, n, q V) V {
		at := a.at(n, q)
		return a.Do(op.Mul, 0.5, a.Do(op.Add, a.floor(at), a.ceil(at)))
	}},
	"inverted_cdf": {func(a Arithmetic, n, q V) V { return a.ceil(a.Do(op.Sub, a.Do(op.Mul, n, q), 1.0)) }, true, nil}, // 1
	"averaged_inverted_cdf": {func(a Arithmetic, n, q V) V { return a.Do(op.Sub, a.Do(op.Mul, n, q), 1.0) }, false, func(a Arithmetic, t V) V {
		return a.Do(op.Switch, a.Do(op.Eq, t, 0.0), 0.5, 1.0)
	}}, // 2
	"closest_observation":       {closest, true, nil},              // 3
	"interpolated_inverted_cdf": {position: hyndman(0, 1)},         // 4
	"hazen":                     {position: hyndman(0.5, 0.5)},     // 5
	"weibull":                   {position: hyndman(0, 0)},         // 6
	"median_unbiased":           {position: hyndman(1.0/3, 1.0/3)}, // 8
	"normal_unbiased":           {position: hyndman(3.0/8, 3.0/8)}, // 9
}

// closest is n·q - 3/2 where that is an even position, counted from 0 as NumPy does, and else the
// next.
func closest(a Arithmetic, n, q V) V {
	at := a.Do(op.Sub, a.Do(op.Mul, n, q), 1.5)
	low := a.floor(at)
	even := a.Do(op.And, a.Do(op.Eq, at, low), a.Do(op.Eq, a.Do(op.Mod, low, 2.0), 0.0))
	return a.Do(op.Switch, even, low, a.Do(op.Add, low, 1.0))
}

// sortedLanes are the elements along axes in order, as lines with one nan more at the end: what no
// other place says is there. n is how many elements a line has, int64: a scalar or, where nan are
// left out, an array of the lines with a last axis of length 1.
func sortedLanes(b *graph.Builder, x V, over Lanes) (sorted, n V, shape []V) {
	x, shape = lines(b, x, over.Axes)
	last := x.Type.Rank() - 1
	if !x.Type.DType.IsFloat() {
		x = double(b, x)
	}
	n = op.Lengths(b, x)[last]
	if over.SkipNaN {
		n = b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(last)}, b.Apply(op.Invert, b.Apply(op.IsNaN, x)))
		n = KeepAxes(b, n, tensor.AxesOf(last), last+1)
	}
	end := BroadcastTo(b, b.Like(x, math.NaN()), append(slices.Clone(shape), Int(b, 1)))
	return b.Apply(op.Sort{Axis: last}, b.Apply(op.Join{Axis: last}, x, end)), n, shape
}

// within are the elements at positions of sorted lanes: a vector of them that is the same for all,
// or of the lanes' rank.
func within(b *graph.Builder, sorted, at V) V {
	last := sorted.Type.Rank() - 1
	if at.Type.Rank() == 1 {
		return b.Apply(op.Take{Axis: last}, sorted, at)
	}
	z, err := TakeAlongAxis(b, sorted, at, &last)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return z
}

// limited is a position from 0 to n-1, int64.
func limited(b *graph.Builder, at, n V) V {
	return b.Apply(op.Maximum, b.Apply(op.Minimum, at, b.Apply(op.Sub, n, Int(b, 1))), Int(b, 0))
}

// spoiled is z, or nan in the lanes that have one.
func spoiled(b *graph.Builder, z, sorted, n V, over Lanes) V {
	if over.SkipNaN {
		return z
	}
	last := b.Apply(op.IsNaN, within(b, sorted, Permute(b, limited(b, n, n), []int{tensor.NewAxis})))
	return b.Apply(op.Switch, last, b.Like(z, math.NaN()), z)
}

// Quantile is the values below which fractions q of the elements along axes lie, as floats. The
// axes of q come first in the result.
func Quantile(b *graph.Builder, x, q V, method string, over Lanes) (V, error) {
	m, ok := quantileMethods[method]
	if !ok {
		return nil, fmt.Errorf("for parameter method: got %q, want linear, lower, higher, midpoint, nearest, or a method by its name in NumPy", method)
	}
	q, err := fraction(b, double(b, q))
	if err != nil {
		return nil, err
	}
	a, lead := Arithmetic{b}, op.Lengths(b, q)
	sorted, n, shape := sortedLanes(b, x, over)
	last := sorted.Type.Rank() - 1
	list := Ravel(b, q)
	if over.SkipNaN {
		list = Pad(b, list, last, true)
	}
	position := m.position(a, double(b, n), list)
	low := a.floor(position)
	from := Cast(b, low, kernels.Int64)
	z := double(b, within(b, sorted, limited(b, from, n)))
	if m.elements {
		z = spoiled(b, z, sorted, n, over)
	} else {
		next := double(b, within(b, sorted, limited(b, b.Apply(op.Add, from, Int(b, 1)), n)))
		z = spoiled(b, a.between(z, next, a.Do(op.Sub, position, low), m.counts), sorted, n, over)
	}
	to := kernels.Float64
	if d := x.Type.DType; m.elements || d == kernels.Float32 {
		to = d
	}
	z = Permute(b, Cast(b, z, to), slices.Insert(upTo(last), 0, last))
	if len(lead) != 1 {
		z = Reshape(b, z, slices.Concat(lead, shape))
	}
	return keepLanes(b, z, len(lead), over, x.Type.Rank()), nil
}

// between is the number a fraction t of the way from x to y, from the nearer of the two.
func (a Arithmetic) between(x, y, t V, counts func(a Arithmetic, t V) V) V {
	if counts != nil {
		t = counts(a, t)
	}
	d := a.Do(op.Sub, y, x)
	return a.Do(op.Switch, a.Do(op.Ge, t, 0.5), a.Do(op.Sub, y, a.Do(op.Mul, d, a.Do(op.Sub, 1.0, t))), a.Do(op.Add, x, a.Do(op.Mul, d, t)))
}

// fraction is q, whose elements are from 0 to 1: an error if it is known that they are not, or when
// they are computed.
func fraction(b *graph.Builder, q V) (V, error) {
	if q.IsConstant() {
		for _, p := range q.Data.Floats() {
			if !(p >= 0 && p <= 1) {
				return nil, fmt.Errorf("for parameter q: got the quantile %v, want 0 to 1, or percentages from 0 to 100", p)
			}
		}
		return q, nil
	}
	holds := b.Apply(op.And, b.Apply(op.Ge, q, b.Like(q, 0)), b.Apply(op.Le, q, b.Like(q, 1)))
	return checked(b, q, holds, "ValueError", "quantile: got q that is not from 0 to 1, or a percentage that is not from 0 to 100"), nil
}

// keepLanes gives z the lanes' axes back where they are to stay, behind lead axes.
func keepLanes(b *graph.Builder, z V, lead int, over Lanes, rank int) V {
	if !over.Keep {
		return z
	}
	pattern := upTo(lead)
	for _, axis := range op.Restore(over.Axes, rank) {
		if axis >= 0 {
			axis += lead
		}
		pattern = append(pattern, axis)
	}
	return Permute(b, z, pattern)
}

// upTo is 0, 1, ..., n-1.
func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Median is the middle elements along axes, or the means of the two, as floats.
func Median(b *graph.Builder, x V, over Lanes) V {
	sorted, n, _ := sortedLanes(b, x, over)
	last := sorted.Type.Rank() - 1
	if n.Type.Rank() == 0 {
		n = Permute(b, n, []int{tensor.NewAxis})
	}
	two := Int(b, 2)
	i, j := b.Apply(op.IntDiv, b.Apply(op.Sub, n, Int(b, 1)), two), b.Apply(op.IntDiv, n, two)
	low, high := double(b, within(b, sorted, limited(b, i, n))), double(b, within(b, sorted, limited(b, j, n)))
	mean := b.Apply(op.TrueDiv, b.Apply(op.Add, low, high), b.Like(low, 2))
	z := b.Apply(op.Switch, b.Apply(op.Eq, i, j), b.Apply(op.Add, low, b.Like(low, 0)), mean)
	if !over.SkipNaN {
		end := b.Apply(op.IsNaN, within(b, sorted, limited(b, n, n)))
		z = b.Apply(op.Switch, end, b.Like(z, math.NaN()), z)
	}
	return keepLanes(b, At(b, Cast(b, z, sorted.Type.DType), last, 0), 0, over, x.Type.Rank())
}

// double is x as float64, for what is computed in it whatever the type.
func double(b *graph.Builder, x V) V { return Cast(b, x, kernels.Float64) }
