"""Classes that are made of the fields which their annotations name."""
import copy as _copy


class _Missing:
    def __repr__(self):
        return "<dataclasses._MISSING_TYPE object>"


class _KwOnly:
    pass


MISSING = _Missing()
KW_ONLY = _KwOnly()


class FrozenInstanceError(AttributeError):
    """A field of a frozen dataclass is not assigned to."""


class InitVar:
    """The annotation of what __init__ and __post_init__ get, and no field is."""

    def __init__(self, type):
        self.type = type

    def __class_getitem__(cls, type):
        return InitVar(type)


class Field:
    """A field: its name, type and default, and what it takes part in."""

    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = self.type = None
        self.default, self.default_factory, self.init, self.repr = default, default_factory, init, repr
        self.hash, self.compare, self.metadata, self.kw_only = hash, compare, {} if metadata is None else metadata, kw_only
        self._field_type = "field"

    def __repr__(self):
        return "Field(name=%s,type=%s,default=%s,default_factory=%s,init=%s,repr=%s,hash=%s,compare=%s,metadata=%s,kw_only=%s)" % (
            repr(self.name), repr(self.type), repr(self.default), repr(self.default_factory), self.init, self.repr, self.hash, self.compare, repr(self.metadata), self.kw_only)


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True, metadata=None, kw_only=MISSING):
    """Says of a field more than a default: what makes it, and whether it is in __init__, repr and comparisons."""
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


def _kind(typ):
    if isinstance(typ, str):
        text = typ.replace("typing.", "").replace("dataclasses.", "")
        return "classvar" if text.startswith("ClassVar") else "initvar" if text.startswith("InitVar") else "field"
    if isinstance(typ, InitVar) or typ is InitVar:
        return "initvar"
    text = repr(typ) if not isinstance(typ, type) else ""
    return "classvar" if text.startswith("typing.ClassVar") else "field"


def _collect(cls, kw_only):
    fields = {}
    for base in reversed(cls.__mro__[1:]):
        for f in base.__dict__.get("__dataclass_fields__", {}).values():
            fields[f.name] = f
    only = kw_only
    for name, typ in cls.__dict__.get("__annotations__", {}).items():
        if typ is KW_ONLY or isinstance(typ, str) and typ.endswith("KW_ONLY"):
            only = True
            continue
        default = cls.__dict__.get(name, MISSING)
        f = default if isinstance(default, Field) else field(default=default)
        f.name, f.type, f._field_type = name, typ, _kind(typ)
        if f.kw_only is MISSING:
            f.kw_only = only
        if isinstance(default, Field):
            if f.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, f.default)
        if f._field_type == "field" and isinstance(f.default, (list, dict, set)):
            raise ValueError("mutable default <class '%s'> for field %s is not allowed: use default_factory" % (type(f.default).__name__, name))
        fields[name] = f
    return fields


def _words(names):
    names = ["'%s'" % n for n in names]
    if len(names) == 1:
        return names[0]
    return ", ".join(names[:-1]) + (", and " if len(names) > 2 else " and ") + names[-1]


def _init(cls, all_fields, frozen):
    fields = [f for f in all_fields if f._field_type in ("field", "initvar")]
    plain = [f for f in fields if f.init and not f.kw_only]
    optional = None
    for f in plain:
        if f.default is not MISSING or f.default_factory is not MISSING:
            optional = f
        elif optional is not None:
            raise TypeError("non-default argument '%s' follows default argument" % f.name)
    names = [f.name for f in plain]
    required = [f.name for f in plain if f.default is MISSING and f.default_factory is MISSING]
    only = [f.name for f in fields if f.init and f.kw_only and f.default is MISSING and f.default_factory is MISSING]
    accepted = {f.name: True for f in fields if f.init}
    init_vars = [f.name for f in fields if f._field_type == "initvar"]
    stored = [(f, f.name, f.default, f.default_factory, f.init) for f in fields if f._field_type == "field"]
    post = hasattr(cls, "__post_init__")
    title = cls.__name__ + ".__init__()"

    def wrong(args, kwargs):
        n = len(args)
        if n > len(names):
            most = len(names) + 1
            if len(required) < len(names):
                raise TypeError("%s takes from %d to %d positional arguments but %d were given" % (title, len(required) + 1, most, n + 1))
            raise TypeError("%s takes %d positional argument%s but %d were given" % (title, most, "" if most == 1 else "s", n + 1))
        for k in kwargs:
            if k not in accepted:
                raise TypeError("%s got an unexpected keyword argument '%s'" % (title, k))
            if k in names[:n]:
                raise TypeError("%s got multiple values for argument '%s'" % (title, k))
        missing = [name for name in required if name not in names[:n] and name not in kwargs]
        if missing:
            raise TypeError("%s missing %d required positional argument%s: %s" % (title, len(missing), "" if len(missing) == 1 else "s", _words(missing)))
        missing = [name for name in only if name not in kwargs]
        if missing:
            raise TypeError("%s missing %d required keyword-only argument%s: %s" % (title, len(missing), "" if len(missing) == 1 else "s", _words(missing)))

    def __init__(self, *args, **kwargs):
        wrong(args, kwargs)
        values = dict(zip(names, args))
        values.update(kwargs)
        for f, name, default, factory, init in stored:
            if init and name in values:
                value = values[name]
            elif factory is not MISSING:
                value = factory()
            elif default is not MISSING:
                value = default
            else:
                continue
            if frozen:
                object.__setattr__(self, name, value)
            else:
                setattr(self, name, value)
        if post:
            defaults = {f.name: f.default for f in fields if f._field_type == "initvar"}
            self.__post_init__(*[values[n] if n in values else defaults[n] for n in init_vars])
    return __init__


def _frozen(cls, names):
    def __setattr__(self, name, value):
        if type(self) is cls or name in names:
            raise FrozenInstanceError("cannot assign to field '%s'" % name)
        object.__setattr__(self, name, value)

    def __delattr__(self, name):
        if type(self) is cls or name in names:
            raise FrozenInstanceError("cannot delete field '%s'" % name)
        object.__delattr__(self, name)
    return __setattr__, __delattr__


def _comparison(cls, name, get, compare):
    def method(self, other):
        if type(other) is type(self):
            return compare(get(self), get(other))
        return NotImplemented
    if name in cls.__dict__:
        raise TypeError("Cannot overwrite attribute %s in class %s. Consider using functools.total_ordering" % (name, cls.__name__))
    setattr(cls, name, method)


def _process(cls, init, repr_, eq, order, unsafe_hash, frozen, match_args, kw_only):
    for base in cls.__mro__[1:]:
        params = base.__dict__.get("__dataclass_params__")
        if params is not None and params["frozen"] != frozen:
            raise TypeError("cannot inherit %s dataclass from a %s one" % (("non-frozen", "frozen") if params["frozen"] else ("frozen", "non-frozen")))
    table = _collect(cls, kw_only)
    cls.__dataclass_fields__ = table
    cls.__dataclass_params__ = {"init": init, "repr": repr_, "eq": eq, "order": order, "unsafe_hash": unsafe_hash, "frozen": frozen}
    all_fields = list(table.values())
    own = [f for f in all_fields if f._field_type == "field"]
    members = cls.__dict__
    if init:
        cls.__init__ = _init(cls, all_fields, frozen)
    if repr_ and "__repr__" not in members:
        shown = [f.name for f in own if f.repr]

        def __repr__(self):
            return type(self).__qualname__ + "(%s)" % ", ".join(["%s=%s" % (n, repr(getattr(self, n))) for n in shown])
        cls.__repr__ = __repr__
    compared = [f.name for f in own if f.compare]

    def values(self):
        return tuple([getattr(self, n) for n in compared])
    if eq and "__eq__" not in members:
        def __eq__(self, other):
            if type(other) is type(self):
                return values(self) == values(other)
            return NotImplemented
        cls.__eq__ = __eq__
    if order:
        if not eq:
            raise ValueError("eq must be true if order is true")
        _comparison(cls, "__lt__", values, lambda a, b: a < b)
        _comparison(cls, "__le__", values, lambda a, b: a <= b)
        _comparison(cls, "__gt__", values, lambda a, b: a > b)
        _comparison(cls, "__ge__", values, lambda a, b: a >= b)
    if frozen:
        cls.__setattr__, cls.__delattr__ = _frozen(cls, [f.name for f in own])
    hashed = [f.name for f in own if (f.compare if f.hash is None else f.hash)]
    if unsafe_hash or eq and frozen and "__hash__" not in members:
        cls.__hash__ = lambda self: hash(tuple([getattr(self, n) for n in hashed]))
    elif eq and "__hash__" not in members:
        cls.__hash__ = None
    if match_args:
        cls.__match_args__ = tuple([f.name for f in all_fields if f.init and not f.kw_only and f._field_type != "classvar"])
    return cls


def dataclass(cls=None, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False, match_args=True, kw_only=False, slots=False, weakref_slot=False):
    """A class decorator: the class gets __init__, __repr__, comparisons and more, of the fields that its annotations name."""
    def decorate(cls):
        return _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only)
    return decorate if cls is None else decorate(cls)


def fields(class_or_instance):
    """The fields of a dataclass or of an instance of one."""
    table = getattr(class_or_instance, "__dataclass_fields__", None)
    if table is None:
        raise TypeError("must be called with a dataclass type or instance")
    return tuple([f for f in table.values() if f._field_type == "field"])


def is_dataclass(obj):
    """Whether a class, or that of a value, is a dataclass."""
    return hasattr(obj, "__dataclass_fields__")


def _is_instance(obj):
    return not isinstance(obj, type) and hasattr(obj, "__dataclass_fields__")


def asdict(obj, *, dict_factory=dict):
    """A dict of the fields of an instance, and of those in it."""
    if not _is_instance(obj):
        raise TypeError("asdict() should be called on dataclass instances")
    return _asdict(obj, dict_factory)


def _asdict(obj, dict_factory):
    if _is_instance(obj):
        return dict_factory([(f.name, _asdict(getattr(obj, f.name), dict_factory)) for f in fields(obj)])
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*[_asdict(v, dict_factory) for v in obj])
    if isinstance(obj, list):
        return [_asdict(v, dict_factory) for v in obj]
    if isinstance(obj, tuple):
        return tuple([_asdict(v, dict_factory) for v in obj])
    if isinstance(obj, dict):
        return {_asdict(k, dict_factory): _asdict(v, dict_factory) for k, v in obj.items()}
    return _copy.deepcopy(obj)


def astuple(obj, *, tuple_factory=tuple):
    """A tuple of the fields of an instance, and of those in it."""
    if not _is_instance(obj):
        raise TypeError("astuple() should be called on dataclass instances")
    return _astuple(obj, tuple_factory)


def _astuple(obj, tuple_factory):
    if _is_instance(obj):
        return tuple_factory([_astuple(getattr(obj, f.name), tuple_factory) for f in fields(obj)])
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*[_astuple(v, tuple_factory) for v in obj])
    if isinstance(obj, list):
        return [_astuple(v, tuple_factory) for v in obj]
    if isinstance(obj, tuple):
        return tuple([_astuple(v, tuple_factory) for v in obj])
    if isinstance(obj, dict):
        return {_astuple(k, tuple_factory): _astuple(v, tuple_factory) for k, v in obj.items()}
    return _copy.deepcopy(obj)


def replace(obj, **changes):
    """Another instance with some fields changed."""
    if not _is_instance(obj):
        raise TypeError("replace() should be called on dataclass instances")
    for f in obj.__dataclass_fields__.values():
        if f._field_type == "classvar":
            continue
        if not f.init:
            if f.name in changes:
                raise ValueError("field %s is declared with init=False, it cannot be specified with replace()" % f.name)
            continue
        if f.name not in changes:
            if f._field_type == "initvar" and f.default is MISSING:
                raise ValueError("InitVar '%s' must be specified with replace()" % f.name)
            changes[f.name] = getattr(obj, f.name)
    return type(obj)(**changes)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, **kwargs):
    """A dataclass of a name and of fields: names, or tuples of a name, a type and a default."""
    members = dict(namespace or {})
    types = {}
    for item in fields:
        if isinstance(item, str):
            types[item] = "typing.Any"
        else:
            types[item[0]] = item[1]
            if len(item) == 3:
                members[item[0]] = item[2]
    members["__annotations__"] = types
    return dataclass(type(cls_name, tuple(bases), members), **kwargs)
