"""A recurrent network, unrolled over time, that remembers the sign of the first number of a sequence."""
import argparse
import sys
from collections import OrderedDict

import numpy as np
import theano
import theano.tensor as T

floatX = theano.config.floatX


def arguments(argv):
    parser = argparse.ArgumentParser(description="a recurrent network")
    parser.add_argument("--hidden", type=int, default=6, help="units")
    parser.add_argument("--steps", type=int, default=5, help="length of the sequences")
    parser.add_argument("-e", "--epochs", type=int, default=60)
    parser.add_argument("--lr", type=float, default=0.05, dest="rate")
    parser.add_argument("--clip", type=float, default=1.0)
    parser.add_argument("--cell", choices=["plain", "gated"], default="gated")
    parser.add_argument("--quiet", action="store_true")
    return parser.parse_args(argv)


class Cell(object):
    """One step of time. Parameters are an OrderedDict, by name."""

    def __init__(self, n_in, n_hidden, rng):
        self.rng, self.n_hidden = rng, n_hidden
        self.params = OrderedDict()
        self.add("W", (n_in, n_hidden))
        self.add("U", (n_hidden, n_hidden))
        self.add("b", (n_hidden,))

    def add(self, name, shape):
        value = 0.5 * self.rng.randn(*shape) if len(shape) > 1 else np.zeros(shape)
        self.params[name] = theano.shared(value.astype(floatX), name=name)

    def step(self, x_t, h):
        p = self.params
        return T.tanh(T.dot(x_t, p["W"]) + T.dot(h, p["U"]) + p["b"])

    def numpy_step(self, x_t, h):
        p = {name: v.get_value() for name, v in self.params.items()}
        return np.tanh(x_t.dot(p["W"]) + h.dot(p["U"]) + p["b"])


class GatedCell(Cell):
    """A cell with a gate, which says how much of its state stays."""

    def __init__(self, n_in, n_hidden, rng):
        super().__init__(n_in, n_hidden, rng)
        self.add("V", (n_in + n_hidden, n_hidden))
        self.add("c", (n_hidden,))

    def step(self, x_t, h):
        gate = T.nnet.sigmoid(T.dot(T.concatenate([x_t, h], axis=1), self.params["V"]) + self.params["c"])
        return gate * h + (1 - gate) * super().step(x_t, h)

    def numpy_step(self, x_t, h):
        V, c = self.params["V"].get_value(), self.params["c"].get_value()
        gate = 1 / (1 + np.exp(-(np.concatenate([x_t, h], axis=1).dot(V) + c)))
        return gate * h + (1 - gate) * super().numpy_step(x_t, h)


def adam(cost, params, rate, clip, b1=0.9, b2=0.999, eps=1e-8):
    """Updates of all parameters, in their order, of gradients whose norm is bounded."""
    grads = T.grad(cost, list(params.values()))
    norm = T.sqrt(sum(T.sum(g ** 2) for g in grads))
    grads = [g * T.minimum(1.0, clip / norm) for g in grads]
    t = theano.shared(np.asarray(0., dtype=floatX), name="t")
    updates = OrderedDict([(t, t + 1)])
    for (name, p), g in zip(params.items(), grads):
        m = theano.shared(np.zeros_like(p.get_value()), name="m_%s" % name)
        v = theano.shared(np.zeros_like(p.get_value()), name="v_%s" % name)
        updates[m] = b1 * m + (1 - b1) * g
        updates[v] = b2 * v + (1 - b2) * g ** 2
        scale = rate * T.sqrt(1 - b2 ** (t + 1)) / (1 - b1 ** (t + 1))
        updates[p] = p - scale * updates[m] / (T.sqrt(updates[v]) + eps)
    return updates


def main(argv):
    args = arguments(argv)
    rng = np.random.RandomState(0)
    cell = {"plain": Cell, "gated": GatedCell}[args.cell](1, args.hidden, rng)
    cell.add("out", (args.hidden, 1))
    xs = rng.randn(40, args.steps, 1).astype(floatX)
    ys = (xs[:, :1, 0] > 0).astype(floatX)

    x, y = T.tensor3("x"), T.matrix("y")
    h = T.zeros((x.shape[0], args.hidden))
    for t in range(args.steps):
        h = cell.step(x[:, t], h)
    p = T.nnet.sigmoid(T.dot(h, cell.params["out"]))
    cost = T.nnet.binary_crossentropy(p, y).mean()
    train = theano.function([x, y], cost, updates=adam(cost, cell.params, args.rate, args.clip))
    predict = theano.function([x], p)

    state = np.zeros((40, args.hidden))
    for t in range(args.steps):
        state = cell.numpy_step(xs[:, t], state)
    twin = 1 / (1 + np.exp(-state.dot(cell.params["out"].get_value())))
    assert np.allclose(predict(xs), twin, atol=1e-12), "the graph is not what NumPy computes"

    print(" ".join(cell.params), sum(v.get_value().size for v in cell.params.values()))
    for epoch in range(args.epochs):
        loss = float(train(xs, ys))
        if not args.quiet and epoch % 10 == 9:
            print("{:3d} {:.6f}".format(epoch + 1, loss))
    print("right: %d of %d" % (((predict(xs) > 0.5) == ys).sum(), len(xs)))


if __name__ == "__main__":
    main(sys.argv[1:])
