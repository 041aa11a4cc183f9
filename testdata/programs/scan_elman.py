"""An Elman network (scan) learns to say the parity of the bits that it has seen so far; its steps and gradients are NumPy's."""
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(11)
hidden, batch, steps = 8, 16, 12


def weights(*shape):
    return rng.uniform(-0.5, 0.5, shape)


names = ["W_in", "W", "b", "W_out", "b_out", "h0"]
values = [weights(1, hidden), weights(hidden, hidden), weights(hidden), weights(hidden, 1), weights(1), weights(hidden)]
params = [theano.shared(v, name=n) for n, v in zip(names, values)]
W_in, W, b, W_out, b_out, h0 = params

x = T.dtensor3("x")  # step, sequence, 1
y = T.dtensor3("y")


def step(x_t, h_tm1, W_in, W, b, W_out, b_out):
    h_t = T.tanh(T.dot(x_t, W_in) + T.dot(h_tm1, W) + b)
    return h_t, T.nnet.sigmoid(T.dot(h_t, W_out) + b_out)


start = T.zeros((x.shape[1], hidden)) + h0
[h, p], _ = theano.scan(step, sequences=x, outputs_info=[start, None], non_sequences=[W_in, W, b, W_out, b_out], strict=True, name="elman")
cost = T.nnet.binary_crossentropy(p, y).mean()
grads = T.grad(cost, params)
evaluate = theano.function([x, y], [p, cost] + grads)

bits = rng.randint(0, 2, (steps, batch, 1)).astype("float64")
parity = np.cumsum(bits, axis=0) % 2


def by_hand(x, y, W_in, W, b, W_out, b_out, h0):
    """What the network says, the cost, and its gradients, backwards through time."""
    h = [np.zeros((x.shape[1], hidden)) + h0]
    p = []
    for x_t in x:
        h.append(np.tanh(x_t.dot(W_in) + h[-1].dot(W) + b))
        p.append(1 / (1 + np.exp(-(h[-1].dot(W_out) + b_out))))
    p = np.array(p)
    cost = -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))
    dW_in, dW, db, dW_out, db_out = [np.zeros_like(v) for v in (W_in, W, b, W_out, b_out)]
    dh = np.zeros_like(h[0])
    for t in range(len(x))[::-1]:
        d = (p[t] - y[t]) / p.size
        dW_out += h[t + 1].T.dot(d)
        db_out += d.sum(axis=0)
        da = (dh + d.dot(W_out.T)) * (1 - h[t + 1] ** 2)
        dW_in += x[t].T.dot(da)
        dW += h[t].T.dot(da)
        db += da.sum(axis=0)
        dh = da.dot(W.T)
    return [p, cost, dW_in, dW, db, dW_out, db_out, dh.sum(axis=0)]


def same(got, want):
    for g, w in zip(got, want):
        assert np.shape(g) == np.shape(w)
        assert np.abs(g - w).max() <= 1e-10 * (1 + np.abs(w).max()), np.abs(g - w).max()


same(evaluate(bits, parity), by_hand(bits, parity, *values))
print("the first cost is %.6f" % evaluate(bits, parity)[1])

# Adam, with its moments in shared variables.
updates = []
count = theano.shared(0.0, name="count")
rate = 0.03 * T.sqrt(1 - 0.999 ** (count + 1)) / (1 - 0.9 ** (count + 1))
for v, g in zip(params, grads):
    m, s = theano.shared(np.zeros_like(v.get_value())), theano.shared(np.zeros_like(v.get_value()))
    m_new, s_new = 0.9 * m + 0.1 * g, 0.999 * s + 0.001 * g ** 2
    updates += [(m, m_new), (s, s_new), (v, v - rate * m_new / (T.sqrt(s_new) + 1e-8))]
train = theano.function([x, y], cost, updates=updates + [(count, count + 1)])
for i in range(600):
    bits = rng.randint(0, 2, (steps, batch, 1)).astype("float64")
    parity = np.cumsum(bits, axis=0) % 2
    train(bits, parity)
bits = rng.randint(0, 2, (steps, 200, 1)).astype("float64")
parity = np.cumsum(bits, axis=0) % 2
got = evaluate(bits, parity)
same(got, by_hand(bits, parity, *[v.get_value() for v in params]))
right = np.mean((got[0] > 0.5) == (parity > 0.5))
assert right > 0.95, right
print("after training the parity of %d bits is right" % steps, right > 0.95)
