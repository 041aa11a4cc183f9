//go:build cgo && !purego

package native

import (
	"sync"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	ckernels "github.com/arignote/arignote/kernels/c"
)

const (
	// grain is the number of elements of a chunk of a reduction.
	grain = 1 << 16
	// maxPartial is the most columns of which each chunk has a partial result.
	maxPartial = grain / 16
	// minColumns of a chunk are read together, and columnStep is a whole number of lines of every
	// type.
	minColumns, columnStep = 256, 64
	// nsPerByte of reductions.
	nsPerByte = 0.0125
)

// reduction is a kernel for some type. A large reduction is always done in the same chunks, so that
// the result does not depend on the number of threads.
type reduction struct {
	fn, part, last ckernels.Func // part folds the elements of a chunk, and last what the chunks have left
	size, value    int           // bytes of an element, and of what part leaves
	out            int           // and of a result
	locates        bool
	account        kernels.Account
}

func (s *set) Reduce(k kernels.ReduceKey) (kernels.ReduceFunc, bool) {
	t := s.tables()
	f, ok := t.reductions[k]
	part, _, last := k.Parts()
	r := reduction{
		fn: f, part: t.reductions[part], last: t.reductions[last], size: k.In.Size(), value: part.Out().Size(), out: k.Out().Size(),
		locates: k.Op == "argmax" || k.Op == "argmin", account: s.account,
	}
	return func(outer, n, inner int, dst, src unsafe.Pointer, stop kernels.Stop) bool {
		if outer*n*inner < 2*grain {
			return ckernels.Reduce(f, outer, n, inner, inner, dst, src, stop)
		}
		return r.chunks(outer, n, inner, dst, src, stop)
	}, ok
}

func (r reduction) chunks(outer, n, inner int, dst, src unsafe.Pointer, stop kernels.Stop) bool {
	ns := nsPerByte * float64(outer*n*inner*max(r.size, 4))
	switch {
	case n*inner <= grain:
		per := grain / (n * inner)
		return kernels.InChunks(ceil(outer, per), ns, stop, func(i int) bool {
			o := i * per
			return ckernels.Reduce(r.fn, min(per, outer-o), n, inner, inner, unsafe.Add(dst, o*inner*r.out),
				unsafe.Add(src, o*n*inner*r.size), stop)
		})
	case inner > maxPartial, r.locates && inner > 1:
		return r.columns(outer, n, inner, ns, dst, src, stop)
	}
	per := grain / inner
	parts := ceil(n, per)
	scratch := partials.Get().(*[]uint64)
	defer partials.Put(scratch)
	if need := 2 * outer * parts * inner; len(*scratch) < need {
		*scratch = make([]uint64, need)
	}
	r.account.Add(8 * len(*scratch))
	defer r.account.Add(-8 * len(*scratch))
	part := unsafe.Pointer(&(*scratch)[0])
	done := kernels.InChunks(outer*parts, ns, stop, func(i int) bool {
		o, first := i/parts, i%parts*per
		return ckernels.Reduce(r.part, 1, min(per, n-first), inner, inner, unsafe.Add(part, i*inner*r.value),
			unsafe.Add(src, (o*n+first)*inner*r.size), stop)
	})
	switch {
	case !done:
		return false
	case r.locates:
		return r.locate(outer, n, parts, per, dst, src, *scratch, stop)
	}
	return ckernels.Reduce(r.last, outer, parts, inner, inner, dst, part, stop)
}

// partials hold the results of chunks.
var partials = sync.Pool{New: func() any { return new([]uint64) }}

// columns divides the columns into chunks.
func (r reduction) columns(outer, n, inner int, ns float64, dst, src unsafe.Pointer, stop kernels.Stop) bool {
	width := max(minColumns, grain/n/columnStep*columnStep)
	across := ceil(inner, width)
	return kernels.InChunks(outer*across, ns, stop, func(i int) bool {
		o, first := i/across, i%across*width
		return ckernels.Reduce(r.fn, 1, n, min(width, inner-first), inner, unsafe.Add(dst, (o*inner+first)*r.out),
			unsafe.Add(src, (o*n*inner+first)*r.size), stop)
	})
}

// locate finds the position in each row, of parts chunks of per elements, from the positions in the
// chunks, the first half of scratch: the extremum is one of the elements there.
func (r reduction) locate(outer, n, parts, per int, dst, src unsafe.Pointer, scratch []uint64, stop kernels.Stop) bool {
	at := scratch[:outer*parts]
	best := unsafe.Pointer(&scratch[outer*parts])
	for i, k := range at {
		from := unsafe.Add(src, (i/parts*n+i%parts*per+int(k))*r.size)
		copy(unsafe.Slice((*byte)(unsafe.Add(best, i*r.size)), r.size), unsafe.Slice((*byte)(from), r.size))
	}
	if !ckernels.Reduce(r.fn, outer, parts, 1, 1, dst, best, stop) {
		return false
	}
	for o, part := range unsafe.Slice((*int64)(dst), outer) {
		unsafe.Slice((*int64)(dst), outer)[o] = part*int64(per) + int64(at[o*parts+int(part)])
	}
	return true
}

const (
	// rowsGrain is the number of elements of a chunk of rows, and rowsStep a whole number of the
	// batches that short rows are in.
	rowsGrain, rowsStep = 1 << 13, 64
	// nsPerExp is about what an element of a row costs.
	nsPerExp = 1
)

// inRows does each(first, n) for chunks of rows.
func inRows(rows, cols int, stop kernels.Stop, each func(first, n int) bool) bool {
	per := max(1, rowsGrain/max(cols, 1))
	if per > rowsStep {
		per -= per % rowsStep
	}
	return kernels.InChunks(ceil(rows, per), nsPerExp*float64(rows)*float64(cols), stop, func(i int) bool {
		return each(i*per, min(per, rows-i*per))
	})
}

func (s *set) Rows(k kernels.RowsKey) (kernels.RowsFunc, bool) {
	f, ok := s.tables().rows[k]
	size := k.In.Size()
	return func(rows, cols int, dst, src unsafe.Pointer, stop kernels.Stop) bool {
		if rows*cols <= rowsGrain {
			return ckernels.Rows(f, rows, cols, dst, src, stop)
		}
		return inRows(rows, cols, stop, func(i, n int) bool {
			return ckernels.Rows(f, n, cols, unsafe.Add(dst, i*cols*size), unsafe.Add(src, i*cols*size), stop)
		})
	}, ok
}

func (s *set) LogSoftmaxAt(d kernels.DType) (kernels.LogSoftmaxAtFunc, bool) {
	f, ok := s.tables().labelled[d]
	size := d.Size()
	return func(rows, cols int, logp, x unsafe.Pointer, labels []int64, z kernels.LogSoftmaxOut, stop kernels.Stop) (bad int, done bool) {
		if bad = kernels.BadLabel(labels, cols); bad >= 0 {
			return bad, true
		}
		if rows*cols <= rowsGrain {
			return -1, ckernels.LogSoftmaxAt(f, rows, cols, logp, z.To, x, unsafe.SliceData(labels), z.By, z.Step, stop)
		}
		return -1, inRows(rows, cols, stop, func(i, n int) bool {
			z := z.From(i, cols*size)
			return ckernels.LogSoftmaxAt(f, n, cols, unsafe.Add(logp, i*size), z.To, unsafe.Add(x, i*cols*size), &labels[i], z.By, z.Step, stop)
		})
	}, ok
}
