package value

import (
	"slices"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Recyclable is an array with memory that others can have when nobody refers to the array any
// more. The machine finds out when that is: see DESIGN.md, "Who owns an array?".
type Recyclable interface {
	slot.Owned
	starlark.HasBinary
	InPlacer
	// Own is the array's place among registers.
	Own() *slot.Own
	// BinaryInto is Binary, whose result may be into: an array that nobody has when it is there.
	BinaryInto(op syntax.Token, y starlark.Value, side starlark.Side, into Recyclable) (starlark.Value, error)
	// MarkDying says that the operation that takes the array next is the last that does.
	MarkDying()
	// Release gives the memory back, unless it is held. Nobody refers to the array any more.
	Release()
	// Apart reports whether z, which was just taken from the array by a subscript, is an array
	// with memory of its own.
	Apart(z starlark.Value) bool
	// Reads reports whether an attribute holds no part of the array but as views do.
	Reads(name string) bool
	// Reduced is what a method without arguments makes of all elements, if that is a number. Where
	// it fails the call has to say why.
	Reduced(method string) (starlark.Value, bool)
	// Defers has operations wait that are like the array, by what Defers has given before, or nil.
	Defers(again Deferred) Deferred
}

// A NonRetaining callable keeps none of these arguments, nor what it is a method of, if it returns
// a number or an array. That is new, or a view, or one of these.
type NonRetaining interface {
	RetainsNone(args starlark.Tuple, kwargs []starlark.Tuple) bool
	// Receiver is what it is a method of, nil if it is a function.
	Receiver() starlark.Value
}

// An Operation is a callable that some arguments make an operation of, as operators are: it keeps
// none of them, and needs neither a frame of the stack nor a thread.
type Operation interface {
	NonRetaining
	// Operate is the value, or nil where a call has to do it, or to say what is wrong. An argument
	// is the value only where nobody else takes it.
	Operate(args starlark.Tuple) starlark.Value
}

// RetainsNone reports whether b.RetainsNone holds for a call: no argument is a function or an
// object, which may keep what it is given.
func (c Callable) RetainsNone(args starlark.Tuple, kwargs []starlark.Tuple) bool {
	return c.Builtin.RetainsNone && areData(args, kwargs)
}

// areData reports whether arguments are data: none is a function or an object.
func areData(args starlark.Tuple, kwargs []starlark.Tuple) bool {
	most := 100
	for _, a := range args {
		if !isData(a, &most) {
			return false
		}
	}
	for _, pair := range kwargs {
		if !isData(pair[1], &most) {
			return false
		}
	}
	return true
}

// isData reports whether v is a number, a text, an array, or a sequence of such, of no more
// elements than most.
func isData(v starlark.Value, most *int) bool {
	if *most--; *most < 0 {
		return false
	}
	switch v := v.(type) {
	case Recyclable, starlark.Int, starlark.Float, starlark.Bool, starlark.String, starlark.NoneType, Scalar:
		return true
	case starlark.Tuple:
		for _, x := range v {
			if !isData(x, most) {
				return false
			}
		}
		return true
	case *slot.List:
		for i := range v.Len() {
			if !isData(v.Index(i), most) {
				return false
			}
		}
		return true
	}
	return false
}

// Pin pins a recyclable array.
func Pin(v starlark.Value) {
	if l, ok := v.(Recyclable); ok {
		l.Pin()
	}
}

// CallBorrowed calls f with arguments that it may not keep unless it says so: those that it may are
// held. Arrays that the call is the last to take are among computed; f may use their memory. The
// result is new if it is an array that nobody else has.
func CallBorrowed(thread *starlark.Thread, f starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple,
	computed []*slot.Own) (z starlark.Value, isNew bool, err error) {
	builtin, isBuiltin := f.(Callable)
	operation, isOperation := f.(Operation)
	if isOperation || isBuiltin && (builtin.Builtin.RetainsNone || builtin.Consumes) {
		for _, o := range computed {
			o.Of.(Recyclable).MarkDying()
		}
	}
	if isOperation && len(kwargs) == 0 {
		if z = operation.Operate(args); z != nil {
			_, isNew = z.(Recyclable)
			return z, isNew, nil
		}
	}
	retainsNone := false
	receiver := starlark.Value(nil)
	if c, ok := f.(NonRetaining); ok {
		retainsNone, receiver = c.RetainsNone(args, kwargs), c.Receiver()
	}
	if !retainsNone && !(isBuiltin && builtin.Consumes) {
		pinAll(args, kwargs, receiver)
	}
	if z, err = Call(thread, f, args, kwargs); err != nil {
		return nil, false, err
	}
	switch z.(type) {
	case Recyclable:
		isOneOf := func(o *slot.Own) bool { return z == starlark.Value(o.Of) }
		isNew = retainsNone && (slices.ContainsFunc(computed, isOneOf) || !isArgument(z, args, kwargs) && z != receiver)
		if !isNew {
			Pin(z)
		}
	case starlark.Float, starlark.Int, starlark.Bool, starlark.String, starlark.NoneType, Scalar:
		isNew = retainsNone
	default: // it may be made of arguments
		if retainsNone {
			pinAll(args, kwargs, receiver)
		}
	}
	for _, o := range computed { // but those whose memory f has used
		if isNew && o.By != slot.Nobody && z != starlark.Value(o.Of) {
			o.Of.(Recyclable).Release()
		}
	}
	_, isArray := z.(Recyclable)
	return z, isNew && isArray, nil
}

// pinAll pins what a function may keep.
func pinAll(args starlark.Tuple, kwargs []starlark.Tuple, receiver starlark.Value) {
	for _, a := range args {
		Pin(a)
	}
	for _, pair := range kwargs {
		Pin(pair[1])
	}
	Pin(receiver)
}

// isArgument reports whether z is an argument, or an element of one.
func isArgument(z starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) bool {
	for _, a := range args {
		if isIn(z, a) {
			return true
		}
	}
	for _, pair := range kwargs {
		if isIn(z, pair[1]) {
			return true
		}
	}
	return false
}

func isIn(z, a starlark.Value) bool {
	switch a := a.(type) {
	case Recyclable:
		return z == a
	case starlark.Tuple:
		return slices.ContainsFunc(a, func(x starlark.Value) bool { return isIn(z, x) })
	case *slot.List:
		for i := range a.Len() {
			if isIn(z, a.Index(i)) {
				return true
			}
		}
	}
	return false
}

// RunBorrowed calls f for what it does, as CallBorrowed does: nobody takes the value.
func RunBorrowed(thread *starlark.Thread, f Runner, args starlark.Tuple, kwargs []starlark.Tuple,
	computed []*slot.Own) error {
	c, ok := f.(NonRetaining)
	retainsNone := ok && c.RetainsNone(args, kwargs)
	if !retainsNone {
		pinAll(args, kwargs, nil)
	}
	err := f.Run(thread, args, kwargs)
	if retainsNone && err == nil {
		for _, o := range computed {
			o.Of.(Recyclable).Release()
		}
	}
	return err
}
