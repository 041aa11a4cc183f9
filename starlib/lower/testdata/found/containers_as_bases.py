class D(dict):
    def __init__(self, *a, **k):
        super().__init__(*a, **k)
        self.extra = 1

    def __getattr__(self, name):
        return self[name]

    def __missing__(self, k):
        return "missing " + str(k)


class AttrDict(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


class L(list):
    def total(self):
        return sum(self)


d = D(a=1)
d["b"] = 2
print(d.a, d["b"], d["zz"], len(d), list(d), d.extra, d, isinstance(d, dict), "a" in d, d.get("q", 5), sorted(d.items()), d == {"b": 2, "a": 1})
e = AttrDict(x=1)
e.y = 2
print(e.x, e["y"], dict(e), {**e}, e != {})
l = L([1, 2, 3])
l.append(4)
l[0] = 9
del l[1]
print(l, l.total(), len(l), l[1], l[1:], isinstance(l, list), [x for x in l], l + [1], [0] + l, sorted(l, reverse=True), 3 in l, bool(L()))
for bad in (lambda: l[7], lambda: hash(d), lambda: D(5), lambda: l["a"], lambda: {d: 1}):
    try:
        bad()
    except Exception as err:
        print(type(err).__name__)
print(dict.fromkeys([1, 2], 0), sorted(["b", "A"], key=str.lower))
