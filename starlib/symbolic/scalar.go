package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// ScalarModule is theano.scalar, of which programs ask for the type of a result.
var ScalarModule = value.NewModule("theano.scalar", "Element types, under their names in Theano.", value.Builtins([]value.Builtin{
	value.Function("upcast", "The name of the least type that values of all the types can be converted to.", `theano.scalar.upcast("int8", "float32") # "float32"`,
		func(thread *starlark.Thread, a *struct {
			DTypes starlark.Tuple `arg:"*dtypes: types"`
		}) (starlark.Value, error) {
			if len(a.DTypes) == 0 {
				return nil, fmt.Errorf("upcast: got no types, want at least one")
			}
			var least kernels.DType
			for i, v := range a.DTypes {
				d, err := SessionOf(thread).DtypeArg(v)
				if err != nil {
					return nil, fmt.Errorf("upcast: %w", err)
				}
				if i > 0 {
					d = kernels.Promote(least, d)
				}
				least = d
			}
			return starlark.String(least.String()), nil
		}),
})...)
