"""Tests: functions test_* that assert. arignote test runs those of files."""
import sys as _sys
from collections import namedtuple as _namedtuple


class _Outcome(BaseException):
    def __init__(self, msg=""):
        BaseException.__init__(self, msg)
        self.msg = msg


class Skipped(_Outcome):
    """The test is skipped."""


class Failed(_Outcome):
    """The test fails."""


class XFailed(_Outcome):
    """The test fails as it is expected to."""


class Exit(_Outcome):
    """All tests end."""


def skip(reason="", *, allow_module_level=False, msg=None):
    """Ends a test as skipped."""
    raise Skipped(reason or msg or "")


def fail(reason="", pytrace=True, msg=None):
    """Ends a test as failed."""
    raise Failed(reason or msg or "")


def xfail(reason=""):
    """Ends a test as failed, as is expected."""
    raise XFailed(reason)


def exit(reason="", returncode=None):
    """Ends all tests."""
    raise Exit(reason)


skip.Exception, fail.Exception, xfail.Exception, exit.Exception = Skipped, Failed, XFailed, Exit


def importorskip(modname, minversion=None, reason=None):
    """A module, or the end of the test as skipped where it is not there."""
    import _run
    try:
        return _run.load(modname)
    except ImportError as e:
        raise Skipped(reason or "could not import '%s': %s" % (modname, e)) from None


class ExceptionInfo:
    """The error that raises has caught: value, type, and match(pattern)."""
    value = type = None
    tb = traceback = None

    @property
    def typename(self):
        """The name of its class."""
        return self.type.__name__

    def match(self, regexp):
        """Fails unless the text of the error has the pattern in it."""
        _check_match(regexp, self.value)
        return True

    def errisinstance(self, exc):
        """Whether the error is of a class."""
        return isinstance(self.value, exc)

    def exconly(self, tryshort=False):
        """The class and the text."""
        return "%s: %s" % (self.typename, self.value)

    def __repr__(self):
        return "<ExceptionInfo %s>" % repr(self.value)


def _search(pattern, text):
    try:
        import re
    except ImportError:
        plain = pattern.replace("\\", "") if isinstance(pattern, str) else pattern
        return plain in text or pattern in text or pattern == ".*"
    return re.search(pattern, text) is not None


def _check_match(pattern, error):
    text = str(error)
    if not _search(pattern, text):
        raise AssertionError("Regex pattern did not match.\n Regex: %s\n Input: %s" % (repr(pattern), repr(text)))


class _Raises:
    def __init__(self, expected, match):
        self.expected, self._match = expected, match
        self.info = ExceptionInfo()

    def __enter__(self):
        return self.info

    def __exit__(self, kind, error, traceback):
        if kind is None:
            fail("DID NOT RAISE %s" % _names(self.expected))
        if not issubclass(kind, self.expected):
            return False
        self.info.value, self.info.type = error, kind
        if self._match is not None:
            _check_match(self._match, error)
        return True


def _names(expected):
    if isinstance(expected, tuple):
        return "(%s)" % ", ".join([repr(e) for e in expected])
    return repr(expected)


def raises(expected_exception, *args, match=None, **kwargs):
    """A context that fails unless it ends with an error of a class, whose text has match in it; or calls a function so."""
    for e in expected_exception if isinstance(expected_exception, tuple) else (expected_exception,):
        if not isinstance(e, type) or not issubclass(e, BaseException):
            raise TypeError("expected exception must be a BaseException type, not %s" % type(e).__name__)
    if not args:
        return _Raises(expected_exception, match)
    context = _Raises(expected_exception, match)
    with context:
        args[0](*args[1:], **kwargs)
    return context.info


class WarningsRecorder:
    """The warnings that a context has caught."""

    def __init__(self):
        self.list = []

    def __len__(self):
        return len(self.list)

    def __getitem__(self, i):
        return self.list[i]

    def __iter__(self):
        return iter(self.list)


class _Warns:
    def __init__(self, expected, match):
        import warnings
        self.expected, self._match = expected, match
        self._context = warnings.catch_warnings(record=True)

    def __enter__(self):
        import warnings
        self._list = self._context.__enter__()
        warnings.simplefilter("always")
        self.recorder = WarningsRecorder()
        return self.recorder

    def __exit__(self, kind, error, traceback):
        self._context.__exit__(kind, error, traceback)
        self.recorder.list = self._list
        if kind is not None:
            return False
        found = [w for w in self._list if issubclass(w.category, self.expected)]
        if not found:
            fail("DID NOT WARN. No warnings of type %s were emitted." % _names(self.expected))
        if self._match is not None and not any([_search(self._match, str(w.message)) for w in found]):
            fail("DID NOT WARN. No warnings of type %s matching the regex were emitted." % _names(self.expected))
        return False


def warns(expected_warning=Warning, *args, match=None, **kwargs):
    """A context that fails unless a warning of a class is given in it."""
    if not args:
        return _Warns(expected_warning, match)
    with _Warns(expected_warning, match):
        return args[0](*args[1:], **kwargs)


def deprecated_call(*args, match=None, **kwargs):
    """warns(DeprecationWarning)."""
    return warns(DeprecationWarning, *args, match=match, **kwargs)


class approx:
    """A value that equals others which are near: approx(0.3) == 0.1 + 0.2. Lists, dicts and arrays are compared by their elements."""
    __array_priority__ = 1000
    __array_ufunc__ = None

    def __init__(self, expected, rel=None, abs=None, nan_ok=False):
        self.expected, self.rel, self.abs, self.nan_ok = expected, rel, abs, nan_ok

    def _tolerance(self, x):
        least = 1e-12 if self.abs is None else self.abs
        if self.rel is None and self.abs is not None:
            return least
        size = x if x >= 0 else -x
        return max((1e-6 if self.rel is None else self.rel) * size, least)

    def _near(self, x, y):
        if x is None or y is None or isinstance(x, (str, bool)) or isinstance(y, (str, bool)):
            return x == y
        if isinstance(x, (list, tuple, dict)):
            return approx(x, self.rel, self.abs, self.nan_ok) == y
        if x == y:
            return True
        if x != x:
            return self.nan_ok and y != y
        if x in (float("inf"), -float("inf")) or y != y:
            return False
        d = x - y
        return (d if d >= 0 else -d) <= self._tolerance(x)

    def __eq__(self, actual):
        expected = self.expected
        if isinstance(expected, dict):
            if not hasattr(actual, "keys") or set(expected.keys()) != set(actual.keys()):
                return False
            return all([self._near(expected[k], actual[k]) for k in expected])
        if hasattr(expected, "shape") and hasattr(expected, "tolist") and expected.shape != ():
            shape = getattr(actual, "shape", None)
            if shape is None:
                import numpy as np
                actual = np.asarray(actual)
                shape = actual.shape
            if shape != expected.shape:
                return False
            return all([self._near(x, y) for x, y in zip(expected.ravel().tolist(), actual.ravel().tolist())])
        if isinstance(expected, (list, tuple)):
            if hasattr(actual, "tolist"):
                actual = actual.tolist()
            if not hasattr(actual, "__len__") and not isinstance(actual, (list, tuple)) or len(actual) != len(expected):
                return False
            return all([self._near(x, y) for x, y in zip(expected, actual)])
        if hasattr(actual, "shape") and hasattr(actual, "tolist") and actual.shape != ():
            return all([self._near(expected, y) for y in actual.ravel().tolist()])
        return bool(self._near(expected, actual))

    def __ne__(self, actual):
        return not self == actual

    def __hash__(self):
        raise TypeError("unhashable type: 'approx'")

    def _text(self, x):
        if isinstance(x, (list, tuple)):
            return "[%s]" % ", ".join([self._text(y) for y in x])
        if isinstance(x, dict):
            return "{%s}" % ", ".join([repr(k) + ": " + self._text(v) for k, v in x.items()])
        if isinstance(x, (int, float)) and not isinstance(x, bool) and x == x:
            return "%s ± %.1e" % (x, self._tolerance(x))
        return repr(x)

    def __repr__(self):
        if isinstance(self.expected, (list, tuple, dict)) or hasattr(self.expected, "tolist"):
            return "approx(%s)" % self._text(self.expected.tolist() if hasattr(self.expected, "tolist") else self.expected)
        return self._text(self.expected)


class _Fixture:
    # What @fixture makes of a function: tests name it as a parameter.

    def __init__(self, func, scope, params, autouse, ids, name):
        self.func, self.scope, self.params, self.autouse, self.ids = func, scope, params, autouse, ids
        self.name = name or func.__name__
        self.__name__, self.__doc__ = self.name, func.__doc__

    def __call__(self, *args, **kwargs):
        fail('Fixture "%s" called directly. Fixtures are not meant to be called directly,\nbut are created automatically when test functions request them as parameters.' % self.name)

    def __get__(self, obj, cls=None):
        if obj is None:
            return self
        bound = _Fixture(self.func, self.scope, self.params, self.autouse, self.ids, self.name)
        bound.owner = obj
        return bound


def fixture(fixture_function=None, *, scope="function", params=None, autouse=False, ids=None, name=None):
    """A decorator: the function makes what tests get that have a parameter of its name; what follows a yield runs after the test."""
    def decorate(f):
        return _Fixture(f, scope, None if params is None else list(params), autouse, ids, name)
    return decorate if fixture_function is None else decorate(fixture_function)


yield_fixture = fixture


class Mark:
    """A mark of a test: its name and arguments."""

    def __init__(self, name, args, kwargs):
        self.name, self.args, self.kwargs = name, args, kwargs

    def __repr__(self):
        return "Mark(name=%s, args=%s, kwargs=%s)" % (repr(self.name), repr(self.args), repr(self.kwargs))


class MarkDecorator:
    """A decorator that marks tests."""

    def __init__(self, name, args=(), kwargs=None):
        self.name, self.args, self.kwargs = name, args, kwargs or {}
        self.mark = Mark(name, self.args, self.kwargs)

    def __call__(self, *args, **kwargs):
        if len(args) == 1 and not kwargs and (type(args[0]) == "function" or isinstance(args[0], (type, _Fixture))):
            marks = list(getattr(args[0], "__dict__", {}).get("pytestmark", []))
            args[0].pytestmark = marks + [self.mark]
            return args[0]
        return MarkDecorator(self.name, self.args + args, {**self.kwargs, **kwargs})

    def with_args(self, *args, **kwargs):
        """The decorator with more arguments."""
        return MarkDecorator(self.name, self.args + args, {**self.kwargs, **kwargs})


class _Marks:
    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return MarkDecorator(name)


mark = _Marks()
_ParameterSet = _namedtuple("ParameterSet", "values marks id")


def param(*values, marks=(), id=None):
    """Arguments of a test in parametrize, with marks and a name."""
    marks = [m.mark for m in (marks if isinstance(marks, (list, tuple)) else [marks])]
    return _ParameterSet(values, marks, id)


_gone = object()


class MonkeyPatch:
    """Changes that are taken back after the test."""

    def __init__(self):
        self._undo = []

    @classmethod
    def context(cls):
        """A context at whose end they are taken back."""
        return _Patching(cls())

    def setattr(self, target, name, value=_gone, raising=True):
        """Sets an attribute."""
        old = getattr(target, name, _gone)
        if raising and old is _gone:
            raise AttributeError("%s has no attribute %s" % (repr(target), repr(name)))
        self._undo.append((setattr, target, name, old))
        setattr(target, name, value)

    def delattr(self, target, name, raising=True):
        """Deletes an attribute."""
        old = getattr(target, name, _gone)
        if old is _gone:
            if raising:
                raise AttributeError(name)
            return
        self._undo.append((setattr, target, name, old))
        delattr(target, name)

    def setitem(self, dic, name, value):
        """Sets an entry of a dict."""
        self._undo.append((_setitem, dic, name, dic.get(name, _gone)))
        dic[name] = value

    def delitem(self, dic, name, raising=True):
        """Deletes an entry of a dict."""
        if name not in dic:
            if raising:
                raise KeyError(name)
            return
        self._undo.append((_setitem, dic, name, dic[name]))
        del dic[name]

    def chdir(self, path):
        """Goes to another folder."""
        import os
        self._undo.append((_chdir, None, None, os.getcwd()))
        os.chdir(str(path))

    def syspath_prepend(self, path):
        """Has import look in a folder first."""
        self._undo.append((_path, None, None, list(_sys.path)))
        _sys.path.insert(0, str(path))

    def undo(self):
        """Takes all back."""
        while self._undo:
            how, target, name, old = self._undo.pop()
            if old is _gone:
                if how is setattr:
                    delattr(target, name)
                else:
                    del target[name]
            else:
                how(target, name, old)


def _setitem(dic, name, value):
    dic[name] = value


def _chdir(target, name, old):
    import os
    os.chdir(old)


def _path(target, name, old):
    _sys.path[:] = old


class _Patching:
    def __init__(self, patch):
        self.patch = patch

    def __enter__(self):
        return self.patch

    def __exit__(self, *exc):
        self.patch.undo()


CaptureResult = _namedtuple("CaptureResult", "out err")


class Config:
    """What the tests were started with."""

    def __init__(self, options):
        self.options = options

    def getoption(self, name, default=None):
        """An option of the command line."""
        return self.options.get(name.lstrip("-"), default)


class ExitCode:
    """What main returns."""
    OK, TESTS_FAILED, INTERRUPTED, INTERNAL_ERROR, USAGE_ERROR, NO_TESTS_COLLECTED = 0, 1, 2, 3, 4, 5


def main(args=None, plugins=None):
    """Runs the tests of files and folders, as arignote test does, and returns 0, 1 if some fail, or 5 if there are none."""
    import _pytest
    if isinstance(args, str):
        args = args.split()
    return _pytest.main(list(_sys.argv[1:] if args is None else args))
