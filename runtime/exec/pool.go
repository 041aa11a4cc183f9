package exec

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// pool keeps the memory of dead intermediate results for later steps and later runs.
type pool struct {
	idle map[int][]idleArray // by size in bytes
	run  int                 // counts the runs
}

type idleArray struct {
	array *tensor.Dense // nobody refers to it
	used  int           // the run that used it last
}

// alloc returns a C-contiguous array with undefined elements.
func (p *pool) alloc(_ int, dtype kernels.DType, shape []int) *tensor.Dense {
	if err := tensor.CheckSize(dtype.Size(), shape); err != nil {
		panic(err) // run makes it the node's error
	}
	n := tensor.Size(shape) * dtype.Size()
	if stack := p.idle[n]; len(stack) > 0 {
		top := stack[len(stack)-1]
		stack[len(stack)-1] = idleArray{}
		p.idle[n] = stack[:len(stack)-1]
		// Most often the same step of the last run freed it: its description fits too.
		if a := top.array; a.DType() == dtype && a.Offset() == 0 && slices.Equal(a.Shape(), shape) && a.IsContiguous() {
			return a
		}
		return tensor.Over(top.array.Buffer(), dtype, shape...)
	}
	return tensor.New(dtype, shape...)
}

// free takes back memory that alloc gave. a may also be an array that a thunk made by other means.
func (p *pool) free(a *tensor.Dense) {
	if a == nil || a.Buffer().Len() == 0 {
		return
	}
	if p.idle == nil {
		p.idle = make(map[int][]idleArray)
	}
	n := a.Buffer().Len()
	p.idle[n] = append(p.idle[n], idleArray{a, p.run})
}

// endOfRun lets go of memory that the run did not use.
func (p *pool) endOfRun() {
	for n, stack := range p.idle {
		kept := stack[:0]
		for _, b := range stack {
			if b.used == p.run {
				kept = append(kept, b)
			}
		}
		clear(stack[len(kept):])
		if p.idle[n] = kept; len(kept) == 0 {
			delete(p.idle, n)
		}
	}
	p.run++
}
