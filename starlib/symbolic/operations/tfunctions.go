package operations

import (
	"cmp"
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
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// TensorRow makes a row of a function that T has and np has not, or not yet with the same
// parameters.
func TensorRow[A any](names, doc, example string, build func(g *functions.Graph, a *A) (*graph.Variable, error)) functions.Function {
	return functions.New(names, doc, example, np.Kinds, functions.Builds(build))
}

// symbolicRow is f as users of a module call it under a name.
func symbolicRow(module, name string, f *functions.Function) value.Builtin {
	return value.Builtin{Name: name, Doc: f.Doc, Example: f.ExampleOf(module, name), Params: f.SymbolicParams(),
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			s := symbolic.SessionOf(thread)
			c, err := f.Read(s, b, args, kwargs)
			if err != nil {
				return nil, err
			}
			g := &functions.Graph{Builder: s.Builder(thread), FloatX: s.FloatX()}
			if err := resolveOperands(s, g.Builder, c); err != nil {
				return nil, value.Named("", name, err)
			}
			out, err := c.Build(g)
			if err != nil {
				if located := s.Locate(err); located != err {
					return nil, located
				}
				return nil, value.Named("", name, graph.Explained(err, c.Variables()))
			}
			list := make([]starlark.Value, len(out))
			for i, v := range out {
				list[i] = symbolic.Symbol{S: s, V: v}
			}
			return c.Result(list), nil
		}}
}

// resolveOperands turns the operands of a call into variables, where a number takes the kind of the
// first variable among them, and shapes into lengths.
func resolveOperands(s *symbolic.Session, b *graph.Builder, c functions.Call) (err error) {
	var like *graph.Variable
	given := c.Operands()
	for _, x := range given {
		if v, ok := x.Value.(symbolic.Symbol); ok && !v.V.Type.DType.IsBool() {
			like = v.V
			break
		}
	}
	operands := make([]*graph.Variable, len(given))
	for i, x := range given {
		if operands[i], err = s.Variable(b, x.Value, like); err != nil {
			return fmt.Errorf("for parameter %s: %w", x.Param, err)
		}
	}
	if err := symbolic.Catch(func() { s.Agree(b, operands) }); err != nil {
		return err
	}
	for i, x := range given {
		x.V = operands[i]
	}
	for _, x := range c.Integers() {
		if x.V, err = s.Variable(b, x.Value, nil); err != nil {
			return fmt.Errorf("for parameter %s: %w", x.Param, err)
		}
	}
	defer graph.Catch(&err)
	for _, x := range c.Lengths() {
		if x.V, err = Lengths(s, b, x.Value, c.Count()); err != nil {
			return fmt.Errorf("for parameter %s: %w", x.Param, err)
		}
	}
	for _, x := range c.Single() {
		one, err := Lengths(s, b, x.Value, functions.Count{})
		switch {
		case err == nil && len(one) != 1 || err != nil && len(Elements(x.Value)) != 1:
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

// Lengths reads a shape argument: ints and symbolic scalars, or a symbolic vector whose length is
// known, or given by another argument. Those of *shape may be one tuple.
func Lengths(s *symbolic.Session, b *graph.Builder, v starlark.Value, n functions.Count) ([]*graph.Variable, error) {
	values := Elements(v)
	if len(values) == 1 {
		values = Elements(values[0])
	}
	if len(values) == 1 {
		if x, ok := values[0].(symbolic.Symbol); ok && x.V.Type.Rank() == 1 {
			if !x.V.Type.DType.IsInteger() {
				return nil, tensor.TypeErrorf("got %v, want integers", x.V.Type)
			}
			all := symbolic.CastTo(b, x.V, kernels.Int64)
			if n.Given() && all.Type.Dim(0) == graph.Unknown {
				return ElementsOf(b, b.Apply(op.SpecifyShape{Dims: op.DimsOf(graph.TypeOf(kernels.Int64, n.N))}, all))
			}
			list, err := ElementsOf(b, all)
			if err != nil && n.Param != "" {
				err = fmt.Errorf("%w; %s=2 says that there are two", err, n.Param)
			}
			return list, err
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
		case symbolic.Symbol:
			if e.V.Type.Rank() != 0 || !e.V.Type.DType.IsInteger() {
				return nil, tensor.TypeErrorf("axis %d: got %v, want an integer scalar", i, e.V.Type)
			}
			list[i] = e.V
			if e.V.Type.DType != kernels.Int64 {
				list[i] = b.Apply(op.Cast(kernels.Int64), e.V)
			}
		default:
			return nil, tensor.TypeErrorf("axis %d: got %s, want int or a symbolic integer", i, e.Type())
		}
	}
	return list, nil
}

// Elements are those of a list, a tuple or an array, or v alone.
func Elements(v starlark.Value) []starlark.Value {
	seq, ok := value.NumberOf(v).(starlark.Sequence)
	if !ok {
		return []starlark.Value{v}
	}
	return slices.Collect(starlark.Elements(seq))
}

// ElementsOf are those of a vector whose length is known.
func ElementsOf(b *graph.Builder, v *graph.Variable) ([]*graph.Variable, error) {
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

// VariableArg is the parameter of functions of one variable. Its further keywords are those of
// Theano and PyTensor.
type VariableArg struct {
	X functions.Operand `arg:"x|a|t|arry|diag: variable, number or array"`
}

// reduceArgs are those of a reduction.
type reduceArgs struct {
	VariableArg
	Axis     functions.Axes `arg:"axis=None: an axis, a tuple of axes, or None for all"`
	Keepdims bool           `arg:"keepdims=False: leave the reduced axes in the result with length 1"`
}

// reducedTable is the reductions that T alone has.
var reducedTable = []functions.Function{
	TensorRow("T.logsumexp T.special.logsumexp", "log(sum(exp(x))) along axes, without overflow.", "logsumexp([0.0, 0.0]) # 0.6931471805599453",
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
			VariableArg
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
	TensorRow("T.norm", "The L-th norm along axes: the L-th root of the sum of |x|**L.", "norm([3.0, 4.0], 2) # 5.0",
		func(g *functions.Graph, a *struct {
			VariableArg
			L        float64        `arg:"L: 1, 2 or another number"`
			Axis     functions.Axes `arg:"axis=None: an axis, a tuple of axes, or None for all"`
			Keepdims bool           `arg:"keepdims=False: leave the axes in the result with length 1"`
		}) (*graph.Variable, error) {
			rank := a.X.V.Type.Rank()
			axes, err := a.Axis.Dropped(rank)
			if err != nil {
				return nil, err
			}
			z, err := formula.Norm(g.Builder, a.X.V, a.L, axes)
			if err == nil && a.Keepdims {
				z = formula.KeepAxes(g.Builder, z, axes, rank)
			}
			return z, err
		}),
}

// shapedTable is the functions of shapes and types that T alone has.
var shapedTable = []functions.Function{
	TensorRow("T.identity_like", "The matrix of x's shape with ones on the main diagonal.",
		"identity_like([[5.0, 6.0], [7.0, 8.0]]) # array([[1., 0.],\n       [0., 1.]])", func(g *functions.Graph, a *struct {
			VariableArg
			DType kernels.DType `arg:"dtype=None: another element type than x's"`
		}) (*graph.Variable, error) {
			if t := a.X.V.Type; t.Rank() != 2 {
				return nil, fmt.Errorf("got %v, want a matrix", t)
			}
			n := op.Lengths(g.Builder, a.X.V)
			return formula.Eye(g.Builder, n[0], n[1], formula.Int(g.Builder, 0), cmp.Or(a.DType, a.X.V.Type.DType))
		}),
	TensorRow("T.reshape", "x with another shape, elements in the same order. One length may be -1: what the others leave.",
		"reshape([1.0, 2.0], (2, 1)) # array([[1.],\n       [2.]])", func(g *functions.Graph, a *struct {
			VariableArg
			Shape functions.Lengths `arg:"shape|newshape: a tuple of lengths, which may be symbolic, or a symbolic vector of them"`
			Ndim  functions.Count   `arg:"ndim=None: the number of axes of the result, where shape is a vector whose length is not known"`
		}) (*graph.Variable, error) {
			if err := cmp.Or(a.Ndim.Agrees(len(a.Shape.V)), oneOpen(a.Shape.V)); err != nil {
				return nil, err
			}
			return formula.Reshape(g.Builder, a.X.V, a.Shape.V), nil
		}),
	TensorRow("T.flatten", "x as a vector or, with ndim, with its last axes flattened into one.",
		"flatten([[1.0], [2.0]]) # array([1., 2.])", func(g *functions.Graph, a *struct {
			VariableArg
			Ndim int `arg:"ndim|outdim=1: number of axes of the result"`
		}) (*graph.Variable, error) {
			return formula.Flatten(g.Builder, a.X.V, a.Ndim)
		}),
	TensorRow("T.dimshuffle",
		`x with its axes in another order: a number is an axis of x, "x" a new one of length 1; axes left out must have length 1.`,
		`dimshuffle([1.0, 2.0], 0, "x") # array([[1.],`+"\n       [2.]])", dimshuffle),
	TensorRow("T.iround", "The integer nearest to x, as an int64.", "iround(2.5) # 2",
		func(g *functions.Graph, a *roundArgs) (*graph.Variable, error) {
			z, err := a.rounded(g.Builder)
			if err != nil {
				return nil, err
			}
			return g.Apply(op.Cast(kernels.Int64), z), nil
		}),
	TensorRow("T.alloc", "x broadcast to a shape, in memory of its own.", "alloc(1.0, 2) # array([1., 1.])", func(g *functions.Graph, a *struct {
		VariableArg
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
	VariableArg
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
			return nil, tensor.TypeErrorf(`got %s in the pattern, want an axis or "x"`, p)
		}
	}
	return formula.Permute(g.Builder, a.X.V, axes), nil
}

// writeArgs are those of T.set_subtensor.
type writeArgs struct {
	VariableArg
	Y       functions.Operand `arg:"y: what to put there; it broadcasts"`
	Inplace starlark.Value    `arg:"inplace=False: accepted: compiled functions write in place where nobody sees it"`
	Aliased starlark.Value    `arg:"tolerate_inplace_aliasing=False: accepted, as inplace"`
}

// addArgs are those of T.inc_subtensor.
type addArgs struct {
	VariableArg
	Y       functions.Operand `arg:"y: what to add there; it broadcasts"`
	Inplace starlark.Value    `arg:"inplace=False: accepted: compiled functions write in place where nobody sees it"`
	Set     bool              `arg:"set_instead_of_inc=False: whether to set, as T.set_subtensor"`
	Aliased starlark.Value    `arg:"tolerate_inplace_aliasing=False: accepted, as inplace"`
	Once    bool              `arg:"ignore_duplicates=False: whether a place that the subscript names twice is added to once"`
}

// into writes y where x was taken from.
func into(b *graph.Builder, x, y *graph.Variable, set bool) (*graph.Variable, error) {
	if part, ok := x.Op().(op.Selecting); ok {
		return b.Apply(part.Into(set), slices.Concat([]*graph.Variable{x.Owner.Inputs[0], y}, x.Owner.Inputs[1:])...), nil
	}
	shuffled, ok := x.Op().(op.DimShuffle)
	if !ok {
		return nil, tensor.TypeErrorf("got %s, want a subscripted variable such as x[1:3]", graph.Mention(x))
	}
	// None put axes into the subscript, or it was transposed: y's axes go where the elements came
	// from.
	part := x.Owner.Inputs[0]
	y, err := unshuffled(b, shuffled, part, x, y)
	if err != nil {
		return nil, err
	}
	switch part.Op().(type) {
	case op.Selecting, op.DimShuffle:
		return into(b, part, y, set)
	}
	if part.Type.Rank() == 0 {
		return nil, tensor.TypeErrorf("got %s, want a subscripted variable such as x[1:3]", graph.Mention(x))
	}
	return b.Apply(op.Subtensor{Index: ":"}.Into(set), part, y), nil // all of it: x[:, None]
}

// unshuffled is y, which is written to a shuffled part, as it is written to the part itself.
func unshuffled(b *graph.Builder, d op.DimShuffle, part, shuffled, y *graph.Variable) (*graph.Variable, error) {
	pattern, err := d.Pattern.Axes()
	if err != nil {
		return nil, err
	}
	if len(pattern) < y.Type.Rank() {
		return nil, fmt.Errorf("y: got %s, which has more axes than %s", graph.Mention(y), graph.Mention(shuffled))
	}
	y = formula.Pad(b, y, len(pattern)-y.Type.Rank(), true)
	lengths, back := slices.Repeat([]int{graph.Unknown}, len(pattern)), slices.Repeat([]int{tensor.NewAxis}, part.Type.Rank())
	for at, axis := range pattern {
		if axis == tensor.NewAxis {
			lengths[at] = 1 // dropped, if y has no more
		} else {
			back[axis] = at
		}
	}
	return formula.Permute(b, b.Apply(op.SpecifyShape{Dims: op.DimsOf(graph.TypeOf(y.Type.DType, lengths...))}, y), back), nil
}

var productTable = []functions.Function{
	TensorRow("T.set_subtensor", "A copy of v with y in the place of x, which is a subscript of v: T.set_subtensor(v[1:3], y).",
		"set_subtensor(T.zeros(3)[1:], 5.0) # array([0., 5., 5.])", func(g *functions.Graph, a *writeArgs) (*graph.Variable, error) {
			return into(g.Builder, a.X.V, a.Y.V, true)
		}),
	TensorRow("T.inc_subtensor", "A copy of v with y added to x, which is a subscript of v: T.inc_subtensor(v[1:3], y).",
		"inc_subtensor(T.ones(3)[0], 5.0) # array([6., 1., 1.])", func(g *functions.Graph, a *addArgs) (*graph.Variable, error) {
			if a.Once && !a.Set {
				return into(g.Builder, a.X.V, g.Apply(op.Add, a.X.V, a.Y.V), true)
			}
			return into(g.Builder, a.X.V, a.Y.V, a.Set)
		}),
	TensorRow("T.nonzero_values", "The elements that are not 0, as a vector.", "nonzero_values([0, 5, 7]) # array([5, 7])",
		func(g *functions.Graph, a *VariableArg) (*graph.Variable, error) {
			return formula.Extract(g.Builder, a.X.V, a.X.V), nil
		}),
	TensorRow("T.batched_dot", "The product of matrices, vectors or numbers for each place of the first axis.",
		"batched_dot([[1, 2], [3, 4]], [[5, 6], [7, 8]]) # array([17, 53])", func(g *functions.Graph, a *struct {
			VariableArg
			Y functions.Operand `arg:"y|b: variable, number or array"`
		}) (*graph.Variable, error) {
			return formula.BatchedDot(g.Builder, a.X.V, a.Y.V)
		}),
}
