"""Conjugate gradients for operators that are classes: a matrix is never made."""
from __future__ import division

import functools
import sys

import numpy as np


class Operator(object):
    """A linear function of vectors. Operators are added, scaled and composed."""

    def __init__(self, shape, apply, name):
        self.shape, self.apply, self.name = shape, apply, name
        self.calls = 0

    def __matmul__(self, other):
        if isinstance(other, Operator):
            return Operator((self.shape[0], other.shape[1]), lambda x: self @ (other @ x), "%s %s" % (self.name, other.name))
        if len(other) != self.shape[1]:
            raise ValueError("%s: got a vector of %d, want %d" % (self.name, len(other), self.shape[1]))
        self.calls += 1
        return self.apply(other)

    def __add__(self, other):
        return Operator(self.shape, lambda x: self @ x + other @ x, "(%s + %s)" % (self.name, other.name))

    def __rmul__(self, c):
        return Operator(self.shape, lambda x: c * (self @ x), "%g %s" % (c, self.name))

    def __neg__(self):
        return -1 * self

    def __repr__(self):
        return "<%s, %d x %d>" % ((self.name,) + self.shape)

    def dense(self):
        return np.array([self @ e for e in np.eye(self.shape[1])]).T


class Laplace(Operator):
    """Second differences on a grid, with zeros around it."""

    def __init__(self, n):
        super(Laplace, self).__init__((n * n, n * n), self.differences, "D")
        self.n = n

    def differences(self, x):
        u = np.zeros((self.n + 2, self.n + 2))
        u[1:-1, 1:-1] = x.reshape(self.n, self.n)
        return (4 * u - np.roll(u, 1, 0) - np.roll(u, -1, 0) - np.roll(u, 1, 1) - np.roll(u, -1, 1))[1:-1, 1:-1].ravel()


class Identity(Operator):
    def __init__(self, n):
        super(Identity, self).__init__((n, n), lambda x: x, "I")


class NotPositive(ArithmeticError):
    pass


def cg(A, b, tolerance=1e-10, callback=None):
    x = np.zeros_like(b)
    r = b - A @ x
    p, rr = r.copy(), r.dot(r)
    for n in range(2 * len(b)):
        if np.sqrt(rr) <= tolerance * np.linalg.norm(b):
            return x, n
        Ap = A @ p
        curvature = p.dot(Ap)
        if curvature <= 0:
            raise NotPositive("curvature %.6f in step %d of %r" % (curvature, n, A))
        alpha = rr / curvature
        x = x + alpha * p
        r = r - alpha * Ap
        rr, old = r.dot(r), rr
        p = r + rr / old * p
        if callback is not None:
            callback(n, np.sqrt(rr))
    raise ArithmeticError("no end")


n = 6
D, I = Laplace(n), Identity(n * n)
b = np.random.RandomState(9).randn(n * n)
for A in (D, D + 0.5 * I, functools.reduce(lambda a, c: a @ c, [D, D]) + I):
    norms = []
    x, steps = cg(A, b, callback=lambda n, norm: norms.append(norm))
    assert np.allclose(x, np.linalg.solve(A.dense(), b)), A
    print("%r: %d steps, x sums to %.6f, residual after 5: %.6f" % (A, steps, x.sum(), norms[4]))
print("calls:", D.calls > 100, I.calls > 20)
for bad in (lambda: cg(-D, b), lambda: D @ np.ones(3)):
    try:
        bad()
    except (NotPositive, ValueError) as e:
        print(type(e).__name__ + ":", e)
    finally:
        sys.stdout.flush()
