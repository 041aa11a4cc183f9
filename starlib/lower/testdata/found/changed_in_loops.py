from collections import Counter, defaultdict


def halve(d):
    for k in d:
        d[k] = d[k] / 2
    return d


l = [1, 2, 3, 4, 5, 6]
for x in l:
    if x % 2 == 0:
        l.remove(x)
print(l)
for x in l:
    if len(l) < 6:
        l.append(x * 10)
print(l)
for x in l:
    l.pop()
print(l, [l.append(x) for x in l if len(l) < 5], l)
for x in l:
    l[:] = []
print(l)


def inner(xs):
    seen = []
    for x in xs:
        seen.append(x)
        if x < 3:
            xs.insert(0, x + 1)
            del xs[-1:]
    return seen, xs


print(inner([1, 2]), halve({1: 2, 3: 8}), sorted(halve(defaultdict(float, a=1.0)).items()), halve(Counter("aab")))


class L(list):
    def twice(self):
        for x in self:
            if len(self) < 4:
                self.append(x)
        return self


print(L([1, 2]).twice())
for d in ({1: 2}, defaultdict(int, {1: 2}), Counter([1])):
    try:
        for k in d:
            d[k + 1] = 1
    except RuntimeError as e:
        print("changed", len(d), "size" in str(e))
    try:
        for k in d:
            del d[k]
    except RuntimeError:
        print("changed", len(d))
d = {1: 2, 2: 3}
for k in d:
    d.pop(k)
    break
for k in list(d):
    del d[k]
print(d)
for i in range(3):
    for x in [1, 2]:
        pass
