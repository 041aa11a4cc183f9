# Complex numbers where functions take other things too: steps of grids, conditions, several arrays,
# and places where they have no meaning.
import numpy as np


def t(name, f):
    try:
        v = f()
    except Exception as e:
        print(name, type(e).__name__)
        return
    print(name, v.tolist() if hasattr(v, "tolist") else [x.tolist() for x in v])


z = np.array([1 + 2j, 3 - 1j, 5j])
w = np.array([[1j, 2], [3, 4j]])
r = np.arange(3.0)
for n in [4j, 1j, 0j, 7j, 5.5j, -3j, 3 + 4j]:
    t("mgrid %s" % n, lambda: np.mgrid[-1:1:n])
    t("ogrid %s" % n, lambda: np.ogrid[-1:1:n])
    t("r_ %s" % n, lambda: np.r_[-1:1:n, 7, [8, 9]])
t("mgrid 2", lambda: np.mgrid[0:1:3j, 0:3])
t("mgrid 3", lambda: np.mgrid[0:1:3j, 0:3:2, 1:2:2j])
t("ogrid 2", lambda: np.ogrid[0:1:3j, 0:3:2])
t("c_", lambda: np.c_[0:1:3j, 1:4])
t("no start", lambda: np.r_[:1:3j])
for a in [z, r, [1j, 2, 3]]:
    for condition in [[True, False, True], [1, 0, 0], [1j, 0, 1]]:
        t("compress", lambda: np.compress(condition, a))
        t("extract", lambda: np.extract(condition, a))
t("compress axis", lambda: np.compress([True, False], w, axis=1))
t("compress axis", lambda: np.compress([0, 1j], w, 0))
t("method", lambda: z.compress([False, True, True]))
for f in [np.atleast_1d, np.atleast_2d, np.atleast_3d]:
    t("atleast", lambda: f(z))
    t("atleast", lambda: f(2j))
    t("atleast", lambda: f(1j, z, 2.0))
for f in [lambda: np.zeros(3j), lambda: np.eye(2j), lambda: np.full(2j, 1), lambda: np.linspace(0, 1, 3j),
          lambda: np.convolve(r, z, 1j), lambda: np.correlate(z, z, complex), lambda: r.copy(1j), lambda: r.item(1j),
          lambda: z.item(1j), lambda: r.astype(z), lambda: np.roll(z, 1j), lambda: np.take(z, 1j), lambda: z.reshape(3j),
          lambda: np.sum(z, axis=1j), lambda: r.sum(axis=1j), lambda: r[1j], lambda: z[1j], lambda: np.ones((2, 1j)),
          lambda: [1, 2][1j], lambda: np.repeat(z, 1j), lambda: np.tile(r, 2j), lambda: np.insert(r, 1j, 2)]:
    t("refused", f)
