# %% many names
class A: pass
x = A()
for i in range(100):
    setattr(x, "n%d" % i, i)
    if i % 30 == 0: print(list(vars(x))[-3:], getattr(x, "n%d" % i), x.n0)
x.n5 += 1
del x.n6
print(len(vars(x)), x.n5, x.n99, hasattr(x, "n6"), list(vars(x))[4:8])
# %% many shapes
class A:
    def get(self): return self.a
xs = []
for i in range(400):
    x = A()
    setattr(x, "n%d" % i, i)
    x.a = i
    xs.append(x)
def total(xs):
    s = 0
    for x in xs:
        x.a += 1
        s += x.a + x.get()
    return s
print(total(xs), total(xs), list(vars(xs[0])), list(vars(xs[399])))
# %% order, deletion and what is put back
class A: pass
x, y = A(), A()
x.a, x.b, x.c = 1, 2, 3
y.c, y.b, y.a = 1, 2, 3
print(list(vars(x)), list(vars(y)))
del x.b
print(vars(x), x.a, x.c)
x.b = 4
print(vars(x), vars(y))
def f(o): return [o.a, o.b, o.c]
for o in (x, y, x): print(f(o))
# %% the dict of attributes is live
class A:
    def __init__(self): self.a = 1
x = A()
d = vars(x)
d["b"] = 2
x.c = 3
print(x.b, d, x.__dict__ is d)
d.clear()
try: x.a
except AttributeError: print("gone")
x.__dict__ = {"z": 9}
print(x.z, hasattr(x, "c"), d)
def put(o): o.z += 1; return o.z
print(put(x), put(x), vars(x))
# %% copies
import copy
class A:
    def __init__(self):
        self.xs = [1]
        self.me = self
x = A()
y, z = copy.copy(x), copy.deepcopy(x)
y.more = 1
y.xs.append(2)
z.xs.append(3)
print(x.xs, y.xs, z.xs, y.me is x, z.me is z, hasattr(x, "more"), list(vars(y)), list(vars(z)))
# %% what a place remembers
class A:
    n = 1
    def f(self): return "A.f"
class B(A): pass
class C(B): pass
def ask(o): return [o.f(), o.n]
c = C()
print(ask(c), ask(c))
A.f = lambda self: "new"
A.n = 2
print(ask(c))
B.f = lambda self: "B.f"
print(ask(c))
del B.f
C.n = property(lambda self: "computed")
print(ask(c))
del C.n
c.f = lambda: "own"
c.n = 5
print(ask(c), ask(C()))
C.__getattr__ = lambda self, name: name
del A.f
try: print(ask(C()))
except TypeError: print("TypeError")
C.__setattr__ = lambda self, name, v: print("set", name)
def store(o): o.n = 7
store(c)
print(c.n)
del C.__setattr__
store(c)
print(c.n)
A.n = property(lambda self: 0, lambda self, v: print("setter", v))
store(c)
print(c.n)
# %% what __init__ may do
class A:
    def __init__(self, x, *rest, y=2, **more): self.all = (x, rest, y, more)
print(A(1).all, A(1, 3, y=4, z=5).all, A(*[1, 2]).all)
class B:
    def __init__(self): return 5
def make(c):
    try: return type(c()).__name__
    except TypeError as e: return "TypeError"
print(make(B), make(A))
B.__init__ = lambda self: None
print(make(B), make(B))
class C(B):
    def __init__(self):
        self.made = [C2() for i in range(2)]
class C2(B): pass
print(len(C().made), make(C2))
def deep(n):
    class D:
        def __init__(self, n): self.inner = D(n - 1) if n else None
    d = D(n)
    while d.inner: d = d.inner; n -= 1
    return n
print(deep(200))
# %% setters again and again
class A:
    def __init__(self, x): self._x = x
    @property
    def x(self): return self._x
    @x.setter
    def x(self, v):
        if v < 0: raise ValueError("below 0: %d" % v)
        self._x = v
    @property
    def fixed(self): return 1
def run(a):
    for i in range(4):
        a.x = i
        a.x += 10
        print(a.x, a._x)
    try: a.x = -1
    except ValueError as e: print(e, a.x)
    try: a.fixed = 2
    except AttributeError: print("fixed")
run(A(1))
class B(A):
    x = property(lambda self: "B", lambda self, v: print("B sets", v) or 5)
def put(o):
    o.x = 3
    return o.x
print(put(A(0)), put(B(0)), put(A(5)))
A.x = property(A.x.fget, lambda self, v, more=2: setattr(self, "_x", v * more))
print(put(A(0)), put(B(0)))
A.x = property(A.x.fget, lambda self: 1)
try: put(A(0))
except TypeError: print("takes one")
def stores(self, v):
    yield v
A.x = property(A.x.fget, stores)
print(put(A(7)))
del A.x
print(put(A(9)))
# %% descriptors that come after attributes
class Once:
    def __init__(self, f): self.f = f
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, o, cls=None):
        if o is None: return self
        print("computes", self.name)
        v = self.f(o)
        object.__setattr__(o, self.name, v)
        return v
class A:
    n = 1
    @Once
    def area(self): return self.n * 2
def see(a): return a.area, a.n
a, b = A(), A()
print(see(a), see(a), see(b), vars(a))
a.area = 9
print(see(a))
del a.area
print(see(a))
class Data(Once):
    def __set__(self, o, v): print("sets", v)
class C(A):
    area = Data(lambda self: 7)
c = C()
print(see(c), see(c), vars(c))
c.area = 3
print(see(c))
A.area = 5
print(see(a), see(A()), see(c))
