package printing

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A formatter is functions of the user's that format elements.
type formatter struct {
	thread    *starlark.Thread
	functions map[string]starlark.Callable // by a key of formatterKeys
	err       error                        // the first
}

// formatterKeys are the names of sets of types in a formatter; the later ones come before the
// earlier ones.
var formatterKeys = []struct {
	name string
	has  func(kernels.DType) bool
}{
	{"all", func(kernels.DType) bool { return true }},
	{"int_kind", kernels.DType.IsInteger},
	{"float_kind", kernels.DType.IsFloat},
	{"bool", kernels.DType.IsBool},
	{"int", kernels.DType.IsInteger},
	{"float", kernels.DType.IsFloat},
}

// read takes the functions of a dict.
func (f *formatter) read(v starlark.Value) error {
	dict, ok := v.(*slot.Dict)
	if !ok {
		return fmt.Errorf("got %s, want a dict of functions", v.Type())
	}
	f.functions = map[string]starlark.Callable{}
	for _, item := range dict.Items() {
		name, _ := starlark.AsString(item[0])
		fn, ok := item[1].(starlark.Callable)
		if !ok && item[1] != starlark.None {
			return fmt.Errorf("got %s for %s, want a function", item[1].Type(), item[0])
		}
		if ok {
			f.functions[name] = fn
		}
	}
	return nil
}

// element returns the function for elements of a type, nil if there is none. After an error it
// returns empty texts.
func (f *formatter) element(t kernels.DType) func(*tensor.Dense) string {
	var fn starlark.Callable
	for _, key := range formatterKeys {
		if g := f.functions[key.name]; g != nil && key.has(t) {
			fn = g
		}
	}
	if fn == nil {
		return nil
	}
	return func(e *tensor.Dense) string {
		if f.err != nil {
			return ""
		}
		v, err := value.Call(f.thread, fn, starlark.Tuple{np.FromDense(e)}, nil)
		s, ok := v.(starlark.String)
		switch {
		case err != nil:
			f.err = err
		case !ok:
			f.err = fmt.Errorf("for parameter formatter: %s returned %s, want a string", fn.Name(), v.Type())
		}
		return string(s)
	}
}
