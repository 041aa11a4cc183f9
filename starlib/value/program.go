package value

import (
	"errors"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What is asked of a running program, whoever runs it: its functions, its stack and its errors.
// The rooms above ask here, and not the interpreter.

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
}

var _ Def = (*starlark.Function)(nil)

// StackOf is a copy of the thread's calls, outermost first.
func StackOf(thread *starlark.Thread) starlark.CallStack { return thread.CallStack() }

// DepthOf is how many calls there are on the thread.
func DepthOf(thread *starlark.Thread) int { return thread.CallStackDepth() }

// FrameOf is a call of the thread: 0 is the innermost one, which is the builtin that asks.
func FrameOf(thread *starlark.Thread, depth int) starlark.CallFrame {
	return thread.CallFrame(depth)
}

// CallerGlobals are the globals of the function of the program that called the running builtin;
// ok is false if another builtin did.
func CallerGlobals(thread *starlark.Thread) (globals starlark.StringDict, ok bool) {
	fn, ok := thread.DebugFrame(1).Callable().(*starlark.Function)
	if !ok {
		return nil, false
	}
	return fn.Globals(), true
}

// A Traced error has passed through a call of the program's, and has the stack of that moment.
type Traced = starlark.EvalError

// TraceOf is the first Traced error among an error and its causes; nil if it came from no call
// of the program's.
func TraceOf(err error) *Traced {
	var at *Traced
	errors.As(err, &at)
	return at
}
