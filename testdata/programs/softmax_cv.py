"""Softmax regression with cross-validation over a grid, whose results are a table in json."""
from __future__ import division

import itertools
import json
import os
from collections import OrderedDict, namedtuple
from functools import partial

import numpy as np
import theano
import theano.tensor as T

Result = namedtuple("Result", "rate decay error loss")


class SoftmaxRegression(object):
    classes = 3

    def __init__(self, n_in, rate=0.5, decay=0.0, epochs=30):
        self.rate, self.decay, self.epochs = rate, decay, epochs
        self.W = theano.shared(np.zeros((n_in, self.classes)), name="W")
        self.b = theano.shared(np.zeros(self.classes), name="b")
        X, y = T.dmatrix("X"), T.lvector("y")
        p = T.nnet.softmax(T.dot(X, self.W) + self.b)
        loss = T.nnet.categorical_crossentropy(p, y).mean()
        cost = loss + decay * (self.W ** 2).sum()
        grads = OrderedDict((v, T.grad(cost, v)) for v in (self.W, self.b))
        self._train = theano.function([X, y], cost, updates=[(v, v - rate * g) for v, g in grads.items()])
        self._score = theano.function([X, y], [T.neq(T.argmax(p, axis=1), y).mean(), loss])

    def fit(self, X, y):
        for _ in range(self.epochs):
            self._train(X, y)
        return self

    def score(self, X, y):
        return tuple(float(v) for v in self._score(X, y))


def numpy_fit(X, y, rate, decay, epochs):
    """The same in NumPy."""
    W, b = np.zeros((X.shape[1], 3)), np.zeros(3)
    for _ in range(epochs):
        e = np.exp(X.dot(W) + b)
        d = (e / e.sum(axis=1, keepdims=True) - np.eye(3)[y]) / len(y)
        W, b = W - rate * (X.T.dot(d) + 2 * decay * W), b - rate * d.sum(axis=0)
    return W, b


def folds(n, k):
    """What is trained with and what is tested with, k times."""
    parts = np.array_split(np.arange(n), k)
    for i in range(k):
        yield np.concatenate(parts[:i] + parts[i + 1:]), parts[i]


def cross_validate(make, X, y, k=4):
    scores = [make(X.shape[1]).fit(X[a], y[a]).score(X[b], y[b]) for a, b in folds(len(y), k)]
    return [sum(column) / len(scores) for column in zip(*scores)]


def main():
    rng = np.random.RandomState(8)
    y = rng.randint(0, 3, 80)
    X = rng.randn(80, 5) + 1.1 * np.eye(3, 5)[y]
    W, b = numpy_fit(X, y, 0.5, 0.01, 30)
    model = SoftmaxRegression(5, rate=0.5, decay=0.01).fit(X, y)
    assert np.allclose(model.W.get_value(), W) and np.allclose(model.b.get_value(), b)

    results = []
    for rate, decay in itertools.product([0.1, 0.5], [0.0, 0.01, 0.1]):
        error, loss = cross_validate(partial(SoftmaxRegression, rate=rate, decay=decay), X, y)
        results.append(Result(rate, decay, round(error, 6), round(loss, 6)))
    with open("results.json", "w") as f:
        f.write(json.dumps([dict(r._asdict()) for r in results]))
    with open("results.json") as f:
        rows = [Result(**row) for row in json.loads(f.read())]
    os.remove("results.json")
    assert rows == results
    best = min(rows, key=lambda r: (r.loss, r.rate))
    for r in rows:
        print("%4.1f %5.2f  %.4f  %.6f %s" % (r.rate, r.decay, r.error, r.loss, "<- best" if r is best else ""))
    print("best:", best._replace(error=0).decay, len(best))


if __name__ == "__main__":
    main()
