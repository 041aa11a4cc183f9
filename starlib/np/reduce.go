package np

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// ReduceCall is what a reduction computes. dtype is Invalid if it was not given.
type ReduceCall struct {
	Session value.Host
	X       *tensor.Dense
	Axes    tensor.Axes
	Dtype   kernels.DType
	Ddof    float64
	Where   *tensor.Dense // bools of x's shape: which elements count; nil for all
	Initial *Operand      // what to begin with; nil for nothing
}

// Reductions are the functions that combine the elements along axes, by their names: the kinds of
// op.Reduce, and what is made of them.
var Reductions = func() map[string]func(c *ReduceCall) (*tensor.Dense, error) {
	m := map[string]func(c *ReduceCall) (*tensor.Dense, error){
		"ptp": (*ReduceCall).spread, "mean": (*ReduceCall).mean, "var": (*ReduceCall).variance, "std": (*ReduceCall).deviation,
	}
	for kind := range op.Reductions {
		m[kind.String()] = func(c *ReduceCall) (*tensor.Dense, error) {
			if kind.Bools() {
				return c.truth(kind)
			}
			return c.fold(kind)
		}
	}
	return m
}()

// Parameters of reductions, in the order that they come in.
type (
	ReduceArg struct {
		ArrayArg
		Axis functions.Axes `arg:"axis=None: the axis or axes to reduce; all of them if not given"`
	}
	ReduceTypeArg struct {
		DType kernels.DType `arg:"dtype=None: the type to compute in"`
	}
	DdofArg struct {
		Ddof float64 `arg:"ddof=0: what is taken off the number of elements before dividing by it"`
	}
	KeepDimsArg struct {
		KeepDims bool `arg:"keepdims=False: keep the reduced axes with length 1"`
	}
	accumulateArg struct {
		AccDType kernels.DType `arg:"acc_dtype=None: the type to add up or multiply in; float64 of float32 if not given" symbolic:"NumPy's is dtype"`
	}
	initialArg struct {
		Initial starlark.Value `arg:"initial=None: what to begin with: the result of no elements" eager:"put it in with T.maximum, + or their like"`
	}
	whereArg struct {
		Where starlark.Value `arg:"where=True: bools: the elements that count" eager:"put the others to what does not count with T.switch"`
		OutArg
	}
)

// Arguments of reductions. Theano's come in the order axis, dtype, keepdims where NumPy wants names
// after dtype.
type (
	truthArgs struct {
		ReduceArg
		KeepDimsArg
		KeywordOnly
		whereArg
	}
	extremeArgs struct {
		ReduceArg
		KeepDimsArg
		KeywordOnly
		initialArg
		whereArg
	}
	foldArgs struct {
		ReduceArg
		ReduceTypeArg
		KeepDimsArg
		KeywordOnly
		initialArg
		whereArg
		accumulateArg
	}
	meanArgs struct {
		ReduceArg
		ReduceTypeArg
		KeepDimsArg
		KeywordOnly
		whereArg
		accumulateArg
	}
	varianceArgs struct {
		ReduceArg
		ReduceTypeArg
		KeywordOnly
		DdofArg
		KeepDimsArg
		whereArg
		Corrected bool `arg:"corrected=False: take off what the rounding of the mean adds" symbolic:"NumPy leaves it"`
	}
)

// reductionTable is the reductions, functions of np and methods of arrays.
var reductionTable = []functions.Function{
	Function("np.sum ndarray.sum T.sum", "The sum of the elements along axis. Sums of integers and bools are int64 or uint64; T adds float32 up in float64.",
		"sum([[1, 2], [3, 4]], axis=0) # array([4, 6])", fold("sum"), folds(op.Sum)),
	Function("np.prod np.product ndarray.prod T.prod",
		"The product of the elements along axis. Products of integers and bools are int64 or uint64; T multiplies float32 in float64.",
		"prod([1, 2, 3, 4]) # 24", fold("prod"), folds(op.Prod)),
	Function("np.max np.amax ndarray.max T.max", "The largest element along axis; nan if one is.",
		"max([[1, 2], [3, 0]], axis=1) # array([2, 3])", extreme("max"), extremes(op.Max)),
	Function("np.min np.amin ndarray.min T.min", "The smallest element along axis; nan if one is.",
		"min([[1, 2], [3, 0]], axis=1) # array([1, 0])", extreme("min"), extremes(op.Min)),
	Function("np.ptp ndarray.ptp T.ptp", "The range along axis: the largest element less the smallest.",
		"ptp([[1, 5], [3, 0]], axis=1) # array([4, 3])", reducing("ptp"), reduces(formula.Ptp)),
	Function("np.any np.sometrue ndarray.any T.any", "Whether some element along axis is not zero.", "any([0, 2]) # True",
		reducing("any"), reduces(formula.Truths(op.Any))),
	Function("np.all np.alltrue ndarray.all T.all", "Whether every element along axis is not zero.", "all([0, 2]) # False",
		reducing("all"), reduces(formula.Truths(op.All))),
	Function("np.mean ndarray.mean T.mean", "The mean of the elements along axis; float64 of integers and bools.",
		"mean([1, 2, 3, 4]) # 2.5", func(e *Eval, a *meanArgs) starlark.Value {
			return e.reduced("mean", &a.ReduceArg, a.KeepDimsArg, a.whereArg, &ReduceCall{Dtype: a.DType})
		}, functions.Builds(func(g *functions.Graph, a *meanArgs) (functions.V, error) {
			to, how, err := a.accumulated(&a.ReduceArg, a.DType)
			if err != nil {
				return nil, err
			}
			z, err := a.Built(g, FloatType(to), a.KeepDimsArg, func(b *graph.Builder, x functions.V, axes tensor.Axes) functions.V {
				return op.MeanBy(b, how.Over(axes), x)
			})
			if err != nil {
				return nil, err
			}
			return formula.Cast(g.Builder, z, a.to(meanType)), nil
		})),
	Function("np.var ndarray.var T.var", "The mean of the squared distances from the mean along axis.",
		"var([1, 3]) # 1.0", variance("var"), variances(formula.Variance)),
	Function("np.std ndarray.std T.std", "The standard deviation along axis: the square root of the variance.",
		"std([1, 3]) # 1.0", variance("std"), variances(formula.Std)),
	Function("np.argmax ndarray.argmax T.argmax",
		"The position of the largest element along axis, the first of several; of the first nan if there is one.",
		"argmax([2, 3, 1]) # 1", argExtreme(false), argExtremes(false)),
	Function("np.argmin ndarray.argmin T.argmin",
		"The position of the smallest element along axis, the first of several; of the first nan if there is one.",
		"argmin([2, 3, 1]) # 2", argExtreme(true), argExtremes(true)),
}

// Built is a reduction of a variable, computed in a type if one is given.
func (a *ReduceArg) Built(g *functions.Graph, d kernels.DType, keep KeepDimsArg, reduce formula.Reducer) (functions.V, error) {
	rank := a.A.V.Type.Rank()
	axes, err := a.Axis.Dropped(rank)
	if err != nil {
		return nil, err
	}
	z := reduce(g.Builder, formula.Cast(g.Builder, a.A.V, d), axes)
	if keep.KeepDims {
		z = formula.KeepAxes(g.Builder, z, axes, rank)
	}
	return z, nil
}

// accumulated says what elements are converted to before a sum, Invalid for nothing, and how that
// adds up: in acc_dtype, else in dtype or in what elements of their type are added up in, whichever
// holds more.
func (a *accumulateArg) accumulated(of *ReduceArg, dtype kernels.DType) (to kernels.DType, how op.Reduce, err error) {
	own := of.A.V.Type.DType
	switch acc := a.AccDType; {
	case acc == kernels.Invalid && own.IsFloat() && dtype.IsFloat() && kernels.Promote(dtype, own) != dtype:
		return kernels.Invalid, how, nil
	case acc == kernels.Invalid:
		return dtype, how, nil
	case own.IsFloat() && kernels.Promote(own, acc) != acc:
		return acc, how, fmt.Errorf("acc_dtype: got %v for elements of %v, want a type that holds them: dtype=%[1]q rounds the result alone", acc, own)
	case acc == how.Accumulates(own) && (dtype == kernels.Invalid || dtype == own): // as it is done anyway
		return kernels.Invalid, how, nil
	default:
		how.Narrow = acc == kernels.Float32
		return acc, how, nil
	}
}

// FloatType is d if it is a float type: means are not computed in others.
func FloatType(d kernels.DType) kernels.DType {
	if d.IsFloat() {
		return d
	}
	return kernels.Invalid
}

// to is the type of a result: dtype or, where it is added up in another type, the one that the
// elements have without that.
func (a *foldArgs) to(result func(kernels.DType) kernels.DType) kernels.DType {
	return resultType(&a.ReduceArg, a.DType, a.AccDType, result)
}

func (a *meanArgs) to(result func(kernels.DType) kernels.DType) kernels.DType {
	return resultType(&a.ReduceArg, a.DType, a.AccDType, result)
}

func resultType(a *ReduceArg, d, acc kernels.DType, result func(kernels.DType) kernels.DType) kernels.DType {
	if d == kernels.Invalid && acc != kernels.Invalid {
		return result(a.A.V.Type.DType)
	}
	return d
}

// meanType is the type of a mean.
func meanType(d kernels.DType) kernels.DType { return cmp.Or(FloatType(d), kernels.Float64) }

func reduces(reduce formula.Reducer) functions.Half[truthArgs] {
	return functions.Builds(func(g *functions.Graph, a *truthArgs) (functions.V, error) {
		return a.Built(g, kernels.Invalid, a.KeepDimsArg, reduce)
	})
}

func extremes(kind op.Reduction) functions.Half[extremeArgs] {
	return functions.Builds(func(g *functions.Graph, a *extremeArgs) (functions.V, error) {
		return a.Built(g, kernels.Invalid, a.KeepDimsArg, formula.Reduce(kind))
	})
}

func folds(kind op.Reduction) functions.Half[foldArgs] {
	return functions.Builds(func(g *functions.Graph, a *foldArgs) (functions.V, error) {
		to, how, err := a.accumulated(&a.ReduceArg, a.DType)
		if err != nil {
			return nil, err
		}
		how.Kind = kind
		z, err := a.Built(g, to, a.KeepDimsArg, func(b *graph.Builder, x functions.V, axes tensor.Axes) functions.V {
			return b.Apply(how.Over(axes), x)
		})
		if err != nil {
			return nil, err
		}
		return formula.Cast(g.Builder, z, a.to(kind.Result)), nil
	})
}

func variances(of formula.Spreading) functions.Half[varianceArgs] {
	return functions.Builds(func(g *functions.Graph, a *varianceArgs) (functions.V, error) {
		return a.Built(g, FloatType(a.DType), a.KeepDimsArg, func(b *graph.Builder, x functions.V, axes tensor.Axes) functions.V {
			if a.Corrected {
				return of(b, x, axes, a.Ddof, formula.Corrected)
			}
			return of(b, x, axes, a.Ddof)
		})
	})
}

func reducing(name string) func(e *Eval, a *truthArgs) starlark.Value {
	return func(e *Eval, a *truthArgs) starlark.Value {
		return e.reduced(name, &a.ReduceArg, a.KeepDimsArg, a.whereArg, &ReduceCall{})
	}
}

func extreme(name string) func(e *Eval, a *extremeArgs) starlark.Value {
	return func(e *Eval, a *extremeArgs) starlark.Value {
		return e.reduced(name, &a.ReduceArg, a.KeepDimsArg, a.whereArg, &ReduceCall{Initial: e.initial(a.initialArg)})
	}
}

func fold(name string) func(e *Eval, a *foldArgs) starlark.Value {
	return func(e *Eval, a *foldArgs) starlark.Value {
		return e.reduced(name, &a.ReduceArg, a.KeepDimsArg, a.whereArg, &ReduceCall{Dtype: a.DType, Initial: e.initial(a.initialArg)})
	}
}

func variance(name string) func(e *Eval, a *varianceArgs) starlark.Value {
	return func(e *Eval, a *varianceArgs) starlark.Value {
		return e.reduced(name, &a.ReduceArg, a.KeepDimsArg, a.whereArg, &ReduceCall{Dtype: a.DType, Ddof: a.Ddof})
	}
}

// initial is what a reduction begins with, nil if nobody said.
func (e *Eval) initial(a initialArg) *Operand {
	if a.Initial == nil {
		return nil
	}
	first, err := operandOf(a.Initial)
	if err != nil {
		e.WrongType("initial", a.Initial, "a number")
	}
	return &first
}

// reduced runs the reduction c, whose array, axes and mask come from the arguments.
func (e *Eval) reduced(name string, a *ReduceArg, keep KeepDimsArg, end whereArg, c *ReduceCall) starlark.Value {
	x := a.A.D
	axes, err := a.Axis.Dropped(x.Rank())
	if err != nil {
		e.Fail("%w", err)
	}
	c.Session, c.X, c.Axes = e.Session, x, axes
	if end.Where != nil && end.Where != starlark.True {
		c.Where = e.mask(end.Where, x.Shape())
	}
	if e.Failed() {
		return nil
	}
	z := e.Got(Reductions[name](c))
	if keep.KeepDims {
		z = e.Permute(z, op.Restore(axes, x.Rank()))
	}
	return e.Result(z)
}

// mask reads the bools that say which elements of an array of a shape count.
func (e *Eval) mask(v starlark.Value, shape []int) *tensor.Dense {
	bools, err := ToDenseAs(v, kernels.Bool)
	if err != nil {
		e.FailFor("where", "%w", err)
		return nil
	}
	wide, ok := bools.BroadcastTo(shape)
	if !ok {
		e.FailFor("where", "got a shape that does not broadcast to %s", tensor.ShapeString(shape))
	}
	return wide
}

// methodExample turns "np.sum(x, axis=0) # r" into "np.array(x).sum(axis=0) # r".
func methodExample(example, name string) string {
	call, result, _ := strings.Cut(example, " # ")
	args := strings.TrimSuffix(strings.TrimPrefix(call, "np."+name+"("), ")")
	end, depth := 0, 0
	for end = range args { // of the first argument
		switch args[end] {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		}
		if depth == 0 && strings.HasPrefix(args[end+1:], ", ") {
			break
		}
	}
	x, rest := args[:end+1], strings.TrimPrefix(args[end+1:], ", ")
	return "np.array(" + x + ")." + name + "(" + rest + ") # " + result
}

// fold reduces with the kernel of a kind. The result lacks the reduced axes.
func (c *ReduceCall) fold(kind op.Reduction) (*tensor.Dense, error) {
	x := c.X
	if c.Dtype != kernels.Invalid && c.Dtype != x.DType() {
		x = x.AsType(c.Dtype)
	}
	x, err := c.masked(kind, x)
	if err != nil {
		return nil, err
	}
	if _, defined := kind.Identity(); c.Initial != nil && c.Size() == 0 && !defined {
		return c.onlyInitial(x)
	}
	z, err := RunOp(c.Session, op.Reduce{Kind: kind, Axes: c.Axes, Narrow: true}, x)
	if err != nil {
		return nil, err
	}
	if c.Initial != nil {
		if z, err = ufuncOf(kind.Fold()).apply(c.Session, []Operand{{d: z}, *c.Initial}); err != nil {
			return nil, err
		}
	}
	if c.Dtype != kernels.Invalid && z.DType() != c.Dtype {
		z = z.AsType(c.Dtype)
	}
	return z, err
}

// spread is ptp.
func (c *ReduceCall) spread() (*tensor.Dense, error) {
	high, err := c.fold(op.Max)
	if err != nil {
		return nil, err
	}
	low, err := c.fold(op.Min)
	if err != nil {
		return nil, err
	}
	return ufuncs["subtract"].on(c.Session, high, low)
}

// truth reduces truth values.
func (c *ReduceCall) truth(kind op.Reduction) (*tensor.Dense, error) {
	x := c.X.As(kernels.Bool)
	if c.Where != nil {
		var err error
		if x, err = ufuncs["where"].on(c.Session, c.Where, x, tensor.FromBools([]bool{Neutral(kind) != 0})); err != nil {
			return nil, err
		}
	}
	return RunOp(c.Session, op.Reduce{Kind: kind, Axes: c.Axes}, x)
}

// Neutral is what changes nothing that kind reduces: what it gives of no elements.
func Neutral(kind op.Reduction) int {
	x, _ := kind.Identity()
	return int(x)
}

func withoutAxes(shape []int, axes tensor.Axes) []int {
	var kept []int
	for axis, n := range shape {
		if !axes.Has(axis) {
			kept = append(kept, n)
		}
	}
	return kept
}

// float gives the elements a float type: dtype, or float64 for integers and bools.
func (c *ReduceCall) float() {
	if c.Dtype.IsFloat() {
		c.X = c.X.AsType(c.Dtype)
	} else if !c.X.DType().IsFloat() {
		c.X = c.X.AsType(kernels.Float64)
	}
}

func (c *ReduceCall) mean() (*tensor.Dense, error) {
	to := c.Dtype
	c.float()
	c.Dtype = kernels.Invalid
	sum, err := c.fold(op.Sum)
	if err != nil {
		return nil, err
	}
	n, err := c.count(sum.DType())
	if err != nil {
		return nil, err
	}
	z, err := ufuncs["divide"].on(c.Session, sum, n)
	if err == nil && to != kernels.Invalid && to != z.DType() {
		z = z.AsType(to)
	}
	return z, err
}

func (c *ReduceCall) variance() (*tensor.Dense, error) {
	c.float()
	c.Dtype = kernels.Invalid
	x := c.X
	mean, err := c.mean()
	if err != nil {
		return nil, err
	}
	if mean, err = mean.DimShuffle(op.Restore(c.Axes, x.Rank())); err != nil {
		return nil, err
	}
	calc := array.Calculator{Evaluator: Evaluator(), Stop: StopOf(c.Session)}
	if c.X, err = array.SquaredDistance(calc, x, mean); err != nil {
		return nil, err
	}
	sum, err := c.fold(op.Sum)
	c.X.Release()
	if err != nil {
		return nil, err
	}
	n, err := c.count(sum.DType())
	if err != nil {
		return nil, err
	}
	if n, err = ufuncs["subtract"].on(c.Session, n, tensor.Scalar(n.DType(), c.Ddof)); err != nil {
		return nil, err
	}
	if n, err = ufuncs["maximum"].on(c.Session, n, tensor.Scalar(n.DType(), 0)); err != nil {
		return nil, err
	}
	return ufuncs["divide"].on(c.Session, sum, n)
}

func (c *ReduceCall) deviation() (*tensor.Dense, error) {
	v, err := c.variance()
	if err != nil {
		return nil, err
	}
	return ufuncs["sqrt"].on(c.Session, v)
}
