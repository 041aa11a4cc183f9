//go:build cgo && !purego

package native

import (
	"runtime"
	"slices"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	ckernels "github.com/arignote/arignote/kernels/c"
	"github.com/arignote/arignote/kernels/parallel"
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
		end := 0
		if n >= fewSorted && parallel.Worth(kernels.NsPerSorted*float64(n)) {
			end = sortInParts(f, &args, uintptr(k.In.Size()), stop)
		} else {
			end = ckernels.Sort(f, &args)
		}
		runtime.KeepAlive(x)
		runtime.KeepAlive(t)
		runtime.KeepAlive(at)
		runtime.KeepAlive(u)
		runtime.KeepAlive(stop)
		return end == ckernels.SortDone, end != ckernels.SortStopped
	}, true
}

// A sort of so many elements is divided among threads if what it takes is worth it.
const (
	fewSorted = 1 << 14
	deals     = 5 // after which there are 1 << deals parts
)

// sortInParts does what one call does, on all threads: the keys are dealt out into two parts, each
// of these into two, and so on. The first deal is one thread's.
func sortInParts(f ckernels.Func, args *ckernels.SortArgs, size uintptr, stop kernels.Stop) (end int) {
	begin := *args
	begin.Part = ckernels.SortBegin
	if end = ckernels.Sort(f, &begin); end != ckernels.SortBegun {
		return end
	}
	var bounds, next [1<<deals + 1]int64
	var ends [1 << deals]int
	bounds[1] = args.N
	call := func(i int, part int64) ckernels.SortArgs {
		g, first := *args, uintptr(bounds[i])
		g.N, g.Part = bounds[i+1]-bounds[i], part
		g.X += first * size
		g.T += first * size
		if g.At != 0 {
			g.At += first * 8
			g.U += first * 8
		}
		ends[i] = ckernels.Sort(f, &g)
		return g
	}
	ns := kernels.NsPerSorted * float64(args.N)
	parts := 1
	for ; parts < 1<<deals; parts *= 2 {
		if !kernels.InChunks(parts, ns, stop, func(i int) bool {
			next[2*i], next[2*i+1] = bounds[i], bounds[i]+call(i, ckernels.SortDeal).Dealt
			return ends[i] == ckernels.SortDone
		}) {
			return ckernels.SortStopped
		}
		next[2*parts] = args.N
		bounds = next
	}
	if !kernels.InChunks(parts, ns, stop, func(i int) bool {
		call(i, ckernels.SortEnd)
		return ends[i] != ckernels.SortStopped
	}) {
		return ckernels.SortStopped
	}
	return slices.Max(ends[:]) // none was stopped: all are done, or one was given up
}
