package np

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// An eval reads the arguments of a call and computes with arrays. It keeps the first error, so that
// a function reads like its formula; from then on its results are numbers without meaning, and
// whoever looks at shapes or elements asks failed before.
type Eval struct {
	*Call
	Err  error
	made array.Made    // on the way to the result
	to   *tensor.Dense // where the result is to be, nil if nobody said

	algebra formula.Algebra // that formulas compute with
}

// newEval returns the eval of a call.
func newEval(b *value.Builtin, thread *starlark.Thread, s value.Host) *Eval {
	e := evals.Get().(*Eval)
	e.Builtin, e.Thread, e.Session = b, thread, s
	return e
}

// evals are those of calls that have ended, without what they held.
var evals = sync.Pool{New: func() any { return &Eval{Call: new(Call)} }}

// end gives back what was computed on the way to v, the value of a call, if the call is forgetful.
// What holds nothing of e ends it.
func (e *Eval) end(v starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) {
	var result *tensor.Dense
	switch v := v.(type) {
	case *Array:
		result = v.D
	case Scalar, starlark.Int, starlark.Float, starlark.Bool:
	default:
		return
	}
	if !e.made.None() && (value.Callable{Builtin: e.Builtin}).RetainsNone(args, kwargs) {
		e.made.Release(result)
	}
	e.made.Forget()
	*e.Call, e.Err, e.to, e.algebra.To = Call{}, nil, nil, nil
	evals.Put(e)
}

// EvalRow is numpyRow for a function that computes with an eval.
func EvalRow(prefix, name, doc, example string, fn func(e *Eval) starlark.Value, params ...string) value.Builtin {
	return numpyRow(prefix, name, doc, example, func(c *Call) (starlark.Value, error) {
		e := &Eval{Call: c}
		v := fn(e)
		if e.Err != nil {
			return nil, e.Err
		}
		return v, nil
	}, params...)
}

func (e *Eval) Failed() bool { return e.Err != nil }

// Fail records an error, unless there was one before.
func (e *Eval) Fail(format string, args ...any) {
	if e.Err == nil {
		e.Err = fmt.Errorf(format, args...)
	}
}

// failAt records an error of argument i.
func (e *Eval) failAt(i int, format string, args ...any) {
	e.Fail("for parameter "+strings.TrimLeft(e.Params[i].Name, "*")+": "+format, args...)
}

// Keep records the error of a function and returns its value, or otherwise after an error.
func Keep[V any](e *Eval, v V, err error, otherwise V) V {
	if err != nil && e.Err == nil {
		e.Err = err
	}
	if e.Err != nil {
		return otherwise
	}
	return v
}

// Meaningless is what stands for an array after an error.
func Meaningless() *tensor.Dense { return tensor.Scalar(kernels.Float64, 0) }

func (e *Eval) Got(d *tensor.Dense, err error) *tensor.Dense {
	if err != nil || e.Err != nil {
		return Keep(e, d, err, Meaningless())
	}
	return d
}

// given reports whether argument i is there.
func (e *Eval) given(i int) bool { return e.V[i] != nil }

func (e *Eval) array(i int) *tensor.Dense {
	d, err := e.Call.array(i)
	return e.Got(d, err)
}

func (e *Eval) int(i, otherwise int) int {
	n, err := e.Call.int(i, otherwise)
	return Keep(e, n, err, otherwise)
}

func (e *Eval) bool(i int, otherwise bool) bool {
	b, err := e.Call.bool(i, otherwise)
	return Keep(e, b, err, otherwise)
}

func (e *Eval) dtype(i int, otherwise kernels.DType) kernels.DType {
	d, err := e.Call.dtype(i, otherwise)
	return Keep(e, d, err, otherwise)
}

// axis reads an axis of an array of the given rank.
func (e *Eval) axis(i, otherwise, rank int) int { return e.AxisOf(e.int(i, otherwise), rank) }

func (e *Eval) AxisOf(axis, rank int) int {
	n, err := tensor.NormalizeAxis(axis, rank)
	return Keep(e, n, err, 0)
}

// Noted is z, which was computed from others: it is given back where the call ends, unless it is
// its value.
func (e *Eval) Noted(z *tensor.Dense, err error, from ...*tensor.Dense) *tensor.Dense {
	if err == nil {
		e.made.Note(z, from...)
	}
	return z
}

// Do applies an elementwise function of np to arrays and numbers; Go's int and float64 are weak, as
// Starlark's numbers are.
func (e *Eval) Do(name string, x ...any) *tensor.Dense {
	if e.Failed() {
		return Meaningless()
	}
	operands := make([]Operand, len(x))
	for i, x := range x {
		switch x := x.(type) {
		case *tensor.Dense:
			operands[i].d = x
		case int:
			operands[i].Weak = starlark.MakeInt(x)
		case float64:
			operands[i].Weak = starlark.Float(x)
		case starlark.Value:
			var err error
			if operands[i], err = operandOf(x); err != nil {
				e.Fail("%w", err)
				return Meaningless()
			}
		}
	}
	z, err := ufuncs[name].apply(e.Session, operands)
	if err == nil && !slices.ContainsFunc(operands, func(x Operand) bool { return x.d != nil && x.d.Buffer() == z.Buffer() }) {
		e.made.Note(z)
	}
	return e.Got(z, err)
}

// Reduce applies a reduction of np along axes, which are dropped.
func (e *Eval) Reduce(name string, x *tensor.Dense, axes tensor.Axes) *tensor.Dense {
	if e.Failed() {
		return Meaningless()
	}
	z, err := Reductions[name](&ReduceCall{Session: e.Session, X: x, Axes: axes})
	if err == nil {
		e.made.Note(z, x)
	}
	return e.Got(z, err)
}

func (e *Eval) Reshape(x *tensor.Dense, shape ...int) *tensor.Dense {
	if e.Failed() {
		return Meaningless()
	}
	return e.Got(reshape(x, shape))
}

// Flat returns the elements as a vector.
func (e *Eval) Flat(x *tensor.Dense) *tensor.Dense { return e.Reshape(x, x.Size()) }

// Permute returns a view whose axis i is axis order[i] of x; tensor.NewAxis adds one.
func (e *Eval) Permute(x *tensor.Dense, order []int) *tensor.Dense {
	if e.Failed() {
		return Meaningless()
	}
	return e.Got(x.DimShuffle(order))
}

// Broadcast repeats arrays to their common shape, as views.
func (e *Eval) Broadcast(list ...*tensor.Dense) []*tensor.Dense {
	shape, err := tensor.CommonShape(list...)
	if Keep(e, shape, err, nil); e.Failed() {
		return list
	}
	wide := make([]*tensor.Dense, len(list))
	for i, d := range list {
		wide[i], _ = d.BroadcastTo(shape)
	}
	return wide
}

// Part returns x[start:stop] along an axis, a view.
func (e *Eval) Part(x *tensor.Dense, axis, start, stop int) *tensor.Dense {
	return e.slice(x, axis, &start, &stop, nil)
}

func (e *Eval) slice(x *tensor.Dense, axis int, start, stop, step *int) *tensor.Dense {
	if e.Failed() {
		return Meaningless()
	}
	index := make([]tensor.Index, axis+1)
	index[axis] = tensor.Index{Start: start, Stop: stop, Step: step}
	return e.Got(x.Subscript(index...))
}

// At returns x[i] along an axis, a view of one dimension less.
func (e *Eval) At(x *tensor.Dense, axis, i int) *tensor.Dense {
	if e.Failed() {
		return Meaningless()
	}
	index := make([]tensor.Index, axis+1)
	index[axis] = tensor.Index{At: &i}
	return e.Got(x.Subscript(index...))
}

// Stack joins arrays of one shape along a new axis.
func (e *Eval) Stack(axis int, list ...*tensor.Dense) *tensor.Dense {
	for i, d := range list {
		list[i] = e.Permute(d, WithNewAxis(d.Rank(), axis))
	}
	return e.Concatenate(axis, list...)
}

// WithNewAxis is the pattern of DimShuffle that adds an axis.
func WithNewAxis(rank, axis int) []int {
	var pattern []int
	for i := range rank {
		pattern = append(pattern, i)
	}
	return slices.Insert(pattern, axis, tensor.NewAxis)
}

func (e *Eval) Concatenate(axis int, list ...*tensor.Dense) *tensor.Dense {
	if e.Failed() {
		return Meaningless()
	}
	z, err := array.Concatenate(list, axis, StopOf(e.Session))
	return e.Got(e.Noted(z, err, list...), err)
}

// Result returns an array as the value of the call, or a number if it has no dimensions.
func (e *Eval) Result(d *tensor.Dense) starlark.Value {
	if e.Failed() {
		return nil
	}
	return FromDenseIn(e.Session, d)
}

// As returns x with elements of the type d, which is Invalid if nobody gave one.
func (e *Eval) As(d kernels.DType, x *tensor.Dense) *tensor.Dense {
	if e.Failed() || d == kernels.Invalid || d == x.DType() {
		return x
	}
	poll := e.Poll()
	return poll.AsType(x, d)
}

// Out returns the argument out with the elements of z in it, where the mask is true if there is
// one.
func (e *Eval) Out(out starlark.Value, z *tensor.Dense, where starlark.Value) starlark.Value {
	if e.Failed() {
		return nil
	}
	v, err := e.Call.stored(out, z, where)
	return Keep(e, v, err, nil)
}

// Itself is viewOf for functions that return the array they were given where there is nothing to
// do, as NumPy's do.
func (e *Eval) Itself(v starlark.Value, d *tensor.Dense) starlark.Value {
	if e.Failed() {
		return nil
	}
	from, _ := e.Receiver().(*Array)
	if from == nil {
		from, _ = v.(*Array)
	}
	if from != nil && from.D.Same(d) {
		return from
	}
	return e.ViewOf(v, d)
}

// ViewOf is value for an array that may lie in the memory of the argument v, or of the receiver.
func (e *Eval) ViewOf(v starlark.Value, d *tensor.Dense) starlark.Value {
	if e.Failed() {
		return nil
	}
	from, _ := e.Receiver().(*Array)
	if from == nil {
		from, _ = v.(*Array)
	}
	if from != nil && tensor.SharesMemory(from.D, d) {
		return from.View(d)
	}
	return NewArray(e.Session, d)
}

// ReadNumber reads an argument that is a number, or infinity as text.
func ReadNumber(param string, v starlark.Value) (float64, error) {
	switch s, _ := starlark.AsString(v); s {
	case "inf":
		return math.Inf(1), nil
	case "-inf":
		return math.Inf(-1), nil
	}
	x, ok := starlark.AsFloat(value.NumberOf(v))
	if !ok {
		return 0, fmt.Errorf("for parameter %s: got %s, want a number", param, v.Type())
	}
	return x, nil
}

// Number reads an argument that is a number.
func (e *Eval) Number(param string, v starlark.Value) float64 {
	x, err := ReadNumber(param, v)
	return Keep(e, x, err, 0)
}

// FromRank returns axis, or fails for an array of fewer dimensions than rank.
func (e *Eval) FromRank(a *tensor.Dense, rank, axis int) int {
	if a.Rank() < rank {
		e.Fail("got %d dimensions, want at least %d", a.Rank(), rank)
		return 0
	}
	return axis
}

// DiagonalOf is a diagonal, as a view.
func (e *Eval) DiagonalOf(a *tensor.Dense, offset, axis1, axis2 int) *tensor.Dense {
	if e.Failed() {
		return Meaningless()
	}
	return e.Got(tensor.Diagonal(a, offset, axis1, axis2))
}

// OfSets calls a function of two arrays that are taken for sets.
func (e *Eval) OfSets(f func(c array.Calculator, a, b *tensor.Dense) (*tensor.Dense, error), a, b *tensor.Dense) *tensor.Dense {
	a, b = e.Flat(a), e.Flat(b)
	return e.Compute(func(c array.Calculator) (*tensor.Dense, error) { return f(c, a, b) })
}

// Filter returns the elements of a vector where a mask is true.
func (e *Eval) Filter(a, mask *tensor.Dense) *tensor.Dense {
	return e.OfSets(array.Calculator.Filter, a, mask)
}

// Callback calls a function of the user's.
func (e *Eval) Callback(fn starlark.Callable, args starlark.Tuple) starlark.Value {
	if e.Failed() {
		return nil
	}
	v, err := value.Call(e.Thread, fn, args, nil)
	return Keep(e, v, err, nil)
}
