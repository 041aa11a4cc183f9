def show(f, *args):
    try:
        print(f(*args))
    except Exception as e:
        c = e.__context__
        print(type(e).__name__, type(c).__name__ if c is not None else None)

class Odd:
    def __init__(self, v):
        self.v = v
    def __len__(self):
        return self.v
    def __bool__(self):
        return self.v
    def __str__(self):
        return self.v
    def __iter__(self):
        return self.v

class Counted:
    def __init__(self, n):
        self.n = n
    def __len__(self):
        if self.n == 7:
            raise KeyError(7)
        return self.n

class No:
    def __add__(self, y):
        return NotImplemented
    def __radd__(self, y):
        return NotImplemented
    def __eq__(self, y):
        return NotImplemented
    def __lt__(self, y):
        return NotImplemented
    def __iadd__(self, y):
        return NotImplemented

class Adds:
    def __init__(self):
        self.log = []
    def __add__(self, y):
        return "add %r" % (y,)
    def __radd__(self, y):
        return "radd %r" % (y,)
    def __sub__(self, y):
        return "sub"
    def __isub__(self, y):
        return NotImplemented
    def __imul__(self, y):
        self.log.append(y)
        return self
    def __contains__(self, x):
        if x == 9:
            return NotImplemented
        return [] if x == 1 else [1]
    def __setitem__(self, k, v):
        self.log.append((k, v))
        return 5
    def __neg__(self):
        return "neg"
    def __eq__(self, y):
        return [] if y is self else [1]

class To:
    def __init__(self, n, fail=None):
        self.n, self.fail = n, fail
    def __iter__(self):
        return self
    def __next__(self):
        if self.n == 0:
            if self.fail:
                raise self.fail
            raise StopIteration
        self.n -= 1
        return self.n

class Inner(StopIteration):
    pass

class Gen:
    def __iter__(self):
        try:
            yield 1
            yield 2
        finally:
            print("closed")

class Context:
    def __init__(self, swallow, fail=False):
        self.swallow, self.fail = swallow, fail
    def __enter__(self):
        if self.fail:
            raise ValueError("enter")
        return 42
    def __exit__(self, kind, x, tb):
        print("exit", kind.__name__ if kind is not None else None, repr(x))
        return self.swallow

class Base:
    def __init__(self, x):
        self.x = x
    def m(self, k=1, *rest):
        return ["Base", k, rest]
    @classmethod
    def make(cls, x):
        return cls(x, 0)
    @staticmethod
    def s(x):
        return x
    @property
    def p(self):
        return self.x

class Derived(Base):
    def __init__(self, x, y):
        super().__init__(x)
        self.y = y
    def m(self, *args):
        return ["Derived"] + super().m(*args)
    @classmethod
    def make(cls, x):
        return super().make(x + 1)
    @property
    def p(self):
        return super().p + 1

class E2(Exception):
    def __init__(self, a, b=2):
        super().__init__(a)
        self.b = b

class E3(Exception):
    def __init__(self, a):
        self.a = 1 // a

for v in [-1, "x", None, True, 3]:
    show(len, Odd(v))
for v in [True, 1, "x", None]:
    show(bool, Odd(v))
    show(lambda o: not o, Odd(v))
    show(lambda o: 1 if o else 2, Odd(v))
show(str, Odd(5))
show(repr, Counted)
for v in [5, [1, 2], To(3), Odd(1)]:
    show(lambda o: [x for x in o], Odd(v))
for n in [0, 2, 7]:
    show(bool, Counted(n))
    show(lambda o: not o, Counted(n))
    show(lambda o: "yes" if o else "no", Counted(n))
    show(lambda o: o and 5, Counted(n) if n != 2 else 0)
no, adds = No(), Adds()
show(lambda: no + 1)
show(lambda: 1 + no)
show(lambda: no == 1)
show(lambda: no != 1)
show(lambda: no != no)
show(lambda: no < 1)
show(lambda: no + adds)
show(lambda: "x" + adds)
show(lambda: 2.5 + adds)
show(lambda: (1 in adds, 2 in adds, 1 not in adds, 2 not in adds))
show(lambda: adds != adds)
show(lambda: adds != 1)
show(lambda: -adds)
def changes(x, op):
    if op == "+":
        x += 1
    elif op == "-":
        x -= 1
    else:
        x *= 3
    return x
show(changes, no, "+")
show(changes, adds, "+")
show(changes, adds, "-")
show(lambda: changes(adds, "*") is adds)
adds["k"] = 3
adds[4] = 5
print(adds.log)
def loop(it, stop=None):
    out = []
    for x in it:
        if x == stop:
            break
        out.append(x)
    else:
        out.append("else")
    return out
show(loop, To(3))
show(loop, To(3), 1)
show(loop, To(2, ValueError("v")))
show(loop, To(2, Inner()))
show(loop, To(2, KeyError))
show(loop, Gen())
show(loop, Gen(), 2)
def nested():
    return [(x, y) for x in To(2) for y in To(x + 1)]
show(nested)
show(lambda: next(To(0)))
show(lambda: next(To(3)))
def stops():
    raise StopIteration(5)
def leaks():
    for x in To(2):
        stops()
show(leaks)
def within(c, f):
    with c as v:
        f(v)
    return "after"
def boom(x):
    raise KeyError(x)
show(within, Context(False), print)
show(within, Context(True), boom)
show(within, Context(False), boom)
show(within, Context(1), boom)
show(within, Context([]), boom)
show(within, Context(True, True), print)
show(Derived(1, 2).m)
show(lambda: Derived(1, 2).m(5, 6, 7))
show(lambda: Derived.m(Derived(1, 2), 3))
show(lambda: Derived.make(3).x)
show(lambda: Derived(4, 5).make(3).x)
show(lambda: (Base.s(3), Derived(1, 2).s(4), Derived(1, 2).p))
show(lambda: Derived(1))
show(lambda: Derived(1, y=3).y)
show(lambda: Derived(y=1, x=3).x)
show(lambda: Derived(1, 2, x=3))
show(lambda: Base())
def raises(e):
    try:
        raise e
    except E2 as x:
        return x.args, x.b
show(lambda: raises(E2(1)))
show(lambda: raises(E2(1, b=5)))
show(lambda: raises(E2("q", 7)))
show(lambda: raises(E3(0)))
show(lambda: raises(E3(1)))
def chain():
    try:
        try:
            {}["k"]
        except KeyError as first:
            raise ValueError("second") from first
    except ValueError as e:
        return type(e.__cause__).__name__, e.__cause__ is e.__context__, e.__suppress_context__
show(chain)
def again():
    kept = None
    try:
        try:
            [][1]
        except IndexError as e:
            kept = e
            raise
    except IndexError as e:
        return e is kept
show(again)
def f(a, b=2, *, c=3, d):
    return (a, b, c, d)
show(lambda: f(1, d=4))
show(lambda: f(d=4, a=1, c=5))
show(lambda: f(1, 2, 3, d=4))
show(lambda: f(1))
show(lambda: f(1, a=2, d=3))
show(lambda: f(1, z=2, d=3))
print(isinstance(1, (str, int)), isinstance(True, int), isinstance(no, (int, No)), isinstance(None, int), isinstance(no, int))
print(getattr(adds, "zz", 5), hasattr(adds, "log"), hasattr(adds, "zz"), getattr(Derived(1, 2), "p"), getattr(Derived(8, 2), "x"))
setattr(adds, "zz", 6)
print(adds.zz, type(adds) is Adds, adds is None, None is None, adds is not None)
class Deep:
    def __init__(self, deeper=False):
        if deeper:
            Deep(True)
    def __len__(self):
        return len(self)
    def __bool__(self):
        return not self
    def __add__(self, y):
        return self + y
    def __contains__(self, y):
        return y in self
    def __getitem__(self, k):
        return self[k]
    def __iter__(self):
        for x in self:
            pass
    def __enter__(self):
        with self:
            pass
    def __exit__(self, *args):
        pass
    def __call__(self, k=1):
        return self(k=2)
    @property
    def p(self):
        return self.p
    def m(self):
        return super().m() if False else self.m()
deep = Deep()
for f in [lambda: len(deep), lambda: not deep, lambda: deep + 1, lambda: 1 in deep, lambda: deep[0], lambda: [x for x in deep], lambda: within(deep, print),
          lambda: deep(), lambda: deep.p, lambda: deep.m(), lambda: Deep(True)]:
    show(f)
def gen():
    x = yield 1
    print("sent", x)
    return 7
def asks(g):
    out = [next(g)]
    try:
        next(g)
    except StopIteration as e:
        out.append(e.value)
    out.append(next(g, "over"))
    return out
show(asks, gen())
def bad():
    yield 1
    raise StopIteration
def unwinds(g):
    next(g)
    next(g)
show(unwinds, bad())
def delegates():
    r = yield from gen()
    yield r
show(lambda: [next(x) for x in [delegates()] * 3])
def itself():
    yield next(me)
me = itself()
show(lambda: next(me))
class Grows:
    pass
grows = Grows()
for name in ["__len__", "__bool__", "__contains__"]:
    show(bool, grows)
    setattr(Grows, name, lambda self, *args: 0 if name == "__len__" else False)
    show(bool, grows)
    show(lambda: len(grows))
    delattr(Grows, name)
    show(bool, grows)
