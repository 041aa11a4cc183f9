"""Writes drawn.jsonl beside it: programs that make a random variable x, and what two calls of a function of it give, as NumPy and SciPy draw it:
python3 drawn.py > drawn.jsonl"""

import json

import numpy as np
from scipy import stats


def show(x):
    x = np.asarray(x)
    return [str(x.dtype), list(x.shape), [repr(v) for v in x.ravel().tolist()]]


def case(code, draw, dtype, tol=0):
    print(json.dumps([code, [show(np.asarray(draw()).astype(dtype)) for _ in range(2)], tol]))


def old(call, draw, dtype, tol=0, seed=234):
    """A variable of Theano's RandomStreams: the second of two, so that seeds are drawn one after the other."""
    seeds = np.random.RandomState(seed)
    seeds.randint(2**30)
    r = np.random.RandomState(int(seeds.randint(2**30)))
    case("srng = T.shared_randomstreams.RandomStreams(%d)\nsrng.uniform((1,))\nx = srng.%s" % (seed, call), lambda: draw(r), dtype, tol)


def new(call, draw, dtype, tol=0, seed=5):
    """A variable of PyTensor's RandomStream, and one of an explicit Generator."""
    s = np.random.SeedSequence(seed)
    s.spawn(1)
    r = np.random.default_rng(s.spawn(1)[0])
    case("s = T.random.utils.RandomStream(%d)\ns.uniform()\nx = s.%s" % (seed, call), lambda: draw(r), dtype, tol)
    g = np.random.default_rng(seed)
    case(
        "rng = shared(np.random.default_rng(%d))\nnext_rng, x = T.random.%s, rng=rng, return_next_rng=True)\nupdates = [(rng, next_rng)]" % (seed, call[:-1].replace("(,", "(")),
        lambda: draw(g), dtype, tol,
    )


F, I = "float64", "int64"
low, high = [[-1.0], [2.0]], [3.0, 4.0, 5.5]

# Theano's
old("uniform((2, 3))", lambda r: r.uniform(size=(2, 3)), F)
old("uniform((2, 3), low=-1.5, high=2.5)", lambda r: r.uniform(-1.5, 2.5, (2, 3)), F)
old("uniform(low=%r, high=%r)" % (low, high), lambda r: r.uniform(np.array(low), np.array(high)), F)
old("uniform((4, 2, 3), low=%r, high=%r)" % (low, high), lambda r: r.uniform(np.array(low), np.array(high), (4, 2, 3)), F)
old("uniform((2, 3), dtype='float32')", lambda r: r.uniform(size=(2, 3)), "float32")
old("uniform(())", lambda r: r.uniform(), F)
old("uniform((0, 3))", lambda r: r.uniform(size=(0, 3)), F)
old("uniform([2, 2])", lambda r: r.uniform(size=(2, 2)), F)
old("uniform(T.constant([2, 2]))", lambda r: r.uniform(size=(2, 2)), F)
old("uniform(T.as_tensor(np.ones((2, 3))).shape)", lambda r: r.uniform(size=(2, 3)), F)
old("normal((3, 3))", lambda r: r.normal(size=(3, 3)), F)
old("normal((3, 3), avg=1.5, std=0.25)", lambda r: r.normal(1.5, 0.25, (3, 3)), F)
old("normal((2, 3), avg=%r, std=%r)" % (low, high), lambda r: r.normal(np.array(low), np.array(high), (2, 3)), F)
old("normal((3,), dtype='float32')", lambda r: r.normal(size=3), "float32")
old("binomial((5,))", lambda r: r.binomial(1, 0.5, 5), I)
old("binomial((5,), n=10, p=0.3)", lambda r: r.binomial(10, 0.3, 5), I)
old("binomial((5,), n=[10, 20, 30, 40, 500], p=0.3)", lambda r: r.binomial([10, 20, 30, 40, 500], 0.3, 5), I)
old("binomial((5,), 1, 0.8, dtype='float32')", lambda r: r.binomial(1, 0.8, 5), "float32")
old("random_integers((6,))", lambda r: [r.randint(0, 2) for _ in range(6)], I)
old("random_integers((6,), low=-5, high=100000000000)", lambda r: [r.randint(-5, 100000000001) for _ in range(6)], I)
old("random_integers((2, 3), low=[[0], [5]], high=[6, 7, 8])", lambda r: [[r.randint(a, b + 1) for b in (6, 7, 8)] for a in (0, 5)], I)
old("choice((6,))", lambda r: r.choice(2, 6), I)
old("choice((6,), a=10)", lambda r: r.choice(10, 6), I)
old("choice((6,), a=[2, 3, 5, 7])", lambda r: r.choice([2, 3, 5, 7], 6), I)
old("choice((4,), a=10, replace=False)", lambda r: r.choice(10, 4, False), I)
old("choice((2, 3), a=4, p=[0.1, 0.2, 0.3, 0.4])", lambda r: r.choice(4, (2, 3), p=[0.1, 0.2, 0.3, 0.4]), I)
old("choice((3,), a=4, replace=False, p=[0.1, 0.2, 0.3, 0.4])", lambda r: r.choice(4, 3, False, [0.1, 0.2, 0.3, 0.4]), I)
old("choice()", lambda r: r.choice(2), I)
old("choice((3,), a=[0.5, 1.5], dtype='float64')", lambda r: r.choice([0.5, 1.5], 3), F)
old("poisson((6,), lam=3.5)", lambda r: r.poisson(3.5, 6), I)
old("poisson((3,), lam=[0.5, 50.0, 5000.0])", lambda r: r.poisson([0.5, 50.0, 5000.0]), I)
old("permutation(n=7)", lambda r: r.permutation(7), I)
old("permutation((2, 2), n=5)", lambda r: [[r.permutation(5) for _ in range(2)] for _ in range(2)], I)
old("permutation((0,), n=5)", lambda r: np.empty((0, 5)), I)
old("multinomial(n=20, pvals=[0.2, 0.3, 0.5])", lambda r: r.multinomial(20, [0.2, 0.3, 0.5]), I)
old("multinomial((3,), n=20, pvals=[0.2, 0.3, 0.5])", lambda r: r.multinomial(20, [0.2, 0.3, 0.5], 3), I)
old("multinomial(n=[5, 50], pvals=[[0.2, 0.8], [0.9, 0.1]])", lambda r: [r.multinomial(5, [0.2, 0.8]), r.multinomial(50, [0.9, 0.1])], I)
old("multinomial(n=9, pvals=[0.5, 0.5, 0.0])", lambda r: r.multinomial(9, np.array([0.5, 0.5, 0.0]) * (1 - 5e-5)), I)
old("shuffle_row_elements(T.as_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))", lambda r: [np.array(row)[r.permutation(3)] for row in ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])], F)
old("shuffle_row_elements(T.as_tensor([1, 2, 3, 4]))", lambda r: np.array([1, 2, 3, 4])[r.permutation(4)], I)

# PyTensor's
new("bernoulli(0.3, size=(8,))", lambda g: stats.bernoulli.rvs(0.3, size=8, random_state=g), I)
new("beta(2.0, 3.0, size=(4,))", lambda g: g.beta(2.0, 3.0, 4), F)
new("beta([0.5, 2.0], 3.0)", lambda g: g.beta([0.5, 2.0], 3.0), F)
new("binomial(10, 0.3, size=(6,))", lambda g: g.binomial(10, 0.3, 6), I)
new("categorical([0.2, 0.5, 0.3], size=(8,))", lambda g: np.searchsorted(np.cumsum([0.2, 0.5, 0.3]), g.uniform(size=8)), I)
new("categorical([[0.2, 0.8], [0.9, 0.1]])", lambda g: [np.searchsorted(c, u) for c, u in zip(([0.2, 1.0], [0.9, 1.0]), g.uniform(size=2))], I)
new("cauchy(0.5, 2.0, size=(6,))", lambda g: stats.cauchy.rvs(0.5, 2.0, size=6, random_state=g), F, 1e-13)
new("chisquare(3.0, size=(6,))", lambda g: g.gamma(1.5, 2.0, 6), F)
new("choice(10, size=(6,))", lambda g: g.integers(0, 10, 6), I)
new("choice([0.5, 1.5, 2.5], size=(6,))", lambda g: np.array([0.5, 1.5, 2.5])[g.integers(0, 3, 6)], F)
new("choice(10, size=(6,), replace=False)", lambda g: g.choice(10, 6, replace=False), I)
new("choice(3, size=(6,), p=[0.2, 0.5, 0.3])", lambda g: np.searchsorted(np.cumsum([0.2, 0.5, 0.3]), g.uniform(size=6)), I)
new("choice(4, size=(3,), replace=False, p=[0.1, 0.2, 0.3, 0.4])", lambda g: g.choice(4, 3, replace=False, p=[0.1, 0.2, 0.3, 0.4]), I)
new("dirichlet([1.0, 2.0, 3.0], size=(2,))", lambda g: g.dirichlet([1.0, 2.0, 3.0], 2), F)
new("dirichlet([[1.0, 2.0], [0.05, 0.05]])", lambda g: [g.dirichlet([1.0, 2.0]), g.dirichlet([0.05, 0.05])], F)
new("exponential(2.0, size=(6,))", lambda g: g.exponential(2.0, 6), F)
new("gamma(2.0, scale=0.5, size=(6,))", lambda g: g.gamma(2.0, 0.5, 6), F)
new("gamma(0.3, rate=4.0, size=(6,))", lambda g: g.gamma(0.3, 0.25, 6), F)
new("gengamma(2.0, 3.0, 1.5, size=(6,))", lambda g: stats.gengamma.rvs(2 / 3, 3.0, scale=1.5, size=6, random_state=g), F, 1e-13)
new("geometric(0.2, size=(6,))", lambda g: g.geometric(0.2, 6), I)
new("gumbel(0.5, 2.0, size=(6,))", lambda g: stats.gumbel_r.rvs(0.5, 2.0, size=6, random_state=g), F, 1e-13)
new("halfcauchy(0.5, 2.0, size=(6,))", lambda g: stats.halfcauchy.rvs(0.5, 2.0, size=6, random_state=g), F, 1e-13)
new("halfnormal(0.5, 2.0, size=(6,))", lambda g: stats.halfnorm.rvs(0.5, 2.0, size=6, random_state=g), F)
new("hypergeometric(10, 5, 6, size=(6,))", lambda g: g.hypergeometric(10, 5, 6, 6), I)
new("integers(10, size=(6,))", lambda g: g.integers(0, 10, 6), I)
new("integers(-5, 100000000000, size=(6,))", lambda g: g.integers(-5, 100000000000, 6), I)
new("integers([0, 5], [[6], [9]])", lambda g: g.integers([0, 5], [[6], [9]]), I)
new("integers(0, 10, size=(6,), dtype='int32')", lambda g: g.integers(0, 10, 6), "int32")
new("invgamma(2.0, 3.0, size=(6,))", lambda g: 1 / g.gamma(2.0, 1 / 3, 6), F)
new("laplace(0.5, 2.0, size=(6,))", lambda g: g.laplace(0.5, 2.0, 6), F)
new("logistic(0.5, 2.0, size=(6,))", lambda g: g.logistic(0.5, 2.0, 6), F)
new("lognormal(0.5, 2.0, size=(6,))", lambda g: g.lognormal(0.5, 2.0, 6), F)
new("multinomial(20, [0.2, 0.3, 0.5], size=(2,))", lambda g: g.multinomial(20, [0.2, 0.3, 0.5], 2), I)
new("multivariate_normal([0.0, 1.0], [[2.0, 0.5], [0.5, 1.0]], size=(3,))",
    lambda g: np.array([0.0, 1.0]) + g.normal(size=(3, 2)) @ np.linalg.cholesky([[2.0, 0.5], [0.5, 1.0]]).T, F, 1e-14)
new("nbinom(3, 0.4, size=(6,))", lambda g: stats.nbinom.rvs(3, 0.4, size=6, random_state=g), I)
new("negative_binomial(3, 0.4, size=(6,))", lambda g: g.negative_binomial(3, 0.4, 6), I)
new("normal(size=(7,))", lambda g: g.normal(size=7), F)
new("normal(%r, %r)" % (low, high), lambda g: g.normal(np.array(low), np.array(high)), F)
new("normal(0, 1, size=(3,), dtype='float32')", lambda g: g.normal(size=3), "float32")
new("pareto(3.0, 2.0, size=(6,))", lambda g: stats.pareto.rvs(3.0, scale=2.0, size=6, random_state=g), F, 1e-13)
new("permutation(7)", lambda g: g.permutation(7), I)
new("permutation([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])", lambda g: g.permutation(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])), F)
new("poisson(3.5, size=(6,))", lambda g: g.poisson(3.5, 6), I)
new("rayleigh(2.0, size=(6,))", lambda g: np.sqrt(g.gamma(1.0, 2.0, 6)) * 2.0, F)
new("standard_normal(size=(3,))", lambda g: g.standard_normal(3), F)
new("t(4.0, 0.5, 2.0, size=(6,))", lambda g: stats.t.rvs(4.0, loc=0.5, scale=2.0, size=6, random_state=g), F)
new("triangular(0.0, 1.0, 3.0, size=(6,))", lambda g: g.triangular(0.0, 1.0, 3.0, 6), F)
new("truncexpon(2.0, 0.5, 1.5, size=(6,))", lambda g: stats.truncexpon.rvs(2.0, loc=0.5, scale=1.5, size=6, random_state=g), F, 1e-13)
new("uniform(size=(5,))", lambda g: g.uniform(size=5), F)
new("uniform(-1.0, [1.0, 2.0, 3.0])", lambda g: g.uniform(-1.0, [1.0, 2.0, 3.0]), F)
new("vonmises(0.5, 2.0, size=(6,))", lambda g: g.vonmises(0.5, 2.0, 6), F)
new("wald(2.0, 3.0, size=(6,))", lambda g: g.wald(2.0, 3.0, 6), F)
new("weibull(2.0, size=(6,))", lambda g: g.weibull(2.0, 6), F)


# MRG31k3p, with Python's integers
class Streams:
    def __init__(self, seed):
        self.state = [seed] * 6

    @staticmethod
    def step(x):
        a = ((x[1] << 22) + 129 * x[2]) % (2**31 - 1)
        b = ((x[3] << 15) + (2**15 + 1) * x[5]) % (2**31 - 21069)
        return [a, x[0], x[1], b, x[3], x[4]]

    @staticmethod
    def jump(x, n):
        result = []
        for half, a, m in ((x[:3], [[0, 1 << 22, 129], [1, 0, 0], [0, 1, 0]], 2**31 - 1), (x[3:], [[1 << 15, 0, (1 << 15) + 1], [1, 0, 0], [0, 1, 0]], 2**31 - 21069)):
            for _ in range(n):
                a = [[sum(a[i][k] * a[k][j] for k in range(3)) % m for j in range(3)] for i in range(3)]
            result += [sum(a[i][k] * half[k] for k in range(3)) % m for i in range(3)]
        return result

    def uniform(self, size, streams, dtype="float64"):
        """A function that draws."""
        rows = [self.state]
        while len(rows) < streams:
            rows.append(self.jump(rows[-1], 72))
        self.state = self.jump(self.state, 134)

        def draw():
            values = []
            for i in range(int(np.prod(size))):
                x = rows[i % streams] = self.step(rows[i % streams])
                values.append((x[0] - x[3]) % (2**31 - 1) or 2**31 - 1)
            if dtype == "float32":
                return (np.array(values, "int64").astype("float32") * np.float32(4.6566126e-10)).reshape(size)
            return np.array(values).reshape(size) * 4.656612873077392578125e-10

        return draw


def mrg(call, streams, size, after=lambda u: u, dtype="float64", drawn=None, tol=0, seed=42):
    s = Streams(seed)
    s.uniform((1,), 1)
    draw = s.uniform(size, streams, drawn or ("float32" if dtype == "float32" else "float64"))
    case("srng = theano.sandbox.rng_mrg.MRG_RandomStreams(%d)\nsrng.uniform((1,))\nx = srng.%s" % (seed, call), lambda: after(draw()), dtype, tol)


def box_muller(n):
    def f(u):
        half = len(u) // 2
        r, theta = np.sqrt(-2.0 * np.log(u[:half])), 2 * np.pi * u[half:]
        return np.concatenate([r * np.cos(theta), r * np.sin(theta)])[:n]

    return f


def rows(p, n):
    def f(u):
        z = np.zeros(np.shape(p))
        for k in range(n):
            for i, row in enumerate(p):
                above = np.nonzero(np.cumsum(row) > u[k * len(p) + i])[0]
                z[i, above[0]] += 1
        return z

    return f


mrg("uniform((2, 3))", 6, (2, 3))
mrg("uniform((5, 7))", 5, (5, 7))
mrg("uniform((5, 7), nstreams=3)", 3, (5, 7))
mrg("uniform((5,), low=-1.0, high=3.0)", 5, (5,), lambda u: u * 4.0 + -1.0)
mrg("uniform((5, 7), dtype='float32')", 5, (5, 7), dtype="float32")
mrg("normal((3, 3), nstreams=4)", 4, (10,), lambda u: box_muller(9)(u).reshape(3, 3), tol=1e-14)
mrg("normal((4,), avg=1.5, std=0.5, nstreams=4)", 4, (4,), lambda u: box_muller(4)(u) * 0.5 + 1.5, tol=1e-14)
mrg("normal((2, 1))", 15360, (2,), lambda u: box_muller(2)(u).reshape(2, 1), tol=1e-14)
mrg("binomial((9,), p=0.3)", 1, (9,), lambda u: u < 0.3, "int64")
mrg("binomial((3, 4), p=0.3, dtype='float32')", 2, (3, 4), lambda u: u < 0.3, "float32", "float64")
mrg("multinomial(pvals=[[0.2, 0.8], [0.5, 0.5], [0.9, 0.1]], n=3, nstreams=2)", 2, (9,), rows([[0.2, 0.8], [0.5, 0.5], [0.9, 0.1]], 3), "int64")
