# References that keep nothing alive.
import gc
import weakref


class Node:
    def __init__(self, name):
        self.name = name

    def greet(self):
        return "I am " + self.name


def gone():
    gc.collect()
    gc.collect()


a = Node("a")
r = weakref.ref(a)
print(r() is a, r().name, isinstance(r, weakref.ref), r == weakref.ref(a), hash(r) == hash(a))


def leave():
    b = Node("b")
    rb = weakref.ref(b, lambda ref: print("gone", ref() is None))
    print(rb().name)
    return rb


rb = leave()
gone()
print(rb() is None)

d = weakref.WeakValueDictionary()
d["a"] = a


def fill():
    d["x"] = Node("x")


fill()
gone()
print(",".join(sorted(d.keys())), len(d), "a" in d, "x" in d, d.get("x", 0), d["a"].name, ",".join([v.name for v in d.values()]))
try:
    d["x"]
except KeyError as e:
    print("KeyError")

k = weakref.WeakKeyDictionary()
k[a] = 1


def key():
    k[Node("y")] = 2


key()
gone()
print(len(k), k[a], ",".join([n.name for n in k]), list(k.values()), a in k, k.get(Node("z"), 5))

s = weakref.WeakSet([a])


def element():
    s.add(Node("e"))


element()
gone()
print(len(s), a in s, ",".join([n.name for n in s]))

m = weakref.WeakMethod(a.greet)
print(m()())
p = weakref.proxy(a)
print(p.name, p.greet())
p.name = "A"
print(a.name)


def finish():
    c = Node("c")
    return weakref.finalize(c, print, "finalized", 1)


f = finish()
gone()
print(f.alive)
g = weakref.finalize(a, print, "now")
print(g.alive, g.peek()[0] is a)
g()
print(g.alive, g.detach())
for x in [1, "a", (1,), None]:
    try:
        weakref.ref(x)
    except TypeError as e:
        print("TypeError")
