package op

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Pattern lists the axes of a DimShuffle: "1 0" is a transpose, "x 0" makes a vector a row. x is a new axis
// of length 1. It is a string so that ops that hold one are comparable.
type Pattern string

// Axes returns the pattern as a list, with tensor.NewAxis for x.
func (p Pattern) Axes() ([]int, error) {
	words := strings.Fields(string(p))
	axes := make([]int, len(words))
	for i, w := range words {
		if w == "x" {
			axes[i] = tensor.NewAxis
			continue
		}
		n, err := strconv.Atoi(w)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("got axis %q in the pattern, want x or a number from 0", w)
		}
		axes[i] = n
	}
	return axes, nil
}

// DimShuffle permutes, inserts and drops axes; the result is a view. Axes that the pattern leaves out must have length 1.
type DimShuffle struct{ Pattern Pattern }

// NewDimShuffle makes a DimShuffle from a list of axes, with tensor.NewAxis for new ones.
func NewDimShuffle(axes []int) DimShuffle {
	words := make([]string, len(axes))
	for i, a := range axes {
		words[i] = "x"
		if a != tensor.NewAxis {
			words[i] = strconv.Itoa(a)
		}
	}
	return DimShuffle{Pattern(strings.Join(words, " "))}
}

func (d DimShuffle) Name() string { return nameOf("dimshuffle", d) }

func (d DimShuffle) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	axes, err := d.Pattern.Axes()
	if err != nil {
		return nil, err
	}
	t := in[0].Type
	if len(axes) > tensor.MaxRank {
		return nil, fmt.Errorf("got %d axes, want at most %d", len(axes), tensor.MaxRank)
	}
	dims, used := make([]int, len(axes)), make([]bool, t.Rank())
	for i, a := range axes {
		switch {
		case a == tensor.NewAxis:
			dims[i] = 1
		case a >= t.Rank():
			return nil, fmt.Errorf("got axis %d, want less than %d", a, t.Rank())
		case used[a]:
			return nil, fmt.Errorf("axis %d is listed twice", a)
		default:
			dims[i], used[a] = t.Dim(a), true
		}
	}
	for a, u := range used {
		if !u && !t.Broadcasts(a) {
			return nil, fmt.Errorf("cannot drop axis %d: its length is not known to be 1", a)
		}
	}
	return []graph.Type{graph.TypeOf(t.DType, dims...)}, nil
}

func (d DimShuffle) ViewMap() []graph.Alias { return []graph.Alias{{Out: 0, In: 0}} }

func (d DimShuffle) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	axes, err := d.Pattern.Axes()
	return func(_ *Call, in, out []*tensor.Dense) (err error) {
		out[0], err = in[0].DimShuffle(axes)
		return err
	}, goImpl, err
}

// Grad puts every axis back where it was.
func (d DimShuffle) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	axes, _ := d.Pattern.Axes()
	back := make([]int, node.Inputs[0].Type.Rank())
	for i := range back {
		back[i] = tensor.NewAxis // a dropped axis
	}
	kept := 0
	// New axes have length 1 and are dropped by leaving them out.
	for i, a := range axes {
		if a != tensor.NewAxis {
			back[a] = i
			kept++
		}
	}
	return []V{b.Apply(NewDimShuffle(back), g[0])}
}

// Transpose reverses the axes of v.
func Transpose(b *graph.Builder, v V) V {
	rank := v.Type.Rank()
	axes := make([]int, rank)
	for i := range axes {
		axes[i] = rank - 1 - i
	}
	return b.Apply(NewDimShuffle(axes), v)
}

// Reshape gives x the shape of the int64 vector shape, which has Rank elements; one of them may be -1. The result is a view where
// x is contiguous.
type Reshape struct{ Rank int }

func (r Reshape) Name() string { return nameOf("reshape", r) }

func (r Reshape) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 2); err != nil {
		return nil, err
	}
	x, s := in[0].Type, in[1].Type
	if s.DType != kernels.Int64 || s.Rank() != 1 || s.Dim(0) != graph.Unknown && s.Dim(0) != r.Rank {
		return nil, fmt.Errorf("got a shape of type %v, want int64[%d]", s, r.Rank)
	}
	if r.Rank < 0 || r.Rank > tensor.MaxRank {
		return nil, fmt.Errorf("got %d axes, want at most %d", r.Rank, tensor.MaxRank)
	}
	dims := vectorValues(in[1], r.Rank)
	if x.IsStatic() && !hasUnknown(dims, -1) {
		full, err := tensor.ResolveShape(x.Dims(), dims)
		if err != nil {
			return nil, err
		}
		dims = full
	}
	for i, d := range dims {
		if d < graph.Unknown {
			return nil, fmt.Errorf("got length %d on axis %d, want -1 or a length", d, i)
		}
	}
	return []graph.Type{graph.TypeOf(x.DType, dims...)}, nil
}

// hasUnknown reports whether more than one of dims is -1, so that the -1 may mean Unknown.
func hasUnknown(dims []int, unknown int) bool {
	n := 0
	for _, d := range dims {
		if d == unknown {
			n++
		}
	}
	return n > 1
}

// vectorValues reads the elements of an integer vector that are known: those of a constant, or the constant operands of
// a MakeVector. What is not known is graph.Unknown, which is also what -1 means to Reshape.
func vectorValues(v V, n int) []int {
	values := make([]int, n)
	for i := range values {
		values[i] = graph.Unknown
	}
	switch {
	case v.Data != nil && v.Data.Size() == n:
		for i, d := range v.Data.Ints() {
			values[i] = int(d)
		}
	case v.Op() == graph.Op(MakeVector{}) && len(v.Owner.Inputs) == n:
		for i, e := range v.Owner.Inputs {
			if d, ok := knownLength(e); ok {
				values[i] = d
			}
		}
	}
	return values
}

// knownLength reads an integer scalar that is a constant, or the length of an axis that is known.
func knownLength(v V) (int, bool) {
	if v.Data != nil && v.Type.Rank() == 0 {
		return int(v.Data.Ints()[0]), true
	}
	if s, ok := v.Op().(ShapeI); ok {
		if d := v.Owner.Inputs[0].Type.Dim(s.Axis); d != graph.Unknown {
			return d, true
		}
	}
	return 0, false
}

func (r Reshape) ViewMap() []graph.Alias { return []graph.Alias{{Out: 0, In: 0}} }

func (r Reshape) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	return func(_ *Call, in, out []*tensor.Dense) (err error) {
		shape := make([]int, r.Rank)
		for i, d := range in[1].Ints() {
			shape[i] = int(d)
		}
		out[0], err = in[0].Reshape(shape...)
		return err
	}, goImpl, nil
}

func (r Reshape) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	x := node.Inputs[0]
	back := b.Apply(Reshape{Rank: x.Type.Rank()}, g[0], ShapeOf(b, x))
	return []V{back, nil}
}

// ShapeI is the length of one axis, an int64 scalar.
type ShapeI struct{ Axis int }

func (s ShapeI) Name() string { return nameOf("shape_i", s) }

func (s ShapeI) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	if s.Axis < 0 || s.Axis >= in[0].Type.Rank() {
		return nil, fmt.Errorf("axis %d is out of bounds for %d dimensions", s.Axis, in[0].Type.Rank())
	}
	return []graph.Type{graph.TypeOf(kernels.Int64)}, nil
}

func (s ShapeI) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	return func(_ *Call, in, out []*tensor.Dense) error {
		out[0] = tensor.IntScalar(kernels.Int64, int64(in[0].Dim(s.Axis)))
		return nil
	}, goImpl, nil
}

// ShapeOf is the shape of v as an int64 vector; lengths that are known are constants.
func ShapeOf(b *graph.Builder, v V) V {
	lengths := Lengths(b, v)
	if len(lengths) == 0 {
		return b.Constant(tensor.New(kernels.Int64, 0))
	}
	return b.Apply(MakeVector{}, lengths...)
}

// Lengths are the lengths of v's axes as int64 scalars; those that are known are constants.
func Lengths(b *graph.Builder, v V) []V {
	lengths := make([]V, v.Type.Rank())
	for axis := range lengths {
		if d := v.Type.Dim(axis); d != graph.Unknown {
			lengths[axis] = b.Constant(tensor.IntScalar(kernels.Int64, int64(d)))
		} else {
			lengths[axis] = b.Apply(ShapeI{Axis: axis}, v)
		}
	}
	return lengths
}

// MakeVector puts scalars of one element type into a vector.
type MakeVector struct{}

func (m MakeVector) Name() string { return "make_vector" }

// Coerce converts the operands to their common element type.
func (m MakeVector) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	if len(in) == 0 {
		return nil, fmt.Errorf("got no operands")
	}
	d := in[0].Type.DType
	for _, v := range in {
		d = kernels.Promote(d, v.Type.DType)
	}
	out := make([]V, len(in))
	for i, v := range in {
		out[i] = castTo(b, v, d)
	}
	return out, nil
}

func (m MakeVector) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if len(in) == 0 {
		return nil, fmt.Errorf("got no operands")
	}
	for i, v := range in {
		if v.Type.Rank() != 0 || v.Type.DType != in[0].Type.DType {
			return nil, fmt.Errorf("operand %d: got %v, want a scalar of type %v", i, v.Type, in[0].Type.DType)
		}
	}
	return []graph.Type{graph.TypeOf(in[0].Type.DType, len(in))}, nil
}

func (m MakeVector) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	return func(c *Call, in, out []*tensor.Dense) error {
		v := c.Alloc(in[0].DType(), []int{len(in)})
		for i, a := range in {
			at, err := v.Subscript(tensor.Index{At: &i})
			if err != nil {
				return err
			}
			tensor.CopyTo(at, a)
		}
		out[0] = v
		return nil
	}, goImpl, nil
}

func (m MakeVector) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	grads := make([]V, len(node.Inputs))
	if node.Outputs[0].Type.DType.IsFloat() {
		for i := range grads {
			grads[i] = b.Apply(Subtensor{Index: Subscripts(strconv.Itoa(i))}, g[0])
		}
	}
	return grads
}

// Alloc broadcasts a value to the shape given by int64 scalars, one an axis, in memory of its own.
type Alloc struct{}

func (a Alloc) Name() string { return "alloc" }

// Coerce gives the value as many axes as the result has.
func (a Alloc) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	out := append([]V(nil), in...)
	for i, v := range in[min(1, len(in)):] {
		if v.Type.DType.IsInteger() {
			out[i+1] = castTo(b, v, kernels.Int64)
		}
	}
	if len(in) > 0 && in[0].Type.Rank() < len(in)-1 {
		shape := graph.NewInput("", graph.AnyShape(in[0].Type.DType, len(in)-1), nil)
		out[0] = padLeft(b, []V{in[0], shape})[0]
	}
	return out, nil
}

func (a Alloc) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if len(in) == 0 || in[0].Type.Rank() != len(in)-1 {
		return nil, fmt.Errorf("got %d lengths, want as many as the value has axes", len(in)-1)
	}
	dims := make([]int, len(in)-1)
	for i, v := range in[1:] {
		if v.Type.Rank() != 0 || v.Type.DType != kernels.Int64 {
			return nil, fmt.Errorf("length of axis %d: got %v, want an int64 scalar", i, v.Type)
		}
		dims[i] = graph.Unknown
		if d, ok := knownLength(v); ok {
			dims[i] = d
		}
		if have := in[0].Type.Dim(i); have != 1 && have != graph.Unknown {
			if dims[i] != graph.Unknown && dims[i] != have {
				return nil, fmt.Errorf("a value of type %v does not broadcast to length %d on axis %d", in[0].Type, dims[i], i)
			}
			dims[i] = have
		}
		if dims[i] < graph.Unknown {
			return nil, fmt.Errorf("length of axis %d: got %d, want at least 0", i, dims[i])
		}
	}
	return []graph.Type{graph.TypeOf(in[0].Type.DType, dims...)}, nil
}

func (a Alloc) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	return func(c *Call, in, out []*tensor.Dense) error {
		shape := make([]int, len(in)-1)
		for i, v := range in[1:] {
			shape[i] = int(v.Ints()[0])
			if shape[i] < 0 {
				return fmt.Errorf("length of axis %d: got %d, want at least 0", i, shape[i])
			}
		}
		if _, ok := in[0].BroadcastTo(shape); !ok {
			return fmt.Errorf("shape %s does not broadcast to %s", tensor.ShapeString(in[0].Shape()), tensor.ShapeString(shape))
		}
		out[0] = c.Alloc(in[0].DType(), shape)
		tensor.CopyTo(out[0], in[0])
		return nil
	}, goImpl, nil
}

func (a Alloc) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	grads := make([]V, len(node.Inputs))
	if t := node.Inputs[0].Type; t.DType.IsFloat() {
		grads[0] = sumToType(b, g[0], t)
	}
	return grads
}

// DeepCopy copies a value, so that what a function returns is the caller's alone.
type DeepCopy struct{}

func (DeepCopy) Name() string { return "deep_copy" }

func (DeepCopy) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	return []graph.Type{in[0].Type}, nil
}

func (DeepCopy) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	return func(c *Call, in, out []*tensor.Dense) error {
		out[0] = c.Alloc(in[0].DType(), in[0].Shape())
		tensor.CopyTo(out[0], in[0])
		return nil
	}, goImpl, nil
}

func (DeepCopy) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{g[0]}
}

// Dims spells static lengths so that ops that hold them are comparable: "? 3".
type Dims string

// DimsOf lists the static lengths of t.
func DimsOf(t graph.Type) Dims {
	words := make([]string, t.Rank())
	for axis := range words {
		words[axis] = "?"
		if d := t.Dim(axis); d != graph.Unknown {
			words[axis] = strconv.Itoa(d)
		}
	}
	return Dims(strings.Join(words, " "))
}

// SpecifyShape passes its operand on and fails if a length is not as Dims says; the compiler then knows it.
type SpecifyShape struct{ Dims Dims }

func (s SpecifyShape) Name() string { return nameOf("specify_shape", s) }

func (s SpecifyShape) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	words, dims := strings.Fields(string(s.Dims)), in[0].Type.Dims()
	if len(words) != len(dims) {
		return nil, fmt.Errorf("got %d dimensions, want %d", len(dims), len(words))
	}
	for axis, w := range words {
		if w == "?" {
			continue
		}
		n, err := strconv.Atoi(w)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("got length %q, want a number or ?", w)
		}
		if dims[axis] != graph.Unknown && dims[axis] != n {
			return nil, fmt.Errorf("axis %d has length %d, want %d", axis, dims[axis], n)
		}
		dims[axis] = n
	}
	return []graph.Type{graph.TypeOf(in[0].Type.DType, dims...)}, nil
}

func (s SpecifyShape) ViewMap() []graph.Alias { return []graph.Alias{{Out: 0, In: 0}} }

func (s SpecifyShape) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	want := node.Outputs[0].Type
	return func(_ *Call, in, out []*tensor.Dense) error {
		if !want.AcceptsShape(in[0].Shape()) {
			return fmt.Errorf("got shape %s, want %v", tensor.ShapeString(in[0].Shape()), want)
		}
		out[0] = in[0]
		return nil
	}, goImpl, nil
}

func (s SpecifyShape) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{g[0]}
}

// arity checks the number of operands of a structural op.
func arity(in []*graph.Variable, want int) error {
	if len(in) != want {
		return fmt.Errorf("got %d operands, want %d", len(in), want)
	}
	return nil
}
