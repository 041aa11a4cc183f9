x = np.array([1.5, -2.0, 0.25, 8.0])
y = np.array([3, 0, -7, 2])
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__.replace("UFunc", ""))
def a(): y[2] = float("inf")
def b(): y[2] = np.float64("nan")
def c(): y[1:] = float("inf")
def d(): y[[1, 2]] = float("nan")
def e():
    global y
    z = y.copy()
    z[2] /= y[1]
def f():
    z = y.copy()
    z[y > 0] = np.inf
def h():
    z = y.copy()
    z[1] = 1e30
def h2():
    z = y.copy()
    z[1] = 10**30
for q in [a, b, c, d, e, f, h, h2]: t(q)
print(y)
t(lambda: x + range(4))
def g():
    z = x.copy()
    z += range(4)
    return z
t(g)
def g1():
    z = x.copy()
    z //= range(1, 5)
    return z
t(g1)
