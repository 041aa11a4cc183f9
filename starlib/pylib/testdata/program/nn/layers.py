import numpy as np
import theano
import theano.tensor as T
from collections import OrderedDict

def dense(rng, n, m, name):
    return theano.shared(rng.uniform(-0.1, 0.1, (n, m)), name=name)

def sgd(cost, params, lr):
    updates = OrderedDict()
    for p, g in zip(params, T.grad(cost, params)):
        updates[p] = p - lr * g
    return updates
