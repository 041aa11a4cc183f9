package session

import (
	"context"
	"errors"

	"github.com/arignote/arignote/starlib/lower"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/upstream"
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
)

// GeneratorMethods are the methods of what a generator function returns.
var GeneratorMethods = object.GeneratorMethods

// ExceptionClass is the class of the language's own that errors of a name are instances of.
func ExceptionClass(name string) starlark.Value { return object.ClassNamed(name) }

// pythonOperators are the builtins that statements of Python become: lower.Python says what of.
var pythonOperators = map[string]func(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error){
	lower.Variables: func(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		return &variables{}, nil
	},
	lower.Unbind: func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return starlark.None, unbind(args[0], string(args[1].(starlark.String)))
	},
	lower.DelItem: func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return starlark.None, object.DeleteItem(args[0], args[1])
	},
	lower.DelAttr: func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return starlark.None, object.DeleteAttr(args[0], string(args[1].(starlark.String)))
	},
	lower.Locals: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return variablesOf(thread, args)
	},
	lower.Walrus: func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return args[2], args[0].(starlark.HasSetKey).SetKey(args[1], args[2])
	},

	lower.Try: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return Of(thread).try(thread, args[0], args[1], args[2], args[3:])
	},
	lower.With: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return Of(thread).with(thread, args[0], args[1])
	},
	lower.Caught: func(thread *starlark.Thread, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		s := Of(thread)
		return s.handling[len(s.handling)-1].Value(), nil
	},
	lower.Raise: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return nil, Of(thread).raise(thread, args)
	},

	lower.Class: func(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		module := "__main__"
		if file := importer(thread); file != nil {
			module = file.name
		}
		return object.NewBody(module, string(args[0].(starlark.String)), args[1:], kwargs)
	},
	lower.Made: func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return args[0].(*object.Body).Class(), nil
	},
	lower.Super: func(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return object.Super(args[0], args[1])
	},

	lower.Generate: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		fn := args[0].(starlark.Callable)
		return object.NewGenerator(Of(thread), fn, titleOf(fn.Name(), lower.Generator)), nil
	},
	lower.Yield: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return object.Yield(thread, args[0])
	},
	lower.YieldFrom: func(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		xs, err := value.Iterable(args[0])
		if err != nil {
			return nil, err
		}
		return object.YieldFrom(thread, xs)
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

// try runs a try statement: body, then for its error the first handler that is for it, or else orelse, and final in any case. What it
// returns says how the block that ran last was left: see lower.Python.
func (s *Session) try(thread *starlark.Thread, body, orelse, final starlark.Value, handlers starlark.Tuple) (starlark.Value, error) {
	left, err := value.Call(thread, body, nil, nil)
	switch {
	case err != nil:
		left, err = s.handle(thread, err, handlers)
	case orelse != starlark.None && left == starlark.None:
		left, err = value.Call(thread, orelse, nil, nil)
	}
	if final == starlark.None {
		return left, err
	}
	if err != nil {
		var ok bool
		if err, ok = s.settle(thread, err); !ok {
			return nil, err
		}
		s.handling = append(s.handling, s.caught(thread, err))
		defer func() { s.handling = s.handling[:len(s.handling)-1] }()
	}
	otherwise, failed := value.Call(thread, final, nil, nil)
	if failed != nil || otherwise != starlark.None {
		return otherwise, failed
	}
	return left, err
}

// handle runs the handler for an error: handlers are functions that return classes, or None, each with the function of its block.
func (s *Session) handle(thread *starlark.Thread, err error, handlers starlark.Tuple) (starlark.Value, error) {
	if len(handlers) == 0 {
		return nil, err
	}
	err, ok := s.settle(thread, err)
	if !ok {
		return nil, err
	}
	e := s.caught(thread, err)
	s.handling = append(s.handling, e)
	defer func() { s.handling = s.handling[:len(s.handling)-1] }()
	for i := 0; i < len(handlers); i += 2 {
		if handlers[i] != starlark.None {
			classes, failed := value.Call(thread, handlers[i], nil, nil)
			if failed != nil {
				return nil, failed
			}
			if is, failed := object.Matches(classes, e); failed != nil || !is {
				if failed != nil {
					return nil, failed
				}
				continue
			}
		}
		return value.Call(thread, handlers[i+1], nil, nil)
	}
	return nil, err
}

// caught returns the exception that an error is.
func (s *Session) caught(thread *starlark.Thread, err error) *object.Instance {
	var r *object.Raised
	if errors.As(err, &r) {
		return object.Caught(thread, err, "", "")
	}
	if s.reraised.of != nil && errors.Is(err, s.reraised.err) {
		return s.reraised.of
	}
	told := s.NewError(s.ctx, err)
	return object.Caught(thread, err, told.name, told.msg)
}

// Handling is the exception that an except block of the running cell handles, nil if none does.
func (s *Session) Handling() starlark.Value {
	if n := len(s.handling); n > 0 {
		return s.handling[n-1].Value()
	}
	return nil
}

// with runs the body of a with statement, between __enter__ and __exit__ of x.
func (s *Session) with(thread *starlark.Thread, x, body starlark.Value) (starlark.Value, error) {
	var methods [2]starlark.Value
	for i, name := range []string{"__enter__", "__exit__"} {
		m, err := value.Attr(x, name)
		if err != nil {
			return nil, object.NewError(object.TypeError, "'"+x.Type()+"' object does not support the context manager protocol: it has no "+name)
		}
		methods[i] = m
	}
	entered, err := value.Call(thread, methods[0], nil, nil)
	if err != nil {
		return nil, err
	}
	left, err := value.Call(thread, body, starlark.Tuple{entered}, nil)
	if err == nil {
		_, err = value.Call(thread, methods[1], starlark.Tuple{starlark.None, starlark.None, starlark.None}, nil)
		return left, err
	}
	err, ok := s.settle(thread, err)
	if !ok {
		return nil, err
	}
	e := s.caught(thread, err)
	s.handling = append(s.handling, e)
	handled, failed := value.Call(thread, methods[1], starlark.Tuple{e.Class(), e.Value(), starlark.None}, nil)
	s.handling = s.handling[:len(s.handling)-1]
	switch {
	case failed != nil:
		return nil, failed
	case bool(handled.Truth()):
		return starlark.None, nil
	}
	return nil, err
}

// raise is raise x from cause, or raise.
func (s *Session) raise(thread *starlark.Thread, args starlark.Tuple) error {
	var while *object.Instance
	if n := len(s.handling); n > 0 {
		while = s.handling[n-1]
	}
	var cause starlark.Value
	switch len(args) {
	case 0:
		if while == nil {
			return object.NewError(object.RuntimeError, "No active exception to reraise: raise without an exception stands in an except block")
		}
		s.reraised.err, s.reraised.of = while.Err(), while
		return s.reraised.err
	case 2:
		cause = args[1]
	}
	return object.Raise(thread, args[0], cause, while)
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

// settle returns what an error is about, and lets the thread go on after it; ok is false where it must not, since the time or the memory that
// the cell may take is used up.
func (s *Session) settle(thread *starlark.Thread, err error) (_ error, ok bool) {
	if _, isMemory := outOfMemory(s.ctx); isMemory || errors.Is(s.ctx.Err(), context.DeadlineExceeded) {
		return err, false
	}
	if s.ctx.Err() != nil {
		if s.renew == nil {
			return err, false
		}
		s.renew()
		value.Uncancel(thread)
		return &stopped{err, object.NewError(object.KeyboardInterrupt, "interrupted")}, true
	}
	return s.unfail(thread, err), true
}

// unfail is settle for the errors of Fail, CancelTruth and of calls that nest too deep.
func (s *Session) unfail(thread *starlark.Thread, err error) error {
	at := value.TraceOf(err)
	if at == nil {
		return err
	}
	var done *stopped
	reason, cancelled := upstream.Cancelled.Cut(at.Msg)
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

// NewThread returns a thread that is not the current one.
func (s *Session) NewThread(name string) *starlark.Thread {
	thread := &starlark.Thread{Name: name, Load: s.load}
	thread.Print = func(_ *starlark.Thread, msg string) { s.out.Stream("stdout", msg+"\n") }
	value.SetHost(thread, s)
	value.SetTexts(thread, &s.texts)
	vm.Attach(thread, vm.Limits{Budget: nextTick(), Tick: func() int { return s.tick(thread) }, Sampler: sampling{s}, Deepest: MaxDepth, TooDeep: tooDeep})
	return thread
}

// Inside calls f while the thread is the current one.
func (s *Session) Inside(thread *starlark.Thread, f func()) {
	outer := s.cur
	s.cur = thread
	s.threadsMu.Lock()
	s.threads = append(s.threads, thread)
	s.threadsMu.Unlock()
	defer func() {
		s.threadsMu.Lock()
		s.threads = s.threads[:len(s.threads)-1]
		s.threadsMu.Unlock()
		s.cur = outer
	}()
	f()
}

// Interrupt ends a cell that has caught the end of its context, and does nothing to others. Front ends call it at every interrupt, from any
// goroutine.
func (s *Session) Interrupt() {
	s.threadsMu.Lock()
	end := s.again
	s.threadsMu.Unlock()
	if end != nil {
		end(context.Canceled)
	}
}
