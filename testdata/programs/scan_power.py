"""Power iteration (scan with until, and with a fixed number of steps): the largest eigenvalue, its vector, and the gradient of the eigenvalue through the loop."""
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(0)
M = rng.normal(0, 1, (6, 6))
M = M.dot(M.T)

A = T.dmatrix("A")
v0 = T.dvector("v0")
tolerance = T.dscalar("tolerance")


def step(v, A, tolerance):
    w = T.dot(A, v)
    w = w / T.sqrt(T.sum(w ** 2))
    return w, theano.scan_module.until(T.max(abs(w - v)) < tolerance)


vs, _ = theano.scan(step, outputs_info=v0, non_sequences=[A, tolerance], n_steps=10000)
v = vs[-1]
largest = T.dot(v, T.dot(A, v))
find = theano.function([A, v0, tolerance], [largest, v, vs.shape[0]])

start = np.ones(6)
value, vector, steps = find(M, start, 1e-14)
exact, vectors = np.linalg.eigh(M)
assert abs(value - exact[-1]) < 1e-10
assert np.abs(np.abs(vector) - np.abs(vectors[:, -1])).max() < 1e-10
assert 5 < steps < 10000

# The same loop of NumPy makes the same steps.
w, n = start, 0
while True:
    last, w, n = w, M.dot(w), n + 1
    w = w / np.sqrt(np.sum(w ** 2))
    if np.max(np.abs(w - last)) < 1e-14:
        break
assert abs(n - steps) <= 2, (n, steps)
print("the largest eigenvalue is %.10f, of numpy %.10f" % (value, exact[-1]))

# d lambda / dA is the outer product of the eigenvector with itself.
slope = theano.function([A, v0, tolerance], T.grad(largest, A))(M, start, 1e-14)
assert np.abs(slope - np.outer(vector, vector)).max() < 1e-10
print("its gradient is v v', trace %.6f" % np.trace(slope))

# Deflation: a loop of loops finds all of them, in order.


def next_pair(B, v0):
    u, _ = theano.scan(lambda v, B: T.dot(B, v) / T.sqrt(T.sum(T.dot(B, v) ** 2)), outputs_info=v0, non_sequences=B, n_steps=3000)
    u = u[-1]
    lam = T.dot(u, T.dot(B, u))
    return [B - lam * T.outer(u, u), lam]


(_, values), _ = theano.scan(next_pair, outputs_info=[A, None], non_sequences=v0, n_steps=4)
four = theano.function([A, v0], values)(M, start + 0.1 * np.arange(6))
assert np.abs(four - exact[::-1][:4]).max() < 1e-8, four - exact[::-1][:4]
print("the four largest:", " ".join(["%.6f" % l for l in four]))
