import copy


class K:
    shared = [0]

    def __init__(self, v):
        self.v = [v]
        self.me = self
        self.t = (self, self.v)


k = K(1)
a, b = copy.copy(k), copy.deepcopy(k)
k.v.append(2)
k.w = 3
print(a.v, b.v, a is k, b.me is b, b.t[0] is b, b.t[1] is b.v, a.me is k, hasattr(a, "w"), type(b) is K, b.shared is K.shared, a == k)


class L(list):
    pass


class D(dict):
    def __copy__(self):
        return "copied"

    def __deepcopy__(self, memo):
        return copy.deepcopy([1], memo)


l = L([[1], [2]])
l.name = ["n"]
m, n = copy.copy(l), copy.deepcopy(l)
l[0].append(5)
l.append(3)
l.name.append("o")
print(m, n, m.name, n.name, type(m) is L, copy.copy(D()), copy.deepcopy(D()), copy.deepcopy([k, k])[0].v)
pair = copy.deepcopy({"a": k, "b": [k]})
print(pair["a"] is pair["b"][0], pair["a"] is k)
try:
    raise ValueError("a", [1])
except ValueError as e:
    print(repr(copy.copy(e)), copy.deepcopy(e).args)
