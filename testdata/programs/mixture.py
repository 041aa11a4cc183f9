"""A mixture of gaussians: by expectation and maximization, and by the gradient of its likelihood."""
import math
import random

import numpy as np
import theano
import theano.tensor as T


class Mixture(object):
    """k gaussians on a line. Weights are softmax of logits, widths exp of logarithms."""

    def __init__(self, means):
        k = len(means)
        self.logits = theano.shared(np.zeros(k), name="logits")
        self.means = theano.shared(np.array(means, dtype="float64"), name="means")
        self.logs = theano.shared(np.zeros(k), name="logs")
        self.params = [self.logits, self.means, self.logs]
        x = T.vector("x")
        z = (x.dimshuffle(0, "x") - self.means) / T.exp(self.logs)
        parts = T.log(T.nnet.softmax(self.logits.dimshuffle("x", 0))) - self.logs - 0.5 * z ** 2 - 0.5 * math.log(2 * math.pi)
        top = T.max(parts, axis=1, keepdims=True)
        self.ll = T.sum(top.flatten() + T.log(T.sum(T.exp(parts - top), axis=1)))
        self.likelihood = theano.function([x], self.ll)
        self.responsibilities = theano.function([x], T.nnet.softmax(parts))
        grads = T.grad(self.ll, self.params)
        self.gradients = theano.function([x], grads)
        self.ascend = theano.function([x], self.ll, updates=[(p, p + 0.01 * g) for p, g in zip(self.params, grads)])

    def em(self, x):
        r = self.responsibilities(x)
        n = r.sum(axis=0)
        means = (r * x[:, None]).sum(axis=0) / n
        var = (r * (x[:, None] - means) ** 2).sum(axis=0) / n
        for p, v in zip(self.params, (np.log(n / len(x)), means, 0.5 * np.log(var))):
            p.set_value(v)
        return self.likelihood(x)

    def __iter__(self):
        """Weight, mean and width of each part, by means."""
        e = np.exp(self.logits.get_value())
        rows = zip(e / e.sum(), self.means.get_value(), np.exp(self.logs.get_value()))
        return iter(sorted(rows, key=lambda row: row[1]))

    def __str__(self):
        return "; ".join("%.4f of %.4f +- %.4f" % row for row in self)


random.seed(20)
data = np.array([random.gauss(-2, 0.6) if random.random() < 0.3 else random.gauss(1.5, 1.0) for _ in range(120)])
print("%d numbers, mean %.6f" % (len(data), data.mean()))

byem, bygrad = Mixture([-1, 1]), Mixture([-1, 1])
w, m, s = np.full(2, 0.5), np.array([-1.0, 1.0]), np.ones(2)
twin = np.log((w * np.exp(-0.5 * ((data[:, None] - m) / s) ** 2) / s / np.sqrt(2 * np.pi)).sum(axis=1)).sum()
assert np.allclose(byem.likelihood(data), twin)

for p, g in zip(byem.params, byem.gradients(data)):
    value, h = p.get_value(), 1e-5
    for k in range(2):
        ends = []
        for sign in (1, -1):
            moved = value.copy()
            moved[k] += sign * h
            p.set_value(moved)
            ends.append(byem.likelihood(data))
        assert abs((ends[0] - ends[1]) / (2 * h) - g[k]) < 1e-5, p.name
    p.set_value(value)

last = -np.inf
for n in range(1, 61):
    now = byem.em(data)
    assert now > last - 1e-9, "it never goes down"
    last = now
    if n % 20 == 0:
        print("em %2d %.6f" % (n, now))
for n in range(1, 301):
    now = bygrad.ascend(data)
    if n % 100 == 0:
        print("gradient %3d %.6f" % (n, now))
print(byem)
print(bygrad)
assert np.allclose(list(map(list, byem)), list(map(list, bygrad)), atol=1e-2)
