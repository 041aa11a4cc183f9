"""Fits the polynomials of vmath.inc and prints their coefficients; needs mpmath.

    python3 fit.py [name ...]

Each polynomial minimises the largest weighted error over an interval: least squares at Chebyshev
points, reweighted by the error until that is level (Lawson's iteration). Then its coefficients are
rounded to the type one after the other, lowest first, and the rest fitted again each time.
"""
import sys
from mpmath import mp, mpf

mp.prec = 180


def solve(points, values, weights, degree):
    """The weighted least squares polynomial: normal equations, which 180 bits can afford."""
    n = degree + 1
    a, b = mp.matrix(n, n), mp.matrix(n, 1)
    moments = [mpf(0)] * (2 * n - 1)
    for x, y, w in zip(points, values, weights):
        p = w
        for k in range(2 * n - 1):
            moments[k] += p
            if k < n:
                b[k] += p * y
            p *= x
    for i in range(n):
        for j in range(n):
            a[i, j] = moments[i + j]
    return list(mp.lu_solve(a, b))


def evaluate(c, x):
    z = mpf(0)
    for k in reversed(c):
        z = z * x + k
    return z


def minimax(points, values, weights, degree, rounds):
    lawson = [mpf(1)] * len(points)
    best, least = None, mp.inf
    for _ in range(rounds):
        c = solve(points, values, [l * w * w for l, w in zip(lawson, weights)], degree)
        errors = [abs(w * (evaluate(c, x) - y)) for x, y, w in zip(points, values, weights)]
        worst = max(errors)
        if worst < least:
            best, least = c, worst
        lawson = [l * (e / worst + mpf(1) / 1000) for l, e in zip(lawson, errors)]
        total = sum(lawson)
        lawson = [l / total for l in lawson]
    return best, least


def rounded(c, digits):
    with mp.workprec(digits):
        return +c


def fit(f, weight, begin, end, degree, digits):
    n = 12 * (degree + 2)
    points = [(begin + end) / 2 + (end - begin) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    values, weights = [f(x) for x in points], [weight(x) for x in points]
    fixed, rest = [], values
    c, exact = minimax(points, rest, weights, degree, 12)
    for k in range(degree + 1):
        fixed.append(rounded(c[0], digits))
        rest = [(y - fixed[-1]) / x for x, y in zip(points, rest)]
        weights = [w * abs(x) for x, w in zip(points, weights)]
        if k < degree:
            c, _ = minimax(points, rest, weights, degree - k - 1, 3)
    worst = max(abs(weight(x) * (evaluate(fixed, x) - y)) for x, y in zip(points, values))
    return fixed, exact, worst


def literal(c, digits):
    text = float(c).hex()
    return text.replace("0000000p", "p") if digits == 24 else text


half = mp.ln2 / 2 * mpf("1.0001")
eighth = mp.pi / 4 * mpf("1.002")  # k is rounded from a product that is rounded
odd = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)) ** 2 * mpf("1.0001")  # (m - 1)/(m + 1) squared, m up to sqrt(2)


def tail(z, k):
    total, p = mpf(0), mpf(1)
    for j in range(60):
        total += 2 * p / (2 * (j + k) + 1)
        p *= z
    return total


def erf_small(z):
    x = mp.sqrt(z)
    return mp.erf(x) / x - 1


# name: function, weight, interval, degree for 24 and 53 digits
FITS = {
    # exp(r) = 1 + r + r*r*q(r); the error is relative to r, for expm1
    "exp": (lambda r: (mp.expm1(r) - r) / r ** 2, abs, -half, half, {24: 4, 53: 9}),
    # exp2(r) = 1 + r*q(r)
    "exp2": (lambda r: mp.expm1(r * mp.ln2) / r, abs, mpf("-0.50001"), mpf("0.50001"), {24: 5, 53: 10}),
    # log((1 + s)/(1 - s)) = 2*s + s*z*q(z), z = s*s
    "log": (lambda z: tail(z, 1), lambda z: z, mpf(0), odd, {24: 2, 53: 6}),
    # the second term in base 2 and 10
    "log2": (lambda z: tail(z, 1) / mp.ln2, lambda z: z, mpf(0), odd, {24: 2, 53: 6}),
    "log10": (lambda z: tail(z, 1) / mp.ln10, lambda z: z, mpf(0), odd, {24: 2, 53: 6}),
    # the first of s up to 1/3
    "softplus": (lambda z: tail(z, 1), lambda z: z, mpf(0), mpf(1) / 9 * mpf("1.0001"), {24: 3, 53: 9}),
    # log((1 + s)/(1 - s)) = 2*s + 2/3*s**3 + s**5*q(z)
    "log_pow": (lambda z: tail(z, 2), lambda z: z * z, mpf(0), odd, {53: 6}),
    # the first two for pow of float32, which is computed in float64: to some 2**-32 of the result
    "exp_short": (lambda r: (mp.expm1(r) - r) / r ** 2, abs, -half, half, {53: 5}),
    "log_short": (lambda z: tail(z, 1), lambda z: z, mpf(0), odd, {53: 3}),
    # sin(r) = r + r*z*q(z), z = r*r
    "sin": (lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, lambda z: z, mpf(0), eighth ** 2, {24: 2, 53: 5}),
    # cos(r) = 1 - z/2 + z*z*q(z)
    "cos": (lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z ** 2, lambda z: z * z, mpf(0), eighth ** 2, {24: 2, 53: 5}),
    # arcsin(x) = x + x*z*q(z) and arctan(x) = x + x*z*q(z), z = x*x
    "arcsin": (lambda z: (mp.asin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, lambda z: z, mpf(0), mpf("0.25"), {24: 4, 53: 11}),
    "arctan": (lambda z: (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, lambda z: z, mpf(0), mpf("0.1716"), {24: 4, 53: 10}),
    # erf(x) = x + x*q(x*x) for x < 1
    "erf": (erf_small, lambda z: mpf(1), mpf(0), mpf("1.001"), {24: 6, 53: 12}),
    # erf(x) = 1 - exp(q(x)) for 1 <= x, to the precision of the 1
    "erfc": (lambda x: mp.log(mp.erfc(x)), mp.erfc, mpf("0.999"), None, {24: 5, 53: 18}),
}

# Constants as a sum of parts of so many bits, the last one rounded.
PARTS = {
    "log(2)": (mp.ln2, {24: [15, 24], 53: [42, 53]}),
    "1/log(2)": (1 / mp.ln2, {24: [24, 24], 53: [53, 53]}),
    "1/log(10)": (1 / mp.ln10, {24: [24, 24], 53: [53, 53]}),
    "log10(2)": (mp.ln2 / mp.ln10, {24: [15, 24], 53: [42, 53]}),
    "2/3": (mpf(2) / 3, {53: [53, 53]}),
    "pi/2": (mp.pi / 2, {53: [33, 33, 33, 53]}),
    "pi/2, fused": (mp.pi / 2, {53: [53, 53, 53]}),
    "pi/4": (mp.pi / 4, {24: [21, 24], 53: [50, 53]}),
    "2/pi": (2 / mp.pi, {24: [24], 53: [53]}),
}


def parts(c, sizes):
    for bits in sizes:
        m, e = mp.frexp(c)
        part = mp.floor(m * 2 ** bits) * mpf(2) ** (e - bits) if bits not in (24, 53) else rounded(c, bits)
        c -= part
        yield part


if __name__ == "__main__":
    for name, (c, sizes) in PARTS.items():
        for digits in sizes:
            if len(sys.argv) == 1 or name in sys.argv[1:]:
                print(f"{name}, {digits} digits:", " + ".join(literal(x, digits) for x in parts(c, sizes[digits])))
    for name, (f, weight, begin, end, degrees) in FITS.items():
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        for digits, degree in degrees.items():
            stop = end or {24: mpf(4), 53: mpf(6)}[digits]
            c, exact, worst = fit(f, weight, begin, stop, degree, digits)
            print(f"{name}, {digits} digits: error 2**{float(mp.log(exact, 2)):.1f}, rounded 2**{float(mp.log(worst, 2)):.1f}")
            print("  ", ", ".join(literal(x, digits) for x in c), flush=True)
