"""Logistic regression in NumPy: the oracle of train.star. It writes costs.txt:

    python3 testdata/logreg/train.py > testdata/logreg/costs.txt
"""
import numpy as np

rng = np.random.RandomState(42)
N, feats = 400, 784
X, Y = rng.randn(N, feats), rng.randint(0, 2, size=N).astype("float64")
w, b = rng.randn(feats) * 0.01, 0.0
for i in range(100):
    p = 1 / (1 + np.exp(-np.dot(X, w) - b))
    xent = -Y * np.log(p) - (1 - Y) * np.log(1 - p)
    print(repr(float(xent.mean() + 0.01 * (w ** 2).sum())))
    d = (p - Y) / N
    w, b = w - 0.1 * (np.dot(X.T, d) + 0.02 * w), b - 0.1 * d.sum()
