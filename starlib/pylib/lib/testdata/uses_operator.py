import operator
from operator import itemgetter, attrgetter, methodcaller
print(operator.add(2, 3), operator.sub(2, 3), operator.mul(2, 3), operator.truediv(3, 2), operator.floordiv(7, 2), operator.mod(7, 4), operator.pow(2, 10))
print(operator.neg(3), operator.pos(3), operator.inv(5), operator.abs(-4), operator.not_([]), operator.truth([1]))
print(operator.and_(6, 3), operator.or_(6, 3), operator.xor(6, 3), operator.lshift(1, 4), operator.rshift(16, 2))
print(operator.lt(1, 2), operator.le(2, 2), operator.eq(1, 2), operator.ne(1, 2), operator.ge(1, 2), operator.gt(1, 2))
print(operator.contains([1, 2], 2), operator.countOf([1, 2, 1], 1), operator.indexOf([5, 6, 7], 6), operator.concat([1], [2]))
print(sorted([(1, 3), (2, 1), (0, 2)], key=itemgetter(1)), list(map(itemgetter(0, -1), [(1, 2, 3), (4, 5, 6)])))
class P:
    def __init__(self, x):
        self.x = x
    def scaled(self, by, plus=0):
        return self.x * by + plus
p = P(4)
p.inner = P(7)
print(attrgetter("x")(p), attrgetter("inner.x")(p), attrgetter("x", "inner.x")(p), methodcaller("scaled", 3, plus=1)(p), methodcaller("upper")("abc"))
d = {}
operator.setitem(d, 1, 2)
print(operator.getitem(d, 1), len(d))
operator.delitem(d, 1)
print(len(d), operator.iadd([1], [2]), operator.is_(None, None), operator.is_not(1, None), operator.length_hint([1, 2]), operator.index(True))
for f in [lambda: operator.indexOf([], 1), lambda: attrgetter(1), lambda: itemgetter(5)([1])]:
    try:
        f()
    except Exception as e:
        print(type(e).__name__)
