"""A deep highway network beside a plain one of the same depth: gates carry what they do not transform."""
import logging
import sys
from functools import reduce

import numpy as np
import theano
import theano.tensor as T

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")
logger = logging.getLogger(__name__)


class Layer:
    def __init__(self, n, rng):
        self.n, self.rng, self.params = n, rng, []

    def weight(self, name, value):
        p = theano.shared(np.asarray(value, dtype="float64"), name=name)
        self.params.append(p)
        return p

    def __call__(self, x):
        raise NotImplementedError

    def __rshift__(self, other):
        return Chain([self, other])


class Plain(Layer):
    def __init__(self, n, rng):
        super().__init__(n, rng)
        self.W = self.weight("W", rng.randn(n, n) / np.sqrt(n))
        self.b = self.weight("b", np.zeros(n))

    def __call__(self, x):
        return T.tanh(T.dot(x, self.W) + self.b)


class Highway(Plain):
    bias = -2.0

    def __init__(self, n, rng):
        super().__init__(n, rng)
        self.gate_W = self.weight("gate_W", 0.1 * rng.randn(n, n))
        self.gate_b = self.weight("gate_b", self.bias * np.ones(n))

    def gate(self, x):
        return T.nnet.sigmoid(T.dot(x, self.gate_W) + self.gate_b)

    def __call__(self, x):
        t = self.gate(x)
        return t * super().__call__(x) + (1 - t) * x


class Chain(Layer):
    def __init__(self, layers):
        super().__init__(layers[0].n, layers[0].rng)
        self.layers = layers

    @property
    def params(self):
        return [p for layer in self.layers for p in layer.params]

    @params.setter
    def params(self, value):
        if value:
            raise AttributeError("the parameters of a chain are those of its layers")

    def __call__(self, x):
        return reduce(lambda h, layer: layer(h), self.layers, x)

    def __rshift__(self, other):
        return Chain(self.layers + [other])

    def __len__(self):
        return len(self.layers)


def build(kind, depth, n, seed):
    rng = np.random.RandomState(seed)
    net = kind(n, rng)
    for _ in range(depth - 1):
        net = net >> kind(n, rng)
    return net


def forward(net, x):
    """The highway in NumPy."""
    for layer in net.layers:
        W, b, gW, gb = [p.get_value() for p in layer.params]
        t = 1 / (1 + np.exp(-(x.dot(gW) + gb)))
        x = t * np.tanh(x.dot(W) + b) + (1 - t) * x
    return x


rng = np.random.RandomState(10)
X = rng.randn(50, 6)
Y = np.sign(X[:, 0] * X[:, 1])
x, y = T.matrix("x"), T.vector("y")
for kind in (Plain, Highway):
    net = build(kind, 12, 6, 21)
    score = net(x)[:, 2]
    cost = T.mean(T.nnet.softplus(-3 * y * score))
    grads = T.grad(cost, net.params)
    size = theano.function([x, y], [T.sqrt(T.sum(g ** 2)) for g in grads])(X, Y)
    train = theano.function([x, y], cost, updates=[(p, p - 0.3 * g) for p, g in zip(net.params, grads)])
    if kind is Highway:
        assert np.allclose(theano.function([x], net(x))(X), forward(net, X))
    logger.info("%s: %d layers, %d parameters, first gradient %.6f", kind.__name__, len(net), len(net.params), size[0])
    for epoch in range(1, 41):
        loss = train(X, Y)
        if epoch % 20 == 0:
            logger.info("  epoch %d loss %.6f", epoch, loss)
try:
    net.params = [1]
except AttributeError as e:
    logger.warning("AttributeError: %s", e)
