"""Writes reference.txt: values of functions at float64 points, with mpmath; needs SciPy, which says where to begin.

    python3 reference.py > reference.txt

A line is the operation, its operands, the value rounded to float64, and how far the true value lies from
that in units in the last place: rounding hides half a unit, more than some kernels err.
"""
import math
import random
from mpmath import mp, mpf
from scipy import special

mp.prec = 300
rng = random.Random(1)


def uniform(begin, end):
    return lambda: rng.uniform(begin, end)


def near(centre, begin, end):
    """Numbers whose distance from centre is anything between 2**begin and 2**end."""
    return lambda: centre + rng.choice((-1, 1)) * rng.uniform(1, 2) * 2.0 ** rng.uniform(begin, end)


def positive():
    """Any positive number, with all exponents alike."""
    return rng.uniform(1, 2) * 2.0 ** rng.randint(-1022, 1022)


def subnormal():
    return rng.randint(1, 2 ** 52) * 2.0 ** -1074


def multiple():
    """The float64 nearest to a multiple of pi/2."""
    return float(mp.pi / 2 * rng.randint(1, 600000)) * rng.choice((-1, 1))


def sigmoid(x):
    return 1 / (1 + mp.exp(-x))


def softplus(x):
    return mp.log1p(mp.exp(x))


angles = [uniform(-4, 4), uniform(-1e3, 1e3), uniform(-1e6, 1e6), near(0, -1000, 0), multiple, near(1e9, 0, 20)]
sines = [uniform(-1, 1), uniform(0.4, 0.6), lambda: 1 - 2.0 ** rng.uniform(-52, -1), near(0, -1000, -1), subnormal]
tangents = [uniform(-1, 1), uniform(-10, 10), near(0, -1000, 1000), subnormal]
numbers = [positive, near(1, -50, -1), uniform(0.5, 2), subnormal]

FUNCTIONS = {
    "exp": (mp.exp, [uniform(-708, 709.7), uniform(-2, 2), near(0, -60, 0), uniform(-745, -708)]),
    "exp2": (lambda x: mpf(2) ** x, [uniform(-1022, 1023.9), uniform(-2, 2), near(0, -60, 0), uniform(-1074, -1022)]),
    "expm1": (mp.expm1, [uniform(-40, 709.7), uniform(-2, 2), near(0, -1060, 0), subnormal]),
    "sinh": (mp.sinh, [uniform(-710, 710.4), uniform(-2, 2), near(0, -1060, 0), subnormal]),
    "cosh": (mp.cosh, [uniform(-710, 710.4), uniform(-2, 2), near(0, -60, 0)]),
    "tanh": (mp.tanh, [uniform(-20, 20), uniform(-2, 2), near(0, -1060, 0), subnormal]),
    "sigmoid": (sigmoid, [uniform(-40, 40), uniform(-2, 2), near(0, -60, 0), uniform(-744, -40)]),
    "softplus": (softplus, [uniform(-40, 40), uniform(-2, 2), near(0, -60, 0), uniform(-744, -40)]),
    "erf": (mp.erf, [uniform(-6.1, 6.1), uniform(0.9, 1.1), near(0, -1060, 0), subnormal]),
    "log": (mp.log, numbers),
    "log2": (lambda x: mp.log(x) / mp.ln2, numbers),
    "log10": (lambda x: mp.log(x) / mp.ln10, numbers),
    "log1p": (mp.log1p, [positive, near(0, -1060, -1), uniform(-1, 2), near(-1, -50, -1)]),
    "sin": (mp.sin, angles),
    "cos": (mp.cos, angles),
    "tan": (mp.tan, angles),
    "arcsin": (mp.asin, sines),
    "arccos": (mp.acos, sines),
    "arctan": (mp.atan, tangents),
}


def below(begin, end):
    """Negative numbers from -2**begin to -2**end."""
    return lambda: -rng.uniform(1, 2) * 2.0 ** rng.uniform(begin, end)


# Functions that C has from its library, or that are made of the others.
MORE = {
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), [positive, uniform(-10, 10), subnormal]),
    "arcsinh": (mp.asinh, tangents),
    "arccosh": (mp.acosh, [uniform(1, 100), lambda: 1 + 2.0 ** rng.uniform(-50, 1), lambda: 2.0 ** rng.uniform(1, 1000)]),
    "arctanh": (mp.atanh, [uniform(-1, 1), lambda: 1 - 2.0 ** rng.uniform(-52, -1), near(0, -1000, -1), subnormal]),
    "erfc": (mp.erfc, [uniform(-6, 6), uniform(6, 26.5), near(0, -60, 0)]),
    "log1mexp": (lambda x: mp.log1p(-mp.exp(x)), [below(-60, -1), below(-1, 1), below(1, 9)]),
}
# Sums far from 1, of which the logarithm does not cancel.
PAIRS = {
    "hypot": (lambda x, y: mp.sqrt(x * x + y * y), [uniform(-10, 10), near(0, -300, 300)]),
    "logaddexp": (lambda x, y: mp.log(mp.exp(x) + mp.exp(y)), [uniform(0, 700), uniform(-700, -2)]),
    "logaddexp2": (lambda x, y: mp.log(2 ** x + 2 ** y) / mp.ln2, [uniform(0, 700), uniform(-700, -2)]),
}


def whole(begin, end):
    return lambda: float(rng.randint(begin, end))


def gammaln(x):
    return mp.log(abs(mp.gamma(x))) if x < 100 else mp.loggamma(x).real


def erfcinv(p):
    """By Newton's method for the logarithm of erfc."""
    if 0.5 <= p <= 1.5:
        return mp.erfinv(1 - p)
    q = min(p, 2 - p)
    y = mp.sqrt(-mp.log(q))
    for _ in range(60):
        e = mp.erfc(y)
        step = mp.log(e / q) * e * mp.sqrt(mp.pi) / 2 * mp.exp(y * y)
        y += step
        if abs(step) < mpf(2) ** -250 * y:
            break
    return y if p < 1 else -y


def ndtri_exp(x):
    """By Newton's method for the logarithm of the normal distribution function, of the side that is small."""
    near = x > -0.7
    want = mp.log(-mp.expm1(x)) if near else x  # the other side's
    y = mp.sqrt(-2 * want) if -want > 1 else mpf(0)
    for _ in range(60):
        q = mp.erfc(y / mp.sqrt(2)) / 2
        step = (mp.log(q) - want) * q * mp.sqrt(2 * mp.pi) * mp.exp(y * y / 2)
        y += step
        if abs(step) < mpf(2) ** -120 * abs(y):
            break
    return y if near else -y


def root_of(f, slope, guess, want):
    """Where the increasing function f of x > 0 is want: Newton's steps for log(f) and log(x), which are halved where they do not help."""
    x = mpf(guess)
    for _ in range(200):
        y = f(x)
        step = (mp.log(want) - mp.log(y)) * y / (slope(x) * x)
        x *= mp.exp(step)
        if abs(step) < mpf(2) ** -120:
            break
    return x


def gammaincinv(a, p):
    return root_of(lambda x: mp.gammainc(a, 0, x, regularized=True), lambda x: x ** (a - 1) * mp.exp(-x) / mp.gamma(a), special.gammaincinv(float(a), float(p)), p)


def gammainccinv(a, q):
    guess = special.gammainccinv(float(a), float(q))
    return root_of(lambda x: mp.gammainc(a, x, mp.inf, regularized=True), lambda x: -x ** (a - 1) * mp.exp(-x) / mp.gamma(a), guess, q)


def betaincinv(a, b, p):
    guess = special.betaincinv(float(a), float(b), float(p))
    return root_of(lambda x: mp.betainc(a, b, 0, x, regularized=True), lambda x: x ** (a - 1) * (1 - x) ** (b - 1) / mp.beta(a, b), guess, p)


def owens_t(h, a):
    """By quadrature, in parts that are short beside the width of the normal density; of what is near 1 where x is 0, as its error is absolute."""
    end = min(abs(a), 40 / abs(h))
    parts = [end * k / 16 for k in range(17)]
    return mp.sign(a) * mp.exp(-h * h / 2) * mp.quad(lambda x: mp.exp(-h * h * x * x / 2) / (1 + x * x), parts) / (2 * mp.pi)


small = [uniform(0, 1), near(0, -300, -2)]
# Special functions of one operand.
SPECIAL = {
    "gamma": (mp.gamma, small + [uniform(1, 16), uniform(16, 171.6), uniform(-20, 0), uniform(-175, -20)]),
    "gammaln": (gammaln, small + [uniform(0.5, 3), uniform(3, 16), uniform(16, 1000), lambda: 2.0 ** rng.uniform(10, 1000), uniform(-2, 0)]),
    "digamma": (mp.digamma, small + [uniform(0.5, 3), uniform(3, 16), uniform(16, 1000), lambda: 1.461632144968362 + 2.0 ** rng.uniform(-50, -5)]),
    "tri_gamma": (lambda x: mp.psi(1, x), small + [uniform(0.5, 16), uniform(16, 1000), uniform(-10, 0)]),
    "erfinv": (mp.erfinv, [uniform(-0.5, 0.5), uniform(-1, 1), lambda: 1 - 2.0 ** rng.uniform(-52, -1), near(0, -1000, -1)]),
    "erfcinv": (erfcinv, [uniform(0, 2), lambda: 2.0 ** rng.uniform(-1000, -1), lambda: 2.0 ** rng.uniform(-50, -1)]),
    "erfcx": (lambda x: mp.exp(x * x) * mp.erfc(x), [uniform(0, 1), uniform(1, 31), lambda: 2.0 ** rng.uniform(5, 500), uniform(-26.6, 0)]),
    "i0": (lambda x: mp.besseli(0, x), [uniform(-8, 8), uniform(8, 64), uniform(64, 713)]),
    "i1": (lambda x: mp.besseli(1, x), [uniform(-8, 8), uniform(8, 64), uniform(64, 713), near(0, -1000, -1)]),
    "j0": (lambda x: mp.besselj(0, x), [uniform(-1, 1), uniform(1, 26)]),
    "j1": (lambda x: mp.besselj(1, x), [uniform(-1, 1), uniform(1, 26), near(0, -1000, -1)]),
}
# Of several: a list of the kinds of each operand.
SEVERAL = {
    "polygamma": (lambda n, x: mp.psi(int(n), x), [[whole(2, 8), uniform(0.01, 30)], [whole(8, 60), uniform(0.01, 100)]]),
    "gammainc": (lambda a, x: mp.gammainc(a, 0, x, regularized=True),
                 [[uniform(0.01, 20), uniform(0.01, 40)], [uniform(50, 300), uniform(40, 400)], [near(4, -30, 1), near(4, -30, 1)]]),
    "gammaincc": (lambda a, x: mp.gammainc(a, x, mp.inf, regularized=True),
                  [[uniform(0.01, 20), uniform(0.01, 40)], [uniform(50, 300), uniform(40, 400)], [uniform(0, 0.01), uniform(0, 2)]]),
    "betainc": (lambda a, b, x: mp.betainc(a, b, 0, x, regularized=True),
                [[uniform(0.1, 20), uniform(0.1, 20), uniform(0, 1)], [uniform(20, 200), uniform(20, 200), uniform(0.2, 0.8)],
                 [uniform(0.1, 5), uniform(20, 200), uniform(0, 0.3)]]),
    "iv": (mp.besseli, [[uniform(0, 10), uniform(0, 60)], [uniform(0, 50), uniform(60, 600)]]),
    "ive": (lambda v, x: mp.besseli(v, x) * mp.exp(-x), [[uniform(0, 10), uniform(0, 60)], [uniform(0, 50), uniform(60, 600)]]),
    "kv": (mp.besselk, [[uniform(-5, 10), uniform(0, 20)], [uniform(0, 50), uniform(0.1, 600)]]),
    "kve": (lambda v, x: mp.besselk(v, x) * mp.exp(x), [[uniform(-5, 10), uniform(0, 20)], [uniform(0, 50), uniform(0.1, 600)]]),
    "jv": (mp.besselj, [[uniform(0, 10), uniform(0, 26)], [uniform(0, 50), uniform(20, 1000)]]),
    "xlogy": (lambda x, y: x * mp.log(y), [[uniform(-5, 5), positive], [near(0, -300, 300), uniform(0.5, 2)]]),
    "xlog1py": (lambda x, y: x * mp.log1p(y), [[uniform(-5, 5), near(0, -300, -1)], [near(0, -300, 300), uniform(-0.9, 2)]]),
    "gammaincinv": (gammaincinv, [[uniform(0.2, 20), uniform(0, 1)], [uniform(50, 300), uniform(0, 1)], [uniform(1, 30), lambda: 2.0 ** rng.uniform(-60, -2)]]),
    "gammainccinv": (gammainccinv, [[uniform(0.2, 20), uniform(0, 1)], [uniform(50, 300), uniform(0, 1)], [uniform(1, 30), lambda: 2.0 ** rng.uniform(-300, -2)]]),
    "betaincinv": (betaincinv, [[uniform(0.2, 20), uniform(0.2, 20), uniform(0, 1)], [uniform(20, 200), uniform(20, 200), uniform(0, 1)]]),
    "owens_t": (owens_t, [[uniform(0, 5), uniform(-1, 1)], [uniform(0, 5), uniform(1, 20)], [uniform(5, 30), uniform(0, 2)]]),
    "ndtri_exp": (ndtri_exp, [[uniform(-1, 0)], [uniform(-20, -1)], [uniform(-1000, -20)], [lambda: -(2.0 ** rng.uniform(-40, -2))], [below(0, 60)]]),
}


def by_parameter(which):
    """The derivative of hyp2f1 with respect to a parameter."""
    def slope(*operands):
        return mp.diff(lambda x: mp.hyp2f1(*(x if i == which else v for i, v in enumerate(operands))), operands[which])
    return slope


few = [uniform(0.2, 5)] * 3
any_sign = [uniform(-5, 5)] * 3
many = [uniform(-30, 30), uniform(-30, 30), uniform(0.5, 30)]
# Of these the operands were drawn after all others, from another start.
HYPERGEOMETRIC_KINDS = [
    few + [uniform(-0.75, 0.75)], few + [uniform(0.75, 1)], few + [below(0, 10)], any_sign + [uniform(-1, 1)], any_sign + [below(0, 60)], few + [lambda: 1 - 2.0 ** rng.uniform(-40, -2)],
    many + [uniform(-1, 0.9)], [whole(-8, 8), whole(-8, 8), whole(1, 8), uniform(-3, 1)], [whole(1, 5), whole(1, 5), whole(1, 9), uniform(0.9, 1)],
]
HYPERGEOMETRIC = {"hyp2f1": mp.hyp2f1, "hyp2f1_a": by_parameter(0), "hyp2f1_c": by_parameter(2)}


def power_operands():
    kind = rng.randrange(4)
    x = (positive, near(1, -50, -1), uniform(0.1, 10), subnormal)[kind]()
    most = min(float(745 / abs(mp.log(x))) if x != 1 else 1, 1e300)
    y = rng.uniform(-most, most)
    if rng.randrange(3) == 0 and abs(y) < 1e15:
        return x * rng.choice((-1, 1)), float(round(y))
    return x, y


def line(name, operands, value):
    m, e = mp.frexp(value)
    last = max(e - 53, -1074)
    scaled = value * mpf(2) ** -last
    whole = int(mp.nint(scaled))
    if abs(whole) >= 2 ** 53 and last >= 971 or last > 971:
        return
    print(name, *(x.hex() for x in operands), math.ldexp(whole, last).hex(), f"{float(scaled - whole):.3f}")


if __name__ == "__main__":
    print("# Written by reference.py: operation, operands, value, and what it lacks in units in the last place.")
    for name, (f, kinds) in FUNCTIONS.items():
        for kind in kinds:
            for _ in range(60):
                x = kind()
                if name[:3] != "log" or x > (-1 if name == "log1p" else 0):
                    line(name, [x], f(mpf(x)))
    for _ in range(240):
        x, y = power_operands()
        line("pow", [x, y], mpf(x) ** mpf(y))
    for kind in [uniform(-1, 1), near(0, -300, 300), near(0, 1020, 1022)]:
        for _ in range(80):
            y, x = kind(), kind()
            line("arctan2", [y, x], mp.atan2(y, x))
    for name, (f, kinds) in MORE.items():
        for kind in kinds:
            for _ in range(60):
                x = kind()
                line(name, [x], f(mpf(x)))
    for name, (f, kinds) in PAIRS.items():
        for kind in kinds:
            for _ in range(80):
                x, y = kind(), kind()
                line(name, [x, y], f(mpf(x), mpf(y)))
    with mp.workprec(160):
        for name, (f, kinds) in SPECIAL.items():
            for kind in kinds:
                for _ in range(60):
                    x = kind()
                    line(name, [x], mp.re(f(mpf(x))))
        for name, (f, kinds) in SEVERAL.items():
            for kind in kinds:
                for _ in range(60):
                    operands = [operand() for operand in kind]
                    line(name, operands, mp.re(f(*map(mpf, operands))))
        rng.seed(2)
        for name, f in HYPERGEOMETRIC.items():
            for kind in HYPERGEOMETRIC_KINDS:
                for _ in range(60):
                    operands = [operand() for operand in kind]
                    value = mp.re(f(*map(mpf, operands)))
                    if abs(value) > 1e-290:
                        line(name, operands, value)
