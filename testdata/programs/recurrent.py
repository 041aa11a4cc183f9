# Models that are loops: each is a graph with theano.scan and, beside it, the same in NumPy.
import numpy as np
import theano
import theano.tensor as T


def close(name, got, want, tol=1e-10):
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape, (name, got.shape, want.shape)
    worst = float(np.max(np.abs(got - want))) if got.size else 0.0
    assert worst <= tol, (name, worst)
    print(name, "agrees")


rs = np.random.RandomState(3)

# An Elman network, trained to repeat what it saw two steps before.
n_in, n_hid, length = 2, 8, 10
W = theano.shared(rs.normal(0, 0.3, (n_hid, n_hid)), name="W")
U = theano.shared(rs.normal(0, 0.3, (n_in, n_hid)), name="U")
V = theano.shared(rs.normal(0, 0.3, (n_hid, n_in)), name="V")
h0 = theano.shared(np.zeros(n_hid), name="h0")
x, target = T.dmatrix("x"), T.dmatrix("target")


def step(x_t, h, W, U, V):
    h = T.tanh(T.dot(x_t, U) + T.dot(h, W))
    return h, T.dot(h, V)


(h, y), _ = theano.scan(step, sequences=x, outputs_info=[h0, None], non_sequences=[W, U, V], name="elman")
cost = T.mean((y[2:] - target) ** 2)
params = [W, U, V, h0]
grads = T.grad(cost, params)
train = theano.function([x, target], [cost] + grads, updates=[(p, p - 0.2 * g) for p, g in zip(params, grads)])


def np_cost(xs, ts, W, U, V, h0):
    h, ys = h0, []
    for row in xs:
        h = np.tanh(row.dot(U) + h.dot(W))
        ys.append(h.dot(V))
    return np.mean((np.array(ys)[2:] - ts) ** 2)


first = None
for i in range(300):
    xs = rs.uniform(-1, 1, (length, n_in))
    before = [p.get_value() for p in params]
    out = train(xs, xs[:-2])
    if i % 100 == 0:
        close("elman cost at %d" % i, out[0], np_cost(xs, xs[:-2], *before))
        for k in range(len(params)):
            at = tuple(int(j) for j in np.unravel_index(1, before[k].shape))
            up, down = [p.copy() for p in before], [p.copy() for p in before]
            up[k][at] += 1e-6
            down[k][at] -= 1e-6
            close("its gradient of " + params[k].name, out[1 + k][at], (np_cost(xs, xs[:-2], *up) - np_cost(xs, xs[:-2], *down)) / 2e-6, 1e-7)
    if first is None:
        first = out[0]
assert out[0] < 0.5 * first, (first, out[0])
print("elman learns")


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


# A long short-term memory, for a batch.
batch, n = 3, 4
w = [theano.shared(rs.normal(0, 0.5, s), name="w%d" % i) for i, s in enumerate([(n_in, 4 * n), (n, 4 * n), (4 * n,)])]
seq = T.dtensor3("seq")


def lstm(x_t, h, c, Wx, Wh, b):
    z = T.dot(x_t, Wx) + T.dot(h, Wh) + b
    i, f, o = T.nnet.sigmoid(z[:, :n]), T.nnet.sigmoid(z[:, n:2 * n]), T.nnet.sigmoid(z[:, 2 * n:3 * n])
    c = f * c + i * T.tanh(z[:, 3 * n:])
    return o * T.tanh(c), c


(hs, cs), _ = theano.scan(lstm, sequences=seq, outputs_info=[T.zeros((batch, n)), T.zeros((batch, n))], non_sequences=w, name="lstm")
xs = rs.normal(size=(6, batch, n_in))


def np_lstm(xs, Wx, Wh, b):
    h, c, out = np.zeros((batch, n)), np.zeros((batch, n)), []
    for x_t in xs:
        z = x_t.dot(Wx) + h.dot(Wh) + b
        c = sigmoid(z[:, n:2 * n]) * c + sigmoid(z[:, :n]) * np.tanh(z[:, 3 * n:])
        h = sigmoid(z[:, 2 * n:3 * n]) * np.tanh(c)
        out.append(h)
    return np.array(out)


values = [p.get_value() for p in w]
close("lstm", theano.function([seq], hs)(xs), np_lstm(xs, *values))
slopes = theano.function([seq], T.grad((hs[-1] ** 2).sum(), w))(xs)
for k in range(3):
    up, down = [p.copy() for p in values], [p.copy() for p in values]
    up[k].ravel()[2] += 1e-6
    down[k].ravel()[2] -= 1e-6
    close("its gradient of w%d" % k, slopes[k].ravel()[2], ((np_lstm(xs, *up)[-1] ** 2).sum() - (np_lstm(xs, *down)[-1] ** 2).sum()) / 2e-6, 1e-7)

# A gated recurrent unit.
Wz, Wr, Wc = [theano.shared(rs.normal(0, 0.5, (n_in + n, n))) for _ in range(3)]


def gru(x_t, h):
    both = T.concatenate([x_t, h])
    z, r = T.nnet.sigmoid(T.dot(both, Wz)), T.nnet.sigmoid(T.dot(both, Wr))
    return (1 - z) * h + z * T.tanh(T.dot(T.concatenate([x_t, r * h]), Wc))


g, _ = theano.scan(gru, sequences=x, outputs_info=T.zeros(n))
h, want = np.zeros(n), []
for row in xs[:, 0]:
    both = np.concatenate([row, h])
    z, r = sigmoid(both.dot(Wz.get_value())), sigmoid(both.dot(Wr.get_value()))
    h = (1 - z) * h + z * np.tanh(np.concatenate([row, r * h]).dot(Wc.get_value()))
    want.append(h)
close("gru", theano.function([x], g)(xs[:, 0]), want)

# Power iteration, until the vector moves no more.
A = T.dmatrix("A")
a = rs.normal(size=(5, 5))
a = a.dot(a.T)


def iterate(v):
    new = T.dot(A, v)
    new = new / T.sqrt((new ** 2).sum())
    return new, theano.scan_module.until(T.max(abs(new - v)) < 1e-13)


v, _ = theano.scan(iterate, outputs_info=T.ones(5) / np.sqrt(5.0), n_steps=5000)
found = theano.function([A], [v[-1], v.shape[0]])(a)
close("power iteration", found[0].dot(a).dot(found[0]), np.linalg.eigvalsh(a)[-1], 1e-9)
assert 1 < found[1] < 5000

# A Kalman filter of a position and a speed.
F, H, Q, R = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]]), 0.01 * np.eye(2), np.array([[0.5]])
z = T.dvector("z")


def kalman(z_t, m, P):
    m, P = T.dot(F, m), T.dot(T.dot(F, P), F.T) + Q
    S = T.dot(T.dot(H, P), H.T) + R
    K = T.dot(T.dot(P, H.T), T.nlinalg.matrix_inverse(S))
    return m + T.dot(K, z_t - T.dot(H, m)), T.dot(T.eye(2) - T.dot(K, H), P)


(ms, Ps), _ = theano.scan(kalman, sequences=z, outputs_info=[T.zeros(2), T.eye(2)])
zs = np.arange(20.0) * 0.7 + rs.normal(size=20)
m, P, want = np.zeros(2), np.eye(2), []
for z_t in zs:
    m, P = F.dot(m), F.dot(P).dot(F.T) + Q
    K = P.dot(H.T).dot(np.linalg.inv(H.dot(P).dot(H.T) + R))
    m, P = m + K.dot(z_t - H.dot(m)), (np.eye(2) - K.dot(H)).dot(P)
    want.append(m)
close("kalman", theano.function([z], ms)(zs), want)

# The classic Runge-Kutta method for a pendulum.
y0, dt = T.dvector("y0"), 0.01


def slope(y):
    return T.stack([y[1], -T.sin(y[0])])


def rk4(y):
    k1 = slope(y)
    k2 = slope(y + dt / 2 * k1)
    k3 = slope(y + dt / 2 * k2)
    k4 = slope(y + dt * k3)
    return y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


path, _ = theano.scan(rk4, outputs_info=y0, n_steps=1000)
f = lambda y: np.array([y[1], -np.sin(y[0])])
y, want = np.array([1.0, 0.0]), []
for i in range(1000):
    k1 = f(y)
    k2 = f(y + dt / 2 * k1)
    k3 = f(y + dt / 2 * k2)
    k4 = f(y + dt * k3)
    y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    want.append(y)
got = theano.function([y0], path)([1.0, 0.0])
close("runge-kutta", got, want)
energy = got[:, 1] ** 2 / 2 - np.cos(got[:, 0])
close("its energy", energy, np.full(1000, -np.cos(1.0)), 1e-8)

# A Gibbs sampler of two correlated normal variables.
srng = T.shared_randomstreams.RandomStreams(5)
rho = 0.8


def gibbs(a, b):
    a = rho * b + np.sqrt(1 - rho ** 2) * srng.normal(())
    b = rho * a + np.sqrt(1 - rho ** 2) * srng.normal(())
    return a, b


(sa, sb), updates = theano.scan(gibbs, outputs_info=[T.constant(0.0), T.constant(0.0)], n_steps=20000)
sample = theano.function([], [sa, sb], updates=updates)()
assert abs(np.corrcoef(sample[0], sample[1])[0, 1] - rho) < 0.02, np.corrcoef(sample[0], sample[1])
print("gibbs samples")
