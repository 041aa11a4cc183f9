package value

import (
	"errors"
	"fmt"
	"sync"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What is asked of a running program, whoever runs it: its functions, its stack and its errors.
// The packages above ask here, and not what runs it.

// A Def is a function of the program, of a def or a lambda.
type Def interface {
	starlark.Callable
	Documenter
	Qualified() string // the name with those of the classes and functions around it
	Position() syntax.Position
	NumParams() int                        // all parameters, those of * and ** last
	NumKwonlyParams() int                  // those between the positional ones and *args
	Param(i int) (string, syntax.Position) // 0 <= i < NumParams()
	ParamDefault(i int) starlark.Value     // nil if there is none
	HasVarargs() bool                      // has *args
	HasKwargs() bool                       // has **kwargs
	Attrs() *Attrs                         // the attributes that the program gave it
}

// An Execution is what runs a program on a thread.
type Execution interface {
	// Call calls any value. Its error is a *Traced, but for errors of arguments that were traced
	// before.
	Call(fn starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)
	// Caller is for who calls a value again and again.
	Caller(fn starlark.Value) Caller
	// Stack is a copy of the calls, outermost first.
	Stack() starlark.CallStack
	// Depth is how many calls there are.
	Depth() int
	// Frame is a call: 0 is the innermost one.
	Frame(depth int) starlark.CallFrame
	// Cancel makes what runs fail with the reason, until Uncancel. Any goroutine may call it.
	Cancel(reason string)
	Uncancel()
	// Visit has f called on the goroutine of what runs, between two instructions, unless another
	// visitor or Cancel comes before that. Any goroutine may call it; f runs no program.
	Visit(f func())
	// Heed receives a visitor: for functions that wait.
	Heed()
}

// A BoundMethod calls a function with a value before the arguments.
type BoundMethod interface {
	starlark.Callable
	Bound() (fn, self starlark.Value)
}

// A Partial calls a function with arguments before those of the call.
type Partial interface {
	starlark.Callable
	// Begins are both; fn is nil where that is not all.
	Begins() (fn starlark.Value, first []slot.Slot)
}

const executionKey = "arignote.execution"

// SetExecution tells what runs programs on a thread.
func SetExecution(thread *starlark.Thread, x Execution) { thread.SetLocal(executionKey, x) }

// ExecutionOf is what runs programs on a thread, nil if nothing has yet.
func ExecutionOf(thread *starlark.Thread) Execution {
	x, _ := thread.Local(executionKey).(Execution)
	return x
}

func init() { slot.Hooks.Call = Call }

// Call calls any value on a thread.
func Call(thread *starlark.Thread, fn starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) (
	starlark.Value, error) {
	if x := ExecutionOf(thread); x != nil {
		return x.Call(fn, args, kwargs)
	}
	return starlark.Call(thread, fn, args, kwargs)
}

// A Caller calls one value with arguments, which it takes out of the slots before the value runs.
type Caller func(args []slot.Slot) (slot.Slot, error)

// CallerOf is for who calls a value again and again.
func CallerOf(thread *starlark.Thread, fn starlark.Value) Caller {
	if x := ExecutionOf(thread); x != nil {
		return x.Caller(fn)
	}
	return func(args []slot.Slot) (slot.Slot, error) {
		v, err := starlark.Call(thread, fn, Tuple(args), nil)
		return slot.Of(v), err
	}
}

// Tuple is a tuple of what is in slots.
func Tuple(slots []slot.Slot) starlark.Tuple {
	t := make(starlark.Tuple, len(slots))
	for i := range slots {
		t[i] = slots[i].Value()
	}
	return t
}

// Cancel makes what runs on a thread fail with the reason. Any goroutine may call it.
func Cancel(thread *starlark.Thread, reason string) {
	if x := ExecutionOf(thread); x != nil {
		x.Cancel(reason)
	}
}

// Uncancel lets a thread go on that was cancelled.
func Uncancel(thread *starlark.Thread) {
	if x := ExecutionOf(thread); x != nil {
		x.Uncancel()
	}
}

// Visit has f called on the goroutine of what runs on a thread: see Execution.
func Visit(thread *starlark.Thread, f func()) {
	if x := ExecutionOf(thread); x != nil {
		x.Visit(f)
	}
}

// Heed receives who wants to visit what runs on a thread.
func Heed(thread *starlark.Thread) {
	if x := ExecutionOf(thread); x != nil {
		x.Heed()
	}
}

// StackOf is a copy of the thread's calls, outermost first.
func StackOf(thread *starlark.Thread) starlark.CallStack {
	if x := ExecutionOf(thread); x != nil {
		return x.Stack()
	}
	return nil
}

// DepthOf is how many calls there are on the thread.
func DepthOf(thread *starlark.Thread) int {
	if x := ExecutionOf(thread); x != nil {
		return x.Depth()
	}
	return 0
}

// FrameOf is a call of the thread: 0 is the innermost one, which is the builtin that asks. It is
// empty where there is no such call.
func FrameOf(thread *starlark.Thread, depth int) starlark.CallFrame {
	if x := ExecutionOf(thread); x != nil && depth < x.Depth() {
		return x.Frame(depth)
	}
	return starlark.CallFrame{}
}

// A Traced error has passed through a call of the program's, and has the stack of that moment. Most
// errors are caught and forgotten: what they say and where they were is found out when it is asked.
type Traced struct {
	Cause  error
	Serial uint64  // of its machine: which error it traced last
	Frames []Frame // the calls that it left uncaught, outermost first; nil before it has left the last one
	Where  Trail   // nil: nowhere

	told  bool
	msg   string // where told
	stack starlark.CallStack
}

// A Trail is where a program was.
type Trail interface{ Calls() starlark.CallStack }

// Tell fixes what the error says: afterwards no code of the program's can be asked any more.
func (e *Traced) Tell() {
	if !e.told {
		e.msg, e.told = e.Cause.Error(), true
	}
}

// Saying is the error with another text.
func (e *Traced) Saying(msg string) *Traced {
	e.Calls()
	other := *e
	other.msg, other.told = msg, true
	return &other
}

// Calls are where the error was, outermost call first.
func (e *Traced) Calls() starlark.CallStack {
	if e.Where != nil {
		e.stack, e.Where = e.Where.Calls(), nil
	}
	return e.stack
}

// A Frame is a call of the program's as it was when an error left it, or as it is where the program
// waits.
type Frame interface {
	Call() starlark.CallFrame
	// Locals are the variables that have values, parameters first.
	Locals() []Local
	// Lookup finds what a name of the call's code is there: a local variable, or a global one.
	Lookup(name string) (starlark.Value, bool)
}

// A Local is a variable of a Frame.
type Local struct {
	Name    string
	Value   starlark.Value
	IsParam bool
}

func (e *Traced) Error() string {
	if e.told {
		return e.msg
	}
	return e.Cause.Error()
}

func (e *Traced) Unwrap() error { return e.Cause }

// TraceOf is the first Traced error among an error and its causes; nil if it came from no call
// of the program's.
func TraceOf(err error) *Traced {
	if at, ok := err.(*Traced); ok {
		return at
	}
	var at *Traced
	errors.As(err, &at)
	return at
}

// A Fault is an error that knows the class of exceptions which its text stands for.
type Fault interface {
	error
	FaultClass() string
}

// HasStack reports whether an error is a Traced one, as it is or as starlark.Call wraps it.
func HasStack(err error) bool {
	if e, ok := err.(*starlark.EvalError); ok {
		err = e.Unwrap()
	}
	_, ok := err.(*Traced)
	return ok
}

// Backtrace shows the stack and the error, without the builtin that failed.
func (e *Traced) Backtrace() string {
	stack, in := e.Calls(), ""
	if last := len(stack) - 1; last >= 0 && !stack[last].Pos.IsValid() || last >= 0 && stack[last].Pos.Line == 0 {
		in = " in " + stack[last].Name
		stack = stack[:last]
	}
	return fmt.Sprintf("%sError%s: %s", stack, in, e.Error())
}

// Attrs are the attributes that a program gave to a function, f.calls = 0. The zero Attrs has none.
type Attrs struct {
	mu     sync.Mutex
	values starlark.StringDict
	Memo   *Memo // nil of most functions
}

// A Memo has results of a function: a call may look there first.
type Memo struct {
	Kept   *slot.Dict // by the arguments: an int or a text that is the only one, else the tuple
	Counts *slot.List // of results that were found, and not
	Moves  bool       // a result that is found becomes the last of Kept
}
