package array

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// fewWeights is how many weights one pass over a vector adds up more quickly than a product of its windows does.
const fewWeights = 16

// quickProducts is how many products are computed while a kernel and its operands are put together.
const quickProducts = 1 << 11

// A weightedSum names a function: the sum of so many vectors times numbers, in a type.
type weightedSum struct {
	d     kernels.DType
	terms int
}

// weighted is the sums of slide from first to end of floats and a few weights, term by term as NumPy adds them up. Where windows are whole the terms are
// views of a times numbers.
func weighted(c Calculator, a, v *tensor.Dense, first, end int) (*tensor.Dense, error) {
	n, k, d := a.Size(), v.Size(), v.DType()
	a, err := a.Reshape(n) // contiguous, as v is
	if err != nil {
		return nil, err
	}
	atEnd := endSums[float64]
	if d == kernels.Float32 {
		atEnd = endSums[float32]
	}
	z := tensor.Empty(d, end-first)
	if n*k <= quickProducts {
		atEnd(z, a, v, first)
		return z, nil
	}
	lo, hi := max(first, k-1), min(end, n)
	in := make([]*tensor.Dense, 2*k+1)
	for j := range k {
		in[j] = Along(a, 0, lo-k+1+j, hi-k+1+j)
		in[k+j] = v.View(d, nil, nil, v.Offset()+j*v.Strides()[0])
	}
	in[2*k] = tensor.Scalar(d, 0)
	sum := c.Evaluator.FusedOf(weightedSum{d, k}, func() op.Fuser {
		f := op.NewFuser(slices.Repeat([]kernels.DType{d}, 2*k+1))
		sum := 2 * k // it begins with 0: that of -0.0 is 0
		for j := range k {
			term := f.Add(op.Mul, d, j, k+j)
			sum = f.Add(op.Add, d, sum, term)
		}
		return f
	})
	if err := sum.Into(Along(z, 0, lo-first, hi-first), c.Stop, in); err != nil {
		return nil, err
	}
	edge := min(n, k)
	atEnd(Along(z, 0, 0, lo-first), Along(a, 0, 0, edge), v, first)
	atEnd(Along(z, 0, hi-first, end-first), Along(a, 0, n-edge, n), v, hi-n+edge)
	return z, nil
}

// endSums writes to z the sums from first on, of windows that may reach beyond x: of the elements that they have. Both are contiguous.
func endSums[E float32 | float64](z, x, v *tensor.Dense, first int) {
	sums, elements, weights := tensor.Elements[E](z), tensor.Elements[E](x), tensor.Elements[E](v)
	for i := range sums {
		begin := first + i - len(weights) + 1 // of the window
		from, to := max(0, begin), min(len(elements), begin+len(weights))
		line, sum := elements[from:to], E(0)
		for j, w := range weights[from-begin:][:len(line)] {
			sum += E(line[j] * w) // rounded twice, as NumPy's
		}
		sums[i] = sum
	}
}
