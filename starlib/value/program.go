package value

import (
	"errors"
	"fmt"

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
	// Stack is a copy of the calls, outermost first.
	Stack() starlark.CallStack
	// Depth is how many calls there are.
	Depth() int
	// Frame is a call: 0 is the innermost one.
	Frame(depth int) starlark.CallFrame
	// Cancel makes what runs fail with the reason, until Uncancel. Any goroutine may call it.
	Cancel(reason string)
	Uncancel()
}

// A BoundMethod calls a function with a value before the arguments.
type BoundMethod interface {
	starlark.Callable
	Bound() (fn, self starlark.Value)
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

// A Traced error has passed through a call of the program's, and has the stack of that moment.
type Traced struct {
	Msg       string
	CallStack starlark.CallStack
	Cause     error
	Serial    uint64  // of its machine: which error it traced last
	Frames    []Frame // the calls that it left uncaught, outermost first; nil before it has left the last one
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

func (e *Traced) Error() string { return e.Msg }
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
	stack, in := e.CallStack, ""
	if last := len(stack) - 1; last >= 0 && !stack[last].Pos.IsValid() || last >= 0 && stack[last].Pos.Line == 0 {
		in = " in " + stack[last].Name
		stack = stack[:last]
	}
	return fmt.Sprintf("%sError%s: %s", stack, in, e.Msg)
}
