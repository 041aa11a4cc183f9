"""References that keep nothing alive. An instance that nothing else refers to is gone when its memory is collected, some time later, and at gc.collect()."""
import _weakref


class ref:
    """A reference to an instance: calling it gives the instance, or None when that is gone. Then callback is called with the reference."""

    def __init__(self, ob, callback=None):
        self._handle = _weakref.make(ob)
        self._id = id(ob)
        self._hash = None
        self.__callback__ = callback
        if callback is not None:
            _weakref.watch(self._handle, lambda: callback(self))

    def __call__(self):
        return _weakref.get(self._handle)

    def __eq__(self, other):
        if not isinstance(other, ref):
            return NotImplemented
        a, b = self(), other()
        if a is None or b is None:
            return self is other
        return a == b

    def __hash__(self):
        if self._hash is None:
            ob = self()
            if ob is None:
                raise TypeError("weak object has gone away")
            self._hash = hash(ob)
        return self._hash

    def __repr__(self):
        ob = self()
        if ob is None:
            return "<weakref at %#x; dead>" % id(self)
        return "<weakref at %#x; to '%s' at %#x>" % (id(self), type(ob).__name__, self._id)


ReferenceType = ref


class WeakMethod(ref):
    """A reference to a method of an instance, which is gone with the instance."""

    def __init__(self, meth, callback=None):
        if not hasattr(meth, "__self__"):
            raise TypeError("argument should be a bound method, not %s" % type(meth))
        super().__init__(meth.__self__, callback)
        self._name = meth.__name__

    def __call__(self):
        ob = super().__call__()
        return None if ob is None else getattr(ob, self._name)


class _Proxy:
    # What acts as an instance while that exists.

    def __init__(self, ob, callback):
        object.__setattr__(self, "_ref", ref(ob, callback))

    def _of(self):
        ob = self._ref()
        if ob is None:
            raise ReferenceError("weakly-referenced object no longer exists")
        return ob

    def __getattr__(self, name):
        return getattr(self._of(), name)

    def __setattr__(self, name, value):
        setattr(self._of(), name, value)

    def __delattr__(self, name):
        delattr(self._of(), name)

    def __call__(self, *args, **kwds):
        return self._of()(*args, **kwds)

    def __getitem__(self, key):
        return self._of()[key]

    def __setitem__(self, key, value):
        self._of()[key] = value

    def __len__(self):
        return len(self._of())

    def __iter__(self):
        return iter(self._of())

    def __contains__(self, x):
        return x in self._of()

    def __bool__(self):
        return bool(self._of())

    def __eq__(self, other):
        return self._of() == other

    def __str__(self):
        return str(self._of())

    def __repr__(self):
        return repr(self._of())


def proxy(ob, callback=None):
    """What acts as the instance while that exists, and raises ReferenceError then."""
    return _Proxy(ob, callback)


class WeakValueDictionary:
    """A dict whose entries go with their values."""

    def __init__(self, other=(), **kwargs):
        self._refs = {}
        self.update(other, **kwargs)

    def __getitem__(self, key):
        ob = self._refs[key]()
        if ob is None:
            raise KeyError(key)
        return ob

    def __setitem__(self, key, value):
        self._refs[key] = ref(value)

    def __delitem__(self, key):
        del self._refs[key]

    def __contains__(self, key):
        return key in self._refs and self._refs[key]() is not None

    def __len__(self):
        return len(self._living())

    def __iter__(self):
        return iter([key for key, _ in self._living()])

    def __repr__(self):
        return "<WeakValueDictionary at %#x>" % id(self)

    def _living(self):
        found = [(key, r()) for key, r in self._refs.items()]
        living = [(key, ob) for key, ob in found if ob is not None]
        if len(living) < len(found):
            self._refs = {key: self._refs[key] for key, _ in living}
        return living

    def get(self, key, default=None):
        """The value of a key, or default."""
        return self[key] if key in self else default

    def keys(self):
        """The keys of values that exist."""
        return iter([key for key, _ in self._living()])

    def values(self):
        """The values that exist."""
        return iter([ob for _, ob in self._living()])

    def items(self):
        """Pairs of both."""
        return iter(self._living())

    def setdefault(self, key, default=None):
        """The value of a key, which is set to default if it has none."""
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key, *default):
        """Takes an entry out, and returns its value."""
        if key in self:
            ob = self[key]
            del self._refs[key]
            return ob
        if default:
            return default[0]
        raise KeyError(key)

    def update(self, other=(), **kwargs):
        """Sets the entries of a mapping or of pairs."""
        for key, value in list(other.items() if hasattr(other, "items") else other) + list(kwargs.items()):
            self[key] = value

    def clear(self):
        """Takes all entries out."""
        self._refs = {}

    def copy(self):
        """Another one of the same entries."""
        return WeakValueDictionary(self)


class WeakKeyDictionary:
    """A dict whose entries go with their keys."""

    def __init__(self, dict=None):
        self._entries = {}
        if dict is not None:
            self.update(dict)

    def __getitem__(self, key):
        return self._entries[ref(key)]

    def __setitem__(self, key, value):
        self._entries[ref(key)] = value

    def __delitem__(self, key):
        del self._entries[ref(key)]

    def __contains__(self, key):
        try:
            return ref(key) in self._entries
        except TypeError:
            return False

    def __len__(self):
        return len(self._living())

    def __iter__(self):
        return iter([key for key, _ in self._living()])

    def __repr__(self):
        return "<WeakKeyDictionary at %#x>" % id(self)

    def _living(self):
        found = [(r, r(), value) for r, value in self._entries.items()]
        living = [(r, key, value) for r, key, value in found if key is not None]
        if len(living) < len(found):
            self._entries = {r: value for r, _, value in living}
        return [(key, value) for _, key, value in living]

    def get(self, key, default=None):
        """The value of a key, or default."""
        return self._entries.get(ref(key), default)

    def keys(self):
        """The keys that exist."""
        return iter([key for key, _ in self._living()])

    def values(self):
        """Their values."""
        return iter([value for _, value in self._living()])

    def items(self):
        """Pairs of both."""
        return iter(self._living())

    def setdefault(self, key, default=None):
        """The value of a key, which is set to default if it has none."""
        return self._entries.setdefault(ref(key), default)

    def pop(self, key, *default):
        """Takes an entry out, and returns its value."""
        return self._entries.pop(ref(key), *default)

    def update(self, other):
        """Sets the entries of a mapping."""
        for key, value in other.items():
            self[key] = value

    def clear(self):
        """Takes all entries out."""
        self._entries = {}

    def copy(self):
        """Another one of the same entries."""
        return WeakKeyDictionary(self)


class WeakSet:
    """A set whose elements go when nothing else refers to them."""

    def __init__(self, data=()):
        self._refs = set()
        self.update(data)

    def __contains__(self, x):
        try:
            return ref(x) in self._refs
        except TypeError:
            return False

    def __len__(self):
        return len(self._living())

    def __iter__(self):
        return iter(self._living())

    def _living(self):
        found = [(r, r()) for r in self._refs]
        living = [(r, ob) for r, ob in found if ob is not None]
        if len(living) < len(found):
            self._refs = set([r for r, _ in living])
        return [ob for _, ob in living]

    def add(self, x):
        """Adds an instance."""
        self._refs.add(ref(x))

    def discard(self, x):
        """Takes an instance out if it is there."""
        self._refs.discard(ref(x))

    def remove(self, x):
        """Takes an instance out; a KeyError if it is not there."""
        self._refs.remove(ref(x))

    def update(self, other):
        """Adds what an iterable gives."""
        for x in other:
            self.add(x)

    def clear(self):
        """Takes all out."""
        self._refs = set()

    def copy(self):
        """Another one of the same elements."""
        return WeakSet(self)


class finalize:
    """Calls a function when an instance is gone, once; calling it does so at once. Nothing is called at the program's end."""

    def __init__(self, obj, func, *args, **kwargs):
        self._call = func, args, kwargs
        self._ref = ref(obj, lambda _: self())
        self.atexit = False

    def __call__(self, _=None):
        if self._call is not None:
            func, args, kwargs = self._call
            self._call = None
            return func(*args, **kwargs)

    @property
    def alive(self):
        """True if the function is yet to be called."""
        return self._call is not None

    def peek(self):
        """The instance, the function and its arguments, or None."""
        if self._call is not None:
            return (self._ref(),) + self._call

    def detach(self):
        """Has the function not be called; what peek returns."""
        found = self.peek()
        self._call = None
        return found


def getweakrefcount(ob):
    """0: references are not counted."""
    return 0
