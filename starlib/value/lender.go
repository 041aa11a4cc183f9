package value

import (
	"slices"

	"go.starlark.net/starlark"
)

// A Lender is a value with memory that others can have when nobody refers to the value any more, which lowering knows of some: see package lower.
type Lender interface {
	starlark.Value
	// Hold says that others than the program's variables may refer to the memory: it is not released.
	Hold()
	// Temporary says that the operation that takes the value next is the last that does.
	Temporary()
	// Release gives the memory back, unless it is held. Nobody refers to the value any more.
	Release()
}

// A Forgetful callable keeps none of these arguments, nor what it is a method of, if it returns a number or an array. That is new, or a view, or one of these.
type Forgetful interface {
	Forgets(args starlark.Tuple, kwargs []starlark.Tuple) bool
	// Receiver is what it is a method of, nil if it is a function.
	Receiver() starlark.Value
}

// Forgets reports whether b.Forgets holds for a call: no argument is a function or an object, which may keep what it is given.
func (c Callable) Forgets(args starlark.Tuple, kwargs []starlark.Tuple) bool {
	if !c.Builtin.Forgets {
		return false
	}
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

// isData reports whether v is a number, a text, an array, or a sequence of such, of no more elements than most.
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
	case *starlark.List:
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

// Temporary is an operand that was computed for the operation that takes it; TemporaryTerm one of +, TemporaryFactor one of *.
func Temporary(v starlark.Value) starlark.Value {
	if l, ok := v.(Lender); ok {
		l.Temporary()
	}
	return v
}

func TemporaryTerm(v starlark.Value) starlark.Value   { return Term(Temporary(v)) }
func TemporaryFactor(v starlark.Value) starlark.Value { return Factor(Temporary(v)) }

// A Keeper makes the values of a variable that holds nothing but results, in a loop, and keeps the last two: while it makes the next, the one before the last is
// nobody's, since the last was stored over it. As a function k(f, x, ...) it is f(x, ...), and as a mapping k[x], it is x, the result of an operation.
type Keeper struct {
	ofSyntax
	last, before Lender
}

// NewKeeper returns one that keeps nothing yet.
func NewKeeper() *Keeper { return &Keeper{ofSyntax: "$keeper"} }

// Name is what a stack shows.
func (k *Keeper) Name() string { return k.String() }

var (
	_ starlark.Callable = (*Keeper)(nil)
	_ starlark.Mapping  = (*Keeper)(nil)
)

// Get is k[x].
func (k *Keeper) Get(x starlark.Value) (starlark.Value, bool, error) {
	k.release()
	k.note(x)
	return x, true, nil
}

// CallInternal is k(f, x, ...). A function that may keep an argument holds it.
func (k *Keeper) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	k.release()
	f, args := args[0], args[1:]
	forgetful, ok := f.(Forgetful)
	if ok = ok && forgetful.Forgets(args, kwargs); !ok {
		holdAll(args, kwargs)
	}
	z, err := starlark.Call(thread, f, args, kwargs)
	if err != nil {
		return nil, err
	}
	if ok && forgetful.Receiver() != nil {
		args = append(args[:len(args):len(args)], forgetful.Receiver())
	}
	var last starlark.Value
	switch z := z.(type) {
	case Lender:
		switch {
		case ok && isArgument(z, args, kwargs):
			z.Hold()
		case ok:
			last = z
		}
	case starlark.Int, starlark.Float, starlark.Bool, Scalar:
	default: // it may be made of arguments
		if ok {
			holdAll(args, kwargs)
		}
	}
	k.note(last)
	return z, nil
}

func holdAll(args starlark.Tuple, kwargs []starlark.Tuple) {
	for _, a := range args {
		Hold(a)
	}
	for _, pair := range kwargs {
		Hold(pair[1])
	}
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
	case *starlark.List:
		for i := range a.Len() {
			if isIn(z, a.Index(i)) {
				return true
			}
		}
	}
	return false
}

// release gives back the value before the last.
func (k *Keeper) release() {
	if k.before != nil {
		k.before.Release()
		k.before = nil
	}
}

// note notes the variable's new value.
func (k *Keeper) note(v starlark.Value) {
	k.before = k.last
	k.last, _ = v.(Lender)
}
