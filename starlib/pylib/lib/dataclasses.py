"""Classes that are made of the fields which their annotations name."""
import copy as _copy


class _Missing:
    def __repr__(self):
        return "<dataclasses._MISSING_TYPE object>"


class _KwOnly:
    pass


MISSING = _Missing()
_factory = object()  # stands for what a default_factory makes
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


def _check_order(fields):
    # A parameter without a default value stands before those that have one.
    optional = False
    for f in fields:
        if f.default is not MISSING or f.default_factory is not MISSING:
            optional = True
        elif optional:
            raise TypeError("non-default argument '%s' follows default argument" % f.name)


def _init(cls, all_fields, frozen, values):
    # The text of __init__, whose defaults and factories are among the values.
    fields = [f for f in all_fields if f._field_type in ("field", "initvar")]
    plain = [f for f in fields if f.init and not f.kw_only]
    only = [f for f in fields if f.init and f.kw_only]
    _check_order(plain)
    this = "_dataclass_self" if "self" in [f.name for f in fields] else "self"

    def parameter(f):
        if f.default is not MISSING:
            values["_default_" + f.name] = f.default
            return "%s=_default_%s" % (f.name, f.name)
        if f.default_factory is not MISSING:
            return f.name + "=_factory"
        return f.name

    body = []
    for f in fields:
        if f.default_factory is not MISSING:
            values["_make_" + f.name] = f.default_factory
            value = "_make_%s()" % f.name
            if f.init:
                value += " if %s is _factory else %s" % (f.name, f.name)
        elif f.init:
            value = f.name
        elif f.default is not MISSING and "__slots__" in cls.__dict__:
            values["_default_" + f.name] = f.default
            value = "_default_" + f.name
        else:
            continue
        if f._field_type == "initvar":
            if value != f.name:
                body.append("%s = %s" % (f.name, value))
        elif frozen:
            body.append("_setattr(%s, %r, %s)" % (this, f.name, value))
        else:
            body.append("%s.%s = %s" % (this, f.name, value))
    if hasattr(cls, "__post_init__"):
        body.append("%s.__post_init__(%s)" % (this, ", ".join([f.name for f in fields if f._field_type == "initvar"])))
    parameters = [this] + [parameter(f) for f in plain] + (["*"] if only else []) + [parameter(f) for f in only]
    return _text("__init__", parameters, body or ["pass"])


def _text(name, parameters, body):
    return "    def %s(%s):\n        %s\n" % (name, ", ".join(parameters), "\n        ".join(body))


def _tuple_of(this, fields):
    return "(%s)" % "".join(["%s.%s, " % (this, f.name) for f in fields])


def _comparison(name, op, fields):
    return _text(name, ["self", "other"], ["if other.__class__ is self.__class__:", "    return %s %s %s" % (_tuple_of("self", fields), op, _tuple_of("other", fields)), "return NotImplemented"])


def _repr(fields):
    shown = ", ".join(["%s={self.%s!r}" % (f.name, f.name) for f in fields])
    return _text("__repr__", ["self"], [
        "key = id(self)",
        "if key in _shown:",
        "    return \"...\"",
        "_shown.add(key)",
        "try:",
        "    return f\"{self.__class__.__qualname__}(%s)\"" % shown,
        "finally:",
        "    _shown.discard(key)"])


def _frozen(name, parameters, verb, fields):
    names = "(%s)" % "".join(["%r, " % f.name for f in fields])
    return _text(name, parameters, [
        "if type(self) is _cls or name in %s:" % names,
        "    raise _FrozenInstanceError(\"cannot %s field '\" + name + \"'\")" % verb,
        "super(_cls, self).%s(%s)" % (name, ", ".join(parameters[1:]))])


def _signature(fields):
    # How a call is written, as inspect.signature has it.
    def parameter(f):
        text = f.name + ": "
        if isinstance(f.type, type):
            module = getattr(f.type, "__module__", "builtins")
            text += ("" if module == "builtins" else module + ".") + getattr(f.type, "__qualname__", f.type.__name__)
        else:
            text += repr(f.type)
        if f.default is not MISSING:
            text += " = " + repr(f.default)
        elif f.default_factory is not MISSING:
            text += " = <factory>"
        return text
    taken = [f for f in fields if f.init and f._field_type in ("field", "initvar")]
    only = [parameter(f) for f in taken if f.kw_only]
    return "(%s)" % ", ".join([parameter(f) for f in taken if not f.kw_only] + (["*"] if only else []) + only)


def _with_slots(cls, names):
    # The class anew, with __slots__ for the fields that no base has.
    members = dict(cls.__dict__)
    if "__slots__" in members:
        raise TypeError("%s already specifies __slots__" % cls.__name__)
    inherited = set()
    for base in cls.__mro__[1:]:
        if base is not object:
            slots = base.__dict__.get("__slots__", ())
            inherited.update((slots,) if isinstance(slots, str) else slots)
    members["__slots__"] = tuple([name for name in names if name not in inherited])
    for name in names:
        members.pop(name, None)
    make = type if cls.__class__ == "type" else cls.__class__
    return make(cls.__qualname__, cls.__bases__, members)


_shown = set()


def _define(cls, texts, values):
    # The functions of the texts become methods of the class.
    values.update({"_cls": cls, "_setattr": object.__setattr__, "_factory": _factory, "_shown": _shown, "_FrozenInstanceError": FrozenInstanceError})
    name = cls.__name__ if cls.__name__.isidentifier() else "_"
    made = {}
    exec(compile("class %s:\n%s" % (name, "".join(texts.values())), "<dataclass %s>" % name, "exec"), values, made)
    members = made[name].__dict__
    for name in texts:
        members[name].__qualname__ = cls.__qualname__ + "." + name
        setattr(cls, name, members[name])


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
    texts, values = {}, {}
    if init and "__init__" not in members:
        texts["__init__"] = _init(cls, all_fields, frozen, values)
    if repr_ and "__repr__" not in members:
        texts["__repr__"] = _repr([f for f in own if f.repr])
    compared = [f for f in own if f.compare]
    if order and not eq:
        raise ValueError("eq must be true if order is true")
    if eq and "__eq__" not in members:
        texts["__eq__"] = _comparison("__eq__", "==", compared)
    if order:
        for name, op in ("__lt__", "<"), ("__le__", "<="), ("__gt__", ">"), ("__ge__", ">="):
            if name in members:
                raise TypeError("Cannot overwrite attribute %s in class %s. Consider using functools.total_ordering" % (name, cls.__name__))
            texts[name] = _comparison(name, op, compared)
    if frozen:
        for name, text in ("__setattr__", _frozen("__setattr__", ["self", "name", "value"], "assign to", own)), ("__delattr__", _frozen("__delattr__", ["self", "name"], "delete", own)):
            if name in members:
                raise TypeError("Cannot overwrite attribute %s in class %s" % (name, cls.__name__))
            texts[name] = text
    has_hash = "__hash__" in members and not (members["__hash__"] is None and "__eq__" in members)
    if unsafe_hash and has_hash:
        raise TypeError("Cannot overwrite attribute __hash__ in class " + cls.__name__)
    if unsafe_hash or eq and frozen and not has_hash:
        hashed = [f for f in own if (f.compare if f.hash is None else f.hash)]
        texts["__hash__"] = _text("__hash__", ["self"], ["return hash(%s)" % _tuple_of("self", hashed)])
    elif eq and not has_hash:
        cls.__hash__ = None
    if texts:
        _define(cls, texts, values)
    if not cls.__dict__.get("__doc__"):
        cls.__doc__ = cls.__name__ + _signature(all_fields)
    if match_args:
        cls.__match_args__ = tuple([f.name for f in all_fields if f.init and not f.kw_only and f._field_type != "classvar"])
    return cls


def dataclass(cls=None, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False, match_args=True, kw_only=False, slots=False, weakref_slot=False):
    """A class decorator: the class gets __init__, __repr__, comparisons and more, of the fields that its annotations name."""
    def decorate(cls):
        cls = _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only)
        if slots:
            cls = _with_slots(cls, [f.name for f in fields(cls)])
        return cls
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
