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

// reduceCall is what a reduction computes. dtype is Invalid if it was not given.
type reduceCall struct {
	session value.Host
	x       *tensor.Dense
	axes    tensor.Axes
	dtype   kernels.DType
	ddof    float64
	where   *tensor.Dense // bools of x's shape: which elements count; nil for all
	initial *operand      // what to begin with; nil for nothing
}

// reductions are the functions that combine the elements along axes, by their names: the kinds of op.Reduce, and what is made of them.
var reductions = func() map[string]func(c *reduceCall) (*tensor.Dense, error) {
	m := map[string]func(c *reduceCall) (*tensor.Dense, error){
		"ptp": (*reduceCall).spread, "mean": (*reduceCall).mean, "var": (*reduceCall).variance, "std": (*reduceCall).deviation,
	}
	for kind := range op.Reductions {
		m[kind.String()] = func(c *reduceCall) (*tensor.Dense, error) {
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
	reduceArg struct {
		arrayArg
		Axis functions.Axes `arg:"axis=None: the axis or axes to reduce; all of them if not given"`
	}
	reduceTypeArg struct {
		DType kernels.DType `arg:"dtype=None: the type to compute in"`
	}
	ddofArg struct {
		Ddof float64 `arg:"ddof=0: what is taken off the number of elements before dividing by it"`
	}
	keepDimsArg struct {
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
		outArg
	}
)

// Arguments of reductions. Theano's come in the order axis, dtype, keepdims where NumPy wants names after dtype.
type (
	truthArgs struct {
		reduceArg
		keepDimsArg
		KeywordOnly
		whereArg
	}
	extremeArgs struct {
		reduceArg
		keepDimsArg
		KeywordOnly
		initialArg
		whereArg
	}
	foldArgs struct {
		reduceArg
		reduceTypeArg
		keepDimsArg
		KeywordOnly
		initialArg
		whereArg
		accumulateArg
	}
	meanArgs struct {
		reduceArg
		reduceTypeArg
		keepDimsArg
		KeywordOnly
		whereArg
		accumulateArg
	}
	varianceArgs struct {
		reduceArg
		reduceTypeArg
		KeywordOnly
		ddofArg
		keepDimsArg
		whereArg
		Corrected bool `arg:"corrected=False: take off what the rounding of the mean adds" symbolic:"NumPy leaves it"`
	}
)

// reductionTable is the reductions, functions of np and methods of arrays.
var reductionTable = []functions.Function{
	function("np.sum ndarray.sum T.sum", "The sum of the elements along axis. Sums of integers and bools are int64 or uint64; T adds float32 up in float64.",
		"sum([[1, 2], [3, 4]], axis=0) # array([4, 6])", fold("sum"), folds(op.Sum)),
	function("np.prod np.product ndarray.prod T.prod",
		"The product of the elements along axis. Products of integers and bools are int64 or uint64; T multiplies float32 in float64.",
		"prod([1, 2, 3, 4]) # 24", fold("prod"), folds(op.Prod)),
	function("np.max np.amax ndarray.max T.max", "The largest element along axis; nan if one is.",
		"max([[1, 2], [3, 0]], axis=1) # array([2, 3])", extreme("max"), extremes(op.Max)),
	function("np.min np.amin ndarray.min T.min", "The smallest element along axis; nan if one is.",
		"min([[1, 2], [3, 0]], axis=1) # array([1, 0])", extreme("min"), extremes(op.Min)),
	function("np.ptp ndarray.ptp T.ptp", "The range along axis: the largest element less the smallest.",
		"ptp([[1, 5], [3, 0]], axis=1) # array([4, 3])", reducing("ptp"), reduces(formula.Ptp)),
	function("np.any np.sometrue ndarray.any T.any", "Whether some element along axis is not zero.", "any([0, 2]) # True",
		reducing("any"), reduces(formula.Truths(op.Any))),
	function("np.all np.alltrue ndarray.all T.all", "Whether every element along axis is not zero.", "all([0, 2]) # False",
		reducing("all"), reduces(formula.Truths(op.All))),
	function("np.mean ndarray.mean T.mean", "The mean of the elements along axis; float64 of integers and bools.",
		"mean([1, 2, 3, 4]) # 2.5", func(e *eval, a *meanArgs) starlark.Value {
			return e.reduced("mean", &a.reduceArg, a.keepDimsArg, a.whereArg, &reduceCall{dtype: a.DType})
		}, functions.Builds(func(g *functions.Graph, a *meanArgs) (functions.V, error) {
			to, how, err := a.accumulated(&a.reduceArg, a.DType)
			if err != nil {
				return nil, err
			}
			z, err := a.built(g, floatType(to), a.keepDimsArg, func(b *graph.Builder, x functions.V, axes tensor.Axes) functions.V {
				return op.MeanBy(b, how.Over(axes), x)
			})
			if err != nil {
				return nil, err
			}
			return formula.Cast(g.Builder, z, a.to(meanType)), nil
		})),
	function("np.var ndarray.var T.var", "The mean of the squared distances from the mean along axis.",
		"var([1, 3]) # 1.0", variance("var"), variances(formula.Variance)),
	function("np.std ndarray.std T.std", "The standard deviation along axis: the square root of the variance.",
		"std([1, 3]) # 1.0", variance("std"), variances(formula.Std)),
	function("np.argmax ndarray.argmax T.argmax",
		"The position of the largest element along axis, the first of several; of the first nan if there is one.",
		"argmax([2, 3, 1]) # 1", argExtreme(false), argExtremes(false)),
	function("np.argmin ndarray.argmin T.argmin",
		"The position of the smallest element along axis, the first of several; of the first nan if there is one.",
		"argmin([2, 3, 1]) # 2", argExtreme(true), argExtremes(true)),
}

// built is a reduction of a variable, computed in a type if one is given.
func (a *reduceArg) built(g *functions.Graph, d kernels.DType, keep keepDimsArg, reduce formula.Reducer) (functions.V, error) {
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

// accumulated says what elements are converted to before a sum, Invalid for nothing, and how that adds up: in acc_dtype, else in dtype or in what elements of their type
// are added up in, whichever holds more.
func (a *accumulateArg) accumulated(of *reduceArg, dtype kernels.DType) (to kernels.DType, how op.Reduce, err error) {
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

// floatType is d if it is a float type: means are not computed in others.
func floatType(d kernels.DType) kernels.DType {
	if d.IsFloat() {
		return d
	}
	return kernels.Invalid
}

// to is the type of a result: dtype or, where it is added up in another type, the one that the elements have without that.
func (a *foldArgs) to(result func(kernels.DType) kernels.DType) kernels.DType {
	return resultType(&a.reduceArg, a.DType, a.AccDType, result)
}

func (a *meanArgs) to(result func(kernels.DType) kernels.DType) kernels.DType {
	return resultType(&a.reduceArg, a.DType, a.AccDType, result)
}

func resultType(a *reduceArg, d, acc kernels.DType, result func(kernels.DType) kernels.DType) kernels.DType {
	if d == kernels.Invalid && acc != kernels.Invalid {
		return result(a.A.V.Type.DType)
	}
	return d
}

// meanType is the type of a mean.
func meanType(d kernels.DType) kernels.DType { return cmp.Or(floatType(d), kernels.Float64) }

func reduces(reduce formula.Reducer) functions.Half[truthArgs] {
	return functions.Builds(func(g *functions.Graph, a *truthArgs) (functions.V, error) {
		return a.built(g, kernels.Invalid, a.keepDimsArg, reduce)
	})
}

func extremes(kind op.Reduction) functions.Half[extremeArgs] {
	return functions.Builds(func(g *functions.Graph, a *extremeArgs) (functions.V, error) {
		return a.built(g, kernels.Invalid, a.keepDimsArg, formula.Reduce(kind))
	})
}

func folds(kind op.Reduction) functions.Half[foldArgs] {
	return functions.Builds(func(g *functions.Graph, a *foldArgs) (functions.V, error) {
		to, how, err := a.accumulated(&a.reduceArg, a.DType)
		if err != nil {
			return nil, err
		}
		how.Kind = kind
		z, err := a.built(g, to, a.keepDimsArg, func(b *graph.Builder, x functions.V, axes tensor.Axes) functions.V {
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
		return a.built(g, floatType(a.DType), a.keepDimsArg, func(b *graph.Builder, x functions.V, axes tensor.Axes) functions.V {
			if a.Corrected {
				return of(b, x, axes, a.Ddof, formula.Corrected)
			}
			return of(b, x, axes, a.Ddof)
		})
	})
}

func reducing(name string) func(e *eval, a *truthArgs) starlark.Value {
	return func(e *eval, a *truthArgs) starlark.Value {
		return e.reduced(name, &a.reduceArg, a.keepDimsArg, a.whereArg, &reduceCall{})
	}
}

func extreme(name string) func(e *eval, a *extremeArgs) starlark.Value {
	return func(e *eval, a *extremeArgs) starlark.Value {
		return e.reduced(name, &a.reduceArg, a.keepDimsArg, a.whereArg, &reduceCall{initial: e.initial(a.initialArg)})
	}
}

func fold(name string) func(e *eval, a *foldArgs) starlark.Value {
	return func(e *eval, a *foldArgs) starlark.Value {
		return e.reduced(name, &a.reduceArg, a.keepDimsArg, a.whereArg, &reduceCall{dtype: a.DType, initial: e.initial(a.initialArg)})
	}
}

func variance(name string) func(e *eval, a *varianceArgs) starlark.Value {
	return func(e *eval, a *varianceArgs) starlark.Value {
		return e.reduced(name, &a.reduceArg, a.keepDimsArg, a.whereArg, &reduceCall{dtype: a.DType, ddof: a.Ddof})
	}
}

// initial is what a reduction begins with, nil if nobody said.
func (e *eval) initial(a initialArg) *operand {
	if a.Initial == nil {
		return nil
	}
	first, err := operandOf(a.Initial)
	if err != nil {
		e.wrongType("initial", a.Initial, "a number")
	}
	return &first
}

// reduced runs the reduction c, whose array, axes and mask come from the arguments.
func (e *eval) reduced(name string, a *reduceArg, keep keepDimsArg, end whereArg, c *reduceCall) starlark.Value {
	x := a.A.D
	axes, err := a.Axis.Dropped(x.Rank())
	if err != nil {
		e.fail("%w", err)
	}
	c.session, c.x, c.axes = e.session, x, axes
	if end.Where != nil && end.Where != starlark.True {
		c.where = e.mask(end.Where, x.Shape())
	}
	if e.failed() {
		return nil
	}
	z := e.got(reductions[name](c))
	if keep.KeepDims {
		z = e.permute(z, op.Restore(axes, x.Rank()))
	}
	return e.value(z)
}

// mask reads the bools that say which elements of an array of a shape count.
func (e *eval) mask(v starlark.Value, shape []int) *tensor.Dense {
	bools, err := ToDenseAs(v, kernels.Bool)
	if err != nil {
		e.failFor("where", "%w", err)
		return nil
	}
	wide, ok := bools.BroadcastTo(shape)
	if !ok {
		e.failFor("where", "got a shape that does not broadcast to %s", tensor.ShapeString(shape))
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
func (c *reduceCall) fold(kind op.Reduction) (*tensor.Dense, error) {
	x := c.x
	if c.dtype != kernels.Invalid && c.dtype != x.DType() {
		x = x.AsType(c.dtype)
	}
	x, err := c.masked(kind, x)
	if err != nil {
		return nil, err
	}
	if _, defined := kind.Identity(); c.initial != nil && c.size() == 0 && !defined {
		return c.onlyInitial(x)
	}
	z, err := runOp(c.session, op.Reduce{Kind: kind, Axes: c.axes, Narrow: true}, x)
	if err != nil {
		return nil, err
	}
	if c.initial != nil {
		if z, err = ufuncOf(kind.Fold()).apply(c.session, []operand{{d: z}, *c.initial}); err != nil {
			return nil, err
		}
	}
	if c.dtype != kernels.Invalid && z.DType() != c.dtype {
		z = z.AsType(c.dtype)
	}
	return z, err
}

// spread is ptp.
func (c *reduceCall) spread() (*tensor.Dense, error) {
	high, err := c.fold(op.Max)
	if err != nil {
		return nil, err
	}
	low, err := c.fold(op.Min)
	if err != nil {
		return nil, err
	}
	return ufuncs["subtract"].on(c.session, high, low)
}

// truth reduces truth values.
func (c *reduceCall) truth(kind op.Reduction) (*tensor.Dense, error) {
	x := c.x.As(kernels.Bool)
	if c.where != nil {
		var err error
		if x, err = ufuncs["where"].on(c.session, c.where, x, tensor.FromBools([]bool{neutral(kind) != 0})); err != nil {
			return nil, err
		}
	}
	return runOp(c.session, op.Reduce{Kind: kind, Axes: c.axes}, x)
}

// neutral is what changes nothing that kind reduces: what it gives of no elements.
func neutral(kind op.Reduction) int {
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
func (c *reduceCall) float() {
	if c.dtype.IsFloat() {
		c.x = c.x.AsType(c.dtype)
	} else if !c.x.DType().IsFloat() {
		c.x = c.x.AsType(kernels.Float64)
	}
}

func (c *reduceCall) mean() (*tensor.Dense, error) {
	to := c.dtype
	c.float()
	c.dtype = kernels.Invalid
	sum, err := c.fold(op.Sum)
	if err != nil {
		return nil, err
	}
	n, err := c.count(sum.DType())
	if err != nil {
		return nil, err
	}
	z, err := ufuncs["divide"].on(c.session, sum, n)
	if err == nil && to != kernels.Invalid && to != z.DType() {
		z = z.AsType(to)
	}
	return z, err
}

func (c *reduceCall) variance() (*tensor.Dense, error) {
	c.float()
	c.dtype = kernels.Invalid
	x := c.x
	mean, err := c.mean()
	if err != nil {
		return nil, err
	}
	if mean, err = mean.DimShuffle(op.Restore(c.axes, x.Rank())); err != nil {
		return nil, err
	}
	calc := array.Calculator{Evaluator: evaluator(), Stop: stopOf(c.session)}
	if c.x, err = array.SquaredDistance(calc, x, mean); err != nil {
		return nil, err
	}
	sum, err := c.fold(op.Sum)
	c.x.Release()
	if err != nil {
		return nil, err
	}
	n, err := c.count(sum.DType())
	if err != nil {
		return nil, err
	}
	if n, err = ufuncs["subtract"].on(c.session, n, tensor.Scalar(n.DType(), c.ddof)); err != nil {
		return nil, err
	}
	if n, err = ufuncs["maximum"].on(c.session, n, tensor.Scalar(n.DType(), 0)); err != nil {
		return nil, err
	}
	return ufuncs["divide"].on(c.session, sum, n)
}

func (c *reduceCall) deviation() (*tensor.Dense, error) {
	v, err := c.variance()
	if err != nil {
		return nil, err
	}
	return ufuncs["sqrt"].on(c.session, v)
}
