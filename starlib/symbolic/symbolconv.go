package symbolic

import (
	"fmt"
	"hash/fnv"
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/sparse"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// hashOf is the same for a variable as long as it lives; variables made at one place collide, and
// are told apart by identity.
func hashOf(v *graph.Variable) uint32 {
	h := fnv.New32a()
	fmt.Fprint(h, v.Origin.Pos(), v.Type, v.Index)
	return h.Sum32()
}

// FloatX is the type of floats that nobody gave a type.
func (s *Session) FloatX() kernels.DType {
	if s.Config().String("floatX") == "float32" {
		return kernels.Float32
	}
	return kernels.Float64
}

// Variable turns a value into a symbolic variable: a symbol is itself, and anything else becomes a
// constant. A number that meets the variable like takes its kind and never widens it; without one,
// ints are as small as they can be and floats are floatX.
func (s *Session) Variable(b *graph.Builder, x starlark.Value, like *graph.Variable) (*graph.Variable, error) {
	switch x := x.(type) {
	case Symbol:
		return Agreed(b, x.V, like), nil
	case starlark.Float:
		d := s.FloatX()
		if s.numpyCasts() {
			return s.constant(b.Constant(tensor.Scalar(d, float64(x))))
		}
		if like != nil && like.Type.DType.IsFloat() {
			d = like.Type.DType
		}
		return s.constant(b.WeakConstant(tensor.Scalar(d, float64(x))))
	case starlark.Bool:
		return b.Constant(tensor.FromBools([]bool{bool(x)})), nil
	case starlark.Int:
		return s.intConstant(b, x, like)
	case Apply:
		if n := len(x.Node.Outputs); n != 1 {
			return nil, fmt.Errorf("got the node %s, which has %d outputs: take one of node.outputs", x, n)
		}
		return x.Node.Outputs[0], nil
	case *SparseVariable:
		return nil, fmt.Errorf("got the sparse matrix %s, want a dense variable; sparse.dense_from_sparse(x) makes one, and theano.sparse has functions of sparse matrices", x.Mention())
	case *sparse.Matrix:
		return nil, fmt.Errorf("got a %s, want an array; x.toarray() makes one, and theano.sparse has functions of sparse matrices", x.Type())
	case *slot.List, starlark.Tuple:
		if hasSymbol(x) {
			return s.stacked(b, x.(starlark.Indexable))
		}
	}
	a, err := np.ToDense(x)
	if err != nil {
		return nil, err
	}
	// The caller may change its array afterwards.
	return s.constant(b.Constant(s.Poll().Copy(a)))
}

// hasSymbol reports whether v is a variable, or a list or tuple with one somewhere. A list that
// holds itself, or is nested deeper than arrays are, has none.
func hasSymbol(v starlark.Value) bool {
	found, nested := symbolIn(v, tensor.MaxRank)
	return found && nested
}

// symbolIn is whether there is a variable in lists of a depth, and whether there is nothing deeper.
func symbolIn(v starlark.Value, depth int) (found, nested bool) {
	switch v := v.(type) {
	case Symbol, Apply:
		return true, true
	case *slot.List, starlark.Tuple:
		if depth < 0 {
			return false, false
		}
		for e := range starlark.Elements(v.(starlark.Sequence)) {
			in, within := symbolIn(e, depth-1)
			if found = found || in; !within {
				return found, false
			}
		}
	}
	return found, true
}

// stacked puts the elements of a list with variables together along a first axis.
func (s *Session) stacked(b *graph.Builder, seq starlark.Indexable) (v *graph.Variable, err error) {
	list := make([]*graph.Variable, seq.Len())
	for i := range list {
		if list[i], err = s.Variable(b, seq.Index(i), nil); err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
	}
	defer graph.Catch(&err)
	s.Agree(b, list)
	return formula.Stack(b, 0, list)
}

// constant is v, a new constant, unless a flag forbids its type.
func (s *Session) constant(v *graph.Variable) (*graph.Variable, error) { return v, s.float64Made(v) }

// LikeWeak marks a new constant that a number became beside a weak variable.
func LikeWeak(like, v *graph.Variable) *graph.Variable {
	v.Weak = like.Weak
	return v
}

// Agree gives the weak operands of an operation the type of the floats among the others. With
// config.cast_policy=numpy+floatX and floatX=float32, integers that meet floats become float32 too,
// so that nothing but a float64 makes a float64.
func (s *Session) Agree(b *graph.Builder, in []*graph.Variable) {
	var float *graph.Variable
	for _, v := range in {
		if !v.Weak && v.Type.DType.IsFloat() && (float == nil || v.Type.DType == kernels.Float64) {
			float = v
		}
	}
	for i, v := range in {
		in[i] = Agreed(b, v, float)
	}
	if float == nil || float.Type.DType != kernels.Float32 || s.FloatX() != kernels.Float32 || !s.numpyCasts() {
		return
	}
	for i, v := range in {
		if v.Type.DType.IsInteger() && kernels.Promote(v.Type.DType, kernels.Float32) != kernels.Float32 {
			in[i] = b.Apply(op.Cast(kernels.Float32), v)
		}
	}
}

// numpyCasts reports whether numbers have types of their own, as with
// config.cast_policy=numpy+floatX: an int int64, and a float floatX.
func (s *Session) numpyCasts() bool { return s.Config().String("cast_policy") == "numpy+floatX" }

// Agreed returns v or, of a weak float that meets another, its value in that one's type.
func Agreed(b *graph.Builder, v, like *graph.Variable) *graph.Variable {
	if !v.Weak || like == nil || like.Weak || !like.Type.DType.IsFloat() || !v.Type.DType.IsFloat() || v.Type.DType == like.Type.DType {
		return v
	}
	if v.IsConstant() {
		return b.Constant(v.Data.AsType(like.Type.DType))
	}
	return strong(b.Apply(op.Cast(like.Type.DType), v))
}

// strong returns v, which was just made and is asked for in its type, without the mark.
func strong(v *graph.Variable) *graph.Variable {
	v.Weak = false
	return v
}

func (s *Session) intConstant(b *graph.Builder, x starlark.Int, like *graph.Variable) (*graph.Variable, error) {
	n, ok := x.Int64()
	if ok && s.numpyCasts() {
		return b.Constant(tensor.IntScalar(kernels.Int64, n)), nil
	}
	if !ok {
		if like != nil && like.Type.DType.IsFloat() {
			return LikeWeak(like, b.Constant(tensor.Scalar(like.Type.DType, float64(x.Float())))), nil
		}
		if u, ok := x.Uint64(); ok {
			return b.Constant(tensor.From([]uint64{u})), nil
		}
		return nil, fmt.Errorf("the integer %s does not fit into 64 bits", x)
	}
	if like != nil && !like.Type.DType.IsBool() && fitsInt(n, like.Type.DType) {
		return LikeWeak(like, b.Constant(tensor.IntScalar(like.Type.DType, n))), nil
	}
	return b.Constant(tensor.IntScalar(smallestInt(n), n)), nil
}

// Fits reports whether n is a value of type d.
func Fits(n starlark.Int, d kernels.DType) bool {
	if i, ok := n.Int64(); ok {
		return d.IsBool() || fitsInt(i, d)
	}
	return d.IsFloat() || d == kernels.Uint64 // other integers of more than 64 bits are refused before
}

// fitsInt reports whether n is a value of type d; every float takes integers, and a bool 0 and 1.
func fitsInt(n int64, d kernels.DType) bool {
	switch {
	case d.IsFloat():
		return true
	case d.IsBool():
		return n == 0 || n == 1
	case d.IsSigned():
		return n >= math.MinInt64>>(64-8*d.Size()) && n <= math.MaxInt64>>(64-8*d.Size())
	case d == kernels.Uint64:
		return n >= 0
	}
	return n >= 0 && n < 1<<(8*d.Size())
}

func smallestInt(n int64) kernels.DType {
	for _, d := range []kernels.DType{kernels.Int8, kernels.Int16, kernels.Int32} {
		if fitsInt(n, d) {
			return d
		}
	}
	return kernels.Int64
}

// equality answers == and != of values that have no order; what are they.
func equality(op syntax.Token, same bool, what string) (bool, error) {
	switch op {
	case syntax.EQL:
		return same, nil
	case syntax.NEQ:
		return !same, nil
	}
	return false, fmt.Errorf("%s is not defined for %s", op, what)
}

// TypeFits says why values of type got can never be values of type want.
func TypeFits(got, want graph.Type) error {
	switch {
	case got.Rank() != want.Rank():
		return tensor.TypeErrorf("got %v, want %v, as many dimensions", got, want)
	case kernels.Promote(got.DType, want.DType) != want.DType:
		return tensor.TypeErrorf("got %v, want %v; convert it with T.cast(x, \"%v\")", got, want, want.DType)
	}
	return nil
}

// CastTo is x in another element type, which no bare float beside it changes again.
func CastTo(b *graph.Builder, x *graph.Variable, d kernels.DType) *graph.Variable {
	switch {
	case x.Weak && x.IsConstant():
		return b.Constant(x.Data.AsType(d))
	case d == x.Type.DType && !x.Weak:
		return x
	}
	return strong(b.Apply(op.Cast(d), x))
}

// orNone is x, or None for nil.
func orNone(x starlark.Value) starlark.Value {
	if x == nil {
		return starlark.None
	}
	return x
}

// symbolOrNone is v, or None for nil.
func symbolOrNone(s *Session, v *graph.Variable) starlark.Value {
	if v == nil {
		return starlark.None
	}
	return Symbol{s, v}
}

// NameOrNone is a name, or None for none.
func NameOrNone(name string) starlark.Value {
	if name == "" {
		return starlark.None
	}
	return starlark.String(name)
}

// DescribeValue names what is no free variable.
func DescribeValue(v starlark.Value) string {
	if x, ok := v.(*SparseVariable); ok {
		return "the sparse matrix " + x.Mention()
	}
	if x, ok := v.(Symbol); ok {
		return graph.Mention(x.V)
	}
	return v.Type()
}
