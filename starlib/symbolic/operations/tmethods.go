package operations

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/names"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// moreMethods are functions of T that are methods of variables here, and not in Theano.
const moreMethods = "abs cast eq ge gt invert le lt neq"

var _ = symbolic.AddMethodTable(functionMethods)

// functionMethods are functions of T as methods: what T has as a function of a variable x is one if
// it is an attribute in Theano or PyTensor.
func functionMethods() []value.Builtin {
	methods := append(names.Of("TensorVariable"), strings.Fields(moreMethods)...)
	var table []value.Builtin
	for _, b := range TensorTable() {
		if len(b.Params) > 0 && takesX(b.Params[0]) && slices.Contains(methods, b.Name) {
			table = append(table, asSpread(asMethod(b)))
		}
		for _, m := range intoMethods {
			if b.Name == m.of {
				b = asMethod(b)
				b.Name, b.Example = m.name, m.example
				table = append(table, b)
			}
		}
	}
	return table
}

// intoMethods are functions of T that are methods of subscripted variables under another name, as
// in PyTensor.
var intoMethods = []struct{ of, name, example string }{
	{"set_subtensor", "set", "T.zeros(3)[1:].set(5.0).eval() # array([0., 5., 5.])"},
	{"inc_subtensor", "inc", "T.ones(3)[[0, 0]].inc(5.0).eval() # array([11.,  1.,  1.])"},
	{"choose", "choose", "T.as_tensor([1, 0]).choose([[5, 6], [7, 8]]).eval() # array([7, 6])"},
	{"compress", "compress", "T.as_tensor([0, 1]).compress([5, 6]).eval() # array([6])"},
	{"tensor_copy", "copy", "T.as_tensor([1.0, 2.0]).copy().eval() # array([1., 2.])"},
}

// takesX reports whether a parameter is the variable that a method of T is called on.
func takesX(p value.Param) bool { return p.Name == "x" || slices.Contains(p.Also, "x") }

// asMethod gives a function of T its first argument from the receiver.
func asMethod(b value.Builtin) value.Builtin {
	fn := b.Fn
	inner := b
	b.Params = b.Params[1:]
	b.Fn = func(thread *starlark.Thread, m *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return fn(thread, &inner, append(starlark.Tuple{m.Receiver()}, args...), kwargs)
	}
	b.Example = methodExample(b.Name, b.Example)
	return b
}

// spreadParams are the first parameters of methods whose list may also be written as arguments, as
// in NumPy: x.reshape(2, 3).
var spreadParams = map[string]value.Param{
	"reshape":   {Name: "*shape", Doc: "lengths, which may be symbolic, or one tuple or symbolic vector of them"},
	"transpose": {Name: "*axes", Doc: "all axes, or one tuple of them; reversed if not given"},
}

// asSpread lets users write the list that a method takes first as arguments.
func asSpread(b value.Builtin) value.Builtin {
	first, ok := spreadParams[b.Name]
	if !ok {
		return b
	}
	fn := b.Fn
	b.Params = append([]value.Param{first}, b.Params[1:]...)
	b.Fn = func(thread *starlark.Thread, m *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) > 1 && isNumber(args[0]) {
			args = starlark.Tuple{args}
		}
		return fn(thread, m, args, kwargs)
	}
	return b
}

// asSeveral lets the arrays of T.stack be arguments of their own, as in early versions of Theano.
func asSeveral(b value.Builtin) value.Builtin {
	if b.Name != "stack" {
		return b
	}
	fn := b.Fn
	b.Fn = func(thread *starlark.Thread, m *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) > 0 && len(kwargs) == 0 {
			if _, one := args[0].(symbolic.Symbol); one || isNumber(args[0]) {
				args = starlark.Tuple{args}
			}
		}
		return fn(thread, m, args, kwargs)
	}
	return b
}

// isNumber reports whether v is a number, symbolic or not.
func isNumber(v starlark.Value) bool {
	x, isSymbol := v.(symbolic.Symbol)
	_, whole := value.NumberOf(v).(starlark.Int)
	return whole || isSymbol && x.V.Type.Rank() == 0
}

// methodExample turns the example of a function, T.sum([1.0, 2.0]).eval(), into that of the method:
// T.as_tensor([1.0, 2.0]).sum().eval(). The first argument ends at the first comma or parenthesis
// that is outside its brackets.
func methodExample(name, example string) string {
	before, args, ok := strings.Cut(example, "T."+name+"(")
	if !ok {
		panic("BUG: the example of T." + name + " does not call it")
	}
	depth, end := 0, 0
	for ; end < len(args) && (depth > 0 || args[end] != ',' && args[end] != ')'); end++ {
		switch args[end] {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		}
	}
	return before + "T.as_tensor(" + args[:end] + ")." + name + "(" + strings.TrimPrefix(args[end:], ", ")
}
