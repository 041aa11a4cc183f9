"""Enumerations: classes whose members are constants with names and values."""


class auto:
    """A value that the enumeration chooses: 1, 2, 3, ..."""

    def __init__(self, value=None):
        self.value = value


class nonmember:
    """A value in an enumeration that is no member."""

    def __init__(self, value):
        self.value = value


class member:
    """A value in an enumeration that is a member, whatever it is."""

    def __init__(self, value):
        self.value = value


property = property
_data_types = (int, float, str, tuple)


def _is_member(name, value):
    if name.startswith("_") and (name.endswith("_") or name.startswith("__")):
        return False
    if isinstance(value, nonmember) or type(value) in ("function", "classmethod", "staticmethod", "property") or isinstance(value, (property, type)):
        return False
    return not hasattr(value, "__get__")


def _data_type(bases):
    for base in bases:
        for c in getattr(base, "__mro__", (base,)):
            for t in _data_types:
                if c is t or c.__name__ == t.__name__ and c.__module__ == "builtins":
                    return t
    return None


class EnumMeta(type):
    """The class of enumerations."""

    def __new__(mcls, name, bases, ns, boundary=None):
        members, plain = [], {}
        for k, v in ns.items():
            if k != "__classcell__" and _is_member(k, v) or isinstance(v, member):
                members.append((k, v.value if isinstance(v, member) else v))
            else:
                plain[k] = v.value if isinstance(v, nonmember) else v
        for base in bases:
            if getattr(base, "_member_names_", None):
                raise TypeError("<enum '%s'> cannot extend <enum '%s'>" % (name, base.__name__))
        cls = super().__new__(mcls, name, bases, plain)
        cls._member_names_, cls._member_map_, cls._values_ = [], {}, []
        data = _data_type(bases)
        enum = None
        for c in cls.__mro__[1:]:
            if type(c) is EnumMeta:
                enum = c
                break
        if enum is not None and data is not None:
            for method in ("__repr__", "__str__", "__format__"):
                if method not in plain:
                    setattr(cls, method, getattr(enum, method))
        own_new = cls.__new__ if "__new__" in plain else None
        for c in cls.__mro__[1:]:
            if own_new is None and c is not object and type(c) is EnumMeta:
                own_new = getattr(c, "_own_new_", None)
        if own_new is not None:
            cls._own_new_ = staticmethod(own_new)
        if members:
            cls._data_type_ = data
        last = []
        for k, v in members:
            first = isinstance(v, tuple) and len(v) > 0 and isinstance(v[0], auto)
            if isinstance(v, auto):
                v = v.value if v.value is not None else cls._generate_next_value_(k, 1, len(last), list(last))
            elif first:
                v = (cls._generate_next_value_(k, 1, len(last), list(last)),) + v[1:]
            _add(cls, k, v, data, own_new)
            last.append(cls._member_map_[k]._value_)
        return cls

    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None, start=1):
        if names is None:
            return _lookup(cls, value)
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        members = {}
        for i, n in enumerate(names.items() if hasattr(names, "items") else names):
            if isinstance(n, str):
                last = list(members.values())
                members[n] = cls._generate_next_value_(n, start, i, last)
            else:
                members[n[0]] = n[1]
        bases = (cls,) if type is None else (type, cls)
        return EnumMeta(value, bases, members)

    def __iter__(cls):
        return iter([cls._member_map_[n] for n in cls._member_names_])

    def __reversed__(cls):
        return iter([cls._member_map_[n] for n in reversed(cls._member_names_)])

    def __len__(cls):
        return len(cls._member_names_)

    def __getitem__(cls, name):
        return cls._member_map_[name]

    def __contains__(cls, value):
        if isinstance(value, cls):
            return True
        if not isinstance(value, Enum):
            raise TypeError("unsupported operand type(s) for 'in': '%s' and '%s'" % (type(value).__name__, "EnumType"))
        return False

    @property
    def __members__(cls):
        """A dict of the members by their names, also those that are other names of one."""
        return dict(cls._member_map_)

    def __repr__(cls):
        return "<enum '%s'>" % cls.__name__ if cls.__name__ not in ("IntFlag", "Flag") else "<flag '%s'>" % cls.__name__


EnumType = EnumMeta


def _add(cls, name, value, data, own_new):
    args = value if isinstance(value, tuple) and data is not tuple else (value,)
    if own_new is not None:
        m = own_new(cls, *args)
        if not hasattr(m, "_value_"):
            m._value_ = value
    elif data is not None:
        m = data.__new__(cls, *args)
        m._value_ = value if len(args) == 1 else data(*args)
    else:
        m = object.__new__(cls)
        m._value_ = value
    m._name_ = name
    m.__objclass__ = cls
    init = getattr(cls, "__init__", None)
    if init is not None and init is not object.__init__ and type(init) == "function":
        m.__init__(*args)
    for other in cls._values_:
        if other._value_ == m._value_ and type(other._value_) == type(m._value_):
            m = other
            break
    else:
        cls._values_.append(m)
        if not (isinstance(m, Flag) and (m._value_ == 0 or m._value_ & (m._value_ - 1))):
            cls._member_names_.append(name)
    cls._member_map_[name] = m
    setattr(cls, name, m)


def _lookup(cls, value):
    if isinstance(value, cls):
        return value
    for m in cls._values_:
        if m._value_ == value:
            return m
    found = cls._missing_(value)
    if found is None:
        raise ValueError("%s is not a valid %s" % (repr(value), cls.__qualname__))
    if not isinstance(found, cls):
        raise TypeError("error in %s._missing_: returned %s instead of None or a valid member" % (cls.__name__, repr(found)))
    return found


class Enum(metaclass=EnumMeta):
    """A class to derive enumerations from."""

    @property
    def name(self):
        """The name of the member."""
        return self._name_

    @property
    def value(self):
        """The value of the member."""
        return self._value_

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        ints = [v for v in last_values if isinstance(v, int)]
        return max(ints) + 1 if ints else start

    @classmethod
    def _missing_(cls, value):
        return None

    def __repr__(self):
        return "<%s.%s: %s>" % (type(self).__name__, self._name_, repr(self._value_))

    def __str__(self):
        return "%s.%s" % (type(self).__name__, self._name_)

    def __format__(self, spec):
        return format(str(self), spec)

    def __hash__(self):
        return hash(self._name_)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __dir__(self):
        return ["__class__", "__doc__", "__module__", "name", "value"]


class ReprEnum(Enum):
    """An enumeration whose members are written as their values are."""

    def __str__(self):
        return str(self._value_)

    def __format__(self, spec):
        return format(self._value_, spec)


class IntEnum(int, ReprEnum):
    """An enumeration whose members are ints."""


class StrEnum(str, ReprEnum):
    """An enumeration whose members are texts; auto() is the name in lower case."""

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()


class Flag(Enum):
    """An enumeration whose members can be combined by |, & and ^."""

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start if start is not None else 1
        high = 1
        while high <= max(last_values):
            high *= 2
        return high

    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            return None
        every = 0
        for m in cls._values_:
            every |= m._value_
        if value < 0:
            value = every & value
            for m in cls._values_:
                if m._value_ == value:
                    return m
        if value & ~every and not issubclass(cls, int):
            n = len(bin(max(every, value))) - 2
            raise ValueError("%s invalid value %d\n    given %s\n  allowed %s" % (
                repr(cls), value, "0b0 " + bin(value)[2:].rjust(n, "0"), "0b0 " + bin(every)[2:].rjust(n, "0")))
        m = int.__new__(cls, value) if issubclass(cls, int) else object.__new__(cls)
        m._value_ = value
        parts = [p._name_ for p in cls if p._value_ & value]
        rest = value & ~every
        if rest:
            parts.append(str(rest))
        m._name_ = "|".join(parts) if parts else None
        cls._values_.append(m)
        return m

    def __contains__(self, other):
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        return iter([m for m in type(self) if m._value_ & self._value_])

    def __len__(self):
        return len([m for m in type(self) if m._value_ & self._value_])

    def __bool__(self):
        return self._value_ != 0

    def _other(self, other):
        if isinstance(other, type(self)):
            return other._value_
        if isinstance(self, int) and isinstance(other, int):
            return other
        return None

    def __or__(self, other):
        v = self._other(other)
        return NotImplemented if v is None else type(self)(self._value_ | v)

    def __and__(self, other):
        v = self._other(other)
        return NotImplemented if v is None else type(self)(self._value_ & v)

    def __xor__(self, other):
        v = self._other(other)
        return NotImplemented if v is None else type(self)(self._value_ ^ v)

    def __invert__(self):
        return type(self)(~self._value_)

    def __repr__(self):
        if self._name_ is None:
            return "<%s: %s>" % (type(self).__name__, self._value_)
        return "<%s.%s: %s>" % (type(self).__name__, self._name_, self._value_)

    def __str__(self):
        if self._name_ is None:
            return "%s(%s)" % (type(self).__name__, self._value_)
        return "%s.%s" % (type(self).__name__, self._name_)


class IntFlag(Flag, int):
    """A Flag whose members are ints."""

    def __str__(self):
        return str(self._value_)

    def __format__(self, spec):
        return format(self._value_, spec)

    __ror__, __rand__, __rxor__ = Flag.__or__, Flag.__and__, Flag.__xor__


def unique(enumeration):
    """A class decorator: no two names are of one value."""
    twice = ["%s -> %s" % (n, m._name_) for n, m in enumeration.__members__.items() if n != m._name_]
    if twice:
        raise ValueError("duplicate values found in %s: %s" % (repr(enumeration), ", ".join(twice)))
    return enumeration


CONTINUOUS, NAMED_FLAGS, UNIQUE = "one continuous range", "named flags", "one name per value"


def verify(*checks):
    """A class decorator that checks what is to hold of an enumeration."""
    def check(enumeration):
        return unique(enumeration) if UNIQUE in checks else enumeration
    return check
