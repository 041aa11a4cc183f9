# Calls with *x and **x, and of functions that builtins call again and again.
from functools import reduce
import numpy as np

def f(a, b, c=3, *r, k=9, **kw):
    return (a, b, c, r, k, len(kw))

class C:
    def __init__(self, *a, **k):
        self.a = (a, len(k))
    def m(self, *a):
        return a
    def __call__(self, x, y):
        return (x, y)

def main():
    t, l, d = (1, 2), [4, 5, 6, 7], {"k": 1, "z": 2}
    print(f(*t), f(*l), f(0, *t), f(0, *l, k=3), f(*t, **d), f(1, 2, **d), f(1, b=2, **{"c": 5}))
    for g in [lambda: f(*[1]), lambda: f(**{"a": 1}), lambda: f(1, *t, b=3), lambda: f(*t, a=3), lambda: f(*3), lambda: f(1, *t, **{"b": 3})]:
        try:
            print(g())
        except TypeError:
            print("TypeError")
    c = C(*t, **d)
    print(c.a, c.m(*l), c(*t), c.m(5, *t), c.m(*()), C(*()).a)
    x = np.arange(3) * 2.0
    print(c.m(x, *[x + 1])[1], f(x * 1, *t)[0])
    a, *b, e = l
    print(a, b, e)
    *b, e = (1, 2, 3)
    print(b, e)
    b.append(4)
    a, *b = b
    print(a, b)
    try:
        a, b, *e = [1]
    except ValueError:
        print("ValueError")

def called():
    grown = [1, 2]
    def growing(x):
        if len(grown) < 5:
            grown.append(x + 2)
        return x * x
    print(list(map(growing, grown)), grown)
    print(list(filter(lambda x: x % 2, grown)), reduce(lambda x, y: x * 10 + y, grown), max(grown, key=lambda x: -x))
    print(sorted(grown, key=lambda x: (x % 2, -x)), sorted(grown, key=lambda x, k=2: x % k, reverse=True))
    m = [3, 1, 2, -3]
    m.sort(reverse=True)
    print(m)
    m.sort(key=abs, reverse=True)
    print(m)
    m.sort(key=lambda x: x % 3)
    print(m)
    for g in [lambda: sorted(m, key=lambda x: x / 0), lambda: list(map(lambda x, y: x, m)), lambda: reduce(lambda x: x, m)]:
        try:
            print(g())
        except (ZeroDivisionError, TypeError) as e:
            print(type(e).__name__)
    def inner(x):
        def cell():
            return x + 1
        return cell
    print([h() for h in map(inner, [1, 2])], list(map(lambda *a: a, [1, 2])))
    def deep(n):
        return n if n == 0 else list(map(deep, [n - 1]))[0]
    print(deep(20))
    def gen(x):
        yield x
    print([list(g) for g in map(gen, [1, 2])])

main()
called()
