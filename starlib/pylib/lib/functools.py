"""Functions of functions."""
from _functools import partial, reduce, cmp_to_key
from _functools import remember as _remember, wraps as _wraps
from collections import namedtuple as _namedtuple

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__")
WRAPPER_UPDATES = ("__dict__",)
_CacheInfo = _namedtuple("CacheInfo", ["hits", "misses", "maxsize", "currsize"])
_missing = object()


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    """A decorator that gives a function the name, the documentation and the attributes of the one that it wraps."""
    def decorate(wrapper):
        return update_wrapper(wrapper, wrapped, assigned, updated)
    return decorate


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    """Gives wrapper the name, the documentation and the attributes of wrapped, and returns it."""
    if type(wrapper) == "function":
        return _wraps(wrapped)(wrapper)
    if not hasattr(wrapper, "__dict__"):
        return wrapper
    for name in assigned:
        if hasattr(wrapped, name):
            setattr(wrapper, name, getattr(wrapped, name))
    for name in updated:
        for k, v in getattr(wrapped, name, {}).items():
            setattr(wrapper, k, v)
    wrapper.__wrapped__ = wrapped
    return wrapper


def _key_of(args, kwargs, typed):
    key = args
    if kwargs:
        key = (args, tuple(kwargs.items()))
    if typed:
        key = (key, tuple([str(type(a)) for a in args]), tuple([str(type(a)) for a in kwargs.values()]))
    return key


def lru_cache(maxsize=128, typed=False):
    """A decorator: the function keeps the results of its last maxsize calls, all if it is None, by their arguments."""
    if callable(maxsize):
        return lru_cache(128, typed)(maxsize)
    if maxsize is not None and maxsize < 0:
        maxsize = 0

    def decorate(f):
        kept = {}
        counts = [0, 0]

        def wrapper(*args, **kwargs):
            if not kwargs and not typed:
                key = args
                if len(args) == 1 and (type(args[0]) == int or type(args[0]) == str):
                    key = args[0]
            else:
                key = _key_of(args, kwargs, typed)
            found = kept.get(key, _missing)
            if found is not _missing:
                counts[0] += 1
                if maxsize is not None:
                    del kept[key]
                    kept[key] = found
                return found
            counts[1] += 1
            result = f(*args, **kwargs)
            if maxsize is None:
                kept[key] = result
            elif maxsize > 0:
                if len(kept) >= maxsize:
                    del kept[next(iter(kept))]
                kept[key] = result
            return result

        def cache_info():
            """How often a result was kept, and how often not; how many are."""
            return _CacheInfo(counts[0], counts[1], maxsize, len(kept))

        def cache_clear():
            """Forgets all results."""
            kept.clear()
            counts[0] = counts[1] = 0

        def cache_parameters():
            """What lru_cache was called with."""
            return {"maxsize": maxsize, "typed": typed}
        update_wrapper(wrapper, f)
        if not typed:
            _remember(wrapper, kept, counts, maxsize is not None)
        wrapper.cache_info = cache_info
        wrapper.cache_clear = cache_clear
        wrapper.cache_parameters = cache_parameters
        return wrapper
    return decorate


def cache(user_function):
    """A decorator: the function keeps all its results, by its arguments."""
    return lru_cache(None)(user_function)


class cached_property:
    """A decorator: an attribute that a method computes once."""

    def __init__(self, func):
        self.func = func
        self.attrname = None
        self.__doc__ = func.__doc__

    def __set_name__(self, owner, name):
        if self.attrname is None:
            self.attrname = name
        elif name != self.attrname:
            raise TypeError("Cannot assign the same cached_property to two different names (%r and %r)." % (self.attrname, name))

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        if self.attrname is None:
            raise TypeError("Cannot use cached_property instance without calling __set_name__ on it.")
        value = self.func(instance)
        try:
            object.__setattr__(instance, self.attrname, value)
        except AttributeError:
            raise TypeError("No '__dict__' attribute on %r instance to cache %r property." % (type(instance).__name__, self.attrname)) from None
        return value




def _has(cls, name):
    for c in cls.__mro__:
        if c is not object and name in c.__dict__:
            return True
    return False


def _ordered(root, name):
    # The other comparisons, of the one that the class has.
    if root == "__lt__":
        table = {"__gt__": lambda a, b: not (a < b or a == b), "__le__": lambda a, b: a < b or a == b, "__ge__": lambda a, b: not a < b}
    elif root == "__le__":
        table = {"__ge__": lambda a, b: not a <= b or a == b, "__lt__": lambda a, b: a <= b and not a == b, "__gt__": lambda a, b: not a <= b}
    elif root == "__gt__":
        table = {"__lt__": lambda a, b: not (a > b or a == b), "__ge__": lambda a, b: a > b or a == b, "__le__": lambda a, b: not a > b}
    else:
        table = {"__le__": lambda a, b: not a >= b or a == b, "__gt__": lambda a, b: a >= b and not a == b, "__lt__": lambda a, b: not a >= b}
    rule = table[name]
    ask = root

    def method(self, other):
        first = getattr(type(self), ask)(self, other)
        if first is NotImplemented:
            return first
        return rule(self, other)
    method.__name__ = name
    return method


def total_ordering(cls):
    """A class decorator: of __eq__ and one of <, <=, > and >= the class gets the other three."""
    roots = [name for name in ("__lt__", "__le__", "__gt__", "__ge__") if _has(cls, name)]
    if not roots:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    root = roots[0]
    for name in ("__lt__", "__gt__", "__le__", "__ge__"):
        if name not in roots:
            setattr(cls, name, _ordered(root, name))
    return cls


def _rank(cls, value):
    # How near a class is to a value: the place in the order of the value's class.
    of = type(value)
    mro = getattr(of, "__mro__", None)
    if mro is not None:
        for i, c in enumerate(mro):
            if c is cls:
                return i
    if cls is object:
        return 1000000
    if mro is None and type(value) == cls:
        return 0
    return 1000


def singledispatch(func):
    """A function that is another one for each type of its first argument: f.register(type) is a decorator for them."""
    registry = {}
    order = [(object, func)]

    def dispatch_value(value):
        best, rank = func, 1000001
        for cls, f in order:
            if cls is object or isinstance(value, cls):
                r = _rank(cls, value)
                if isinstance(value, bool) and cls is int:
                    r = 1
                if r < rank:
                    best, rank = f, r
        return best

    def register(cls, func=None):
        """A decorator: the function for values of a type."""
        if func is None:
            if type(cls) == "function":
                raise TypeError("Invalid first argument to `register()`: annotations of functions are not kept; write register(type)")
            return lambda f: register(cls, f)
        for i, (c, _) in enumerate(order):
            if c is cls:
                order[i] = (cls, func)
                return func
        order.append((cls, func))
        return func

    def dispatch(cls):
        """The function for values of a type."""
        for c in getattr(cls, "__mro__", (cls,)):
            for k, f in order:
                if k is c:
                    return f
        return func

    def wrapper(*args, **kwargs):
        if not args:
            raise TypeError(func.__name__ + " requires at least 1 positional argument")
        return dispatch_value(args[0])(*args, **kwargs)
    update_wrapper(wrapper, func)
    wrapper.register = register
    wrapper.dispatch = dispatch
    return wrapper


class partialmethod:
    """A method with some of its arguments given."""

    def __init__(self, func, *args, **keywords):
        self.func, self.args, self.keywords = func, args, keywords

    def __get__(self, obj, cls=None):
        if obj is None:
            return self
        return partial(self.func, obj, *self.args, **self.keywords)


def singledispatchmethod(func):
    """A method that is another one for each type of its first argument."""
    order = [(object, func)]

    def method(self, *args, **kwargs):
        best, rank = func, 1000001
        for cls, f in order:
            if isinstance(args[0], cls):
                r = _rank(cls, args[0])
                if r < rank:
                    best, rank = f, r
        return best(self, *args, **kwargs)

    def register(cls, func=None):
        if func is None:
            return lambda f: register(cls, f)
        order.append((cls, func))
        return func
    update_wrapper(method, func)
    method.register = register
    return method
