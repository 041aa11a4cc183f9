"""Abstract base classes: a class that has methods which derived classes must define cannot be called."""


def abstractmethod(funcobj):
    """A decorator: derived classes must define the method."""
    if isinstance(funcobj, property) or type(funcobj) in ("classmethod", "staticmethod"):
        return _Abstract(funcobj)
    funcobj.__isabstractmethod__ = True
    return funcobj


class _Abstract:
    """A property, class method or static method that derived classes must define."""
    __isabstractmethod__ = True

    def __init__(self, member):
        self.member = member

    def __get__(self, obj, cls):
        if isinstance(self.member, property):
            return self if obj is None else self.member.fget(obj)
        return self.member.__func__

    def setter(self, fset):
        """The property with a function that sets it."""
        return _Abstract(self.member.setter(fset))


def abstractproperty(fget=None, fset=None, fdel=None, doc=None):
    """A property that derived classes must define."""
    return _Abstract(property(fget, fset, fdel, doc))


def abstractclassmethod(f):
    """A class method that derived classes must define."""
    return abstractmethod(classmethod(f))


def abstractstaticmethod(f):
    """A static method that derived classes must define."""
    return abstractmethod(staticmethod(f))


def _is_abstract(member):
    if isinstance(member, property):
        return any([getattr(f, "__isabstractmethod__", False) for f in (member.fget, member.fset, member.fdel) if f is not None])
    return getattr(member, "__isabstractmethod__", False)


class ABCMeta(type):
    """The class of abstract classes. C.register(D) has isinstance and issubclass take D as derived from C."""

    def __new__(mcls, name, bases, namespace, **kwargs):
        cls = super().__new__(mcls, name, bases, namespace, **kwargs)
        names = [n for n, member in namespace.items() if n != "__classcell__" and _is_abstract(member)]
        for base in bases:
            for n in getattr(base, "__abstractmethods__", ()):
                if n not in names and _missing(cls, n):
                    names.append(n)
        cls.__abstractmethods__ = tuple(names)
        return cls


def _missing(cls, name):
    for c in cls.__mro__:
        members = c.__dict__
        if name in members:
            return _is_abstract(members[name])
    return True


class ABC(metaclass=ABCMeta):
    """A class to derive abstract classes from."""


def update_abstractmethods(cls):
    """Finds out anew which methods of a class are missing."""
    if hasattr(cls, "__abstractmethods__"):
        cls.__abstractmethods__ = tuple([n for n in cls.__abstractmethods__ if _missing(cls, n)])
    return cls


def get_cache_token():
    """A number; it does not change."""
    return 0
