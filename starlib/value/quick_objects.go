package value

import (
	"slices"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// Quickly is the row of a function with a quick form.
func (b Builtin) Quickly(q Quick) Builtin {
	b.Quick = q
	return b
}

func quickIsInstance(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 2 {
		return slot.Slot{}, false
	}
	is, ok := isQuickly(&args[0], args[1].Ref())
	return slot.Bool(is), ok
}

// isQuickly is instanceOf of a value that is an object, or of a basic type.
func isQuickly(x *slot.Slot, of starlark.Value) (is, ok bool) {
	switch t := of.(type) {
	case ClassOf:
		_, isObject := x.Ref().(*Object)
		return isObject && bool(t.HasInstance(x.Ref())), isObject
	case starlark.Tuple:
		for _, one := range t {
			if is, ok = isQuickly(x, one); is || !ok {
				return is, ok
			}
		}
		return false, true
	case Callable:
		if t.Types == nil || t.Base != nil {
			return false, false
		}
		typ := basicType(x)
		return typ != "" && slices.Contains(t.Types, typ), typ != ""
	}
	return false, false
}

// basicType is the type of a number, a text, a container and the like, "" of others.
func basicType(x *slot.Slot) string {
	switch {
	case x.IsInt():
		return "int"
	case x.IsFloat():
		return "float"
	}
	switch v := x.Ref().(type) {
	case starlark.String, starlark.Bool, starlark.NoneType, starlark.Tuple, *slot.List, *slot.Dict, *slot.Set:
		return v.Type()
	}
	return ""
}

func quickType(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	if typ := basicType(&args[0]); typ != "" {
		if t := namedTypes[typ]; t != nil {
			return slot.Ref(t), true
		}
		return slot.Ref(NamedType(typ)), true
	}
	o, ok := args[0].Ref().(*Object)
	if !ok {
		return slot.Slot{}, false
	}
	return slot.Ref(o.Class()), true
}

// attrOf is an attribute of an object that is asked for by name. That there is none is known of
// some; ok is false where nothing is.
func attrOf(args []slot.Slot) (v slot.Slot, found, ok bool) {
	o, isObject := args[0].Ref().(*Object)
	name, isText := args[1].Ref().(starlark.String)
	if !isObject || !isText {
		return v, false, false
	}
	switch f := o.Finds(string(name)); f.Kind {
	case FindsSlot:
		return o.Record.Slots[f.Index], true, true
	case FindsConstant:
		return *f.Cell, true, true
	case FindsMethod:
		return slot.Ref(Objects.Bind(f.Method, o)), true, true
	case FindsNone:
		return v, false, true
	}
	return v, false, false
}

// QuickGetAttr is getattr of objects.
func QuickGetAttr(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 2 && len(args) != 3 {
		return slot.Slot{}, false
	}
	v, found, ok := attrOf(args)
	if ok && !found && len(args) == 3 {
		return args[2], true
	}
	return v, ok && found
}

// QuickHasAttr is hasattr of objects.
func QuickHasAttr(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 2 {
		return slot.Slot{}, false
	}
	_, found, ok := attrOf(args)
	return slot.Bool(found), ok
}

// QuickSetAttr is setattr of objects.
func QuickSetAttr(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 3 {
		return slot.Slot{}, false
	}
	o, isObject := args[0].Ref().(*Object)
	name, isText := args[1].Ref().(starlark.String)
	if !isObject || !isText || o.Record.Shape == nil {
		return slot.Slot{}, false
	}
	return slot.None, o.Store(o.Stores(string(name)), &args[2])
}

// Store puts an attribute where Stores says; it reports false if that is elsewhere.
func (o *Object) Store(to Storing, v *slot.Slot) bool {
	switch {
	case to.Index >= 0 && to.Shape == nil:
		o.Record.Slots[to.Index] = v.Escape()
	case to.Shape != nil:
		o.Record.Slots = append(o.Record.Slots, v.Escape())
		o.Record.Shape = to.Shape
	default:
		return false
	}
	return true
}
