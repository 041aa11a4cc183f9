package kernels

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/arignote/arignote/kernels/parallel"
)

const (
	// tileElements are those that a program with Leading computes at a time: enough that the calls
	// cost little, few enough that they are in the cache when they are reduced.
	tileElements = 1 << 14
	// stripElements is the width of a tile of long rows: of so few columns a tile has enough rows
	// for the partial results to be small.
	stripElements = 512
)

// A leading runs a program whose outputs reduce over the first axes, by tiles of whole rows or of
// strips of them. A tile is computed into scratch memory by the same program without reductions,
// and reduced there; what the tiles of the same columns leave is reduced in the end. Tiles follow
// from the shapes alone, so that results do not depend on the number of threads, and a sum of them
// is pairwise.
type leading struct {
	set     Set
	account Account
	axes    int // that are reduced
	program *Program
	folds   []*Folding // of each output, nil for one that is stored
	sizes   []int      // of their elements
	ns      float64    // of an element
	workers [parallel.Most]*tiler
	partial [][]uint64 // what tiles leave, for each output

	// Of a run:
	lead, kept []int // lengths of axes
	out, in    []Operand
	inner      int // elements of what is kept
	rows, cols int // of a tile
	slabs      int // tiles one below the other
	strips     int // tiles side by side
	group      int // strips of so many neighbours on the last axis but one are one tile, where one of them would be small
	stop       Stop
	stopped    atomic.Bool
}

// A tiler is what a thread has of its own.
type tiler struct {
	run     ElemwiseFunc
	scratch [][]uint64 // for each output
	strides [][]int    // of these
	shape   []int      // of the tile before
	out, in []Operand
}

// Leading makes, of kernels of s, the kernel of a program that has Leading.
func Leading(p *Program, s Set, account Account) (ElemwiseFunc, bool) {
	l := &leading{set: s, account: account, axes: p.Leading, program: &Program{Inputs: p.Inputs, Instrs: p.Instrs}}
	n := len(p.Outputs)
	l.folds, l.sizes, l.partial = make([]*Folding, n), make([]int, n), make([][]uint64, n)
	types := slices.Clone(p.Inputs)
	for _, in := range p.Instrs {
		types = append(types, in.Out)
	}
	l.ns = nanoseconds(p, types, s.ISA())
	for k, o := range p.Outputs {
		if l.sizes[k] = types[o.Reg].Size(); o.Reduce != "" {
			f, ok := ReduceKey{Op: o.Reduce, In: types[o.Reg]}.Folding(s.Reduce)
			if !ok || !CanReduce(o.Reduce, types[o.Reg]) {
				return nil, false
			}
			l.folds[k] = &f
		}
		l.program.Outputs = append(l.program.Outputs, Output{Reg: o.Reg})
	}
	l.workers[0] = l.tiler()
	return l.call, l.workers[0].run != nil
}

func (l *leading) tiler() *tiler {
	run, _ := l.set.Elemwise(l.program)
	return &tiler{run: run, scratch: make([][]uint64, len(l.folds)), strides: make([][]int, len(l.folds)), out: make([]Operand, len(l.folds)), in: make([]Operand, len(l.program.Inputs))}
}

func (l *leading) call(shape []int, out, in []Operand, stop Stop) bool {
	if slices.Contains(shape, 0) {
		return true
	}
	if elements(shape) <= tileElements {
		return l.single(shape, out, in, stop)
	}
	l.bind(shape, out, in)
	l.stop = stop
	l.stopped.Store(false)
	if chunks := l.slabs * l.strips; chunks > 1 && parallel.Worth(float64(elements(shape))*l.ns) {
		parallel.For(chunks, l)
	} else {
		for i := range chunks {
			l.Chunk(0, i)
		}
	}
	done := !l.stopped.Load()
	for k, fold := range l.folds {
		if done && fold != nil && l.slabs > 1 {
			done = fold.Last(1, l.slabs, l.inner, out[k].Data, unsafe.Pointer(unsafe.SliceData(l.partial[k])), stop)
		}
	}
	l.stop, l.out, l.in = nil, nil, nil
	for _, w := range l.workers {
		if w != nil {
			clear(w.out)
			clear(w.in)
		}
	}
	return done
}

// single does a run of one tile, as it is.
func (l *leading) single(shape []int, out, in []Operand, stop Stop) bool {
	w := l.workers[0]
	w.fits(l, shape)
	for k, o := range out {
		if l.folds[k] == nil {
			w.out[k] = o
		}
	}
	done := w.run(shape, w.out, in, stop)
	rows, cols := elements(shape[:l.axes]), elements(shape[l.axes:])
	for k, fold := range l.folds {
		if fold != nil {
			done = done && fold.Whole(1, rows, cols, out[k].Data, w.out[k].Data, stop)
		}
	}
	clear(w.out)
	return done
}

// fits makes scratch memory for a tile of that shape the outputs that reduce.
func (w *tiler) fits(l *leading, shape []int) {
	same := slices.Equal(shape, w.shape)
	w.shape = append(w.shape[:0], shape...)
	for k, fold := range l.folds {
		if fold == nil {
			continue
		}
		if !same || w.strides[k] == nil {
			w.scratch[k] = l.grow(w.scratch[k], elements(shape)*l.sizes[k])
			w.strides[k] = contiguous(shape, l.sizes[k])
		}
		w.out[k] = Operand{Data: unsafe.Pointer(unsafe.SliceData(w.scratch[k])), Strides: w.strides[k]}
	}
}

// bind cuts a run into tiles.
func (l *leading) bind(shape []int, out, in []Operand) {
	l.out, l.in = slices.Clone(out), slices.Clone(in)
	l.lead, l.kept = slices.Clone(shape[:l.axes]), slices.Clone(shape[l.axes:])
	if len(l.kept) == 0 { // a single column
		l.kept = []int{1}
		for _, list := range [][]Operand{l.out, l.in} {
			for k := range list {
				list[k].Strides = append(slices.Clone(list[k].Strides), 0)
			}
		}
	}
	l.lead = l.merge(l.lead, 0)
	l.kept = l.merge(l.kept, len(l.lead))
	l.inner = elements(l.kept)
	last := l.kept[len(l.kept)-1]
	l.cols, l.strips = l.inner, 1
	bottom := l.lead[len(l.lead)-1]
	if l.inner > 2*stripElements || l.apart() {
		l.cols = min(max(stripElements, tileElements/bottom), last)
		l.strips = l.inner / last * ceil(last, l.cols)
	}
	l.rows = min(bottom, max(1, tileElements/l.cols))
	l.slabs = elements(l.lead) / bottom * ceil(bottom, l.rows)
	l.group = 1
	if n := len(l.kept); n > 1 && l.strips > 1 && l.slabs == 1 && l.cols == last {
		l.group = max(1, min(l.kept[n-2], tileElements/(l.rows*last)))
		l.strips = elements(l.kept[:n-2]) * ceil(l.kept[n-2], l.group)
	}
	for k, fold := range l.folds {
		if fold != nil && l.slabs > 1 {
			l.partial[k] = l.grow(l.partial[k], l.slabs*l.inner*fold.Bytes)
		}
	}
}

// apart reports whether what is kept of a row does not lie together in memory: the axis that is
// reduced lies between.
func (l *leading) apart() bool {
	bottom := len(l.lead) - 1
	return len(l.kept) > 1 && slices.ContainsFunc(l.in, func(o Operand) bool { return o.Strides[bottom+len(l.kept)-1] > o.Strides[bottom] })
}

// grow is memory of so many bytes, that of a if it is enough.
func (l *leading) grow(a []uint64, bytes int) []uint64 {
	words := ceil(bytes, 8)
	if len(a) < words {
		l.account.Add(8 * (words - len(a)))
		a = make([]uint64, words)
	}
	return a
}

// merge makes one axis of neighbours that no operand tells apart; the axes begin at axis first of
// the operands.
func (l *leading) merge(axes []int, first int) []int {
	for i := len(axes) - 2; i >= 0; i-- {
		one := func(o Operand) bool { return o.Strides[first+i] == o.Strides[first+i+1]*axes[i+1] || axes[i] == 1 }
		if !every(l.in, one) || !l.everyStored(one) {
			continue
		}
		for _, list := range [][]Operand{l.out, l.in} {
			for k := range list {
				s := list[k].Strides
				list[k].Strides = slices.Concat(s[:first+i], s[first+i+1:])
			}
		}
		axes[i+1] *= axes[i]
		axes = slices.Delete(axes, i, i+1)
	}
	return axes
}

func every(list []Operand, is func(Operand) bool) bool {
	return !slices.ContainsFunc(list, func(o Operand) bool { return !is(o) })
}

// everyStored is every for the outputs that do not reduce: of the others the strides do not matter.
func (l *leading) everyStored(is func(Operand) bool) bool {
	for k, o := range l.out {
		if l.folds[k] == nil && !is(o) {
			return false
		}
	}
	return true
}

// Chunk does tile i.
func (l *leading) Chunk(worker, i int) {
	if l.stopped.Load() {
		return
	}
	w := l.workers[worker]
	if w == nil {
		w = l.tiler()
		l.workers[worker] = w
	}
	t := l.tile(i)
	for k, o := range l.in {
		w.in[k] = t.part(o)
	}
	w.fits(l, t.shape)
	for k, o := range l.out {
		if l.folds[k] == nil {
			w.out[k] = t.part(o)
		}
	}
	done := w.run(t.shape, w.out, w.in, l.stop)
	for k, fold := range l.folds {
		if fold == nil || !done {
			continue
		}
		if l.slabs == 1 {
			done = fold.Whole(t.stack, t.rows, t.cols, unsafe.Add(l.out[k].Data, t.column*l.sizes[k]), w.out[k].Data, l.stop)
			continue
		}
		z := unsafe.Add(unsafe.Pointer(unsafe.SliceData(l.partial[k])), (i/l.strips*l.inner+t.column)*fold.Bytes)
		done = fold.Part(t.stack, t.rows, t.cols, z, w.out[k].Data, l.stop)
	}
	if !done || Stopped(l.stop) {
		l.stopped.Store(true)
	}
}

// A tile is a part of a run: [stack, rows, cols] elements, of which the rows are reduced.
type tile struct {
	at                []int // where it begins, on the leading axes and on as many others as matter
	axes, shape       []int // which axes of the operands it has, and its lengths along them
	stack, rows, cols int
	column            int // where its first element is in what is kept
}

// tile is that of number i.
func (l *leading) tile(i int) tile {
	slab, strip := i/l.strips, i%l.strips
	n, last, bottom := len(l.kept), l.kept[len(l.kept)-1], l.lead[len(l.lead)-1]
	per := ceil(bottom, l.rows)
	first := slab % per * l.rows
	t := tile{stack: 1, rows: min(l.rows, bottom-first), cols: l.inner}
	t.at = append(positionOn(make([]int, 0, len(l.lead)+n), slab/per, l.lead[:len(l.lead)-1]), first)
	row := len(l.lead) - 1
	switch {
	case l.strips == 1:
		t.axes, t.shape = []int{row}, append([]int{t.rows}, l.kept...)
		for axis := range l.kept {
			t.axes = append(t.axes, len(l.lead)+axis)
		}
	case l.group > 1:
		per := ceil(l.kept[n-2], l.group)
		from := strip % per * l.group
		t.stack, t.cols = min(l.group, l.kept[n-2]-from), last
		t.at = append(positionOn(t.at, strip/per, l.kept[:n-2]), from)
		t.axes, t.shape = []int{len(l.lead) + n - 2, row, len(l.lead) + n - 1}, []int{t.stack, t.rows, last}
		t.column = (strip/per*l.kept[n-2] + from) * last
	default:
		per := ceil(last, l.cols)
		from := strip % per * l.cols
		t.cols = min(l.cols, last-from)
		t.at = append(positionOn(t.at, strip/per, l.kept[:n-1]), from)
		t.axes, t.shape = []int{row, len(l.lead) + n - 1}, []int{t.rows, t.cols}
		t.column = strip/per*last + from
	}
	return t
}

// part is what an operand of the run is for the tile.
func (t tile) part(o Operand) Operand {
	p := o.Data
	for axis, n := range t.at {
		p = unsafe.Add(p, n*o.Strides[axis])
	}
	strides := make([]int, len(t.axes))
	for i, axis := range t.axes {
		strides[i] = o.Strides[axis]
	}
	return Operand{Data: p, Strides: strides}
}

// positionOn appends where element i in C order lies on the axes.
func positionOn(at []int, i int, axes []int) []int {
	from := len(at)
	at = at[:from+len(axes)]
	for axis := len(axes) - 1; axis >= 0; axis-- {
		at[from+axis] = i % axes[axis]
		i /= axes[axis]
	}
	return at
}

// contiguous are the strides of a C-contiguous array.
func contiguous(shape []int, size int) []int {
	strides := make([]int, len(shape))
	for axis := len(shape) - 1; axis >= 0; axis-- {
		strides[axis] = size
		size *= shape[axis]
	}
	return strides
}

// ceil is n / by, rounded up.
func ceil(n, by int) int { return (n + by - 1) / by }
