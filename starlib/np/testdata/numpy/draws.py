"""np.random: the same numbers from the same seeds."""

STATES = ["RandomState(0)", "RandomState(42)", "RandomState(4294967295)", "RandomState([1, 2, 3])", "RandomState([4294967295, 7])"]
GENERATORS = ["default_rng(0)", "default_rng(1)", "default_rng(42)", "default_rng(12345678901234567890)", "default_rng([1, 2, 3])",
              "default_rng((7, 0))"]

# Exact: computed by additions, products, square roots and well-rounded logarithms.
OLD = ["[r.random_sample() for _ in range(5)]", "r.rand(3, 2).tolist()", "r.randint(0, 100, size=20)",
       "r.uniform(-2.5, 7, size=4).tolist()", "r.permutation(10)", "x = np.arange(8); r.shuffle(x); v = x",
       "x = [1, 2, 3, 4, 5]; r.shuffle(x); v = x", "r.permutation(np.arange(12).reshape(4, 3))", "r.randn(7).tolist()",
       "r.normal(3, 2, size=(2, 3)).tolist()", "a = r.randn(); v = [a, r.rand(), r.randn(), r.randint(5)]", "r.choice(5, 10)",
       "r.choice([1.5, 2.5, 3.5], (2, 2))", "r.choice(10, 4, replace=False)", "r.choice(3, 12, p=[0.2, 0.5, 0.3])",
       "r.choice(5, 3, replace=False, p=[0.1, 0.2, 0.3, 0.2, 0.2])", "r.standard_normal((2, 2)).tolist()",
       "r.random((2, 2)).tolist()",
       "r.randint(10)", "r.randint(3, 9, (2, 3))", "r.binomial(10, 0.3, 8)", "r.binomial(100, 0.4, 5)", "r.poisson(3.5, 8)",
       "r.poisson(40, 5)", "r.geometric(0.3, 6)", "r.multinomial(20, [0.2, 0.3, 0.5], 2)", "r.tomaxint() > 0",
       "r.hypergeometric(10, 5, 6, 5)", "x = np.arange(6).reshape(3, 2); r.shuffle(x); v = x", "r.uniform()",
       "r.uniform([0, 10], [1, 20]).tolist()", "r.randint([1, 10], [5, 90])", "r.negative_binomial(3, 0.4, 4)",
       "r.zipf(2.5, 5)", "r.logseries(0.6, 5)"]
OLD_NEAR = ["r.standard_exponential(4)", "r.exponential(2.0, 3)", "r.gamma(2.5, 1.5, 4)", "r.gamma(0.4, size=4)",
            "r.standard_gamma(1.0, 3)", "r.beta(2, 3, 4)", "r.beta(0.4, 0.5, 4)", "r.chisquare(3, 3)", "r.f(3, 5, 3)",
            "r.standard_t(4, 3)", "r.laplace(0, 2, 4)",
            "r.logistic(size=4)", "r.lognormal(0.5, 0.25, 4)", "r.gumbel(1, 2, 4)", "r.weibull(1.5, 4)", "r.pareto(3, 4)",
            "r.power(2, 4)", "r.rayleigh(2, 4)", "r.triangular(0, 1, 4, 5)", "r.vonmises(0, 2, 4)", "r.wald(1, 2, 4)",
            "r.standard_cauchy(4)",
            "r.dirichlet([1, 2, 3], 2)", "r.noncentral_chisquare(3, 1.5, 3)",
            "r.multivariate_normal([0, 1], [[2, 0.5], [0.5, 1]], 2)"]
NEW = ["[r.random() for _ in range(5)]", "r.random((2, 3)).tolist()", "r.integers(0, 100, 20)", "r.integers(10)",
       "r.integers(5, size=(2, 3))", "r.integers(1, 6, endpoint=True, size=8)", "r.uniform(-2.5, 7, size=4).tolist()",
       "r.permutation(10)",
       "x = np.arange(8); r.shuffle(x); v = x", "x = [1, 2, 3, 4, 5]; r.shuffle(x); v = x",
       "r.permutation(np.arange(12).reshape(4, 3))", "r.permutation(np.arange(12).reshape(3, 4), axis=1)",
       "r.permuted(np.arange(12).reshape(3, 4), axis=1)", "r.standard_normal(7).tolist()",
       "r.normal(3, 2, size=(2, 3)).tolist()", "a = r.standard_normal(); v = [a, r.random(), r.normal(), int(r.integers(5))]",
       "r.choice(5, 10)", "r.choice([1.5, 2.5, 3.5], (2, 2))", "r.choice(10, 4, replace=False)",
       "r.choice(100, 5, replace=False, shuffle=False)",
       "r.choice(3, 12, p=[0.2, 0.5, 0.3])", "r.choice(5, 3, replace=False, p=[0.1, 0.2, 0.3, 0.2, 0.2])",
       "r.choice(np.arange(6).reshape(3, 2), 2)", "r.random(4, dtype='float32')", "r.random(3, dtype=np.float32)",
       "r.standard_normal(3, dtype='float32')", "r.binomial(10, 0.3, 8)",
       "r.binomial(100, 0.4, 5)", "r.poisson(3.5, 8)", "r.poisson(40, 5)", "r.geometric(0.5, 6)", "r.geometric(0.1, 6)",
       "r.multinomial(20, [0.2, 0.3, 0.5], 2)", "r.integers([1, 10], [5, 90])", "r.integers(0, 2, 20, dtype=bool)",
       "r.hypergeometric(10, 5, 6, 5)",
       "r.exponential(2.0, 4).tolist()", "r.standard_exponential(5).tolist()", "r.integers(0, 100, 6, dtype='uint8')",
       "x = np.arange(6).reshape(3, 2); r.shuffle(x, axis=1); v = x", "r.integers(0, 4294967296, 3)", "r.integers(0, 1 << 62, 3)"]
NEW_NEAR = ["r.gamma(2.5, 1.5, 4)", "r.gamma(0.4, size=4)", "r.standard_gamma(3.0, 3)", "r.beta(2, 3, 4)", "r.beta(0.4, 0.5, 4)",
            "r.chisquare(3, 3)", "r.f(3, 5, 3)", "r.standard_t(4, 3)", "r.laplace(0, 2, 4)", "r.logistic(size=4)",
            "r.lognormal(0.5, 0.25, 4)",
            "r.gumbel(1, 2, 4)", "r.weibull(1.5, 4)", "r.pareto(3, 4)", "r.power(2, 4)", "r.rayleigh(2, 4)",
            "r.triangular(0, 1, 4, 5)", "r.vonmises(0, 2, 4)", "r.wald(1, 2, 4)", "r.standard_cauchy(4)",
            "r.dirichlet([1, 2, 3], 2)",
            "r.standard_exponential(3, method='inv')", "r.multivariate_normal([0, 1], [[2, 0.5], [0.5, 1]], 2)"]


def program(state, code):
    return "r = np.random.%s; " % state + (code if "v = " in code else "v = " + code)


def cases(f):
    for state in STATES:
        f.exact(*(program(state, code) for code in OLD))
        f.near(*(program(state, code) for code in OLD_NEAR), tol=1e-13)
    for state in GENERATORS:
        f.exact(*(program(state, code) for code in NEW))
        f.near(*(program(state, code) for code in NEW_NEAR), tol=1e-13)

    for low, high in [(0, 1), (0, 2), (-5, 5), (0, 2**31), (0, 2**32), (0, 2**32 + 1), (0, 2**40), (-(2**62), 2**62),
                      (-(2**63), 2**63 - 1), (7, 8)]:
        f.exact("r = np.random.RandomState(9); v = r.randint(%d, %d, size=5)" % (low, high),
                "r = np.random.default_rng(9); v = r.integers(%d, %d, size=5)" % (low, high))
    for dtype, high in [("int8", 100), ("uint8", 256), ("int16", 1000), ("uint16", 65536), ("int32", 1000), ("uint32", 2**32),
                        ("uint64", 2**64), ("bool", 2)]:
        f.exact("r = np.random.RandomState(9); v = r.randint(0, %d, size=9, dtype='%s')" % (high, dtype),
                "r = np.random.default_rng(9); v = r.integers(0, %d, size=9, dtype='%s')" % (high, dtype))
    f.exact("r = np.random.RandomState(3); x = r.rand(700); v = [r.rand(), x[650]]",
            "np.random.seed(5); v = np.random.rand(2).tolist()", "np.random.seed(5); v = np.random.randint(10, size=3)",
            "np.random.seed(5); v = [np.random.randn(), np.random.normal(), np.random.uniform(), np.random.random()]",
            "np.random.seed(0); v = np.random.choice([10, 20, 30], 5)", "np.random.seed(0); v = np.random.permutation(5)",
            "np.random.seed(1); x = np.arange(5); np.random.shuffle(x); v = x",
            "np.random.seed(2); v = np.random.binomial(5, 0.5, 4)",
            "np.random.seed(2); np.random.rand(); v = np.random.standard_normal(2).tolist()",
            "a = np.random.RandomState(1); b = np.random.RandomState(1); v = (a.rand(3) == b.rand(3)).all()",
            "r = np.random.default_rng(3); x = r.random(700); v = [r.random(), x[650]]",
            "r = np.random.RandomState(77); v = r.randn(400).tolist()[300:]",
            "r = np.random.default_rng(77); v = r.standard_normal(4000).tolist()[3980:]",
            "r = np.random.default_rng(77); v = float(r.standard_normal(20000).sum()) != 0",
            "np.random.default_rng(1).bytes(4) != None", "r = np.random.RandomState(5); r.seed(5); v = r.rand()",
            "r = np.random.Generator(np.random.PCG64(5)); v = r.random(3).tolist()",
            "r = np.random.RandomState(5); s = r.get_state(); a = r.rand(); r.set_state(s); v = a == r.rand()",
            "np.random.default_rng(np.random.SeedSequence(7)).integers(0, 9, 4)",
            "r = np.random.Generator(np.random.MT19937(5)); v = r.random(3).tolist()",
            "np.random.SeedSequence(42).generate_state(4)",
            "[int(r.integers(100)) for r in [np.random.default_rng(s) for s in np.random.SeedSequence(3).spawn(3)]]")
    f.fails("np.random.RandomState(-1)", "np.random.RandomState(4294967296)", "np.random.RandomState([])",
            "np.random.randint(5, 5)", "np.random.normal(0, -1)", "np.random.randint(0, 300, dtype='uint8')",
            "np.random.RandomState('a')",
            "np.random.default_rng(-1)", "np.random.default_rng(0).integers(5, 5)", "np.random.default_rng(0).normal(0, -1)",
            "np.random.default_rng(0).choice(3, 5, replace=False)", "np.random.default_rng(0).choice(3, p=[0.5, 0.5])",
            "np.random.default_rng(0).choice(2, p=[0.5, 0.6])", "np.random.default_rng(0).choice([])", "np.random.rand(-1)",
            "np.random.choice(0, 2)", "np.random.choice(3, p=[1, -1, 1])", "np.random.poisson(-1)", "np.random.binomial(5, 1.5)",
            "np.random.default_rng('a')", "np.random.exponential(-1)", "np.random.default_rng(0).beta(0, 1)",
            "np.random.default_rng(0).uniform(0, np.inf)", "np.random.RandomState(0).uniform(0, np.inf)",
            "np.random.default_rng(0).random(2, dtype='int64')",
            "np.random.multinomial(5, [0.9, 0.9, 0.1])", "np.random.default_rng(0).integers(0, 300, dtype='uint8')",
            "np.random.geometric(0)", "np.random.permutation('a')", "np.random.default_rng(0).random(-2)")
