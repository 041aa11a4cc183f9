"""An LSTM (scan with two states) learns to give back the first of the numbers that it has seen; its first steps and gradients are NumPy's."""
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(5)
inputs, hidden, batch, steps = 2, 6, 20, 8


class LSTM(object):
    """One product makes all four gates: input, forget, output, and what is new."""
    def __init__(self, inputs, hidden):
        self.hidden = hidden
        self.W = theano.shared(rng.normal(0, 0.4, (inputs + hidden, 4 * hidden)), name="W")
        self.b = theano.shared(np.concatenate([np.zeros(hidden), np.ones(hidden), np.zeros(2 * hidden)]), name="b")
        self.out = theano.shared(rng.normal(0, 0.4, hidden), name="out")
        self.params = [self.W, self.b, self.out]

    def part(self, a, i):
        return a[:, i * self.hidden:(i + 1) * self.hidden]

    def step(self, x_t, h_tm1, c_tm1, W, b):
        a = T.dot(T.concatenate([x_t, h_tm1], axis=1), W) + b
        i, f, o = [T.nnet.sigmoid(self.part(a, k)) for k in range(3)]
        c_t = f * c_tm1 + i * T.tanh(self.part(a, 3))
        return [o * T.tanh(c_t), c_t]

    def __call__(self, x):
        zeros = T.zeros((x.shape[1], self.hidden))
        (h, c), updates = theano.scan(self.step, sequences=[x], outputs_info=[zeros, zeros], non_sequences=[self.W, self.b], name="lstm")
        assert not updates
        return T.dot(h[-1], self.out)


def sigmoid(a):
    return 1 / (1 + np.exp(-a))


def by_hand(x, y, W, b, out):
    """The cost, and its gradients, backwards through time."""
    n = hidden
    h, c = [np.zeros((x.shape[1], n))], [np.zeros((x.shape[1], n))]
    kept = []
    for x_t in x:
        z = np.concatenate([x_t, h[-1]], axis=1)
        a = z.dot(W) + b
        i, f, o, g = sigmoid(a[:, :n]), sigmoid(a[:, n:2 * n]), sigmoid(a[:, 2 * n:3 * n]), np.tanh(a[:, 3 * n:])
        c.append(f * c[-1] + i * g)
        h.append(o * np.tanh(c[-1]))
        kept.append((z, i, f, o, g))
    d = h[-1].dot(out) - y
    cost = np.mean(d ** 2)
    d = 2 * d / len(d)
    dW, db, dout = np.zeros_like(W), np.zeros_like(b), h[-1].T.dot(d)
    dh, dc = np.outer(d, out), np.zeros_like(c[0])
    for t in range(len(x))[::-1]:
        z, i, f, o, g = kept[t]
        tanh_c = np.tanh(c[t + 1])
        dc = dc + dh * o * (1 - tanh_c ** 2)
        da = np.concatenate([dc * g * i * (1 - i), dc * c[t] * f * (1 - f), dh * tanh_c * o * (1 - o), dc * i * (1 - g ** 2)], axis=1)
        dW += z.T.dot(da)
        db += da.sum(axis=0)
        dh = da.dot(W.T)[:, inputs:]
        dc = dc * f
    return [cost, dW, db, dout]


def draw(n):
    x = rng.uniform(-1, 1, (steps, n, inputs))
    return x, x[0, :, 0]


net = LSTM(inputs, hidden)
x, y = T.dtensor3("x"), T.dvector("y")
cost = T.mean((net(x) - y) ** 2)
grads = theano.grad(cost, wrt=net.params)
evaluate = theano.function(inputs=[x, y], outputs=[cost] + grads)


def check(n):
    vx, vy = draw(n)
    got, want = evaluate(vx, vy), by_hand(vx, vy, *[p.get_value() for p in net.params])
    worst = max([np.abs(g - w).max() / (1 + np.abs(w).max()) for g, w in zip(got, want)])
    assert worst < 1e-10, worst
    return float(got[0])


print("before training the mean square error is %.4f" % check(50))
velocities = [theano.shared(p.get_value() * 0.0) for p in net.params]
updates = []
for p, g, v in zip(net.params, grads, velocities):
    updates.append((v, 0.95 * v - 0.02 * g))
    updates.append((p, p + 0.95 * v - 0.02 * g))
train = theano.function([x, y], cost, updates=updates, name="train")
for epoch in range(1500):
    train(*draw(batch))
after = check(200)
assert after < 0.02, after
print("after training it is below 0.02:", after < 0.02)
