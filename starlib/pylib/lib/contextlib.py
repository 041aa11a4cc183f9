"""Contexts of with."""
from functools import wraps
import sys


class AbstractContextManager:
    """A context; what derives from it has __exit__."""

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        return None


class ContextDecorator:
    """A context that is also a decorator: the function runs within it."""

    def _recreate_cm(self):
        return self

    def __call__(self, func):
        @wraps(func)
        def inner(*args, **kwds):
            with self._recreate_cm():
                return func(*args, **kwds)
        return inner


class _GeneratorContextManager(ContextDecorator):
    """The context that a generator function makes: what is before its yield enters, what is after it leaves."""

    def __init__(self, func, args, kwds):
        self.func, self.args, self.kwds = func, args, kwds
        self.gen = func(*args, **kwds)

    def _recreate_cm(self):
        return _GeneratorContextManager(self.func, self.args, self.kwds)

    def __enter__(self):
        try:
            return next(self.gen)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, kind, error, traceback):
        if kind is None:
            try:
                next(self.gen)
            except StopIteration:
                return False
            raise RuntimeError("generator didn't stop")
        if error is None:
            error = kind()
        try:
            self.gen.throw(error)
        except StopIteration as e:
            return e is not error
        except BaseException as e:
            if e is not error:
                raise
            return False
        raise RuntimeError("generator didn't stop after throw()")


def contextmanager(func):
    """A decorator: calling the generator function makes a context."""
    @wraps(func)
    def helper(*args, **kwds):
        return _GeneratorContextManager(func, args, kwds)
    return helper


class closing(AbstractContextManager):
    """A context that closes a thing at its end."""

    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *exc_info):
        self.thing.close()


class suppress(AbstractContextManager):
    """A context that ends with an error of one of the classes as without one."""

    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        pass

    def __exit__(self, kind, error, traceback):
        return kind is not None and issubclass(kind, self._exceptions)


class nullcontext(AbstractContextManager):
    """A context that does nothing."""

    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *excinfo):
        pass


class _Redirect(AbstractContextManager):
    _stream = ""

    def __init__(self, new_target):
        self._new_target = new_target
        self._old_targets = []

    def __enter__(self):
        self._old_targets.append(getattr(sys, self._stream))
        setattr(sys, self._stream, self._new_target)
        return self._new_target

    def __exit__(self, kind, error, traceback):
        setattr(sys, self._stream, self._old_targets.pop())


class redirect_stdout(_Redirect):
    """A context in which what is printed goes to a value with a method write."""
    _stream = "stdout"


class redirect_stderr(_Redirect):
    """A context in which what is printed as an error goes to a value with a method write."""
    _stream = "stderr"


class ExitStack(AbstractContextManager):
    """A context that leaves others, which are entered one by one, in the opposite order."""

    def __init__(self):
        self._exits = []

    def push(self, exit):
        """Adds the __exit__ of a context, or a function like one."""
        method = getattr(exit, "__exit__", None)
        self._exits.append(exit if method is None else method)
        return exit

    def enter_context(self, cm):
        """Enters a context, and leaves it at the end."""
        result = cm.__enter__()
        self._exits.append(cm.__exit__)
        return result

    def callback(self, callback, *args, **kwds):
        """Has a function be called at the end."""
        def leave(kind, error, traceback):
            callback(*args, **kwds)
        self._exits.append(leave)
        return callback

    def pop_all(self):
        """Another stack with all that is to be left; this one has nothing then."""
        other = type(self)()
        other._exits, self._exits = self._exits, []
        return other

    def close(self):
        """Leaves all contexts."""
        self.__exit__(None, None, None)

    def __exit__(self, kind, error, traceback):
        had = kind is not None
        handled = raised = False
        while self._exits:
            leave = self._exits.pop()
            try:
                if leave(kind, error, traceback):
                    handled, raised = True, False
                    kind = error = traceback = None
            except BaseException as e:
                raised = True
                kind, error, traceback = type(e), e, None
        if raised:
            raise error
        return had and handled


class chdir(AbstractContextManager):
    """A context in another folder."""

    def __init__(self, path):
        self.path, self._old = path, []

    def __enter__(self):
        import os
        self._old.append(os.getcwd())
        os.chdir(self.path)

    def __exit__(self, *excinfo):
        import os
        os.chdir(self._old.pop())
