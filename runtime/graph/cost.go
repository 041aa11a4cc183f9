package graph

// A Cost is the work of one call of a node: what it cannot do with less, whichever kernel does it.
// What a kernel moves beyond that, such as a copy of a strided operand or what does not fit into a
// cache and is read again, shows as a lower rate.
type Cost struct {
	Flops float64 // arithmetic operations, those on integers too; of a function such as exp about as many as it takes
	// Bytes that are read of each operand and written to each output. A view moves none.
	Read, Written []float64
}

// An Array is what the cost of a call knows of an operand.
type Array struct {
	ItemSize int
	Shape    []int
	Strides  []int // bytes; nil of a C-contiguous array
}

// Coster is implemented by ops that know their work.
type Coster interface {
	// Cost is that of a call with operands and results like these.
	Cost(in, out []Array) Cost
}

// FunctionTimer is implemented by ops that may compute functions, such as exp, whose flops are
// weights and not the machine's own.
type FunctionTimer interface {
	// FunctionTime is the part of the flops that are plain operations, and the nanoseconds, for
	// each flop of all, that the kernels of the functions were measured to take on one thread.
	FunctionTime(in []*Variable) (plain float64, ns Work)
}

// Once is the cost of flops operations that read each operand and write each result once.
func Once(flops float64, in, out []Array) Cost {
	bytes := func(list []Array) []float64 {
		all := make([]float64, len(list))
		for i, a := range list {
			all[i] = a.Bytes()
		}
		return all
	}
	return Cost{Flops: flops, Read: bytes(in), Written: bytes(out)}
}

// Nothing is the cost of a result that is a view.
func Nothing(in, out []Array) Cost {
	return Cost{Read: make([]float64, len(in)), Written: make([]float64, len(out))}
}

// Elements is their number. As a float it does not wrap.
func (a Array) Elements() float64 {
	n := 1.0
	for _, d := range a.Shape {
		n *= float64(d)
	}
	return n
}

// Bytes of the elements that differ: an axis of stride 0 repeats one.
func (a Array) Bytes() float64 {
	n := float64(a.ItemSize)
	for axis, d := range a.Shape {
		if a.Strides == nil || a.Strides[axis] != 0 || d == 0 {
			n *= float64(d)
		}
	}
	return n
}

// Contiguous reports whether the elements lie in C order without gaps.
func (a Array) Contiguous() bool {
	if a.Strides == nil {
		return true
	}
	step, contiguous := a.ItemSize, true
	for axis := len(a.Shape) - 1; axis >= 0; axis-- {
		d := a.Shape[axis]
		if d == 0 {
			return true
		}
		contiguous = contiguous && (d == 1 || a.Strides[axis] == step)
		step *= d
	}
	return contiguous
}
