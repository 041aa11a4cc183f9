package session

import (
	"maps"

	"github.com/arignote/arignote/starlib/compile"
	"github.com/arignote/arignote/starlib/lower"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// operators are the builtins that syntax becomes: see packages parse and compile. Their arguments
// are always right in number. Those that are instructions are in package compile.
var operators = map[string]func(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error){
	parse.NameBounds: func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return &value.Slice{Lo: args[0], Hi: args[1], Step: args[2]}, nil
	},
	compile.Format: func(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		out, err := value.FormatBraces(thread, string(args[0].(starlark.String)), args[1:], kwargs)
		return starlark.String(out), err
	},

	lower.Display: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		Of(thread).result = args[0]
		return starlark.None, nil
	},

	lower.Magic: runLine,
}

func init() {
	maps.Copy(operators, extendedOperators)
	maps.Copy(operators, pythonOperators)
}

// An operator is a builtin that syntax becomes. Unlike a value.Builtin it does not watch for panics
// where the operands are numbers, which takes longer than to compare them.
type operator struct {
	name  string
	fn    func(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)
	quick value.Quick
}

var (
	_ starlark.Callable = (*operator)(nil)
	_ value.QuickCaller = (*operator)(nil)
)

// quickOperators are what the machine asks before it calls operators.
var quickOperators = map[string]value.Quick{
	parse.NameFString: value.QuickFString, parse.NameField: value.QuickField, compile.Format: value.QuickFormat,
	parse.NameSet: value.QuickFunction("set"), parse.NameBounds: value.QuickBounds, parse.NameUnstar: value.QuickUnstar,
	parse.NameMerge: value.QuickMerge, scope.Super: object.QuickSuper,
}

func (o *operator) QuickCall() value.Quick { return o.quick }

func (o *operator) Name() string          { return o.name }
func (o *operator) String() string        { return o.name }
func (o *operator) Type() string          { return "builtin_function_or_method" }
func (o *operator) Freeze()               {}
func (o *operator) Truth() starlark.Bool  { return true }
func (o *operator) Hash() (uint32, error) { return starlark.String(o.name).Hash() }

func (o *operator) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 2 && IsNumber(args[0]) && IsNumber(args[1]) {
		return o.fn(thread, args, kwargs)
	}
	return o.guarded(thread, args, kwargs)
}

func (o *operator) guarded(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (v starlark.Value, err error) {
	defer func() {
		if p := recover(); p != nil {
			v, err = nil, value.Recovered(p)
		}
	}()
	return o.fn(thread, args, kwargs)
}

func IsNumber(v starlark.Value) bool {
	switch v.(type) {
	case starlark.Int, starlark.Float:
		return true
	}
	return false
}
