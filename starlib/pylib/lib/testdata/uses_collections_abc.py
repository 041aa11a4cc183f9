import collections.abc as cabc
from collections.abc import Iterable, Mapping, Sequence, Callable, MutableMapping, Sized, Hashable
print(isinstance([], Iterable), isinstance({}, Mapping), isinstance((), Sequence), isinstance(len, Callable), isinstance(3, Iterable), isinstance("a", Sequence), isinstance(set(), Iterable), isinstance({}, Sized), isinstance(1, Hashable))
class A(Sequence):
    def __init__(self, *xs):
        self.xs = xs
    def __getitem__(self, i):
        return self.xs[i]
    def __len__(self):
        return len(self.xs)
a = A(1, 2, 3, 2)
print(list(a), 2 in a, a.index(3), a.count(2), list(reversed(a)), isinstance(a, Iterable))
class D(MutableMapping):
    def __init__(self):
        self.d = {}
    def __getitem__(self, k):
        return self.d[k]
    def __setitem__(self, k, v):
        self.d[k] = v
    def __delitem__(self, k):
        del self.d[k]
    def __iter__(self):
        return iter(self.d)
    def __len__(self):
        return len(self.d)
d = D()
d.update({1: 2}, )
d.setdefault(3, 4)
print(sorted(d.items()), d.get(9, "none"), 1 in d, d.pop(1), len(d), sorted(d.keys()))
try:
    cabc.Sequence()
except TypeError as e:
    print(str(e)[:42])
class It:
    def __iter__(self):
        return iter([])
print(isinstance(It(), cabc.Iterable), isinstance(It(), cabc.Callable), isinstance(lambda: 0, cabc.Callable))
