# Arrays in containers, and in what computes with them: identity first, and nobody's memory changes.
import numpy as np
def f():
    a = np.ones(2) + 1
    l = [a]
    print(a in l, l.index(a), l.count(a), l == [a], (a,) == (a,), a in (a,))
    d = {}
    d["x"] = a * 2
    d.setdefault("y", a + 5)
    b = d.get("z", a * 3)
    l.append(a * 4)
    l.insert(0, a - 1)
    l += [a * 5]
    t = (a * 6, a)
    for i, v in enumerate([a + 1, a + 2]):
        a = a + v
    for u, v in zip(l, [a * 1.0]):
        a = a + u
    a = a + 1
    print(l, list(d.values()), b, t, a)
    s = [a * k for k in range(3)]
    c = [x + 1 for x in s]
    print(s, c, max(3, 4), sum(s), sorted([3, 1]), f"{a} {a * 2}", "%s" % (a * 2,), "{}".format(a + 1))
    g = (x * 2 for x in s)
    r = list(g)
    x, y = a + 1, a + 2
    x, y = y, x
    (p, q), z = (a * 2, a * 3), a
    a = a * 0
    m = [p, q, z, x, y]
    p = p * 100
    q = q * 100
    print(r, m, p, q)
    class C: pass
    o = C()
    o.w = a + 1
    for _ in range(3):
        o.w = o.w + 1
        o.w -= 0.5
        w = o.w
        w = w * 2
    print(o.w, w)
    D = {}
    for k in range(3):
        D[k, 1] = a + k
        D[k, 1] += 1
    print(D)
    return a + 1, [a + 2]
print(f())
u = f()[0]
v = u
u = u + 1
u += 1
print(u, v)
