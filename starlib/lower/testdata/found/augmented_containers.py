from collections import Counter, defaultdict, deque
class L(list): pass
class D(dict): pass
l, d, q, c, f = L([1]), D(a=1), deque([1], maxlen=3), Counter("aab"), defaultdict(int, b=2)
all = [l, d, q, c, f]
names = list(all)
all[0] += [2]
all[0] *= 2
all[1] |= {"b": 2}
all[2] += (5, 6, 7)
all[3] += Counter("bc")
all[3] -= Counter("a")
all[3] &= Counter("abbb")
all[3] |= Counter("zz")
all[4] |= {"c": 3}
print([x is y for x, y in zip(all, names)], list(l), dict(d), list(q), sorted(c.items()), dict(f), type(all[0]).__name__)
