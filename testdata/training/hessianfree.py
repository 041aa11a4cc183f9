"""Hessian-free optimization in NumPy: the oracle of hessianfree.star."""
import numpy as np

rng = np.random.RandomState(17)
examples, n_in, n_hidden, n_out = 60, 3, 8, 2
x = rng.uniform(-2, 2, (examples, n_in))
t = np.stack([np.sin(x).sum(axis=1), np.cos(x[:, 0] * x[:, 1])], axis=1)
params = [rng.randn(n_in, n_hidden) / np.sqrt(n_in), np.zeros(n_hidden),
          rng.randn(n_hidden, n_out) / np.sqrt(n_hidden), np.zeros(n_out)]


def forward(params):
    W, b, V, c = params
    h = np.tanh(x @ W + b)
    return h, h @ V + c


def cost(params):
    return 0.5 * ((forward(params)[1] - t) ** 2).sum(axis=1).mean()


def pull(h, V, d):
    """The product of the transposed Jacobian with d, which has the outputs' shape."""
    dz = (d @ V.T) * (1 - h * h)
    return [x.T @ dz, dz.sum(axis=0), h.T @ d, d.sum(axis=0)]


def product(params, damping, directions):
    dW, db, dV, dc = directions
    h, _ = forward(params)
    push = ((x @ dW + db) * (1 - h * h)) @ params[2] + h @ dV + dc
    return [g + damping * d for g, d in zip(pull(h, params[2], push / examples), directions)]


def dot(p, q):
    return sum((a * b).sum() for a, b in zip(p, q))


strength = 1.0
for step in range(20):
    before = cost(params)
    print(repr(float(before)))
    h, o = forward(params)
    r = [-g for g in pull(h, params[2], (o - t) / examples)]
    d, p, rr = [0.0 * a for a in r], r, dot(r, r)
    for i in range(8):
        Gp = product(params, strength, p)
        alpha = rr / dot(p, Gp)
        d = [a + alpha * q for a, q in zip(d, p)]
        r = [a - alpha * q for a, q in zip(r, Gp)]
        rr, old = dot(r, r), rr
        p = [a + rr / old * q for a, q in zip(r, p)]
    there = [q + change for q, change in zip(params, d)]
    if cost(there) < before:
        strength, params = 0.7 * strength, there
    else:
        strength *= 2
print(repr(float(strength)))
for q in params:
    print(repr(float(np.abs(q).sum())))
