"""The functions of six that are written in the language."""

from functools import wraps

PY34 = True
MAXSIZE = 2**63 - 1
class_types = (type,)
Iterator = object


def add_metaclass(metaclass):
    """A decorator of classes that have a metaclass."""
    def wrapper(cls):
        members = {k: v for k, v in cls.__dict__.items() if k not in ("__dict__", "__weakref__")}
        return metaclass(cls.__name__, cls.__bases__, members)
    return wrapper


def with_metaclass(meta, *bases):
    """A base of classes that have a metaclass."""
    return meta("temporary_class", bases or (object,), {})


def python_2_unicode_compatible(cls):
    """The class."""
    return cls


def u(text):
    """The text."""
    return text


def b(text):
    """The bytes of a text."""
    return text.encode("latin-1")


def int2byte(i):
    """The byte of a number."""
    return bytes([i])


unichr = chr


def ensure_str(s, encoding="utf-8", errors="strict"):
    """Text, of text or bytes."""
    if isinstance(s, bytes):
        return s.decode(encoding, errors)
    if isinstance(s, str):
        return s
    raise TypeError("not expecting type '%s'" % type(s).__name__)


ensure_text = ensure_str


def ensure_binary(s, encoding="utf-8", errors="strict"):
    """Bytes, of text or bytes."""
    if isinstance(s, str):
        return s.encode(encoding, errors)
    if isinstance(s, bytes):
        return s
    raise TypeError("not expecting type '%s'" % type(s).__name__)


def viewkeys(d):
    """The keys of a dict."""
    return d.keys()


def viewvalues(d):
    """The values of a dict."""
    return d.values()


def viewitems(d):
    """The pairs of a dict."""
    return d.items()


def advance_iterator(it):
    """The next element."""
    return next(it)


def get_method_function(method):
    """The function of a method."""
    return method.__func__


def get_method_self(method):
    """What a method is of."""
    return method.__self__


def get_function_code(fn):
    """What is known of a function's code."""
    return fn.__code__


def get_function_defaults(fn):
    """The defaults of a function's parameters."""
    return fn.__defaults__


def reraise(tp, value=None, tb=None):
    """Raises an exception."""
    raise tp() if value is None else value


def raise_from(value, from_value):
    """Raises an exception that another one caused."""
    raise value from from_value
