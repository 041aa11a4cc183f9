package operations

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// opClasses are operations that the peers have as classes: what one makes, of parameters, is called
// with the operands, as T.nlinalg.Det()(x). Each stands for a function of the same module.
var opClasses = []struct {
	module, class, function string
	params                  string // of the class, in their order: keywords of the function
}{
	{nlinalg, "Det", "det", ""}, {nlinalg, "MatrixInverse", "matrix_inverse", ""}, {nlinalg, "MatrixPinv", "pinv", ""},
	{nlinalg, "Eig", "eig", ""}, {nlinalg, "Eigh", "eigh", "UPLO"}, {nlinalg, "SVD", "svd", "full_matrices compute_uv"},
	{nlinalg, "TensorInv", "tensorinv", "ind"}, {nlinalg, "TensorSolve", "tensorsolve", "axes"},
	{slinalg, "Cholesky", "cholesky", "lower"}, {slinalg, "Expm", "expm", ""},
	{"T", "Reshape", "reshape", "ndim"}, {"T", "Join", "join", ""}, {"T", "MaxAndArgmax", "max_and_argmax", "axis"}, {"T", "Argmax", "argmax", "axis"},
	{"T", "Alloc", "alloc", ""}, {"T", "ARange", "arange", "dtype"}, {"T", "Eye", "eye", "dtype"},
	{"T.nnet", "Softmax", "softmax", ""},
}

// WithClasses is the functions of a module, and the classes that stand for some of them.
func WithClasses(module string, rows []value.Builtin) []value.Builtin {
	return append(rows, classRows(module, slices.Clip(rows))...)
}

// classRows are the classes of a module that has the functions in rows.
func classRows(module string, rows []value.Builtin) []value.Builtin {
	var list []value.Builtin
	for _, c := range opClasses {
		if c.module != module {
			continue
		}
		i := slices.IndexFunc(rows, func(b value.Builtin) bool { return b.Name == c.function })
		if i < 0 {
			panic("BUG: " + module + " has no function " + c.function)
		}
		list = append(list, opClass(module, c.class, &rows[i], strings.Fields(c.params)))
	}
	return list
}

// opClass is a class whose instances call a function, with the parameters given by name.
func opClass(module, class string, fn *value.Builtin, params []string) value.Builtin {
	b := value.Builtin{Name: class, Example: fmt.Sprintf("callable(%s.%s()) # True", module, class),
		Doc: fmt.Sprintf("The operation of %s.%s, as a class of Theano: what it makes is called with the operands.", module, fn.Name)}
	for _, p := range params {
		b.Params = append(b.Params, value.Param{Name: p, Default: "None", Doc: "as that of " + fn.Name})
	}
	b.Fn = func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		given, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		var fixed []starlark.Tuple
		for i, v := range given {
			if v != nil && v != starlark.None {
				fixed = append(fixed, starlark.Tuple{starlark.String(params[i]), v})
			}
		}
		made := value.Builtin{Name: class, Doc: fn.Doc, Params: fn.Params,
			Fn: func(thread *starlark.Thread, _ *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
				return fn.Fn(thread, fn, args, slices.Concat(fixed, kwargs))
			}}
		return made.Value(), nil
	}
	return b
}
