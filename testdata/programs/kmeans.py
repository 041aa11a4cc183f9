"""k-means by Lloyd's steps, with k-means++ and several starts, each class in its place."""
import numpy as np


class KMeans(object):
    """Clusters of points."""

    def __init__(self, k, n_init=3, max_iter=50, tol=1e-9, random_state=None):
        self.k, self.n_init, self.max_iter, self.tol = k, n_init, max_iter, tol
        self.rng = random_state if random_state is not None else np.random.RandomState(0)

    def _start(self, X):
        return X[self.rng.permutation(len(X))[:self.k]].copy()

    @staticmethod
    def distances(X, centers):
        return ((X[:, np.newaxis, :] - centers[np.newaxis]) ** 2).sum(axis=2)

    def _run(self, X):
        centers = self._start(X)
        for n in range(self.max_iter):
            labels = self.distances(X, centers).argmin(axis=1)
            new = np.vstack([X[labels == c].mean(axis=0) if (labels == c).any() else centers[c] for c in range(self.k)])
            moved = np.abs(new - centers).max()
            centers = new
            if moved < self.tol:
                break
        else:
            raise RuntimeError("no end after %d steps" % self.max_iter)
        d = self.distances(X, centers)
        return d.min(axis=1).sum(), centers, d.argmin(axis=1), n + 1

    def fit(self, X):
        runs = [self._run(X) for _ in range(self.n_init)]
        self.all_inertias = [r[0] for r in runs]
        self.inertia, self.centers, self.labels, self.steps = min(runs, key=lambda r: r[0])
        return self

    def predict(self, X):
        return self.distances(X, self.centers).argmin(axis=1)

    def __len__(self):
        return self.k


class PlusPlus(KMeans):
    """Begins with points far from each other."""

    def _start(self, X):
        centers = [X[self.rng.randint(len(X))]]
        while len(centers) < self.k:
            d = self.distances(X, np.array(centers)).min(axis=1)
            centers.append(X[np.searchsorted(np.cumsum(d / d.sum()), self.rng.uniform())])
        return np.array(centers)


def main():
    rng = np.random.RandomState(12)
    truth = np.array([[0, 0], [4, 1], [1, 5], [6, 6]], dtype="float64")
    y = rng.randint(0, 4, 120)
    X = truth[y] + 0.6 * rng.randn(120, 2)
    for kind in (KMeans, PlusPlus):
        model = kind(4, n_init=4, random_state=np.random.RandomState(3)).fit(X)
        order = np.lexsort(model.centers.T)
        print("%s: inertia %.6f of %s" % (kind.__name__, model.inertia, ", ".join("%.3f" % v for v in sorted(model.all_inertias))))
        for c in model.centers[order]:
            print("  %.6f %.6f" % tuple(c))
        sizes = np.bincount(model.labels, minlength=len(model))
        print("  sizes", " ".join(str(int(n)) for n in sorted(sizes)))
        # a point is nearest to its own center
        assert (model.predict(X) == model.labels).all()
    try:
        KMeans(4, max_iter=1).fit(X)
    except RuntimeError as e:
        print("RuntimeError:", e)


if __name__ == "__main__":
    main()
