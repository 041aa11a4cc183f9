package op

import (
	"fmt"
	"slices"
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// elemwiseKey names what is linked: e in the type d of operands of the types in. Their ranks and
// lengths do not matter.
type elemwiseKey struct {
	e  Elemwise
	d  kernels.DType
	in [kernels.MaxArgs]kernels.DType
}

// An elemwiseRun is a linked function with what a call of it needs. One goroutine at a time has it.
type elemwiseRun struct {
	run kernels.ElemwiseFunc
	to  kernels.DType // of the result
	in  []kernels.Operand
	out [1]kernels.Operand

	strides [][tensor.MaxRank]int // of operands that broadcast

	inPlace int // how many elements it may write over an operand: see longestInPlace
}

// longestInPlace is about how many nanoseconds a function may write over an operand. What takes
// longer is computed apart, so that it can be stopped and leaves what was there.
const longestInPlace = 25e6

// maxInPlaceElements are written in that time by a kernel that is as fast as memory.
const maxInPlaceElements = 1 << 22

// maxInPlace is how many elements a kernel writes in longestInPlace.
func maxInPlace(kernel, isa string, d kernels.DType) int {
	cost := kernels.Cost(kernel, isa, d)
	if d.IsInteger() && cost > 1 { // those of powers and common divisors take as many steps as their operands have bits
		cost *= 64
	}
	return int(longestInPlace / max(cost, longestInPlace/maxInPlaceElements))
}

// Elementwise applies e to the values in, computing in the type d, to which operands are converted.
// Axes of length 1 broadcast, and so do axes that an operand lacks on the left, as NumPy's do. The
// caller has made sure that e has a kernel for d. stop may be nil; the error is that of shapes that
// do not fit, or ErrStopped.
func (v *Evaluator) Elementwise(e Elemwise, d kernels.DType, stop kernels.Stop, in ...*tensor.Dense) (*tensor.Dense, error) {
	return v.ElementwiseInto(nil, false, e, d, stop, in...)
}

// ElementwiseInto is Elementwise with the result in the memory of z, which may be an operand, if it
// fits there: it is returned then. z has to be of the result's type and shape, and in C order; no
// operand may have but a part of its memory, or have it in another order. After an error z is what
// it was, or anything if what was there is lost: nobody wants it any more.
func (v *Evaluator) ElementwiseInto(z *tensor.Dense, lost bool, e Elemwise, d kernels.DType, stop kernels.Stop, in ...*tensor.Dense) (*tensor.Dense, error) {
	shape, err := tensor.CommonShape(in...)
	if err != nil {
		return nil, err
	}
	if number := e.Row().Number; number != nil && len(shape) == 0 && d.IsFloat() {
		return tensor.Scalar(d, number(in[0].Floats()[0])), nil
	}
	pool := v.elemwiseRuns(e, d, in)
	r := pool.Get().(*elemwiseRun)
	defer pool.Put(r)
	for i, x := range in {
		r.in[i] = x.OperandIn(shape, &r.strides[i])
	}
	switch {
	case z == nil || !lost && z.Size() > r.inPlace || !takes(z, r.to, shape, in):
		z = tensor.Empty(r.to, shape...)
	case !lost:
		stop = nil
	}
	return z, r.into(z, stop)
}

// into runs the function on the operands in r.in, which it forgets, with the result in z.
func (r *elemwiseRun) into(z *tensor.Dense, stop kernels.Stop) error {
	r.out[0] = z.Operand()
	done := r.run(z.Shape(), r.out[:], r.in, stop)
	clear(r.in) // what is kept must not hold the caller's memory
	clear(r.out[:])
	if !done {
		return ErrStopped
	}
	return nil
}

// takes reports whether z may take a result of a type and shape that is computed of in.
func takes(z *tensor.Dense, d kernels.DType, shape []int, in []*tensor.Dense) bool {
	if z.DType() != d || !slices.Equal(z.Shape(), shape) || !z.IsContiguous() {
		return false
	}
	for _, x := range in {
		if x.Buffer() == z.Buffer() && (x.DType() != d || x.Offset() != z.Offset() || !slices.Equal(x.Shape(), shape) || !x.IsContiguous()) {
			return false
		}
	}
	return true
}

// typed is Elementwise in the type that the operands' lead to.
func (v *Evaluator) typed(e Elemwise, stop kernels.Stop, in []*tensor.Dense) (*tensor.Dense, error) {
	types := make([]kernels.DType, len(in))
	for i, x := range in {
		types[i] = x.DType()
	}
	d, err := e.computesIn(types)
	if err != nil {
		return nil, err
	}
	return v.Elementwise(e, d, stop, in...)
}

// elemwiseRuns are the linked functions of e in the type d, for such operands, that do not run now.
func (v *Evaluator) elemwiseRuns(e Elemwise, d kernels.DType, in []*tensor.Dense) *sync.Pool {
	alike := true
	for _, x := range in {
		alike = alike && x.DType() == d
	}
	if alike {
		if pool := v.alike[e][d].Load(); pool != nil {
			return pool
		}
	}
	key, arity := elemwiseKey{e: e, d: d}, len(in)
	for i, x := range in {
		key.in[i] = x.DType()
	}
	linked, ok := v.elemwise.Load(key)
	if !ok {
		linked, _ = v.elemwise.LoadOrStore(key, &sync.Pool{New: func() any { return v.linkElemwise(key, arity) }})
	}
	pool := linked.(*sync.Pool)
	if alike {
		v.alike[e][d].Store(pool)
	}
	return pool
}

func (v *Evaluator) linkElemwise(key elemwiseKey, arity int) *elemwiseRun {
	prog := key.e.programIn(key.d, key.in[:arity])
	run, impl, ok := v.sets.Elemwise(prog)
	if !ok {
		panic(fmt.Sprintf("BUG: no kernels for %s in %v", key.e.Name(), key.d))
	}
	return &elemwiseRun{run: run, to: registerType(prog, prog.Outputs[0].Reg), in: make([]kernels.Operand, arity), strides: make([][tensor.MaxRank]int, arity),
		inPlace: maxInPlace(key.e.Kernel().Name, v.sets.ISA(impl), key.d)}
}
