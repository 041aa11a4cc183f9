"""A Kalman filter (scan: a state, its covariance, and the log likelihood as outputs) and the learning of its noise by gradients of the likelihood."""
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(2)
dt, steps = 0.1, 120
F = np.array([[1.0, dt], [0.0, 1.0]])
H = np.array([[1.0, 0.0]])
true_q, true_r = 0.5, 0.3

state, positions = np.array([0.0, 1.0]), []
for t in range(steps):
    state = F.dot(state) + rng.normal(0, true_q, 2) * np.array([0.0, dt])
    positions.append(H.dot(state) + rng.normal(0, true_r, 1))
z_value = np.array(positions)


def noise(q, r, diag):
    return q ** 2 * diag([0.0, dt ** 2]), r ** 2 * diag([1.0])


z = T.dmatrix("z")
log_q, log_r = theano.shared(np.log(2.0), name="log_q"), theano.shared(np.log(1.0), name="log_r")
Q, R = T.exp(2 * log_q) * np.diag([0.0, dt ** 2]), T.exp(2 * log_r) * np.eye(1)


def step(z_t, m, P, _, Q, R):
    """Predicts, and corrects by what was measured."""
    m = T.dot(F, m)
    P = T.dot(T.dot(F, P), F.T) + Q
    S = T.dot(T.dot(H, P), H.T) + R
    K = T.dot(T.dot(P, H.T), T.nlinalg.matrix_inverse(S))
    e = z_t - T.dot(H, m)
    likelihood = -0.5 * (T.log(T.nlinalg.det(S)) + T.dot(T.dot(e, T.nlinalg.matrix_inverse(S)), e) + np.log(2 * np.pi))
    return m + T.dot(K, e), P - T.dot(T.dot(K, H), P), likelihood


(means, covariances, likelihoods), _ = theano.scan(step, sequences=z, outputs_info=[T.constant([0.0, 0.0]), T.constant(np.eye(2)), T.constant(0.0)],
                                                   non_sequences=[Q, R], name="kalman")
cost = -T.sum(likelihoods)
grads = T.grad(cost, [log_q, log_r])
evaluate = theano.function([z], [means, covariances, cost] + grads)


def by_hand(z, log_q, log_r):
    Q, R = np.exp(2 * log_q) * np.diag([0.0, dt ** 2]), np.exp(2 * log_r) * np.eye(1)
    m, P, total, means, covariances = np.zeros(2), np.eye(2), 0.0, [], []
    for z_t in z:
        m, P = F.dot(m), F.dot(P).dot(F.T) + Q
        S = H.dot(P).dot(H.T) + R
        K = P.dot(H.T).dot(np.linalg.inv(S))
        e = z_t - H.dot(m)
        total += -0.5 * (np.log(np.linalg.det(S)) + e.dot(np.linalg.inv(S)).dot(e) + np.log(2 * np.pi))
        m, P = m + K.dot(e), P - K.dot(H).dot(P)
        means.append(m)
        covariances.append(P)
    return np.array(means), np.array(covariances), -total


def check():
    q, r = float(log_q.get_value()), float(log_r.get_value())
    got = evaluate(z_value)
    for g, w in zip(got, by_hand(z_value, q, r)):
        assert np.shape(g) == np.shape(w)
        assert np.abs(g - w).max() < 1e-10 * (1 + np.abs(w).max())
    d = 1e-5
    dq = (by_hand(z_value, q + d, r)[2] - by_hand(z_value, q - d, r)[2]) / (2 * d)
    dr = (by_hand(z_value, q, r + d)[2] - by_hand(z_value, q, r - d)[2]) / (2 * d)
    assert abs(got[3] - dq) < 1e-6 and abs(got[4] - dr) < 1e-6
    return got[2]


print("-log likelihood %.6f" % check())
train = theano.function([z], cost, updates=[(log_q, log_q - 0.005 * T.clip(grads[0], -10, 10)), (log_r, log_r - 0.005 * T.clip(grads[1], -10, 10))])
for i in range(800):
    train(z_value)
print("-log likelihood %.4f after learning" % check())
r = np.exp(log_r.get_value())
assert abs(r - true_r) < 0.08, r
print("noise of the measurement %.3f, drawn with %.3f" % (r, true_r))
