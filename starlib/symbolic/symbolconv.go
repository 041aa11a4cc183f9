package symbolic

import (
	"fmt"
	"hash/fnv"
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// hashOf is the same for a variable as long as it lives; variables made at one place collide, and are told apart by identity.
func hashOf(v *graph.Variable) uint32 {
	h := fnv.New32a()
	fmt.Fprint(h, v.Origin.Pos(), v.Type, v.Index)
	return h.Sum32()
}

// floatX is the type of floats that nobody gave a type.
func (s *Session) floatX() kernels.DType {
	if s.Config().String("floatX") == "float32" {
		return kernels.Float32
	}
	return kernels.Float64
}

// variable turns a value into a symbolic variable: a symbol is itself, and anything else becomes a constant. A number that
// meets the variable like takes its kind and never widens it; without one, ints are as small as they can be and floats are
// floatX.
func (s *Session) variable(b *graph.Builder, x starlark.Value, like *graph.Variable) (*graph.Variable, error) {
	switch x := x.(type) {
	case Symbol:
		return agreed(b, x.v, like), nil
	case starlark.Float:
		d := s.floatX()
		if like != nil && like.Type.DType.IsFloat() {
			d = like.Type.DType
		}
		return s.constant(b.WeakConstant(tensor.Scalar(d, float64(x))))
	case starlark.Bool:
		return b.Constant(tensor.FromBools([]bool{bool(x)})), nil
	case starlark.Int:
		return s.intConstant(b, x, like)
	}
	a, err := np.ToDense(x)
	if err != nil {
		return nil, err
	}
	// The caller may change its array afterwards.
	return s.constant(b.Constant(a.Copy()))
}

// constant is v, a new constant, unless a flag forbids its type.
func (s *Session) constant(v *graph.Variable) (*graph.Variable, error) { return v, s.float64Made(v) }

// likeWeak marks a new constant that a number became beside a weak variable.
func likeWeak(like, v *graph.Variable) *graph.Variable {
	v.Weak = like.Weak
	return v
}

// agree gives the weak operands of an operation the type of the floats among the others.
func agree(b *graph.Builder, in []*graph.Variable) {
	var float *graph.Variable
	for _, v := range in {
		if !v.Weak && v.Type.DType.IsFloat() && (float == nil || v.Type.DType == kernels.Float64) {
			float = v
		}
	}
	for i, v := range in {
		in[i] = agreed(b, v, float)
	}
}

// agreed returns v or, of a weak float that meets another, its value in that one's type.
func agreed(b *graph.Builder, v, like *graph.Variable) *graph.Variable {
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
	if !ok {
		if like != nil && like.Type.DType.IsFloat() {
			return likeWeak(like, b.Constant(tensor.Scalar(like.Type.DType, float64(x.Float())))), nil
		}
		if u, ok := x.Uint64(); ok {
			return b.Constant(tensor.From([]uint64{u})), nil
		}
		return nil, fmt.Errorf("the integer %s does not fit into 64 bits", x)
	}
	if like != nil && !like.Type.DType.IsBool() && fitsInt(n, like.Type.DType) {
		return likeWeak(like, b.Constant(tensor.IntScalar(like.Type.DType, n))), nil
	}
	return b.Constant(tensor.IntScalar(smallestInt(n), n)), nil
}

// fits reports whether n is a value of type d.
func fits(n starlark.Int, d kernels.DType) bool {
	if i, ok := n.Int64(); ok {
		return d.IsBool() || fitsInt(i, d)
	}
	return d.IsFloat() || d == kernels.Uint64 // other integers of more than 64 bits are refused before
}

// fitsInt reports whether n is a value of type d; every float takes integers.
func fitsInt(n int64, d kernels.DType) bool {
	switch {
	case d.IsFloat():
		return true
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

// callValue turns a call's argument into a value of type t, as far as that loses nothing: numbers and lists of numbers
// take t's element type.
func callValue(x starlark.Value, t graph.Type) (*tensor.Dense, error) {
	switch x := value.Plain(x).(type) {
	case Symbol:
		return nil, fmt.Errorf("got the symbolic variable %s, want a number or an array: a compiled function takes values", x)
	case *np.Array:
		return x.Dense(), nil
	case starlark.Float:
		if !t.DType.IsFloat() {
			return nil, fmt.Errorf("got the float %s, want %v", value.Repr(x), t.DType)
		}
		return tensor.Scalar(t.DType, float64(x)), nil
	case starlark.Bool:
		return tensor.FromBools([]bool{bool(x)}), nil
	case starlark.Int:
		n, ok := x.Int64()
		switch {
		case t.DType.IsFloat():
			return tensor.Scalar(t.DType, float64(x.Float())), nil
		case !ok || !t.DType.IsBool() && !fitsInt(n, t.DType):
			return nil, fmt.Errorf("the integer %s does not fit into %v", x, t.DType)
		case !t.DType.IsBool():
			return tensor.IntScalar(t.DType, n), nil
		}
	}
	a, err := np.ToDense(x)
	if err != nil {
		return nil, err
	}
	if t.DType.IsFloat() || a.DType() == kernels.Int64 && t.DType.IsInteger() && allFit(a, t.DType) {
		return a.AsType(t.DType), nil
	}
	return a, nil
}

func allFit(a *tensor.Dense, d kernels.DType) bool {
	for _, n := range a.Ints() {
		if !fitsInt(n, d) {
			return false
		}
	}
	return true
}
