# Slices that are assigned and deleted, with all bounds and steps there are; the list itself as what is assigned.
class I:
    def __init__(self, n): self.n = n
    def __index__(self): return self.n
bounds = [None, 0, 1, 3, 9, -1, -2, -9]
for n in [0, 1, 2, 5]:
    for lo in bounds:
        for hi in bounds:
            for step in [None, 1, 2, 3, -1, -2]:
                s = slice(lo, hi, step)
                xs = list(range(n))
                gone = xs[:]
                del gone[s]
                many = []
                for new in [[], [7], [7.5, 8, None], xs]:
                    ys = xs[:]
                    if new is xs:
                        new = ys
                    try:
                        ys[s] = new
                        many.append(ys)
                    except Exception as e:
                        many.append(None)
                print(n, lo, hi, step, gone, many)
x = [1, 2, 3, 4]
x[I(1):I(3)] = (i * i for i in x)
print(x)
del x[I(4):], x[::I(2)]
print(x)
y = x
y[1:1] = (6, 7)
y[len(y):] = {5: 6}
print(x)
def grows():
    for i in range(3):
        x.append(i)
        yield -i
x[2:4] = grows()
print(x)
