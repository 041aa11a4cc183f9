package kernels

import (
	"slices"
	"unsafe"
)

// An Access is an operand of a run over a Plan's Shape.
type Access struct {
	Mode    Mode
	Data    unsafe.Pointer
	Strides []int // in bytes, by axis of the Plan's Shape
	Size    int   // of an element

	// Of an output that reduces: where chunk i leaves the value of its part, of Part bytes, or row
	// i its result if rows are not cut. Values lie next to each other.
	Values unsafe.Pointer
	Part   int
}

// Mode is how an operand is met.
type Mode uint8

const (
	InPlace Mode = iota // the elements of a block lie next to each other: the register is the operand's own memory
	Once                // every block is alike: gathered into scratch once a run
	Strided             // gathered into scratch before, or scattered from it after, each block
	Reduced             // an output of which each row leaves one value
)

// binding is what Bind saw last. A function is mostly called again with operands of the same shapes
// and strides.
type binding struct {
	valid bool
	axes  int
	seen  []int // the shape, then the strides of each output and each input
	pairs []pair
	quick bool // see Interpreter.Quick
}

// A pair is an output and an input that must not be read where it lies if both have one memory.
type pair struct {
	out, in int
	same    bool // both had one memory
}

// Bind collapses shape for the operands of one run, cuts it into chunks and blocks and chooses each
// operand's mode. It reports whether anything is left to do: of an empty shape, nothing is.
func (pl *Plan) Bind(shape []int, out, in []Operand) bool {
	if !pl.rebind(shape, out, in) {
		pl.bind(shape, out, in)
	}
	if pl.Len == 0 {
		pl.storeEmpty(shape, out)
		return false
	}
	if pl.reduces {
		pl.place()
	}
	return true
}

// rebind sets the addresses if all else is as Bind saw it last.
func (pl *Plan) rebind(shape []int, out, in []Operand) bool {
	if !pl.IsBound(shape, out, in) {
		return false
	}
	for k := range out {
		pl.Out[k].Data = out[k].Data
	}
	for k := range in {
		pl.In[k].Data = in[k].Data
	}
	return true
}

// IsBound reports whether Bind would change nothing but the operands' addresses.
func (pl *Plan) IsBound(shape []int, out, in []Operand) bool {
	b := &pl.bound
	if !b.valid || b.axes != len(shape) {
		return false
	}
	if b.axes > 0 {
		seen := b.seen
		if !equal(seen, shape) {
			return false
		}
		for k := range out {
			if seen = seen[b.axes:]; !equal(seen, out[k].Strides) {
				return false
			}
		}
		for k := range in {
			if seen = seen[b.axes:]; !equal(seen, in[k].Strides) {
				return false
			}
		}
	}
	for _, p := range b.pairs {
		if p.same != (out[p.out].Data == in[p.in].Data) {
			return false
		}
	}
	return true
}

func equal(seen, numbers []int) bool {
	for i, n := range numbers {
		if seen[i] != n {
			return false
		}
	}
	return true
}

func (pl *Plan) bind(shape []int, out, in []Operand) {
	b := &pl.bound
	b.valid, b.axes, b.seen = true, len(shape), append(b.seen[:0], shape...)
	for k := range out {
		b.seen = append(b.seen, out[k].Strides...)
		pl.Out[k] = Access{Data: out[k].Data, Strides: pl.Out[k].Strides[:0], Size: pl.Types[pl.program.Outputs[k].Reg].Size()}
		pl.Out[k].Part = pl.partBytes(k)
	}
	for k := range in {
		b.seen = append(b.seen, in[k].Strides...)
		pl.In[k] = Access{Data: in[k].Data, Strides: pl.In[k].Strides[:0], Size: pl.Types[k].Size()}
	}
	pl.Shape, pl.Len = pl.Shape[:0], 1
	for axis, n := range shape {
		pl.Len *= n
		if n == 1 {
			continue
		}
		last := len(pl.Shape) - 1
		if last >= 0 && mergeable(pl.In, in, axis, n) && mergeable(pl.Out, out, axis, n) {
			pl.Shape[last] *= n
			setStrides(pl.In, in, axis, last)
			setStrides(pl.Out, out, axis, last)
			continue
		}
		pl.Shape = append(pl.Shape, n)
		setStrides(pl.In, in, axis, last+1)
		setStrides(pl.Out, out, axis, last+1)
	}
	if pl.Len > 0 {
		pl.cut()
		pl.chooseModes()
	}
	b.quick = pl.isQuick()
	pl.Version++
}

// partBytes is how many bytes the value of a part of output k takes.
func (pl *Plan) partBytes(k int) int {
	o := pl.program.Outputs[k]
	part, _, _ := ReduceKey{o.Reduce, pl.Types[o.Reg]}.Parts()
	return part.Out().Size()
}

// isQuick reports whether a run is one block of operands that are all used where they lie.
func (pl *Plan) isQuick() bool {
	inPlace := func(a Access) bool { return a.Mode == InPlace }
	return pl.Len > 0 && pl.Len <= pl.Block && all(pl.In, inPlace) && all(pl.Out, inPlace)
}

func all(accesses []Access, is func(Access) bool) bool {
	return !slices.ContainsFunc(accesses, func(a Access) bool { return !is(a) })
}

// mergeable reports whether a step along the last axis kept is n steps along this one.
func mergeable(accesses []Access, operands []Operand, axis, n int) bool {
	for k := range accesses {
		s := accesses[k].Strides
		if s[len(s)-1] != n*operands[k].Strides[axis] {
			return false
		}
	}
	return true
}

func setStrides(accesses []Access, operands []Operand, axis, at int) {
	for k := range accesses {
		accesses[k].Strides = append(accesses[k].Strides[:at], operands[k].Strides[axis])
	}
}

// cut chooses chunks and blocks. Short lines are taken together, as many as a block holds, for
// whole rows of a reduction if these are short as well. Long ones are cut evenly, so that no block
// is much shorter than the others.
func (pl *Plan) cut() {
	last := 1
	if n := len(pl.Shape); n > 0 {
		last = pl.Shape[n-1]
	}
	pl.Row = elements(pl.Shape[pl.kept():])
	unit := pl.Row
	pl.Lines = 2*last > pl.most || last >= minLine && !pl.reduces && slices.ContainsFunc(pl.In, alongLines)
	switch {
	case pl.Lines && last <= pl.most:
		pl.Block, pl.Fence = last, last
	case pl.Lines:
		pl.Block, pl.Fence = roundUp(ceilDiv(last, ceilDiv(last, pl.most)), 64), last
	case pl.Row <= pl.most:
		unit = max(pl.Row, last) // a row may be a single element
		pl.Block, pl.Fence = pl.most/unit*unit, pl.Len
	default:
		pl.Block, pl.Fence = pl.most/last*last, pl.Row
	}

	const minBlocks, maxChunks = 8, 128
	pl.Span, pl.Parts = max(minBlocks*pl.most, ceilDiv(pl.Len, maxChunks)), 1
	if pl.Row > pl.Span {
		step := pl.Block
		if pl.Fence <= pl.Span {
			step = pl.Fence
		}
		pl.Span = min(pl.Row, roundUp(pl.Span, step))
		pl.Parts = ceilDiv(pl.Row, pl.Span)
	}
	if pl.Parts > 1 {
		pl.Chunks = pl.Len / pl.Row * pl.Parts
		return
	}
	pl.Span = pl.Span / unit * unit
	pl.Chunks = ceilDiv(pl.Len, pl.Span)
}

// minLine is the length from which a line is a block of its own where an operand has one element
// for all of it: chains need not have that expanded.
const minLine = 256

// alongLines reports whether an operand has one element for each line.
func alongLines(a Access) bool {
	last := len(a.Strides) - 1
	return last > 0 && a.Strides[last] == 0 && slices.ContainsFunc(a.Strides, func(s int) bool { return s != 0 })
}

func ceilDiv(n, by int) int { return (n + by - 1) / by }

func roundUp(n, to int) int { return ceilDiv(n, to) * to }

func elements(shape []int) int {
	total := 1
	for _, n := range shape {
		total *= n
	}
	return total
}

// kept counts the leading axes that are not reduced: none if no output reduces.
func (pl *Plan) kept() int {
	for k, o := range pl.program.Outputs {
		if o.Reduce != "" {
			return keptAxes(pl.Shape, pl.Out[k].Strides)
		}
	}
	return 0
}

func keptAxes(shape, strides []int) int {
	axes := len(shape)
	for axes > 0 && (strides[axes-1] == 0 || shape[axes-1] == 1) {
		axes--
	}
	return axes
}

// Bounds are the elements of chunk i.
func (pl *Plan) Bounds(i int) (first, end int) {
	if pl.Parts == 1 {
		first = i * pl.Span
		return first, min(first+pl.Span, pl.Len)
	}
	row := i / pl.Parts * pl.Row
	first = i % pl.Parts * pl.Span
	return row + first, row + min(first+pl.Span, pl.Row)
}

// Streams reports whether results of the run that is bound are better written past the caches: with
// the operands, they do not fit there.
func (pl *Plan) Streams() bool {
	const tooMuch = 48 << 20
	bytes := 0
	for _, a := range slices.Concat(pl.In, pl.Out) {
		if a.Mode == InPlace {
			bytes += a.Size * pl.Len
		}
	}
	return bytes >= tooMuch
}

func (pl *Plan) chooseModes() {
	for k := range pl.In {
		a := &pl.In[k]
		a.Mode = pl.mode(a)
	}
	pl.bound.pairs = pl.bound.pairs[:0]
	for k, o := range pl.program.Outputs {
		a := &pl.Out[k]
		written := len(pl.program.Instrs)
		switch {
		case o.Reduce != "":
			a.Mode = Reduced
		case pl.direct[o.Reg] == k && pl.mode(a) == InPlace:
			a.Mode = InPlace
			written = o.Reg - len(pl.program.Inputs)
		default:
			a.Mode = Strided // stored by copying: a register has one memory
		}
		// An input in this output's memory must not be read where it lies after the output is
		// written there. (Instruction i may: its loop runs element upon element.)
		for j := range pl.In {
			in := &pl.In[j]
			clash := written < pl.lastUse[j] || written == len(pl.program.Instrs) && pl.lastUse[j] == written
			if clash && in.Mode == InPlace {
				pl.bound.pairs = append(pl.bound.pairs, pair{k, j, in.Data == a.Data})
			}
		}
	}
	for _, p := range pl.bound.pairs {
		if p.same {
			pl.In[p.in].Mode = Strided
		}
	}
}

// mode ignores who else uses the memory.
func (pl *Plan) mode(a *Access) Mode {
	last := len(pl.Shape) - 1
	contiguous, outer := true, true // outer: the strides are 0 on all axes but the last
	step := a.Size
	for axis := last; axis >= 0; axis-- {
		s := a.Strides[axis]
		contiguous = contiguous && s == step
		outer = outer && (s == 0 || axis == last)
		step *= pl.Shape[axis]
	}
	switch {
	case contiguous, pl.Lines && a.Strides[last] == a.Size:
		return InPlace
	case outer && (!pl.Lines || a.Strides[last] == 0): // in a block of whole lines, each is alike
		return Once
	}
	return Strided
}

// Repeats reports whether all elements of input k's blocks are alike: in all of them, or in those
// of one line.
func (pl *Plan) Repeats(k int) bool {
	a, last := &pl.In[k], len(pl.Shape)-1
	if a.Mode == InPlace || last < 0 || a.Strides[last] != 0 {
		return false
	}
	return pl.Lines || !slices.ContainsFunc(a.Strides, func(s int) bool { return s != 0 })
}

// place finds room for the values of outputs that reduce: where they belong, if those that the run
// gives are one for each row and lie there next to each other.
func (pl *Plan) place() {
	size := pl.Len / pl.Row
	if pl.Parts > 1 {
		size *= pl.Parts + 1 // those of the rows come after those of the chunks
	}
	if n := size * len(pl.Out); n > len(pl.parts) {
		pl.account.Add(8 * (n - len(pl.parts)))
		pl.parts = make([]uint64, n)
	}
	for k := range pl.Out {
		a := &pl.Out[k]
		switch {
		case a.Mode != Reduced:
		case pl.Parts == 1 && pl.packed(a):
			a.Values = a.Data
		default:
			a.Values = unsafe.Pointer(&pl.parts[k*size])
		}
	}
}

// packed reports whether the rows' values lie next to each other in a.
func (pl *Plan) packed(a *Access) bool {
	step := a.Size
	for axis := pl.kept() - 1; axis >= 0; axis-- {
		if a.Strides[axis] != step {
			return false
		}
		step *= pl.Shape[axis]
	}
	return true
}

// Finish joins the values of chunks to those of rows and stores them, once all chunks are done.
// reduce[k] is how output k is reduced.
func (pl *Plan) Finish(reduce []Folding) {
	if !pl.reduces {
		return
	}
	rows := pl.Len / pl.Row
	for k := range pl.Out {
		a := &pl.Out[k]
		if a.Mode != Reduced || a.Values == a.Data {
			continue
		}
		values := a.Values
		if pl.Parts > 1 {
			values = unsafe.Add(values, rows*pl.Parts*a.Part)
			reduce[k].Last(rows, pl.Parts, 1, values, a.Values, nil)
		}
		scatter(a, values, pl.Shape[:pl.kept()], 0, rows)
	}
}

// storeEmpty gives the outputs that reduce no elements at all their value.
func (pl *Plan) storeEmpty(shape []int, out []Operand) {
	for k, o := range pl.program.Outputs {
		if o.Reduce == "" {
			continue
		}
		d := pl.Types[o.Reg]
		kept := shape[:keptAxes(shape, out[k].Strides)]
		a := Access{Data: out[k].Data, Strides: out[k].Strides[:len(kept)], Size: d.Size()}
		for i := range elements(kept) {
			p, _, _ := a.run(kept, i)
			reductions[o.Reduce][d](1, 0, 1, p, nil, nil)
		}
	}
}

// Release forgets the operands: their memory is the caller's and must not be kept alive.
func (pl *Plan) Release() {
	for k := range pl.In {
		pl.In[k].Data = nil
	}
	for k := range pl.Out {
		pl.Out[k].Data, pl.Out[k].Values = nil, nil
	}
}
