"""Abstract classes of containers: isinstance(x, Iterable) says what a value can do. Derived classes get the methods that follow from their own."""
from abc import ABCMeta, abstractmethod


class Hashable(metaclass=ABCMeta):
    """What hash(x) takes."""
    _structure_ = ("__hash__",)


class Iterable(metaclass=ABCMeta):
    """What a loop goes through."""
    _structure_ = ("__iter__",)

    @abstractmethod
    def __iter__(self):
        pass


class Iterator(Iterable):
    """What next(x) takes."""
    _structure_ = ("__iter__", "__next__")

    @abstractmethod
    def __next__(self):
        pass

    def __iter__(self):
        return self


class Generator(Iterator):
    """What a generator function returns."""


class Reversible(Iterable):
    """What reversed(x) takes."""
    _structure_ = ("__iter__", "__reversed__")


class Sized(metaclass=ABCMeta):
    """What len(x) takes."""
    _structure_ = ("__len__",)

    @abstractmethod
    def __len__(self):
        pass


class Container(metaclass=ABCMeta):
    """What x in y takes as y."""
    _structure_ = ("__contains__",)

    @abstractmethod
    def __contains__(self, x):
        pass


class Callable(metaclass=ABCMeta):
    """What can be called."""
    _structure_ = ("__call__",)

    @abstractmethod
    def __call__(self, *args, **kwds):
        pass


class Collection(Sized, Iterable, Container):
    """What has a length, a loop and in."""
    _structure_ = ("__len__", "__iter__", "__contains__")


class Sequence(Reversible, Collection):
    """A collection whose elements have places: __getitem__ and __len__ say all of it."""

    @abstractmethod
    def __getitem__(self, index):
        pass

    def __iter__(self):
        i = 0
        while True:
            try:
                x = self[i]
            except IndexError:
                return
            yield x
            i += 1

    def __contains__(self, value):
        for x in self:
            if x is value or x == value:
                return True
        return False

    def __reversed__(self):
        for i in reversed(range(len(self))):
            yield self[i]

    def index(self, value, start=0, stop=None):
        """Where a value is first."""
        for i in range(start, len(self) if stop is None else stop):
            x = self[i]
            if x is value or x == value:
                return i
        raise ValueError(value)

    def count(self, value):
        """How often a value is there."""
        return len([x for x in self if x is value or x == value])


class MutableSequence(Sequence):
    """A sequence that changes: __setitem__, __delitem__ and insert are needed too."""

    @abstractmethod
    def __setitem__(self, index, value):
        pass

    @abstractmethod
    def __delitem__(self, index):
        pass

    @abstractmethod
    def insert(self, index, value):
        """Inserts a value before an index."""

    def append(self, value):
        """Adds a value at the end."""
        self.insert(len(self), value)

    def clear(self):
        """Removes all."""
        while len(self):
            self.pop()

    def reverse(self):
        """Turns the order round."""
        values = list(self)
        for i, x in enumerate(reversed(values)):
            self[i] = x

    def extend(self, values):
        """Adds values at the end."""
        for x in list(values):
            self.append(x)

    def pop(self, index=-1):
        """Removes an element, and returns it."""
        x = self[index]
        del self[index]
        return x

    def remove(self, value):
        """Removes the first that equals a value."""
        del self[self.index(value)]

    def __iadd__(self, values):
        self.extend(values)
        return self


class Set(Collection):
    """A set: __contains__, __iter__ and __len__ say all of it."""

    def __le__(self, other):
        return len(self) <= len(other) and all([x in other for x in self])

    def __lt__(self, other):
        return len(self) < len(other) and self <= other

    def __ge__(self, other):
        return len(self) >= len(other) and all([x in self for x in other])

    def __gt__(self, other):
        return len(self) > len(other) and self >= other

    def __eq__(self, other):
        return len(self) == len(other) and self <= other

    @classmethod
    def _from_iterable(cls, it):
        return cls(it)

    def __and__(self, other):
        return self._from_iterable([x for x in other if x in self])

    def __or__(self, other):
        return self._from_iterable([x for xs in (self, other) for x in xs])

    def __sub__(self, other):
        return self._from_iterable([x for x in self if x not in other])

    def __xor__(self, other):
        return (self - other) | self._from_iterable([x for x in other if x not in self])

    def isdisjoint(self, other):
        """Whether nothing is in both."""
        return not any([x in self for x in other])


class MutableSet(Set):
    """A set that changes: add and discard are needed too."""

    @abstractmethod
    def add(self, value):
        """Adds a value."""

    @abstractmethod
    def discard(self, value):
        """Removes a value, if it is there."""

    def remove(self, value):
        """Removes a value."""
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self):
        """Removes a value, and returns it."""
        for x in self:
            self.discard(x)
            return x
        raise KeyError("pop from an empty set")

    def clear(self):
        """Removes all."""
        for x in list(self):
            self.discard(x)


class Mapping(Collection):
    """A mapping: __getitem__, __iter__ and __len__ say all of it."""

    @abstractmethod
    def __getitem__(self, key):
        pass

    def get(self, key, default=None):
        """The value of a key, or the default."""
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        """The keys."""
        return list(self)

    def items(self):
        """The pairs of keys and values."""
        return [(k, self[k]) for k in self]

    def values(self):
        """The values."""
        return [self[k] for k in self]

    def __eq__(self, other):
        return dict(self.items()) == dict(other.items())


class MutableMapping(Mapping):
    """A mapping that changes: __setitem__ and __delitem__ are needed too."""

    @abstractmethod
    def __setitem__(self, key, value):
        pass

    @abstractmethod
    def __delitem__(self, key):
        pass

    def pop(self, key, *default):
        """Removes a key, and returns its value."""
        try:
            value = self[key]
        except KeyError:
            if not default:
                raise
            return default[0]
        del self[key]
        return value

    def popitem(self):
        """Removes a pair, and returns it."""
        for k in self:
            v = self[k]
            del self[k]
            return k, v
        raise KeyError("popitem(): mapping is empty")

    def clear(self):
        """Removes all."""
        for k in list(self):
            del self[k]

    def update(self, other=(), **kwds):
        """Adds pairs."""
        for k, v in (other.items() if hasattr(other, "items") else other):
            self[k] = v
        for k, v in kwds.items():
            self[k] = v

    def setdefault(self, key, default=None):
        """The value of a key, which is the default if there was none."""
        if key not in self:
            self[key] = default
        return self[key]


class MappingView(Sized):
    """What d.keys() and its like are."""


class KeysView(MappingView):
    """What d.keys() is."""


class ValuesView(MappingView):
    """What d.values() is."""


class ItemsView(MappingView):
    """What d.items() is."""


class ByteString(Sequence):
    """Bytes."""


for _t in (list, tuple, str, range, bytes):
    Sequence.register(_t)
MutableSequence.register(list)
ByteString.register(bytes)
Mapping.register(dict)
MutableMapping.register(dict)
MutableSet.register(set)
Callable.register("function")
Callable.register("builtin_function_or_method")
Callable.register("method")
Callable.register("type")
Generator.register("generator")
Iterator.register("enumerate")
Iterator.register("zip")
Iterator.register("map")
Iterator.register("filter")
for _t in (int, float, str, tuple, bytes, "function", "NoneType", bool):
    Hashable.register(_t)
