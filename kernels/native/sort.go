//go:build cgo && !purego

package native

import (
	"runtime"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	ckernels "github.com/arignote/arignote/kernels/c"
)

func (s *set) Sort(k kernels.SortKey) (kernels.SortFunc, bool) {
	if k.In.IsBool() {
		return nil, false
	}
	order := ckernels.SortUnsigned
	switch {
	case k.In.IsFloat():
		order = ckernels.SortFloat
	case k.In.IsSigned():
		order = ckernels.SortSigned
	}
	r := s.tables().sorts[k.In.Size()]
	f := r.Keys
	if k.Positions {
		if f = r.Positions; order != ckernels.SortUnsigned {
			return nil, false
		}
	}
	if f == 0 {
		return nil, false
	}
	return func(n int, x, t, at, u unsafe.Pointer, stop kernels.Stop) (sorted, done bool) {
		args := ckernels.SortArgs{N: int64(n), Order: int64(order), X: address(x), T: address(t), At: address(at), U: address(u), Stop: address(unsafe.Pointer(stop))}
		end := ckernels.Sort(f, &args)
		runtime.KeepAlive(x)
		runtime.KeepAlive(t)
		runtime.KeepAlive(at)
		runtime.KeepAlive(u)
		runtime.KeepAlive(stop)
		return end == ckernels.SortDone, end != ckernels.SortStopped
	}, true
}
