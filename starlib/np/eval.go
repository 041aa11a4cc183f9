package np

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// An eval reads the arguments of a call and computes with arrays. It keeps the first error, so that a function reads like its
// formula; from then on its results are numbers without meaning, and whoever looks at shapes or elements asks failed before.
type eval struct {
	*call
	err  error
	made array.Made    // on the way to the result
	to   *tensor.Dense // where the result is to be, nil if nobody said
}

// newEval returns the eval of a call.
func newEval(b *value.Builtin, thread *starlark.Thread, s value.Host) *eval {
	e := evals.Get().(*eval)
	e.Builtin, e.thread, e.session = b, thread, s
	return e
}

// evals are those of calls that have ended, without what they held.
var evals = sync.Pool{New: func() any { return &eval{call: new(call)} }}

// end gives back what was computed on the way to v, the value of a call, if the call is forgetful. What holds nothing of e ends it.
func (e *eval) end(v starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) {
	var result *tensor.Dense
	switch v := v.(type) {
	case *Array:
		result = v.d
	case Scalar, starlark.Int, starlark.Float, starlark.Bool:
	default:
		return
	}
	if !e.made.None() && (value.Callable{Builtin: e.Builtin}).Forgets(args, kwargs) {
		e.made.Release(result)
	}
	e.made.Forget()
	*e.call, e.err, e.to = call{}, nil, nil
	evals.Put(e)
}

// evalRow is numpyRow for a function that computes with an eval.
func evalRow(prefix, name, doc, example string, fn func(e *eval) starlark.Value, params ...string) value.Builtin {
	return numpyRow(prefix, name, doc, example, func(c *call) (starlark.Value, error) {
		e := &eval{call: c}
		v := fn(e)
		if e.err != nil {
			return nil, e.err
		}
		return v, nil
	}, params...)
}

func (e *eval) failed() bool { return e.err != nil }

// fail records an error, unless there was one before.
func (e *eval) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf(format, args...)
	}
}

// failAt records an error of argument i.
func (e *eval) failAt(i int, format string, args ...any) {
	e.fail("for parameter "+strings.TrimLeft(e.Params[i].Name, "*")+": "+format, args...)
}

// keep records the error of a function and returns its value, or otherwise after an error.
func keep[V any](e *eval, v V, err error, otherwise V) V {
	if err != nil && e.err == nil {
		e.err = err
	}
	if e.err != nil {
		return otherwise
	}
	return v
}

// meaningless is what stands for an array after an error.
func meaningless() *tensor.Dense { return tensor.Scalar(kernels.Float64, 0) }

func (e *eval) got(d *tensor.Dense, err error) *tensor.Dense {
	if err != nil || e.err != nil {
		return keep(e, d, err, meaningless())
	}
	return d
}

// given reports whether argument i is there.
func (e *eval) given(i int) bool { return e.v[i] != nil }

func (e *eval) array(i int) *tensor.Dense {
	d, err := e.call.array(i)
	return e.got(d, err)
}

func (e *eval) int(i, otherwise int) int {
	n, err := e.call.int(i, otherwise)
	return keep(e, n, err, otherwise)
}

func (e *eval) bool(i int, otherwise bool) bool {
	b, err := e.call.bool(i, otherwise)
	return keep(e, b, err, otherwise)
}

func (e *eval) dtype(i int, otherwise kernels.DType) kernels.DType {
	d, err := e.call.dtype(i, otherwise)
	return keep(e, d, err, otherwise)
}

// axis reads an axis of an array of the given rank.
func (e *eval) axis(i, otherwise, rank int) int { return e.axisOf(e.int(i, otherwise), rank) }

func (e *eval) axisOf(axis, rank int) int {
	n, err := tensor.NormalizeAxis(axis, rank)
	return keep(e, n, err, 0)
}

// noted is z, which was computed from others: it is given back where the call ends, unless it is its value.
func (e *eval) noted(z *tensor.Dense, err error, from ...*tensor.Dense) *tensor.Dense {
	if err == nil {
		e.made.Note(z, from...)
	}
	return z
}

// do applies an elementwise function of np to arrays and numbers; Go's int and float64 are weak, as Starlark's numbers are.
func (e *eval) do(name string, x ...any) *tensor.Dense {
	if e.failed() {
		return meaningless()
	}
	operands := make([]operand, len(x))
	for i, x := range x {
		switch x := x.(type) {
		case *tensor.Dense:
			operands[i].d = x
		case int:
			operands[i].weak = starlark.MakeInt(x)
		case float64:
			operands[i].weak = starlark.Float(x)
		case starlark.Value:
			var err error
			if operands[i], err = operandOf(x); err != nil {
				e.fail("%w", err)
				return meaningless()
			}
		}
	}
	z, err := ufuncs[name].apply(e.session, operands)
	if err == nil && !slices.ContainsFunc(operands, func(x operand) bool { return x.d != nil && x.d.Buffer() == z.Buffer() }) {
		e.made.Note(z)
	}
	return e.got(z, err)
}

// reduce applies a reduction of np along axes, which are dropped.
func (e *eval) reduce(name string, x *tensor.Dense, axes tensor.Axes) *tensor.Dense {
	if e.failed() {
		return meaningless()
	}
	z, err := reductions[name](&reduceCall{session: e.session, x: x, axes: axes})
	if err == nil {
		e.made.Note(z, x)
	}
	return e.got(z, err)
}

func (e *eval) reshape(x *tensor.Dense, shape ...int) *tensor.Dense {
	if e.failed() {
		return meaningless()
	}
	return e.got(reshape(x, shape))
}

// flat returns the elements as a vector.
func (e *eval) flat(x *tensor.Dense) *tensor.Dense { return e.reshape(x, x.Size()) }

// permute returns a view whose axis i is axis order[i] of x; tensor.NewAxis adds one.
func (e *eval) permute(x *tensor.Dense, order []int) *tensor.Dense {
	if e.failed() {
		return meaningless()
	}
	return e.got(x.DimShuffle(order))
}

// broadcast repeats arrays to their common shape, as views.
func (e *eval) broadcast(list ...*tensor.Dense) []*tensor.Dense {
	shape, err := tensor.CommonShape(list...)
	if keep(e, shape, err, nil); e.failed() {
		return list
	}
	wide := make([]*tensor.Dense, len(list))
	for i, d := range list {
		wide[i], _ = d.BroadcastTo(shape)
	}
	return wide
}

// part returns x[start:stop] along an axis, a view.
func (e *eval) part(x *tensor.Dense, axis, start, stop int) *tensor.Dense {
	return e.slice(x, axis, &start, &stop, nil)
}

func (e *eval) slice(x *tensor.Dense, axis int, start, stop, step *int) *tensor.Dense {
	if e.failed() {
		return meaningless()
	}
	index := make([]tensor.Index, axis+1)
	index[axis] = tensor.Index{Start: start, Stop: stop, Step: step}
	return e.got(x.Subscript(index...))
}

// at returns x[i] along an axis, a view of one dimension less.
func (e *eval) at(x *tensor.Dense, axis, i int) *tensor.Dense {
	if e.failed() {
		return meaningless()
	}
	index := make([]tensor.Index, axis+1)
	index[axis] = tensor.Index{At: &i}
	return e.got(x.Subscript(index...))
}

// stack joins arrays of one shape along a new axis.
func (e *eval) stack(axis int, list ...*tensor.Dense) *tensor.Dense {
	for i, d := range list {
		list[i] = e.permute(d, withNewAxis(d.Rank(), axis))
	}
	return e.concatenate(axis, list...)
}

// withNewAxis is the pattern of DimShuffle that adds an axis.
func withNewAxis(rank, axis int) []int {
	var pattern []int
	for i := range rank {
		pattern = append(pattern, i)
	}
	return slices.Insert(pattern, axis, tensor.NewAxis)
}

func (e *eval) concatenate(axis int, list ...*tensor.Dense) *tensor.Dense {
	if e.failed() {
		return meaningless()
	}
	z, err := array.Concatenate(list, axis, stopOf(e.session))
	return e.got(e.noted(z, err, list...), err)
}

// value returns an array as the value of the call, or a number if it has no dimensions.
func (e *eval) value(d *tensor.Dense) starlark.Value {
	if e.failed() {
		return nil
	}
	return FromDenseIn(e.session, d)
}

// as returns x with elements of the type d, which is Invalid if nobody gave one.
func (e *eval) as(d kernels.DType, x *tensor.Dense) *tensor.Dense {
	if e.failed() || d == kernels.Invalid || d == x.DType() {
		return x
	}
	poll := e.poll()
	return poll.AsType(x, d)
}

// out returns the argument out with the elements of z in it, where the mask is true if there is one.
func (e *eval) out(out starlark.Value, z *tensor.Dense, where starlark.Value) starlark.Value {
	if e.failed() {
		return nil
	}
	v, err := e.call.stored(out, z, where)
	return keep(e, v, err, nil)
}

// itself is viewOf for functions that return the array they were given where there is nothing to do, as NumPy's do.
func (e *eval) itself(v starlark.Value, d *tensor.Dense) starlark.Value {
	if e.failed() {
		return nil
	}
	from, _ := e.Receiver().(*Array)
	if from == nil {
		from, _ = v.(*Array)
	}
	if from != nil && from.d.Same(d) {
		return from
	}
	return e.viewOf(v, d)
}

// viewOf is value for an array that may lie in the memory of the argument v, or of the receiver.
func (e *eval) viewOf(v starlark.Value, d *tensor.Dense) starlark.Value {
	if e.failed() {
		return nil
	}
	from, _ := e.Receiver().(*Array)
	if from == nil {
		from, _ = v.(*Array)
	}
	if from != nil && tensor.SharesMemory(from.d, d) {
		return from.view(d)
	}
	return NewArray(e.session, d)
}
