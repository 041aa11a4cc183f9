"""Metropolis' walk over an Ising model and over a density on the line, with Python's and NumPy's numbers."""
import itertools
import math
import random

import numpy as np


class Chain(object):
    """A walk: subclasses propose, and say how likely places are."""

    def __init__(self, start):
        self.state = start
        self.steps = self.accepted = 0

    def propose(self):
        raise NotImplementedError

    def log_ratio(self, proposal):
        raise NotImplementedError

    def move(self, proposal):
        self.state = proposal

    def uniform(self):
        return random.random()

    def step(self):
        proposal = self.propose()
        self.steps += 1
        if math.log(self.uniform() + 1e-300) < self.log_ratio(proposal):
            self.accepted += 1
            self.move(proposal)
        return self.state

    def walk(self, n):
        return [self.step() for _ in range(n)]


class Ising(Chain):
    """Spins on a torus. A proposal is a place to flip."""

    def __init__(self, n, beta):
        super(Ising, self).__init__(np.ones((n, n), dtype=int))
        self.n, self.beta = n, beta

    def propose(self):
        return random.randrange(self.n), random.randrange(self.n)

    def neighbours(self, i, j):
        n = self.n
        return [self.state[(i + a) % n, (j + b) % n] for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))]

    def log_ratio(self, place):
        return float(-2 * self.beta * self.state[place] * sum(self.neighbours(*place)))

    def move(self, place):
        self.state[place] *= -1

    def energy(self):
        s = self.state
        return float(-(s * np.roll(s, 1, 0)).sum() - (s * np.roll(s, 1, 1)).sum())


class Line(Chain):
    """A density with two hills, by NumPy's numbers."""

    def __init__(self, rng, width=1.5):
        super(Line, self).__init__(0.0)
        self.rng, self.width = rng, width

    def uniform(self):
        return self.rng.uniform()

    def propose(self):
        return self.state + self.width * self.rng.normal()

    @staticmethod
    def log_density(x):
        return math.log(math.exp(-0.5 * (x + 1.5) ** 2) + 0.5 * math.exp(-2 * (x - 1.5) ** 2))

    def log_ratio(self, x):
        return self.log_density(x) - self.log_density(self.state)


def main():
    random.seed(2)
    for beta in (0.2, 0.44, 0.8):
        model = Ising(6, beta)
        for _ in range(1500):
            model.step()
        print("beta %.2f: magnetization %3d, energy %4d, accepted %d" % (beta, model.state.sum(), model.energy(), model.accepted))
    print("\n".join("".join("+" if s > 0 else "-" for s in row) for row in model.state))

    walk = Line(np.random.RandomState(17))
    samples = np.array(walk.walk(1500))
    print("mean %.6f, deviation %.6f, %.4f accepted" % (samples.mean(), samples.std(), walk.accepted / walk.steps))
    counts, edges = np.histogram(samples, bins=8, range=(-4, 4))
    for n, (a, b) in zip(counts, itertools.product(edges[:-1], [1])):
        print("%5.1f to %4.1f %4d %s" % (a, a + b, n, "#" * int(n // 20)))


if __name__ == "__main__":
    main()
