//go:build cgo && !purego

package native

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	ckernels "github.com/arignote/arignote/kernels/c"
)

const (
	// copyBytes is the size of a chunk of a copy; less is not divided.
	copyBytes = 1 << 18
	// copyNsPerByte is about what copies cost, and takeNs a row that is taken from somewhere.
	copyNsPerByte, takeNs = 0.05, 1
)

func (s *set) Copy(size int) (kernels.CopyFunc, bool) {
	m, ok := s.tables().moves[size]
	return func(shape []int, dst, src kernels.Operand, stop kernels.Stop) bool {
		l := kernels.NewLattice(shape, dst, src, size)
		bytes := l.Len() * size
		switch {
		case bytes == 0:
			return true
		case bytes > copyBytes:
			return copyChunks(m.Copy, &l, bytes, stop)
		case l.Contiguous(size):
			copy(unsafe.Slice((*byte)(l.Dst), bytes), unsafe.Slice((*byte)(l.Src), bytes))
			return true
		}
		return copyPart(m.Copy, &l, 0, 0, l.Axes[0].N, stop)
	}, ok
}

// copyChunks divides the longest axis.
func copyChunks(f ckernels.Func, l *kernels.Lattice, bytes int, stop kernels.Stop) bool {
	longest := 0
	for k, axis := range l.Axes[:l.NDim] {
		if axis.N > l.Axes[longest].N {
			longest = k
		}
	}
	n := l.Axes[longest].N
	per := max(1, copyBytes/(bytes/n))
	if per > columnStep {
		per -= per % columnStep
	}
	whole := *l // on the heap, but only here
	return kernels.InChunks(ceil(n, per), copyNsPerByte*float64(bytes), stop, func(i int) bool {
		return copyPart(f, &whole, longest, i*per, min(per, n-i*per), stop)
	})
}

// copyPart copies positions [first, first+n) of an axis.
func copyPart(f ckernels.Func, l *kernels.Lattice, axis, first, n int, stop kernels.Stop) bool {
	args := ckernels.CopyArgs{
		NDim: int64(l.NDim), Stop: address(unsafe.Pointer(stop)),
		Z: address(unsafe.Add(l.Dst, first*l.Axes[axis].Dst)), X: address(unsafe.Add(l.Src, first*l.Axes[axis].Src)),
	}
	for k, a := range l.Axes[:l.NDim] {
		args.Axes[k] = ckernels.CopyAxis{N: int64(a.N), Z: int64(a.Dst), X: int64(a.Src)}
	}
	args.Axes[axis].N = int64(n)
	done := ckernels.Copy(f, &args)
	runtime.KeepAlive(l.Dst)
	runtime.KeepAlive(l.Src)
	runtime.KeepAlive(stop)
	return done
}

func (s *set) Take(size int) (kernels.TakeFunc, bool) {
	m, ok := s.tables().moves[size]
	return func(outer, n, inner int, dst, src unsafe.Pointer, index []int64, stop kernels.Stop) (bad int, done bool) {
		row := inner * size
		switch ns := float64(outer*len(index)) * (takeNs + copyNsPerByte*float64(row)); {
		case outer*len(index)*row <= copyBytes:
			return take(m.Take, outer, n, inner, dst, src, index, stop)
		case outer == 1:
			return takeRows(m.Take, n, inner, row, ns, dst, src, index, stop)
		default:
			return inOuter(m.Take, outer, n, inner, len(index)*row, n*row, ns, dst, src, index, stop)
		}
	}, ok
}

func (s *set) Put(k kernels.PutKey) (kernels.PutFunc, bool) {
	t := s.tables()
	f, ok := t.accumulations[k.In]
	size := k.In.Size()
	if k.Op == "set" {
		f, ok = t.moves[size].Put, true
	} else if k.Op != "add" {
		return nil, false
	}
	return func(outer, n, inner int, dst, src unsafe.Pointer, index []int64, stop kernels.Stop) (bad int, done bool) {
		row := inner * size
		if outer == 1 || outer*len(index)*row <= copyBytes { // in order
			return take(f, outer, n, inner, dst, src, index, stop)
		}
		ns := float64(outer*len(index)) * (takeNs + copyNsPerByte*float64(row))
		return inOuter(f, outer, n, inner, n*row, len(index)*row, ns, dst, src, index, stop)
	}, ok
}

func take(f ckernels.Func, outer, n, inner int, dst, src unsafe.Pointer, index []int64, stop kernels.Stop) (bad int, done bool) {
	args := ckernels.TakeArgs{
		Outer: int64(outer), N: int64(n), K: int64(len(index)), Inner: int64(inner),
		Z: address(dst), X: address(src), Index: table(index), Stop: address(unsafe.Pointer(stop)),
	}
	bad = ckernels.Take(f, &args)
	runtime.KeepAlive(dst)
	runtime.KeepAlive(src)
	runtime.KeepAlive(index)
	runtime.KeepAlive(stop)
	switch bad {
	case ckernels.TakeStopped:
		return -1, false
	case ckernels.TakeDone:
		return -1, true
	}
	return bad, true
}

// takeRows divides the positions. A chunk with a bad one does not keep those before it from finding
// theirs.
func takeRows(f ckernels.Func, n, inner, row int, ns float64, dst, src unsafe.Pointer, index []int64,
	stop kernels.Stop) (bad int, done bool) {
	k := len(index)
	per := max(1, copyBytes/row)
	var first atomic.Int64
	first.Store(int64(k))
	done = kernels.InChunks(ceil(k, per), ns, stop, func(i int) bool {
		from := i * per
		bad, done := take(f, 1, n, inner, unsafe.Add(dst, from*row), src, index[from:min(from+per, k)], stop)
		if bad >= 0 {
			for at := first.Load(); int64(from+bad) < at && !first.CompareAndSwap(at, int64(from+bad)); {
				at = first.Load()
			}
		}
		return done
	})
	if at := first.Load(); done && at < int64(k) {
		return int(at), true
	}
	return -1, done
}

// inOuter divides the outer axis, of zRow and xRow bytes.
func inOuter(f ckernels.Func, outer, n, inner, zRow, xRow int, ns float64, dst, src unsafe.Pointer,
	index []int64, stop kernels.Stop) (bad int, done bool) {
	per := max(1, copyBytes/max(zRow, xRow))
	var found atomic.Int64 // one more than bad: all chunks find the same
	done = kernels.InChunks(ceil(outer, per), ns, stop, func(i int) bool {
		o := i * per
		bad, done := take(f, min(per, outer-o), n, inner, unsafe.Add(dst, o*zRow), unsafe.Add(src, o*xRow), index, stop)
		found.Store(int64(bad + 1))
		return done && bad < 0
	})
	if at := found.Load(); at > 0 {
		return int(at - 1), true
	}
	return -1, done
}

// minNonZero is how many bytes of a mask take longer than the way to C.
const minNonZero = 64

func (s *set) NonZero() kernels.NonZeroFunc {
	f, inGo := s.tables().nonZero, kernels.GoSet.NonZero()
	return func(at []int64, mask []uint8, first, step int64) int {
		if len(mask) < minNonZero {
			return inGo(at, mask, first, step)
		}
		args := ckernels.NonZeroArgs{
			N: int64(len(mask)), Count: int64(len(at)), First: first, Step: step,
			At: table(at), Mask: table(mask), Ones: address(unsafe.Pointer(&kernels.OnesOf)),
		}
		n := ckernels.NonZero(f, &args)
		runtime.KeepAlive(at)
		runtime.KeepAlive(mask)
		return n
	}
}
