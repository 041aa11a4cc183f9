package op

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// An Evaluator computes operations of values at once, with the thunks that compiled functions run.
// It links an operation once for the types of its operands and keeps what it linked. It may be used
// by several goroutines.
type Evaluator struct {
	sets     kernels.Sets
	linked   sync.Map                                             // evalKey → *sync.Pool of *evaluation
	elemwise sync.Map                                             // elemwiseKey → *sync.Pool of *elemwiseRun
	alike    [1 << 8][kernels.NumDTypes]atomic.Pointer[sync.Pool] // those of elemwise, by operation and type, whose operands are all of the type that they are computed in
	fused    sync.Map                                             // key of FusedOf → *Fused
}

// NewEvaluator returns an Evaluator that runs the kernels of sets.
func NewEvaluator(sets kernels.Sets) *Evaluator { return &Evaluator{sets: sets} }

// evalOperands is how many operands a key holds by themselves; those of operations with more are
// text.
const evalOperands = 4

// evalKey names what is linked: an operation, and what Infer is told of its operands.
type evalKey struct {
	op   graph.Op
	n    int
	in   [evalOperands]evalType
	more string
}

// evalType is an element type, a rank, and the axes that have length 1, which therefore broadcast.
// It has no gaps, so that a key is hashed as a piece of memory and not field by field, which takes
// as long as all else that finds a thunk.
type evalType struct {
	dtype, rank uint32
	ones        uint64
}

func evalTypeOf(d *tensor.Dense) evalType {
	t := evalType{dtype: uint32(d.DType()), rank: uint32(d.Rank())}
	for axis, n := range d.Shape() {
		if n == 1 {
			t.ones |= 1 << axis
		}
	}
	return t
}

func (t evalType) graphType() graph.Type {
	dims := make([]int, t.rank)
	for axis := range dims {
		dims[axis] = graph.Unknown
		if t.ones&(1<<axis) != 0 {
			dims[axis] = 1
		}
	}
	return graph.TypeOf(kernels.DType(t.dtype), dims...)
}

// An evaluation is a thunk with what a call of it needs. One goroutine at a time has it.
type evaluation struct {
	thunk Thunk
	call  Call
	out   []*tensor.Dense
	to    *tensor.Dense // memory for the first result
	err   error         // why the operation does not take such operands
}

// alloc is Call.Alloc.
func (ev *evaluation) alloc(i int, d kernels.DType, shape []int) *tensor.Dense {
	if to := ev.to; i == 0 && to != nil && to.DType() == d && slices.Equal(to.Shape(), shape) && to.IsContiguous() {
		return to
	}
	return tensor.Empty(d, shape...)
}

// Eval applies op to the values in and returns its results, which may be views of in. A row of the
// elementwise table computes in the type that Theano's typing gives; see Elementwise. stop may be
// nil. The error is that of Infer or of the run, ErrStopped if stop was raised.
func (e *Evaluator) Eval(op graph.Op, stop kernels.Stop, in ...*tensor.Dense) ([]*tensor.Dense, error) {
	if row, ok := op.(Elemwise); ok {
		z, err := e.typed(row, stop, in)
		return []*tensor.Dense{z}, err
	}
	return e.into(nil, op, stop, in)
}

// into is Eval of an operation that is no row of the elementwise table, with the first result in
// the memory of to if that is C-contiguous and of its type and shape.
func (e *Evaluator) into(to *tensor.Dense, op graph.Op, stop kernels.Stop, in []*tensor.Dense) ([]*tensor.Dense, error) {
	pool := e.pool(op, in)
	ev := pool.Get().(*evaluation)
	defer pool.Put(ev)
	if ev.err != nil {
		return nil, ev.err
	}
	ev.call.Stop, ev.call.Temporary, ev.to = stop, 0, to
	err := ev.thunk(&ev.call, in, ev.out)
	out := append([]*tensor.Dense(nil), ev.out...)
	clear(ev.out) // what is kept must not hold the caller's memory
	ev.call.Stop, ev.to = nil, nil
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Eval1 is Eval for an operation with one result.
func (e *Evaluator) Eval1(op graph.Op, stop kernels.Stop, in ...*tensor.Dense) (*tensor.Dense, error) {
	out, err := e.Eval(op, stop, in...)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// Eval1Into is Eval1 of a product with the result in the memory of to, if that is not nil,
// C-contiguous and of the result's type and shape: then to is returned. It must share none with the
// operands, and has undefined elements after an error.
func (e *Evaluator) Eval1Into(to *tensor.Dense, op graph.Op, stop kernels.Stop, in ...*tensor.Dense) (*tensor.Dense, error) {
	out, err := e.into(to, op, stop, in)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

func (e *Evaluator) pool(op graph.Op, in []*tensor.Dense) *sync.Pool {
	key := evalKey{op: op, n: len(in)}
	for i, d := range in {
		t := evalTypeOf(d)
		if i < evalOperands {
			key.in[i] = t
		} else {
			key.more += string([]byte{byte(t.dtype), byte(t.rank)}) + fmt.Sprint(t.ones)
		}
	}
	if p, ok := e.linked.Load(key); ok {
		return p.(*sync.Pool)
	}
	types := make([]graph.Type, len(in))
	for i, d := range in {
		types[i] = evalTypeOf(d).graphType()
	}
	p, _ := e.linked.LoadOrStore(key, &sync.Pool{New: func() any { return e.link(op, types) }})
	return p.(*sync.Pool)
}

func (e *Evaluator) link(op graph.Op, types []graph.Type) *evaluation {
	vars := make([]*graph.Variable, len(types))
	for i, t := range types {
		vars[i] = graph.NewInput("", t, nil)
	}
	node, err := graph.NewApply(op, vars, nil)
	if err != nil {
		var located *graph.Error
		if errors.As(err, &located) { // values that are computed at once have no place in a graph
			err = errors.New(located.Msg)
		}
		return &evaluation{err: err}
	}
	linker, ok := op.(Linker)
	if !ok {
		return &evaluation{err: fmt.Errorf("BUG: %s cannot run", op.Name())}
	}
	thunk, _, err := linker.Link(node, e.sets)
	if err != nil {
		return &evaluation{err: err}
	}
	ev := &evaluation{thunk: thunk, out: make([]*tensor.Dense, len(node.Outputs))}
	ev.call.Alloc = ev.alloc
	return ev
}
