package value

import (
	"slices"
	"sync"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Lender is a value with memory that others can have when nobody refers to the value any more, which lowering knows of some: see package lower.
type Lender interface {
	starlark.Value
	// Hold says that others than the program's variables may refer to the memory: it is not released, and the value is no temporary.
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

// An Operation is a callable that some arguments make an operation of, as operators are: it keeps none of them, and needs neither a frame of the stack nor a thread.
type Operation interface {
	Forgetful
	// Operate is the value, or nil where a call has to do it, or to say what is wrong. An argument is the value only where nobody else takes it.
	Operate(args starlark.Tuple) starlark.Value
}

// Forgets reports whether b.Forgets holds for a call: no argument is a function or an object, which may keep what it is given.
func (c Callable) Forgets(args starlark.Tuple, kwargs []starlark.Tuple) bool {
	if !c.Builtin.Forgets {
		return false
	}
	return areData(args, kwargs)
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

// functions are the forgetful ones of programs, by their positions.
var functions = struct {
	sync.RWMutex
	forgetful map[syntax.Position]bool
}{forgetful: map[syntax.Position]bool{}}

// NoteForgetful says that functions of a program keep no argument that is an array or a number, and that their results are new, or arguments.
func NoteForgetful(at []syntax.Position) {
	functions.Lock()
	defer functions.Unlock()
	for _, pos := range at {
		functions.forgetful[pos] = true
	}
}

// isContainer reports whether elements of v may be kept by who forgets v.
func isContainer(v starlark.Value) bool {
	switch v.(type) {
	case starlark.Tuple, *slot.List:
		return true
	}
	return false
}

// forgets reports whether f(x, ...) keeps no argument, and what else f has: nil if nothing.
func forgets(f starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) (ok bool, receiver starlark.Value) {
	switch f := f.(type) {
	case Forgetful:
		return f.Forgets(args, kwargs), f.Receiver()
	case Def:
		functions.RLock()
		ok = functions.forgetful[f.Position()]
		functions.RUnlock()
		return ok && !slices.ContainsFunc(args, isContainer) && !slices.ContainsFunc(kwargs, func(pair starlark.Tuple) bool { return isContainer(pair[1]) }) && areData(args, kwargs), nil
	}
	return false, nil
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

// Temporary is an operand that was computed for the operation that takes it.
func Temporary(v starlark.Value) starlark.Value {
	if l, ok := v.(Lender); ok {
		l.Temporary()
	}
	return v
}

// Calling is $call: as a function $call(f, x, ...) it is f(x, ...) that holds what others may refer to then. TemporaryCalling is $temporary_call: an operation takes
// what it returns, and nobody else; GivenCalling is $given_call: another $call does.
var (
	Calling          starlark.Callable = &caller{ofSyntax: "$call"}
	TemporaryCalling starlark.Callable = &caller{"$temporary_call", Temporary}
	GivenCalling     starlark.Callable = &caller{"$given_call", Given}
)

type caller struct {
	ofSyntax
	result func(starlark.Value) starlark.Value // of what is new, nil for itself
}

// Name is what a stack shows.
func (c *caller) Name() string { return c.String() }

func (c *caller) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	z, isNew, err := call(thread, args[0], args[1:], kwargs)
	if isNew && c.result != nil {
		return c.result(z), nil
	}
	return z, err
}

// given is an argument that was computed for the call that takes it.
type given struct{ Lender }

// Given is $given: of what lends an argument for $call, and for nobody else.
func Given(v starlark.Value) starlark.Value {
	if l, ok := v.(Lender); ok {
		return given{l}
	}
	return v
}

// takeGiven replaces what is given among arguments by itself, and appends it to list.
func takeGiven(list []Lender, args starlark.Tuple, kwargs []starlark.Tuple) []Lender {
	for i, a := range args {
		if g, ok := a.(given); ok {
			args[i] = g.Lender
			list = append(list, g.Lender)
		}
	}
	for _, pair := range kwargs {
		if g, ok := pair[1].(given); ok {
			pair[1] = g.Lender
			list = append(list, g.Lender)
		}
	}
	return list
}

// call is f(x, ...). Arguments that f may keep are held, and a result that is not new.
func call(thread *starlark.Thread, f starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) (z starlark.Value, isNew bool, err error) {
	var few [4]Lender
	computed := takeGiven(few[:0], args, kwargs)
	if o, ok := f.(Operation); ok && len(kwargs) == 0 {
		if z = o.Operate(args); z != nil {
			array, isArray := z.(Lender)
			for _, x := range computed {
				if x != array {
					x.Release()
				}
			}
			return z, isArray, nil
		}
	}
	lends := len(kwargs) > 0 || slices.ContainsFunc(args, mayLend)
	var ok bool
	var receiver starlark.Value
	switch c, isBuiltin := f.(Callable); {
	case isBuiltin && c.Takes:
		for _, x := range computed {
			x.Temporary()
		}
	case lends:
		if ok, receiver = forgets(f, args, kwargs); !ok {
			holdAll(args, kwargs)
		}
	}
	if z, err = Call(thread, f, args, kwargs); err != nil {
		return nil, false, err
	}
	if isNumber(z) {
		releaseIf(ok, computed)
		return z, false, nil
	}
	if !lends {
		ok, receiver = forgets(f, args, kwargs)
	}
	if ok && receiver != nil {
		args = append(args[:len(args):len(args)], receiver)
	}
	switch z := z.(type) {
	case Lender:
		if isNew = ok && !isArgument(z, args, kwargs); !isNew {
			z.Hold()
		}
		releaseIf(isNew, computed)
	default: // it may be made of arguments
		if ok {
			holdAll(args, kwargs)
		}
	}
	return z, isNew, nil
}

// releaseIf gives back what was computed for a call that forgets it.
func releaseIf(forgotten bool, computed []Lender) {
	if forgotten {
		for _, x := range computed {
			x.Release()
		}
	}
}

// Run is $run: f(x, ...) whose value nobody takes, which f need not make. f may be $call.
func Run(thread *starlark.Thread, f starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if f != starlark.Value(Calling) {
		if r, ok := f.(Runner); ok {
			return r.Run(thread, args, kwargs)
		}
		_, err := Call(thread, f, args, kwargs)
		return err
	}
	r, ok := args[0].(Runner)
	if !ok {
		_, _, err := call(thread, args[0], args[1:], kwargs)
		return err
	}
	args = args[1:]
	var few [4]Lender
	computed := takeGiven(few[:0], args, kwargs)
	forgotten, _ := forgets(r, args, kwargs)
	if !forgotten {
		holdAll(args, kwargs)
	}
	err := r.Run(thread, args, kwargs)
	releaseIf(forgotten && err == nil, computed)
	return err
}

// isNumber reports whether v is a number. Arrays have the methods of a Scalar too.
func isNumber(v starlark.Value) bool {
	switch v.(type) {
	case starlark.Float, starlark.Int, starlark.Bool:
		return true
	case Lender:
		return false
	case Scalar:
		return true
	}
	return false
}

func mayLend(v starlark.Value) bool { return !isNumber(v) }

// Release is $release: it gives back the memory of a variable's value that nobody else refers to and that the variable has no longer.
func Release(v starlark.Value) starlark.Value {
	switch v := v.(type) {
	case Lender:
		v.Release()
	case *Keeper:
		v.End()
	}
	return starlark.None
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
	case *slot.List:
		for i := range a.Len() {
			if isIn(z, a.Index(i)) {
				return true
			}
		}
	}
	return false
}

// IsForgetful reports whether NoteForgetful has told of a function of the program's.
func IsForgetful(f Def) bool {
	functions.RLock()
	defer functions.RUnlock()
	return functions.forgetful[f.Position()]
}
