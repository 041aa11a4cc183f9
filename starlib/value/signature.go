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
func FunctionSignature(f Def) string { return signature(f.Name(), f, 0) }

// MethodSignature is FunctionSignature under another name, without the first parameter, which a
// method is bound to.
func MethodSignature(name string, f Def) string { return signature(name, f, 1) }

// NamedParams are the parameters of a function that may be given by keyword, with those before skip
// left out, and their defaults, nil where there are none.
func NamedParams(f Def, skip int) (names []string, defaults []starlark.Value) {
	n := f.NumParams()
	for _, more := range []bool{f.HasVarargs(), f.HasKwargs()} {
		if more {
			n--
		}
	}
	for i := skip; i < n; i++ {
		name, _ := f.Param(i)
		names, defaults = append(names, name), append(defaults, f.ParamDefault(i))
	}
	return names, defaults
}

func signature(name string, f Def, skip int) string {
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
	return name + "(" + strings.Join(parts[min(skip, len(parts)):], ", ") + ")"
}
