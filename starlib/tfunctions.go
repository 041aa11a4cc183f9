package starlib

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// variableParam is the parameter of a function of one variable.
var variableParam = value.Param{Name: "x", Doc: "variable, number or array"}

// unary makes the row of a function of one variable and further arguments, which fn gets in the order of params, nil where they
// are not given. fn may panic with a *graph.Error as graph.Builder.Apply does.
func unary(name, doc, example string, params []value.Param,
	fn func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error)) value.Builtin {
	return value.Builtin{Name: name, Doc: doc, Example: example, Params: append([]value.Param{variableParam}, params...),
		Fn: func(thread *starlark.Thread, row *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			values, err := row.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			s := SessionOf(thread)
			b := s.builder(thread)
			x, err := s.variable(b, values[0], nil)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			var out *graph.Variable
			var failed error
			if err := catch(func() { out, failed = fn(s, b, x, values[1:]) }); err != nil {
				return nil, s.locate(err)
			}
			if failed != nil {
				return nil, fmt.Errorf("%s: %w", name, failed)
			}
			return Symbol{s, out}, nil
		}}
}

var (
	axisParam     = value.Param{Name: "axis", Default: "None", Doc: "an axis, a tuple of axes, or None for all"}
	keepdimsParam = value.Param{Name: "keepdims", Default: "False", Doc: "leave the reduced axes in the result with length 1"}
	axisParams    = []value.Param{axisParam, keepdimsParam}
)

// axesOf reads an axis argument.
func axesOf(v starlark.Value, rank int) (tensor.Axes, error) {
	if v == nil || v == starlark.None {
		return tensor.AllAxes(rank), nil
	}
	list := []starlark.Value{v}
	if seq, ok := v.(starlark.Indexable); ok {
		list = nil
		for i := range seq.Len() {
			list = append(list, seq.Index(i))
		}
	}
	var axes tensor.Axes
	for _, e := range list {
		n, err := starlark.AsInt32(value.Plain(e))
		if err != nil {
			return 0, fmt.Errorf("axis: got %s, want int, a tuple of ints or None", e.Type())
		}
		if n, err = tensor.NormalizeAxis(n, rank); err != nil {
			return 0, err
		}
		axes |= tensor.AxesOf(n)
	}
	return axes, nil
}

// reducer makes the row of a reduction; reduce gets the axes.
func reducer(name, doc, example string,
	reduce func(b *graph.Builder, x *graph.Variable, axes tensor.Axes) *graph.Variable) value.Builtin {
	return unary(name, doc, example, axisParams,
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			rank := x.Type.Rank()
			axes, err := axesOf(rest[0], rank)
			if err != nil {
				return nil, err
			}
			return keep(b, reduce(b, x, axes), axes, rank, rest[1]), nil
		})
}

// keep restores reduced axes if keepdims is true.
func keep(b *graph.Builder, v *graph.Variable, axes tensor.Axes, rank int, keepdims starlark.Value) *graph.Variable {
	if keepdims != nil && bool(keepdims.Truth()) && axes != 0 {
		return b.Apply(op.NewDimShuffle(op.Restore(axes, rank)), v)
	}
	return v
}

func reduce(kind op.Reduction) func(b *graph.Builder, x *graph.Variable, axes tensor.Axes) *graph.Variable {
	return func(b *graph.Builder, x *graph.Variable, axes tensor.Axes) *graph.Variable {
		return b.Apply(op.Reduce{Kind: kind, Axes: axes}, x)
	}
}

// variance is the mean of the squared distance from the mean.
func variance(b *graph.Builder, x *graph.Variable, axes tensor.Axes) *graph.Variable {
	mean := b.Apply(op.NewDimShuffle(op.Restore(axes, x.Type.Rank())), op.Mean(b, x, axes))
	return op.Mean(b, b.Apply(op.Sqr, b.Apply(op.Sub, x, mean)), axes)
}

var tensorReductions = []value.Builtin{
	reducer("sum", "Sum along axes. Integers and bools are added up as int64 or uint64.", "T.sum([1.0, 2.0]).eval() # 3.0",
		reduce(op.Sum)),
	reducer("prod", "Product along axes.", "T.prod([2.0, 3.0]).eval() # 6.0", reduce(op.Prod)),
	reducer("max", "Largest element along axes; nan if there is one.", "T.max([1.0, 3.0]).eval() # 3.0", reduce(op.Max)),
	reducer("min", "Smallest element along axes; nan if there is one.", "T.min([1.0, 3.0]).eval() # 1.0", reduce(op.Min)),
	reducer("mean", "Mean along axes, as a float.", "T.mean([1.0, 3.0]).eval() # 2.0", op.Mean),
	reducer("var", "Variance along axes: the mean of the squared distance from the mean.", "T.var([1.0, 3.0]).eval() # 1.0",
		variance),
	reducer("std", "Standard deviation along axes: the square root of the variance.", "T.std([1.0, 3.0]).eval() # 1.0",
		func(b *graph.Builder, x *graph.Variable, axes tensor.Axes) *graph.Variable {
			return b.Apply(op.Sqrt, variance(b, x, axes))
		}),
	reducer("any", "Whether any element along axes is true.", "T.any([False, True]).eval() # True",
		func(b *graph.Builder, x *graph.Variable, axes tensor.Axes) *graph.Variable {
			return b.Apply(op.Reduce{Kind: op.Max, Axes: axes}, b.Apply(op.Neq, x, b.Like(x, 0)))
		}),
	reducer("all", "Whether all elements along axes are true.", "T.all([False, True]).eval() # False",
		func(b *graph.Builder, x *graph.Variable, axes tensor.Axes) *graph.Variable {
			return b.Apply(op.Reduce{Kind: op.Min, Axes: axes}, b.Apply(op.Neq, x, b.Like(x, 0)))
		}),
	argReducer("argmax", "Position of the largest element along an axis, or in the flattened variable; the first of several.",
		"T.argmax([1.0, 3.0, 2.0]).eval() # 1", false),
	argReducer("argmin", "Position of the smallest element along an axis, or in the flattened variable; the first of several.",
		"T.argmin([2.0, 1.0, 3.0]).eval() # 1", true),
	unary("norm", "The L-th norm along axes: the L-th root of the sum of |x|**L.", "T.norm([3.0, 4.0], 2).eval() # 5.0",
		[]value.Param{{Name: "L", Doc: "1, 2 or another number"}, axisParam},
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			axes, err := axesOf(rest[1], x.Type.Rank())
			if err != nil {
				return nil, err
			}
			l, ok := starlark.AsFloat(value.Plain(rest[0]))
			if !ok || l <= 0 {
				return nil, fmt.Errorf("for parameter L: got %s, want a positive number", rest[0])
			}
			if l != 1 && !x.Type.DType.IsFloat() {
				x = b.Apply(op.Cast(kernels.Float64), x)
			}
			switch l {
			case 1:
				return b.Apply(op.Reduce{Kind: op.Sum, Axes: axes}, b.Apply(op.Abs, x)), nil
			case 2:
				return b.Apply(op.Sqrt, b.Apply(op.Reduce{Kind: op.Sum, Axes: axes}, b.Apply(op.Sqr, x))), nil
			}
			sum := b.Apply(op.Reduce{Kind: op.Sum, Axes: axes}, b.Apply(op.Pow, b.Apply(op.Abs, x), b.Like(x, l)))
			return b.Apply(op.Pow, sum, b.Like(sum, 1/l)), nil
		}),
}

func argReducer(name, doc, example string, least bool) value.Builtin {
	return unary(name, doc, example,
		[]value.Param{{Name: "axis", Default: "None", Doc: "an axis, or None for the flattened variable"}, keepdimsParam},
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			if rest[0] == nil || rest[0] == starlark.None {
				all := tensor.AllAxes(x.Type.Rank())
				return keep(b, b.Apply(op.Argmax{Min: least}, flatten(b, x)), all, x.Type.Rank(), rest[1]), nil
			}
			axes, err := axesOf(rest[0], x.Type.Rank())
			if err != nil {
				return nil, err
			}
			if axes.Len() != 1 {
				return nil, fmt.Errorf("axis: got %s, want one axis or None", rest[0])
			}
			return keep(b, b.Apply(op.Argmax{Axis: axes.List()[0], Min: least}, x), axes, x.Type.Rank(), rest[1]), nil
		})
}

func flatten(b *graph.Builder, x *graph.Variable) *graph.Variable {
	return b.Apply(op.Reshape{Rank: 1}, x, b.Constant(tensor.From([]int64{-1}, 1)))
}

// lengths reads a shape argument: ints and symbolic scalars, or a symbolic vector whose length is known.
func (s *Session) lengths(b *graph.Builder, v starlark.Value) ([]*graph.Variable, error) {
	if x, ok := v.(Symbol); ok && x.v.Type.Rank() == 1 {
		n := x.v.Type.Dim(0)
		if n == graph.Unknown {
			return nil, fmt.Errorf("shape: the number of axes must be known: got %v", x.v.Type)
		}
		if x.v.Op() == graph.Op(op.MakeVector{}) {
			return x.v.Owner.Inputs, nil
		}
		list := make([]*graph.Variable, n)
		for i := range list {
			list[i] = b.Apply(op.Subtensor{Index: op.Subscripts(fmt.Sprint(i))}, x.v)
		}
		return list, nil
	}
	values := []starlark.Value{v}
	if seq, ok := v.(starlark.Indexable); ok {
		values = nil
		for i := range seq.Len() {
			values = append(values, seq.Index(i))
		}
	}
	list := make([]*graph.Variable, len(values))
	for i, e := range values {
		switch e := value.Plain(e).(type) {
		case starlark.Int:
			n, ok := e.Int64()
			if !ok {
				return nil, fmt.Errorf("shape: length %s is too large", e)
			}
			list[i] = b.Constant(tensor.IntScalar(kernels.Int64, n))
		case Symbol:
			if e.v.Type.Rank() != 0 || !e.v.Type.DType.IsInteger() {
				return nil, fmt.Errorf("shape: axis %d: got %v, want an integer scalar", i, e.v.Type)
			}
			list[i] = e.v
			if e.v.Type.DType != kernels.Int64 {
				list[i] = b.Apply(op.Cast(kernels.Int64), e.v)
			}
		default:
			return nil, fmt.Errorf("shape: axis %d: got %s, want int or a symbolic integer", i, e.Type())
		}
	}
	return list, nil
}

// shapeVector makes the int64 vector that Reshape takes.
func shapeVector(b *graph.Builder, lengths []*graph.Variable) *graph.Variable {
	known := make([]int64, len(lengths))
	for i, v := range lengths {
		if !v.IsConstant() {
			return b.Apply(op.MakeVector{}, lengths...)
		}
		known[i] = v.Data.Ints()[0]
	}
	return b.Constant(tensor.From(known, len(known)))
}

// constantOf makes the row of T.zeros and T.ones.
func constantOf(name string, element float64) value.Builtin {
	return value.Builtin{Name: name, Doc: fmt.Sprintf("A variable of the given shape, all elements %v.", element),
		Example: fmt.Sprintf("T.%s(2).eval() # array([%v., %v.])", name, element, element),
		Params: []value.Param{{Name: "shape", Doc: "a length or a tuple of lengths, which may be symbolic"},
			{Name: "dtype", Default: "None", Doc: "name of the element type; floatX if not given"}},
		Fn: func(thread *starlark.Thread, row *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := row.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			s := SessionOf(thread)
			b := s.builder(thread)
			d := s.floatX()
			if v[1] != nil && v[1] != starlark.None {
				if d, err = np.DtypeArg(v[1]); err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
			}
			var list []*graph.Variable
			if err := catch(func() { list, err = s.lengths(b, v[0]) }); err != nil {
				return nil, err
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			return s.apply(b, op.Alloc{}, append([]*graph.Variable{b.Number(d, element)}, list...)...)
		}}
}

// constantLike makes the row of T.zeros_like and T.ones_like.
func constantLike(name string, value float64) value.Builtin {
	return unary(name, fmt.Sprintf("A variable of x's shape and type, all elements %v.", value),
		fmt.Sprintf("T.%s([5.0, 6.0]).eval() # array([%v., %v.])", name, value, value), nil,
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			return b.Apply(op.Second, x, b.Like(x, value)), nil
		})
}

var tensorShapes = []value.Builtin{
	constantOf("zeros", 0), constantOf("ones", 1), constantLike("zeros_like", 0), constantLike("ones_like", 1),
	unary("shape", "The lengths of x's axes, as an int64 vector.", "T.shape([[1.0, 2.0]]).eval() # array([1, 2])", nil,
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			return op.ShapeOf(b, x), nil
		}),
	unary("reshape", "x with another shape, elements in the same order. One length may be -1: what the others leave.",
		"T.reshape([1.0, 2.0], (2, 1)).eval() # array([[1.],\n       [2.]])",
		[]value.Param{{Name: "shape", Doc: "a tuple of lengths, which may be symbolic"},
			{Name: "ndim", Default: "None", Doc: "number of axes of the result, for Theano's sake"}},
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			list, err := s.lengths(b, rest[0])
			if err != nil {
				return nil, err
			}
			return b.Apply(op.Reshape{Rank: len(list)}, x, shapeVector(b, list)), nil
		}),
	unary("flatten", "x as a vector or, with ndim, with its last axes flattened into one.",
		"T.flatten([[1.0], [2.0]]).eval() # array([1., 2.])",
		[]value.Param{{Name: "ndim", Default: "1", Doc: "number of axes of the result"}},
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			n := 1
			if rest[0] != nil {
				if err := starlark.AsInt(value.Plain(rest[0]), &n); err != nil || n < 1 || n > max(x.Type.Rank(), 1) {
					return nil, fmt.Errorf("ndim: got %s, want a number from 1 to %d", rest[0], max(x.Type.Rank(), 1))
				}
			}
			lengths := append(op.Lengths(b, x)[:n-1:n-1], b.Constant(tensor.IntScalar(kernels.Int64, -1)))
			return b.Apply(op.Reshape{Rank: n}, x, shapeVector(b, lengths)), nil
		}),
	unary("dimshuffle",
		`x with its axes in another order: a number is an axis of x, "x" a new one of length 1; axes left out must have length 1.`,
		`T.dimshuffle([1.0, 2.0], 0, "x").eval() # array([[1.],`+"\n       [2.]])",
		[]value.Param{{Name: "*pattern", Doc: `axes and "x"`}},
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			pattern := rest[0].(starlark.Tuple)
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
			return b.Apply(op.NewDimShuffle(axes), x), nil
		}),
	unary("transpose", "x with its axes reversed or, with axes, in that order.",
		"T.transpose([[1.0, 2.0]]).eval() # array([[1.],\n       [2.]])",
		[]value.Param{{Name: "axes", Default: "None", Doc: "a tuple of all axes"}},
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			if rest[0] == nil || rest[0] == starlark.None {
				return op.Transpose(b, x), nil
			}
			seq, ok := rest[0].(starlark.Indexable)
			if !ok || seq.Len() != x.Type.Rank() {
				return nil, fmt.Errorf("axes: got %s, want a tuple of %d axes", rest[0], x.Type.Rank())
			}
			axes := make([]int, seq.Len())
			for i := range axes {
				if err := starlark.AsInt(value.Plain(seq.Index(i)), &axes[i]); err != nil {
					return nil, fmt.Errorf("axes: %w", err)
				}
				var err error
				if axes[i], err = tensor.NormalizeAxis(axes[i], x.Type.Rank()); err != nil {
					return nil, err
				}
			}
			return b.Apply(op.NewDimShuffle(axes), x), nil
		}),
	unary("iround", "The integer nearest to x, as an int64; halves go to the even one.", "T.iround(2.5).eval() # 2", nil,
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			return b.Apply(op.Cast(kernels.Int64), b.Apply(op.Round, x)), nil
		}),
	unary("cast", "x converted to another element type.", `T.cast(2.7, "int32").eval() # 2`,
		[]value.Param{{Name: "dtype", Doc: "name of the element type"}},
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			d, err := np.DtypeArg(rest[0])
			switch {
			case err == nil && x.Weak && x.IsConstant():
				return b.Constant(x.Data.AsType(d)), nil
			case err != nil || d == x.Type.DType && !x.Weak:
				return x, err
			}
			return strong(b.Apply(op.Cast(d), x)), nil
		}),
	unary("alloc", "x broadcast to a shape, in memory of its own.", "T.alloc(1.0, 2).eval() # array([1., 1.])",
		[]value.Param{{Name: "*shape", Doc: "lengths, which may be symbolic"}},
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			list, err := s.lengths(b, rest[0])
			if err != nil {
				return nil, err
			}
			out := b.Apply(op.Alloc{}, slices.Concat([]*graph.Variable{x}, list)...)
			out.Weak = x.Weak // whatever the lengths are
			return out, nil
		}),
	asTensor("constant", "A constant: a number, which becomes floatX or an integer, or an array."),
	asTensor("as_tensor", "The variable itself, or a constant of the value."),
	asTensor("as_tensor_variable", "The variable itself, or a constant of the value."),
}

func asTensor(name, doc string) value.Builtin {
	return unary(name, doc, "T."+name+"(7.0).eval() # 7.0",
		[]value.Param{{Name: "name", Default: "None", Doc: "what it is called"},
			{Name: "dtype", Default: "None", Doc: "name of the element type"}},
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			if rest[1] != nil && rest[1] != starlark.None {
				d, err := np.DtypeArg(rest[1])
				if err != nil {
					return nil, err
				}
				if x.IsConstant() {
					x = b.Constant(x.Data.AsType(d))
				} else if d != x.Type.DType {
					return nil, fmt.Errorf("got a variable of type %v, want %v; use T.cast", x.Type, d)
				}
			}
			if text, ok := rest[0].(starlark.String); ok {
				if !x.IsConstant() {
					return nil, fmt.Errorf("for parameter name: got the name of a variable that has one; set its .name")
				}
				x = likeWeak(x, b.Constant(x.Data)) // somebody else may know x by another name
				x.Name = string(text)
			}
			return x, nil
		})
}

// intoSubtensor makes the row of T.set_subtensor and T.inc_subtensor.
func intoSubtensor(name, doc, example string, set bool) value.Builtin {
	return unary(name, doc, example, []value.Param{{Name: "y", Doc: "what to put there; it broadcasts"}},
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			part, ok := x.Op().(op.Subtensor)
			if !ok {
				return nil, fmt.Errorf("got %s, want a subscripted variable such as x[1:3]", graph.Mention(x))
			}
			whole := x.Owner.Inputs[0]
			y, err := s.variable(b, rest[0], whole)
			if err != nil {
				return nil, err
			}
			return b.Apply(op.IncSubtensor{Index: part.Index, Set: set},
				append([]*graph.Variable{whole, y}, x.Owner.Inputs[1:]...)...), nil
		})
}

var tensorProducts = []value.Builtin{
	intoSubtensor("set_subtensor", "A copy of v with y in the place of x, which is a subscript of v: T.set_subtensor(v[1:3], y).",
		"T.set_subtensor(T.zeros(3)[1:], 5.0).eval() # array([0., 5., 5.])", true),
	intoSubtensor("inc_subtensor", "A copy of v with y added to x, which is a subscript of v: T.inc_subtensor(v[1:3], y).",
		"T.inc_subtensor(T.ones(3)[0], 5.0).eval() # array([6., 1., 1.])", false),
	unary("dot", "The product of vectors and matrices.", "T.dot([1.0, 2.0], [3.0, 4.0]).eval() # 11.0",
		[]value.Param{{Name: "y", Doc: "variable, number or array"}},
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			y, err := s.variable(b, rest[0], x)
			if err != nil {
				return nil, err
			}
			if x.Type.Rank() == 0 || y.Type.Rank() == 0 {
				return b.Apply(op.Mul, x, y), nil
			}
			return b.Apply(op.Dot{}, x, y), nil
		}),
	unary("outer", "The products of all pairs of elements of two vectors.",
		"T.outer([1.0, 2.0], [3.0]).eval() # array([[3.],\n       [6.]])", []value.Param{{Name: "y", Doc: "a vector"}},
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			y, err := s.variable(b, rest[0], x)
			if err != nil {
				return nil, err
			}
			if x.Type.Rank() != 1 || y.Type.Rank() != 1 {
				return nil, fmt.Errorf("got %v and %v, want vectors", x.Type, y.Type)
			}
			return b.Apply(op.Mul, b.Apply(op.NewDimShuffle([]int{0, tensor.NewAxis}), x),
				b.Apply(op.NewDimShuffle([]int{tensor.NewAxis, 0}), y)), nil
		}),
	rowwise("softmax", "exp(x) / sum(exp(x)) along the last axis, without overflow.",
		"T.softmax([0.0, 0.0]).eval() # array([0.5, 0.5])", op.Softmax{}),
	rowwise("logsoftmax", "The logarithm of softmax(x) along the last axis, without overflow.",
		"T.logsoftmax([0.0]).eval() # array([0.])", op.Softmax{Log: true}),
	unary("relu", "x where it is positive and 0 elsewhere.", "T.relu([-1.0, 2.0]).eval() # array([0., 2.])", nil,
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			return b.Apply(op.Maximum, x, b.Like(x, 0)), nil
		}),
	unary("clip", "x limited to the range from a_min to a_max.", "T.clip([-1.0, 2.0], 0.0, 1.0).eval() # array([0., 1.])",
		[]value.Param{{Name: "a_min", Doc: "lower limit"}, {Name: "a_max", Doc: "upper limit"}},
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			lo, err := s.variable(b, rest[0], x)
			if err != nil {
				return nil, err
			}
			hi, err := s.variable(b, rest[1], x)
			if err != nil {
				return nil, err
			}
			return b.Apply(op.Minimum, b.Apply(op.Maximum, x, lo), hi), nil
		}),
}

func rowwise(name, doc, example string, o op.Softmax) value.Builtin {
	return unary(name, doc, example, nil,
		func(s *Session, b *graph.Builder, x *graph.Variable, rest []starlark.Value) (*graph.Variable, error) {
			if !x.Type.DType.IsFloat() {
				x = b.Apply(op.Cast(s.floatX()), x)
			}
			return b.Apply(o, x), nil
		})
}
