package np

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// dtypeValue is np.float32 and its like: a value for dtype arguments, and a function that
// converts to the type.
//
// The dtype attribute of an array is a string and not one of these, since a comparison
// with "float64" must hold and Starlark finds values of different types unequal.
type dtypeValue struct {
	name  string // np.float32
	dtype kernels.DType
}

var (
	_ starlark.Callable = dtypeValue{}
	_ value.Documenter  = dtypeValue{}
)

func (v dtypeValue) Type() string          { return "dtype" }
func (v dtypeValue) String() string        { return v.name }
func (v dtypeValue) Name() string          { return v.name }
func (v dtypeValue) Freeze()               {}
func (v dtypeValue) Truth() starlark.Bool  { return true }
func (v dtypeValue) Hash() (uint32, error) { return starlark.String(v.dtype.String()).Hash() }

func (v dtypeValue) Doc() string {
	return fmt.Sprintf("The element type %s: dtype=%s makes an array of it, and %s(x) converts.", v.dtype, v.name, v.name)
}

// CallInternal converts: np.float32(0.1) is a number rounded to the type, and of a list
// or an array an array.
func (v dtypeValue) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 || len(kwargs) > 0 {
		return nil, fmt.Errorf("%s: got %d arguments, want 1", v.name, len(args)+len(kwargs))
	}
	d, err := ToDenseAs(args[0], v.dtype)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", v.name, err)
	}
	if a, ok := args[0].(*Array); ok && a.d == d {
		d = d.Copy()
	}
	return FromDenseIn(sessionOf(thread, args), d), nil
}

// dtypeMembers are the element types as members of np.
func dtypeMembers() []value.Member {
	names := map[string]kernels.DType{"bool_": kernels.Bool, "intp": kernels.Int64, "int_": kernels.Int64,
		"float_": kernels.Float64, "single": kernels.Float32, "double": kernels.Float64}
	for _, d := range kernels.DTypes() {
		if !d.IsBool() { // np.bool is gone from NumPy
			names[d.String()] = d
		}
	}
	var members []value.Member
	for name, d := range names {
		v := dtypeValue{"np." + name, d}
		members = append(members, value.Member{Name: name, Value: v, Doc: v.Doc()})
	}
	return members
}
