package session

import (
	"errors"
	"strings"

	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
)

// variables is the mapping of the variables of a function's call that functions made of its blocks assign too.
type variables struct{ values map[string]starlark.Value }

var _ starlark.HasSetKey = (*variables)(nil)

func (v *variables) String() string        { return "$variables" }
func (v *variables) Type() string          { return "variables" }
func (v *variables) Truth() starlark.Bool  { return true }
func (v *variables) Hash() (uint32, error) { return 0, errors.New("unhashable type: variables") }
func (v *variables) Freeze() {
	for _, x := range v.values {
		x.Freeze()
	}
}

// Get returns a variable that has a value; $variables in name asks whether it has.
func (v *variables) Get(k starlark.Value) (starlark.Value, bool, error) {
	name := string(k.(starlark.String))
	if x, ok := v.values[name]; ok {
		return x, true, nil
	}
	return nil, false, object.NewError(object.Tree["UnboundLocalError"], "local variable "+name+" referenced before assignment")
}

func (v *variables) SetKey(k, x starlark.Value) error {
	if v.values == nil {
		v.values = map[string]starlark.Value{}
	}
	v.values[string(k.(starlark.String))] = x
	return nil
}

// Delete deletes a variable.
func (v *variables) Delete(name string) bool {
	_, ok := v.values[name]
	delete(v.values, name)
	return ok
}

// Delete deletes a global variable; of a name that was there before the first cell, what it has been since.
func (e environment) Delete(name string) bool {
	if !e.env.IsAssigned(name) {
		return false
	}
	e.env.Delete(name)
	if x, ok := e.s.base[name]; ok {
		e.env.Set(name, x)
	}
	return true
}

// variablesOf is locals(): of a mapping, or of names and functions that return their values.
func variablesOf(thread *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	d := slot.NewDict(len(args) / 2)
	if len(args) == 0 {
		return d, nil
	}
	switch of := args[0].(type) {
	case environment:
		for _, name := range of.names() {
			d.SetKey(starlark.String(name), of.env.Get(name))
		}
		return d, nil
	case *object.Body:
		return of.Members(), nil
	}
	for i := 0; i < len(args); i += 2 {
		v, err := value.Call(thread, args[i+1], nil, nil)
		if err != nil {
			if hasNoValue(err) {
				continue
			}
			return nil, err
		}
		d.SetKey(args[i], v)
	}
	return d, nil
}

// hasNoValue says whether an error is that a variable has no value.
func hasNoValue(err error) bool {
	if at := value.TraceOf(err); at != nil {
		if class := object.Classify(errors.New(at.Msg)); class != nil && class.IsSubclass(object.NameError) {
			return true
		}
	}
	var raised *object.Raised
	return errors.As(err, &raised) && raised.Exception.Class().(*object.Class).IsSubclass(object.NameError)
}

// unbind is del name.
func unbind(at starlark.Value, name string) error {
	if d, ok := at.(interface{ Delete(string) bool }); ok && d.Delete(name) {
		return nil
	}
	if _, ok := at.(environment); ok {
		return &vm.NameError{Name: name}
	}
	_, _, err := at.(starlark.Mapping).Get(starlark.String(name))
	return err
}

// titleOf is the name of a generator function, of the name of the function that its body became.
func titleOf(name, prefix string) string { return strings.TrimPrefix(name, prefix) }
