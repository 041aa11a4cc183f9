package value

import (
	"strings"

	"go.starlark.net/starlark"
)

// Signed is implemented by callable values that are neither Builtins nor functions of
// the user's, such as compiled functions: their parameters are then completed and shown.
type Signed interface {
	starlark.Callable
	Signature() string
	ParamNames() []string
}

// A Runner is a callable value that can also be called for its effects alone.
type Runner interface {
	starlark.Callable
	Run(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) error
}

// FunctionSignature returns a Starlark function's first line without def and colon.
func FunctionSignature(f *starlark.Function) string {
	var parts []string
	n := f.NumParams()
	trailing := 0
	if f.HasVarargs() {
		trailing++
	}
	if f.HasKwargs() {
		trailing++
	}
	plain := n - trailing
	for i := range plain {
		if i == plain-f.NumKwonlyParams() && f.NumKwonlyParams() > 0 {
			if f.HasVarargs() {
				name, _ := f.Param(plain)
				parts = append(parts, "*"+name)
			} else {
				parts = append(parts, "*")
			}
		}
		name, _ := f.Param(i)
		if v := f.ParamDefault(i); v != nil {
			name += "=" + Repr(v)
		}
		parts = append(parts, name)
	}
	next := plain
	if f.HasVarargs() {
		if f.NumKwonlyParams() == 0 {
			name, _ := f.Param(next)
			parts = append(parts, "*"+name)
		}
		next++
	}
	if f.HasKwargs() {
		name, _ := f.Param(next)
		parts = append(parts, "**"+name)
	}
	return f.Name() + "(" + strings.Join(parts, ", ") + ")"
}
