# %% text and arguments of exceptions
for e in [ValueError(), ValueError("a"), ValueError("a", 1), KeyError("k"), KeyError("a", 2), Exception(5), Exception(None), OSError("x"), StopIteration(3), IndexError("i"), SystemExit(2)]:
    print(type(e).__name__, str(e), repr(e), e.args)
class E(Exception): pass
class F(E):
    def __init__(self, code, *rest):
        super().__init__(code, *rest)
        self.code = code
class G(Exception):
    def __init__(self, a, b): self.a = a
class H(Exception):
    def __str__(self): return "H!"
    def __repr__(self): return "<H>"
print(repr(E("x")), str(F(1, 2)), F(3).code, F(4).args, G(1, 2).args, str(G(1, 2)), str(H()), repr(H()), E("a", "b").args[1])
e = E("x"); e.note = 5; e.args = ("new", 2)
print(e.note, e.args, str(e), vars(e), isinstance(e, Exception), E.__mro__[1].__name__)
print(issubclass(FileNotFoundError, OSError), issubclass(ModuleNotFoundError, ImportError), issubclass(KeyboardInterrupt, Exception), issubclass(RecursionError, RuntimeError), IOError is OSError, issubclass(UnicodeDecodeError, ValueError), issubclass(NotImplementedError, RuntimeError), issubclass(FileExistsError, OSError), issubclass(ZeroDivisionError, ArithmeticError))
print(ValueError("a") == ValueError("a"), e == e, bool(E()), hash(e) == hash(e), {e: 1}[e])
# %% classes of handlers
class A(Exception): pass
class B(A): pass
def f(e):
    try: raise e
    except B: return "B"
    except (KeyError, A) as x: return "A", type(x).__name__
    except ArithmeticError: return "math"
    except Exception as x: return "other", str(x)
    else: return "else"
    finally: print("finally", end=" ")
print(f(B()), f(A()), f(A), f(KeyError(1)), f(ZeroDivisionError()), f(ValueError("v")))
for bad in (5, "text", [ValueError], None):
    try:
        try: 1 // 0
        except bad: print("caught")
    except TypeError: print("TypeError")
for bad in (5, "text", int, None, object()):
    try: raise bad
    except TypeError: print("TypeError")
try: raise ValueError from 5
except TypeError: print("cause")
# %% chains
class A(Exception): pass
def chain():
    try:
        try: 1 // 0
        except ZeroDivisionError as e: raise A("a") from e
    except A as a: return a
a = chain()
print(type(a.__cause__).__name__, type(a.__context__).__name__, a.__suppress_context__)
def context():
    try:
        try: {}["k"]
        except KeyError: raise A("b")
    except A as a: return a
a = context()
print(a.__cause__, type(a.__context__).__name__, a.__suppress_context__)
def none():
    try:
        try: [][1]
        except IndexError: raise A("c") from None
    except A as a: return a
a = none()
print(a.__cause__, type(a.__context__).__name__, a.__suppress_context__)
try:
    try: raise ValueError("first")
    finally: raise KeyError("second")
except KeyError as e: print(repr(e.__context__))
def again():
    try: 1 // 0
    except ZeroDivisionError as e:
        e.tag = 1
        raise
try: again()
except ZeroDivisionError as e: print(e.tag, e.__context__, e.__cause__)
e = ValueError("once")
for i in range(2):
    try: raise e
    except ValueError as x: print(x is e, x.__context__)
print(A("t").with_traceback(None).args)
try: raise A from KeyError
except A as x: print(repr(x.__cause__))
# %% raise without anything to raise
try: raise
except RuntimeError as e: print("RuntimeError")
def f():
    try: 1 // 0
    except ZeroDivisionError: pass
    raise
f()
# %% finally wins
def f(x):
    for i in range(3):
        try:
            if x == "ret": return "body"
            if x == "brk": break
            if x == "cnt": continue
            1 // 0
        except ZeroDivisionError:
            if x == "exc": return "handler"
        finally:
            if x == "fin": return "finally"
            print("f", i, end=" ")
    else: return "else"
    return "end"
print([f(x) for x in ("ret", "brk", "cnt", "exc", "fin", "none")])
def g():
    try: return 1
    finally: return 2
print(g())
def h():
    while True:
        try: raise ValueError
        finally: break
    return "swallowed"
print(h())
# %% context managers
class M:
    def __init__(self, name, swallow=False, fail=None): self.name, self.swallow, self.fail = name, swallow, fail
    def __enter__(self):
        print("enter", self.name)
        if self.fail == "enter": raise KeyError(self.name)
        return self.name
    def __exit__(self, kind, e, tb):
        print("exit", self.name, kind.__name__ if kind else None, e)
        if self.fail == "exit": raise OSError("exit")
        return self.swallow
with M("a") as x, M("b") as y: print(x, y)
with M("c", True): raise ZeroDivisionError("zero")
print("after")
try:
    with M("d"): raise ValueError("v")
except ValueError as e: print("out", e)
try:
    with M("e", True) as p, M("f", fail="enter"): print("never")
    print("e swallowed it")
except KeyError: print("KeyError")
try:
    with M("g", fail="exit"): raise ValueError("inner")
except OSError as e: print(repr(e.__context__))
def f():
    with M("h"): return "ret"
def l():
    for i in range(3):
        with M(i):
            if i == 0: continue
            if i == 1: break
    return i
print(f(), l())
class N:
    def __enter__(self): return self
class O:
    def __exit__(self, *a): pass
for c in (N, O, int):
    try:
        with c(): print("in")
    except (TypeError, AttributeError) as e: print(type(e).__name__)
# %% generators
def g():
    try:
        x = yield 1
        print("got", x)
        yield x
    except ValueError as e:
        yield "caught", str(e)
    finally: print("fin")
    return "result"
i = g(); print(next(i), i.send(5)); i.close()
i = g(); print(next(i), i.throw(ValueError("t"))); print(list(i))
i = g(); i.close(); print(list(i))
i = g()
try: i.send(3)
except TypeError: print("just started")
def r():
    v = yield from h()
    print("v", v)
def h():
    yield 1
    return "h"
print(list(r()))
j = h(); next(j)
try: next(j)
except StopIteration as e: print(e.value)
def bad():
    yield 1
    raise StopIteration
try: list(bad())
except RuntimeError as e: print(str(e)[:28])
def ig():
    while True:
        try: yield 1
        except GeneratorExit: pass
k = ig(); next(k)
try: k.close()
except RuntimeError as e: print("ignored" in str(e))
def fails():
    yield 1
    1 // 0
    yield 2
m = fails(); print(next(m))
try: next(m)
except ZeroDivisionError: print("div")
print(list(m), next(m, "ended"))
def me():
    yield next(it)
it = me()
try: next(it)
except ValueError as e: print(str(e)[:27])
print(sum(x for x in h()), type(h()).__name__, iter(it) is it)
def closing():
    try: yield 1
    finally: print("closed")
for v in closing(): print(v)
c = closing(); next(c)
try: c.throw(KeyError, "k") if False else c.throw(KeyError("k"))
except KeyError as e: print(e)
# %% recursion
def f(n): return f(n + 1)
try: f(0)
except RecursionError as e: print("RecursionError")
class A:
    def __getattr__(self, name): return getattr(self, name + "x")
try: A().b
except RecursionError: print("RecursionError")
# %% errors of the language have their classes
import os
cases = [lambda: [][0], lambda: {}["a"], lambda: 1 + "a", lambda: int("x"), lambda: undefined, lambda: (1).nope, lambda: 1 // 0, lambda: 1.0 / 0, lambda: open("/no/such"), lambda: [1].index(2),
    lambda: "a" + 1, lambda: len(5), lambda: max([]), lambda: next(iter([])), lambda: {}.pop("x"), lambda: [].pop(), lambda: float("y"), lambda: "abc".index("z"), lambda: [1, 2][5], lambda: "abc"[7],
    lambda: (1, 2)["a"], lambda: {[]: 1}, lambda: int(None), lambda: range(1, 2, 0), lambda: 5(), lambda: f(), lambda: [1].remove(2), lambda: ord("ab"), lambda: chr(-1), lambda: sorted([1, "a"]), lambda: 2.0 ** 10000,
    lambda: os.mkdir("/proc/x/y"), lambda: b"\xff".decode(), lambda: "é".encode("ascii"), lambda: dict([1]), lambda: set([[]]), lambda: zip(1), lambda: sum(["a"]), lambda: "%d" % "a", lambda: "{}".format(), lambda: "%s %s" % 1, lambda: [1, 2, 3][1:2:0], lambda: -1 << -1, lambda: divmod(1, 0), lambda: pow(0, -1), lambda: round("a"), lambda: abs("a"), lambda: "a" * "b", lambda: [] < {}, lambda: not_defined.x, lambda: print(sepp=1), lambda: int("5", 99)]
def f(x): pass
for c in cases:
    try: c()
    except Exception as e: print(type(e).__name__, end=" ")
