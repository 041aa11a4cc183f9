from collections import namedtuple
class P(namedtuple("P", "x y")):
    __slots__ = ()
    @property
    def norm(self):
        return (self.x ** 2 + self.y ** 2) ** 0.5
    def __add__(self, o):
        return P(self.x + o.x, self.y + o.y)
p = P(3, y=4)
print(p, p.norm, p + P(1, 1), p == (3, 4), isinstance(p, tuple), P._fields == ("x", "y"), p._replace(x=1), len(p), p[0])
x, y = p
print(x, y, hash(p) == hash((3, 4)), sorted([P(2, 1), P(1, 5)])[0].y, {p: 1}[(3, 4)])
Base = namedtuple("Base", ["a", "b", "c"], defaults=[5, 6])
class Q(Base):
    def __new__(cls, a, b=7):
        return super().__new__(cls, a, b)
q = Q(1)
print(q.a, q.b, q.c, q._asdict() == {"a": 1, "b": 7, "c": 6}, Q._make([1, 2]) if False else "", issubclass(Q, tuple))
try:
    P(1)
except TypeError as e:
    print("TypeError")
class Empty(namedtuple("E", "")): pass
print(len(Empty()))
