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
	z, weights := tensor.Empty(d, end-first), v.Floats()
	if n*k <= quickProducts {
		endSums(z, a, weights, first)
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
			term, _ := f.Add(op.Mul, d, j, k+j)
			sum, _ = f.Add(op.Add, d, sum, term)
		}
		return f
	})
	if err := sum.Into(Along(z, 0, lo-first, hi-first), c.Stop, in); err != nil {
		return nil, err
	}
	edge := min(n, k)
	endSums(Along(z, 0, 0, lo-first), Along(a, 0, 0, edge), weights, first)
	endSums(Along(z, 0, hi-first, end-first), Along(a, 0, n-edge, n), weights, hi-n+edge)
	return z, nil
}

// endSums writes to z the sums from first on, of windows that may reach beyond x: of the elements that they have.
func endSums(z, x *tensor.Dense, weights []float64, first int) {
	if z.Size() == 0 {
		return
	}
	round := func(x float64) float64 { return x } // and no multiplication is joined with an addition
	if z.DType() == kernels.Float32 {             // a float64 holds the product of two exactly, and their sum well enough to be rounded to what float32 gives
		round = func(x float64) float64 { return float64(float32(x)) }
	}
	elements, sums := x.Floats(), make([]float64, z.Size())
	for i := range sums {
		begin, sum := first+i-len(weights)+1, 0.0 // of the window
		from, to := max(0, begin), min(len(elements), begin+len(weights))
		for j, w := range weights[from-begin : to-begin] {
			sum = round(sum + round(elements[from+j]*w))
		}
		sums[i] = sum
	}
	tensor.CopyTo(z, tensor.From(sums, len(sums)))
}
