package value

import (
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// Objects is what package object knows of instances and classes of the user's. It is set when the
// program starts.
var Objects struct {
	// RecordOf is the record of an instance's attributes, nil of other values.
	RecordOf func(v starlark.Value) *slot.Record
	// Make makes an instance of a class, and gives the function that is its __init__, nil if it has
	// none. The instance is nil where the value is to be called as others are.
	Make func(v starlark.Value, host Host, args int) (instance, init starlark.Value)
	// Returned is the error of an __init__ that returned something.
	Returned func(instance, result starlark.Value) error
	// Bind is a method with the instance as its first argument.
	Bind func(method, instance starlark.Value) starlark.Value
}

func init() {
	Objects.RecordOf = func(starlark.Value) *slot.Record { return nil }
	Objects.Make = func(starlark.Value, Host, int) (instance, init starlark.Value) { return nil, nil }
}

// A Shaped is an instance whose attributes are in a record. What it tells is so for all instances of
// the record's shape, as long as the shape's layout is of the same version.
type Shaped interface {
	starlark.Value
	// Finds is what x.name is.
	Finds(name string) Finding
	// Stores is where x.name = v stores the value.
	Stores(name string) Storing
}

// A Finding is how an attribute is found.
type Finding struct {
	Kind   FindingKind
	Index  int            // of FindsSlot
	Method starlark.Value // of FindsMethod and FindsGetter
	Cell   *slot.Slot     // of FindsConstant: where the value is
}

// A FindingKind is a kind of Finding.
type FindingKind uint8

// Kinds of Findings.
const (
	FindsAnew     FindingKind = iota // the instance is to be asked each time
	FindsSlot                        // an attribute of the instance
	FindsMethod                      // a function of the class, which gets the instance as its first argument
	FindsConstant                    // a value of the class
	FindsGetter                      // a function of the class, which computes the attribute
)

// A Storing is where an attribute is stored: in a slot, which is a new one if Shape is not nil. That
// is the shape then. Index is -1 if the instance is to be told.
type Storing struct {
	Index int
	Shape *slot.Shape
}
