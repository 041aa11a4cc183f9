# A key by position in one place, and a keyword or a star first in another: each call is known by its own place.
def position(d, k):
    return d.get(k)
class L:
    def get(self, name): return ("get", name)
    def setdefault(self, name): return ("setdefault", name)
    def pop(self, name): return ("pop", name)
    def discard(self, name): return ("discard", name)
    def remove(self, name): return ("remove", name)
    def insert(self, name): return ("insert", name)
    def index(self, name): return ("index", name)
def keyword():
    return L().get(name="x"), L().setdefault(name=1), L().pop(name=2), L().discard(name=3), L().remove(name=4), L().insert(name=5), L().index(name=6)
def starred(a, k):
    return L().get(*a), L().get(**k), L().setdefault(*a), L().pop(**k), L().discard(*a), L().remove(**k), L().insert(*a), L().index(**k)
print(position({1: 2}, 1), position({}, 3), keyword(), starred([7], {"name": 8}))
xs = [3, 1, 2]
print(xs.index(1), xs.pop(0), xs.insert(0, 5), xs.remove(1), xs, {1: 2}.setdefault(*[1, 3]), [1, 2].pop(*[0]))
print(next(x for x in [3]), [next(y for y in [x]) for x in [1]])
