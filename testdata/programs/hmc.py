"""Samples of a density by Hamiltonian dynamics, whose forces are gradients."""
from __future__ import division, print_function

import numpy as np
import theano
import theano.tensor as T


class Density(object):
    """exp(-energy); subclasses say what the energy is."""

    def __init__(self, dim):
        self.dim = dim
        q = T.dvector("q")
        e = self.energy(q)
        self.U = theano.function([q], e)
        self.grad_U = theano.function([q], T.grad(e, q))

    def energy(self, q):
        raise NotImplementedError


class Gaussian(Density):
    def __init__(self, mean, cov):
        self.mean, self.cov = np.array(mean), np.array(cov)
        self.precision = np.linalg.inv(self.cov)
        super(Gaussian, self).__init__(len(mean))

    def energy(self, q):
        d = q - self.mean
        return 0.5 * T.dot(d, T.dot(self.precision, d))


class Banana(Gaussian):
    """A gaussian that is bent."""

    def __init__(self, bend):
        self.bend = bend
        super(Banana, self).__init__([0., 0.], [[1.0, 0.0], [0.0, 0.3]])

    def energy(self, q):
        return super(Banana, self).energy(T.stack([q[0], q[1] + self.bend * (q[0] ** 2 - 1)]))


class HMC(object):
    def __init__(self, density, rng, step=0.15, length=12, target=0.8):
        self.density, self.rng, self.step, self.length, self.target = density, rng, step, length, target
        self.accepted = self.tried = 0
        self.worst = 0.0

    def leapfrog(self, q, p, step, n):
        g = self.density.grad_U
        p = p - step / 2 * g(q)
        for i in range(n):
            q = q + step * p
            p = p - step * (1 if i < n - 1 else 0.5) * g(q)
        return q, p

    def draw(self, q):
        p = self.rng.randn(self.density.dim)
        before = self.density.U(q) + 0.5 * p.dot(p)
        new, end = self.leapfrog(q, p, self.step, self.length)
        change = self.density.U(new) + 0.5 * end.dot(end) - before
        self.tried += 1
        if np.log(self.rng.uniform()) < -change:
            self.accepted += 1
            q = new
        return q

    def samples(self, n, burn=50):
        q = np.zeros(self.density.dim)
        for i in range(n + burn):
            q = self.draw(q)
            if i < burn:
                self.step *= 1.02 if self.rate > self.target else 0.98
            else:
                yield q

    @property
    def rate(self):
        return self.accepted / max(1, self.tried)


def check(density, rng):
    """Forces are gradients, and dynamics can be reversed."""
    q, h = rng.randn(density.dim), 1e-6
    slopes = [(density.U(q + h * e) - density.U(q - h * e)) / (2 * h) for e in np.eye(density.dim)]
    assert np.allclose(slopes, density.grad_U(q), atol=1e-6)
    sampler, p = HMC(density, rng), rng.randn(density.dim)
    q1, p1 = sampler.leapfrog(q, p, 0.1, 20)
    q2, p2 = sampler.leapfrog(q1, -p1, 0.1, 20)
    assert np.allclose(q, q2) and np.allclose(p, -p2)


if __name__ == "__main__":
    rng = np.random.RandomState(777)
    for density in (Gaussian([1.0, -2.0], [[1.0, 0.6], [0.6, 2.0]]), Banana(0.7)):
        check(density, rng)
        sampler = HMC(density, rng)
        draws = np.array(list(sampler.samples(400)))
        print("%s: %d of %d accepted" % (type(density).__name__, sampler.accepted, sampler.tried))
        print("mean %8.4f %8.4f" % tuple(draws.mean(axis=0)))
        print("cov  %8.4f %8.4f %8.4f" % tuple(np.cov(draws.T)[np.triu_indices(2)]))
    assert abs(draws[:, 0].mean()) < 0.5
