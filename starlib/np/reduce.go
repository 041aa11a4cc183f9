package np

import (
	"fmt"
	"strings"
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A reduction combines the elements along axes. Each row is both a function of np and a
// method of arrays.
type reduction struct {
	names   string
	doc     string
	example string // with np.%s for the function
	dtype   bool   // has a parameter dtype, and ddof too if spread
	spread  bool
	initial bool // has a parameter initial
	run     func(c *reduceCall) (*tensor.Dense, error)
}

// reduceCall is a reduction's arguments. dtype is Invalid if it was not given.
type reduceCall struct {
	session value.Host
	x       *tensor.Dense
	axes    tensor.Axes
	dtype   kernels.DType
	ddof    float64
	where   *tensor.Dense // bools of x's shape: which elements count; nil for all
	initial *operand      // what to begin with; nil for nothing
}

var reductionTable = []reduction{
	{names: "sum", dtype: true, initial: true,
		doc:     "The sum of the elements along axis. Sums of integers and bools are int64 or uint64.",
		example: "np.%s([[1, 2], [3, 4]], axis=0) # array([4, 6])",
		run:     func(c *reduceCall) (*tensor.Dense, error) { return c.fold(op.Sum) }},
	{names: "prod product", dtype: true, initial: true,
		doc:     "The product of the elements along axis. Products of integers and bools are int64 or uint64.",
		example: "np.%s([1, 2, 3, 4]) # 24", run: func(c *reduceCall) (*tensor.Dense, error) { return c.fold(op.Prod) }},
	{names: "max amax", initial: true, doc: "The largest element along axis; nan if one is.",
		example: "np.%s([[1, 2], [3, 0]], axis=1) # array([2, 3])",
		run:     func(c *reduceCall) (*tensor.Dense, error) { return c.fold(op.Max) }},
	{names: "min amin", initial: true, doc: "The smallest element along axis; nan if one is.",
		example: "np.%s([[1, 2], [3, 0]], axis=1) # array([1, 0])",
		run:     func(c *reduceCall) (*tensor.Dense, error) { return c.fold(op.Min) }},
	{names: "ptp", doc: "The range along axis: the largest element less the smallest.",
		example: "np.%s([[1, 5], [3, 0]], axis=1) # array([4, 3])", run: (*reduceCall).spread},
	{names: "any sometrue", doc: "Whether some element along axis is not zero.",
		example: "np.%s([0, 2]) # True", run: func(c *reduceCall) (*tensor.Dense, error) { return c.truth(op.Max, false) }},
	{names: "all alltrue", doc: "Whether every element along axis is not zero.",
		example: "np.%s([0, 2]) # False", run: func(c *reduceCall) (*tensor.Dense, error) { return c.truth(op.Min, true) }},
	{names: "mean", dtype: true, doc: "The mean of the elements along axis; float64 of integers and bools.",
		example: "np.%s([1, 2, 3, 4]) # 2.5", run: (*reduceCall).mean},
	{names: "var", dtype: true, spread: true, doc: "The mean of the squared distances from the mean along axis.",
		example: "np.%s([1, 3]) # 1.0", run: (*reduceCall).variance},
	{names: "std", dtype: true, spread: true, doc: "The standard deviation along axis: the square root of the variance.",
		example: "np.%s([1, 3]) # 1.0", run: func(c *reduceCall) (*tensor.Dense, error) {
			v, err := c.variance()
			if err != nil {
				return nil, err
			}
			return ufuncs["sqrt"].on(c.session, v)
		}},
}

// reductionsByName are the rows of reductionTable by their names.
var reductionsByName = sync.OnceValue(func() map[string]reduction {
	m := map[string]reduction{}
	for _, r := range reductionTable {
		for name := range strings.FieldsSeq(r.names) {
			m[name] = r
		}
	}
	return m
})

// reductionRows are the functions of reductionTable, for prefix "np." or "ndarray.".
func reductionRows(prefix string) []value.Builtin {
	method := prefix == "ndarray."
	var table []value.Builtin
	for _, r := range reductionTable {
		for i, name := range strings.Fields(r.names) {
			if method && i > 0 {
				continue // methods have no aliases
			}
			params := []string{"axis=None: the axis or axes to reduce; all of them if not given"}
			if r.dtype {
				params = append(params, "dtype=None: the type to compute in")
			}
			params = append(params, "*:")
			if r.spread {
				params = append(params, "ddof=0: what is taken off the number of elements before dividing by it")
			}
			params = append(params, "keepdims=False: keep the reduced axes with length 1")
			if r.initial {
				params = append(params, "initial=None: what to begin with: the result of no elements")
			}
			params = append(params, "where=True: bools: the elements that count", "out=None: an array for the result")
			example := strings.Replace(r.example, "%s", name, 1)
			if method {
				example = methodExample(example, name)
			} else {
				params = append([]string{"a: an array"}, params...)
			}
			table = append(table, numpyRow(prefix, name, r.doc, example, r.call, params...))
		}
	}
	for _, least := range []bool{false, true} {
		name, what, result := "argmax", "largest", "1"
		if least {
			name, what, result = "argmin", "smallest", "2"
		}
		doc := fmt.Sprintf("The position of the %s element along axis, the first of several; of the first nan if there is one.",
			what)
		example := fmt.Sprintf("np.%s([2, 3, 1]) # %s", name, result)
		params := []string{"axis=None: the axis; a position among all elements if not given", "*:",
			"keepdims=False: keep the reduced axis with length 1"}
		if method {
			example = methodExample(example, name)
		} else {
			params = append([]string{"a: an array"}, params...)
		}
		table = append(table, numpyRow(prefix, name, doc, example, func(c *call) (starlark.Value, error) {
			return argExtreme(c, least)
		}, params...))
	}
	return table
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

// operand returns the array that a function reduces, or the method's receiver, and the
// index of the parameter after it.
func (c *call) operand() (*tensor.Dense, int, error) {
	if a, ok := c.Receiver().(*Array); ok {
		return a.d, 0, nil
	}
	d, err := c.array(0)
	return d, 1, err
}

func (r reduction) call(c *call) (starlark.Value, error) {
	x, i, err := c.operand()
	if err != nil {
		return nil, err
	}
	rc := &reduceCall{session: c.session, x: x}
	if rc.axes, err = c.reducedAxes(i, x.Rank()); err != nil {
		return nil, err
	}
	i++
	if r.dtype {
		if rc.dtype, err = c.dtype(i, kernels.Invalid); err != nil {
			return nil, err
		}
		i++
	}
	i++ // the "*"
	if r.spread {
		if rc.ddof, err = c.float(i, 0); err != nil {
			return nil, err
		}
		i++
	}
	keep, err := c.bool(i, false)
	if err != nil {
		return nil, err
	}
	i++
	if r.initial {
		if c.v[i] != nil {
			first, err := operandOf(c.v[i])
			if err != nil {
				return nil, c.wrong(i, "a number")
			}
			rc.initial = &first
		}
		i++
	}
	if c.v[i] != nil && c.v[i] != starlark.True {
		if rc.where, err = ToDenseAs(c.v[i], kernels.Bool); err != nil {
			return nil, fmt.Errorf("for parameter where: %w", err)
		}
		var ok bool
		if rc.where, ok = rc.where.BroadcastTo(x.Shape()); !ok {
			return nil, fmt.Errorf("for parameter where: got a shape that does not broadcast to %s", tensor.ShapeString(x.Shape()))
		}
	}
	z, err := r.run(rc)
	if err == nil && keep {
		z, err = z.DimShuffle(op.Restore(rc.axes, x.Rank()))
	}
	if err != nil {
		return nil, err
	}
	return c.store(i+1, z, nil)
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
	if c.initial != nil && c.size() == 0 && (kind == op.Max || kind == op.Min) {
		return c.onlyInitial(x)
	}
	z, err := runOp(c.session, op.Reduce{Kind: kind, Axes: c.axes}, x)
	if err != nil {
		return nil, err
	}
	if c.initial != nil {
		if z, err = ufuncs[foldsOf[kind]].apply(c.session, []operand{{d: z}, *c.initial}); err != nil {
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

// truth reduces truth values; empty is the answer for no elements.
func (c *reduceCall) truth(kind op.Reduction, empty bool) (*tensor.Dense, error) {
	x := c.x.AsType(kernels.Bool)
	if c.where != nil {
		var err error
		if x, err = ufuncs["where"].on(c.session, c.where, x, tensor.FromBools([]bool{empty})); err != nil {
			return nil, err
		}
	}
	for _, axis := range c.axes.List() {
		if x.Dim(axis) == 0 {
			// Other axes decide how many answers there are.
			z := tensor.New(kernels.Bool, withoutAxes(x.Shape(), c.axes)...)
			if empty {
				z.Fill(1)
			}
			return z, nil
		}
	}
	return runOp(c.session, op.Reduce{Kind: kind, Axes: c.axes}, x)
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
	distance, err := ufuncs["subtract"].on(c.session, x, mean)
	if err != nil {
		return nil, err
	}
	if c.x, err = ufuncs["square"].on(c.session, distance); err != nil {
		return nil, err
	}
	sum, err := c.fold(op.Sum)
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

// argExtreme is argmax and argmin.
func argExtreme(c *call, least bool) (starlark.Value, error) {
	x, i, err := c.operand()
	if err != nil {
		return nil, err
	}
	keep, err := c.bool(i+2, false)
	if err != nil {
		return nil, err
	}
	rank := x.Rank()
	axis, axes := 0, tensor.AllAxes(rank)
	if c.v[i] == nil {
		x, err = x.Reshape(x.Size())
	} else if axis, err = c.int(i, 0); err == nil {
		if rank == 0 { // counts as an array with an axis
			x, err = x.Reshape(1)
		}
		if err == nil {
			axis, err = tensor.NormalizeAxis(axis, x.Rank())
		}
		if axes = tensor.AxesOf(axis); rank == 0 {
			axes = 0
		}
	}
	if err != nil {
		return nil, err
	}
	z, err := runOp(c.session, op.Argmax{Axis: axis, Min: least}, x)
	if err == nil && keep {
		z, err = z.DimShuffle(op.Restore(axes, rank))
	}
	return c.result(z, err)
}
