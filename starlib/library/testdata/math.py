"""Writes math.json, what CPython 3.11 makes of its module math: /usr/bin/python3 math.py > math.json

Rows are [name, arguments, result]: the arguments as they are written in a call, the result as Python writes it, or null where it raises.
The arguments of every function are its whole domain, and what is outside: ordinary, tiny and huge numbers of both signs, zeros,
infinities, NaN, ints, ints that no float holds, bools, and what is no number.
"""
import json
import math
import random

rng = random.Random(5)
inf, nan = math.inf, math.nan

SPECIAL = [0.0, -0.0, inf, -inf, nan, 5e-324, -5e-324, 2.2250738585072014e-308, 1e-300, -1e-300, 1.7976931348623157e308,
           -1.7976931348623157e308, 1e300, 2.0**52, 2.0**53, -(2.0**53), 2.0**63, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.0, 2.5, -2.5, 3.0,
           10.0, 1000.0, 1e15, 1e22, 1e-17, -1e-17, 1 + 2.0**-52, 1 - 2.0**-53, -1 + 2.0**-53, -1 - 2.0**-52, 709.78, 709.79, 710.47,
           710.48, -745.0, -746.0, 1023.9, 1024.0, -1074.0, -1075.0, 170.5, 171.6, 171.7, -170.5, -184.5, math.pi, math.e]
INTS = [0, 1, -1, 2, 3, 7, -7, 100, 2**31, 2**53 + 1, -(2**53) - 1, 2**63, 10**22, 10**308, 10**309, -(10**309), 2**1024, 2**5000, True, False]
WRONG = ["a", None, []]


def drawn(n):
    """Numbers of every size, near 0 and near 1."""
    out = [rng.uniform(-1, 1) for _ in range(n)]
    out += [rng.uniform(-20, 20) for _ in range(n)]
    out += [rng.choice((1, -1)) * 2.0 ** rng.uniform(-1074, 1023) for _ in range(n)]
    out += [rng.choice((1, -1)) * 2.0 ** rng.uniform(-60, 10) for _ in range(n)]
    return out + [1 + rng.choice((1, -1)) * 2.0 ** rng.uniform(-52, -1) for _ in range(n // 2)]


rows = []


def row(name, *args, **kwargs):
    text = ", ".join([repr(a) for a in args] + [f"{k}={v!r}" for k, v in kwargs.items()])
    try:
        rows.append([name, text, repr(getattr(math, name)(*args, **kwargs))])
    except (ValueError, ArithmeticError, TypeError):
        rows.append([name, text, None])


ONE = """acos acosh asin asinh atan atanh cbrt ceil cos cosh degrees erf erfc exp exp2 expm1 fabs floor frexp gamma isfinite isinf
isnan lgamma log log10 log1p log2 modf radians sin sinh sqrt tan tanh trunc ulp""".split()
for name in ONE:
    many = 12 if name in ("ceil", "floor", "trunc", "fabs", "isfinite", "isinf", "isnan", "frexp", "modf", "ulp", "degrees") else 40
    for x in SPECIAL + INTS + WRONG + drawn(many):
        row(name, x)
    row(name)
    row(name, 1.0, 2.0, 3.0)
for x in [8, 1000, 1024, 2**-30, 1e-5, *(10.0**k for k in range(-300, 300, 37)), *(2.0**k for k in range(-1000, 1000, 111))]:
    for name in "log", "log10", "log2", "cbrt", "exp2", "sqrt":
        row(name, x)
for n in range(-40, 30):
    row("gamma", n / 2)
    row("lgamma", n / 2)
    row("gamma", rng.uniform(-180, 175))
    row("lgamma", rng.uniform(-200, 200))
    row("log1p", 2.0 ** (n * 3))
    row("expm1", n / 4)

PAIR = [0.0, -0.0, inf, -inf, nan, 5e-324, 1e-300, -1e300, 0.5, 1.0, -1.0, 2.0, -2.5, 3.0, 1e16, 7, -3, 0, True, 10**309, 2**53 + 1]
for name in "atan2", "copysign", "fmod", "nextafter", "pow", "remainder", "dist", "hypot", "log", "isclose":
    pairs = [(x, y) for x in PAIR for y in PAIR] + list(zip(drawn(30), rng.sample(drawn(30), 135)))
    pairs += [(rng.uniform(-30, 30), rng.uniform(-9, 9)) for _ in range(60)]
    for x, y in pairs:
        if name == "dist":
            row(name, [x, 1], (y, -2))
        else:
            row(name, x, y)
    row(name, "a", 1)
    row(name, 1, None)
for x in SPECIAL:
    for i in 0, 1, -1, 60, -60, 1023, -1074, 1100, -1100, 2000, -2200, 10**10, -(10**10), 10**30, -(10**30), True, 1.0, "a":
        row("ldexp", x, i)
for n in range(150):  # ties, and quotients beyond a float's whole numbers
    row("remainder", n / 2 - 37, 3)
    row("remainder", rng.uniform(-1, 1) * 2.0 ** rng.randint(0, 200), rng.uniform(-9, 9))
    row("fmod", rng.uniform(-1, 1) * 2.0 ** rng.randint(0, 200), rng.uniform(-9, 9))
for x in PAIR:
    for y in PAIR[:12]:
        row("isclose", x, y, rel_tol=0.5)
        row("isclose", x, y, abs_tol=0.75)
        row("isclose", x, y, rel_tol=0.0, abs_tol=inf)
row("isclose", 1, 1, rel_tol=-1)
row("isclose", 1, 1, abs_tol=-1.0)

WHOLE = [0, 1, 2, 3, 5, 12, 30, 100, -1, -4, True, 2.0, 2.5, "a", None, 10**30]
for name in "comb", "perm", "gcd", "lcm":
    for n in WHOLE:
        for k in WHOLE:
            if not (n == 10**30 and k in (100, 10**30) and name in ("comb", "perm")):  # Python's take for ever, or too long
                row(name, n, k)
for n in WHOLE[:-1] + [20, 25, 170, 200]:
    for name in "factorial", "isqrt", "gcd", "lcm", "perm":
        row(name, n)
for n in [*range(30), 10**30, 2**64 - 1, 2**64, 10**61 + 3, -(2**70)]:
    row("isqrt", n)
    row("isqrt", n * n)
    row("isqrt", n * n - 1)
    row("gcd", n, 360, 2**40)
    row("lcm", n, 6, 35)
row("gcd")
row("lcm")

VECTORS = [[], [1], [0.0, -0.0], [-0.0], [3, 4], [1e300, 1e300], [1e-300, 1e-300], [5e-324] * 3, [inf, nan], [nan, -inf], [inf, -inf], [nan, 1],
           [1e16, 1, -1e16], [0.1] * 10, [1, 2**70, True], [10**309], ["a"], [1.7976931348623157e308, 1e292],
           [2.0**53, 1, 2.0**-60], [1.0, 2.0**-53, 2.0**-106], [None], [2, 3.5, False]]
# fsum([1e308, 1e308, -1e308]) raises there, for it adds in another way.
for v in VECTORS + [[rng.uniform(-1, 1) * 2.0 ** rng.randint(-80, 80) for _ in range(20)] for _ in range(20)]:
    row("fsum", v)
    row("hypot", *v)
    row("dist", v, [1] * len(v))
    row("dist", v, v[1:])
    if "a" not in v and None not in v:  # text times an int is text there
        row("prod", v)
        row("prod", v, start=2)
for name in "fsum", "dist", "prod":
    row(name, 3)

print("[", ",\n".join(json.dumps(r) for r in rows), "]", sep="\n")
