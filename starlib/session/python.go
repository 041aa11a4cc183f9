package session

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/arignote/arignote/starlib/compile"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/upstream"
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
)

// GeneratorMethods are the methods of what a generator function returns.
var GeneratorMethods = vm.GeneratorMethods

// ExceptionClass is the class of the language's own that errors of a name are instances of.
func ExceptionClass(name string) starlark.Value { return object.ClassNamed(name) }

// pythonOperators are the builtins that statements and calls of Python become: see packages scope
// and compile.
var pythonOperators = map[string]func(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error){
	compile.Unbind: func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		name := string(args[1].(starlark.String))
		if !args[0].(environment).Delete(name) {
			return nil, &vm.NameError{Name: name}
		}
		return starlark.None, nil
	},
	scope.Locals: func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if body, ok := args[0].(*object.Body); ok {
			return body.Members(), nil
		}
		of := args[0].(environment)
		return &globalsDict{of.dict(), of}, nil
	},
	compile.Class: func(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		module := "__main__"
		if file := importer(thread); file != nil {
			module = file.name
		}
		return object.NewBody(thread, module, string(args[0].(starlark.String)), args[1:], kwargs)
	},
	compile.Made: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return args[0].(*object.Body).Finish(thread)
	},
	scope.Super: func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return object.Super(args[0], args[1])
	},

	parse.NameKeywords: func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		d := slot.NewDict(8)
		for _, m := range args {
			from, ok := value.Held(m).(starlark.IterableMapping)
			if !ok {
				return nil, object.NewError(object.TypeError, "argument after ** must be a mapping, not "+m.Type())
			}
			for _, kv := range from.Items() {
				name, isText := kv[0].(starlark.String)
				if !isText {
					return nil, object.NewError(object.TypeError, "keywords must be strings: got "+value.Repr(kv[0])+" after **")
				}
				if _, twice, _ := d.Get(name); twice {
					return nil, object.NewError(object.TypeError, "got multiple values for keyword argument '"+string(name)+"'")
				}
				if err := d.SetKey(name, kv[1]); err != nil {
					return nil, err
				}
			}
		}
		return d, nil
	},
	parse.NameMerge: func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		d := slot.NewDict(8)
		for _, m := range args {
			from, ok := value.Held(m).(starlark.IterableMapping)
			if !ok {
				return nil, object.NewError(object.TypeError, "'"+m.Type()+"' object is not a mapping: {**x} takes the entries of a dict")
			}
			for _, kv := range from.Items() {
				if err := d.SetKey(kv[0], kv[1]); err != nil {
					return nil, err
				}
			}
		}
		return d, nil
	},
}

// catch is what a handler of a thread's program gets of an error: see vm.Catcher.
func (s *Session) catch(thread *starlark.Thread, err error) (*object.Instance, error, bool) {
	err, ok := s.settle(thread, err)
	if !ok {
		return nil, err, false
	}
	return s.caught(thread, err), err, true
}

// Apart calls a function on a thread of its own. An error that leaves it is told with the calls
// that it has left and their variables, and is an exception too; fatal is an error that no program
// may catch.
func (s *Session) Apart(fn starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) (v, exception starlark.Value, told *Error, fatal error) {
	thread, leave := s.enter("apart")
	defer leave()
	if m, ok := fn.(interface {
		Bound() (fn, self starlark.Value)
	}); ok { // the function itself is the outermost call
		f, self := m.Bound()
		fn, args = f, append(starlark.Tuple{self}, args...)
	}
	v, err := value.Call(thread, fn, args, kwargs)
	if err == nil {
		return v, nil, nil, nil
	}
	e, err, ok := s.catch(thread, err)
	if !ok {
		return nil, nil, nil, err
	}
	return nil, e.Value(), s.NewError(s.ctx, err), nil
}

// caught returns the exception that an error is.
func (s *Session) caught(thread *starlark.Thread, err error) *object.Instance {
	if object.RaisedBy(err) != nil {
		return object.Caught(thread, err, "", nil)
	}
	if class := s.classOf(err); class != "" {
		return object.Caught(thread, err, class, func() string { return s.explained(context.Background(), err).msg })
	}
	told := s.explained(s.ctx, err)
	return object.Caught(thread, err, told.name, func() string { return told.msg })
}

// classOf returns the class of an error of a builtin or of the machine that needs no further look,
// "" of others: what is shown of it is seldom asked.
func (s *Session) classOf(err error) string {
	at, ok := err.(*value.Traced)
	if !ok {
		return ""
	}
	switch cause := at.Cause.(type) {
	case value.Fault:
		return cause.FaultClass()
	case Named, Annotated, *stopped, *vm.NameError, *value.Traced, *value.InternalError, *staticError, *parse.Error, *scope.Error, *lineError:
		return ""
	}
	if msg := at.Error(); errors.Unwrap(at.Cause) == nil && msg != tooDeep {
		return cmp.Or(upstream.Class(msg), "Error")
	}
	return ""
}

// Handling is the exception that an except block of the running cell handles, nil if none does.
func (s *Session) Handling() starlark.Value {
	if s.cur != nil {
		if e := vm.MachineOf(s.cur).Handled(); e != nil {
			return e.Value()
		}
	}
	return nil
}

// A stopped error is why a thread was cancelled, with where it was.
type stopped struct {
	at    error
	cause error
}

func (e *stopped) Error() string { return e.cause.Error() }
func (e *stopped) Unwrap() error { return e.cause }

// failed is the reason that a thread is cancelled for by Fail.
const failed = "$failed"

// Fail makes the statement that is running fail with err: for methods that can return no error.
func (s *Session) Fail(err error) {
	if s.failure == nil {
		s.failure = err
	}
	if s.cur != nil {
		value.Cancel(s.cur, failed)
	}
}

// settle returns what an error is about, and lets the thread go on after it; ok is false where it
// must not, since the time or the memory that the cell may take is used up.
func (s *Session) settle(thread *starlark.Thread, err error) (_ error, ok bool) {
	if s.ctx.Err() == nil {
		return s.unfail(thread, err), true
	}
	if _, isMemory := outOfMemory(s.ctx); isMemory || errors.Is(s.ctx.Err(), context.DeadlineExceeded) {
		return err, false
	}
	if s.renew == nil {
		return err, false
	}
	s.renew()
	value.Uncancel(thread)
	return &stopped{err, object.NewError(object.KeyboardInterrupt, "interrupted")}, true
}

// unfail is settle for the errors of Fail, CancelTruth and of calls that nest too deep.
func (s *Session) unfail(thread *starlark.Thread, err error) error {
	at := value.TraceOf(err)
	if at == nil {
		return err
	}
	var done *stopped
	reason, cancelled := "", false
	switch at.Cause.(type) {
	case *object.Raised, value.Fault:
	default:
		reason, cancelled = strings.CutPrefix(at.Error(), vm.Cancelled)
	}
	if !cancelled && s.failure != nil { // Starlark found fault first with what it was left with: no values to unpack
		reason, cancelled = failed, true
	}
	if !cancelled || errors.As(err, &done) {
		return err
	}
	if thread != nil {
		value.Uncancel(thread)
	}
	switch {
	case reason == failed && s.failure != nil:
		cause := s.failure
		s.failure = nil
		return &stopped{err, cause}
	case reason == tooDeep:
		return err
	}
	return &stopped{err, object.NewError(object.TypeError, reason)}
}

// Interrupt ends a cell that has caught the end of its context, and does nothing to others. Front
// ends call it at every interrupt, from any goroutine.
func (s *Session) Interrupt() {
	s.threadsMu.Lock()
	end := s.again
	s.threadsMu.Unlock()
	if end != nil {
		end(context.Canceled)
	}
}
