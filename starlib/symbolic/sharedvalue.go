package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"go.starlark.net/starlark"
)

// sharedValue turns x into a value of a variable, of its element type; a copy unless borrow.
func sharedValue(s *Session, v *graph.Variable, x starlark.Value, borrow bool) (*tensor.Dense, error) {
	takes := accepting{}
	if v.Shared != nil {
		takes.strict = v.Shared.Strict
		if v.Shared.Lossy {
			takes.downcast = downcastAlways
		}
	}
	a, err := takes.value(s, x, v.Type)
	switch {
	case err != nil:
		return nil, err
	case !v.Type.AcceptsShape(a.Shape()):
		return nil, fmt.Errorf("got shape %s: %s", tensor.ShapeString(a.Shape()), graph.Describe(v))
	case a.DType() == v.Type.DType && borrow:
		a.Buffer().Hold()
		return a, nil
	case a.DType() == v.Type.DType:
		return s.Poll().Copy(a), nil
	case takes.downcast != downcastAlways && kernels.Promote(a.DType(), v.Type.DType) != v.Type.DType:
		return nil, fmt.Errorf("got dtype %v, want %v: convert it with .astype(\"%v\")", a.DType(), v.Type.DType, v.Type.DType)
	}
	return s.Poll().AsType(a, v.Type.DType), nil
}

// SetShared replaces the value of a shared variable by a, which is of its type and which it keeps;
// lent says that others may refer to it. what says who does it: "set_value changes".
func (x Symbol) SetShared(what string, a *tensor.Dense, lent bool) {
	if lent {
		x.V.Shared.Set(a)
	} else {
		x.V.Shared.Give(a)
	}
	x.S.Watching.Changed(what, InputName(x.V, 0))
}
