"""A network with batch normalization, whose running averages are updates beside those of the parameters."""
from collections import OrderedDict

import numpy as np
import theano
import theano.tensor as T


class Module(object):
    """Something with parameters, state, and parts that are modules too."""

    def __init__(self):
        self._parts = []
        self.updates = OrderedDict()

    def __setattr__(self, name, v):
        object.__setattr__(self, name, v)
        if isinstance(v, Module):
            self._parts.append(v)

    def parameters(self):
        own = [v for name, v in sorted(vars(self).items()) if name in getattr(self, "trained", ())]
        for part in self._parts:
            own += part.parameters()
        return own

    def all_updates(self):
        out = OrderedDict(self.updates)
        for part in self._parts:
            out.update(part.all_updates())
        return out

    def __call__(self, x, training=False):
        return self.forward(x, training)


class Linear(Module):
    trained = ("W",)

    def __init__(self, rng, n_in, n_out):
        super(Linear, self).__init__()
        self.W = theano.shared(rng.randn(n_in, n_out) / np.sqrt(n_in), name="W")

    def forward(self, x, training):
        return T.dot(x, self.W)


class BatchNorm(Module):
    trained = ("beta", "gamma")

    def __init__(self, n, momentum=0.9, epsilon=1e-5):
        super(BatchNorm, self).__init__()
        self.gamma, self.beta = theano.shared(np.ones(n), name="gamma"), theano.shared(np.zeros(n), name="beta")
        self.mean, self.var = theano.shared(np.zeros(n), name="mean"), theano.shared(np.ones(n), name="var")
        self.momentum, self.epsilon = momentum, epsilon

    def forward(self, x, training):
        if training:
            mean, var = x.mean(axis=0), x.var(axis=0)
            for running, now in ((self.mean, mean), (self.var, var)):
                self.updates[running] = self.momentum * running + (1 - self.momentum) * now
        else:
            mean, var = self.mean, self.var
        return (x - mean) / T.sqrt(var + self.epsilon) * self.gamma + self.beta


class Net(Module):
    def __init__(self, rng, sizes):
        super(Net, self).__init__()
        self.first, self.norm, self.last = Linear(rng, *sizes[:2]), BatchNorm(sizes[1]), Linear(rng, *sizes[1:])

    def forward(self, x, training):
        return self.last(T.nnet.relu(self.norm(self.first(x, training), training)), training)


rng = np.random.RandomState(6)
X = 3 + 5 * rng.randn(64, 4)
Y = np.sin(X[:, :1] / 4) + 0.1 * X[:, 1:2]

net = Net(rng, (4, 10, 1))
x, y = T.matrices("x", "y")
loss = T.mean((net(x, training=True) - y) ** 2)
params = net.parameters()
grads = T.grad(loss, params)
updates = net.all_updates()
assert len(updates) == 2
updates.update((p, p - 0.05 * g) for p, g in zip(params, grads))
train = theano.function([x, y], loss, updates=updates)
evaluate = theano.function([x, y], T.mean((net(x) - y) ** 2))
gradient = theano.function([x, y], grads)
print("parameters:", " ".join(p.name for p in params))

# one forward pass and its averages, in NumPy
h = X.dot(net.first.W.get_value())
a = np.maximum((h - h.mean(axis=0)) / np.sqrt(h.var(axis=0) + 1e-5), 0)
twin = np.mean((a.dot(net.last.W.get_value()) - Y) ** 2)
# a gradient through the averages, by differences
g = gradient(X, Y)[params.index(net.first.W)]
W = net.first.W.get_value()
ends = []
for step in (1e-5, -1e-5):
    moved = W.copy()
    moved[1, 2] += step
    net.first.W.set_value(moved)
    mean, var = net.norm.mean.get_value(), net.norm.var.get_value()
    ends.append(theano.function([x, y], loss)(X, Y))
net.first.W.set_value(W)
assert abs((ends[0] - ends[1]) / 2e-5 - g[1, 2]) < 1e-7
first = train(X, Y)
assert np.allclose(first, twin) and np.allclose(net.norm.mean.get_value(), 0.1 * h.mean(axis=0))
assert np.allclose(net.norm.var.get_value(), 0.9 + 0.1 * h.var(axis=0))

print("epoch   1 %.6f" % first)
for epoch in range(2, 101):
    now = train(X, Y)
    if epoch % 25 == 0:
        print("epoch %3d %.6f, with averages %.6f" % (epoch, now, evaluate(X, Y)))
