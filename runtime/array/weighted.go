package array

import (
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// fewWeights is how many weights one pass over a vector adds up more quickly than a product of its
// windows does.
const fewWeights = 100

// weighted is the sums of slide from first to end of floats and a few weights, term by term as
// NumPy adds them up.
func weighted(c Calculator, a, v *tensor.Dense, first, end int) (*tensor.Dense, error) {
	a, err := a.Reshape(a.Size()) // contiguous, as v is
	if err != nil {
		return nil, err
	}
	z := tensor.Empty(v.DType(), end-first)
	sums := weightedSums[float64]
	if v.DType() == kernels.Float32 {
		sums = weightedSums[float32]
	}
	if !sums(z, a, v, first, c.Stop) {
		return nil, op.ErrStopped
	}
	return z, nil
}

// weightedSums leaves the windows that are whole, of which there is one or more, to a kernel.
func weightedSums[E float32 | float64](zs, xs, vs *tensor.Dense, first int, stop kernels.Stop) bool {
	z, x, v := tensor.Elements[E](zs), tensor.Elements[E](xs), tensor.Elements[E](vs)
	from, to := max(len(v)-1, first), min(len(x), first+len(z))
	endSums(z[:from-first], x, v, first)
	endSums(z[to-first:], x, v, to)
	run, _ := tensor.Movement.Correlate(zs.DType())
	return run(to-from, len(v), unsafe.Pointer(&z[from-first]), unsafe.Pointer(&x[from-len(v)+1]), unsafe.Pointer(&v[0]), stop)
}

// endSums writes to z the sums from first on, of windows that may reach beyond x: of the elements
// that they have.
func endSums[E float32 | float64](z, x, v []E, first int) {
	for i := range z {
		begin := first + i - len(v) + 1 // of the window
		from, to := max(0, begin), min(len(x), begin+len(v))
		line, sum := x[from:to], E(0)
		for j, w := range v[from-begin:][:len(line)] {
			sum += E(line[j] * w) // rounded twice, as NumPy's
		}
		z[i] = sum
	}
}
