def f(*args, **kw):
    return args, sorted(kw.items())
xs, d = [1, 2], {"a": 1}
print(f(*xs, k=3), f(*xs, 5), f(0, *xs, 5, *"ab"), f(*xs, *xs), f(1, *xs, k=2, *(7,)))
print(f(**d, b=2), f(**d, **{"c": 3}), f(*xs, 4, **d, b=5, **{"e": 6}), f(z=1, **d, y=2))
print(f(*(i for i in range(3)), 9), f(*[], 1), max(*xs, 3))
for call in (lambda: f(**d, **d), lambda: f(**d, **{1: 2}), lambda: f(*xs, *5), lambda: f(**d, **3), lambda: f(*xs, 1, **d, a=1)):
    try:
        print(call())
    except TypeError as e:
        print("TypeError")
a, (b, *c) = 1, [2, 3, 4]
print(a, b, c)
(a, (b, (*c, x))), *y = (1, (2, "345")), 6, 7
print(a, b, c, x, y)
for i, (a, *b) in enumerate(["xyz", (1, 2)]):
    print(i, a, b)
print([(p, q, r) for p, (q, *r) in [(1, (2, 3)), (4, "56")]])
def g(v):
    (a, *b), (*c, d) = v
    return a, b, c, d
print(g([[1, 2], [3, 4]]))
m = n, (o, *p) = 1, (2, 3)
print(m, n, o, p)
for bad in ([1], [1, 2, 3], [1, 5], [1, []]):
    try:
        a, (b, *c) = bad
    except (ValueError, TypeError) as e:
        print(type(e).__name__)
class A:
    def __init__(self, *args, **kw):
        self.got = f(*args, "last", **kw, extra=1)
print(A(1, k=2).got)
