package session

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// universeTable is the functions of Starlark that are as they were, and those of attributes, which
// know the methods that package value adds. The others that Starlark has are in the tables of value
// and in stdTable.
var universeTable = []value.Builtin{
	own("chr", "The string of one code point.", `chr(65) # "A"`, "i: a code point"),
	value.Bound("dir", "The names of a value's attributes.", `dir(struct(a=1)) # ["a"]`,
		func(v []starlark.Value) (starlark.Value, error) {
			var names []starlark.Value
			known := append(value.AttrNames(v[0]), value.SpecialNames(v[0])...)
			slices.Sort(known)
			for _, name := range slices.Compact(known) {
				names = append(names, starlark.String(name))
			}
			return slot.NewList(names), nil
		}, "x: any value"),
	value.Bound("getattr", "An attribute by name; default if there is none.", `getattr(struct(a=1), "a") # 1`,
		func(v []starlark.Value) (starlark.Value, error) {
			x, err := attrNamed("getattr", v)
			if err != nil && v[2] != nil && isNoAttr(err, v[1]) {
				return v[2], nil
			}
			return x, err
		}, "x: any value", "name: a string", "default=None: instead of an error").Quickly(value.QuickGetAttr),
	value.Bound("hasattr", "True if the value has the attribute.", `hasattr([], "append") # True`,
		func(v []starlark.Value) (starlark.Value, error) {
			_, err := attrNamed("hasattr", v)
			if err != nil && !isNoAttr(err, v[1]) {
				return nil, err
			}
			return starlark.Bool(err == nil), nil
		}, "x: any value", "name: a string").Quickly(value.QuickHasAttr),
	value.BoundOn("hash", "An integer that is equal for equal values.", `hash(3) # 3`,
		func(thread *starlark.Thread, v []starlark.Value) (starlark.Value, error) {
			return value.Beside(thread, value.TextBytes(v[0]), func() (starlark.Value, error) { return object.Hash(v[0]) })
		},
		"x: a value that can be a key").Quickly(object.QuickHash),
	value.Bound("id", "A number that is the value's own while it exists: id(x) == id(y) if x is y.", "x = [1]; id(x) == id(x.copy()) # False",
		func(v []starlark.Value) (starlark.Value, error) {
			return starlark.MakeUint64(slot.Identity(slot.Of(v[0]))), nil
		}, "x: any value").Quickly(object.QuickID),
	own("ord", "The code point of a string of one.", `ord("A") # 65`, "s: a string"),
}

// own returns the row of a function of Starlark's. Each parameter is written
// "name=default: documentation".
func own(name, doc, example string, params ...string) value.Builtin {
	fn := starlark.Universe[name].(*starlark.Builtin)
	b := value.Row(name, doc, example,
		func(thread *starlark.Thread, _ *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return fn.CallInternal(thread, value.Plain(args).(starlark.Tuple), kwargs)
		}, params...)
	b.Quick = value.QuickFunction(name)
	return b
}

// isNoAttr says whether an error is that there is no attribute of a name. Whatever a value of the
// language's own says is; a function of the user's may fail for another reason.
func isNoAttr(err error, name starlark.Value) bool {
	if _, isText := starlark.AsString(name); !isText {
		return false
	}
	var raised *object.Raised
	if value.TraceOf(err) != nil || errors.As(err, &raised) {
		return object.IsError(err, object.AttributeError)
	}
	return true
}

func attrNamed(fn string, v []starlark.Value) (starlark.Value, error) {
	name, ok := starlark.AsString(v[1])
	if !ok {
		return nil, fmt.Errorf("%s: for parameter name: got %s, want string", fn, v[1].Type())
	}
	x, err := value.Attr(v[0], name)
	if absent, ok := x.(*value.AbsentModule); ok {
		err = absent.Err()
	}
	if value.TraceOf(err) != nil {
		return nil, err // of a function of the user's, which says where it is
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	return x, nil
}
