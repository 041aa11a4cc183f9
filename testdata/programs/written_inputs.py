# An input that the graph as written mentions is used, though its gradient or its shape does without it; one that no expression mentions is not.
import sys
import numpy as np
import theano
import theano.tensor as T

x, y = T.dscalars("x", "y")
v = T.dvector("v")
f = theano.function
print(f([x, y], T.grad(x + y, x))(1.0, 2.0), f([x], T.grad(3 * x, x))(1.0), T.grad(x + y, x).eval({x: 1.0, y: 2.0}))
print(f([x, y], T.grad(T.grad(x * y, x), y))(1.0, 2.0), f([x, y], T.grad(2 * x + 5 * y, [x, y]))(1.0, 2.0), f([x, y], T.grad(x * y, x))(1.0, 2.0))
print(f([x], x.size)(3.0), f([x], x.shape)(3.0), f([v], v.size)([1.0, 2.0]), f([x], T.grad(3 * x, x) * 2)(1.0))
print(f([x, y], theano.gradient.jacobian(T.stack([x, y]), x))(1.0, 2.0), f([v, x], theano.gradient.Rop(v * x, v, T.ones_like(v)))([1.0], 2.0))
w = theano.shared(0.0)
f([x], [], updates=[(w, T.grad(3 * x, x))])(1.0)
print(w.get_value())
hidden = y * 2
for inputs, out, givens in [([v, y], v * 2, {}), ([v, x, y], T.grad(v.sum() * x, v), {}), ([x, y], hidden + 1, {hidden: x})]:
    try:
        f(inputs, out, givens=givens)
        print("no error")
    except theano.compile.UnusedInputError as e:
        print("UnusedInputError", str(e).split("\n")[0])


k = T.dscalar("k")
print(f([v, k], theano.scan(lambda e: e * k, sequences=v, strict=True)[0])([1.0, 2.0], 3.0))
try:
    theano.scan(lambda e: e * w, sequences=v, strict=True)
except Exception as e:
    print(str(e).split("\n")[0][:60])


# verify_grad steps by eps, and adds up the cost of float32 in float64.
T.verify_grad(lambda a: T.sort(a), [np.random.RandomState(3).permutation(257) * 1.0], rng=np.random.RandomState(1), eps=0.01)
draw = np.random.RandomState(1234)
X = 1 + draw.random_sample([10, 20]).astype("float32")
B, G, M, V = [1 + draw.random_sample([20]).astype("float32") for i in range(4)]
for seed in range(5):
    T.verify_grad(lambda a, g, b, mean, s: (a - mean) * (g / s) + b, [X, G, B, M, V], rng=np.random.RandomState(seed))


class Lines:
    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text


lines = Lines()
p = f([v], v * 2, profile=True)
p([1.0])
p.profile.summary(file=lines)
with open("profile.txt", "w") as out:
    p.profile.summary(file=out)
print(lines.text.split("\n")[0], open("profile.txt").read().split("\n")[0], "Ops" in lines.text)
