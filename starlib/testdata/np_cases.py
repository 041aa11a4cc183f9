"""Writes np_cases.json: what NumPy answers, for TestAgainstNumPy.

    python3 np_cases.py > np_cases.json

Written with NumPy 1.24 (Debian 12). The data is committed: the test needs no Python. A
case is [kind, code, want]; code is Python and Starlark alike and assigns v.

    repr   want is repr(v); of a NumPy scalar, that of the Python number
    str    want is str(v)
    near   want is [dtype, shape, values]; the test allows a few units in the last place
    fails  code is an error in both
"""

import os

os.environ["NPY_PROMOTION_STATE"] = "weak"  # NEP 50, as in NumPy 2

import json
import random
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")
np.seterr(all="ignore")
rnd = random.Random(20240229)


class Ix:
    def __getitem__(self, k):
        return k


cases = []
seen = set()


def run(code):
    env = {"np": np, "ix": Ix(), "slice": slice, "newaxis": None}
    exec(code, env)
    return env["v"]


def plain(v):
    """A NumPy scalar as a Python number."""
    return v.item() if isinstance(v, np.generic) else v


def add(kind, code, want):
    if (kind, code) not in seen:
        seen.add((kind, code))
        cases.append([kind, code, want])


def exact(code):
    if "v = " not in code:
        code = "v = " + code
    v = run(code)
    if isinstance(v, np.ndarray) and v.dtype == np.float16:
        return
    add("repr", code, repr(plain(v)))


def text(code):
    code = "v = " + code
    add("str", code, str(run(code)))


def near(code):
    code = "v = " + code
    v = np.asarray(run(code))
    if v.dtype == np.float16:
        return
    add("near", code, [str(v.dtype), list(v.shape), [repr(float(x)) for x in v.ravel()]])


def fails(code):
    code = code if "v = " in code else "v = " + code
    try:
        run(code)
    except Exception:
        add("fails", code, "")
        return
    sys.exit("NumPy allows " + code)


def num(x):
    if x != x:
        return "np.nan"
    if x in (float("inf"), float("-inf")):
        return "np.inf" if x > 0 else "-np.inf"
    return repr(x)


def array(values, shape=None, dtype=None):
    code = "np.array([" + ", ".join(num(x) for x in values) + "]"
    if dtype:
        code += ', dtype="%s"' % dtype
    code += ")"
    if shape:
        code += ".reshape(%s)" % (shape,)
    return code


ints = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
floats = ["float32", "float64"]


def printing():
    sources = {
        "unit": lambda: rnd.random(),
        "signed": lambda: rnd.uniform(-10, 10),
        "gauss": lambda: rnd.gauss(0, 1),
        "short": lambda: round(rnd.uniform(-100, 100), rnd.randint(0, 4)),
        "whole": lambda: float(rnd.randint(-1000, 1000)),
        "wide": lambda: rnd.uniform(-1, 1) * 10 ** rnd.randint(-12, 12),
        "tiny": lambda: rnd.random() * 1e-6,
        "huge": lambda: rnd.random() * 1e12,
        "extreme": lambda: rnd.uniform(-1, 1) * 10.0 ** rnd.choice([-300, -100, 0, 100, 300]),
        "special": lambda: rnd.choice([0.0, -0.0, 1.0, 0.5, -2.25, float("nan"), float("inf"), -float("inf")]),
        "halves": lambda: rnd.randint(-4000, 4000) / 256,
        "thousand": lambda: rnd.choice([1.0, 999.5, 1000.0, 1000.5, 0.99]),
    }
    for name, draw in sources.items():
        for n in (1, 2, 3, 7, 20):
            for dtype in (None, "float32"):
                if name == "extreme" and dtype:
                    continue
                exact(array([draw() for _ in range(n)], dtype=dtype))
        exact(array([draw() for _ in range(12)], shape=(3, 4)))
        exact(array([draw() for _ in range(12)], shape=(2, 3, 2), dtype="float32" if name != "extreme" else None))
        text(array([draw() for _ in range(12)], shape=(2, 6)))
    for dtype in ints:
        info = np.iinfo(dtype)
        for n in (1, 5, 30):
            exact(array([rnd.randint(info.min, info.max) for _ in range(n)], dtype=dtype))
            exact(array([rnd.randint(0, 100) for _ in range(n)], dtype=dtype))
        text(array([rnd.randint(0, 100) for _ in range(30)], dtype=dtype))
    for n in (1, 2, 30):
        exact("np.array([" + ", ".join(rnd.choice(["True", "False"]) for _ in range(n)) + "])")
        text("np.array([" + ", ".join(rnd.choice(["True", "False"]) for _ in range(n)) + "])")
    for code in [
        "np.array([])", "np.zeros(0)", "np.zeros((0, 3))", "np.zeros((2, 0, 3), dtype='int8')", "np.zeros(0, dtype='int64')",
        "np.zeros(0, dtype='float32')", "np.zeros((2, 3, 4, 2))", "np.arange(1000)", "np.arange(1001)", "np.arange(2000) / 3",
        "np.arange(10000).reshape(100, 100)", "np.arange(10000).reshape(10, 1000)", "np.arange(4096).reshape(16, 16, 16)",
        "np.arange(4096).reshape(4, 4, 256)", "np.arange(1500).reshape(1500, 1)", "np.arange(1500).reshape(1, 1500)",
        "np.arange(3000).reshape(3, 1000) * 0.001", "np.arange(1001) * 1e-5", "np.arange(2002, dtype='int8')", "np.arange(1200).reshape(2, 600) > 700",
        "np.ones(2000, dtype='float32')", "np.full((40, 40), -1.5)", "np.full((3, 400), np.nan)", "np.eye(5)", "np.eye(12)", "np.eye(25)",
        "np.array(5)", "np.array(1.5)", "np.array(True)", "np.array(2, dtype='float32')", "np.array(1e20)", "np.array(-3, dtype='int8')",
        "np.array(np.nan)", "np.array(0.1, dtype='float32')", "np.zeros(())", "np.array([[1.5]])", "np.array([[[[1]]]])",
        "np.array([1e16, 1.0])", "np.array([1e15])", "np.array([99999999.0])", "np.array([100000000.0])", "np.array([123456789.0])",
        "np.array([0.0001])", "np.array([0.00009999])", "np.array([0.1, 100.0])", "np.array([0.1, 100.1])", "np.array([0.1, 99.9])",
        "np.array([1e-5, 1.0])", "np.array([5e-324])", "np.array([1.7976931348623157e308, 1.0])", "np.array([1e-320, 1e10])",
        "np.array([0.123456785, 0.5])", "np.array([1.000000005, 2.0])", "np.array([2.0, 0.000000001])", "np.array([1/3, 2/3])",
        "np.array([0.1], dtype='float32')", "np.array([16777216, 0.1], dtype='float32')", "np.array([3.4e38, 1], dtype='float32')",
        "np.array([1e-45, 1], dtype='float32')", "np.array([np.inf, 1])", "np.array([-np.inf, 1])", "np.array([np.nan, 1e10])",
        "np.array([np.nan, np.nan])", "np.array([np.inf, -np.inf])", "np.array([-0.0, 0.0])", "np.linspace(0, 1, 11)", "np.linspace(-1, 1, 30)",
        "np.arange(0, 1, 0.1)", "np.zeros((3, 30))", "np.arange(60).reshape(2, 30)", "np.arange(90).reshape(3, 30) * 1.5",
        "np.arange(24, dtype='int8')", "np.arange(26, dtype='int16')", "np.arange(22, dtype='float32')", "np.arange(60, dtype='uint8').reshape(3, 20)",
    ]:
        exact(code)
        text(code)
    for e in range(-12, 20):
        exact("np.array([1.5e%d, 1.0])" % e)
        exact("np.array([%s, %s], dtype='float32')" % (repr(1.23456789 * 10.0**e), repr(2.0 * 10.0**e)))


def values_of(dtype, n):
    if dtype == "bool":
        return "np.array([" + ", ".join(rnd.choice(["True", "False"]) for _ in range(n)) + "])"
    if dtype in floats:
        return array([rnd.choice([-3.5, -1.0, 0.25, 0.5, 2.0, 7.75, 10.0]) for _ in range(n)], dtype=dtype)
    low = 0 if dtype[0] == "u" else -12
    return array([rnd.randint(low, 12) for _ in range(n)], dtype=dtype)


def arithmetic():
    types = ["bool"] + ints + floats
    # Promotion: every pair of types.
    for a in types:
        for b in types:
            exact("%s + %s" % (values_of(a, 3), values_of(b, 3)))
            op = rnd.choice(["*", "/", "//", "%"])
            if op != "*" and a == b == "bool" or op in "//%" and op != "*" and "float" not in a + b:
                op = "*"
            exact("%s %s %s" % (values_of(a, 3), op, values_of(b, 3)))
    for dtype in ints + floats:
        for op in ["+", "-", "*", "/", "//", "%"]:
            x = values_of(dtype, 4)
            exact("%s %s 3" % (x, op))
            exact("3 %s %s" % (op, array([1, 2, 3, 5], dtype=dtype)))
            exact("%s %s 1.5" % (x, op))
            exact("1.5 %s %s" % (op, array([1, 2, 4, 5], dtype=dtype)))
    for op in ["+", "*", "/", "//", "%"]:
        exact("np.array([True, False]) %s 2" % op)
        exact("np.array([True, False]) %s 2.5" % op)
    for op in ["&", "|", "^"]:
        for dtype in ["bool", "int8", "uint8", "int64"]:
            exact("%s %s %s" % (values_of(dtype, 5), op, values_of(dtype, 5)))
        exact("np.array([True, False]) %s True" % op)
        exact("np.array([6, 5, 12]) %s 3" % op)
    for dtype in ints + floats:
        exact("-" + values_of(dtype, 3))
        exact("+" + values_of(dtype, 3))
    for dtype in ["bool"] + ints:
        exact("~" + values_of(dtype, 3))
    # Division: signs, zero, infinities.
    quotients = "np.array([-7.5, -7.0, -0.0, 0.0, 7.0, 7.5, np.inf, -np.inf, np.nan])"
    for d in ["2", "-2", "2.5", "-2.5", "np.inf", "-np.inf", "0.0"]:
        exact("%s // %s" % (quotients, d))
        exact("%s %% %s" % (quotients, d))
        exact("%s / %s" % (quotients, d))
    for d in ["3", "-3"]:
        exact("np.arange(-7, 8) // %s" % d)
        exact("np.arange(-7, 8) %% %s" % d)
    exact("np.array([1, -1, 0]) // np.array([0, 0, 0])")
    exact("np.array([1, -1, 0]) % np.array([0, 0, 0])")
    exact("np.array([1, -1, 0]) / np.array([0, 0, 0])")
    exact("np.array([127, -128], dtype='int8') + np.array([1, -1], dtype='int8')")
    exact("np.array([200], dtype='uint8') * np.array([2], dtype='uint8')")
    exact("-np.array([1], dtype='uint8')")
    # Broadcasting.
    shapes = [(3,), (1,), (2, 3), (2, 1), (1, 3), (1, 1), (4, 2, 3), (4, 1, 3), (4, 1, 1), (0,), (0, 3), ()]
    for s in shapes:
        for t in shapes:
            n, m = int(np.prod(s)), int(np.prod(t))
            code = "np.arange(%d.0).reshape(%s) - np.arange(%d).reshape(%s) * 10" % (n, s, m, t)
            try:
                run("v = " + code)
            except ValueError:
                fails(code)
                continue
            exact(code)
    exact("np.arange(3) + [10, 20, 30]")
    exact("(1.5, 2.5) * np.arange(2)")
    exact("[[1], [2]] + np.array([1, 2])")
    for bad in ["np.array([True]) - np.array([False])", "-np.array([True])", "np.array([1.5]) & 1", "~np.array([1.5])", "np.arange(3) | 1.5",
                "np.power(np.arange(3), -1)"]:
        fails(bad)


def functions():
    unary = "exp exp2 expm1 log log2 log10 log1p sin cos tan arctan sinh cosh tanh sqrt".split()
    for f in unary:
        x = [round(rnd.uniform(0.05, 4), 3) for _ in range(5)]
        if not f.startswith("log") and f != "sqrt":
            x += [-v for v in x]
        near("np.%s(%s)" % (f, array(x)))
        near("np.%s(%s)" % (f, array(x, dtype="float32")))
        near("np.%s(%s)" % (f, array([0, 1, 2, 3])))
        near("np.%s(%s)" % (f, array([0, 1, 2, 3], dtype="int16")))
        near("np.%s(0.75)" % f)
        near("np.%s(2)" % f)
        near("np.%s(%s)" % (f, array([0.0, -0.0, np.inf, -np.inf, np.nan, -1.0])))
    for f in ["arcsin", "arccos"]:
        near("np.%s(%s)" % (f, array([-1.0, -0.5, 0.0, 0.25, 1.0, 1.5])))
        near("np.%s(%s)" % (f, array([-1.0, -0.5, 0.0, 0.25, 1.0, 1.5], dtype="float32")))
    whole = array([-2.5, -1.5, -1.0, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 2.6, np.inf, np.nan])
    for f in "absolute abs negative positive sign square ceil floor rint trunc reciprocal isnan isinf isfinite logical_not".split():
        exact("np.%s(%s)" % (f, whole))
        exact("np.%s(%s)" % (f, whole[:-1] + ", dtype='float32')"))
        exact("np.%s(2.25)" % f)
        for dtype in ["int32", "uint8", "int64"]:
            if f in ("ceil", "floor", "rint", "trunc") and dtype == "uint8":
                continue
            exact("np.%s(%s)" % (f, array([1, 2, 3], dtype=dtype)))
    exact("np.abs(np.array([True, False]))")
    exact("np.square(np.array([True, False]))")
    exact("np.sqrt(16)")
    pairs = ["add", "subtract", "multiply", "divide", "true_divide", "floor_divide", "mod", "remainder", "maximum", "minimum",
             "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or", "logical_xor"]
    for f in pairs:
        exact("np.%s(%s, %s)" % (f, values_of("float64", 5), values_of("int32", 5)))
        exact("np.%s(%s, %s)" % (f, values_of("int64", 5), array([1, -2, 3, 4, 5])))
        exact("np.%s(%s, 2)" % (f, values_of("float32", 5)))
        exact("np.%s([1.5, np.nan, 3.0], [1.5, 2.0, np.nan])" % f)
        exact("np.%s(5, 3)" % f)
        if f != "subtract":
            exact("np.%s(%s, %s)" % (f, values_of("bool", 5), values_of("bool", 5)))
    for f in ["bitwise_and", "bitwise_or", "bitwise_xor"]:
        exact("np.%s(%s, %s)" % (f, values_of("int16", 5), values_of("uint8", 5)))
        exact("np.%s(12, 10)" % f)
    exact("np.invert(%s)" % values_of("int32", 4))
    exact("np.bitwise_not(%s)" % values_of("bool", 4))
    exact("np.power(np.arange(5), 2)")
    exact("np.power(2, np.arange(6))")
    exact("np.power(np.array([1, 2, 3], dtype='int8'), 2)")
    near("np.power(np.arange(1.0, 5), 0.5)")
    near("np.power(np.array([2.0, 3], dtype='float32'), -2)")
    near("np.power(2, 0.5)")
    near("np.arctan2(%s, %s)" % (array([1.0, -1, 0, -0.0]), array([1.0, -2, -1, 1])))
    near("np.arctan2(1, 2)")
    for c in ["[True, False, True]", "[1, 0, 2]", "[[True], [False]]", "[0.0, np.nan, -1.0]"]:
        exact("np.where(%s, np.arange(3), 10.5)" % c)
        exact("np.where(%s, np.array([1, 2, 3], dtype='int8'), np.array([4, 5, 6], dtype='float32'))" % c)
        exact("np.where(%s, 1, 0)" % c)
    for lo, hi in [("1", "3"), ("None", "2.5"), ("1.5", "None"), ("[0, 1, 2, 3, 4, 5]", "4")]:
        exact("np.clip(np.arange(6), %s, %s)" % (lo, hi))
        exact("np.arange(6, dtype='float32').clip(%s, %s)" % (lo, hi))
    for x in ["np.array([0.125, 2.675, -1.005, 1234.5678])", "np.array([0.5, 1.5, 2.5])", "np.array([123, 255, -45])", "np.array([0.125, 2.7], dtype='float32')"]:
        for d in [0, 1, 2, -1, -2]:
            exact("np.round(%s, %d)" % (x, d))
            exact("%s.round(%d)" % (x, d))
    exact("np.uint8(3) + np.array([254], dtype='uint8')")
    exact("np.float32([0.1, 0.2])")
    exact("np.int8(np.array([1.7, -1.7]))")
    exact("np.array([1.7, -2.5, 0.0]).astype('int32')")
    exact("np.array([1.7, -2.5, 0.0]).astype(np.bool_)")
    exact("np.array([300, -1]).astype(np.uint8)")


def reductions():
    sources = [
        "np.arange(24).reshape(2, 3, 4)", "np.arange(24.0).reshape(2, 3, 4) / 8", "np.arange(24, dtype='float32').reshape(4, 6) - 11.5",
        "np.arange(12, dtype='int8').reshape(3, 4) - 6", "np.arange(6, dtype='uint8')", "np.array([[3.5, np.nan], [1.25, -2.0]])",
        "np.array([[True, False, True], [False, False, True]])", "np.arange(24).reshape(2, 3, 4).T", "np.arange(20)[::-3]",
        "np.array([[2, 7, 7], [9, 9, 1]])", "np.array(2.5)",
    ]
    for f in ["sum", "prod", "max", "min", "mean", "any", "all", "var", "std", "argmax", "argmin"]:
        for x in sources:
            rank = run("v = " + x).ndim
            axes = [None] + list(range(rank)) + ([-1] if rank else [])
            if rank == 3 and not f.startswith("arg"):
                axes += [(0, 2), (1, 2), (0, 1, 2)]
            for axis in axes:
                keep = rnd.choice(["", ", keepdims=True"])
                check = near if f in ("var", "std", "mean", "prod") else exact
                check("np.%s(%s, axis=%s%s)" % (f, x, axis, keep))
                if rnd.random() < 0.5:
                    check("(%s).%s(axis=%s)" % (x, f, axis))
    for f in ["sum", "prod", "any", "all"]:
        for shape in ["0", "(0, 3)", "(3, 0)"]:
            for axis in ["None", "0"]:
                exact("np.%s(np.zeros(%s), axis=%s)" % (f, shape, axis))
    exact("np.sum([1, 2, 3], dtype='float32')")
    exact("np.sum(np.array([200, 100], dtype='uint8'), dtype='uint8')")
    near("np.mean([1, 2, 4], dtype='float32')")
    near("np.std([1, 2, 4.0], ddof=1)")
    near("np.var([[1, 2, 4.0]], axis=1, ddof=1)")
    exact("np.amax([1, 3, 2])")
    exact("np.argmax([1.0, np.nan, 3.0])")
    for bad in ["np.max(np.zeros(0))", "np.argmin(np.zeros((0, 2)), axis=0)", "np.sum(np.zeros(3), axis=1)", "np.sum(np.zeros((2, 2)), axis=(0, 0))"]:
        fails(bad)


def indexing():
    x = "np.arange(24).reshape(2, 3, 4)"
    bounds = ["", "0", "1", "2", "-1", "-2", "5", "-9"]
    for _ in range(60):
        lo, hi, step = rnd.choice(bounds), rnd.choice(bounds), rnd.choice(["", "", "1", "2", "-1", "-2"])
        exact("np.arange(6)[%s:%s:%s]" % (lo, hi, step))
        exact("%s[%s:%s]" % (x, lo, hi))

    def item():
        kind = rnd.random()
        if kind < 0.35:
            return str(rnd.choice([0, 1, -1]))
        if kind < 0.8:
            return "ix[%s:%s:%s]" % (rnd.choice(bounds), rnd.choice(bounds), rnd.choice(["", "", "2", "-1"]))
        return rnd.choice(["None", "Ellipsis", "slice(1, None)"])

    for _ in range(120):
        items = [item() for _ in range(rnd.randint(1, 4))]
        if items.count("Ellipsis") > 1 or sum(i not in ("None", "Ellipsis") for i in items) > 3:
            continue
        exact("%s[%s]" % (x, ", ".join(items)))
    for bad in ["np.arange(3)[3]", "np.arange(3)[-4]", "np.arange(3)[0, 0]", "np.arange(3)[1.0]", "np.arange(3)[::0]", "np.zeros((2, 2))[0, 2]",
                "np.arange(3)[Ellipsis, Ellipsis]", "np.array(3)[0]"]:
        fails(bad)
    for key, value in [
        ("0", "9"), ("1, 2", "5"), ("ix[1:], 0", "7"), ("ix[::-1]", "[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]"), ("Ellipsis, 1", "-1"),
        ("ix[:], ix[::2]", "[[1], [2], [3]]"), ("None, 0", "3"), ("ix[0:2]", "np.array([1.9, -1.9, 0.5, 2.5])"), ("0", "[1, 2, 3, 4]"), ("2, ix[1:3]", "np.array([[8, 9]])"),
        ("Ellipsis", "1.75"),
    ]:
        for dtype in ["int64", "float32", "uint8"]:
            if dtype == "uint8" and "-" in value:
                continue
            exact("x = np.arange(12, dtype='%s').reshape(3, 4); x[%s] = %s; v = x" % (dtype, key, value))
    # Views share, copies do not.
    for view in ["x[1:]", "x.T", "x.reshape(4, 3)", "x.ravel()", "x[None]", "np.transpose(x)", "x[::-1]", "np.asarray(x)", "x.squeeze()"]:
        exact("x = np.arange(12).reshape(3, 4); y = %s; y[0] = -1; v = x" % view)
    for copy in ["x.copy()", "x.astype('int64')", "np.array(x)", "x.flatten()", "x.T.ravel()", "x.T.reshape(12)", "x + 0"]:
        exact("x = np.arange(12).reshape(3, 4); y = %s; y[0] = -1; v = x" % copy)
    exact("x = np.arange(6); x[ix[1:]] = x[:-1]; v = x")
    exact("x = np.arange(6); x[ix[::-1]] = x; v = x")
    exact("x = np.arange(4.0); x[1] += 5; v = x")
    exact("x = np.zeros((2, 2)); x.fill(3.5); v = x")
    fails("x = np.zeros(3); x[ix[:2]] = [1, 2, 3]; v = x")
    fails("x = np.zeros(3); x[0] = [1, 2]; v = x")


def shapes():
    for code in [
        "np.arange(6).reshape(2, -1)", "np.arange(6).reshape((3, 2))", "np.arange(6).reshape(-1)", "np.arange(1).reshape(())", "np.arange(24).reshape(2, 3, 4).transpose(1, 0, 2)",
        "np.arange(24).reshape(2, 3, 4).transpose((2, 0, 1)).shape", "np.transpose(np.arange(6).reshape(2, 3), (1, 0))", "np.arange(24).reshape(2, 3, 4).T.strides",
        "np.arange(6, dtype='int16')[::2].strides", "np.zeros((2, 3), dtype='float32').nbytes", "np.zeros((1, 3, 1)).squeeze().shape", "np.zeros((1, 3, 1)).squeeze(0).shape",
        "np.zeros((1, 3, 1)).squeeze((0, 2)).shape", "np.expand_dims(np.arange(3), -1)", "np.expand_dims(np.arange(3), 0)", "np.ndim([[1]])", "np.size([[1, 2]])", "np.shape(3)",
        "np.concatenate([[1, 2], [3.5]])", "np.concatenate([np.zeros((2, 1)), np.ones((2, 2))], axis=1)", "np.concatenate([np.zeros((2, 1)), np.ones((2, 2))], axis=-1)",
        "np.concatenate([[[1, 2]], [[3, 4]]], axis=None)", "np.concatenate([np.int8([1]), np.uint8([2])])", "np.stack([[1, 2], [3, 4]])", "np.stack([[1, 2], [3, 4]], axis=-1)",
        "np.stack([np.zeros((2, 2)), np.ones((2, 2))], axis=1)", "np.vstack([[1, 2], [3, 4]])", "np.vstack([np.zeros((1, 2)), [3, 4]])", "np.hstack([[1, 2], [3]])", "np.hstack([np.zeros((2, 1)), np.ones((2, 2))])", "np.hstack([1, 2])",
        "np.zeros(3, dtype='int32')", "np.ones((2, 2), dtype=np.float32)", "np.full((2, 2), 7)", "np.full(2, 0.5, dtype='int64')", "np.full((2, 3), [1, 2, 3])", "np.zeros_like([1, 2])", "np.ones_like(np.float32([1, 2]))",
        "np.zeros_like([1, 2], dtype='float32')", "np.full_like([1.5, 2.5], 3)", "np.eye(3)", "np.eye(2, 3, 1)", "np.eye(3, k=-1, dtype='int8')", "np.identity(2, dtype='bool')",
        "np.array([1, 2.5, True])", "np.array([True, 2])", "np.array([[1, 2], [3, 4]], dtype='uint8')", "np.array((1, (2)))", "np.array([np.arange(2), np.arange(2) * 1.5])", "np.array([np.float32([1]), np.float32([2])])",
        "np.array(range(3))", "np.array([[], []])", "np.array([18446744073709551615])", "np.array([1, 2], ndmin=2)", "np.array([9223372036854775807])",
        "np.arange(10)", "np.arange(2, 10, 3)", "np.arange(10, 0, -3)", "np.arange(5, 5)", "np.arange(3.5)", "np.arange(0.5, 3)", "np.arange(0, 1, 0.3)", "np.arange(1, 0, -0.25)", "np.arange(3, dtype='float32')",
        "np.arange(0, 2, 0.1)", "np.arange(0, 1, 0.1, dtype='float32')", "np.arange(5, dtype='int8')", "np.linspace(0, 1, 5)", "np.linspace(0, 10, 4, endpoint=False)", "np.linspace(1, 2, 1)", "np.linspace(2, 8, 4, dtype='int64')",
        "np.linspace(3, 1, 7)", "np.linspace(0, 1, 0)", "np.linspace(-1, 1, 6, dtype='float32')", "np.linspace(0, 1)",
        "np.dot([1, 2, 3], [4, 5, 6])", "np.dot([[1, 2], [3, 4]], [5, 6])", "np.dot([1, 2], [[1, 2], [3, 4]])", "np.dot(np.arange(6).reshape(2, 3), np.arange(12).reshape(3, 4))", "np.dot(3, [1, 2])",
        "np.dot(np.arange(24.0).reshape(2, 3, 4), np.arange(4))", "np.dot(np.arange(6.0).reshape(3, 2).T, np.arange(3, dtype='float32'))", "np.dot(np.int8([1, 2]), np.uint8([3, 4]))", "np.dot([True, False], [True, True])",
        "np.matmul([[1.5, 2], [3, 4]], [[1, 0], [0, 1]])", "np.matmul([1, 2], [3, 4])", "np.outer([1, 2], [3.5, 4])", "np.outer(np.arange(4).reshape(2, 2), [1, -1])", "np.inner([1, 2], [3, 4])", "np.arange(4).reshape(2, 2).dot([1, 1])",
        "np.dot(np.zeros((2, 0)), np.zeros((0, 3)))", "np.isclose([1, 2, np.nan, np.inf], [1 + 1e-9, 2.1, np.nan, np.inf])", "np.isclose([np.nan], [np.nan], equal_nan=True)", "np.allclose([1, 2], [1, 2.1])", "np.allclose([1, 2], [1, 2.1], atol=0.2)",
        "np.allclose([], [])", "np.array_equal([1, 2], [1, 2, 3])", "np.array_equal([1, np.nan], [1, np.nan])", "np.array_equal([1, np.nan], [1, np.nan], equal_nan=True)", "np.arange(4).reshape(2, 2).tolist()", "np.float32([0.5, 0.1]).tolist()",
        "np.array([[1, 2], [3, 4]]).item(2)", "np.array([[1, 2], [3, 4]]).item(1, 1)", "np.array([5]).item()", "[len(r) for r in np.zeros((2, 3))]", "[x for x in np.arange(3)]", "2 in np.arange(3)", "5 in np.arange(3)", "len(np.zeros((4, 2)))",
        "sum(np.arange(4))", "sum(np.arange(4).reshape(2, 2))", "abs(np.array([-1, 2]))", "max(np.array([3, 7, 5]))", "min(np.array([3, 7, 5]))", "pow(np.array([1, 2, 3]), 2)", "bool(np.array([3]))", "bool(np.array(0))",
        "1 if np.array([2.5]) else 0",
    ]:
        exact(code)
    for bad in ["np.arange(6).reshape(4, 2)", "np.arange(6).reshape(-1, -1)", "np.arange(6).reshape(-1, 4)", "np.zeros((2, 3)).transpose(0, 0)", "np.zeros((2, 3)).squeeze(0)", "np.concatenate([[1], [[2]]])", "np.stack([[1], [2, 3]])",
                "np.dot([1, 2], [1, 2, 3])", "np.dot(np.zeros((2, 3)), np.zeros((2, 3)))", "np.matmul(2, [1])", "np.array([1, 2]).item()", "np.zeros(-1)", "np.concatenate([])", "np.array([1, [2, 3]])", "np.array([[1, 2], [3]])",
                "np.array([18446744073709551616], dtype='uint64')", "np.zeros(3, dtype='float23')", "np.zeros(2) if np.zeros(2) else 1", "np.arange(0, 1, 0)"]:
        fails(bad)


def randomness():
    for seed in ["0", "1", "42", "1234", "4294967295", "[1, 2, 3]", "[0]", "[4294967295, 7]"]:
        state = "np.random.RandomState(%s)" % seed
        exact("r = %s; v = [r.random_sample() for _ in range(5)]" % state)
        exact("r = %s; v = r.rand(3, 2).tolist()" % state)
        exact("r = %s; v = r.randint(0, 100, size=20)" % state)
        exact("r = %s; v = r.uniform(-2.5, 7, size=4).tolist()" % state)
        exact("r = %s; v = r.permutation(10)" % state)
        exact("r = %s; x = np.arange(8); r.shuffle(x); v = x" % state)
        exact("r = %s; x = [1, 2, 3, 4, 5]; r.shuffle(x); v = x" % state)
        exact("r = %s; v = r.permutation(np.arange(12).reshape(4, 3))" % state)
        exact("r = %s; v = r.randn(7).tolist()" % state)
        exact("r = %s; v = r.normal(3, 2, size=(2, 3)).tolist()" % state)
        exact("r = %s; a = r.randn(); v = [a, r.rand(), r.randn(), r.randint(5)]" % state)
        exact("r = %s; v = r.choice(5, 10)" % state)
        exact("r = %s; v = r.choice([1.5, 2.5, 3.5], (2, 2))" % state)
        exact("r = %s; v = r.choice(10, 4, replace=False)" % state)
        exact("r = %s; v = r.choice(3, 12, p=[0.2, 0.5, 0.3])" % state)
    for low, high in [(0, 1), (0, 2), (-5, 5), (0, 2**31), (0, 2**32), (0, 2**32 + 1), (0, 2**40), (-(2**62), 2**62), (-(2**63), 2**63 - 1), (7, 8)]:
        exact("r = np.random.RandomState(9); v = r.randint(%d, %d, size=5)" % (low, high))
    for dtype, high in [("int8", 100), ("uint8", 256), ("int16", 1000), ("uint16", 65536), ("int32", 1000), ("uint32", 2**32), ("uint64", 2**64), ("bool", 2)]:
        exact("r = np.random.RandomState(9); v = r.randint(0, %d, size=9, dtype='%s')" % (high, dtype))
    exact("r = np.random.RandomState(3); x = r.rand(700); v = [r.rand(), x[650]]")
    exact("np.random.seed(5); v = np.random.rand(2).tolist()")
    exact("np.random.seed(5); v = np.random.randint(10, size=3)")
    exact("np.random.seed(5); v = [np.random.randn(), np.random.normal(), np.random.uniform(), np.random.random()]")
    # Many normal numbers: their logarithms are rounded as well as any library's.
    exact("r = np.random.RandomState(77); v = r.randn(2000).tolist()")
    for bad in ["np.random.RandomState(-1)", "np.random.RandomState(4294967296)", "np.random.RandomState([])", "np.random.randint(5, 5)", "np.random.normal(0, -1)", "np.random.randint(0, 300, dtype='uint8')"]:
        fails(bad)


for make in [printing, arithmetic, functions, reductions, indexing, shapes, randomness]:
    make()
print("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]")
