package exec

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// pool keeps the memory of dead intermediate results for later steps and later runs.
type pool struct {
	idle map[int][]idleBuffer // by size in bytes
	run  int                  // counts the runs
}

type idleBuffer struct {
	buf  *tensor.Buffer
	used int // the run that used it last
}

// alloc returns a C-contiguous array with undefined elements.
func (p *pool) alloc(dtype kernels.DType, shape []int) *tensor.Dense {
	n := tensor.Size(shape) * dtype.Size()
	if stack := p.idle[n]; len(stack) > 0 {
		top := stack[len(stack)-1]
		p.idle[n] = stack[:len(stack)-1]
		return tensor.Over(top.buf, dtype, shape...)
	}
	return tensor.New(dtype, shape...)
}

// free takes back memory that alloc gave. a may also be an array that a thunk made by other means.
func (p *pool) free(a *tensor.Dense) {
	if a == nil || a.Buffer().Len() == 0 {
		return
	}
	if p.idle == nil {
		p.idle = make(map[int][]idleBuffer)
	}
	n := a.Buffer().Len()
	p.idle[n] = append(p.idle[n], idleBuffer{a.Buffer(), p.run})
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
