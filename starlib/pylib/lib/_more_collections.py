"""Containers whose classes are written in the language, and those of collections.abc, which stood here before Python 3.10."""
from collections.abc import Callable, Container, Hashable, ItemsView, Iterable, Iterator, KeysView, Mapping, MutableMapping
from collections.abc import MutableSequence, MutableSet, Sequence, Set, Sized, ValuesView


class ChainMap(MutableMapping):
    """Several dicts as one: the first that has a key says its value, and what is set goes to the first of all."""

    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __getitem__(self, key):
        for m in self.maps:
            if key in m:
                return m[key]
        return self.__missing__(key)

    def __missing__(self, key):
        raise KeyError(key)

    def get(self, key, default=None):
        """The value of a key, or default."""
        return self[key] if key in self else default

    def _merged(self):
        merged = {}
        for m in reversed(self.maps):
            merged.update({k: m[k] for k in m})
        return merged

    def __len__(self):
        return len(self._merged())

    def __iter__(self):
        return iter(self._merged())

    def __contains__(self, key):
        return any([key in m for m in self.maps])

    def __bool__(self):
        return any([len(m) > 0 for m in self.maps])

    def __repr__(self):
        return "ChainMap(" + ", ".join([repr(m) for m in self.maps]) + ")"

    def copy(self):
        """Another one, with a copy of the first dict."""
        return ChainMap(self.maps[0].copy(), *self.maps[1:])

    def new_child(self, m=None, **kwargs):
        """One with another dict before these."""
        m = {} if m is None else m
        m.update(kwargs)
        return ChainMap(m, *self.maps)

    @property
    def parents(self):
        """One without the first dict."""
        return ChainMap(*self.maps[1:])

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        if key not in self.maps[0]:
            raise KeyError("Key not found in the first mapping: %r" % (key,))
        del self.maps[0][key]

    def popitem(self):
        """Takes an entry out of the first dict."""
        if not self.maps[0]:
            raise KeyError("No keys found in the first mapping.")
        return self.maps[0].popitem()

    def pop(self, key, *args):
        """Takes a key out of the first dict, and returns its value."""
        if key not in self.maps[0] and not args:
            raise KeyError("Key not found in the first mapping: %r" % (key,))
        return self.maps[0].pop(key, *args)

    def clear(self):
        """Takes all out of the first dict."""
        self.maps[0].clear()


class UserDict(MutableMapping):
    """A dict to derive from, whose entries are in data: every entry passes __setitem__."""

    def __init__(self, dict=None, **kwargs):
        self.data = {}
        if dict is not None:
            self.update(dict)
        if kwargs:
            self.update(kwargs)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(self, "__missing__"):
            return self.__missing__(key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def __repr__(self):
        return repr(self.data)

    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, UserDict) else other)

    def copy(self):
        """Another one of the same class and entries."""
        other = self.__class__()
        other.data = self.data.copy()
        return other


class UserList(MutableSequence):
    """A list to derive from, whose elements are in data."""

    def __init__(self, initlist=None):
        self.data = []
        if initlist is not None:
            self.data = list(initlist.data if isinstance(initlist, UserList) else initlist)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        if isinstance(i, slice):
            return self.__class__(self.data[i])
        return self.data[i]

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, item):
        return item in self.data

    def __repr__(self):
        return repr(self.data)

    def __eq__(self, other):
        return self.data == _elements(other)

    def __lt__(self, other):
        return self.data < _elements(other)

    def __add__(self, other):
        return self.__class__(self.data + list(_elements(other)))

    def __radd__(self, other):
        return self.__class__(list(_elements(other)) + self.data)

    def __mul__(self, n):
        return self.__class__(self.data * n)

    def insert(self, i, item):
        """Puts an element before a place."""
        self.data.insert(i, item)

    def append(self, item):
        """Puts an element at the end."""
        self.data.append(item)

    def extend(self, other):
        """Puts the elements of an iterable at the end."""
        self.data.extend(_elements(other))

    def sort(self, *args, **kwds):
        """Sorts in place."""
        self.data.sort(*args, **kwds)

    def copy(self):
        """Another one of the same class and elements."""
        return self.__class__(self)


def _elements(x):
    return x.data if isinstance(x, UserList) else x
