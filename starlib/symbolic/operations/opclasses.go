package operations

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/symbolic"
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
	{absConv, "AbstractConv2d", "conv2d", ofConvolution},
	{absConv, "AbstractConv2d_gradInputs", "conv2d_grad_wrt_inputs", ofConvolution},
	{absConv, "AbstractConv2d_gradWeights", "conv2d_grad_wrt_weights", ofConvolution},
}

// absConv is the module of the convolutions, ofConvolution the parameters of their classes.
const (
	absConv       = "T.nnet.abstract_conv"
	ofConvolution = "imshp:input_shape kshp:filter_shape border_mode subsample filter_flip filter_dilation num_groups unshared"
)

// classCalls are the operands of what a class makes, as keywords of the function, where they are
// not its first parameters. A last one with an = is the last two lengths of that shape.
var classCalls = map[string][]string{
	"AbstractConv2d_gradInputs":  {"filters", "output_grad", "input_shape="},
	"AbstractConv2d_gradWeights": {"input", "output_grad", "filter_shape="},
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
	params = slices.Clone(params)
	for i, p := range params {
		if of, keyword, renamed := strings.Cut(p, ":"); renamed {
			p, params[i] = of, keyword
		}
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
				if call := classCalls[class]; call != nil {
					return callInOrder(thread, fn, call, args, slices.Concat(fixed, kwargs))
				}
				return fn.Fn(thread, fn, args, slices.Concat(fixed, kwargs))
			}}
		return made.Value(), nil
	}
	return b
}

// callInOrder calls a function with operands that are the keywords of call.
func callInOrder(thread *starlark.Thread, fn *value.Builtin, call []string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > len(call) || len(args) < len(call)-1 {
		return nil, fmt.Errorf("%s: got %d operands, want %d", fn.Name, len(args), len(call))
	}
	for i, arg := range args {
		keyword, isShape := strings.CutSuffix(call[i], "=")
		at := slices.IndexFunc(kwargs, func(k starlark.Tuple) bool { return k[0] == starlark.String(keyword) })
		if isShape {
			last, ok := arg.(starlark.Indexable)
			if x, isSymbol := arg.(symbolic.Symbol); isSymbol { // a vector
				var both starlark.Tuple
				for i := range 2 {
					v, err := x.Subscript(starlark.MakeInt(i))
					if err != nil {
						return nil, err
					}
					both = append(both, v)
				}
				last, ok = both, true
			}
			if !ok || last.Len() != 2 {
				return nil, fmt.Errorf("%s: for parameter %s: got %s, want two lengths", fn.Name, keyword, arg.Type())
			}
			whole := starlark.Tuple{starlark.None, starlark.None, last.Index(0), last.Index(1)}
			if at >= 0 {
				if known, ok := kwargs[at][1].(starlark.Indexable); ok && known.Len() == len(whole) {
					whole[0], whole[1] = known.Index(0), known.Index(1)
				}
			}
			arg = whole
		}
		if at >= 0 {
			kwargs = slices.Delete(kwargs, at, at+1)
		}
		kwargs = append(kwargs, starlark.Tuple{starlark.String(keyword), arg})
	}
	return fn.Fn(thread, fn, nil, kwargs)
}
