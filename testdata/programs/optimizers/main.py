"""Each rule of descent of a package, on a valley, against itself on arrays."""
import numpy as np
import theano
import theano.tensor as T

from updates import *
from updates.rules import Momentum as M

A = np.array([[3.0, 0.5], [0.5, 0.3]])
c = np.array([1.0, -2.0])


def compare(rule, n=40):
    w = theano.shared(np.array([4.0, 4.0]), name="w")
    cost = 0.5 * T.dot(w - c, T.dot(A, w - c))
    train = theano.function([], cost, updates=rule.updates(cost, [w]))
    costs = [float(train()) for _ in range(n)]
    twin = rule.run(np.array([4.0, 4.0]), lambda p: A.dot(p - c), n)
    assert np.allclose(w.get_value(), twin, rtol=1e-9, atol=1e-12), (rule, w.get_value(), twin)
    return costs, w.get_value()


if __name__ == "__main__":
    assert M is Momentum and issubclass(AdaDelta, AdaGrad)
    for rule in [SGD(), Momentum(0.05), Nesterov(0.05, momentum=0.8), AdaGrad(1.0), RMSProp(0.1), AdaDelta(1.0), Adam(0.3)]:
        costs, w = compare(rule)
        print("%-20s %.6f -> %.6f at %9.6f %9.6f" % (rule, costs[0], costs[-1], w[0], w[1]))
    try:
        SGD(momentum=0.9)
    except TypeError as e:
        print("TypeError:", e)
    try:
        Rule().run(np.zeros(2), lambda p: p, 1)
    except NotImplementedError as e:
        print("NotImplementedError:", e)
    print("total %.1f" % total([np.ones((2, 3)), np.arange(4)]))
