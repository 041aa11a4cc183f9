package np

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/libm"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// The attributes of scalars are those of arrays, which compute with an array without dimensions,
// but those that write to it.

// writing are the attributes of arrays that scalars, which never change, have not.
const writing = `fill resize sort partition put itemset setflags`

var scalarMethods = sync.OnceValue(func() *value.Methods {
	arrays := arrayMethods()
	var rows []value.Builtin
	var fields []value.Field
	for _, name := range arrays.Names() {
		if slices.Contains(strings.Fields(writing), name) {
			continue
		}
		if f := arrays.Field(name); f != nil {
			fields = append(fields, value.Field{Name: f.Name, Doc: f.Doc, Example: f.Example,
				Get: func(recv starlark.Value) (starlark.Value, error) {
					v, err := f.Get(recv.(Scalar).array(nil))
					return withoutDimensions(v), err
				}})
			continue
		}
		rows = append(rows, *arrays.Rows[name])
		rows[len(rows)-1].Fn = scalarMethod
	}
	return value.NewMethods("scalar", rows).Extending("ndarray").With(fields...)
})

// scalarMethod is the method of arrays of the same name.
func scalarMethod(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	m := value.AsBuiltin(arrayMethods().Rows[b.Name].Method(b.Receiver().(Scalar).array(value.HostOf(thread))))
	v, err := m.Fn(thread, m, args, kwargs)
	return withoutDimensions(v), err
}

// withoutDimensions returns an array that has none as a Scalar.
func withoutDimensions(v starlark.Value) starlark.Value {
	if a, ok := v.(*Array); ok && a.D.Rank() == 0 {
		return elementAt(a.D, 0)
	}
	return v
}

func (x Scalar) Table() *value.Methods { return scalarMethods() }

// AttrNames are the attributes of arrays and those of Starlark's number.
func (x Scalar) AttrNames() []string {
	names := scalarMethods().Names(value.AttrNames(x.Plain())...)
	return slices.Compact(names)
}

func (x Scalar) Attr(name string) (starlark.Value, error) {
	m := scalarMethods()
	if p := x.Plain(); m.Rows[name] == nil && m.Field(name) == nil && slices.Contains(value.AttrNames(p), name) {
		return value.Attr(p, name)
	}
	return m.Attr(x, name)
}

// Get is x[()], x itself, and x[...] and x[None], which are arrays.
func (x Scalar) Get(k starlark.Value) (starlark.Value, bool, error) {
	v, found, err := x.array(nil).Get(k)
	if t, ok := k.(starlark.Tuple); ok && len(t) == 0 {
		v = withoutDimensions(v)
	}
	if err != nil {
		err = fmt.Errorf("%s has no elements: it is a number", x.Type())
	}
	return v, found, err
}

// CallNumeric answers abs, pow, round and matmul. What else numbers take part in asks comparisons
// and operators.
func (x Scalar) CallNumeric(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	for _, a := range args {
		if _, isScalar := a.(Scalar); isScalar {
			continue
		}
		if n, ok := a.(value.Numeric); ok { // arrays and symbols
			return n.CallNumeric(thread, name, args, kwargs)
		}
	}
	switch name {
	case "abs":
		return CallFunction(thread, "absolute", args, kwargs)
	case "pow":
		if z, ok := floatPower(args); ok {
			return z, nil
		}
		return CallFunction(thread, "power", args, kwargs)
	case "round":
		return CallFunction(thread, "round", args, kwargs)
	case "matmul":
		return nil, errors.New("@: got numbers, want arrays or symbolic variables; x * y multiplies by a number")
	}
	return nil, fmt.Errorf("%s: got %s, want an array", name, x.Type())
}

// floatPower is the power of two numbers whose common type is float64 or float32.
func floatPower(args starlark.Tuple) (starlark.Value, bool) {
	if len(args) != 2 {
		return nil, false
	}
	x, ok1 := scalarOfNumber(args[0])
	y, ok2 := scalarOfNumber(args[1])
	d := kernels.Promote(x.dtype, y.dtype)
	if !ok1 || !ok2 || !d.IsFloat() {
		return nil, false
	}
	return floatScalar(d, libm.Pow(x.float(), y.float())), true
}
