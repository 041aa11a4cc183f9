"""Regression by a Gaussian process, whose kernels are classes that can be added and multiplied."""
import functools

import numpy as np
import theano
import theano.tensor as T


def positive(value, name):
    """A parameter that stays positive: its logarithm is what is trained."""
    return theano.shared(np.log(value), name="log " + name)


class Kernel:
    params = ()

    def __call__(self, x, y):
        raise NotImplementedError

    def __add__(self, other):
        return Combination(lambda a, b: a + b, self, other)

    def __mul__(self, other):
        return Combination(lambda a, b: a * b, self, other)


class Combination(Kernel):
    def __init__(self, combine, *parts):
        self.combine, self.parts = combine, parts
        self.params = [p for k in parts for p in k.params]

    def __call__(self, x, y):
        return functools.reduce(self.combine, [k(x, y) for k in self.parts])


class Gaussian(Kernel):
    def __init__(self, length=1.0, size=1.0):
        self.length, self.size = positive(length, "length"), positive(size, "size")
        self.params = [self.length, self.size]

    def __call__(self, x, y):
        d = (x.dimshuffle(0, "x") - y.dimshuffle("x", 0)) / T.exp(self.length)
        return T.exp(2 * self.size - 0.5 * d ** 2)


class Periodic(Kernel):
    def __init__(self, period):
        self.period = positive(period, "period")
        self.params = [self.period]

    def __call__(self, x, y):
        d = x.dimshuffle(0, "x") - y.dimshuffle("x", 0)
        return T.exp(-2 * T.sin(np.pi * d / T.exp(self.period)) ** 2)


class Process:
    def __init__(self, kernel, noise=0.1):
        self.kernel, self.noise = kernel, positive(noise, "noise")
        self.params = list(kernel.params) + [self.noise]
        x, y, z = T.vectors("x", "y", "z")
        K = kernel(x, x) + T.exp(2 * self.noise) * T.eye(x.shape[0])
        L = T.slinalg.cholesky(K)
        a = T.slinalg.solve_upper_triangular(L.T, T.slinalg.solve_lower_triangular(L, y))
        nll = 0.5 * T.dot(y, a) + T.sum(T.log(T.diag(L))) + 0.5 * x.shape[0] * np.log(2 * np.pi)
        grads = T.grad(nll, self.params)
        self.nll = theano.function([x, y], nll)
        self.grads = theano.function([x, y], grads)
        self.fit = theano.function([x, y], nll, updates=[(p, p - 0.01 * T.clip(g, -5, 5)) for p, g in zip(self.params, grads)])
        across = kernel(z, x)
        V = T.slinalg.solve_lower_triangular(L, across.T)
        self.predict = theano.function([x, y, z], [T.dot(across, a), T.diag(kernel(z, z)) - T.sum(V ** 2, axis=0)])
        self.matrix = theano.function([x], K)


rng = np.random.RandomState(11)
x = np.sort(rng.uniform(0, 6, 15))
y = np.sin(2 * x) + 0.3 * x + 0.1 * rng.randn(15)
gp = Process(Gaussian(1.0) * Periodic(3.0) + Gaussian(3.0, 0.5))

K = gp.matrix(x)
sign, logdet = np.linalg.slogdet(K)
twin = 0.5 * y.dot(np.linalg.solve(K, y)) + 0.5 * logdet + 7.5 * np.log(2 * np.pi)
assert np.allclose(gp.nll(x, y), twin) and sign == 1
for p, g in zip(gp.params, gp.grads(x, y)):
    value, h = p.get_value(), 1e-6
    p.set_value(value + h)
    up = gp.nll(x, y)
    p.set_value(value - h)
    slope = (up - gp.nll(x, y)) / (2 * h)
    p.set_value(value)
    assert abs(slope - g) < 1e-5 * max(1, abs(g)), (p.name, slope, g)
    print("%-10s %10.5f %10.5f" % (p.name, value, g))

for step in range(61):
    nll = gp.fit(x, y)
    if step % 20 == 0:
        print("step %2d %.5f" % (step, nll))
mean, var = gp.predict(x, y, np.array([0.5, 3.0, 9.0]))
for m, v in zip(mean, var):
    print("%.5f +- %.5f" % (m, np.sqrt(v)))
try:
    Kernel()(x, x)
except NotImplementedError as e:
    print("NotImplementedError", e.args)
