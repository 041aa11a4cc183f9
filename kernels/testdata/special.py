"""Derives the tables of kernels/special and of kernels/c/tables.inc; needs mpmath.

    python3 special.py go > ../special/tables.go
    python3 special.py c > ../c/tables.inc

A function is cut into pieces, some to an octave of a number u, so that the leading bits of u say which piece it lies in. A piece is a
row: its middle, and the coefficients of the polynomial of the distance from there that agrees with the function at Chebyshev's points
of the piece. All rows of a table have one degree, the least whose error is below 2**-57 of the function.
"""
import sys
from mpmath import mp, mpf

mp.prec = 240


def interpolate(f, centre, half, degree):
    """The coefficients of the polynomial of x - centre that agrees with f at Chebyshev's points: divided differences, expanded."""
    n = degree + 1
    at = [half * mp.cos(mp.pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    d = [f(centre + t) for t in at]
    for k in range(1, n):
        for i in range(n - 1, k - 1, -1):
            d[i] = (d[i] - d[i - 1]) / (at[i] - at[i - k])
    c = [mpf(0)] * n
    for t, k in zip(reversed(at), reversed(d)):
        c = expand(c, t, k)
    return c


def expand(c, x, k):
    """The coefficients of c * (t - x) + k."""
    c = [s - x * a for s, a in zip([mpf(0)] + c[:-1], c)]
    c[0] += k
    return c


def value(c, t):
    z = mpf(0)
    for k in reversed(c):
        z = z * t + k
    return z


def error(f, c, centre, half):
    """The largest relative error between Chebyshev's points and at the ends."""
    worst = mpf(0)
    for i in range(17):
        t = half * mp.cos(mp.pi * i / 16 + mpf("0.01"))
        y = f(centre + t)
        worst = max(worst, abs((value(c, t) - y) / y))
    return worst


def pieces(begin, end, each):
    """The pieces from begin to end, of which there are so many in each octave."""
    first = mpf(2) ** mp.floor(mp.log(begin, 2) + mpf(2) ** -60)
    while first < end:
        for i in range(each):
            low, high = first + first * i / each, first + first * (i + 1) / each
            if high > begin and low < end:
                yield (low + high) / 2, (high - low) / 2
        first *= 2


def rows(f, begin, end, each):
    cut = list(pieces(begin, end, each))
    for degree in range(6, 40):
        if all(error(f, interpolate(f, c, h, degree), c, h) < mpf(2) ** -57 for c, h in (cut[0], cut[len(cut) // 2], cut[-1])):
            if all(error(f, interpolate(f, c, h, degree), c, h) < mpf(2) ** -57 for c, h in cut):
                break
    return [[c] + interpolate(f, c, h, degree) for c, h in cut]


ROOT = mp.findroot(mp.digamma, mpf("1.46163214496836"))


def erfc_inverse(s):
    """y where erfc(y) = exp(-s*s)."""
    y = s if s > 1 else s / 2
    for _ in range(60):  # Newton's method for the logarithm, which is almost a parabola
        q = mp.erfc(y)
        step = (mp.log(q) + s * s) * q * mp.sqrt(mp.pi) / 2 * mp.exp(y * y)
        y += step
        if abs(step) < mpf(2) ** -180 * y:
            return y
    raise ValueError(s)


def by_root(order, begin, end, width):
    """Bessel's J of an order near its zeros: the middle, the nearest zero in two parts, and J(x)/(x - zero)."""
    zeros = [mp.besseljzero(order, k) for k in range(1, 14)]
    cut = []
    x = mpf(begin)
    while x < end:
        c = x + mpf(width) / 2
        cut.append((c, mpf(width) / 2, min(zeros, key=lambda z: abs(z - c))))
        x += width

    def near(z):
        return lambda x: mp.besselj(order, x) / (x - z)

    for degree in range(8, 40):
        made = [[c, mpf(float(z)), z - mpf(float(z))] + interpolate(near(z), c, h, degree) for c, h, z in cut]
        if all(error(near(z), m[3:], c, h) < mpf(2) ** -57 for m, (c, h, z) in zip(made, cut)):
            return made


def temme(orders, terms):
    """The coefficients of eta in C_k(eta) of Temme's expansion of the incomplete gamma function: C_0 = 1/mu - 1/eta, and
    C_k = C_{k-1}'/eta + (-1)**k g_k/mu, where eta**2/2 = mu - log(1 + mu) and g_k are the coefficients of Stirling's series."""
    n = terms + 2 * orders + 4
    mu = [mpf(0), mpf(1)] + [mpf(0)] * n  # from mu*mu' = eta*(1 + mu)
    for k in range(2, n):
        known = sum(mu[i] * (k + 1 - i) * mu[k + 1 - i] for i in range(2, k))
        mu[k] = (mu[k - 1] - known) / (k + 1)
    inverse = [mpf(1)]  # eta/mu
    for k in range(1, n - 1):
        inverse.append(-sum(mu[i + 1] * inverse[k - i] for i in range(1, k + 1)))
    stirling = [mpf(1)]  # of exp(sum of B_2k/(2k(2k-1)) a**(1-2k))
    log = [mpf(0) if k % 2 == 0 else mp.bernoulli(k + 1) / (k * (k + 1)) for k in range(orders + 1)]
    for k in range(1, orders + 1):
        stirling.append(sum(i * log[i] * stirling[k - i] for i in range(1, k + 1)) / k)
    c = inverse[1:]
    table = [c[:terms]]
    for k in range(1, orders):
        g = (-1) ** k * stirling[k]
        # C_{k-1}'/eta has the term c[1]/eta, which g/mu cancels
        c = [(j + 2) * c[j + 2] + g * inverse[j + 1] for j in range(len(c) - 2)]
        table.append(c[:terms])
    return table


def debye(orders):
    """The polynomials u_k(p) of Debye's expansions, lowest coefficient first, of p**k on:
    u_{k+1} = p**2 (1 - p**2) u_k'/2 + 1/8 integral of (1 - 5 t**2) u_k from 0 to p."""
    u = [mpf(1)]
    table = [u]
    for _ in range(orders):
        n = len(u) + 3
        z = [mpf(0)] * n
        for i, a in enumerate(u):
            z[i + 1] += i * a / 2 + a / (8 * (i + 1))
            z[i + 3] -= i * a / 2 + 5 * a / (8 * (i + 3))
        u = z
        table.append(u)
    # u_k has the powers k, k+2, ..., 3k
    return [[v[i] for i in range(k, 3 * k + 1, 2)] for k, v in enumerate(table)]


def temme_gamma(terms):
    """(1/Gamma(1-x) - 1/Gamma(1+x))/(2x) and (1/Gamma(1-x) + 1/Gamma(1+x))/2 as series of x*x."""
    c = mp.taylor(mp.rgamma, 1, 2 * terms + 1)
    return [[-c[2 * k + 1] for k in range(terms)], [c[2 * k] for k in range(terms)]]


def bessel_far(order, terms):
    """Of Hankel's expansions: a_k(order) of 1/x**k."""
    a, list_ = mpf(1), []
    for k in range(terms):
        list_.append(a)
        a *= mpf(4 * order ** 2 - (2 * k + 1) ** 2) / (8 * (k + 1))
    return list_


def legendre(n):
    """The positive zeros of Legendre's polynomial, each with the weight of Gauss's rule."""
    flat = []
    for i in range(n // 2):
        x = mp.findroot(lambda t: mp.legendre(n, t), mp.cos(mp.pi * (i + mpf("0.75")) / (n + mpf("0.5"))))
        slope = n * (x * mp.legendre(n, x) - mp.legendre(n - 1, x)) / (x * x - 1)
        flat += [x, 2 / ((1 - x * x) * slope * slope)]
    return flat


def tables():
    yield "gamma", "gamma(u), 16 pieces to an octave from 1", rows(mp.gamma, mpf(1), mpf(16), 16)
    yield "gammaln", "gammaln(u)/((u - 1)(u - 2)), 8 pieces to an octave from 1/2", rows(
        lambda x: mp.loggamma(x).real / ((x - 1) * (x - 2)), mpf("0.5"), mpf(16), 8)
    yield "digamma", "digamma(u)/(u - root), 8 pieces to an octave from 1/2", rows(
        lambda x: mp.digamma(x) / (x - ROOT), mpf("0.5"), mpf(16), 8)
    yield "erfcinv", "erfcinv(exp(-u*u)), 8 pieces to an octave from 3/4", rows(erfc_inverse, mpf("0.75"), mpf(28), 8)
    yield "erfcx", "erfcx(u - 1), 8 pieces to an octave from 1", rows(
        lambda u: mp.exp((u - 1) ** 2) * mp.erfc(u - 1), mpf(1), mpf(32), 8)
    for order in (0, 1):
        yield f"besselI{order}", f"sqrt(u) exp(-u) I{order}(u), 8 pieces to an octave from 8", rows(
            lambda u: mp.sqrt(u) * mp.exp(-u) * mp.besseli(order, u), mpf(8), mpf(64), 8)
    for order in (0, 1):
        yield f"besselJ{order}", f"J{order}(x)/(x - zero), pieces of 1/2 from 1: the middle, the zero in two parts, coefficients", by_root(
            order, 1, 26, mpf("0.5"))
    yield "temme", "C_k(eta), a row for each k", temme(9, 22)


def polynomial(f, end):
    """The coefficients of a polynomial for f from 0 to end, of the least degree that is good enough."""
    half = end / 2
    for degree in range(4, 40):
        c = interpolate(f, half, half, degree)
        if error(f, c, half, half) < mpf(2) ** -58:
            break
    z = [mpf(0)] * (degree + 1)  # of x - half: expanded
    for k in reversed(c):
        z = expand(z, half, k)
    return z


def lists():
    def root(f):
        return lambda z: f(mp.sqrt(z)) / mp.sqrt(z)

    yield "erfinv", "erfinv(x)/x as a polynomial of x*x up to x = 1/2", polynomial(root(mp.erfinv), mpf(1) / 4)
    yield "sinpi", "sin(pi x)/x as a polynomial of x*x up to x = 1/4", polynomial(root(mp.sinpi), mpf(1) / 16)
    yield "cospi", "cos(pi x) as a polynomial of x*x up to x = 1/4", polynomial(lambda z: mp.cospi(mp.sqrt(z)), mpf(1) / 16)
    yield "stirling", "gammaln's series of 1/x**2, after 1/x", [mp.bernoulli(2 * k) / (2 * k * (2 * k - 1)) for k in range(1, 11)]
    scaled = [mpf(1)]
    log = [mpf(0) if k % 2 == 0 else mp.bernoulli(k + 1) / (k * (k + 1)) for k in range(17)]
    for k in range(1, 17):
        scaled.append(sum(i * log[i] * scaled[k - i] for i in range(1, k + 1)) / k)
    yield "gammaFar", "gamma(x) sqrt(x/(2 pi)) (e/x)**x as a series of 1/x", scaled
    yield "digammaFar", "log(x) - 1/(2x) - digamma(x) as a series of 1/x**2, after 1/x**2", [
        mp.bernoulli(2 * k) / (2 * k) for k in range(1, 9)]
    yield "bernoulli", "B_2k/(2k)!", [mp.bernoulli(2 * k) / mp.factorial(2 * k) for k in range(1, 13)]
    yield "erfcxFar", "sqrt(pi) x erfcx(x) as a series of 1/(2 x**2)", [(-1) ** k * mp.fac2(2 * k - 1) for k in range(9)]
    yield "besselI0Near", "I0(x) as a series of x*x/4", [1 / mp.factorial(k) ** 2 for k in range(26)]
    yield "besselI1Near", "2 I1(x)/x as a series of x*x/4", [1 / (mp.factorial(k) * mp.factorial(k + 1)) for k in range(26)]
    yield "besselI0Far", "sqrt(2 pi x) exp(-x) I0(x) as a series of 1/x", [(-1) ** k * a for k, a in enumerate(bessel_far(0, 12))]
    yield "besselI1Far", "sqrt(2 pi x) exp(-x) I1(x) as a series of 1/x", [(-1) ** k * a for k, a in enumerate(bessel_far(1, 12))]
    yield "besselJ0Far", "Hankel's a_k(0)", bessel_far(0, 18)
    yield "besselJ1Far", "Hankel's a_k(1)", bessel_far(1, 18)
    yield "factorial", "k!", [mp.factorial(k) for k in range(171)]
    one, two = temme_gamma(10)
    yield "gammaOdd", "(1/gamma(1 - x) - 1/gamma(1 + x))/(2x) as a series of x*x", one
    yield "gammaEven", "(1/gamma(1 - x) + 1/gamma(1 + x))/2 as a series of x*x", two
    flat = []
    for u in debye(11):
        flat += u
    yield "debye", "u_k(p)/p**k as polynomials of p*p, k + 1 coefficients for each k from 0", flat
    yield "legendre", "Gauss's rule of 28 points from -1 to 1: those above 0, each with its weight", legendre(28)


def literal(c):
    text = float(c).hex()
    sign, mantissa = ("-", text[1:]) if text[0] == "-" else ("", text)
    digits, exponent = mantissa.split("p")
    digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    return f"{sign}{digits}p{exponent}"


def wrapped(words, indent):
    line = indent
    for w in words:
        if len(line) + len(w) > 150:
            yield line.rstrip()
            line = indent
        line += w + ", "
    yield line.rstrip()


if __name__ == "__main__":
    go = sys.argv[1] == "go"
    print("// Code generated by kernels/testdata/special.py; DO NOT EDIT.")
    if not go:
        print("// Included by special.c.")
    print()
    if go:
        print("package special\n")
    for name, doc, table in tables():
        width = len(table[0])
        print(f"// {doc}.")
        print(f"var {name}Rows = [...][{width}]float64{{" if go else f"static const double {name}_rows[][{width}] = {{")
        for row in table:
            print("\t{")
            print("\n".join(wrapped([literal(c) for c in row], "\t\t")))
            print("\t},")
        print("}\n" if go else "};\n", flush=True)
    for name, doc, c in lists():
        print(f"// {doc}.")
        print(f"var {name}Terms = [...]float64{{" if go else f"static const double {name}_terms[] = {{")
        print("\n".join(wrapped([literal(x) for x in c], "\t")))
        print("}\n" if go else "};\n")
    hi = mpf(float(ROOT))
    print("// The root of digamma in two parts.")
    for part, x in (("Hi", hi), ("Lo", ROOT - hi)):
        print(f"const digammaRoot{part} = {literal(x)}" if go else f"static const double digammaRoot{part} = {literal(x)};")
