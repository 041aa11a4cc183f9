"""Names for annotations. They can be subscripted and written, and check nothing."""
import collections

TYPE_CHECKING = False


def _name(t):
    if t is None or t is type(None):
        return "None"
    if t is Ellipsis:
        return "..."
    if isinstance(t, str):
        return "ForwardRef(%s)" % repr(t)
    if isinstance(t, (list, tuple)):
        return "[%s]" % ", ".join([_name(x) for x in t])
    if isinstance(t, (_Special, _Alias, TypeVar)) or not hasattr(t, "__name__"):
        return repr(t)
    module = getattr(t, "__module__", "builtins")
    if module == "builtins" or not isinstance(module, str):
        return t.__name__
    return module + "." + getattr(t, "__qualname__", t.__name__)


def _args(params):
    return params if isinstance(params, tuple) else (params,)


class _Special:
    # A name such as List, Union or Any: subscripts make an alias of it.

    def __init__(self, name, origin=None):
        self._name, self.__origin__ = name, origin
        self.__name__ = self.__qualname__ = name
        self.__module__ = "typing"
        self.__args__ = ()

    def __getitem__(self, params):
        args = _args(params)
        if self._name == "Optional":
            return Union[args[0], None]
        if self._name == "Union":
            flat = []
            for a in args:
                for b in (a.__args__ if isinstance(a, _Alias) and a._of is Union else (a,)):
                    if not any([b is c or b == c for c in flat]):
                        flat.append(b)
            if len(flat) == 1:
                return flat[0]
            args = tuple(flat)
        return _Alias(self, args)

    def __call__(self, *args, **kwargs):
        if self.__origin__ is None:
            raise TypeError("Cannot instantiate typing.%s" % self._name)
        return self.__origin__(*args, **kwargs)

    def __mro_entries__(self, bases):
        return (self.__origin__,) if isinstance(self.__origin__, type) else ()

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __repr__(self):
        return "typing." + self._name

    def __hash__(self):
        return hash(self._name)

    def __eq__(self, other):
        return self is other


class _Alias:
    # A name with what is in brackets after it.

    def __init__(self, of, args):
        self._of, self.__args__ = of, args
        self.__origin__ = of.__origin__ if isinstance(of, _Special) and of.__origin__ is not None else of
        self.__parameters__ = tuple([a for a in args if isinstance(a, TypeVar)])

    def __getitem__(self, params):
        new = list(_args(params))
        args = tuple([new.pop(0) if isinstance(a, TypeVar) and new else a for a in self.__args__])
        return _Alias(self._of, args)

    def __call__(self, *args, **kwargs):
        return self.__origin__(*args, **kwargs)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.__origin__, name)

    def __mro_entries__(self, bases):
        if isinstance(self._of, _Special):
            return self._of.__mro_entries__(bases)
        return (self._of,)

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __eq__(self, other):
        if not isinstance(other, _Alias) or other._of is not self._of:
            return False
        if self._of is Union:
            return set(self.__args__) == set(other.__args__)
        return self.__args__ == other.__args__

    def __hash__(self):
        return hash(repr(self._of))

    def __repr__(self):
        args = self.__args__
        if self._of is Union and len(args) == 2 and (None in args):
            return "typing.Optional[%s]" % _name([a for a in args if a is not None][0])
        if self._of is Literal or self._of is Annotated and len(args) > 1:
            return repr(self._of) + "[%s]" % ", ".join([repr(a) if self._of is Literal or i else _name(a) for i, a in enumerate(args)])
        if self._of is Callable and len(args) == 2 and args[0] is not Ellipsis:
            return "typing.Callable[%s, %s]" % (_name(list(args[0]) if isinstance(args[0], (list, tuple)) else args[0]), _name(args[1]))
        return _name(self._of) + "[%s]" % ", ".join([_name(a) if a != () else "()" for a in args])


class TypeVar:
    """A name that stands for any type."""

    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False):
        self.__name__, self.__constraints__, self.__bound__ = name, constraints, bound
        self.__covariant__, self.__contravariant__ = covariant, contravariant

    def __repr__(self):
        return ("+" if self.__covariant__ else "-" if self.__contravariant__ else "~") + self.__name__

    def __hash__(self):
        return hash(self.__name__)

    def __eq__(self, other):
        return self is other

    def __or__(self, other):
        return Union[self, other]


class ParamSpec(TypeVar):
    """A name that stands for the parameters of a function."""
    args = kwargs = None


class Generic:
    """A class of which class A(Generic[T]) is one whose types are named in brackets: A[int]."""

    def __class_getitem__(cls, params):
        return _Alias(cls, _args(params))


class Protocol(Generic):
    """A class that says what methods others have."""


class ForwardRef:
    """A type by its name."""

    def __init__(self, arg):
        self.__forward_arg__ = arg

    def __repr__(self):
        return "ForwardRef(%s)" % repr(self.__forward_arg__)


Any, Union, Optional, Callable, Literal, Final, ClassVar, Annotated, NoReturn, Never, Self, LiteralString, TypeAlias, Concatenate, Required, NotRequired, Unpack, TypeGuard = [
    _Special(_n) for _n in ("Any", "Union", "Optional", "Callable", "Literal", "Final", "ClassVar", "Annotated", "NoReturn", "Never", "Self", "LiteralString", "TypeAlias",
                            "Concatenate", "Required", "NotRequired", "Unpack", "TypeGuard")]
List, Dict, Set, FrozenSet, Tuple, Type = _Special("List", list), _Special("Dict", dict), _Special("Set", set), _Special("FrozenSet", set), _Special("Tuple", tuple), _Special("Type", type)
Deque, DefaultDict, OrderedDict, Counter = (_Special("Deque", collections.deque), _Special("DefaultDict", collections.defaultdict),
                                            _Special("OrderedDict", collections.OrderedDict), _Special("Counter", collections.Counter))
Iterable, Iterator, Generator, Sequence, MutableSequence, Mapping, MutableMapping, AbstractSet, MutableSet, Collection, Container, Sized, Hashable, Reversible, Awaitable, Coroutine, \
    AsyncIterable, AsyncIterator, AsyncGenerator, ContextManager, AsyncContextManager, KeysView, ValuesView, ItemsView, ByteString, Pattern, Match, IO, TextIO, BinaryIO, ChainMap = [
        _Special(_n) for _n in ("Iterable", "Iterator", "Generator", "Sequence", "MutableSequence", "Mapping", "MutableMapping", "AbstractSet", "MutableSet", "Collection", "Container",
                                "Sized", "Hashable", "Reversible", "Awaitable", "Coroutine", "AsyncIterable", "AsyncIterator", "AsyncGenerator", "ContextManager", "AsyncContextManager",
                                "KeysView", "ValuesView", "ItemsView", "ByteString", "Pattern", "Match", "IO", "TextIO", "BinaryIO", "ChainMap")]
Text = str
AnyStr = TypeVar("AnyStr", bytes, str)
SupportsAbs, SupportsBytes, SupportsFloat, SupportsIndex, SupportsInt, SupportsRound, SupportsComplex = [
    _Special(_n) for _n in ("SupportsAbs", "SupportsBytes", "SupportsFloat", "SupportsIndex", "SupportsInt", "SupportsRound", "SupportsComplex")]


def cast(typ, val):
    """val as it is."""
    return val


def _same(x):
    return x


final = runtime_checkable = no_type_check = override = _same


def overload(func):
    """Marks a function as one of several forms of the one that follows."""
    return func


def reveal_type(obj):
    """obj as it is."""
    return obj


def assert_type(val, typ):
    """val as it is."""
    return val


def assert_never(arg):
    """Fails: no value comes here."""
    raise AssertionError("Expected code to be unreachable, but got: " + repr(arg))


def dataclass_transform(**kwargs):
    """A decorator that changes nothing."""
    return _same


def get_origin(tp):
    """What is before the brackets of a type."""
    if not isinstance(tp, _Alias):
        return None
    return tp.__origin__


def get_args(tp):
    """What is in the brackets of a type."""
    return tuple([type(None) if a is None else a for a in tp.__args__]) if isinstance(tp, _Alias) else ()


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    """The annotations of a class and of its bases."""
    hints = {}
    for c in reversed(getattr(obj, "__mro__", (obj,))):
        if c is not object:
            hints.update(c.__dict__.get("__annotations__", {}) if hasattr(c, "__mro__") else getattr(c, "__annotations__", {}))
    return hints


def NewType(name, tp):
    """A function of a name that returns what it gets."""
    def new_type(x):
        return x
    new_type.__name__ = name
    new_type.__supertype__ = tp
    return new_type


def _named_tuple(name, names, defaults, members):
    # __new__ and __repr__ are made of the text of the names, as CPython's is.
    values = {"_new": tuple.__new__}
    parameters = ["_cls"]
    for n in names:
        parameters.append("%s=_default_%s" % (n, n) if n in defaults else n)
        if n in defaults:
            values["_default_" + n] = defaults[n]
    text = """class %s:
    def __new__(%s):
        return _new(_cls, (%s))
    def __repr__(self):
        return self.__class__.__name__ + f"(%s)"
""" % (name, ", ".join(parameters), "".join([n + ", " for n in names]), ", ".join(["%s={self[%d]!r}" % (n, i) for i, n in enumerate(names)]))
    made = {}
    exec(compile(text, "<namedtuple %s>" % name, "exec"), values, made)

    def getter(i):
        return property(lambda self: self[i])
    table = {"__new__": made[name].__dict__["__new__"], "_fields": tuple(names), "_field_defaults": defaults, "__slots__": ()}
    for i, n in enumerate(names):
        table[n] = getter(i)
    table["__repr__"] = made[name].__dict__["__repr__"]
    table["_asdict"] = lambda self: {n: self[i] for i, n in enumerate(names)}
    table["_replace"] = lambda self, **kwargs: type(self)(*[kwargs.pop(n, self[i]) for i, n in enumerate(names)], **kwargs)
    table["__getnewargs__"] = lambda self: tuple(self)
    table["_make"] = classmethod(lambda cls, iterable: cls(*iterable))
    for k, v in members.items():
        table[k] = v
    return type(name, (tuple,), table)


class _NamedTupleMeta(type):
    def __new__(mcls, name, bases, ns):
        if not bases:
            return super().__new__(mcls, name, bases, ns)
        types = ns.get("__annotations__", {})
        names = list(types)
        defaults = {}
        for n in names:
            if n in ns:
                defaults[n] = ns[n]
            elif defaults:
                raise TypeError("Non-default namedtuple field %s cannot follow default field%s %s" % (n, "s" if len(defaults) > 1 else "", ", ".join(defaults)))
        return _named_tuple(name, names, defaults, {k: v for k, v in ns.items() if k not in types and k != "__classcell__"})

    def __call__(cls, typename, fields=(), **kwargs):
        return _named_tuple(typename, [n for n, _ in fields], {}, {"__annotations__": dict(fields)})


class NamedTuple(metaclass=_NamedTupleMeta):
    """A class whose instances are tuples with names: class P(NamedTuple), with x: int in it."""


class _TypedDictMeta(type):
    def __new__(mcls, name, bases, ns, total=True):
        cls = super().__new__(mcls, name, bases, ns)
        cls.__total__ = total
        return cls

    def __call__(cls, *args, **kwargs):
        if cls is TypedDict:
            return _TypedDictMeta(args[0], (TypedDict,), {"__annotations__": dict(args[1])})
        return dict(*args, **kwargs)


class TypedDict(metaclass=_TypedDictMeta):
    """A class that says of a dict which keys it has; calling it makes a dict."""
