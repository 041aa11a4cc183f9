package value

import "go.starlark.net/starlark"

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

// A Forgetful callable keeps none of these arguments, and its results are new: nobody refers to them.
type Forgetful interface {
	Forgets(args starlark.Tuple, kwargs []starlark.Tuple) bool
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
type Keeper struct{ last, before Lender }

var (
	_ starlark.Callable = (*Keeper)(nil)
	_ starlark.Mapping  = (*Keeper)(nil)
)

func (k *Keeper) Name() string          { return "$keeper" }
func (k *Keeper) String() string        { return k.Name() }
func (k *Keeper) Type() string          { return "builtin_function_or_method" }
func (k *Keeper) Freeze()               {}
func (k *Keeper) Truth() starlark.Bool  { return true }
func (k *Keeper) Hash() (uint32, error) { return 0, nil }

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
		for _, a := range args {
			Hold(a)
		}
		for _, pair := range kwargs {
			Hold(pair[1])
		}
	}
	z, err := starlark.Call(thread, f, args, kwargs)
	switch {
	case err != nil:
		return nil, err
	case ok:
		k.note(z)
	default:
		k.note(nil)
	}
	return z, nil
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
