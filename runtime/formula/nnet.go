package formula

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// zero is 0 of v's type.
func zero(b *graph.Builder, v V) V { return b.Like(v, 0) }

// scaled is c*v.
func scaled(b *graph.Builder, c float64, v V) V { return b.Apply(op.Mul, b.Like(v, c), v) }

// Relu is x where it is positive and slope*x elsewhere, without a slope max(x, 0). Its gradient at
// 0 is that of (x + |x|)/2, half of both sides': the factor that makes it so is 1 elsewhere, and
// multiplies a 0 there.
func Relu(b *graph.Builder, x, slope V) V {
	if slope == nil && !x.Type.DType.IsFloat() {
		return b.Apply(op.Maximum, x, zero(b, x))
	}
	at0 := b.Like(x, 0.5)
	half := func() V { return b.Apply(op.Switch, b.Apply(op.Eq, x, zero(b, x)), at0, b.Like(x, 1)) }
	if slope == nil {
		return b.Apply(op.Mul, b.Apply(op.Maximum, x, zero(b, x)), half())
	}
	at0 = b.Apply(op.Mul, at0, b.Apply(op.Add, b.Like(slope, 1), slope))
	return b.Apply(op.Mul, b.Apply(op.Switch, b.Apply(op.Ge, x, zero(b, x)), x, b.Apply(op.Mul, slope, x)), half())
}

// Elu is x where it is positive and slope*(exp(x)-1) elsewhere (Clevert, Unterthiner, Hochreiter
// 2015). The exponential is of min(x, 0), so that neither it nor its gradient overflows where it is
// not chosen.
func Elu(b *graph.Builder, x, slope V) V {
	below := b.Apply(op.Mul, slope, b.Apply(op.Expm1, b.Apply(op.Minimum, x, zero(b, x))))
	return b.Apply(op.Switch, b.Apply(op.Gt, x, zero(b, x)), x, below)
}

// The constants of Selu: with them a mean of 0 and a variance of 1 is a fixed point (Klambauer,
// Unterthiner, Mayr, Hochreiter 2017, equation 14).
const (
	seluAlpha = 1.6732632423543772848170429916717
	seluScale = 1.0507009873554804934193349852946
)

// Selu is the scaled Elu of self-normalizing networks.
func Selu(b *graph.Builder, x V) V {
	return scaled(b, seluScale, Elu(b, x, b.Like(x, seluAlpha)))
}

// Gelu is x*Phi(x), with the distribution function of the normal distribution (Hendrycks, Gimpel
// 2016); tanh says to approximate Phi with tanh, as their equation 2 does.
func Gelu(b *graph.Builder, x V, tanh bool) V {
	var inner V
	if tanh {
		cubed := b.Apply(op.Mul, x, b.Apply(op.Sqr, x))
		inner = b.Apply(op.Tanh, scaled(b, math.Sqrt(2/math.Pi), b.Apply(op.Add, x, scaled(b, 0.044715, cubed))))
	} else {
		inner = b.Apply(op.Erf, scaled(b, math.Sqrt2/2, x))
	}
	return b.Apply(op.Mul, scaled(b, 0.5, x), b.Apply(op.Add, b.Like(x, 1), inner))
}

// Swish is x*sigmoid(x).
func Swish(b *graph.Builder, x V) V { return b.Apply(op.Mul, x, b.Apply(op.Sigmoid, x)) }

// HardSigmoid is 0.2*x + 0.5, cut to [0, 1].
func HardSigmoid(b *graph.Builder, x V) V {
	line := b.Apply(op.Add, scaled(b, 0.2, x), b.Like(x, 0.5))
	return b.Apply(op.Minimum, b.Apply(op.Maximum, line, b.Like(x, 0)), b.Like(x, 1))
}

// UltraFastSigmoid is Theano's approximation of the sigmoid by three pieces, which is never more
// than 0.03 away from it.
func UltraFastSigmoid(b *graph.Builder, x V) V {
	half := scaled(b, 0.5, b.Apply(op.Abs, x))
	near := b.Apply(op.TrueDiv, scaled(b, 1.5, half), b.Apply(op.Add, b.Like(x, 1), half))
	middle := b.Apply(op.Add, b.Like(x, 0.935409070603099), scaled(b, 0.0458812946797165, b.Apply(op.Sub, half, b.Like(x, 1.7))))
	far := b.Like(x, 0.99505475368673)
	z := b.Apply(op.Switch, b.Apply(op.Lt, half, b.Like(x, 1.7)), near, b.Apply(op.Switch, b.Apply(op.Lt, half, b.Like(x, 3)), middle, far))
	z = b.Apply(op.Switch, b.Apply(op.Lt, x, zero(b, x)), b.Apply(op.Neg, z), z)
	return scaled(b, 0.5, b.Apply(op.Add, z, b.Like(x, 1)))
}

// Softmax is exp(x) / sum(exp(x)) along an axis, or its logarithm; of all elements if axis is nil.
func Softmax(b *graph.Builder, x V, axis *int, log bool) (V, error) {
	o, rank := op.Softmax{Log: log}, x.Type.Rank()
	if rank == 0 {
		return nil, fmt.Errorf("got a number, want at least a vector")
	}
	if axis == nil {
		return Reshape(b, b.Apply(o, Ravel(b, x)), op.Lengths(b, x)), nil
	}
	n, err := tensor.NormalizeAxis(*axis, rank)
	if err != nil {
		return nil, err
	}
	if n == rank-1 {
		return b.Apply(o, x), nil
	}
	if x, err = Variable(SwapAxes(Symbolic(b), x, n, rank-1)); err != nil {
		return nil, err
	}
	return Variable(SwapAxes(Symbolic(b), b.Apply(o, x), n, rank-1))
}

// BinaryCrossentropy is -(t*log(p) + (1-t)*log(1-p)), element by element.
func BinaryCrossentropy(b *graph.Builder, p, t V) V {
	hit := b.Apply(op.Mul, t, b.Apply(op.Log, p))
	miss := b.Apply(op.Mul, b.Apply(op.Sub, b.Like(t, 1), t), b.Apply(op.Log, b.Apply(op.Sub, b.Like(p, 1), p)))
	return b.Apply(op.Neg, b.Apply(op.Add, hit, miss))
}

// SigmoidBinaryCrossentropy is BinaryCrossentropy of p = sigmoid(x): t*softplus(-x) +
// (1-t)*softplus(x), which is exact where p is 0 or 1.
func SigmoidBinaryCrossentropy(b *graph.Builder, x, t V) V {
	hit := b.Apply(op.Mul, t, b.Apply(op.Softplus, b.Apply(op.Neg, x)))
	return b.Apply(op.Add, hit, b.Apply(op.Mul, b.Apply(op.Sub, b.Like(t, 1), t), b.Apply(op.Softplus, x)))
}

// CategoricalCrossentropy is -sum(t*log(p)) along the last axis or, where t are integers of one
// axis less, -log(p) at these labels.
func CategoricalCrossentropy(b *graph.Builder, p, t V) (V, error) {
	rank := p.Type.Rank()
	switch {
	case rank == 0:
		return nil, fmt.Errorf("coding_dist: got %v, want probabilities along the last axis", p.Type)
	case t.Type.Rank() == rank:
		terms := b.Apply(op.Mul, t, b.Apply(op.Log, p))
		return b.Apply(op.Neg, b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(rank - 1)}, terms)), nil
	case t.Type.Rank() == rank-1 && t.Type.DType.IsInteger():
		// The logarithm is of what is selected: that of an element that is not, 0 perhaps, has no
		// part in the gradient.
		return b.Apply(op.Neg, b.Apply(op.Log, AtLabels(b, p, Labels(b, t, op.Lengths(b, p)[rank-1])))), nil
	}
	return nil, fmt.Errorf("true_dist: got %v, want probabilities of %d dimensions, or integer labels of %d", t.Type, rank, rank-1)
}

// SoftmaxCrossentropy is -log(softmax(x)) at integer labels, and softmax(x). It is exact where the
// softmax underflows, and so is its gradient, with no rewrite.
func SoftmaxCrossentropy(b *graph.Builder, x, t V) ([]V, error) {
	rank := x.Type.Rank()
	if rank == 0 || t.Type.Rank() != rank-1 || !t.Type.DType.IsInteger() {
		return nil, fmt.Errorf("y_idx: got %v for %v, want integer labels of one dimension less", t.Type, x.Type)
	}
	logs := AtLabels(b, b.Apply(op.Softmax{Log: true}, x), Labels(b, t, op.Lengths(b, x)[rank-1]))
	return []V{b.Apply(op.Neg, logs), b.Apply(op.Softmax{}, x)}, nil
}

// Labels is t, which fails when it is computed unless all are of n classes.
func Labels(b *graph.Builder, t, n V) V {
	return b.Apply(op.CheckLabels{}, t, Cast(b, n, kernels.Int64))
}

// AtLabels is x[i, ..., labels[i, ...]]: of each vector along the last axis one element.
func AtLabels(b *graph.Builder, x, labels V) V {
	operands := []V{x}
	index := op.Subscripts("")
	for axis, n := range op.Lengths(b, x)[:labels.Type.Rank()] {
		order := make([]int, labels.Type.Rank())
		for i := range order {
			order[i] = tensor.NewAxis
		}
		order[axis] = 0
		operands = append(operands, Permute(b, UpTo(b, n), order))
		index += "v "
	}
	return b.Apply(op.AdvancedSubtensor{Index: index + "v"}, append(operands, labels)...)
}

// Normalized is (x - mean)*(gamma/std) + beta.
func Normalized(b *graph.Builder, x, gamma, beta, mean, std V) V {
	return b.Apply(op.Add, b.Apply(op.Mul, b.Apply(op.Sub, x, mean), b.Apply(op.TrueDiv, gamma, std)), beta)
}

// BatchNormalization normalizes x with its own mean and variance along axes (Ioffe, Szegedy 2015):
// y = (x - mean)*invstd*gamma + beta, where invstd is 1/sqrt(variance + epsilon). gamma and beta
// have the axes, with length 1, or lack them.
func BatchNormalization(b *graph.Builder, x, gamma, beta V, axes tensor.Axes, epsilon V) (y, mean, invstd, variance V, err error) {
	if gamma, err = alongOthers(b, gamma, x, axes, "gamma"); err != nil {
		return
	}
	if beta, err = alongOthers(b, beta, x, axes, "beta"); err != nil {
		return
	}
	rank := x.Type.Rank()
	mean = KeepAxes(b, op.Mean(b, x, axes), axes, rank)
	variance = KeepAxes(b, Variance(b, x, axes, 0), axes, rank)
	invstd = b.Apply(op.Reciprocal, b.Apply(op.Sqrt, b.Apply(op.Add, variance, Cast(b, epsilon, x.Type.DType))))
	y = b.Apply(op.Add, b.Apply(op.Mul, b.Apply(op.Sub, x, mean), b.Apply(op.Mul, invstd, gamma)), beta)
	return
}

// alongOthers gives a parameter that has one value for each position outside axes the axes, with
// length 1, unless it has them.
func alongOthers(b *graph.Builder, v, x V, axes tensor.Axes, name string) (V, error) {
	rank := x.Type.Rank()
	switch v.Type.Rank() {
	case rank:
		for _, axis := range axes.List() {
			if !v.Type.Broadcasts(axis) {
				if n := v.Type.Dim(axis); n != graph.Unknown {
					return nil, fmt.Errorf("%s: got length %d for axis %d, want 1", name, n, axis)
				}
				dims := v.Type.Dims()
				dims[axis] = 1
				v = b.Apply(op.SpecifyShape{Dims: op.DimsOf(graph.TypeOf(v.Type.DType, dims...))}, v)
			}
		}
		return v, nil
	case rank - len(axes.List()):
		return KeepAxes(b, v, axes, rank), nil
	}
	return nil, fmt.Errorf("%s: got %v, want %d dimensions, or the %d that are not averaged", name, v.Type, rank, rank-len(axes.List()))
}

// Inference is BatchNormalization with a mean and a variance that are given.
func Inference(b *graph.Builder, x, gamma, beta, mean, variance V, axes tensor.Axes, epsilon V) (V, error) {
	given := []struct {
		v    *V
		name string
	}{{&gamma, "gamma"}, {&beta, "beta"}, {&mean, "mean"}, {&variance, "var"}}
	for _, p := range given {
		var err error
		if *p.v, err = alongOthers(b, *p.v, x, axes, p.name); err != nil {
			return nil, err
		}
	}
	std := b.Apply(op.Sqrt, b.Apply(op.Add, variance, Cast(b, epsilon, x.Type.DType)))
	return Normalized(b, x, gamma, beta, mean, std), nil
}

// Running is the average of old and what came, (1-factor)*old + factor*new. A variance is corrected
// for the n elements that it is of: n/(n-1).
func Running(b *graph.Builder, old, came, factor V, x V, axes tensor.Axes, variance bool) V {
	d := x.Type.DType
	factor = Cast(b, factor, d)
	if variance {
		n := b.Apply(op.Cast(d), op.Count(b, x, axes))
		came = b.Apply(op.Mul, came, b.Apply(op.TrueDiv, n, b.Apply(op.Sub, n, b.Number(d, 1))))
	}
	kept := b.Apply(op.Mul, b.Apply(op.Sub, b.Number(d, 1), factor), old)
	return b.Apply(op.Add, kept, b.Apply(op.Mul, factor, came))
}

// HierarchicalSoftmax is a softmax in two steps, of classes and of the outputs within one (Goodman
// 2001): all probabilities [batch, outputs], or with targets those of the targets [batch]. x:
// [batch, features], w1: [features, classes], b1: [classes], w2: [classes, features, perClass], b2:
// [classes, perClass].
func HierarchicalSoftmax(b *graph.Builder, x, outputs, perClass, w1, b1, w2, b2, target V) (V, error) {
	logits, err := Pairing(Dot).Of(b, x, w1)
	if err != nil {
		return nil, err
	}
	classes := b.Apply(op.Softmax{}, b.Apply(op.Add, logits, Permute(b, b1, []int{tensor.NewAxis, 0})))
	n := op.Lengths(b, x)[0]
	if target == nil {
		all, err := TensorDot(Symbolic(b), x, w2, []int{1}, []int{1}) // [batch, classes, perClass]
		if err != nil {
			return nil, err
		}
		within := b.Apply(op.Softmax{}, b.Apply(op.Add, all.(V), Permute(b, b2, []int{tensor.NewAxis, 0, 1})))
		p := b.Apply(op.Mul, Permute(b, classes, []int{0, 1, tensor.NewAxis}), within)
		p = Reshape(b, p, []V{n, Int(b, -1)})
		return Slice(b, p, 1, nil, outputs, nil), nil
	}
	if target.Type.Rank() != 1 || !target.Type.DType.IsInteger() {
		return nil, fmt.Errorf("target: got %v, want a vector of integers", target.Type)
	}
	target = Cast(b, Labels(b, target, outputs), kernels.Int64)
	class := b.Apply(op.IntDiv, target, perClass)
	weights := b.Apply(op.Take{}, w2, class)
	activation, err := BatchedDot(b, x, weights)
	if err != nil {
		return nil, err
	}
	within := b.Apply(op.Softmax{}, b.Apply(op.Add, activation, b.Apply(op.Take{}, b2, class)))
	return b.Apply(op.Mul, AtLabels(b, classes, class), AtLabels(b, within, b.Apply(op.Mod, target, perClass))), nil
}
