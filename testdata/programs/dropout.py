"""A network with dropout on noisy spirals, and a denoising autoencoder, as Theano's tutorials write them: masks and noise are random variables of the graph."""
from __future__ import print_function

import numpy as np
import theano
import theano.tensor as T
from theano.sandbox.rng_mrg import MRG_RandomStreams
from theano.tensor.shared_randomstreams import RandomStreams


def spirals(n, rng):
    radius = np.sqrt(rng.uniform(size=(n,))) * 3.0
    label = rng.randint(0, 2, size=(n,))
    angle = radius * 1.5 + np.pi * label
    x = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return x + rng.normal(0.0, 0.05, size=x.shape), label


class Layer(object):
    def __init__(self, rng, n_in, n_out, name):
        bound = np.sqrt(6.0 / (n_in + n_out))
        self.W = theano.shared(rng.uniform(-bound, bound, size=(n_in, n_out)), name="W_" + name)
        self.b = theano.shared(np.zeros((n_out,)), name="b_" + name)
        self.params = [self.W, self.b]

    def output(self, x):
        return T.dot(x, self.W) + self.b


def dropout(srng, x, keep):
    """Each number with the probability keep, scaled so that the mean stays; otherwise 0."""
    mask = srng.binomial(n=1, p=keep, size=x.shape, dtype=theano.config.floatX)
    return x * mask / keep


def momentum(cost, params, rate):
    updates = []
    for p in params:
        v = theano.shared(np.zeros_like(p.get_value()))
        g = T.grad(cost, p)
        updates.append((v, 0.9 * v - rate * g))
        updates.append((p, p + 0.9 * v - rate * g))
    return updates


def train_classifier():
    rng = np.random.RandomState(1)
    srng = RandomStreams(seed=17)
    x, y = T.matrix("x"), T.lvector("y")
    first, second = Layer(rng, 2, 40, "hidden"), Layer(rng, 40, 2, "out")
    hidden = T.tanh(first.output(x))
    noisy = T.nnet.softmax(second.output(dropout(srng, hidden, 0.8)))
    clean = T.nnet.softmax(second.output(hidden))
    cost = -T.mean(T.log(noisy)[T.arange(y.shape[0]), y])
    train = theano.function([x, y], cost, updates=momentum(cost, first.params + second.params, 0.1))
    errors = theano.function([x, y], T.mean(T.neq(T.argmax(clean, axis=1), y)))
    data, labels = spirals(400, rng)
    costs = [float(train(data, labels)) for _ in range(400)]
    print("cost: %.3f at first, %.3f in the end" % (costs[0], np.mean(costs[-20:])))
    wrong = float(errors(data, labels))
    print("errors without dropout: %.3f" % wrong)
    assert wrong < 0.08

    # Training goes on from a saved state as if nothing had happened.
    params = first.params + second.params
    kept = [p.get_value() for p in params]
    states = [s.get_value().get_state() for s, _ in srng.state_updates]
    one = theano.function([x, y], cost)
    before = [float(one(data, labels)) for _ in range(3)]
    for p, v in zip(params, kept):
        p.set_value(v)
    for (s, _), state in zip(srng.state_updates, states):
        r = s.get_value(borrow=True)
        r.set_state(state)
        s.set_value(r, borrow=True)
    assert [float(one(data, labels)) for _ in range(3)] == before
    assert before[0] != before[1]


def train_autoencoder():
    rng = np.random.RandomState(2)
    srng = MRG_RandomStreams(seed=23)
    x = T.matrix("x")
    W = theano.shared(rng.uniform(-0.3, 0.3, size=(12, 8)), name="W")
    b, c = theano.shared(np.zeros(8), name="b"), theano.shared(np.zeros(12), name="c")
    corrupted = srng.binomial(size=x.shape, n=1, p=0.7, dtype=theano.config.floatX) * x
    code = T.nnet.sigmoid(T.dot(corrupted, W) + b)
    z = T.nnet.sigmoid(T.dot(code, W.T) + c)
    cost = -T.mean(T.sum(x * T.log(z) + (1 - x) * T.log(1 - z), axis=1))
    train = theano.function([x], cost, updates=[(p, p - 0.5 * T.grad(cost, p)) for p in (W, b, c)])
    patterns = (rng.uniform(size=(4, 12)) < 0.5).astype(theano.config.floatX)
    data = np.concatenate([patterns] * 10)
    costs = [float(train(data)) for _ in range(600)]
    print("reconstruction: %.2f at first, %.2f in the end" % (costs[0], np.mean(costs[-20:])))
    assert np.mean(costs[-20:]) < 0.5 * costs[0]


def posterior():
    """Numbers through which gradients flow: standard ones, scaled (the reparametrisation of variational autoencoders)."""
    srng = RandomStreams(seed=5)
    mu, log_sigma = theano.shared(0.0, name="mu"), theano.shared(0.0, name="log_sigma")
    z = mu + T.exp(log_sigma) * srng.normal((200,))
    # The Kullback-Leibler distance to a normal distribution of mean 2 and deviation 0.5, without constants.
    cost = T.mean((z - 2.0) ** 2) / (2 * 0.25) - log_sigma
    step = theano.function([], cost, updates=[(p, p - 0.05 * T.grad(cost, p)) for p in (mu, log_sigma)])
    for _ in range(500):
        step()
    print("posterior: mean %.2f, deviation %.2f" % (mu.get_value(), np.exp(log_sigma.get_value())))
    assert abs(mu.get_value() - 2.0) < 0.1 and abs(np.exp(log_sigma.get_value()) - 0.5) < 0.1


def main():
    train_classifier()
    train_autoencoder()
    posterior()


if __name__ == "__main__":
    main()
