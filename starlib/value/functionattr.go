package value

import (
	"fmt"

	"github.com/arignote/arignote/starlib/config"
	"go.starlark.net/starlark"
)

// A fields is a function as a value with attributes: what its attributes are asked of, and assigned
// to. It is no Def of its own.
type fields struct{ starlark.Callable }

func (f fields) def() Def { return f.Callable.(Def) }

var _ starlark.HasSetField = fields{}

// FieldsOf is what attributes of x are asked of: of a function those that it was given too.
func FieldsOf(x starlark.Value) starlark.Value {
	if fn, ok := x.(Def); ok {
		return fields{fn}
	}
	return x
}

// Attr is f.name.
func (f fields) Attr(name string) (starlark.Value, error) {
	if attrs := f.def().Attrs(); name != "__dict__" {
		attrs.mu.Lock()
		defer attrs.mu.Unlock()
		if v, ok := attrs.values[name]; ok {
			return v, nil
		}
	}
	if v, ok := dunder(f.Callable, name); ok {
		return v, nil
	}
	return nil, fmt.Errorf("function has no .%s field or method", name)
}

// AttrNames are the names that were assigned.
func (f fields) AttrNames() []string {
	attrs := f.def().Attrs()
	attrs.mu.Lock()
	defer attrs.mu.Unlock()
	return attrs.values.Keys()
}

// SetField is f.name = v.
func (f fields) SetField(name string, v starlark.Value) error {
	if dunders[name] != nil && !renamed[name] {
		return fmt.Errorf("can't assign to .%s field of function", name)
	}
	attrs := f.def().Attrs()
	attrs.mu.Lock()
	defer attrs.mu.Unlock()
	if attrs.values == nil {
		attrs.values = starlark.StringDict{}
	}
	attrs.values[name] = v
	return nil
}

// Wrap gives a function the name, the documentation and the attributes of another, which it wraps.
func Wrap(fn Def, wrapped starlark.Value) error {
	to := fields{fn}
	for name := range renamed {
		if v, err := Attr(wrapped, name); err == nil {
			if err := to.SetField(name, v); err != nil {
				return err
			}
		}
	}
	if from, ok := wrapped.(Def); ok {
		for _, name := range (fields{from}).AttrNames() {
			if v, err := (fields{from}).Attr(name); err == nil && !renamed[name] {
				if err := to.SetField(name, v); err != nil {
					return err
				}
			}
		}
	}
	return to.SetField("__wrapped__", wrapped)
}

// DeleteFunctionAttr is del f.name.
func DeleteFunctionAttr(fn Def, name string) error {
	attrs := fn.Attrs()
	attrs.mu.Lock()
	defer attrs.mu.Unlock()
	if _, ok := attrs.values[name]; !ok {
		hint := ""
		if n := config.Closest(name, attrs.values.Keys()); n != "" {
			hint = fmt.Sprintf(" (did you mean .%s?)", n)
		}
		return fmt.Errorf("function has no .%s field or method%s", name, hint)
	}
	delete(attrs.values, name)
	return nil
}
