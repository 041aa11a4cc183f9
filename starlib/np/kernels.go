package np

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/libm"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
)

// npSets are the kernels that np runs on: those of compiled functions.
var npSets = sync.OnceValue(func() kernels.Sets {
	sets, err := exec.Sets("c|go")
	if err != nil {
		return kernels.Sets{kernels.GoSet}
	}
	return sets
})

// ofNumber returns the function that computes a single number as the library does which Python and NumPy take: np.exp(1) is np.e.
// Vectors are computed by kernels, which may be one unit in the last place off.
func ofNumber(e op.Elemwise) func(float64) float64 {
	switch e {
	case op.Exp:
		return libm.Exp
	case op.Log:
		return libm.Log
	}
	return nil
}

// elemwiseKey names a compiled function: e in the type d for operands of the types in.
type elemwiseKey struct {
	e  op.Elemwise
	d  kernels.DType
	in [kernels.MaxArgs]kernels.DType
}

// compiled keeps functions that are not running, by elemwiseKey. A function owns scratch
// memory and runs once at a time, while sessions may run side by side.
var compiled sync.Map // elemwiseKey → *sync.Pool of *elemwiseFunc

type elemwiseFunc struct {
	run kernels.ElemwiseFunc
	out kernels.DType
}

func compileElemwise(key elemwiseKey) *elemwiseFunc {
	kernel := key.e.Kernel()
	n := kernel.Arity
	prog := &kernels.Program{Inputs: key.in[:n]}
	args := make([]int, n)
	for i, have := range prog.Inputs {
		args[i] = i
		if want := kernel.Operand(i, key.d); have != want {
			args[i] = n + len(prog.Instrs)
			prog.Instrs = append(prog.Instrs, kernels.Instr{LoopKey: kernels.LoopKey{Op: "cast", In: have, Out: want},
				Args: []int{i}, Go: kernels.Cast[have][want]})
		}
	}
	last := kernels.Instr{LoopKey: kernel.Key(key.d), Args: args, Go: kernel.Loops[key.d]}
	if last.Go == nil {
		panic(fmt.Sprintf("BUG: np has no kernel for %s of %v", kernel.Name, key.d))
	}
	prog.Outputs = []kernels.Output{{Reg: n + len(prog.Instrs)}}
	prog.Instrs = append(prog.Instrs, last)
	run, _, ok := npSets().Elemwise(prog)
	if !ok {
		panic("BUG: no kernels for " + kernel.Name)
	}
	return &elemwiseFunc{run, last.Out}
}

// runElemwise computes e in the type d.
func runElemwise(s value.Host, e op.Elemwise, d kernels.DType, in []*tensor.Dense) (*tensor.Dense, error) {
	shape, err := broadcastShapes(in)
	if err != nil {
		return nil, err
	}
	if len(shape) == 0 && d.IsFloat() {
		if f := ofNumber(e); f != nil {
			return tensor.Scalar(d, f(scalarAt(in[0], 0).float())), nil
		}
	}
	key := elemwiseKey{e: e, d: d}
	operands := make([]kernels.Operand, len(in))
	for i, x := range in {
		key.in[i] = x.DType()
		if !slices.Equal(x.Shape(), shape) {
			x, _ = x.BroadcastTo(shape)
		}
		operands[i] = x.Operand()
	}
	entry, ok := compiled.Load(key)
	if !ok {
		entry, _ = compiled.LoadOrStore(key, &sync.Pool{New: func() any { return compileElemwise(key) }})
	}
	pool := entry.(*sync.Pool)
	f := pool.Get().(*elemwiseFunc)
	defer pool.Put(f)
	z := tensor.Empty(f.out, shape...)
	err = interruptible(s, func(stop kernels.Stop) bool {
		return f.run(shape, []kernels.Operand{z.Operand()}, operands, stop)
	})
	return z, err
}

// interruptible runs a kernel so that an interrupt of the cell ends it.
func interruptible(s value.Host, run func(kernels.Stop) bool) error {
	if s == nil {
		run(nil)
		return nil
	}
	if !run(s.Stop()) {
		return op.ErrStopped
	}
	return nil
}

// broadcastShapes applies NumPy's rule: shapes are aligned on the right, and axes of
// length 1 repeat.
func broadcastShapes(in []*tensor.Dense) ([]int, error) { return array.BroadcastShapes(in) }

func shapesOf(in []*tensor.Dense) string { return array.ShapesOf(in) }

// evaluator computes operations of arrays at once, with the kernels that compiled functions run.
var evaluator = sync.OnceValue(func() *op.Evaluator { return op.NewEvaluator(npSets()) })

// stopOf is what an interrupt of the cell raises, nil without a session.
func stopOf(s value.Host) kernels.Stop {
	if s == nil {
		return nil
	}
	return s.Stop()
}

// runOp computes an operation with one result.
func runOp(s value.Host, o graph.Op, in ...*tensor.Dense) (*tensor.Dense, error) {
	return evaluator().Eval1(o, stopOf(s), in...)
}

// plainError takes the position and notes of the graph off an error: eager calls have none.
func plainError(err error) error {
	var e *graph.Error
	if errors.As(err, &e) {
		return errors.New(e.Msg)
	}
	return err
}
