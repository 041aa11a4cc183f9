"""A maxout network, with column norms that are bounded, on exclusive or with noise."""
from __future__ import print_function

import numpy as np
import theano
import theano.tensor as T

floatX = theano.config.floatX


class Maxout(object):
    """The largest of some linear functions."""
    made = 0

    def __init__(self, rng, input, n_in, n_units, pieces=3):
        Maxout.made += 1
        self.name = "maxout%d" % Maxout.made
        self.W = theano.shared(np.asarray(0.5 * rng.randn(n_in, n_units * pieces), dtype=floatX), name=self.name + ".W")
        self.b = theano.shared(np.zeros((n_units * pieces,), dtype=floatX), name=self.name + ".b")
        z = T.dot(input, self.W) + self.b
        self.output = T.max(z.reshape((z.shape[0], n_units, pieces)), axis=2)
        # the same, as the largest of slices
        largest = None
        for i in range(pieces):
            t = z[:, i::pieces]
            if largest is None:
                largest = t
            else:
                largest = T.maximum(largest, t)
        self.by_slices = largest
        self.params = [self.W, self.b]


class Network(object):
    def __init__(self, rng, sizes, max_norm=2.0):
        self.x, self.y = T.matrix("x"), T.ivector("y")
        self.layers, self.max_norm = [], max_norm
        out = self.x
        for n_in, n_out in zip(sizes[:-2], sizes[1:-1]):
            self.layers.append(Maxout(rng, out, n_in, n_out))
            out = self.layers[-1].output
        self.W = theano.shared(0.1 * rng.randn(sizes[-2], sizes[-1]).astype(floatX), name="out.W")
        self.p = T.nnet.softmax(T.dot(out, self.W))
        self.params = [p for layer in self.layers for p in layer.params] + [self.W]
        self.cost = T.nnet.categorical_crossentropy(self.p, self.y).mean()

    def updates(self, rate, momentum):
        for p, g in zip(self.params, T.grad(self.cost, self.params)):
            v = theano.shared(p.get_value() * 0., broadcastable=p.broadcastable)
            step = momentum * v - rate * g
            new = p + step
            if p.ndim == 2:
                norms = T.sqrt(T.sum(T.sqr(new), axis=0))
                new = new * (T.clip(norms, 0, self.max_norm) / (1e-7 + norms))
            yield v, step
            yield p, new

    def trainer(self, **options):
        return theano.function([self.x, self.y], self.cost, updates=list(self.updates(**options)), allow_input_downcast=True)


rng = np.random.RandomState(42)
corners = rng.randint(0, 2, (80, 2))
X = (2 * corners - 1 + 0.3 * rng.randn(80, 2)).astype(floatX)
y = (corners[:, 0] != corners[:, 1]).astype("int32")

net = Network(rng, [2, 4, 3, 2])
print([layer.name for layer in net.layers] == ["maxout1", "maxout2"], Maxout.made, len(net.params))
both = theano.function([net.x], [net.layers[0].output, net.layers[0].by_slices])
out, slices = both(X)
z = X.dot(net.layers[0].W.get_value())
assert np.allclose(out, z.reshape(80, 4, 3).max(axis=2))
assert np.allclose(slices, np.maximum(np.maximum(z[:, 0::3], z[:, 1::3]), z[:, 2::3]))

theano.tensor.verify_grad(lambda w: T.max(T.dot(X[:5], w).reshape((5, 4, 3)), axis=2), [net.layers[0].W.get_value()], rng=rng)
train = net.trainer(rate=0.2, momentum=0.8)
wrong = theano.function([net.x, net.y], T.neq(T.argmax(net.p, axis=1), net.y).sum(), allow_input_downcast=True)
for epoch in range(1, 61):
    cost = train(X, y)
    if epoch % 15 == 0:
        print('epoch %d: cost %.6f, wrong %d' % (epoch, cost, wrong(X, y)))
norms = [np.sqrt((p.get_value() ** 2).sum(axis=0)).max() for p in net.params if p.ndim == 2]
assert all(n <= 2.0 + 1e-6 for n in norms), norms
print("largest norm %.5f" % max(norms))
