# What a caught KeyError says: its key.
def t(f):
    try:
        f()
        print("no error")
    except KeyError as e:
        print(type(e).__name__, repr(e.args), str(e), repr(e), e.args[0] if e.args else None)
d = {"a": 1}
import collections
class K:
    def __repr__(self): return "<K>"
    def __hash__(self): return 3
k = K()
t(lambda: d["b"]); t(lambda: d[1]); t(lambda: d[(1, "x")]); t(lambda: d[None]); t(lambda: d[1.5]); t(lambda: d[k]); t(lambda: d.pop("z")); t(lambda: {}.popitem())
t(lambda: {1, 2}.remove(5)); t(lambda: set().pop()); t(lambda: collections.Counter().pop("q")); t(lambda: collections.OrderedDict()["x"])
t(lambda: collections.defaultdict()["x"]); t(lambda: "%(x)s" % {}); t(lambda: "{x}".format()); t(lambda: "{x}".format_map({}) if hasattr("", "format_map") else {}["x"])
def dl():
    del d["nope"]
t(dl)
def au():
    d["nope"] += 1
t(au)
def un():
    raise KeyError
t(un)
def r1():
    raise KeyError("msg")
t(r1)
def r2():
    raise KeyError("a", 2)
t(r2)
class D(dict): pass
t(lambda: D()["q"])
class M(dict):
    def __missing__(self, key):
        raise KeyError(key)
t(lambda: M()["q"])
s = {1}
def rm(): s.remove((1, 2))
t(rm)

def idx():
    x = {"k": {}}
    return x["k"]["deep"]
t(idx)
