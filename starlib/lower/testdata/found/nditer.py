a = np.arange(6).reshape(2, 3)
it = np.nditer(a, flags=["multi_index"], op_flags=["readwrite"])
while not it.finished:
    ix = it.multi_index
    old = a[ix]
    a[ix] = old + 1
    it[0] = it[0] * 2
    print(ix, it[0], it.value, it.iterindex, old)
    it.iternext()
print(a, it.finished, it.itersize)
for x in np.nditer(a):
    print(x, end=" ")
for x in np.nditer(a.T):
    print(x, end=" ")
for x in np.nditer(a.T, order="C"):
    print(x, end=" ")
for x in np.nditer(a[:, ::-1], order="F"):
    print(x, end=" ")
for x in np.nditer(a[::-1]):
    print(x, end=" ")
with np.nditer(a, op_flags=["readwrite"]) as it:
    for x in it:
        x[...] = 2 * x
print(a)
it = np.nditer(a, flags=["f_index"])
print(it.ndim, it.nop)
print([(int(x), it.index) for x in it])
it = np.nditer(a, flags=["c_index"])
print([it.index for x in it if x > 10])
print([(int(x), int(y)) for x, y in np.nditer([np.arange(3), np.arange(2).reshape(2, 1)])])
for x in np.nditer(np.float32(3)):
    print(x, x.shape, x.dtype)
try:
    for x in np.nditer(a):
        x[...] = 1
except ValueError:
    print("read only")
try:
    np.nditer(np.zeros((0, 2)))
except ValueError:
    print("empty")
print([x for x in np.nditer(np.zeros((0, 2)), flags=["zerosize_ok"])])
it = np.nditer(np.arange(3))
next(iter(it))
it.iternext()
it.reset()
print(int(it.value))
