"""Writes printing.jsonl: how NumPy prints random arrays with random options, for TestPrinting.

    python3 printing.py > printing.jsonl

Written with NumPy 1.24 (Debian 12); the test needs no Python. A line is

    [options, array, repr, str, arguments, text]

options are those of np.set_printoptions, where all others are the standard ones; array is an expression of Python and Starlark
alike; text is what np.array2string gives with the arguments.
"""

import os

os.environ["NPY_PROMOTION_STATE"] = "weak"  # NEP 50, as in NumPy 2: a float32 is compared with 1e-4 in float32

import json
import random

import numpy as np

rnd = random.Random(20241107)
STANDARD = dict(precision=8, threshold=1000, edgeitems=3, linewidth=75, suppress=False, nanstr="nan", infstr="inf", sign="-",
                floatmode="maxprec")
LIMITS = [float("nan"), float("inf"), -float("inf")]

DRAWS = [
    lambda: rnd.random(),
    lambda: rnd.gauss(0, 100),
    lambda: round(rnd.uniform(-100, 100), rnd.randint(0, 5)),
    lambda: float(rnd.randint(-1000, 1000)),
    lambda: rnd.uniform(-1, 1) * 10.0 ** rnd.randint(-12, 12),
    lambda: rnd.random() * 1e-6,
    lambda: rnd.uniform(0.5e8, 2e8),
    lambda: rnd.randint(1, 9) * 10.0 ** rnd.randint(-6, 8),
    lambda: rnd.choice([0.0, -0.0, 1.0, 0.5, -2.25] + LIMITS),
    lambda: rnd.choice([9.5, 0.99999999999, 999.99999, 0.05, 0.125, 2.5, 1e-4, 9.9999e-5]),
    lambda: rnd.randint(-4000, 4000) / 256,
    lambda: 2.0 ** rnd.randint(-30, 30),
]
EXTREME = lambda: rnd.uniform(-1, 1) * 10.0 ** rnd.choice([-310, -300, -100, 0, 100, 300])
INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def literal(x):
    if isinstance(x, float) and x != x:
        return "np.nan"
    if x in LIMITS:
        return "np.inf" if x > 0 else "-np.inf"
    return repr(x)


def elements(n):
    """Code for a vector of n elements."""
    kind = rnd.random()
    if kind < 0.12:
        return "np.array([%s], dtype='bool')" % ", ".join(rnd.choice(["True", "False"]) for _ in range(n))
    if kind < 0.3:
        dtype = rnd.choice(INTS)
        info = np.iinfo(dtype)
        low, high = rnd.choice([(info.min, info.max), (0, 100), (max(info.min, -9), 9)])
        return "np.array([%s], dtype='%s')" % (", ".join(str(rnd.randint(low, high)) for _ in range(n)), dtype)
    dtype = "float64" if kind < 0.75 else "float32"
    draw = rnd.choice(DRAWS + [EXTREME] * (dtype == "float64"))
    values = [rnd.choice(LIMITS) if rnd.random() < 0.03 else float(np.dtype(dtype).type(draw())) for _ in range(n)]
    return "np.array([%s], dtype='%s')" % (", ".join(map(literal, values)), dtype)


def shape_of():
    rank = rnd.choice([0, 1, 1, 1, 2, 2, 3, 4])
    most = [1, 14, 4, 3, 2][rank]
    return tuple(rnd.choice([0, 1, 1 + most // 2]) if rnd.random() < 0.15 else rnd.randint(1, most) for _ in range(rank))


def array():
    if rnd.random() < 0.07:  # large ones
        shape = rnd.choice([(1500,), (20, 60), (60, 20), (11, 11, 11), (2, 3, 200), (1200, 1), (1, 1101)])
        x = "(np.arange(%d) * %d %% 1009 - 300)" % (np.prod(shape), rnd.randint(1, 1000))
        x = rnd.choice(["%s", "%s / 8", "%s / 7", "(%s > 0)", "%s * 1e-7", "%s.astype('int16')", "(%s / 3).astype('float32')"]) % x
        return "(%s).reshape(%s)" % (x, shape)
    shape = shape_of()
    x = elements(int(np.prod(shape)))
    return x if len(shape) == 1 else "%s.reshape(%s)" % (x, shape)


def some(choices, share):
    return ", ".join("%s=%r" % (k, rnd.choice(v)) for k, v in choices.items() if rnd.random() < share)


MODES = ["fixed", "unique", "maxprec", "maxprec_equal"]
OPTIONS = dict(precision=[0, 1, 2, 3, 5, 8, 12, 17, 25], threshold=[0, 4, 10, 1100], edgeitems=[0, 1, 2, 4],
               linewidth=[1, 20, 40, 60, 120], suppress=[True, False], nanstr=["NA", "not a number", "-"],
               infstr=["Inf", "oo", "\u221e"], sign=["-", "+", " "], floatmode=MODES)
ARGUMENTS = dict(max_line_width=[10, 30, 50], precision=[0, 2, 4, 16], suppress_small=[True, False],
                 separator=[", ", ",", "; ", "", " | "], prefix=["x = ", ">>> result: "], threshold=[3, 12], edgeitems=[1, 2],
                 sign=["-", "+", " "], floatmode=MODES, suffix=[")", ", done"])

np.seterr(all="ignore")
for _ in range(4000):
    options, code, arguments = some(OPTIONS, rnd.choice([0, 0.2, 0.4])), array(), some(ARGUMENTS, 0.25)
    np.set_printoptions(**STANDARD)
    x = eval(code)
    eval("np.set_printoptions(%s)" % options)
    text = np.array2string(x, **eval("dict(%s)" % arguments))
    print(json.dumps([options, code, repr(x), str(x), arguments, text], ensure_ascii=False))
