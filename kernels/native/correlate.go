//go:build cgo && !purego

package native

import (
	"unsafe"

	"github.com/arignote/arignote/kernels"
	ckernels "github.com/arignote/arignote/kernels/c"
)

// productsAtOnce is how many products of a correlation are a chunk, and productNs about what one
// takes.
const (
	productsAtOnce = 1 << 18
	productNs      = 0.05
)

func (s *set) Correlate(d kernels.DType) (kernels.CorrelateFunc, bool) {
	f, ok := s.tables().correlations[d]
	size := d.Size()
	return func(n, k int, dst, src, weights unsafe.Pointer, stop kernels.Stop) bool {
		per := max(1, productsAtOnce/max(k, 1))
		if n <= per {
			ckernels.Correlate(f, n, k, dst, src, weights)
			return true
		}
		return kernels.InChunks(ceil(n, per), productNs*float64(n)*float64(k), stop, func(i int) bool {
			at := i * per
			ckernels.Correlate(f, min(per, n-at), k, unsafe.Add(dst, at*size), unsafe.Add(src, at*size), weights)
			return true
		})
	}, ok
}
