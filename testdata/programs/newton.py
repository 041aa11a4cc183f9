"""Newton's method in classes: steps of hessian and gradient, a line search, and errors of its own."""
from collections import namedtuple

import numpy as np
import theano
import theano.tensor as T

Step = namedtuple("Step", "n value slope length")


class OptimizationError(Exception):
    """What an optimizer cannot go on with."""


class NotDescending(OptimizationError):
    def __init__(self, at, slope):
        super().__init__("the slope at %s is %.3g" % (np.round(at, 3).tolist(), slope))
        self.at, self.slope = at, slope


class TooManySteps(OptimizationError):
    pass


class Function(object):
    """A function of a vector with its derivatives."""

    def __init__(self, expression):
        x = T.vector("x")
        y = expression(x)
        self.value = theano.function([x], y)
        self.gradient = theano.function([x], T.grad(y, x))
        self.hessian = theano.function([x], theano.gradient.hessian(y, x))

    def __call__(self, x):
        return float(self.value(x))

    def check(self, x, h=1e-5):
        """Derivatives agree with differences."""
        eye = np.eye(len(x))
        g = np.array([(self(x + h * e) - self(x - h * e)) / (2 * h) for e in eye])
        H = np.array([(self.gradient(x + h * e) - self.gradient(x - h * e)) / (2 * h) for e in eye])
        assert np.allclose(g, self.gradient(x), rtol=1e-6, atol=1e-6), g
        assert np.allclose(H, self.hessian(x), rtol=1e-6, atol=1e-5), H


class Newton(object):
    def __init__(self, f, tolerance=1e-10, limit=50, damping=None):
        self.f, self.tolerance, self.limit, self.damping = f, tolerance, limit, damping
        self.history = []

    def direction(self, x, g):
        H = self.f.hessian(x)
        if self.damping:
            w, V = np.linalg.eigh(H)
            w = np.maximum(abs(w), self.damping)
            return -V.dot(V.T.dot(g) / w)
        return -np.linalg.solve(H, g)

    def search(self, x, d, slope):
        """The longest of 1, 1/2, 1/4, ... that goes down enough."""
        y, t = self.f(x), 1.0
        while self.f(x + t * d) > y + 1e-4 * t * slope:
            t /= 2
        return t

    def __call__(self, x):
        x = np.asarray(x, dtype="float64")
        for n in range(self.limit):
            g = self.f.gradient(x)
            if abs(g).max() < self.tolerance:
                break
            d = self.direction(x, g)
            slope = float(d.dot(g))
            if not slope < 0:
                raise NotDescending(x, slope)
            t = self.search(x, d, slope)
            self.history.append(Step(n, self.f(x), slope, t))
            x = x + t * d
        else:
            raise TooManySteps("no minimum in %d steps" % self.limit)
        return x


rosenbrock = Function(lambda x: T.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2))
wells = Function(lambda x: T.sum(x ** 4 - 3 * x ** 2 + 0.5 * x) + x[0] * x[1])
for f in rosenbrock, wells:
    f.check(np.array([0.3, -0.7]))

solve = Newton(rosenbrock)
x = solve([-1.2, 1.0])
print("rosenbrock: %.8f %.8f in %d steps" % (x[0], x[1], len(solve.history)))
for step in solve.history[::4]:
    print("%2d value %.6f slope %.6f length %g" % step)

attempts = [("plain", dict()), ("damped", dict(damping=1e-3)), ("short", dict(damping=1e-3, limit=2))]
for name, options in attempts:
    try:
        x = Newton(wells, **options)([0.2, 0.1])
    except NotDescending as e:
        print(name, "stops:", e, e.slope > 0)
    except OptimizationError as e:
        print(name, "fails:", type(e).__name__, e)
    else:
        print(name, "finds %.6f %.6f" % tuple(x))
