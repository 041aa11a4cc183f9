"""Newton's method for a Poisson regression in NumPy: the oracle of newton.star."""
import numpy as np

rng = np.random.RandomState(3)
examples, features = 80, 6
x = rng.randn(examples, features)
true_w = 0.5 * rng.randn(features)
y = rng.poisson(np.exp(np.dot(x, true_w))).astype("float64")
w = np.zeros(features)
for i in range(20):
    rate = x @ w
    cost = (np.exp(rate) - y * rate).mean() + 0.01 * (w ** 4).sum()
    g = x.T @ (np.exp(rate) - y) / examples + 0.04 * w ** 3
    H = (x.T * np.exp(rate)) @ x / examples + np.diag(0.12 * w ** 2)
    print(repr(float(cost)), repr(float(np.sqrt((g ** 2).sum()))), repr(float(np.linalg.det(H))))
    w -= 0.5 * np.linalg.solve(H + np.eye(features) / (1 + i), g)
for weight in w:
    print(repr(float(weight)))
