# %% method resolution order
class A: 
    def f(self): return "A"
class B(A):
    def f(self): return "B" + super().f()
class C(A):
    def f(self): return "C" + super().f()
class D(B, C):
    def f(self): return "D" + super().f()
class E(C, B): pass
class F(D): pass
print(D().f(), E().f(), F().f())
print([k.__name__ for k in D.__mro__], [k.__name__ for k in E.mro()])
print([k.__name__ for k in D.__bases__], F.__base__.__name__ if hasattr(F, "__base__") else "D")
class X(object): pass
class Y(X, object): pass
print([k.__name__ for k in Y.__mro__])
# %% order that does not exist
class A: pass
class B(A): pass
class C(A, B): pass
# %% order that contradicts
class A: pass
class B: pass
class C(A, B): pass
class D(B, A): pass
class E(C, D): pass
# %% base given twice
class A: pass
class B(A, A): pass
# %% base that is no class
class B(5): pass
# %% super in all forms
class A:
    n = 1
    def __init__(self, x): self.x = x
    def f(self): return ("A.f", self.x)
    @classmethod
    def make(cls, x): return cls(x)
    @staticmethod
    def s(x): return x + 1
    @property
    def p(self): return self.x * 2
class B(A):
    n = 2
    def __init__(self, x):
        super(B, self).__init__(x + 1)
    def f(self): return super().f() + (super(B, self).n, super().n, self.n)
    @classmethod
    def make(cls, x): return super().make(x * 10)
    def t(self): return super().s(1), super().p
    def g(self):
        h = super().f
        return h(), [super(B, self).n for i in range(2)]
b = B.make(3)
print(type(b).__name__, b.x, b.f(), b.t(), b.g())
print(super(B, b).n, super(B, b).f())
try:
    super().f
except RuntimeError: print("RuntimeError")
class Z(A):
    def miss(self): return super().nothing
try: Z(1).miss()
except AttributeError as e: print("nothing" in str(e))
try: super(B, A(1)).f()
except TypeError: print("TypeError")
# %% properties
class A:
    def __init__(self): self._v = 1
    @property
    def v(self):
        "The value."
        return self._v
    @v.setter
    def v(self, x): self._v = x
    @v.deleter
    def v(self):
        print("deleting"); self._v = None
    @property
    def ro(self): return self._v + 1
    def _get(self): return "got"
    def _set(self, x): print("set", x)
    w = property(_get, _set)
class B(A):
    @property
    def ro(self): return super().ro + 10
    @A.v.setter
    def v(self, x): self._v = -x
a = A(); a.v = 5
print(a.v, a.ro, a.w); a.w = 3
del a.v
print(a.v)
b = B(); b.v = 4
print(b.v, b.ro, A.v.fget(a), A.v.__doc__, A.v.fdel is not None, A.ro.fset)
for f in (lambda: setattr(a, "ro", 1), lambda: delattr(a, "ro"), lambda: delattr(a, "w")):
    try: f()
    except AttributeError: print("AttributeError")
a.__dict__["ro"] = 9
print(b.ro, isinstance(A.ro, property), hasattr(a, "zz"))
# %% property that raises AttributeError
class A:
    @property
    def p(self): return self.missing
    def __getattr__(self, name): return "ask " + name
print(A().p, A().q)
# %% static and class methods
class A:
    count = 0
    @staticmethod
    def s(x, y=2): return x * y
    @classmethod
    def c(cls, x=1):
        cls.count += x
        return cls.__name__, cls.count
class B(A): pass
print(A.s(3), A().s(3, 3), A.c(), B.c(5), B().c(), A.count, B.count)
f = B.c
print(f(1), B.c.__self__ is B, A.s.__name__)
class C:
    def plain(x): return x
    other = staticmethod(plain)
    def third(self): return "third"
    alias = third
print(C.plain(3), C.other(4), C().alias(), C.third(C()))
# %% attributes of classes and instances
class A:
    xs = []
    n = 1
    def m(self): return self.n
a, b = A(), A()
a.xs.append(1); a.n = 5; A.n = 7
print(b.xs, a.n, b.n, A.n, a.m(), b.m(), "n" in a.__dict__, "n" in b.__dict__)
A.late = lambda self: self.n + 100
print(a.late(), b.late())
a.own = lambda: "own"
print(a.own())
del a.n
print(a.n)
try: del a.n
except AttributeError: print("no a.n")
del A.n
try: a.n
except AttributeError: print("no A.n")
try: A.zzz
except AttributeError as e: print(e)
try: a.zzz
except AttributeError as e: print(e)
class N:
    class Inner:
        v = 3
    i = Inner()
    k = [Inner.v + j for j in range(2)]
print(N.Inner.v, N.i.v, N.k, N.Inner.__qualname__, N.Inner.__name__)
print(A.m is A.m, a.m == a.m, a.m == b.m, A.__name__, a.__class__ is A, type(a) is A, type(A) is type)
# %% getattr, setattr and delattr of a class
class A:
    def __init__(self): self.__dict__["log"] = []
    def __getattr__(self, name):
        if name.startswith("x"): return name * 2
        raise AttributeError("no " + name)
    def __setattr__(self, name, v):
        self.log.append(("set", name, v)); self.__dict__[name] = v
    def __delattr__(self, name):
        self.log.append(("del", name)); object.__delattr__(self, name)
a = A(); a.b = 1; a.xy = 2
print(a.b, a.xy, a.xz, a.log)
del a.b
print(a.log, hasattr(a, "b"), hasattr(a, "xq"), getattr(a, "b", 9), getattr(a, "xx"))
setattr(a, "c", 3); delattr(a, "c")
print(len(a.log))
try: a.nope
except AttributeError as e: print(e)
class B(A):
    def __setattr__(self, name, v): super().__setattr__(name, v + 1)
b = B(); b.k = 1
print(b.k)
class P:
    def __setattr__(self, name, v): object.__setattr__(self, name, v * 2)
p = P(); p.a = 4
print(p.a, vars(p))
# %% equality and hashes
class P:
    def __init__(self, x): self.x = x
    def __eq__(self, o): return isinstance(o, P) and self.x == o.x
    def __hash__(self): return hash(self.x)
print(hash(1) == hash(1.0) == hash(True), hash(-1), hash(2**61 - 1), hash(-2**100), hash(0.5), hash(-1.75), hash(float("inf")))
for x in ([], {}, set(), ([],)):
    try: hash(x)
    except TypeError: print("unhashable")
print(P(1) == P(1), P(1) != P(1), P(1) == 1, P(1) in [P(2), P(1)], {P(1): "a"}[P(1)], len({P(1), P(1), P(2)}))
class Q:
    def __eq__(self, o): return True
try: hash(Q())
except TypeError as e: print("unhashable" in str(e))
try: {Q(): 1}
except TypeError as e: print("unhashable" in str(e))
class R: pass
r = R()
print(r == r, r == R(), r != R(), hash(r) == hash(r), {r: 1}[r])
class S(P): pass
print(S(1) == P(1), P(1) == S(1), hash(S(3)) == hash(3))
class T(P):
    def __eq__(self, o): return "T.eq"
print(T(1) == P(1), P(1) == T(1))
try: {T(1)}
except TypeError: print("T is unhashable")
class U:
    def __eq__(self, o): return NotImplemented
print(U() == U(), U() != 1, U() == 1)
class V:
    def __ne__(self, o): return "ne"
print(V() != 1, 1 != V())
# %% comparison and reflection
class A:
    def __init__(self, x): self.x = x
    def __lt__(self, o): return ("lt", self.x, o if isinstance(o, int) else o.x)
    def __ge__(self, o): return ("ge", self.x)
print(A(1) < A(2), A(1) > A(2), 5 > A(1), A(1) >= 3, 3 <= A(1))
for f in (lambda: A(1) <= 2.5 if False else object() < object(), lambda: [] < A(1), lambda: R() < R()):
    try: print(f())
    except (TypeError, NameError) as e: print(type(e).__name__)
class S(A):
    def __lt__(self, o): return "S.lt"
    def __gt__(self, o): return "S.gt"
print(A(1) < S(2), S(1) < A(2))
class K:
    def __init__(self, k): self.k = k
    def __lt__(self, o): return self.k < o.k
    def __repr__(self): return "K%d" % self.k
print(sorted([K(3), K(1), K(2)]), min(K(2), K(1)), max([K(2), K(5)]), sorted([K(1), K(2)], reverse=True))
class N:
    def __lt__(self, o): return NotImplemented
try: N() < N()
except TypeError as e: print(e)
# %% operators
class V:
    def __init__(self, *v): self.v = list(v)
    def __add__(self, o):
        if isinstance(o, V): return V(*[a + b for a, b in zip(self.v, o.v)])
        return NotImplemented
    def __radd__(self, o): return V(*[o + a for a in self.v])
    def __mul__(self, k): return V(*[a * k for a in self.v])
    __rmul__ = __mul__
    def __iadd__(self, o): self.v = [a + 1000 for a in self.v]; return self
    def __neg__(self): return V(*[-a for a in self.v])
    def __pos__(self): return "pos"
    def __invert__(self): return "inv"
    def __abs__(self): return sum(abs(a) for a in self.v)
    def __sub__(self, o): return "sub"
    def __rsub__(self, o): return "rsub"
    def __truediv__(self, o): return "div"
    def __rtruediv__(self, o): return "rdiv"
    def __floordiv__(self, o): return "fdiv"
    def __mod__(self, o): return "mod"
    def __rmod__(self, o): return "rmod"
    def __pow__(self, o): return "pow"
    def __rpow__(self, o): return "rpow"
    def __matmul__(self, o): return "mat"
    def __lshift__(self, o): return "lsh"
    def __rshift__(self, o): return "rsh"
    def __and__(self, o): return "and"
    def __or__(self, o): return "or"
    def __xor__(self, o): return "xor"
    def __ror__(self, o): return "ror"
    def __divmod__(self, o): return "divmod"
    def __repr__(self): return "V%r" % (self.v,)
a, b = V(1, 2), V(3, 4)
print(a + b, 5 + a, a * 2, 2 * a, -a, +a, ~a, abs(V(-1, 2)))
print(a - 1, 1 - a, a / 2, 2 / a, a // 2, a % 2, a ** 2, 2 ** a, a @ b, a << 1, a >> 1, a & 1, a | 1, a ^ 1, 1 | a, divmod(a, 2))
c = a
c += b
print(a is c, a)
a -= 1
print(a)
print("%s" % b, "x" * 2, [1] * 2, sum([V(1), V(2)], V(0)))
for f in (lambda: V(1) + "x", lambda: {} + V(1), lambda: "a" % 1 if False else V(1).nope, lambda: 1 // V(1), lambda: 1 @ V(1)):
    try: print(f())
    except (TypeError, AttributeError) as e: print(type(e).__name__)
class L(V):
    def __radd__(self, o): return "L.radd"
    def __sub__(self, o): return "L.sub"
    def __rsub__(self, o): return "L.rsub"
print(V(1) + L(2), V(1) - L(2), L(1) - V(2))
class I:
    def __index__(self): return 2
    def __int__(self): return 7
    def __float__(self): return 1.5
print(int(I()), float(I()), "abcd"[I():], range(I())[-1])
# %% truth and length
class B:
    def __init__(self, b): self.b = b
    def __bool__(self): return self.b
class L:
    def __init__(self, n): self.n = n
    def __len__(self): return self.n
class N: pass
class BL(L):
    def __bool__(self): return True
print(bool(B(True)), bool(B(False)), bool(L(0)), bool(L(3)), bool(N()), bool(BL(0)), not L(0), len(L(4)), L(0) or "empty", B(False) and 1)
if L(0): print("no")
else: print("falsy")
print([x.n for x in [L(0), L(1)] if x], any([L(0)]), all([B(True), L(1)]), 1 if B(False) else 2)
for f in (lambda: bool(B(5)), lambda: len(L(-1)), lambda: len(N()), lambda: len(L("x")), lambda: len(L(2.0))):
    try: print(f())
    except Exception as e: print(type(e).__name__)
x = 0
while not L(x): x += 1
print(x)
# %% iteration and containment
class C:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n <= 0: raise StopIteration
        self.n -= 1
        return self.n
print(list(C(3)), sum(C(4)), [x for x in C(2)], tuple(C(1)), sorted(C(3)), 1 in C(3), 9 in C(3), max(C(5)), dict.fromkeys(C(2)))
a, b, *c = C(4)
print(a, b, c, list(zip(C(2), "xy")), list(map(str, C(2))), list(enumerate(C(2))))
it = iter(C(2))
print(next(it), next(it), next(it, "end"))
try: next(it)
except StopIteration: print("stop")
class G:
    def __getitem__(self, i):
        if i >= 3: raise IndexError(i)
        return i * i
print(list(G()), 4 in G(), 5 in G(), [*G()], max(G()))
class Y:
    def __iter__(self):
        yield 1
        yield 2
print(list(Y()), list(Y()), 2 in Y())
class K:
    def __contains__(self, x): return "yes" if x == 1 else 0
print(1 in K(), 2 in K(), 1 not in K())
class W:
    def __iter__(self): return iter([1, 2])
    def __len__(self): return 2
    def __reversed__(self): return iter("rev")
    def __getitem__(self, k): return ("item", k)
    def __setitem__(self, k, v): print("set", k, v)
    def __delitem__(self, k): print("del", k)
    def __call__(self, *a, **k): return a, k
    def __missing__(self, k): return 0
w = W()
print(list(w), w[1], w["a"], w[1, 2], w[1:2] == ("item", slice(1, 2)), w[-1], list(reversed(w)), w(1, k=2), callable(w), callable(Y()))
w[0] = 1; del w[3]; w["k"] = w
for f in (lambda: iter(5), lambda: list(K()), lambda: next([]), lambda: K()[0], lambda: K()(), lambda: 1 in 5):
    try: print(f())
    except TypeError: print("TypeError")
def setit(): K()[0] = 1
try: setit()
except TypeError: print("TypeError")
class Bad:
    def __iter__(self): return 5
try: list(Bad())
except TypeError as e: print("non-iterator" in str(e))
# %% text of instances
class A: pass
class R:
    def __repr__(self): return "R!"
class S:
    def __str__(self): return "S!"
class F:
    def __format__(self, spec): return "F<" + spec + ">"
print(str(R()), repr(R()), [R()], {"r": R()}, "%s %r" % (R(), R()), f"{R()} {R()!r}", "{}".format(R()))
print(str(S()), "%s" % S(), f"{S()}", f"{F():>3}", "{:x}".format(F()), format(F(), "q"))
print(repr(A())[:3] == "<__"[:3] or repr(A()).startswith("<A"), repr(A), str(S())[::-1])
class Bad:
    def __repr__(self): return 5
try: repr(Bad())
except TypeError as e: print("non-string (type int)" in str(e))
# %% isinstance and issubclass
class A: pass
class B(A): pass
b = B()
print(isinstance(b, A), isinstance(b, (int, A)), isinstance(b, (int, (str, B))), isinstance(1, (str, A)), isinstance(b, object), isinstance(1, object), isinstance(A, type))
print(issubclass(B, A), issubclass(A, B), issubclass(B, (int, A)), issubclass(B, object), issubclass(KeyError, LookupError), issubclass(bool, int), issubclass(A, A))
print(isinstance(True, int), isinstance(1.0, int), isinstance([], (list, tuple)), isinstance("", str), isinstance(None, type(None)), isinstance(print, type(len)))
for f in (lambda: isinstance(1, 5), lambda: issubclass(1, A), lambda: issubclass(A, 5), lambda: isinstance(1, [int])):
    try: print(f())
    except TypeError: print("TypeError")
print(type(b).__name__, type(b) == B, type(b) is A, type(b)(), type(1) is int) if False else print(type(b).__name__, type(b) == B, type(b) is A, type(1) is int)
print(isinstance(type(b)(), B), b.__class__.__name__, B.__mro__[1] is A)
# %% getattr and hasattr let other errors through
class A:
    @property
    def p(self): return 1 // 0
    @property
    def q(self): return self.missing
a = A()
for f in (lambda: hasattr(a, "p"), lambda: getattr(a, "p", 5)):
    try: print(f())
    except ZeroDivisionError: print("divided")
print(hasattr(a, "q"), getattr(a, "q", 6))
# %% attributes by name
class A:
    c = 1
    def __init__(self): self.i = 2
    def m(self): return 3
a = A()
print(getattr(a, "c"), getattr(a, "i"), getattr(a, "m")(), getattr(a, "x", None), getattr(A, "c"), hasattr(a, "c"), hasattr(A, "i"), hasattr(a, "x"))
setattr(a, "x y", 5); setattr(A, "d", 6)
print(getattr(a, "x y"), a.d, vars(a) == {"i": 2, "x y": 5}, "m" in vars(A), sorted(k for k in vars(A) if not k.startswith("_")))
delattr(a, "i"); delattr(A, "c")
print(hasattr(a, "i"), hasattr(a, "c"), sorted(n for n in dir(a) if not n.startswith("_")))
for f in (lambda: getattr(a, "nope"), lambda: delattr(a, "nope"), lambda: setattr(5, "x", 1), lambda: setattr(A, 5, 1), lambda: vars(5), lambda: getattr(a, 5), lambda: setattr(a, 3, 3), lambda: hasattr(a, 3)):
    try: print(f())
    except (AttributeError, TypeError) as e: print(type(e).__name__)
# %% instantiation errors
class A:
    def __init__(self, x, y=1): pass
class B: pass
class C:
    def __init__(self): return 5
for f in (lambda: A(), lambda: A(1, 2, 3), lambda: A(z=1), lambda: B(1), lambda: C(), lambda: B().f(), lambda: A.__init__(), lambda: B(k=1), lambda: A(1).x):
    try: print(f())
    except (TypeError, AttributeError) as e: print(type(e).__name__)
print(A(1, y=2) is not None, A(x=1) is not None)
# %% bound methods as values
class A:
    def __init__(self, n): self.n = n
    def add(self, x, *, k=0): return self.n + x + k
a = A(10)
f = a.add
print(f(1), f(1, k=2), list(map(a.add, [1, 2])), f.__self__ is a, f.__name__, f.__func__(a, 5), A.add(a, 1))
a.n = 20
print(f(1), {a.add: 1}[a.add], a.add == a.add, a.add != f, a.add == A(1).add)
from functools import partial
print(partial(A.add, a)(3), partial(a.add, k=1)(3))
class D:
    def __init__(self, fn): self.fn = fn
    def __call__(self, *args): return ("D", self.fn(*args))
@D
def g(x): return x + 1
print(g(1))
def deco(cls):
    cls.extra = "e"; return cls
@deco
class H: pass
print(H().extra)
# %% slots
def tries(f, *args):
    try: print("ok", f(*args))
    except Exception as e: print(type(e).__name__, e)
class S:
    __slots__ = ("a", "b")
    def __init__(self): self.a = 1
    def m(self): return self.a
s = S()
def put(o, v): o.c = v
tries(lambda: s.b)
for i in range(3): tries(put, s, i)
tries(lambda: setattr(s, "m", 1))
tries(lambda: object.__setattr__(s, "zz", 1))
tries(lambda: s.__dict__)
tries(lambda: hasattr(s, "__dict__"))
tries(lambda: hasattr(s, "b"))
s.b = 5
print(s.b, s.m())
del s.b
tries(lambda: s.b)
tries(delattr, s, "nope")
class T(S): pass
t = T()
put(t, 4)
print(t.c, t.a)
class U(S):
    __slots__ = "c"
    def __init__(self):
        super().__init__()
        self.c = 2
u = U()
put(u, 3)
tries(setattr, u, "d", 1)
print(u.c, u.a)
class V:
    __slots__ = ["x", "__dict__"]
v = V()
v.x, v.y = 1, 2
print(v.x, v.y)
class P:
    __slots__ = ("__x",)
    def __init__(self): self.__x = 1
    def get(self): return self.__x
print(P().get())
def make(slots, **more): return type("W", (), dict(more, __slots__=slots))
for slots in ("x",), ("1x",), (1,), "y", 5:
    try: print(make(slots, x=1).__name__)
    except (ValueError, TypeError) as e: print(type(e).__name__, e if slots != 5 else "")
class E(Exception):
    __slots__ = ()
e = E()
e.note = 1
print(e.note)
# %% qualified names
def outer():
    def inner(): return lambda: 1
    class K:
        def m(self):
            def deep(): pass
            return deep
        class L: pass
    global shown
    def shown(): pass
    return inner, K
i, K = outer()
print(i.__qualname__, K.__qualname__, K.m.__qualname__, K.L.__qualname__, i.__name__, K.__name__, K.m.__name__)
print(i().__qualname__, K().m().__qualname__, shown.__qualname__, (lambda: 1).__qualname__, K)
class A:
    class B:
        def f(self):
            def g(a): pass
            return g
print(A.B.__qualname__, A.B.f.__qualname__, A.B().f().__qualname__)
for wrong in (lambda: A.B().f()(), lambda: i(1), lambda: K().m(1)):
    try: wrong()
    except TypeError as e: print(e)
