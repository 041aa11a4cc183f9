"""Writes stable_forms.py beside it, forms of neural networks' functions as users write them, and stable.jsonl, their values and first and second derivatives to
50 digits and more, by mpmath (Debian's python3-mpmath), rounded to the nearest float: python3 stable.py"""

import json
import struct

import mpmath as mp

mp.mp.dps = 1400


class Jet:
    """A value with its first and second derivative by x."""

    def __init__(self, v, d=0, e=0):
        self.v, self.d, self.e = mp.mpf(v), mp.mpf(d), mp.mpf(e)

    def of(self, f, df, ddf):
        """The outer function's value and derivatives at self.v, chained."""
        return Jet(f, df * self.d, ddf * self.d**2 + df * self.e)

    def __add__(self, o):
        o = jet(o)
        return Jet(self.v + o.v, self.d + o.d, self.e + o.e)

    def __neg__(self):
        return Jet(-self.v, -self.d, -self.e)

    def __mul__(self, o):
        o = jet(o)
        return Jet(self.v * o.v, self.d * o.v + self.v * o.d, self.e * o.v + 2 * self.d * o.d + self.v * o.e)

    def __truediv__(self, o):
        return self * inv(jet(o))

    def __sub__(self, o):
        return self + -jet(o)

    def __rsub__(self, o):
        return jet(o) - self

    def __rtruediv__(self, o):
        return jet(o) / self

    __radd__, __rmul__ = __add__, __mul__


def jet(x):
    return x if isinstance(x, Jet) else Jet(x)


def inv(x):
    return x.of(1 / x.v, -1 / x.v**2, 2 / x.v**3)


def exp(x):
    v = mp.exp(x.v)
    return x.of(v, v, v)


def log(x):
    return x.of(mp.log(x.v), 1 / x.v, -1 / x.v**2)


def sqrt(x):
    v = mp.sqrt(x.v)
    return x.of(v, 1 / (2 * v), -1 / (4 * v**3))


def erfc(x):
    d = -2 / mp.sqrt(mp.pi) * mp.exp(-x.v**2)
    return x.of(mp.erfc(x.v), d, -2 * x.v * d)


def erf(x):
    d = 2 / mp.sqrt(mp.pi) * mp.exp(-x.v**2)
    return x.of(mp.erf(x.v), d, -2 * x.v * d)


def erfcx(x):
    v = mp.exp(x.v**2) * mp.erfc(x.v)
    d = 2 * x.v * v - 2 / mp.sqrt(mp.pi)
    return x.of(v, d, 2 * v + 2 * x.v * d)


def sig(x):
    return 1 / (1 + exp(-x))


def sp(x):
    return log(1 + exp(x))


def tanh(x):
    return 1 - 2 / (1 + exp(2 * x))


def relu(x, slope):
    return Jet(0, mp.mpf(1 + slope) / 2) if x.v == 0 else x if x.v > 0 else x * slope


def elu(x, scale=1, alpha=1):
    return scale * (x if x.v > 0 else alpha * (exp(x) - 1))


def phi(x):
    return mp.mpf(1) / 2 * erfc(-x / mp.sqrt(2))


def gelu_tanh(x):
    return x * sig(2 * mp.sqrt(2 / mp.pi) * (x + mp.mpf(double(0.044715)) * x * x * x))


def bce(t):
    return lambda x: t * sp(-x) + (1 - t) * sp(x)


def negative(f):
    return lambda x: f(x) if x.v < 0 else None


def positive(f):
    return lambda x: f(x) if x.v > 0 else None


def above(low):
    return lambda f: lambda x: f(x) if x.v > low else None


def double(x):
    return struct.unpack("d", struct.pack("d", x))[0]


def finite(f):
    """inf - inf, inf/inf and 0*inf come up on the way, as in Theano and torch."""
    return lambda x: f(x) if abs(x.v) < 1e4 else None


def smooth(f):
    """Without the second derivative at 0, which is another on each side."""
    def both(x):
        y = f(x)
        if x.v == 0:
            y.e = None
        return y
    return both


# What users write, with x a vector, and what it is. None: not asked for there.
pair = "T.stack([x, T.zeros_like(x)], axis=1)"
label = "T.zeros_like(x, dtype='int64')"
forms = [
    ("T.nnet.sigmoid(x)", sig),
    ("T.nnet.softplus(x)", sp),
    ("T.nnet.softsign(x)", finite(smooth(lambda x: x / (1 + x) if x.v >= 0 else x / (1 - x)))),
    ("T.tanh(x)", tanh),
    ("T.nnet.relu(x)", lambda x: relu(x, 0)),
    ("T.nnet.relu(x, 0.25)", lambda x: relu(x, mp.mpf("0.25"))),
    ("T.nnet.elu(x)", elu),
    ("T.nnet.selu(x)", lambda x: elu(x, mp.mpf("1.0507009873554804934193349852946"), mp.mpf("1.6732632423543772848170429916717"))),
    ("T.nnet.gelu(x)", finite(lambda x: x * phi(x))),
    ("T.nnet.gelu(x, approximate=True)", finite(gelu_tanh)),
    ("T.nnet.swish(x)", finite(lambda x: x * sig(x))),
    ("T.expm1(x)", lambda x: exp(x) - 1),
    ("T.log1p(x)", above(-1)(lambda x: log(1 + x))),
    ("T.log1mexp(x)", negative(lambda x: log(1 - exp(x)))),
    ("T.erf(x)", finite(erf)),
    ("T.erfc(x)", finite(erfc)),
    ("T.erfcx(x)", finite(erfcx)),
    ("T.logaddexp(x, 1.0)", lambda x: log(exp(x) + mp.e)),
    ("T.log(T.nnet.sigmoid(x))", lambda x: -sp(-x)),
    ("T.log(T.nnet.sigmoid(-x))", lambda x: -sp(x)),
    ("T.log(1 - T.nnet.sigmoid(x))", lambda x: -sp(x)),
    ("T.log1p(-T.nnet.sigmoid(x))", lambda x: -sp(x)),
    ("-T.log(T.nnet.sigmoid(2*x))", lambda x: sp(-2 * x)),
    ("T.log(1 - T.nnet.sigmoid(3*x + 1))", lambda x: -sp(3 * x + 1)),
    ("T.log(1 / (1 + T.exp(-x)))", lambda x: -sp(-x)),
    ("T.log(1 - 1 / (1 + T.exp(-x)))", lambda x: -sp(x)),
    ("T.log(T.exp(x) / (1 + T.exp(x)))", lambda x: -sp(-x)),
    ("T.log(1 - T.exp(x) / (1 + T.exp(x)))", lambda x: -sp(x)),
    ("T.nnet.binary_crossentropy(1 / (1 + T.exp(-x)), 0.25)", bce(mp.mpf("0.25"))),
    ("T.log(1 + T.exp(x))", sp),
    ("T.log1p(T.exp(x))", sp),
    ("T.log1p(T.exp(-x))", lambda x: sp(-x)),
    ("1 - T.nnet.sigmoid(x)", lambda x: sig(-x)),
    ("1 / (1 + T.exp(-x))", sig),
    ("T.exp(x) / (1 + T.exp(x))", sig),
    ("T.nnet.sigmoid(x) * (1 - T.nnet.sigmoid(x))", lambda x: sig(x) * sig(-x)),
    ("T.exp(T.log(T.nnet.sigmoid(x)))", sig),
    ("T.nnet.binary_crossentropy(T.nnet.sigmoid(x), 1.0)", bce(1)),
    ("T.nnet.binary_crossentropy(T.nnet.sigmoid(x), 0.0)", bce(0)),
    ("T.nnet.binary_crossentropy(T.nnet.sigmoid(x), 0.25)", bce(mp.mpf("0.25"))),
    ("T.nnet.binary_crossentropy(T.nnet.sigmoid(x), T.zeros_like(x) + 0.25)", bce(mp.mpf("0.25"))),
    ("T.nnet.sigmoid_binary_crossentropy(x, T.zeros_like(x) + 1.0)", bce(1)),
    ("T.nnet.sigmoid_binary_crossentropy(x, T.zeros_like(x) + 0.25)", bce(mp.mpf("0.25"))),
    ("-(0.75*T.log(T.nnet.sigmoid(x)) + 0.25*T.log(1 - T.nnet.sigmoid(x)))", bce(mp.mpf("0.75"))),
    ("T.log(1 - T.exp(x))", negative(lambda x: log(1 - exp(x)))),
    ("T.log1p(-T.exp(x))", negative(lambda x: log(1 - exp(x)))),
    ("T.log(-T.expm1(x))", negative(lambda x: log(1 - exp(x)))),
    ("T.exp(x) - 1", lambda x: exp(x) - 1),
    ("T.log(1 + x)", above(-1)(lambda x: log(1 + x))),
    ("1 - T.erf(x)", finite(erfc)),
    ("1 + T.erf(x)", finite(lambda x: erfc(-x))),
    ("1 - T.erfc(x)", finite(erf)),
    ("T.log(T.erfc(x))", finite(lambda x: log(erfc(x)))),
    ("T.log(1 - T.erf(x))", finite(lambda x: log(erfc(x)))),
    ("T.log(0.5 * T.erfc(-x))", finite(lambda x: log(mp.mpf("0.5") * erfc(-x)))),
    ("T.log(T.exp(x) + T.exp(-x))", lambda x: log(exp(x) + exp(-x))),
    ("T.log(T.exp(x) + T.exp(2*x))", finite(lambda x: log(exp(x) + exp(2 * x)))),
    ("T.log(T.cosh(x))", finite(lambda x: log((exp(x) + exp(-x)) / 2))),
    ("1 - T.tanh(x)**2", lambda x: 4 * sig(2 * x) * sig(-2 * x)),
    ("T.log(1 - T.tanh(x)**2)", finite(lambda x: log(4 * sig(2 * x) * sig(-2 * x)))),
    ("T.log(1 - T.tanh(x))", finite(lambda x: log(2 * sig(-2 * x)))),
    ("T.log1p(T.tanh(x))", finite(lambda x: log(2 * sig(2 * x)))),
    ("T.log(T.expm1(x))", positive(lambda x: log(exp(x) - 1))),
    ("T.log(T.exp(x) - 1)", positive(lambda x: log(exp(x) - 1))),
    ("T.log(T.sinh(x))", positive(lambda x: log((exp(x) - exp(-x)) / 2))),
    ("T.log2(T.nnet.sigmoid(x))", finite(lambda x: -sp(-x) / mp.log(2))),
    ("T.log10(T.nnet.sigmoid(x))", finite(lambda x: -sp(-x) / mp.log(10))),
    ("T.log(0.25 * T.nnet.sigmoid(x))", finite(lambda x: mp.log(0.25) - sp(-x))),
    ("T.log(T.nnet.sigmoid(x).reshape((-1, 1)))[:, 0]", finite(lambda x: -sp(-x))),
    ("T.log(1 - T.nnet.sigmoid(x)[::-1])[::-1]", finite(lambda x: -sp(x))),
    ("T.log(T.switch(T.eq(x, 1), 1 - T.nnet.sigmoid(x), T.nnet.sigmoid(x)))", finite(lambda x: -sp(x) if x.v == 1 else -sp(-x))),
    ("T.log(T.exp(x))", lambda x: x),
    ("T.log(T.sqrt(T.exp(x)))", lambda x: x / 2),
    ("T.sqrt(x**2 + 1)", finite(lambda x: sqrt(x * x + 1))),
    ("T.nnet.sigmoid(x)*T.log(T.nnet.sigmoid(x)) + (1 - T.nnet.sigmoid(x))*T.log(1 - T.nnet.sigmoid(x))", finite(lambda x: -sig(x) * sp(-x) - sig(-x) * sp(x))),
    ("T.nnet.softmax(%s)[:, 0]" % pair, finite(sig)),
    ("T.nnet.logsoftmax(%s)[:, 0]" % pair, finite(lambda x: -sp(-x))),
    ("T.log(T.nnet.softmax(%s))[:, 0]" % pair, finite(lambda x: -sp(-x))),
    ("T.log(T.nnet.softmax(%s)[:, 0])" % pair, finite(lambda x: -sp(-x))),
    ("T.log(T.nnet.softmax(%s))[:, 1]" % pair, finite(lambda x: -sp(x))),
    ("T.nnet.categorical_crossentropy(T.nnet.softmax(%s), %s)" % (pair, label), finite(lambda x: sp(-x))),
    ("T.nnet.categorical_crossentropy(T.nnet.softmax(%s), 1 + %s)" % (pair, label), finite(sp)),
    ("T.nnet.categorical_crossentropy(T.nnet.softmax(%s), T.stack([T.zeros_like(x) + 0.25, T.zeros_like(x) + 0.75], axis=1))" % pair, finite(bce(mp.mpf("0.25")))),
    ("T.log(T.nnet.softmax(T.stack([x, T.zeros_like(x)]), axis=0))[0]", finite(lambda x: -sp(-x))),
    ("T.log(T.nnet.softmax(%s).flatten())[::2]" % pair, finite(lambda x: -sp(-x))),
    ("T.log(0.25 * T.nnet.softmax(%s)[:, 1])" % pair, finite(lambda x: mp.log(0.25) - sp(x))),
    ("T.log2(T.nnet.softmax(%s))[:, 0]" % pair, finite(lambda x: -sp(-x) / mp.log(2))),
    ("T.nnet.categorical_crossentropy(T.nnet.softmax(%s)[:, ::-1], %s)" % (pair, label), finite(sp)),
    ("T.nnet.crossentropy_softmax_1hot(%s, %s)[0]" % (pair, label), finite(lambda x: sp(-x))),
    ("T.logsumexp(%s, axis=1)" % pair, finite(sp)),
    ("T.log(T.sum(T.exp(%s), axis=1))" % pair, finite(sp)),
    ("T.nnet.hard_sigmoid(x)", lambda x: Jet(0) if x.v < -3 else Jet(1) if x.v > 3 else x / 5 + mp.mpf("0.5")),
    ("T.special.xlogy(T.nnet.sigmoid(x), T.nnet.sigmoid(x))", finite(lambda x: -sig(x) * sp(-x))),
]

points = [0.0, -0.0, 1e-300, -1e-300, 1e-30, -1e-30, 1e-5, -1e-5, 1.0, -1.0, 40.0, -40.0, 90.0, -90.0, 800.0, -800.0, mp.inf, -mp.inf, mp.nan]


def single(x):
    """The nearest float32, inf beyond the largest."""
    try:
        return struct.unpack("f", struct.pack("f", x))[0]
    except OverflowError:
        return float("inf") if x > 0 else float("-inf")


def rounded(v, dtype):
    if v is None:
        return None
    if abs(v) < mp.mpf("1e-400"):
        return 0.0
    x = float(v)
    return single(x) if dtype == "float32" else x


def limit(f, sign, order):
    """What derivative order tends to."""
    a, b = [getattr(f(Jet(sign * mp.mpf(10) ** n, 1)), "vde"[order]) for n in (5, 30)]
    if abs(b) < mp.mpf("1e-20"):
        return mp.mpf(0)
    return b if abs(a - b) < mp.mpf("0.001") else mp.sign(b) * mp.inf


def derivatives(f, x, dtype):
    if mp.isnan(x):  # of a value; where x is compared, or does not matter, derivatives are numbers
        return [mp.nan, None, None]
    if mp.isinf(x):
        if f(Jet(mp.sign(x) * 10**5, 1)) is None:
            return [None] * 3
        return [limit(f, mp.sign(x), i) for i in range(3)]
    y = f(Jet(x, 1))
    return [None] * 3 if y is None else [rounded(v, dtype) for v in (y.v, y.d, y.e)]


with open("stable_forms.py", "w") as out:
    print("# Made by stable.py.", file=out)
    print("import theano.tensor as T", file=out)
    print(file=out)
    print("forms = {", file=out)
    for text, _ in forms:
        print("    %r: lambda x: %s," % (text, text), file=out)
    print("}", file=out)

with open("stable.jsonl", "w") as out:
    for text, f in forms:
        for dtype in ["float64", "float32"]:
            xs = [mp.mpf(single(x)) if dtype == "float32" and x and mp.isfinite(x) else x for x in points]
            rows = [derivatives(f, x, dtype) for x in xs]
            shown = [None if v is None else repr(float(v)) for r in rows for v in r]
            print(json.dumps([text, dtype, [repr(float(x)) for x in xs], shown]), file=out)
