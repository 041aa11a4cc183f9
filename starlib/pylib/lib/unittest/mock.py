"""Objects that take the place of others in tests, and note how they were used."""

import sys

__all__ = ["Mock", "MagicMock", "NonCallableMock", "NonCallableMagicMock", "PropertyMock", "patch", "sentinel", "DEFAULT", "ANY", "call",
           "create_autospec", "mock_open"]


class _Sentinel:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return "sentinel." + self.name


class _Sentinels:
    def __init__(self):
        self._known = {}

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self._known:
            self._known[name] = _Sentinel(name)
        return self._known[name]


sentinel = _Sentinels()
DEFAULT = sentinel.DEFAULT


class _Any:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __repr__(self):
        return "<ANY>"


ANY = _Any()


class _Call:
    """A call: the name of what was called, and the arguments."""

    def __init__(self, name="", args=(), kwargs=None, two=True):
        self._name, self.args, self.kwargs, self._two = name, args, kwargs or {}, two

    def __call__(self, *args, **kwargs):
        return _Call(self._name, args, kwargs, self._name == "")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Call(self._name + "." + name if self._name else name, two=False)

    def _parts(self):
        return (self.args, self.kwargs) if self._two else (self._name, self.args, self.kwargs)

    def __len__(self):
        return len(self._parts())

    def __iter__(self):
        return iter(self._parts())

    def __getitem__(self, i):
        return self._parts()[i]

    def __eq__(self, other):
        if isinstance(other, _Call):
            return (self._name, self.args, self.kwargs) == (other._name, other.args, other.kwargs)
        if not isinstance(other, tuple):
            return NotImplemented
        name, args, kwargs = "", (), {}
        for part in other:
            if isinstance(part, str):
                name = part
            elif isinstance(part, tuple):
                args = part
            elif isinstance(part, dict):
                kwargs = part
        return (name or self._name, args, kwargs) == (self._name, self.args, self.kwargs)

    def __ne__(self, other):
        return not self == other

    def __repr__(self):
        parts = [repr(a) for a in self.args] + ["%s=%r" % (k, v) for k, v in self.kwargs.items()]
        return "call%s(%s)" % ("." + self._name if self._name else "", ", ".join(parts))


call = _Call()


def _shown(name, args, kwargs):
    parts = [repr(a) for a in args] + ["%s=%r" % (k, v) for k, v in kwargs.items()]
    return "%s(%s)" % (name, ", ".join(parts))


_own = ["return_value", "side_effect", "called", "call_count", "call_args", "call_args_list", "mock_calls", "method_calls"]
_misspelt = ("assert", "assret", "asert", "aseert", "assrt")


class NonCallableMock:
    """Mock, of what cannot be called."""

    def __new__(cls, *args, **kwargs):
        return object.__new__(type(cls.__name__, (cls,), {}))

    def __init__(self, spec=None, side_effect=None, return_value=DEFAULT, wraps=None, name=None, spec_set=None, unsafe=False, _parent=None, **kwargs):
        own = self.__dict__
        own["_mock_children"], own["_mock_wraps"], own["_mock_name"], own["_mock_unsafe"] = {}, wraps, name, unsafe
        own["_mock_parent"], own["_mock_return"], own["_mock_sealed"] = _parent, return_value, spec_set is not None
        spec = spec_set if spec is None else spec
        own["_mock_class"] = None
        own["_mock_names"] = None
        if spec is not None:
            own["_mock_names"] = list(spec) if isinstance(spec, (list, tuple)) else dir(spec) + [n for n in getattr(spec, "__dict__", {})]
            if not isinstance(spec, (list, tuple)):
                own["_mock_class"] = spec if isinstance(spec, type) else type(spec)
        own["side_effect"] = side_effect
        self._mock_forget()
        self._mock_begin()
        self.configure_mock(**kwargs)

    def _mock_begin(self):
        pass

    @property
    def __class__(self):
        return self.__dict__.get("_mock_class") or type(self)

    def _mock_forget(self):
        own = self.__dict__
        own["called"], own["call_count"], own["call_args"] = False, 0, None
        own["call_args_list"], own["mock_calls"], own["method_calls"] = [], [], []

    def configure_mock(self, **kwargs):
        """Sets attributes; "a.b" is that of an attribute."""
        for name in sorted(kwargs, key=lambda n: n.count(".")):
            of, parts = self, name.split(".")
            for part in parts[:-1]:
                of = getattr(of, part)
            setattr(of, parts[-1], kwargs[name])

    def attach_mock(self, mock, attribute):
        """Makes a mock an attribute of this one, which notes its calls."""
        mock.__dict__["_mock_parent"], mock.__dict__["_mock_name"] = None, None
        setattr(self, attribute, mock)

    def reset_mock(self, visited=None, return_value=False, side_effect=False):
        """Forgets the calls."""
        self._mock_forget()
        own = self.__dict__
        if return_value:
            own["_mock_return"] = DEFAULT
        if side_effect:
            own["side_effect"] = None
        for child in own["_mock_children"].values():
            child.reset_mock()
        if isinstance(own["_mock_return"], NonCallableMock) and own["_mock_return"] is not self:
            own["_mock_return"].reset_mock()

    def _get_child_mock(self, **kwargs):
        return Mock(**kwargs)

    def __getattr__(self, name):
        own = self.__dict__
        if name == "return_value":
            if own["_mock_return"] is DEFAULT:
                own["_mock_return"] = self._get_child_mock(_parent=(self, "()"))
            return own["_mock_return"]
        if name.startswith("__") or name.startswith("_mock_") or "_mock_children" not in own:
            raise AttributeError(name)
        if own["_mock_names"] is not None and name not in own["_mock_names"]:
            raise AttributeError("Mock object has no attribute '%s'" % name)
        if name.startswith(_misspelt) and not own["_mock_unsafe"]:
            raise AttributeError("'%s' is not a valid assertion. Use a spec for the mock if '%s' is meant to be an attribute." % (name, name))
        wraps = own["_mock_wraps"]
        child = self._get_child_mock(_parent=(self, name), wraps=None if wraps is None else getattr(wraps, name))
        own["_mock_children"][name] = child
        own[name] = child
        return child

    def __setattr__(self, name, value):
        own = self.__dict__
        if name == "return_value":
            own["_mock_return"] = value
        elif name.startswith("__") and name.endswith("__"):
            if isinstance(value, NonCallableMock):
                own[name] = own["_mock_children"][name] = value
                setattr(type(self), name, lambda self, *args, **kwargs: value(*args, **kwargs))
            else:
                setattr(type(self), name, value)
        elif isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        else:
            if own["_mock_sealed"] and name not in own["_mock_names"] and name not in own:
                raise AttributeError("Mock object has no attribute '%s'" % name)
            if isinstance(value, NonCallableMock) and value.__dict__["_mock_parent"] is None and value.__dict__["_mock_name"] is None:
                value.__dict__["_mock_parent"] = (self, name)
                own["_mock_children"][name] = value
            own[name] = value

    def __delattr__(self, name):
        own = self.__dict__
        own["_mock_children"].pop(name, None)
        if name in own:
            del own[name]
        names = own["_mock_names"]
        if names is None:
            own["_mock_gone"] = own.get("_mock_gone", []) + [name]
        own["_mock_names"] = [n for n in names if n != name] if names is not None else _AllBut(own["_mock_gone"])

    def __repr__(self):
        return "<%s name=%r>" % (type(self).__name__, self._mock_title())

    def _mock_title(self):
        name, parent = self.__dict__["_mock_name"], self.__dict__["_mock_parent"]
        return name or ("mock" if parent is None else parent[1])

    def _mock_note(self, args, kwargs):
        own = self.__dict__
        made = _Call("", args, kwargs)
        own["called"], own["call_count"], own["call_args"] = True, own["call_count"] + 1, made
        own["call_args_list"].append(made)
        own["mock_calls"].append(made)
        name, parent = "", own["_mock_parent"]
        direct = True
        while parent is not None:
            of, part = parent
            direct = direct and part != "()"
            name = part + ("" if name == "" or name.startswith("()") else ".") + name if name else part
            entry = _Call(name, args, kwargs, False)
            of.__dict__["mock_calls"].append(entry)
            if direct:
                of.__dict__["method_calls"].append(entry)
            parent = of.__dict__["_mock_parent"]

    def _mock_answer(self, args, kwargs):
        effect = self.__dict__["side_effect"]
        if effect is not None:
            if isinstance(effect, BaseException) or isinstance(effect, type) and issubclass(effect, BaseException):
                raise effect
            if not callable(effect):
                if not hasattr(effect, "__next__"):
                    effect = self.__dict__["side_effect"] = iter(effect)
                result = next(effect)
                if isinstance(result, BaseException) or isinstance(result, type) and issubclass(result, BaseException):
                    raise result
            else:
                result = effect(*args, **kwargs)
            if result is not DEFAULT:
                return result
        if self.__dict__["_mock_return"] is not DEFAULT or self.__dict__["_mock_wraps"] is None:
            return self.return_value
        return self.__dict__["_mock_wraps"](*args, **kwargs)

    def assert_called(self):
        """Asserts that there was a call."""
        if not self.called:
            raise AssertionError("Expected '%s' to have been called." % self._mock_title())

    def assert_not_called(self):
        """Asserts that there was none."""
        if self.called:
            raise AssertionError("Expected '%s' to not have been called. Called %d times." % (self._mock_title(), self.call_count))

    def assert_called_once(self):
        """Asserts that there was one call."""
        if self.call_count != 1:
            raise AssertionError("Expected '%s' to have been called once. Called %d times." % (self._mock_title(), self.call_count))

    def assert_called_with(self, *args, **kwargs):
        """Asserts that the last call had these arguments."""
        expected = _shown(self._mock_title(), args, kwargs)
        if self.call_args is None:
            raise AssertionError("expected call not found.\nExpected: %s\nActual: not called." % expected)
        if self.call_args != _Call("", args, kwargs):
            actual = _shown(self._mock_title(), self.call_args.args, self.call_args.kwargs)
            raise AssertionError("expected call not found.\nExpected: %s\nActual: %s" % (expected, actual))

    def assert_called_once_with(self, *args, **kwargs):
        """Asserts that there was one call, with these arguments."""
        if self.call_count != 1:
            raise AssertionError("Expected '%s' to be called once. Called %d times." % (self._mock_title(), self.call_count))
        self.assert_called_with(*args, **kwargs)

    def assert_any_call(self, *args, **kwargs):
        """Asserts that one of the calls had these arguments."""
        if _Call("", args, kwargs) not in self.call_args_list:
            raise AssertionError(_shown(self._mock_title(), args, kwargs) + " call not found")

    def assert_has_calls(self, calls, any_order=False):
        """Asserts that there were these calls, one after another."""
        made, wanted = list(self.mock_calls), list(calls)
        if any_order:
            for c in wanted:
                if c not in made:
                    raise AssertionError("%r not all found in call list" % (wanted,))
                made.remove(c)
            return
        if not any([made[i:i + len(wanted)] == wanted for i in range(len(made) - len(wanted) + 1)]):
            raise AssertionError("Calls not found.\nExpected: %r\nActual: %r" % (wanted, made))


class _AllBut:
    def __init__(self, gone):
        self.gone = gone

    def __contains__(self, name):
        return name not in self.gone

    def __iter__(self):
        return iter([])


class Mock(NonCallableMock):
    """An object that has every attribute, can be called, and notes its calls: return_value and side_effect say what they give."""

    def __call__(self, *args, **kwargs):
        self._mock_note(args, kwargs)
        return self._mock_answer(args, kwargs)


_defaults = {"__len__": 0, "__contains__": False, "__int__": 1, "__float__": 1.0, "__index__": 1, "__bool__": True, "__exit__": False,
             "__complex__": 1j}
_supported = ("__len__ __contains__ __int__ __float__ __index__ __bool__ __exit__ __complex__ __enter__ __getitem__ __setitem__ __delitem__ "
              "__add__ __sub__ __mul__ __truediv__ __floordiv__ __mod__ __pow__ __and__ __or__ __xor__ __lshift__ __rshift__ "
              "__matmul__ __neg__ __pos__ __invert__ __abs__ __round__").split()


class _Special(Mock):
    """A Mock that is a special method of another."""

    def __new__(cls, *args, **kwargs):
        return object.__new__(cls)

    def _get_child_mock(self, **kwargs):
        return MagicMock(**kwargs)


def _magic(name):
    return lambda self, *args, **kwargs: self.__dict__["_mock_children"][name](*args, **kwargs)


class _Magic:
    def _mock_begin(self):
        own = self.__dict__
        for name in _supported:
            own[name] = own["_mock_children"][name] = _Special(_parent=(self, name), return_value=_defaults.get(name, DEFAULT))
        own["__iter__"] = own["_mock_children"]["__iter__"] = _Special(_parent=(self, "__iter__"), return_value=[])

    def __iter__(self):
        return iter(self.__dict__["_mock_children"]["__iter__"]())


for _name in _supported:
    setattr(_Magic, _name, _magic(_name))


class MagicMock(_Magic, Mock):
    """A Mock that has the special methods too."""

    def _get_child_mock(self, **kwargs):
        return MagicMock(**kwargs)


class NonCallableMagicMock(_Magic, NonCallableMock):
    """A NonCallableMock that has the special methods too."""

    def _get_child_mock(self, **kwargs):
        return MagicMock(**kwargs)


class PropertyMock(Mock):
    """A Mock that is a property of a class: type(x).a = PropertyMock(return_value=3)."""

    def __get__(self, instance, owner=None):
        return self()

    def __set__(self, instance, value):
        self(value)


class _Patch:
    def __init__(self, target, name, new, kwargs, attribute=None):
        self.target, self.name, self.new, self.kwargs, self.attribute = target, name, new, kwargs, attribute
        self.more = []

    def _of(self):
        return self.target() if callable(self.target) and not isinstance(self.target, type) and self.attribute == "path" else self.target

    def __enter__(self):
        of = self._of()
        self.of = of
        self.local = self.name in getattr(of, "__dict__", {self.name: 0})
        create = self.kwargs.get("create", False)
        if not create and not hasattr(of, self.name):
            raise AttributeError("%r does not have the attribute %r" % (of, self.name))
        self.old = getattr(of, self.name, DEFAULT)
        if self.local and isinstance(of, type):
            self.old = of.__dict__[self.name]
        new = self.new
        if new is DEFAULT:
            kwargs = {k: v for k, v in self.kwargs.items() if k not in ("create", "new_callable", "autospec")}
            if kwargs.get("spec") is True:
                kwargs["spec"] = self.old
            new = self.kwargs.get("new_callable", MagicMock)(**kwargs)
        setattr(of, self.name, new)
        return new

    def __exit__(self, *error):
        if self.old is DEFAULT or not self.local:
            delattr(self.of, self.name)
        else:
            setattr(self.of, self.name, self.old)
        return False

    def start(self):
        """Puts the object into its place."""
        return self.__enter__()

    def stop(self):
        """Puts back what was there."""
        return self.__exit__(None, None, None)

    def __call__(self, fn):
        if isinstance(fn, type):
            for name in dir(fn):
                if name.startswith("test") and callable(getattr(fn, name)):
                    setattr(fn, name, self(getattr(fn, name)))
            return fn

        def patched(*args, **kwargs):
            with self as new:
                if self.new is DEFAULT:
                    args = args + (new,)
                return fn(*args, **kwargs)
        patched.__name__ = fn.__name__
        patched.__doc__ = fn.__doc__
        patched.__wrapped__ = fn
        return patched


def _find(path):
    parts = path.split(".")
    for n in range(len(parts), 0, -1):
        name = ".".join(parts[:n])
        try:
            found = sys.modules[name] if name in sys.modules else __import__(name, fromlist=["_"])
        except ImportError:
            continue
        for part in parts[n:]:
            found = getattr(found, part)
        return found
    raise ModuleNotFoundError("No module named %r" % parts[0])


def patch(target, new=DEFAULT, **kwargs):
    """Puts a mock, or new, in the place of what "module.name" is: for a block, or for the calls of a function that it decorates."""
    of, dot, name = target.rpartition(".")
    if not dot:
        raise TypeError("Need a valid target to patch. You supplied: %r" % target)
    return _Patch(lambda: _find(of), name, new, kwargs, "path")


def _patch_object(target, attribute, new=DEFAULT, **kwargs):
    return _Patch(target, attribute, new, kwargs)


class _PatchDict:
    def __init__(self, in_dict, values=(), clear=False, **kwargs):
        self.dict, self.values, self.clear = in_dict, dict(values, **kwargs), clear

    def __enter__(self):
        if isinstance(self.dict, str):
            self.dict = _find(self.dict)
        self.old = dict(self.dict)
        if self.clear:
            self.dict.clear()
        self.dict.update(self.values)
        return self.dict

    def __exit__(self, *error):
        self.dict.clear()
        self.dict.update(self.old)
        return False

    def start(self):
        """Changes the dict."""
        return self.__enter__()

    def stop(self):
        """Makes it what it was."""
        return self.__exit__(None, None, None)

    def __call__(self, fn):
        def patched(*args, **kwargs):
            with self:
                return fn(*args, **kwargs)
        patched.__name__ = fn.__name__
        return patched


patch.object = _patch_object
patch.dict = _PatchDict


def create_autospec(spec, spec_set=False, instance=False, **kwargs):
    """A MagicMock that has the attributes of spec, and no other."""
    return MagicMock(spec=spec, **kwargs)


def mock_open(mock=None, read_data=""):
    """A mock in the place of open, whose files have the text."""
    mock = mock or MagicMock()
    import io

    def opened(*args, **kwargs):
        handle, data = MagicMock(), io.StringIO(read_data)
        handle.read.side_effect = data.read
        handle.readline.side_effect = data.readline
        handle.readlines.side_effect = data.readlines
        handle.__enter__.return_value = handle
        handle.__iter__.return_value = read_data.splitlines(True)
        return handle
    mock.side_effect = opened
    return mock
