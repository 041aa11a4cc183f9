"""Principal components, by svd, by eigh and by the power method: three classes with one door."""
import numpy as np


class PCA(object):
    def __init__(self, n_components, whiten=False):
        self.n_components = n_components
        self.whiten = whiten

    def fit(self, X):
        self.mean_ = X.mean(axis=0)
        V, variances = self._components(X - self.mean_)
        # the largest entry of each is positive
        signs = np.sign(V[np.arange(len(V)), np.abs(V).argmax(axis=1)])
        self.components_ = V * signs[:, None]
        self.variances_ = variances
        return self

    def _components(self, X):
        raise NotImplementedError("%s says nothing of components" % type(self).__name__)

    def transform(self, X):
        Z = np.dot(X - self.mean_, self.components_.T)
        return Z / np.sqrt(self.variances_) if self.whiten else Z

    def inverse_transform(self, Z):
        if self.whiten:
            Z = Z * np.sqrt(self.variances_)
        return np.dot(Z, self.components_) + self.mean_


class BySVD(PCA):
    def _components(self, X):
        U, s, Vt = np.linalg.svd(X, full_matrices=False)
        return Vt[:self.n_components], s[:self.n_components] ** 2 / (len(X) - 1)


class ByEigh(PCA):
    def _components(self, X):
        w, V = np.linalg.eigh(np.cov(X, rowvar=False))
        order = np.argsort(w)[::-1][:self.n_components]
        return V[:, order].T, w[order]


class ByPower(PCA):
    steps = 500

    def _components(self, X):
        C = np.dot(X.T, X) / (len(X) - 1.)
        V, w = [], []
        for _ in range(self.n_components):
            v = np.ones(len(C)) / np.sqrt(len(C))
            for _ in range(self.steps):
                v = C.dot(v)
                v /= np.linalg.norm(v)
            w.append(v.dot(C).dot(v))
            V.append(v)
            C = C - w[-1] * np.outer(v, v)
        return np.array(V), np.array(w)


rng = np.random.RandomState(31)
Z = rng.randn(80, 3) * [5., 2., 1.]
X = Z.dot(rng.randn(3, 6)) + 0.1 * rng.randn(80, 6) + np.arange(6)
models = [kind(2).fit(X) for kind in (BySVD, ByEigh, ByPower)]
for m in models:
    print("%-7s %s" % (type(m).__name__, " ".join("%.6f" % v for v in m.variances_)))
    assert np.allclose(m.components_, models[0].components_, atol=1e-6)
    assert np.allclose(m.components_.dot(m.components_.T), np.eye(2))
for row in models[0].components_:
    print(" ".join("%9.6f" % v for v in row))

for k in range(1, 6):
    m = BySVD(k).fit(X)
    error = np.linalg.norm(X - m.inverse_transform(m.transform(X)))
    print("%d components: error %.6f, %.4f of the variance" % (k, error, m.variances_.sum() / X.var(axis=0, ddof=1).sum()))
white = BySVD(3, whiten=True).fit(X)
assert np.allclose(np.cov(white.transform(X).T), np.eye(3))
assert np.allclose(white.inverse_transform(white.transform(X)), BySVD(3).fit(X).inverse_transform(BySVD(3).fit(X).transform(X)))
try:
    PCA(2).fit(X)
except NotImplementedError as e:
    print("NotImplementedError:", e)
