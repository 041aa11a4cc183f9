package value

import (
	"slices"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Lender is an array with memory that others can have when nobody refers to the array any more.
// The machine finds out when that is: see DESIGN.md, "Who owns an array?".
type Lender interface {
	slot.Owned
	starlark.HasBinary
	InPlacer
	// Own is the array's place among registers.
	Own() *slot.Own
	// BinaryInto is Binary, whose result may be into: an array that nobody has when it is there.
	BinaryInto(op syntax.Token, y starlark.Value, side starlark.Side, into Lender) (starlark.Value, error)
	// Temporary says that the operation that takes the array next is the last that does.
	Temporary()
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

// A Forgetful callable keeps none of these arguments, nor what it is a method of, if it returns a
// number or an array. That is new, or a view, or one of these.
type Forgetful interface {
	Forgets(args starlark.Tuple, kwargs []starlark.Tuple) bool
	// Receiver is what it is a method of, nil if it is a function.
	Receiver() starlark.Value
}

// An Operation is a callable that some arguments make an operation of, as operators are: it keeps
// none of them, and needs neither a frame of the stack nor a thread.
type Operation interface {
	Forgetful
	// Operate is the value, or nil where a call has to do it, or to say what is wrong. An argument
	// is the value only where nobody else takes it.
	Operate(args starlark.Tuple) starlark.Value
}

// Forgets reports whether b.Forgets holds for a call: no argument is a function or an object, which
// may keep what it is given.
func (c Callable) Forgets(args starlark.Tuple, kwargs []starlark.Tuple) bool {
	return c.Builtin.Forgets && areData(args, kwargs)
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
	case Lender, starlark.Int, starlark.Float, starlark.Bool, starlark.String, starlark.NoneType, Scalar:
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

// Hold holds what lends.
func Hold(v starlark.Value) {
	if l, ok := v.(Lender); ok {
		l.Hold()
	}
}

// Lend calls f with arguments that it may not keep unless it says so: those that it may are held.
// Arrays that the call is the last to take are among computed; f may use their memory. The result
// is new if it is an array that nobody else has.
func Lend(thread *starlark.Thread, f starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple,
	computed []*slot.Own) (z starlark.Value, isNew bool, err error) {
	builtin, isBuiltin := f.(Callable)
	operation, isOperation := f.(Operation)
	if isOperation || isBuiltin && (builtin.Builtin.Forgets || builtin.Takes) {
		for _, o := range computed {
			o.Of.(Lender).Temporary()
		}
	}
	if isOperation && len(kwargs) == 0 {
		if z = operation.Operate(args); z != nil {
			_, isNew = z.(Lender)
			return z, isNew, nil
		}
	}
	forgets := false
	receiver := starlark.Value(nil)
	if c, ok := f.(Forgetful); ok {
		forgets, receiver = c.Forgets(args, kwargs), c.Receiver()
	}
	if !forgets && !(isBuiltin && builtin.Takes) {
		holdAll(args, kwargs, receiver)
	}
	if z, err = Call(thread, f, args, kwargs); err != nil {
		return nil, false, err
	}
	switch z.(type) {
	case Lender:
		isOneOf := func(o *slot.Own) bool { return z == starlark.Value(o.Of) }
		isNew = forgets && (slices.ContainsFunc(computed, isOneOf) || !isArgument(z, args, kwargs) && z != receiver)
		if !isNew {
			Hold(z)
		}
	case starlark.Float, starlark.Int, starlark.Bool, starlark.String, starlark.NoneType, Scalar:
		isNew = forgets
	default: // it may be made of arguments
		if forgets {
			holdAll(args, kwargs, receiver)
		}
	}
	for _, o := range computed { // but those whose memory f has used
		if isNew && o.By != slot.Nobody && z != starlark.Value(o.Of) {
			o.Of.(Lender).Release()
		}
	}
	_, isArray := z.(Lender)
	return z, isNew && isArray, nil
}

// holdAll holds what a function may keep.
func holdAll(args starlark.Tuple, kwargs []starlark.Tuple, receiver starlark.Value) {
	for _, a := range args {
		Hold(a)
	}
	for _, pair := range kwargs {
		Hold(pair[1])
	}
	Hold(receiver)
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
	case Lender:
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

// LendRun calls f for what it does, as Lend does: nobody takes the value.
func LendRun(thread *starlark.Thread, f Runner, args starlark.Tuple, kwargs []starlark.Tuple,
	computed []*slot.Own) error {
	c, ok := f.(Forgetful)
	forgets := ok && c.Forgets(args, kwargs)
	if !forgets {
		holdAll(args, kwargs, nil)
	}
	err := f.Run(thread, args, kwargs)
	if forgets && err == nil {
		for _, o := range computed {
			o.Of.(Lender).Release()
		}
	}
	return err
}
