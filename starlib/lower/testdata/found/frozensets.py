# frozenset: a set that has a hash.
import copy, pickle
def t(f):
    try:
        x = f()
        if isinstance(x, (set, frozenset)):
            print(type(x) == frozenset, sorted(x))
        else:
            print(x)
    except Exception as e:
        print(type(e).__name__)
a = frozenset([3, 1, 2]); b = set([2, 3, 4]); e = frozenset()
t(lambda: a)
t(lambda: e)
t(lambda: frozenset("hello"))
t(lambda: frozenset(a) is a)
t(lambda: frozenset(1))
t(lambda: frozenset([[1]]))
t(lambda: frozenset(x=1))
for f in [lambda x, y: x | y, lambda x, y: x & y, lambda x, y: x - y, lambda x, y: x ^ y]:
    t(lambda: f(a, b))
    t(lambda: f(b, a))
    t(lambda: f(a, a))
    t(lambda: f(a, [1]))
for f in [lambda x, y: x == y, lambda x, y: x != y, lambda x, y: x < y, lambda x, y: x <= y, lambda x, y: x > y, lambda x, y: x >= y]:
    print(f(a, set(a)), f(set(a), a), f(a, b), f(b, a), f(a, e), f(e, a), f(a, frozenset([1, 2])))
t(lambda: a.union([9], (8,)))
t(lambda: a.intersection([1, 9], b))
t(lambda: a.intersection([1, 9]))
t(lambda: a.difference([1], [2]))
t(lambda: a.difference())
t(lambda: a.symmetric_difference([1, 1, 9]))
t(lambda: b.union(a))
t(lambda: a.copy() is a or a.copy() == a)
t(lambda: (a.issubset(b), a.issuperset([1]), a.isdisjoint([7]), e <= b))
for name in ["add", "remove", "discard", "pop", "clear", "update", "intersection_update", "difference_update", "symmetric_difference_update"]:
    print(name, hasattr(a, name), hasattr(b, name))
t(lambda: a.add(1))
t(lambda: hash(a) == hash(frozenset([2, 3, 1])))
t(lambda: hash(set(a)))
t(lambda: {a: 1}[frozenset([1, 2, 3])])
t(lambda: {a: 1}[frozenset([1, 2])])
t(lambda: len({frozenset([1, 2]), frozenset([2, 1]), frozenset([3]), frozenset(), e}))
t(lambda: {(1, a): 2}[(1, frozenset([3, 2, 1]))])
t(lambda: frozenset([frozenset([1]), frozenset([2])]) == frozenset([frozenset([2]), frozenset([1])]))
t(lambda: {1.0, True} == frozenset([1]))
t(lambda: hash(frozenset([1, 2])) == hash(frozenset([1.0, 2])))
c = a
c |= {7}
t(lambda: c)
t(lambda: a)
c &= {7, 1}
c -= {1}
c ^= {5}
t(lambda: c)
b |= a
t(lambda: b)
b -= frozenset([1, 4])
t(lambda: b)
t(lambda: (isinstance(a, set), isinstance(a, frozenset), isinstance(b, frozenset), isinstance(a, (list, frozenset))))
t(lambda: type(a) == set)
t(lambda: (len(a), 1 in a, 9 in a, bool(e), sum(a), max(a), list(e), any(a)))
t(lambda: [1] in a)
t(lambda: copy.copy(a))
t(lambda: copy.deepcopy([a])[0])
t(lambda: pickle.loads(pickle.dumps(a)))
t(lambda: pickle.loads(pickle.dumps({a: [a, b]}))[a][0])
t(lambda: set(a))
t(lambda: frozenset(x * x for x in range(4)))
t(lambda: frozenset({"k": 1}))
t(lambda: frozenset.union(a, [5]))
t(lambda: a[0])
t(lambda: a + a)
t(lambda: [x for x in sorted(frozenset(["b", "a"]))])
def default(x, seen=frozenset()):
    if x in seen:
        return 0
    return 1 + default(x + 1, seen | {x}) if x < 5 else len(seen)
t(lambda: default(0))
