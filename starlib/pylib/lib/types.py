"""Names of types that the language has no other names for, and SimpleNamespace."""


class SimpleNamespace:
    """A value with the attributes that it is called with."""

    def __init__(self, **kwargs):
        for k, v in kwargs.items():
            setattr(self, k, v)

    def __repr__(self):
        return "namespace(%s)" % ", ".join(["%s=%s" % (k, repr(v)) for k, v in self.__dict__.items()])

    def __eq__(self, other):
        if not isinstance(other, SimpleNamespace):
            return NotImplemented
        return self.__dict__ == other.__dict__


class ModuleType(SimpleNamespace):
    """A module of a name that a program makes."""

    def __init__(self, name, doc=None):
        self.__name__, self.__doc__ = name, doc

    def __repr__(self):
        return "<module '%s'>" % self.__name__


class MappingProxyType:
    """A dict that is only read."""

    def __init__(self, mapping):
        self._mapping = mapping

    def __getitem__(self, key):
        return self._mapping[key]

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        return iter(self._mapping)

    def __len__(self):
        return len(self._mapping)

    def get(self, key, default=None):
        """The value of a key, or the default."""
        return self._mapping.get(key, default)

    def keys(self):
        """The keys."""
        return self._mapping.keys()

    def values(self):
        """The values."""
        return self._mapping.values()

    def items(self):
        """The pairs of keys and values."""
        return self._mapping.items()

    def copy(self):
        """A dict of the same."""
        return dict(self._mapping)

    def __eq__(self, other):
        return self._mapping == (other._mapping if isinstance(other, MappingProxyType) else other)

    def __repr__(self):
        return "mappingproxy(%s)" % repr(self._mapping)


# What type(x) is of such values; isinstance takes these names.
FunctionType = LambdaType = "function"
BuiltinFunctionType = BuiltinMethodType = "builtin_function_or_method"
MethodType = "method"
GeneratorType = "generator"
NoneType = "NoneType"


def new_class(name, bases=(), kwds=None, exec_body=None):
    """A class of a name."""
    members = {}
    if exec_body is not None:
        exec_body(members)
    meta = (kwds or {}).get("metaclass", type)
    return meta(name, tuple(bases), members)


def coroutine(func):
    """The function as it is."""
    return func


class DynamicClassAttribute:
    """An attribute that instances compute, and the class does not have."""

    def __init__(self, fget=None, fset=None, fdel=None, doc=None):
        self.fget = fget

    def __get__(self, instance, owner=None):
        if instance is None:
            raise AttributeError("no such attribute")
        return self.fget(instance)
