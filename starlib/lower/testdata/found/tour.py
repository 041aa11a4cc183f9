class Layer(object):
    count = 0
    def __init__(self, n, *args, **kw):
        Layer.count += 1
        self.n = n
        self.params = list(args)
    def __str__(self): return "Layer %d" % self.n
    def __iter__(self):
        for p in self.params:
            yield p
    def __enter__(self): return self
    def __exit__(self, *a): return False
    def __getattr__(self, name):
        if name.startswith("dyn_"): return name[4:]
        raise AttributeError(name)
    def __setitem__(self, k, v): self.params[k] = v
    def __delitem__(self, k): del self.params[k]
    def __bool__(self): return self.n > 0
    def __hash__(self): return hash(str(self.n))
    def __eq__(self, o): return self.n == o.n
    def __neg__(self): return Layer(-self.n)
    def __iadd__(self, k): self.n += k; return self
    class Inner:
        z = 5
        def get(self): return self.z
l = Layer(3, 1, 2, k=4)
print(l, list(l), l.dyn_foo, hasattr(l, "nope"), getattr(l, "nope", 7), Layer.count)
l[0] = 9
del l[1]
print([p for p in l], bool(-l), {l: 1}[Layer(3)])
l += 4
print(l.n, Layer.Inner().get(), Layer.Inner.z, f"{l}", "%s" % l, str(l))
print(vars(l).keys() == {"n":1,"params":2}.keys() if False else sorted(vars(l)))
class Stack(Exception):
    def __init__(self, msg, code):
        super(Stack, self).__init__(msg)
        self.code = code
    def __str__(self): return "Stack[%s]" % self.code
try:
    raise Stack("m", 3)
except Exception as e:
    print(e, e.args, e.code, isinstance(e, Stack), issubclass(Stack, Exception))
def f(xs):
    for x in xs:
        for y in range(3):
            try:
                if y == 1: break
                if x == 2: return "ret %d" % x
            finally:
                print("fin", x, y)
        else:
            print("never")
    return "end"
print(f([0, 1]), f([1, 2]))
def deep():
    try:
        try:
            raise KeyError("k")
        finally:
            print("inner fin")
    except KeyError as e:
        print("key", e)
        try:
            raise
        except LookupError as e2:
            print("again", repr(e2))
    return 5
print(deep())
try:
    [1][5]
except IndexError: print("ie")
try:
    int("x")
except ValueError: print("ve")
try:
    a, b = [1]
except ValueError: print("ve2")
try:
    None.foo
except AttributeError: print("ae")
try:
    1 + "a"
except TypeError: print("te")
try:
    len(5)
except TypeError: print("te2")
try:
    (lambda x: x)()
except TypeError: print("te3")
try:
    {}["a"]
except KeyError: print("ke")
try:
    next(iter([]))
except StopIteration: print("si")
try:
    assert False, "msg"
except AssertionError as e: print("as", e)
try:
    def q():
        print(zz)
        zz = 1
    q()
except UnboundLocalError as e: print("ule")
try:
    5()
except TypeError: print("te4")
try:
    for i in 5: pass
except TypeError: print("te5")
try:
    {[]: 1}
except TypeError: print("te6")
try:
    [].pop()
except IndexError: print("ie2")
try:
    {}.pop("a")
except KeyError: print("ke2")
try:
    [1].remove(2)
except ValueError: print("ve3")
try:
    "abc".index("z")
except ValueError: print("ve4")
try:
    float("q")
except ValueError: print("ve5")
try:
    1.0 / 0
except ZeroDivisionError: print("zd")
try:
    1 % 0
except ZeroDivisionError: print("zd2")
try:
    int([1])
except TypeError: print("te7")
try:
    [1] < [None]
except TypeError: print("te8")
try:
    "a" < 1
except TypeError: print("te9")
try:
    [3, "a"].sort()
except TypeError: print("te10")
try:
    sum(["a"])
except TypeError: print("te11")
try:
    a, b = 5
except TypeError: print("te12")
try:
    max([])
except ValueError: print("ve6")
try:
    "abc"[10]
except IndexError: print("ie3")
try:
    (1,2)[0] = 5
except TypeError: print("te13")
try:
    "a".nope()
except AttributeError: print("ae2")
try:
    chr(-1)
except ValueError: print("ve7")
try:
    [1,2][1.5]
except TypeError: print("te14")
try:
    raise 5
except TypeError: print("te15")
try:
    "%d" % "a"
except TypeError: print("te16")
try:
    "abc" * "d"
except TypeError: print("te17")
try:
    -"a"
except TypeError: print("te18")
try:
    f(1, 2, 3)
except TypeError: print("te19")
try:
    list(5)
except TypeError: print("te20")
try:
    ord("ab")
except TypeError: print("te21")
try:
    range(1, 2, 0)
except ValueError: print("ve8")
try:
    isinstance(1, 5)
except TypeError: print("te22")
