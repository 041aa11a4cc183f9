import functools
from functools import partial, reduce, wraps, lru_cache, cache, total_ordering, cmp_to_key, singledispatch, cached_property
print(partial(pow, 2)(5), partial(int, base=2)("101"), reduce(lambda a, b: a * b, [1, 2, 3, 4]), reduce(lambda a, b: a + b, [], 7))
@lru_cache(maxsize=None)
def fib(n):
    "numbers of Fibonacci"
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(90), fib.cache_info().hits, fib.cache_info().misses, fib.cache_info().maxsize, fib.__name__, fib.__doc__)
@lru_cache(2)
def square(x):
    print("computes", x)
    return x * x
print(square(2), square(3), square(2), square(4), square(2), square(3))
print(square.cache_info().currsize)
square.cache_clear()
print(square.cache_info().hits, square.cache_info().currsize)
@lru_cache
def three(a, b=1, *, c=2):
    return (a, b, c)
print(three(1), three(1, b=2), three(1, c=5), three.cache_info().misses)
@cache
def once():
    print("once")
once(), once()
def deco(f):
    @wraps(f)
    def inner(*a):
        "inner"
        return f(*a) + 1
    return inner
@deco
def g(x):
    "the doc of g"
    return x
print(g(1), g.__name__, g.__doc__, g.__wrapped__(1))
@total_ordering
class V:
    def __init__(self, x):
        self.x = x
    def __eq__(self, other):
        return self.x == other.x
    def __lt__(self, other):
        return self.x < other.x
print(V(1) < V(2), V(1) <= V(1), V(2) > V(1), V(2) >= V(3), V(1) >= V(1), sorted([V(3), V(1)])[0].x, max(V(3), V(5)).x)
@total_ordering
class W:
    def __init__(self, x):
        self.x = x
    def __eq__(self, other):
        return self.x == other.x
    def __ge__(self, other):
        return self.x >= other.x
print(W(1) < W(2), W(1) <= W(1), W(2) > W(1), W(2) >= W(3))
try:
    total_ordering(type("E", (), {}))
except ValueError as e:
    print(e)
print(sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)))
@singledispatch
def show(x):
    return "any"
@show.register(int)
def _(x):
    return "int"
@show.register(list)
def _(x):
    return "list of %d" % len(x)
class Base:
    pass
class Derived(Base):
    pass
show.register(Base, lambda x: "base")
print(show(1), show([1, 2]), show("x"), show(Base()), show(Derived()), show(2.0))
class C:
    @cached_property
    def x(self):
        print("computing")
        return 5
    def power(self, a, b):
        return a ** b
    square = functools.partialmethod(power, b=2)
c = C()
print(c.x, c.x, c.__dict__["x"], c.square(7))
@lru_cache(maxsize=3)
def least(*xs):
    print("computes", *xs)
    return min(xs)
for args in (1, 2), (1,), (2, 1), (1, 2), (3,), (1,), (1, 2), (True,), (1.0, 2), ("a", "b", "c"), (1, 2, 3, 4), (1,), ():
    try:
        print(least(*args), least.cache_info())
    except ValueError:
        print("ValueError")
print(least(1), least(1), least(3), least(1), least.cache_info())
@lru_cache(maxsize=None)
def kept(x): return [x]
print(kept(1) is kept(1), kept(1) is kept(True), kept(x=1) is kept(1), kept(-0.0) is kept(0.0), kept("1") is kept(1), kept.cache_info())
for bad in [1], {}, {1: 2}:
    try: kept(bad)
    except TypeError: print("unhashable")
class Key:
    def __init__(self, n): self.n = n
    def __hash__(self): return 1
    def __eq__(self, other):
        print("asks", self.n)
        return isinstance(other, Key) and self.n == other.n
one = Key(1)
print(kept(one) is kept(one), kept(Key(2)) is kept(one), kept(1) is kept(1), kept.cache_info().hits)
kept.cache_clear()
print(kept(1), kept.cache_info())
class Shape:
    def __init__(self, n): self.n = n
    @lru_cache
    def area(self, by): return self.n * by
    @cached_property
    def doubled(self):
        print("doubles", self.n)
        return 2 * self.n
    @staticmethod
    @cache
    def of(n): return [n]
s, t = Shape(2), Shape(3)
print(s.area(1), s.area(1), t.area(1), s.area(by=1), Shape.area(s, 1), Shape.area.cache_info(), Shape.of(1) is s.of(1))
print(s.doubled, s.doubled, t.doubled, *vars(s))
s.n = 5
del s.doubled
print(s.doubled, s.n, *vars(s))
def four(a, b=2, *c, **d): return a, b, c, *d.values()
first, second = partial(four, 1), partial(four, 1, b=3)
print(first(), first(5), first(5, 6, k=1), first(b=7), second(), second(b=8), partial(first, 9)(10, z=1), partial(partial(four))(3))
for wrong in (lambda: partial(lambda x: x, 1)(2), lambda: partial(lambda x: x)(y=2)):
    try: wrong()
    except TypeError: print("TypeError")
def steps(a, b):
    yield a
    yield b
print(list(partial(steps, 1)(2)))
