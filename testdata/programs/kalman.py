"""A Kalman filter in classes: a ball that is thrown, and what is seen of it."""
import numpy as np
from numpy.linalg import inv


class Model(object):
    """x' = F x + u + noise of covariance Q; z = H x + noise of covariance R."""

    def __init__(self, F, Q, H, R, u=None):
        self.F, self.Q, self.H, self.R = map(np.atleast_2d, (F, Q, H, R))
        self.u = np.zeros(len(self.F)) if u is None else np.asarray(u)
        for name in ("F", "Q", "R"):
            a, b = getattr(self, name).shape
            if a != b:
                raise ValueError("%s is not square: %d x %d" % (name, a, b))

    def simulate(self, x, n, rng):
        for _ in range(n):
            x = self.F.dot(x) + self.u + np.linalg.cholesky(self.Q).dot(rng.randn(len(x)))
            yield x, self.H.dot(x) + np.sqrt(np.diag(self.R)) * rng.randn(len(self.R))


class Ball(Model):
    """Place and speed in a plane, which gravity pulls down."""

    def __init__(self, dt=0.1, g=9.81, seen=0.5):
        F = np.eye(4)
        F[0, 2] = F[1, 3] = dt
        super(Ball, self).__init__(F, 1e-3 * np.eye(4), np.eye(2, 4), seen ** 2 * np.eye(2), u=[0, -g * dt ** 2 / 2, 0, -g * dt])


class Filter(object):
    def __init__(self, model, x, P):
        self.model, self.x, self.P = model, np.array(x, dtype=float), np.array(P, dtype=float)
        self.log_likelihood = 0.0

    def predict(self):
        m = self.model
        self.x = m.F.dot(self.x) + m.u
        self.P = m.F.dot(self.P).dot(m.F.T) + m.Q

    def update(self, z):
        m = self.model
        S = m.H.dot(self.P).dot(m.H.T) + m.R
        K = self.P.dot(m.H.T).dot(inv(S))
        r = z - m.H.dot(self.x)
        self.x = self.x + K.dot(r)
        self.P = self.P - K.dot(S).dot(K.T)
        self.log_likelihood -= 0.5 * (r.dot(inv(S)).dot(r) + np.log(np.linalg.det(2 * np.pi * S)))

    def run(self, zs):
        out = []
        for z in zs:
            self.predict()
            if z is not None:
                self.update(z)
            out.append((self.x.copy(), self.P.copy()))
        return out


class Smoother(Filter):
    """Goes back over what the filter found."""

    def run(self, zs):
        found = super(Smoother, self).run(zs)
        F, Q, u = self.model.F, self.model.Q, self.model.u
        for k in range(len(found) - 2, -1, -1):
            x, P = found[k]
            Pp = F.dot(P).dot(F.T) + Q
            G = P.dot(F.T).dot(inv(Pp))
            found[k] = x + G.dot(found[k + 1][0] - F.dot(x) - u), P + G.dot(found[k + 1][1] - Pp).dot(G.T)
        return found


def error(found, truth):
    return np.sqrt(np.mean([np.sum((x[:2] - t[:2]) ** 2) for (x, _), t in zip(found, truth)]))


rng = np.random.RandomState(88)
ball = Ball()
truth, seen = zip(*ball.simulate(np.array([0., 0., 10., 15.]), 30, rng))
zs = [z if k % 5 else None for k, z in enumerate(seen)]
start = dict(x=[0, 0, 8, 12], P=np.diag([1, 1, 9, 9]))
raw = np.sqrt(np.mean([np.sum((z - t[:2]) ** 2) for z, t in zip(seen, truth)]))
print("seen: %.6f" % raw)
for kind in (Filter, Smoother):
    f = kind(ball, **start)
    found = f.run(zs)
    print("%-8s error %.6f, log likelihood %.6f, end %s" % (kind.__name__, error(found, truth), f.log_likelihood, " ".join("%.4f" % v for v in f.x)))
    assert all(np.allclose(P, P.T) and np.linalg.eigvalsh(P).min() > 0 for _, P in found)
best = max((Filter(Ball(seen=s), **start) for s in (0.1, 0.5, 2.0)), key=lambda f: (f.run(zs), f.log_likelihood)[1])
print("most likely noise: %.1f" % np.sqrt(best.model.R[0, 0]))
try:
    Model(np.eye(2)[:1], 1, 1, 1)
except ValueError as e:
    print("ValueError:", e)
