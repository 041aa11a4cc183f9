package symbolic

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// What a compiled function takes for an input is what Theano takes. An array must have an element
// type that fits into the input's; a number, and a list of them, only has to have the same value
// there. Beyond that floats lose digits if downcast lets them.

// downcast says which arguments may lose precision.
type downcast uint8

const (
	downcastUnsaid downcast = iota // config.allow_input_downcast says it
	downcastFloats                 // None: floats that are no arrays, for inputs of floatX
	downcastNever                  // False
	downcastAlways                 // True
)

// downcastArg reads None, True or False; None is left to the flag.
func downcastArg(what string, v starlark.Value) (downcast, error) {
	switch v {
	case nil, starlark.None:
		return downcastUnsaid, nil
	case starlark.True:
		return downcastAlways, nil
	case starlark.False:
		return downcastNever, nil
	}
	return 0, fmt.Errorf("%s: got %s, want None, True or False", what, value.Repr(v))
}

// accepting is what an input takes.
type accepting struct {
	strict   bool // only arrays of the input's element type
	downcast downcast
}

// or is a where it says something, and what function() was told, or the flag, where it does not.
func (a accepting) or(s *Session, told downcast) accepting {
	if a.downcast == downcastUnsaid {
		a.downcast = told
	}
	if a.downcast == downcastUnsaid {
		a.downcast = map[string]downcast{"None": downcastFloats, "True": downcastAlways, "False": downcastNever}[s.Config().String("allow_input_downcast")]
	}
	return a
}

// value turns an argument of a call into a value for an input of type t, which may be an array of
// the caller's: who keeps it has to say so (tensor.Buffer.Pin). What arrays have that t has not,
// the call refuses.
func (a accepting) value(s *Session, x starlark.Value, t graph.Type) (*tensor.Dense, error) {
	if t.State != graph.NoState {
		return StateValue(t, x)
	}
	scalar, isScalar := x.(np.Scalar)
	x = value.Plain(x)
	if v, ok := x.(Symbol); ok {
		return nil, tensor.TypeErrorf("got the symbolic variable %s, want a number or an array: a compiled function takes values", v)
	}
	if array, ok := x.(*np.Array); ok {
		if d := array.Lend().DType(); a.strict && d != t.DType {
			return nil, tensor.TypeErrorf("got dtype %v, want %v: it is strict; convert it with .astype(\"%[2]v\")", d, t.DType)
		}
		return array.Lend(), nil
	}
	if a.strict && !(isScalar && scalar.DType() == t.DType) {
		return nil, tensor.TypeErrorf("got %s, want an array of %v: it is strict; np.array(x, dtype=\"%[2]v\") makes one", x.Type(), t.DType)
	}
	if z := number(x, t.DType); z != nil {
		return z, nil
	}
	given, err := np.ToDense(x)
	if err != nil {
		return nil, err
	}
	d := given.DType()
	converted := given.AsType(t.DType)
	switch {
	case d == t.DType || kernels.Promote(d, t.DType) == t.DType || a.downcast == downcastAlways:
	case a.downcast != downcastNever && d.IsFloat() && t.DType.IsFloat() && s.FloatX() == t.DType:
	case !same(given, converted):
		return nil, a.refusal(x, t.DType)
	}
	return converted, nil
}

// refusal is the error for what would lose precision.
func (a accepting) refusal(x starlark.Value, want kernels.DType) error {
	way := fmt.Sprintf("convert it with np.%v(x)", want)
	if a.downcast != downcastUnsaid {
		way += ", or pass allow_input_downcast=True to function()"
	}
	switch x := x.(type) {
	case starlark.Int:
		if !want.IsFloat() {
			return tensor.TypeErrorf("the integer %s does not fit into %v; %s", x, want, way)
		}
		return tensor.TypeErrorf("the integer %s has more digits than %v; %s", x, want, way)
	case starlark.Float:
		if !want.IsFloat() {
			return tensor.TypeErrorf("got the float %s, want %v; %s", value.Repr(x), want, way)
		}
		return tensor.TypeErrorf("the float %s has more digits than %v; %s", value.Repr(x), want, way)
	}
	return tensor.TypeErrorf("got a %s with numbers that have more digits than %v, or do not fit into it; %s", x.Type(), want, way)
}

// same reports whether given and converted, which is given in another type, have the same elements,
// nan among them.
func same(given, converted *tensor.Dense) bool {
	to := converted.DType()
	if !given.DType().IsFloat() && !to.IsFloat() { // integers of 64 bits, which float64 cannot tell apart
		for _, n := range given.Ints() {
			if !fitsInt(n, to) || given.DType() == kernels.Uint64 && n < 0 {
				return false
			}
		}
		return true
	}
	after := converted.Floats()
	for i, n := range given.Floats() {
		if n != after[i] && !(math.IsNaN(n) && math.IsNaN(after[i])) {
			return false
		}
	}
	return true
}

// number is the value for a number that needs no more than a look; nil if there is more to say.
func number(x starlark.Value, d kernels.DType) *tensor.Dense {
	switch x := x.(type) {
	case starlark.Float:
		if d == kernels.Float64 {
			return tensor.Scalar(d, float64(x))
		}
	case starlark.Int:
		if n, ok := x.Int64(); ok && d.IsInteger() && fitsInt(n, d) {
			return tensor.IntScalar(d, n)
		}
	}
	return nil
}
