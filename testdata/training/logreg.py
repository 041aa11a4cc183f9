"""Logistic regression on labels in NumPy: the oracle of logreg.star."""
import numpy as np

rng = np.random.RandomState(7)
examples, features, classes, batch_size = 200, 12, 5, 40
centres = rng.randn(classes, features)
labels = rng.randint(0, classes, size=examples)
points = centres[labels] + 0.8 * rng.randn(examples, features)
W, b = np.zeros((features, classes)), np.zeros(classes)


def probabilities(x):
    e = np.exp(x @ W + b - (x @ W + b).max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


batches = [slice(i, i + batch_size) for i in range(0, examples, batch_size)]
for epoch in range(4):
    for s in batches:
        x, y = points[s], labels[s]
        p = probabilities(x)
        print(repr(float(-np.log(p[np.arange(len(y)), y]).mean())))
        d = p.copy()
        d[np.arange(len(y)), y] -= 1
        d /= len(y)
        W -= 0.13 * (x.T @ d)
        b -= 0.13 * d.sum(axis=0)
print(repr(float(np.mean([(probabilities(points[s]).argmax(axis=1) != labels[s]).mean() for s in batches]))))
print(repr(float(np.abs(W).sum())))
