package symbolic

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/tensor"
)

// Copying inputs takes as long as computing with them, or longer: of a call in 256 or fewer it is
// not felt, of the first calls only if there is next to nothing to copy.
const (
	maxRemembered = 1 << 20 // bytes of inputs, from call manyCalls on, unless all are asked for
	maxOfFirst    = 1 << 10 // bytes of inputs, before
	manyCalls     = 256
)

// copied reports whether the inputs of a call of that number are copied.
func copied(call int64, bytes int) bool {
	powerOf4 := call&0x5555_5555_5555_5555 != 0 // of those of 2
	return bytes <= maxOfFirst || bytes <= maxRemembered && call >= manyCalls && powerOf4
}

// remembering are large inputs that are kept for a while.
type remembering struct{ large []*remembered }

// end forgets them.
func (r *remembering) end() {
	for _, m := range r.large {
		m.arrays = nil
	}
}

// remembered is the inputs of a call, with which it can be made again. They are a copy, since
// callers use their arrays for other things. Package memory does not count its bytes, which no line
// of the program allocates.
type remembered struct {
	call   int64 // the number of the call
	bytes  int
	arrays []packed // nil if they were too large
}

// packed is an array whose elements lie one behind the other, its axes in some order.
type packed struct {
	dtype kernels.DType
	shape []int // in the order of memory
	axes  []int // of the array, in that order
	data  []byte
}

// recent are the inputs of one of the last calls.
type recent struct {
	calls int64       // that were made
	last  *remembered // nil if none is known
}

// remember keeps inputs of calls 1, 2, 4, 8, ..., so that the last that is known is like the last
// that was made. all is nil unless large ones are wanted too.
func (r *recent) remember(values []*tensor.Dense, all *remembering) {
	if r.calls++; r.calls&(r.calls-1) != 0 || len(values) == 0 {
		return
	}
	m := &remembered{call: r.calls}
	for _, a := range values {
		m.bytes += a.NBytes()
	}
	if m.bytes > maxRemembered && all != nil {
		all.large = append(all.large, m)
	}
	if !copied(m.call, m.bytes) && all == nil {
		if r.last == nil || r.last.arrays == nil {
			r.last = m // which says how large they are
		}
		return
	}
	m.arrays = make([]packed, len(values))
	for i, a := range values {
		m.arrays[i] = pack(a)
	}
	r.last = m
}

func pack(a *tensor.Dense) packed {
	p := packed{dtype: a.DType(), axes: make([]int, a.Rank())}
	for i := range p.axes {
		p.axes[i] = i
	}
	slices.SortStableFunc(p.axes, func(i, j int) int { return a.Strides()[j] - a.Strides()[i] })
	in, err := a.DimShuffle(p.axes)
	if err != nil || !in.IsContiguous() { // there are gaps, which are not worth keeping
		in, _ = a.Copy().DimShuffle(p.axes)
		in = in.Copy()
	}
	p.shape = slices.Clone(in.Shape())
	if n := in.NBytes(); n > 0 {
		p.data = slices.Clone(tensor.Elements[uint8](in.View(kernels.Uint8, []int{n}, []int{1}, in.Offset())))
	}
	return p
}

// unpack is the array that was packed.
func (p packed) unpack() *tensor.Dense {
	z := tensor.Empty(p.dtype, p.shape...)
	if n := z.NBytes(); n > 0 {
		copy(tensor.Elements[uint8](z.View(kernels.Uint8, []int{n}, []int{1}, z.Offset())), p.data)
	}
	back := make([]int, len(p.axes))
	for i, axis := range p.axes {
		back[axis] = i
	}
	a, _ := z.DimShuffle(back) // a permutation fits
	return a
}

// inputs are inputs of a call before of the function of that name, as the compiled graph has them,
// and which call it was.
func (r *recent) inputs(name string) (values []*tensor.Dense, from string, err error) {
	const wayOut = "pass inputs=[...], one for each argument of a call"
	switch {
	case r.last == nil:
		return nil, "", fmt.Errorf("%s was not called yet, so that its inputs are not known: call it, or %s", name, wayOut)
	case r.last.arrays == nil:
		size := func(bytes int) string { return units.Plain(units.Human(units.Bytes, float64(bytes))) }
		return nil, "", fmt.Errorf("the inputs of %s are of %s, and no more than %s is kept of the first %d calls, or %s later: %s", name,
			size(r.last.bytes), size(maxOfFirst), manyCalls-1, size(maxRemembered), wayOut)
	}
	for _, p := range r.last.arrays {
		values = append(values, p.unpack())
	}
	return values, "those of call " + units.Plain(units.Grouped(r.last.call)), nil
}
