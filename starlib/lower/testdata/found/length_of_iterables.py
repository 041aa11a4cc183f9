# What goes through an instance does not fail where its __len__ does.
class D:
    def __init__(self, n): self.n = n
    def __iter__(self): return iter([1, 2])
    def __len__(self): return abs(self.n) % 5
class E(D):
    def __iter__(self):
        yield self.n + 1
class F(D):
    def __iter__(self): return iter([4, 5, 6])
    def __len__(self): return 1
class G:
    def __getitem__(self, i):
        if i > 2: raise IndexError(i)
        return i * i
    def __len__(self): return 1
for x in (D(None), D(1), E(None), E(2), F(1), G()):
    for f in (list, tuple, lambda x: sorted(set(x)), sorted, sum, lambda x: [*x], lambda x: dict.fromkeys(x), lambda x: list(map(str, x)), lambda x: list(zip(x, x)),
              lambda x: list(enumerate(x)), max, any, lambda x: [p for p in x], lambda x: "-".join([str(q) for q in x]), lambda x: list(zip(x, "abc"))):
        try:
            print(f(x))
        except TypeError as e:
            print("TypeError", "+" in str(e))
try:
    len(D(None))
except TypeError:
    print("no length")
list(E(None))
