class Data:
    def __init__(self, xs):
        self.xs = xs

    def __len__(self):
        return len(self.xs)

    def __getitem__(self, i):
        if isinstance(i, slice):
            print(i.start, i.stop, i.step, i.indices(len(self)))
            return Data(self.xs[i])
        return self.xs[i]

    def __setitem__(self, key, x):
        self.xs[key] = x

    def __delitem__(self, i):
        del self.xs[i]


for xs in ([1, 2, 3, 4], (1, 2, 3, 4), "héllo", "hello", range(6)):
    d = Data(xs)
    print(list(d[1:3].xs), list(d[::-1].xs), list(d[-2:].xs), d[0], d[-1], list(d[:-1][1:].xs))
d = Data([1, 2, 3, 4])
d[1:2] = [7, 8, 9]
d[0] = 5
d[-1] += 2
del d[1]
del d[0:2]
print(d.xs)
parts = [slice(0, 2), slice(2, None)]
print([d.xs[p] for p in parts], [[1, 2, 3][p] for p in parts], "abc"[parts[0]], ["a", "b", "c"][parts[1]][0], "héy"[parts[0]])
m = {}
s = slice(1)
ys = [1, 2, 3]
ys[s] = []
ys[parts[1]] += [4]
print(ys, slice(1) == slice(None, 1), [1, 2, 3][slice(None, None, 2) if ys else 0], parts[0].stop, "abc"[int(1)], "héy"[int(1)])
for n in range(4):
    for by in (None, 1, -1, 2, -2):
        print(slice(None, None, by).indices(n), slice(1, 9, by).indices(n), slice(-2, -9, by).indices(n), slice(9, 0, by).indices(n))
try:
    ys[slice]
except TypeError:
    print("no")
try:
    ys[9]
except IndexError:
    print("no")
print({1: 2}[int(1)], [[1, 2], [3, 4]][int(1)][int(0)], d[0:1][0:1].xs)
