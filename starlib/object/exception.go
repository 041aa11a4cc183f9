package object

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/upstream"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// The classes of exceptions that have a meaning of their own here; Tree has all.
var (
	Object        = own("object", nil, "The class that all classes derive from.")
	BaseException = own("BaseException", Object, "The class of all exceptions. e.args are what it was made of.")
	Exception     = own("Exception", BaseException, "The class that errors derive from; an interrupt is none.")

	ArithmeticError   = own("ArithmeticError", Exception, "A mistake of arithmetic.")
	LookupError       = own("LookupError", Exception, "No such element.")
	ValueError        = own("ValueError", Exception, "A value that an operation cannot take.")
	TypeError         = own("TypeError", Exception, "A value of a type that an operation cannot take.")
	IndexError        = own("IndexError", LookupError, "An index that a sequence does not have.")
	KeyError          = own("KeyError", LookupError, "A key that a mapping does not have.")
	AttributeError    = own("AttributeError", Exception, "An attribute that a value does not have.")
	NameError         = own("NameError", Exception, "A name that nothing defines.")
	ZeroDivisionError = own("ZeroDivisionError", ArithmeticError, "A division by zero.")
	OSError           = own("OSError", Exception, "What the system refused.")
	RuntimeError      = own("RuntimeError", Exception, "An error of no other class.")
	RecursionError    = own("RecursionError", RuntimeError, "Functions that call each other too deep.")
	StopIteration     = own("StopIteration", Exception, "The end of an iterator: raised by next, and by __next__.")
	AssertionError    = own("AssertionError", Exception, "What assert raises.")
	KeyboardInterrupt = own("KeyboardInterrupt", BaseException, "The user's interrupt, which except Exception does not catch.")
	ImportError       = own("ImportError", Exception, "A module that is not there.")
	MemoryError       = own("MemoryError", Exception, "Too little memory for a value.")
	SystemExit        = own("SystemExit", BaseException, "The end of the program.")
	UnicodeError      = own("UnicodeError", ValueError, "A text that cannot be encoded or decoded.")
	GeneratorExit     = own("GeneratorExit", BaseException, "The end of a generator that nobody asks any more: what g.close() raises in it.")
	Warning           = own("Warning", Exception, "The class of warnings.")
	SyntaxError       = own("SyntaxError", Exception, "A text that is no program.")

	// Error is the class of errors that say no more of themselves: most of those of builtins, whose
	// arguments do not fit.
	Error = own("Error", ValueError, "An error of the language's own that says no more of itself: an argument that does not fit.")
)

// Tree is the classes that the language has, by name.
var Tree = map[string]*Class{}

// OfModules are the classes of exceptions that are found in modules only, by name.
var OfModules = map[string]*Class{}

func init() {
	for _, c := range []*Class{Object, BaseException, Exception, ArithmeticError, LookupError, ValueError, TypeError, IndexError, KeyError, AttributeError,
		NameError, ZeroDivisionError, OSError, RuntimeError, StopIteration, AssertionError, KeyboardInterrupt, ImportError, MemoryError, SystemExit,
		SyntaxError, Error,
		own("FileNotFoundError", OSError, "A file or directory that is not there."),
		own("FileExistsError", OSError, "A file or directory that is there already."),
		own("IsADirectoryError", OSError, "A directory where a file is wanted."),
		own("NotADirectoryError", OSError, "A file where a directory is wanted."),
		own("PermissionError", OSError, "A file that may not be used so."),
		own("TimeoutError", OSError, "The time that was allowed is over."),
		own("ConnectionError", OSError, "What a network refused."), own("BufferError", Exception, "Memory that cannot be used so."),
		own("SystemError", Exception, "A mistake inside of the language itself."), own("IndentationError", SyntaxError, "A text whose lines are indented wrongly."),
		own("FutureWarning", Warning, "A warning of what will change."),
		own("EOFError", Exception, "The end of what was to be read."),
		own("OverflowError", ArithmeticError, "A number that is too large."),
		own("FloatingPointError", ArithmeticError, "A mistake of arithmetic with floats."),
		own("NotImplementedError", RuntimeError, "What a derived class is to define."),
		RecursionError,
		own("UnboundLocalError", NameError, "A local variable that has no value yet."),
		own("ModuleNotFoundError", ImportError, "A module that is not there."),
		GeneratorExit,
		UnicodeError, own("UnicodeEncodeError", UnicodeError, "A text that cannot be encoded."),
		own("UnicodeDecodeError", UnicodeError, "Bytes that are no text."),
		Warning, own("UserWarning", Warning, "A warning of a program's own."),
		own("DeprecationWarning", Warning, "A warning of what will go."), own("RuntimeWarning", Warning, "A warning of a doubtful result."),
		own("ShapeError", ValueError, "Arrays whose lengths do not fit."),
		own("ConfigError", ValueError, "A flag or value that does not exist."),
		own("InternalError", RuntimeError, "A mistake of the program's own."),
	} {
		Tree[c.name] = c
	}
	unsupported, err := newClass("UnsupportedOperation", []*Class{OSError, ValueError})
	if err != nil {
		panic("BUG: " + err.Error())
	}
	unsupported.layout = nil // nor does it change
	unsupported.own, unsupported.doc = true, "A file that is not open for that."
	pickle := own("PickleError", Exception, "A value that cannot be made a pickle, or a pickle that is none.")
	shutil := own("shutil.Error", OSError, "What cannot be copied.")
	for _, c := range []*Class{
		shutil, own("shutil.SameFileError", shutil, "A file that would be copied to itself."), pickle, own("PicklingError", pickle, "A value that cannot be made a pickle."), own("UnpicklingError", pickle, "What is no pickle, or holds more than data."),
		own("MissingInputError", Exception, "A variable that is needed and is no input."), own("UnusedInputError", Exception, "An input that nothing needs."),
		own("DisconnectedInputError", ValueError, "A variable on which the cost does not depend."),
		own("BadGzipFile", OSError, "What is no gzip file."),
		own("LinAlgError", ValueError, "What np.linalg cannot do: a matrix that is singular, not square or not positive definite."),
		own("JSONDecodeError", ValueError, "A text that is no JSON."),
		own("re.error", Exception, "A pattern that is none: e.msg says why, e.pos where."), own("struct.error", Exception, "A format that is none, or values that do not fit it."),
		own("binascii.Error", ValueError, "A text that encodes no bytes."), own("zlib.error", Exception, "What is not compressed so."),
		unsupported,
	} {
		OfModules[c.name] = c
	}
	Tree["IOError"], Tree["EnvironmentError"] = OSError, OSError
	methods := &BaseException.members
	methods.set("__init__", &native{name: "__init__", fn: func(_ *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if i.class.raises {
			i.args, i.tell = args, nil
		}
		return starlark.None, nil
	}})
	methods.set("with_traceback", &native{name: "with_traceback", fn: func(_ *starlark.Thread, i *Instance, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return i.Value(), nil
	}})
	methods = &Object.members
	methods.set("__new__", &static{wrapped{"staticmethod"}, &classMethodOf{wrapped{"builtin_function_or_method"}, "__new__", newObject}})
	methods.set("__init__", &native{name: "__init__", fn: func(_ *starlark.Thread, i *Instance, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if n := len(args) + len(kwargs); n > 0 {
			return nil, typeError("object.__init__() takes no arguments, got %d: class %s", n, i.class.name)
		}
		return starlark.None, nil
	}})
	methods.set("__repr__", &native{name: "__repr__", fn: func(_ *starlark.Thread, i *Instance, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return starlark.String(i.plain()), nil
	}})
	methods.set("__str__", &native{name: "__str__", fn: func(_ *starlark.Thread, i *Instance, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if args, ok := i.exceptionArgs(); ok {
			return starlark.String(i.message(args)), nil
		}
		return starlark.String(i.String()), nil
	}})
	methods.set("__setattr__", &native{name: "__setattr__", quick: quickSetAttr, fn: func(_ *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		name, ok := starlark.AsString(args[0])
		if len(args) != 2 || !ok {
			return nil, typeError("__setattr__: got %d arguments, want a name and a value", len(args))
		}
		return starlark.None, i.set(name, args[1])
	}})
	methods.set("__delattr__", &native{name: "__delattr__", fn: func(_ *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if len(args) != 1 {
			return nil, typeError("__delattr__: got %d arguments, want a name", len(args))
		}
		name, ok := starlark.AsString(args[0])
		if !ok {
			return nil, typeError("__delattr__: attribute name must be string, not '%s'", typeName(args[0]))
		}
		return starlark.None, i.delete(name)
	}})
	methods.set("__eq__", &native{name: "__eq__", fn: func(_ *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return starlark.Bool(len(args) == 1 && args[0] == starlark.Value(i.Value())), nil
	}})
	methods.set("__hash__", &native{name: "__hash__", fn: func(_ *starlark.Thread, i *Instance, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return starlark.MakeInt(int(i.id())), nil
	}})
}

// own makes a class of the language's own.
func own(name string, base *Class, doc string) *Class {
	var bases []*Class
	if base != nil {
		bases = []*Class{base}
	}
	c := &Class{name: name, bases: bases, own: true, doc: doc, serial: serials.Add(1)}
	c.raises = name == "BaseException" || base != nil && base.raises
	c.keeps = c.raises
	c.mro = append(c.mro, c)
	if base != nil {
		c.mro = append(c.mro, base.mro...)
	}
	return c
}

// A Raised is an exception as an error.
type Raised struct {
	Exception *Instance
	while     *Instance // the exception that was being handled
}

// ErrorName is the exception's class.
func (r *Raised) ErrorName() string { return r.Exception.class.short() }

func (r *Raised) Error() string { return r.Exception.Str() }

// ErrorNotes says what led to it.
func (r *Raised) ErrorNotes() []string {
	note := func(how string, i *Instance) []string {
		return []string{how + " " + i.class.short() + ": " + i.Str()}
	}
	var cause *Raised
	switch {
	case errors.As(r.Exception.cause, &cause):
		return note("caused by", cause.Exception)
	case r.Exception.cause == nil && r.while != nil && r.while != r.Exception:
		return note("while handling", r.while)
	}
	return nil
}

// errNoCause is that of raise ... from None.
var errNoCause = errors.New("none")

// Raise returns the error of raise x from cause; cause is nil where there is none. while is the
// exception that is being handled.
func Raise(thread *starlark.Thread, x, cause starlark.Value, while *Instance) error {
	i, err := exception(thread, x)
	if err != nil {
		return err
	}
	switch cause {
	case nil:
	case starlark.None:
		i.cause = errNoCause
	default:
		c, err := exception(thread, cause)
		if err != nil {
			return err
		}
		i.cause = &Raised{Exception: c}
	}
	i.During(while)
	if i.err != nil && i.cause == nil {
		return i.err
	}
	if i.raised.Exception == nil {
		i.raised = Raised{i, while}
		return &i.raised
	}
	return &Raised{i, while}
}

// During makes an exception the context of i: that which was handled when i was raised. A chain of
// contexts that leads to i ends there.
func (i *Instance) During(while *Instance) {
	if while == nil || while == i {
		return
	}
	for x := while; x.while != nil; x = x.while {
		if x.while == i {
			x.while = nil
			break
		}
	}
	i.while = while
}

// setCause is e.__cause__ = v.
func (i *Instance) setCause(v starlark.Value) error {
	cause, ok := InstanceOf(v)
	switch {
	case v == starlark.None:
		i.cause = errNoCause
	case ok && cause.class.IsSubclass(BaseException):
		i.cause = &Raised{Exception: cause}
	default:
		return typeError("exception cause must be None or derive from BaseException: got %s", typeName(v))
	}
	return nil
}

// exception returns an exception, or makes one of a class.
func exception(thread *starlark.Thread, x starlark.Value) (*Instance, error) {
	if c, ok := x.(*Class); ok && c.raises {
		made, err := value.Call(thread, c, nil, nil)
		if err != nil {
			return nil, err
		}
		x = made
	}
	i, ok := InstanceOf(x)
	if !ok || !i.class.raises {
		return nil, typeError("exceptions must derive from BaseException: got %s, want an exception or a class of exceptions", typeName(x))
	}
	return i, nil
}

// NewError is an exception of a class as an error.
func NewError(c *Class, msg string) error {
	i := c.instance(nil)
	if msg != "" {
		i.args = starlark.Tuple{starlark.String(msg)}
	}
	return &Raised{Exception: i}
}

// Because is NewError of what another error, of the program's, led to.
func Because(err error, c *Class, msg string) error {
	made := NewError(c, msg).(*Raised)
	if r := RaisedBy(err); r != nil {
		made.Exception.cause, made.Exception.while = r, r.Exception
	}
	return made
}

// Stop is the StopIteration of the end of an iterator that returned a value, nil or None for none.
func Stop(result starlark.Value) error {
	stop := NewError(StopIteration, "").(*Raised)
	if result != nil && result != starlark.None {
		stop.with(result)
	}
	return stop
}

func typeError(format string, args ...any) error {
	return NewError(TypeError, fmt.Sprintf(format, args...))
}
func valueError(format string, args ...any) error {
	return NewError(ValueError, fmt.Sprintf(format, args...))
}
func attributeError(format string, args ...any) error {
	return NewError(AttributeError, fmt.Sprintf(format, args...))
}

// RaisedBy is the exception that the program raised among an error and its causes, nil if there is
// none.
func RaisedBy(err error) *Raised {
	if at, ok := err.(*value.Traced); ok {
		err = at.Cause
	}
	if r, ok := err.(*Raised); ok {
		return r
	}
	r, _ := as[*Raised](err)
	return r
}

// as is errors.As, without reflection on the way of an error that has one cause.
func as[T any](err error) (found T, ok bool) {
	for err != nil {
		if found, ok = any(err).(T); ok {
			return found, true
		}
		switch e := err.(type) {
		case interface{ Unwrap() error }:
			err = e.Unwrap()
		case interface{ Unwrap() []error }:
			for _, one := range e.Unwrap() {
				if found, ok = as[T](one); ok {
					return found, true
				}
			}
			return found, false
		default:
			return found, false
		}
	}
	return found, false
}

// Caught returns the exception that an error is, and the error of a program that raises it again.
// One of no exception's is of the class under whose name it is shown. Its argument is what tell
// says, which is asked when somebody asks for that, unless the error has a method ExceptionArgs.
// What the error's ExceptionAttrs are, if it has that method, are attributes of the exception.
func Caught(thread *starlark.Thread, err error, name string, tell func() string) *Instance {
	if r := RaisedBy(err); r != nil {
		i := r.Exception
		if i.host == nil {
			i.host = value.HostOf(thread)
		}
		if i.err == nil {
			i.err = err
		}
		return i
	}
	i := ClassNamed(name).instance(value.HostOf(thread))
	i.err = err
	if of, ok := as[interface{ ExceptionAttrs() starlark.StringDict }](err); ok {
		attrs := of.ExceptionAttrs()
		for _, name := range attrs.Keys() {
			if i.put(name, attrs[name]) != nil {
				panic("BUG: " + name + " is no attribute of an exception")
			}
		}
	}
	if of, ok := as[interface{ ExceptionArgs() starlark.Tuple }](err); ok {
		i.args = of.ExceptionArgs()
		return i
	}
	i.tell, i.told = tell, true
	return i
}

// ClassNamed returns the class of the language's own that an error is shown under; of a name that
// it has not, Error.
func ClassNamed(name string) *Class {
	if c := Tree[name]; c != nil {
		return c
	}
	if c := OfModules[name]; c != nil {
		return c
	}
	return Error
}

// Classify returns the class of an error that has no name, by its type and message; nil if nothing
// is known of it.
func Classify(err error) *Class {
	if name := upstream.Class(err.Error()); name != "" {
		return ClassNamed(name)
	}
	return nil
}

// raisedAttr returns the attributes of an exception that tell how it came about, nil of others.
func (i *Instance) raisedAttr(name string) starlark.Value {
	if !i.class.raises {
		return nil
	}
	var cause *Raised
	hasCause := errors.As(i.cause, &cause)
	switch name {
	case "__cause__":
		if hasCause {
			return cause.Exception.Value()
		}
	case "__context__":
		if i.while != nil {
			return i.while.Value()
		}
	case "args":
		return i.shownArgs()
	case "__suppress_context__":
		return starlark.Bool(i.cause != nil)
	case "__traceback__":
	case "value", "code":
		if !i.class.IsSubclass(map[string]*Class{"value": StopIteration, "code": SystemExit}[name]) {
			return nil
		}
		if i.told {
			break
		}
		if args := i.arguments(); len(args) == 1 || len(args) > 0 && name == "value" {
			return args[0]
		} else if len(args) > 1 {
			return args
		}
	case "errno", "strerror", "filename":
		if !i.class.IsSubclass(OSError) {
			return nil
		}
		return i.systemError(name)
	default:
		return nil
	}
	return starlark.None
}

// shownArgs are the arguments without the name of a file that an OSError was given as its third.
func (i *Instance) shownArgs() starlark.Tuple {
	args := i.arguments()
	if len(args) == 3 && i.class.IsSubclass(OSError) {
		return args[:2]
	}
	return args
}

// errnos are the numbers and texts that the system has for what is of a class of its own.
var errnos = map[string]struct {
	number int
	text   string
}{
	"FileNotFoundError": {2, "No such file or directory"}, "PermissionError": {13, "Permission denied"}, "FileExistsError": {17, "File exists"},
	"NotADirectoryError": {20, "Not a directory"}, "IsADirectoryError": {21, "Is a directory"},
}

// systemError is an attribute of an OSError: what the exception was made of, or what the class and
// the message of an error of the language's own tell.
func (i *Instance) systemError(name string) starlark.Value {
	if !i.told {
		if n := slices.Index([]string{"errno", "strerror", "filename"}, name); len(i.args) > max(n, 1) {
			return i.args[n]
		}
		return starlark.None
	}
	row, known := errnos[i.class.name]
	path, _, named := strings.Cut(i.message(i.arguments()), ": ")
	switch {
	case name == "errno" && known:
		return starlark.MakeInt(row.number)
	case name == "strerror" && known:
		return starlark.String(row.text)
	case name == "filename" && named:
		return starlark.String(path)
	}
	return starlark.None
}

// Matches says whether an except clause for classes, a class or a tuple of them, catches an
// exception.
func Matches(classes starlark.Value, i *Instance) (bool, error) {
	switch c := classes.(type) {
	case *Class:
		if c == i.class {
			return true, nil
		}
		if c.raises {
			return i.class.IsSubclass(c), nil
		}
	case starlark.Tuple:
		for _, one := range c {
			if ok, err := Matches(one, i); ok || err != nil {
				return ok, err
			}
		}
		return false, nil
	}
	return false, typeError("catching classes that do not inherit from BaseException is not allowed: got %s", strings.TrimSpace(classes.String()))
}

// Err is the error that the exception was first raised as.
func (i *Instance) Err() error {
	if i.err != nil {
		return i.err
	}
	return &Raised{Exception: i}
}
