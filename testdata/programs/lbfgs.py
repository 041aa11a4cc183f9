"""L-BFGS with a deque of steps, on logistic regression, beside gradient descent and Newton's method."""
from collections import deque

import numpy as np
import theano
import theano.tensor as T


class Flat(object):
    """Parameters of several shapes as one vector."""

    def __init__(self, **arrays):
        self.shapes = [(name, arrays[name].shape) for name in sorted(arrays)]
        self.start = np.concatenate([arrays[name].ravel() for name, _ in self.shapes])
        self.vector = T.vector("parameters")

    def __getattr__(self, name):
        at = 0
        for known, shape in self.shapes:
            n = int(np.prod(shape))
            if known == name:
                return self.vector[at:at + n].reshape(shape)
            at += n
        raise AttributeError("no parameter is called %s" % name)

    def __len__(self):
        return len(self.start)


class LBFGS(object):
    def __init__(self, f, memory=5):
        self.f = f
        self.pairs = deque(maxlen=memory)
        self.calls = 0

    def evaluate(self, x):
        self.calls += 1
        value, g = self.f(x)
        return float(value), g

    def direction(self, g):
        """The two loops over steps."""
        q, alphas = g.copy(), []
        for s, y in reversed(self.pairs):
            a = s.dot(q) / s.dot(y)
            alphas.append(a)
            q -= a * y
        if self.pairs:
            s, y = self.pairs[-1]
            q *= s.dot(y) / y.dot(y)
        for (s, y), a in zip(self.pairs, reversed(alphas)):
            q += (a - y.dot(q) / s.dot(y)) * s
        return -q

    def minimize(self, x, tolerance=1e-9, steps=60):
        value, g = self.evaluate(x)
        for step in range(steps):
            if np.linalg.norm(g) < tolerance:
                break
            d = self.direction(g)
            t = 1.0 if self.pairs else min(1.0, 1 / np.linalg.norm(g))
            while True:
                new_value, new_g = self.evaluate(x + t * d)
                if new_value <= value + 1e-4 * t * g.dot(d):
                    break
                t *= 0.5
            s, y = t * d, new_g - g
            if s.dot(y) > 1e-12:
                self.pairs.append((s, y))
            x, value, g = x + s, new_value, new_g
            if step % 5 == 0:
                print("step %2d %.9f" % (step, value))
        return x, value


rng = np.random.RandomState(4)
X = rng.randn(60, 4)
labels = np.argmax(X.dot(rng.randn(4, 3)) + rng.randn(60, 3), axis=1)

params = Flat(W=np.zeros((4, 3)), b=np.zeros(3))
data, target = theano.shared(X, name="X"), theano.shared(labels, name="y")
p = T.nnet.softmax(T.dot(data, params.W) + params.b)
cost = T.nnet.categorical_crossentropy(p, target).mean() + 0.005 * T.sum(params.vector ** 2)
f = theano.function([params.vector], [cost, T.grad(cost, params.vector)])

start = params.start
value, g = f(start)
onehot = np.eye(3)[labels]
by_hand = np.concatenate([(X.T.dot(1. / 3 - onehot) / 60).ravel(), (1. / 3 - onehot).mean(axis=0)])
assert np.allclose(g, by_hand) and np.allclose(value, np.log(3))

search = LBFGS(f)
x, value = search.minimize(start)
print("minimum %.9f, gradient below 1e-8: %s" % (value, np.linalg.norm(f(x)[1]) < 1e-8))
H = theano.function([params.vector], theano.gradient.hessian(cost, params.vector))
y = start.copy()
for _ in range(8):
    y = y - np.linalg.solve(H(y), f(y)[1])
print("Newton's method finds the same:", np.allclose(x, y, atol=1e-7))
z = start.copy()
for _ in range(search.calls): # as many as rounding makes the searches take
    z -= 0.5 * f(z)[1]
print("descent is still above by 0.01:", f(z)[0] - value > 0.01)
try:
    params.V
except AttributeError as e:
    print("AttributeError:", e)
