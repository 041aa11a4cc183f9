package value

import (
	"fmt"
	"runtime"
	"sync"
	"weak"

	"github.com/arignote/arignote/starlib/config"
	"go.starlark.net/starlark"
)

// functionAttrs are the attributes that programs gave to functions, f.calls = 0. The interpreter's functions have no room for any, and point to
// nothing of the session's; so they stand beside the functions, by weak pointers, and go with them. No two sessions share a function.
var functionAttrs sync.Map // from weak.Pointer[starlark.Function] to *attrsOf

type attrsOf struct {
	mu     sync.Mutex
	values starlark.StringDict
}

// attrsOfFunction returns the attributes of a function, nil if it has none and is to get none.
func attrsOfFunction(def Def, make bool) *attrsOf {
	fn := def.(*starlark.Function) // what there is to point to weakly
	key := weak.Make(fn)
	if v, ok := functionAttrs.Load(key); ok {
		return v.(*attrsOf)
	}
	if !make {
		return nil
	}
	v, had := functionAttrs.LoadOrStore(key, &attrsOf{values: starlark.StringDict{}})
	if !had {
		runtime.AddCleanup(fn, func(key weak.Pointer[starlark.Function]) { functionAttrs.Delete(key) }, key)
	}
	return v.(*attrsOf)
}

// A fields is a function as a value with attributes: what its attributes are asked of, and assigned
// to. It is no Def of its own.
type fields struct{ starlark.Callable }

func (f fields) def() Def { return f.Callable.(Def) }

var (
	_ starlark.HasSetField = fields{}

	// Fields is the mapping $fields: of a function its attributes, and anything else as it is.
	Fields = NewPlainly("$fields", func(v starlark.Value) starlark.Value {
		if fn, ok := v.(Def); ok {
			return fields{fn}
		}
		return v
	})
)

// Attr is f.name.
func (f fields) Attr(name string) (starlark.Value, error) {
	if attrs := attrsOfFunction(f.def(), false); attrs != nil && name != "__dict__" {
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
	attrs := attrsOfFunction(f.def(), false)
	if attrs == nil {
		return nil
	}
	attrs.mu.Lock()
	defer attrs.mu.Unlock()
	return attrs.values.Keys()
}

// SetField is f.name = v.
func (f fields) SetField(name string, v starlark.Value) error {
	if dunders[name] != nil && !renamed[name] {
		return fmt.Errorf("can't assign to .%s field of function", name)
	}
	attrs := attrsOfFunction(f.def(), true)
	attrs.mu.Lock()
	defer attrs.mu.Unlock()
	attrs.values[name] = v
	return nil
}

// renamed are the names of what functions have of themselves, and that can be assigned: what functools.wraps does.
var renamed = map[string]bool{"__name__": true, "__qualname__": true, "__doc__": true, "__module__": true, "__wrapped__": true}

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
	attrs := attrsOfFunction(fn, false)
	if attrs == nil {
		attrs = &attrsOf{}
	}
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
