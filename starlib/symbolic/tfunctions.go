package symbolic

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// tensorRow makes a row of a function that T has and np has not, or not yet with the same parameters.
func tensorRow[A any](names, doc, example string, build func(g *functions.Graph, a *A) (*graph.Variable, error)) functions.Function {
	return functions.New(names, doc, example, np.Kinds, functions.Builds(build))
}

// symbolicRow is f as users of a module call it under a name.
func symbolicRow(module, name string, f *functions.Function) value.Builtin {
	return value.Builtin{Name: name, Doc: f.Doc, Example: f.ExampleOf(module, name), Params: f.SymbolicParams(),
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			s := SessionOf(thread)
			c, err := f.Read(s, b, args, kwargs)
			if err != nil {
				return nil, err
			}
			g := &functions.Graph{Builder: s.builder(thread), FloatX: s.floatX()}
			if err := s.resolveOperands(g.Builder, c); err != nil {
				return nil, value.Named("", name, err)
			}
			out, err := c.Build(g)
			if err != nil {
				if located := s.locate(err); located != err {
					return nil, located
				}
				return nil, value.Named("", name, graph.Explained(err, c.Variables()))
			}
			list := make([]starlark.Value, len(out))
			for i, v := range out {
				list[i] = Symbol{s, v}
			}
			return f.Result(list), nil
		}}
}

// resolveOperands turns the operands of a call into variables, where a number takes the kind of the first variable among them, and shapes into
// lengths.
func (s *Session) resolveOperands(b *graph.Builder, c functions.Call) (err error) {
	var like *graph.Variable
	given := c.Operands()
	for _, x := range given {
		if v, ok := x.Value.(Symbol); ok && !v.v.Type.DType.IsBool() {
			like = v.v
			break
		}
	}
	operands := make([]*graph.Variable, len(given))
	for i, x := range given {
		if operands[i], err = s.variable(b, x.Value, like); err != nil {
			return fmt.Errorf("for parameter %s: %w", x.Param, err)
		}
	}
	if err := catch(func() { s.agree(b, operands) }); err != nil {
		return err
	}
	for i, x := range given {
		x.V = operands[i]
	}
	for _, x := range c.Integers() {
		if x.V, err = s.variable(b, x.Value, nil); err != nil {
			return fmt.Errorf("for parameter %s: %w", x.Param, err)
		}
	}
	defer graph.Catch(&err)
	for _, x := range c.Lengths() {
		if x.V, err = s.lengths(b, x.Value); err != nil {
			return fmt.Errorf("for parameter %s: %w", x.Param, err)
		}
	}
	for _, x := range c.Single() {
		one, err := s.lengths(b, x.Value)
		switch {
		case err == nil && len(one) != 1 || err != nil && len(elements(x.Value)) != 1:
			err = fmt.Errorf("got %s, want an int or a symbolic integer", x.Value.Type())
		case err != nil:
			err = errors.New(strings.TrimPrefix(err.Error(), "axis 0: "))
		}
		if err != nil {
			return fmt.Errorf("for parameter %s: %w", x.Param, err)
		}
		x.V = one[0]
	}
	return nil
}

// lengths reads a shape argument: ints and symbolic scalars, or a symbolic vector whose length is known. Those of *shape may be one tuple.
func (s *Session) lengths(b *graph.Builder, v starlark.Value) ([]*graph.Variable, error) {
	values := elements(v)
	if len(values) == 1 {
		values = elements(values[0])
	}
	if len(values) == 1 {
		if x, ok := values[0].(Symbol); ok && x.v.Type.Rank() == 1 {
			return elementsOf(b, x.v)
		}
	}
	list := make([]*graph.Variable, len(values))
	for i, e := range values {
		switch e := value.NumberOf(e).(type) {
		case starlark.Int:
			n, ok := e.Int64()
			if !ok {
				return nil, fmt.Errorf("length %s is too large", e)
			}
			list[i] = b.Constant(tensor.IntScalar(kernels.Int64, n))
		case Symbol:
			if e.v.Type.Rank() != 0 || !e.v.Type.DType.IsInteger() {
				return nil, fmt.Errorf("axis %d: got %v, want an integer scalar", i, e.v.Type)
			}
			list[i] = e.v
			if e.v.Type.DType != kernels.Int64 {
				list[i] = b.Apply(op.Cast(kernels.Int64), e.v)
			}
		default:
			return nil, fmt.Errorf("axis %d: got %s, want int or a symbolic integer", i, e.Type())
		}
	}
	return list, nil
}

// elements are those of a list, a tuple or an array, or v alone.
func elements(v starlark.Value) []starlark.Value {
	seq, ok := value.NumberOf(v).(starlark.Sequence)
	if !ok {
		return []starlark.Value{v}
	}
	return slices.Collect(starlark.Elements(seq))
}

// elementsOf are those of a vector whose length is known.
func elementsOf(b *graph.Builder, v *graph.Variable) ([]*graph.Variable, error) {
	n := v.Type.Dim(0)
	if n == graph.Unknown {
		return nil, fmt.Errorf("the number of axes must be known: got %v", v.Type)
	}
	if v.Op() == graph.Op(op.MakeVector{}) {
		return v.Owner.Inputs, nil
	}
	list := make([]*graph.Variable, n)
	for i := range list {
		list[i] = formula.At(b, v, 0, i)
	}
	return list, nil
}

// variableArg is the parameter of functions of one variable.
type variableArg struct {
	X functions.Operand `arg:"x: variable, number or array"`
}

// reduceArgs are those of a reduction.
type reduceArgs struct {
	variableArg
	Axis     functions.Axes `arg:"axis=None: an axis, a tuple of axes, or None for all"`
	Keepdims bool           `arg:"keepdims=False: leave the reduced axes in the result with length 1"`
}

// reducedTable is the reductions that T alone has.
var reducedTable = []functions.Function{
	tensorRow("T.logsumexp T.special.logsumexp", "log(sum(exp(x))) along axes, without overflow.", "logsumexp([0.0, 0.0]) # 0.6931471805599453",
		func(g *functions.Graph, a *reduceArgs) (*graph.Variable, error) {
			rank := a.X.V.Type.Rank()
			axes, err := a.Axis.Dropped(rank)
			if err != nil {
				return nil, err
			}
			z := formula.LogSumExp(g.Builder, a.X.V, axes)
			if a.Keepdims {
				z = formula.KeepAxes(g.Builder, z, axes, rank)
			}
			return z, nil
		}),
	functions.New("T.max_and_argmax", "The largest element along axes and its position: a list of both.",
		"max_and_argmax([1, 3, 2]) # [3, 1]", np.Kinds, functions.BuildsList(func(g *functions.Graph, a *struct {
			variableArg
			Axis     functions.Axes `arg:"axis=None: an axis, several, or None for all; a position among several counts in C order"`
			Keepdims bool           `arg:"keepdims=False: leave the reduced axes in the result with length 1"`
		}) ([]*graph.Variable, error) {
			x := a.X.V
			axes, err := a.Axis.Dropped(x.Type.Rank())
			if err != nil {
				return nil, err
			}
			largest := g.Apply(op.Reduce{Kind: op.Max, Axes: axes}, x)
			if a.Keepdims {
				largest = formula.KeepAxes(g.Builder, largest, axes, x.Type.Rank())
			}
			return []*graph.Variable{largest, formula.Extreme(g.Builder, x, axes, false, a.Keepdims)}, nil
		})),
	tensorRow("T.norm", "The L-th norm along axes: the L-th root of the sum of |x|**L.", "norm([3.0, 4.0], 2) # 5.0",
		func(g *functions.Graph, a *struct {
			variableArg
			L    float64        `arg:"L: 1, 2 or another number"`
			Axis functions.Axes `arg:"axis=None: an axis, a tuple of axes, or None for all"`
		}) (*graph.Variable, error) {
			axes, err := a.Axis.Dropped(a.X.V.Type.Rank())
			if err != nil {
				return nil, err
			}
			return formula.Norm(g.Builder, a.X.V, a.L, axes)
		}),
}

// shapedTable is the functions of shapes and types that T alone has.
var shapedTable = []functions.Function{
	tensorRow("T.identity_like", "The matrix of x's shape with ones on the main diagonal.",
		"identity_like([[5.0, 6.0], [7.0, 8.0]]) # array([[1., 0.],\n       [0., 1.]])", func(g *functions.Graph, a *variableArg) (*graph.Variable, error) {
			if t := a.X.V.Type; t.Rank() != 2 {
				return nil, fmt.Errorf("got %v, want a matrix", t)
			}
			n := op.Lengths(g.Builder, a.X.V)
			return formula.Eye(g.Builder, n[0], n[1], formula.Int(g.Builder, 0), a.X.V.Type.DType)
		}),
	tensorRow("T.reshape", "x with another shape, elements in the same order. One length may be -1: what the others leave.",
		"reshape([1.0, 2.0], (2, 1)) # array([[1.],\n       [2.]])", func(g *functions.Graph, a *struct {
			variableArg
			Shape functions.Lengths `arg:"shape: a tuple of lengths, which may be symbolic"`
			Ndim  starlark.Value    `arg:"ndim=None: number of axes of the result, for Theano's sake"`
		}) (*graph.Variable, error) {
			if err := oneOpen(a.Shape.V); err != nil {
				return nil, err
			}
			return formula.Reshape(g.Builder, a.X.V, a.Shape.V), nil
		}),
	tensorRow("T.flatten", "x as a vector or, with ndim, with its last axes flattened into one.",
		"flatten([[1.0], [2.0]]) # array([1., 2.])", func(g *functions.Graph, a *struct {
			variableArg
			Ndim int `arg:"ndim|outdim=1: number of axes of the result"`
		}) (*graph.Variable, error) {
			return formula.Flatten(g.Builder, a.X.V, a.Ndim)
		}),
	tensorRow("T.dimshuffle",
		`x with its axes in another order: a number is an axis of x, "x" a new one of length 1; axes left out must have length 1.`,
		`dimshuffle([1.0, 2.0], 0, "x") # array([[1.],`+"\n       [2.]])", dimshuffle),
	tensorRow("T.iround", "The integer nearest to x, as an int64; halves go to the even one.", "iround(2.5) # 2",
		func(g *functions.Graph, a *variableArg) (*graph.Variable, error) {
			return g.Apply(op.Cast(kernels.Int64), g.Apply(op.Round, a.X.V)), nil
		}),
	tensorRow("T.alloc", "x broadcast to a shape, in memory of its own.", "alloc(1.0, 2) # array([1., 1.])", func(g *functions.Graph, a *struct {
		variableArg
		Shape functions.Lengths `arg:"*shape: lengths, which may be symbolic"`
	}) (*graph.Variable, error) {
		out := formula.BroadcastTo(g.Builder, a.X.V, a.Shape.V)
		out.Weak = a.X.V.Weak // whatever the lengths are
		return out, nil
	}),
}

// oneOpen refuses a shape to which nothing can be reshaped, as far as it is known.
func oneOpen(lengths []*graph.Variable) error {
	words, wrong, open := make([]string, len(lengths)), "", false
	for axis, v := range lengths {
		n, ok := op.KnownLength(v)
		if words[axis] = "?"; !ok {
			continue
		}
		words[axis] = strconv.Itoa(n)
		if wrong == "" && (n < -1 || n == -1 && open) {
			wrong = fmt.Sprintf("got length %d on axis %d, want at most one -1 and no other negative length", n, axis)
		}
		open = open || n == -1
	}
	if wrong != "" {
		return fmt.Errorf("cannot reshape to (%s): %s", strings.Join(words, ", "), wrong)
	}
	return nil
}

// dimshuffleArgs are those of dimshuffle.
type dimshuffleArgs struct {
	variableArg
	Pattern starlark.Tuple `arg:"*pattern: axes and \"x\""`
}

func dimshuffle(g *functions.Graph, a *dimshuffleArgs) (*graph.Variable, error) {
	pattern := a.Pattern
	if len(pattern) == 1 {
		if seq, ok := pattern[0].(starlark.Indexable); ok && pattern[0].Type() != "string" {
			pattern = pattern[:0:0]
			for i := range seq.Len() {
				pattern = append(pattern, seq.Index(i))
			}
		}
	}
	axes := make([]int, len(pattern))
	for i, p := range pattern {
		if p == starlark.String("x") {
			axes[i] = tensor.NewAxis
		} else if err := starlark.AsInt(value.Plain(p), &axes[i]); err != nil || axes[i] < 0 {
			return nil, fmt.Errorf(`got %s in the pattern, want an axis or "x"`, p)
		}
	}
	return formula.Permute(g.Builder, a.X.V, axes), nil
}

// intoSubtensor makes the row of T.set_subtensor and T.inc_subtensor.
func intoSubtensor(name, doc, example string, set bool) functions.Function {
	return tensorRow("T."+name, doc, example, func(g *functions.Graph, a *struct {
		variableArg
		Y functions.Operand `arg:"y: what to put there; it broadcasts"`
	}) (*graph.Variable, error) {
		return into(g.Builder, a.X.V, a.Y.V, set)
	})
}

// into writes y where x was taken from.
func into(b *graph.Builder, x, y *graph.Variable, set bool) (*graph.Variable, error) {
	part, ok := x.Op().(op.Selecting)
	if !ok {
		return nil, fmt.Errorf("got %s, want a subscripted variable such as x[1:3]%s", graph.Mention(x), insertedHint(x))
	}
	return b.Apply(part.Into(set), slices.Concat([]*graph.Variable{x.Owner.Inputs[0], y}, x.Owner.Inputs[1:])...), nil
}

// insertedHint is the way out if x is a subscript that None gave axes.
func insertedHint(x *graph.Variable) string {
	if x.Op() == nil {
		return ""
	}
	if _, ok := x.Op().(op.DimShuffle); !ok {
		return ""
	}
	return ", without None in the subscript"
}

var productTable = []functions.Function{
	intoSubtensor("set_subtensor", "A copy of v with y in the place of x, which is a subscript of v: T.set_subtensor(v[1:3], y).",
		"set_subtensor(T.zeros(3)[1:], 5.0) # array([0., 5., 5.])", true),
	intoSubtensor("inc_subtensor", "A copy of v with y added to x, which is a subscript of v: T.inc_subtensor(v[1:3], y).",
		"inc_subtensor(T.ones(3)[0], 5.0) # array([6., 1., 1.])", false),
	tensorRow("T.nonzero_values", "The elements that are not 0, as a vector.", "nonzero_values([0, 5, 7]) # array([5, 7])",
		func(g *functions.Graph, a *variableArg) (*graph.Variable, error) {
			return formula.Extract(g.Builder, a.X.V, a.X.V), nil
		}),
	tensorRow("T.batched_dot", "The product of matrices, vectors or numbers for each place of the first axis.",
		"batched_dot([[1, 2], [3, 4]], [[5, 6], [7, 8]]) # array([17, 53])", func(g *functions.Graph, a *struct {
			variableArg
			Y functions.Operand `arg:"y: variable, number or array"`
		}) (*graph.Variable, error) {
			return formula.BatchedDot(g.Builder, a.X.V, a.Y.V)
		}),
}
