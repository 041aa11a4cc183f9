"""Errors as text: where they were raised, and what they say."""
import sys as _sys
import _traceback
from collections import namedtuple as _namedtuple

FrameSummary = _namedtuple("FrameSummary", "filename lineno name line")


def _of(exc, value):
    if isinstance(exc, BaseException):
        return exc
    if isinstance(value, BaseException):
        return value
    return None


def _lines(frames):
    out = []
    for file, line, name, text in frames:
        s = '  File "%s", line %d, in %s\n' % (file, line, name)
        if text:
            s += "    %s\n" % text
        out.append(s)
    return out


def format_list(extracted_list):
    """Lines for calls: file, line, function and text of each."""
    return _lines([tuple(f) for f in extracted_list])


def format_exception_only(exc, value=None):
    """What an error says, with its class."""
    e = _of(exc, value)
    if e is None:
        return ["NoneType: None\n"]
    name = type(e).__name__
    module = getattr(type(e), "__module__", "builtins")
    if module not in ("builtins", "__main__") and isinstance(module, str):
        name = module + "." + name
    text = str(e)
    return ["%s: %s\n" % (name, text) if text else name + "\n"]


def format_exception(exc, value=None, tb=None, limit=None, chain=True):
    """The lines that Python shows of an error."""
    e = _of(exc, value)
    if e is None:
        return ["NoneType: None\n"]
    out = []
    cause, context = getattr(e, "__cause__", None), getattr(e, "__context__", None)
    if chain and cause is not None:
        out += format_exception(cause) + ["\nThe above exception was the direct cause of the following exception:\n\n"]
    elif chain and context is not None and not getattr(e, "__suppress_context__", False):
        out += format_exception(context) + ["\nDuring handling of the above exception, another exception occurred:\n\n"]
    frames = _traceback.frames(e)
    if frames:
        out.append("Traceback (most recent call last):\n")
        out += _lines(_cut(frames, limit))
    return out + format_exception_only(e)


def _cut(frames, limit):
    if limit is None:
        return frames
    return frames[:limit] if limit >= 0 else frames[limit:]


def print_exception(exc, value=None, tb=None, limit=None, file=None, chain=True):
    """Prints the lines that Python shows of an error."""
    print("".join(format_exception(exc, value, tb, limit, chain)), end="", file=_sys.stderr if file is None else file)


def format_exc(limit=None, chain=True):
    """The lines that Python shows of the error that is being handled."""
    return "".join(format_exception(_traceback.handling(), limit=limit, chain=chain))


def print_exc(limit=None, file=None, chain=True):
    """Prints the lines that Python shows of the error that is being handled."""
    print(format_exc(limit, chain), end="", file=_sys.stderr if file is None else file)


def extract_tb(tb, limit=None):
    """The calls that the error which is being handled has left: errors keep no tracebacks as values."""
    e = _traceback.handling()
    return [FrameSummary(*f) for f in _cut(_traceback.frames(e), limit)] if e is not None else []


def format_tb(tb, limit=None):
    """Lines for the calls that the error which is being handled has left."""
    return format_list(extract_tb(tb, limit))


def print_tb(tb, limit=None, file=None):
    """Prints the calls that the error which is being handled has left."""
    print("".join(format_tb(tb, limit)), end="", file=_sys.stderr if file is None else file)


def extract_stack(f=None, limit=None):
    """The calls that wait, outermost first."""
    return [FrameSummary(*f) for f in _traceback.stack()]


def format_stack(f=None, limit=None):
    """Lines for the calls that wait."""
    return _lines(_traceback.stack())


def print_stack(f=None, limit=None, file=None):
    """Prints the calls that wait."""
    print("".join(format_stack()), end="", file=_sys.stderr if file is None else file)


class TracebackException:
    """An error, to be formatted later."""

    def __init__(self, exc_type, exc_value=None, exc_traceback=None, **options):
        self._lines = format_exception(exc_type, exc_value)
        self._only = format_exception_only(exc_type, exc_value)
        self.exc_type = type(_of(exc_type, exc_value))

    @classmethod
    def from_exception(cls, exc, **options):
        """Of an exception."""
        return cls(exc)

    def format(self, chain=True):
        """The lines of the error."""
        return iter(self._lines)

    def format_exception_only(self):
        """The last of them."""
        return iter(self._only)


def walk_tb(tb):
    """Nothing: errors keep no tracebacks as values."""
    return iter(())
