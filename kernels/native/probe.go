//go:build cgo && !purego

package native

import (
	"unsafe"

	"github.com/arignote/arignote/kernels"
	ckernels "github.com/arignote/arignote/kernels/c"
)

var _ Prober = (*set)(nil)

func (s *set) Peak(d kernels.DType, rounds int) (flops float64) {
	p := s.tables().probes[d]
	ckernels.Peak(p.Peak, rounds)
	return float64(p.Flops) * float64(rounds)
}

func (s *set) Read(rounds int, x []float64) {
	ckernels.Read(s.tables().probes[kernels.Float64].Read, rounds, len(x), unsafe.Pointer(&x[0]))
}

func (s *set) Triad(rounds int, z, x, y []float64) {
	ckernels.Triad(s.tables().probes[kernels.Float64].Triad, rounds, len(z), unsafe.Pointer(&z[0]), unsafe.Pointer(&x[0]),
		unsafe.Pointer(&y[0]))
}

func (s *set) Stream(z, x []float64) {
	ckernels.Stream(unsafe.Pointer(&z[0]), unsafe.Pointer(&x[0]), 8*len(z))
}
