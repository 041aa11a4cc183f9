class W:
    pass
class Net:
    def __init__(self):
        self.params = [np.zeros(2), np.ones(3)]
def sgd(params, grads):
    for i in range(len(params)):
        params[i] -= 0.5 * grads[i]
net = Net()
w0 = net.params[0]
sgd(net.params, [np.ones(2), np.ones(3)])
print(net.params[0], net.params[1], w0)
o = W()
w = np.zeros(2)
o.w = w
o.w -= 1
print(w, o.w is w)
d = {"k": w}
d["k"] += w
print(w)
l = [[1]]
m = l[0]
l[0] += "ab"
l[0] *= 2
print(m, l)
t = ([1], {1})
try:
    t[0] += [2]
except TypeError as e:
    print("TypeError", [sorted(x) for x in t])
try:
    t[1] |= {3}
except TypeError as e:
    print("TypeError", [sorted(x) for x in t])
s = {1, 2}
u = s
s |= {5}
s -= {1}
s ^= {2, 7}
print(sorted(u), s is u)
log = []
def f(x):
    log.append(x)
    return x
q = {"a": [1, 2, 3]}
q[f("a")][f(1)] **= f(2)
q[f("a")][f(0):f(2)] += f([9])
print(q, log)
class V:
    def __init__(self, n): self.n = n
    def __iadd__(self, o):
        self.n += o
        return self
    def __imatmul__(self, o):
        self.n += 100
        return self
    def __ipow__(self, o):
        self.n += 1000
        return self
    __private = 3
    def go(self):
        self.__private += 4
        self.__private **= 2
        return self.__private
v = V(1)
o.v = v
o.v += 2
o.v @= 2
o.v **= 3
print(v.n, v.go(), o.v is v)
a = [1, 2]
b = a
b *= 2
print(a)
b *= -10**10
print(a)
a += (1, 2)
a += {5: 6}
print(b, [1] * -10**10, "ab" * -10**12, () * 10**12)
x = np.arange(6.0).reshape(2, 3)
r = x[1]
x[1] *= 2
x[:, 1] += 10
x[0, [0, 0]] += 1
x[x > 20] -= 5
x.T[0] **= 2
print(x, r)
z = [1, 2]
z += np.array([1, 2])
print(z)
dd = {1: 2}
ee = dd
dd |= {3: 4}
dd |= [(5, 6)]
print(ee)
i = 0
k = [0, 0, 0]
def g():
    global i
    i = 2
    return 5
k[i] += g()
print(k, i)
