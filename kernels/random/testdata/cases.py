# Writes cases.json, what NumPy 1.24 makes of seeds: python3 cases.py > cases.json
#
# A case has the first draws, as the bits of numbers, and the CRC-32 of the bytes of all its draws ("crc").
import json
import zlib

import numpy as np

N = 100_000
FIRST = 8
cases = []


def crc(a):
    return zlib.crc32(np.ascontiguousarray(a).tobytes())


def hexes(a):
    a = np.ascontiguousarray(a).ravel()
    if a.dtype.kind == "f":
        return ["%x" % v for v in a.view("u%d" % a.itemsize).tolist()]
    return ["%x" % (int(v) & (1 << 64) - 1) for v in a.tolist()]


def case(source, seed, op, draws, args=(), **more):
    draws = np.asarray(draws)
    c = {"source": source, "seed": ["%x" % s for s in seed], "op": op, "args": hexes(np.array(args, float))}
    c.update(more, n=draws.size, first=hexes(draws.ravel()[:FIRST]), crc=crc(draws))
    cases.append(c)


def legacy(seed):
    return np.random.RandomState(seed[0] if len(seed) == 1 else seed)


def new(seed):
    return np.random.default_rng(seed[0] if len(seed) == 1 else seed)


make = {"legacy": legacy, "new": new}
seeds = {
    "legacy": [[0], [1], [42], [2**32 - 1], [1, 2, 3], list(range(700))],
    "new": [[0], [1], [42], [2**32 - 1], [2**32 + 5], [2**200 + 12345], [1, 2**40, 3], [1, 2, 3, 4, 5, 6]],
}
distributions = [
    ("uniform", (-3.5, 7.25)), ("normal", (2, 3)), ("normal", (0, 1)), ("normal", (-1e3, 1e-3)), ("lognormal", (0.5, 1.5)),
    ("exponential", (2.5,)), ("standard_gamma", (0,)), ("standard_gamma", (0.01,)), ("standard_gamma", (0.3,)),
    ("standard_gamma", (1,)), ("standard_gamma", (1.5,)), ("gamma", (7, 2)), ("gamma", (1e4, 0.5)), ("beta", (0.5, 0.5)),
    ("beta", (1e-3, 2e-3)), ("beta", (1, 1)), ("beta", (2, 5)), ("beta", (0.2, 3)), ("chisquare", (1,)), ("chisquare", (2,)),
    ("chisquare", (7.5,)), ("noncentral_chisquare", (0.5, 3)), ("noncentral_chisquare", (3, 20)),
    ("noncentral_chisquare", (3, 0)), ("f", (3, 8)), ("noncentral_f", (3, 8, 2)), ("noncentral_f", (0.7, 8, 2)),
    ("standard_t", (3,)), ("standard_cauchy", ()), ("pareto", (3,)), ("weibull", (0,)), ("weibull", (1.5,)), ("power", (2.5,)),
    ("laplace", (1, 2)), ("gumbel", (1, 2)), ("logistic", (1, 2)), ("rayleigh", (2,)), ("wald", (2, 3)),
    ("vonmises", (0.5, 1e-9)), ("vonmises", (0.5, 1e-6)), ("vonmises", (0.5, 2)), ("vonmises", (-3, 2e7)),
    ("triangular", (-1, 0.5, 3)), ("binomial", (10, 0)), ("binomial", (0, 0.5)), ("binomial", (1, 0.5)),
    ("binomial", (10, 0.3)), ("binomial", (10, 1)), ("binomial", (55, 0.9)), ("binomial", (100, 0.4)), ("binomial", (100, 0.6)),
    ("binomial", (60, 0.5)), ("binomial", (10**6, 0.01)), ("binomial", (10**12, 0.7)), ("negative_binomial", (0.5, 0.3)),
    ("negative_binomial", (20, 0.1)), ("poisson", (0,)), ("poisson", (0.1,)), ("poisson", (3,)), ("poisson", (10,)),
    ("poisson", (45.5,)), ("poisson", (1e6,)), ("poisson", (1e15,)), ("geometric", (0.01,)), ("geometric", (0.3,)),
    ("geometric", (0.5,)), ("geometric", (1,)), ("logseries", (0.2,)), ("logseries", (0.99,)), ("zipf", (1.6,)), ("zipf", (2,)),
    ("zipf", (20,)), ("hypergeometric", (5, 7, 4)), ("hypergeometric", (7, 5, 9)), ("hypergeometric", (15, 10, 20)),
    ("hypergeometric", (30, 70, 50)), ("hypergeometric", (700, 300, 650)), ("hypergeometric", (10**8, 3 * 10**8, 10**6)),
]
ranges = {
    "int8": [(-128, 127), (-100, 100), (3, 3), (0, 9)], "uint8": [(0, 255), (7, 200), (0, 1)],
    "int16": [(-2**15, 2**15 - 1), (-1000, 30000), (0, 9)], "uint16": [(0, 2**16 - 1), (5, 40000)],
    "int32": [(-2**31, 2**31 - 1), (-2**31, 7), (0, 9), (4, 4)], "uint32": [(0, 2**32 - 1), (10, 2**31 + 10)],
    "int64": [
        (-2**63, 2**63 - 1), (-2**63, 5), (0, 9), (0, 0), (0, 99), (-10**12, 10**12), (0, 2**32 - 1), (0, 2**32), (0, 2**32 - 2),
    ],
    "uint64": [(0, 2**64 - 1), (2**63, 2**64 - 1), (1, 2**40 + 3), (0, 9)], "bool": [(0, 1), (0, 0), (1, 1)],
}
weights = [0.1, 0, 0.25, 0.05, 0.3, 0.1, 0.15, 0.05]

for source in "legacy", "new":
    start = make[source]
    for seed in seeds[source]:
        case(source, seed, "random", start(seed).random(N))
        case(source, seed, "standard_normal", start(seed).standard_normal(N - 1))
        case(source, seed, "standard_exponential", start(seed).standard_exponential(N))
        case(source, seed, "permutation", start(seed).permutation(1000))
    for seed in seeds[source][:2]:
        for name, args in distributions:
            n = 20 if name == "beta" and max(args) < 0.01 else N if seed == [0] else N // 10
            case(source, seed, name, getattr(start(seed), name)(*args, size=n), args)
    for seed in seeds[source][1:3]:
        for dtype, pairs in ranges.items():
            for low, high in pairs:
                r = start(seed)
                draw = r.randint if source == "legacy" else r.integers
                # Once more with an odd number: what is left of a word is thrown away.
                a = draw(low, high + 1, size=5, dtype=dtype)
                b = draw(low, high + 1, size=N // 10, dtype=dtype)
                case(source, seed, "integers", np.concatenate([a, b]), dtype=dtype, low=str(low), high=str(high))
    seed = [7]
    r = start(seed)
    case(source, seed, "bytes", np.frombuffer(r.bytes(1001) + r.bytes(3) + r.bytes(8), np.uint8))
    for n in 1, 2, 10, 5000:
        case(source, seed, "permutation", start(seed).permutation(n))
        a = np.arange(n)
        start(seed).shuffle(a)
        case(source, seed, "shuffle", a)
        a = list(range(n))
        start(seed).shuffle(a)
        case(source, seed, "shuffle", a)
    for n, size in (1, 1), (10, 4), (10, 10), (10001, 201), (20000, 401), (20000, 900), (20000, 1000), (20000, 20000), (100000, 3):
        case(source, seed, "choose", start(seed).choice(n, 1000), [n, 1000])
        case(source, seed, "distinct", start(seed).choice(n, size, replace=False), [n, size])
        if source == "new":
            case(source, seed, "unshuffled", start(seed).choice(n, size, replace=False, shuffle=False), [n, size])
    case(source, seed, "by", start(seed).choice(8, N, p=weights), weights)
    for size in 1, 3, 7:
        draws = np.concatenate([start([s]).choice(8, size, replace=False, p=weights) for s in range(50)])
        case(source, [size], "distinctby", draws, weights)
    for n in 0, 20, 1000:
        case(source, [n], "multinomial", start([n]).multinomial(n, weights, size=1000), weights)
        case(source, [n], "dirichlet", start([n]).dirichlet([0.5, 1, 4], size=1000), [0.5, 1, 4])
        case(source, [n], "dirichlet", start([n]).dirichlet([0.01, 0.05, 0.02], size=1000), [0.01, 0.05, 0.02])

for seed in seeds["legacy"]:
    r = legacy(seed)
    case("legacy", seed, "tomaxint", r.tomaxint(100))
for seed in seeds["new"]:
    case("new", seed, "random32", new(seed).random(N + 1, dtype=np.float32))
    case("new", seed, "normal32", new(seed).standard_normal(N, dtype=np.float32))
    case("new", seed, "exponential32", new(seed).standard_exponential(N, dtype=np.float32))
    case("new", seed, "words", np.random.SeedSequence(seed).generate_state(10, np.uint32))
    children = np.random.SeedSequence(seed[0]).spawn(3)
    grandchild = children[1].spawn(2)[1]
    case("new", seed[:1], "spawn", np.concatenate([np.random.default_rng(s).random(5) for s in children + [grandchild]]))

print("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]")
