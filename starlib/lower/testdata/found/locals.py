def f(a, *args, k=3, **kw):
    b = a + 1
    if a > 5:
        late = 1
    print("%(a)d %(b)d" % locals())
    print(sorted(locals()))
    print(list(locals()))
    for q in [1]:
        pass
    return locals()
print(f(1, 2, z=3) == {"a": 1, "args": (2,), "k": 3, "kw": {"z": 3}, "b": 2, "q": 1})
class A(object):
    def __init__(self, n_in, n_out, W=None):
        self.__dict__.update(locals())
        del self.self
        self.x = 1
    def other(self):
        y = 2
        def g(z):
            return sorted(locals()), y
        return g(1)
a = A(1, 2)
print(sorted(a.__dict__.items(), key=lambda kv: kv[0]), a.n_in, a.W)
print(a.other())
class Meta:
    m = 1
    n = 2
    names = sorted(k for k in locals() if k in ("m", "n"))
print(Meta.names)
def gen(n):
    x = 5
    for i in range(n):
        yield dict(locals())
print(list(gen(2)) == [{"n": 2, "x": 5, "i": 0}, {"n": 2, "x": 5, "i": 1}])
def tried():
    try:
        u = 1
        1 // 0
        w = 2
    except ZeroDivisionError:
        print(sorted(locals()))
    del u
    return sorted(vars())
print(tried())
top = 5
print("%(top)d" % locals(), "{top}".format(**locals()), locals()["top"], "top" in vars(), "nothing" in locals())
print((lambda u, v=2: sorted(locals().items()))(1))
def locs():
    locals = lambda: 7
    return locals()
print(locs())
class AttrDict(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self
d = AttrDict(a=1)
d.b = 2
d["c"] = 3
print(d.a, d["b"], d.c, sorted(d))
vars(a)["extra"] = 9
print(a.extra, "extra" in vars(a), a.__dict__.pop("extra"), hasattr(a, "extra"))
a.__dict__ = {"only": 1}
print(a.only, hasattr(a, "n_in"), vars(a))
e = ValueError(1, 2)
e.more = 3
print(e.args, e.__dict__, vars(e))
e.args = [4]
print(e.args, str(e), repr(e))
def outer(p):
    def inner():
        return p
    loc = sorted(locals())
    return loc
print(outer(3))
import argparse
ns = argparse.Namespace(n=3)
print(vars(ns))
