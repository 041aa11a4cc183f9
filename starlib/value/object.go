package value

import (
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Objects is what package object knows of instances and classes of the user's. It is set when the
// program starts.
var Objects struct {
	// Make makes an instance of a class for arguments, and gives the function that is its __init__,
	// nil if it has none. The instance is nil where the value is to be called as others are, or
	// where the function makes it of the class and the arguments: its __new__.
	Make func(v starlark.Value, host Host, args []slot.Slot) (instance *Object, init starlark.Value)
	// Returned is the error of an __init__ that returned something.
	Returned func(instance, result starlark.Value) error
	// Unfit is the error of what a special method of an instance has returned.
	Unfit func(name string, instance, result starlark.Value) error
	// NotImplemented is what a special method returns that leaves an operation to others.
	NotImplemented starlark.Value
	// Declined is x op y after the special method of x did.
	Declined func(op syntax.Token, x *Object, y starlark.Value) (starlark.Value, error)
	// MakeClass is type(name, bases, members).
	MakeClass func(thread *starlark.Thread, args starlark.Tuple) (starlark.Value, error)
	// Bind is a method with the instance as its first argument.
	Bind func(method, instance starlark.Value) starlark.Value
}

func init() {
	Objects.Make = func(starlark.Value, Host, []slot.Slot) (*Object, starlark.Value) { return nil, nil }
}

// An Object is an instance of a class of the user's, as a value: the record of its attributes,
// which the machine knows, and a Being, which knows everything else.
type Object struct {
	Record slot.Record
	Being
}

// Freeze does nothing: instances change.
func (*Object) Freeze() {}

// A Being is what an Object is besides its attributes. It is no value by itself.
type Being interface {
	String() string
	Str() string
	Type() string
	Doc() string
	Name() string
	ID() uint32
	Truth() starlark.Bool
	Hash() (uint32, error)
	KeyHash() (int64, error) // hash(x), as dicts and sets take it

	Attr(name string) (starlark.Value, error)
	Look(name string) starlark.Value
	AttrNames() []string
	SetField(name string, v starlark.Value) error
	Delete(name string) error
	Finder

	Class() starlark.Value
	DerivesFrom(b *Base) bool
	Held() starlark.Value
	Err() error
	Copied(deep bool, part func(starlark.Value) (starlark.Value, error),
		began func(starlark.Value)) (starlark.Value, error)

	HasMethod(name string) bool
	// Function is a special method that is a function of the program's, nil if there is none. Only
	// who runs the program may ask.
	Function(name string) Def
	Special(name string, args ...starlark.Value) (starlark.Value, error)
	CanCall() bool
	CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (
		starlark.Value, error)
	Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error)
	Power(y, mod starlark.Value) (starlark.Value, error)
	Unary(op syntax.Token) (starlark.Value, error)
	InPlace(op syntax.Token, y starlark.Value) (starlark.Value, error)
	CompareBy(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error)
	CompareSameType(op syntax.Token, y starlark.Value, depth int) (bool, error)

	Len() int
	Has(x starlark.Value) (bool, error)
	Get(k starlark.Value) (starlark.Value, bool, error)
	SetKey(k, v starlark.Value) error
	DeleteKey(k starlark.Value) error
	SliceBy(lo, hi, step starlark.Value) (starlark.Value, error)
	Iterate() starlark.Iterator
	CheckIterate() error
	NextValue() (v starlark.Value, ok bool, err error)
}

var (
	_ starlark.HasBinary   = (*Object)(nil)
	_ starlark.HasUnary    = (*Object)(nil)
	_ starlark.Comparable  = (*Object)(nil)
	_ starlark.HasSetKey   = (*Object)(nil)
	_ starlark.HasSetField = (*Object)(nil)
	_ starlark.Sequence    = (*Object)(nil)
	_ starlark.Callable    = (*Object)(nil)
	_ Comparer             = (*Object)(nil)
	_ InPlacer             = (*Object)(nil)
	_ Strer                = (*Object)(nil)
	_ Slicer               = (*Object)(nil)
	_ Deriving             = (*Object)(nil)
	_ Looker               = (*Object)(nil)
)

// A Finder tells where attributes are, for those that are in a record: it is so for all objects of
// the record's shape, as long as the shape's layout is of the same version.
type Finder interface {
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
	FindsMethod                      // a function of the class, which gets the instance first
	FindsConstant                    // a value of the class
	FindsGetter                      // a function of the class, which computes the attribute
	FindsNone                        // there is none
)

// A MethodFinder finds the functions that its methods are, with their first argument.
type MethodFinder interface {
	// FindMethod is what x.name is called with and on; fn is nil where the value is to be asked.
	// self is unset where the function is no method.
	FindMethod(name string) (fn Def, self starlark.Value)
}

// A Storing is where an attribute is stored: in a slot, which is a new one if Shape is not nil.
// That is the shape then. Index is -1 if the instance is to be told, or Setter is to be called,
// which gets the instance first.
type Storing struct {
	Index  int
	Shape  *slot.Shape
	Setter starlark.Value
}
