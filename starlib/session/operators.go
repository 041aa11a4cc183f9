package session

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/compile"
	"github.com/arignote/arignote/starlib/lower"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
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

// extendedOperators are the builtins that the extended syntax becomes: parse.Names says what they
// take.
var extendedOperators = map[string]func(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error){
	parse.NamePow: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return power(thread, args[0], args[1])
	},
	parse.NameMatMul: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return matmul(thread, args[0], args[1])
	},
	compile.PowInPlace: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return inPlace(thread, syntax.STARSTAR, power, args[0], args[1])
	},
	compile.MatMulInPlace: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return inPlace(thread, object.MatMul, matmul, args[0], args[1])
	},

	parse.NameFString: func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		var n int64
		for i, part := range args {
			if _, isText := part.(starlark.String); !isText {
				args[i] = starlark.String(value.Str(part)) // a number
			}
		}
		for _, part := range args {
			n += int64(len(part.(starlark.String)))
		}
		if err := value.Ask("f-string", "a string", n); err != nil {
			return nil, err
		}
		var b strings.Builder
		b.Grow(int(n))
		for _, part := range args {
			b.WriteString(string(part.(starlark.String)))
		}
		return starlark.String(b.String()), nil
	},
	parse.NameField: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		x, conversion, spec := args[0], args[1].(starlark.String), string(args[2].(starlark.String))
		switch conversion {
		case "r":
			x = starlark.String(value.ReprOn(thread, x))
		case "s":
			x = starlark.String(value.StrOn(thread, x))
		case "a":
			x = starlark.String(ascii(value.Repr(x)))
		}
		text, err := value.FormatValue(thread, x, spec)
		return starlark.String(text), err
	},

	parse.NameIs: func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return starlark.Bool(identical(args[0], args[1])), nil
	},
	parse.NameAssert: func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return nil, assertionError(args)
	},

	parse.NameRepeat: func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		n, err := starlark.AsInt32(args[1])
		return slices.Repeat(starlark.Tuple{args[0]}, n), err
	},
	parse.NameUnstar: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return unstar(thread, args[0], args[1:])
	},
	parse.NameUnstarEach: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		rows, err := items(thread, args[0])
		for i := range rows {
			if rows[i], err = unstar(thread, rows[i], args[1:]); err != nil {
				return nil, err
			}
		}
		return value.ListOf(thread, rows), err
	},
	parse.NameConcat: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		all := make([][]starlark.Value, len(args))
		for i, xs := range args {
			var err error
			if all[i], err = items(thread, xs); err != nil {
				return nil, err
			}
		}
		return value.ListOf(thread, all...), nil
	},
	parse.NameTuple: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		list, err := items(thread, args[0])
		return starlark.Tuple(list), err
	},
	parse.NameSet: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return value.SetOf(thread, args[0])
	},

	parse.NameImport: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return Of(thread).imported(importer(thread), string(args[0].(starlark.String)), string(args[1].(starlark.String)))
	},
	parse.NameImportAll: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if fn := value.FrameOf(thread, 1).Name; fn != "<toplevel>" && !Hidden(fn) {
			return nil, errors.New("from ... import * stands at top level only")
		}
		return starlark.None, Of(thread).importAllOf(importer(thread), string(args[0].(starlark.String)))
	},
}

// power is x ** y, and pow(x, y).
func power(thread *starlark.Thread, x, y starlark.Value) (starlark.Value, error) {
	if z, err := ofInstances(syntax.STARSTAR, x, y); z != nil || err != nil {
		return z, err
	}
	return value.Call(thread, Standard()["pow"], starlark.Tuple{x, y}, nil)
}

// matmul is x @ y, and matmul(x, y).
func matmul(thread *starlark.Thread, x, y starlark.Value) (starlark.Value, error) {
	if z, err := ofInstances(object.MatMul, x, y); z != nil || err != nil {
		return z, err
	}
	return value.Call(thread, Standard()["matmul"], starlark.Tuple{x, y}, nil)
}

// inPlace is what x is after x op= y for an operator that Starlark has not, which is otherwise.
func inPlace(thread *starlark.Thread, op syntax.Token, otherwise func(_ *starlark.Thread, x, y starlark.Value) (starlark.Value, error), x, y starlark.Value) (
	starlark.Value, error) {
	if a, ok := x.(value.InPlacer); ok {
		if z, err := a.InPlace(op, y); z != nil || err != nil {
			return z, err
		}
	}
	z, err := otherwise(thread, x, y)
	if a, ok := x.(value.Overwriter); ok && err == nil {
		return a.Overwrite(op, z)
	}
	return z, err
}

// ofInstances is x op y for an operator that Starlark has not, where one of them is an instance of
// a class of the user's; nil if none is.
func ofInstances(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if i, ok := x.(*value.Object); ok {
		if z, err := i.Binary(op, y, starlark.Left); z != nil || err != nil {
			return z, err
		}
	}
	if i, ok := y.(*value.Object); ok {
		return i.Binary(op, x, starlark.Right)
	}
	return nil, nil
}

// ascii escapes what is not ASCII.
func ascii(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// identical reports whether two values are one. Numbers, text and None are if they are equal.
func identical(x, y starlark.Value) bool {
	if _, isFunction := x.(value.Callable); isFunction && x == y {
		return true
	}
	if _, isFunction := y.(value.Callable); isFunction || x.Type() != y.Type() {
		return value.SameType(x, y)
	}
	if a, ok := x.(value.Interned); ok {
		return a.Same(y)
	}
	if a, ok := x.(starlark.Tuple); ok {
		b := y.(starlark.Tuple)
		return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
	}
	return reflect.TypeOf(x).Comparable() && x == y
}

// items returns the elements of an iterable; of text, its characters.
func items(thread *starlark.Thread, x starlark.Value) ([]starlark.Value, error) {
	xs, err := value.Iterable(x)
	if err != nil {
		return nil, err
	}
	if seq, ok := xs.(starlark.Sequence); ok {
		if err := value.AskList("*", seq); err != nil {
			return nil, err
		}
	}
	if err := value.CheckLen("*", xs); err != nil {
		return nil, err
	}
	return value.ElementsHeard(thread, xs), nil
}

// unstar returns x as a, *b, c = x unpacks it: parts are what parse.NameUnstar says.
func unstar(thread *starlark.Thread, x starlark.Value, parts starlark.Tuple) (starlark.Value, error) {
	list, err := items(thread, x)
	if err != nil {
		return nil, err
	}
	before, err := starlark.AsInt32(parts[0])
	if err != nil {
		return nil, err
	}
	after, err := starlark.AsInt32(parts[1])
	if err != nil {
		return nil, err
	}
	out := starlark.Tuple(list)
	switch {
	case after < 0 && len(list) != before:
		return nil, fmt.Errorf("too %s values to unpack (got %d, want %d)", fewOrMany(len(list) < before), len(list), before)
	case after >= 0 && len(list) < before+after:
		return nil, fmt.Errorf("too few values to unpack (got %d, want at least %d)", len(list), before+after)
	case after >= 0:
		end := len(list) - after
		out = slices.Concat(out[:before], starlark.Tuple{value.ListOf(thread, list[before:end])}, out[end:])
	}
	for i := 2; i < len(parts); i += 2 {
		at, err := starlark.AsInt32(parts[i])
		if err != nil {
			return nil, err
		}
		if out[at], err = unstar(thread, out[at], parts[i+1].(starlark.Tuple)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func fewOrMany(few bool) string {
	if few {
		return "few"
	}
	return "many"
}

// assertionFailed is the error of an assert statement, with its message if there is one.
type assertionFailed struct{ message starlark.Tuple }

func (assertionFailed) ErrorName() string               { return "AssertionError" }
func (e assertionFailed) ExceptionArgs() starlark.Tuple { return e.message }
func (e assertionFailed) Error() string {
	if len(e.message) == 0 {
		return "the assertion is false"
	}
	return value.Str(e.message[0])
}

func assertionError(args starlark.Tuple) error { return assertionFailed{slices.Clone(args)} }
