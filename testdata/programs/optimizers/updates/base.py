from collections import OrderedDict

import numpy as np
import theano
import theano.tensor as T


class Rule(object):
    """A rule of descent. Subclasses say what one step is, of symbolic variables and of arrays alike."""
    slots = ()

    def __init__(self, rate=0.1, **options):
        self.rate = rate
        for name, v in options.items():
            if not hasattr(self, name):
                raise TypeError("%s has no option %s" % (type(self).__name__, name))
            setattr(self, name, v)

    def step(self, p, g, state, xp):
        raise NotImplementedError("a rule has to say what its step is")

    def updates(self, cost, params):
        out = OrderedDict()
        for p in params:
            state = [theano.shared(np.zeros_like(p.get_value()), name="%s_%s" % (p.name, s)) for s in self.slots]
            new, states = self.step(p, T.grad(cost, p), state, T)
            out[p] = new
            out.update(zip(state, states))
        return out

    def run(self, p, gradient, n):
        """n steps of arrays."""
        state = [np.zeros_like(p) for _ in self.slots]
        for _ in range(n):
            p, state = self.step(p, gradient(p), state, np)
        return p

    def __repr__(self):
        return "{}(rate={:g})".format(type(self).__name__, self.rate)


def total(arrays):
    return sum(float(np.sum(a)) for a in arrays)
