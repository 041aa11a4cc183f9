"""Mechanics from a Lagrangian alone: its derivatives are the equations of motion."""
import csv
import sys

import numpy as np
import theano
import theano.tensor as T


class System(object):
    """Accelerations solve H a = dL/dq - (d2L/dv dq) v, where H is the hessian of L in v."""
    names = ()

    def __init__(self, **constants):
        for name, x in constants.items():
            setattr(self, name, x)
        q, v = T.vectors("q", "v")
        kinetic, potential = self.kinetic(q, v), self.potential(q)
        L = kinetic - potential
        p = T.grad(L, v)
        mass = theano.gradient.hessian(kinetic, v)
        mixed = theano.gradient.jacobian(p, q, disconnected_inputs="ignore")
        force = T.grad(L, q) - T.dot(mixed, v)
        self.acceleration = theano.function([q, v], T.slinalg.solve(mass, force))
        self.energy = theano.function([q, v], kinetic + potential)

    def step(self, state, h):
        f = lambda s: np.concatenate([s[1:2], [self.acceleration(s[0], s[1])]])
        k1 = f(state)
        k2 = f(state + h / 2 * k1)
        k3 = f(state + h / 2 * k2)
        k4 = f(state + h * k3)
        return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    def run(self, q, v, time, h=0.01):
        state = np.array([q, v], dtype="float64")
        for n in range(int(round(time / h))):
            if n % 25 == 0:
                yield n * h, state
            state = self.step(state, h)
        yield time, state

    def __repr__(self):
        return self.__class__.__name__


class Spring(System):
    names = ("x",)
    m, k = 1.0, 4.0

    def kinetic(self, q, v):
        return 0.5 * self.m * T.sum(v ** 2)

    def potential(self, q):
        return 0.5 * self.k * T.sum(q ** 2)


class Pendulum(Spring):
    names = ("angle",)
    length, g = 1.0, 9.81

    def kinetic(self, q, v):
        return super().kinetic(q, self.length * v)

    def potential(self, q):
        return -self.m * self.g * self.length * T.cos(q[0])


class DoublePendulum(Pendulum):
    names = "angle 1", "angle 2"

    def kinetic(self, q, v):
        m, l = self.m, self.length
        return m * l ** 2 * (v[0] ** 2 + 0.5 * v[1] ** 2 + v[0] * v[1] * T.cos(q[0] - q[1]))

    def potential(self, q):
        return -self.m * self.g * self.length * (2 * T.cos(q[0]) + T.cos(q[1]))


def by_hand(s, q, v):
    """The double pendulum's accelerations, as books have them for equal masses and lengths."""
    d, g, l = q[0] - q[1], s.g, s.length
    M = np.array([[2, np.cos(d)], [np.cos(d), 1]])
    f = np.array([-v[1] ** 2 * np.sin(d) - 2 * g / l * np.sin(q[0]), v[0] ** 2 * np.sin(d) - g / l * np.sin(q[1])])
    return np.linalg.solve(M, f)


double = DoublePendulum()
q, v = np.array([0.7, -0.4]), np.array([1.1, 0.3])
assert np.allclose(double.acceleration(q, v), by_hand(double, q, v))
out = csv.writer(sys.stdout, lineterminator="\n")
for system, q, v in [(Spring(k=9.0), [1.0], [0.0]), (Pendulum(length=0.5), [0.3], [0.0]), (double, [0.5, 0.2], [0.0, 0.0])]:
    out.writerow([system, "energy"] + list(system.names))
    energies = []
    for time, (q, v) in system.run(q, v, 1.0):
        energies.append(float(system.energy(q, v)))
        out.writerow(["%.2f" % time, "%.6f" % energies[-1]] + ["%.6f" % x for x in q])
    assert max(energies) - min(energies) < 1e-5, energies
    if isinstance(system, Spring) and not isinstance(system, Pendulum):
        assert abs(q[0] - np.cos(3.0)) < 1e-6
