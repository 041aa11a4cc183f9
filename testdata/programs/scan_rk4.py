"""Differential equations by the method of Runge and Kutta (scan): a harmonic oscillator, the planets' problem, and a parameter fitted through the solver."""
import numpy as np
import theano
import theano.tensor as T


def rk4(f, y, h):
    """One step of length h of dy/dt = f(y), of variables and of arrays."""
    k1 = f(y)
    k2 = f(y + 0.5 * h * k1)
    k3 = f(y + 0.5 * h * k2)
    k4 = f(y + h * k3)
    return y + h / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)


def solve(f, y0, h, steps):
    """The same by NumPy."""
    ys = []
    y = np.array(y0)
    for _ in range(steps):
        y = rk4(f, y, h)
        ys.append(y)
    return np.array(ys)


h, n = T.dscalar("h"), T.iscalar("n")
y0 = T.dvector("y0")

# An oscillator: cos and sin.
turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
path, _ = theano.scan(lambda y, h: rk4(lambda y: T.dot(turn, y), y, h), outputs_info=y0, non_sequences=h, n_steps=n, name="oscillator")
oscillate = theano.function([y0, h, n], path)
got = oscillate([1.0, 0.0], 0.01, 1000)
want = solve(lambda y: turn.dot(y), [1.0, 0.0], 0.01, 1000)
assert np.abs(got - want).max() < 1e-10
times = 0.01 * np.arange(1, 1001)
assert np.abs(got[:, 0] - np.cos(times)).max() < 1e-8
# Half the step, a sixteenth of the error.
errors = [np.abs(oscillate([1.0, 0.0], 1.0 / k, 5 * k)[-1] - [np.cos(5), -np.sin(5)]).max() for k in [8, 16, 32]]
assert 12 < errors[0] / errors[1] < 20 and 12 < errors[1] / errors[2] < 20
print("an oscillator: the method is of order 4")

# A planet: position and velocity are two states.
def planet(r, v, h):
    def f(y):
        r, v = y[:2], y[2:]
        return T.concatenate([v, -r / T.sum(r ** 2) ** 1.5])
    y = rk4(f, T.concatenate([r, v]), h)
    return [y[:2], y[2:]]


r0, v0 = T.dvectors("r0", "v0")
(rs, vs), _ = theano.scan(planet, outputs_info=[r0, v0], non_sequences=h, n_steps=n)
energy = 0.5 * T.sum(vs ** 2, axis=1) - 1 / T.sqrt(T.sum(rs ** 2, axis=1))
fly = theano.function([r0, v0, h, n], [rs, vs, energy])
rs_value, vs_value, energy_value = fly([1.0, 0.0], [0.0, 1.2], 0.01, 3000)
want = solve(lambda y: np.concatenate([y[2:], -y[:2] / np.sum(y[:2] ** 2) ** 1.5]), [1.0, 0.0, 0.0, 1.2], 0.01, 3000)
assert np.abs(rs_value - want[:, :2]).max() < 1e-10 and np.abs(vs_value - want[:, 2:]).max() < 1e-10
assert np.abs(energy_value - energy_value[0]).max() < 1e-7
print("a planet: its energy stays %.6f" % energy_value[-1])

# Foxes and hares: the rates are found by gradients through the solver.
def lotka_volterra(dot_or_stack):
    def f(y, a):
        return dot_or_stack([a[0] * y[0] - a[1] * y[0] * y[1], a[2] * y[0] * y[1] - a[3] * y[1]])
    return f


rates = theano.shared(np.array([1.0, 0.8, 0.8, 1.0]), name="rates")
symbolic, numeric = lotka_volterra(T.stack), lotka_volterra(np.array)
counts, _ = theano.scan(lambda y, h, a: rk4(lambda y: symbolic(y, a), y, h), outputs_info=y0, non_sequences=[h, rates], n_steps=60)
seen = T.dmatrix("seen")
cost = T.mean((counts - seen) ** 2)
slope = T.grad(cost, rates)
true = np.array([1.1, 0.9, 0.7, 1.2])
truth = solve(lambda y: numeric(y, true), [1.0, 0.5], 0.1, 60)
evaluate = theano.function([y0, h, seen], [counts, cost, slope])


def by_hand(a):
    ys = solve(lambda y: numeric(y, a), [1.0, 0.5], 0.1, 60)
    return ys, np.mean((ys - truth) ** 2)


got = evaluate([1.0, 0.5], 0.1, truth)
want = by_hand(rates.get_value())
assert np.abs(got[0] - want[0]).max() < 1e-10 and abs(got[1] - want[1]) < 1e-10
for i in range(4):
    d = np.eye(4)[i] * 1e-6
    difference = (by_hand(rates.get_value() + d)[1] - by_hand(rates.get_value() - d)[1]) / 2e-6
    assert abs(got[2][i] - difference) < 1e-7
# Gauss and Newton, by a Jacobian through the loop: products with it, one for each rate.
push = theano.function([y0, h], [counts] + [T.Rop(counts, rates, T.constant(np.eye(4)[i])) for i in range(4)])
for i in range(8):
    out = push([1.0, 0.5], 0.1)
    J = np.stack([v.ravel() for v in out[1:]], axis=1)
    residual = (truth - out[0]).ravel()
    rates.set_value(rates.get_value() + np.linalg.solve(J.T.dot(J), J.T.dot(residual)))
assert np.abs(rates.get_value() - true).max() < 1e-8
print("foxes and hares: the rates are", " ".join(["%.3f" % a for a in rates.get_value()]))
