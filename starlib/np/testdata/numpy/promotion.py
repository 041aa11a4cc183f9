"""Types of results: every pair of types with every operator, and with Starlark's numbers."""

import numpy as np

from common import DTYPES, FLOATS, INTS, array, draw

ARITHMETIC = ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]


def exponents(dtype):
    return array([1, 0, 2], dtype=dtype) if dtype != "bool" else array([True, False, True])


def cases(f):
    rnd = f.rnd
    for a in DTYPES:
        for b in DTYPES:
            for op in ARITHMETIC:
                right = exponents(b) if op in ("**", "<<", ">>") else draw(rnd, b, 3)
                f.either("%s %s %s" % (draw(rnd, a, 3), op, right), near=op == "**" and "float" in a + b)
            f.either("%s %s %s" % (draw(rnd, a, 3), rnd.choice(COMPARISONS), draw(rnd, b, 3)))

    # NEP 50: a number of the language has no type of its own, but its kind.
    scalars = ["2", "-3", "0", "1.5", "True", "100"]
    for dtype in DTYPES:
        for op in ARITHMETIC + COMPARISONS:
            for scalar in rnd.sample(scalars, 3):
                if scalar == "-3" and (dtype[0] == "u" or dtype == "bool") and op in COMPARISONS:
                    continue
                if op in ("<<", ">>", "**") and scalar in ("-3", "100"):
                    continue
                f.either("%s %s %s" % (draw(rnd, dtype, 3), op, scalar), near=op == "**")
            scalar = rnd.choice(scalars)
            if op not in ("<<", ">>") and not (scalar == "-3" and dtype[0] in "ub"):
                f.either("%s %s %s" % (scalar, op, exponents(dtype)), near=op == "**")
    f.fails("np.array([1, 2], dtype='int8') + 300", "np.array([1], dtype='uint8') + (-1)",
            "np.array([1], dtype='int64') + (1 << 70)", "np.add(np.array([1], dtype='int8'), 128)",
            "np.array([1], dtype='uint64') * (-2)", "1000 - np.array([1], dtype='uint8')")
    f.exact("np.array([1.5]) + (1 << 70)", "np.array([1.0], dtype='float32') * 1e300",
            "np.array([1], dtype='uint64') + 18446744073709551615",
            "np.array([100], dtype='int8') + 100", "np.array([200], dtype='uint8') * 2", "np.array([1], dtype='uint8') - 2",
            "np.array([-128], dtype='int8') - 1",
            "-np.array([-128], dtype='int8')", "abs(np.array([-128], dtype='int8'))", "np.array([9223372036854775807]) + 1",
            "np.array([2147483647], dtype='int32') + 1",
            "np.array([127, -128], dtype='int8') + np.array([1, -1], dtype='int8')", "-np.array([1], dtype='uint8')")

    # One operand.
    for dtype in DTYPES:
        x = draw(rnd, dtype, 3)
        f.either("-" + x, "+" + x, "~" + x, "abs(%s)" % x, "np.square(%s)" % x, "np.sign(%s)" % x, "np.logical_not(%s)" % x,
                 "np.invert(%s)" % x, "np.negative(%s)" % x,
                 "np.isnan(%s)" % x, "np.signbit(%s)" % x, "np.conj(%s)" % x)
        for name in ["sqrt", "exp", "log1p", "sin", "floor", "ceil", "trunc", "rint", "deg2rad", "cbrt"]:
            f.either("np.%s(%s)" % (name, exponents(dtype)), near=True)

    # Functions of two, and results of reductions and joins.
    for name in ["maximum", "fmin", "add", "true_divide", "floor_divide", "mod", "fmod", "power", "hypot", "arctan2", "logaddexp",
                 "copysign", "bitwise_or", "left_shift", "gcd",
                 "equal", "logical_xor", "subtract"]:
        for _ in range(9):
            a, b = rnd.choice(DTYPES), rnd.choice(DTYPES)
            f.either("np.%s(%s, %s)" % (name, draw(rnd, a, 3), exponents(b)), near=True)
        f.either("np.%s(%s, 2)" % (name, draw(rnd, "float32", 3)), "np.%s(%s, 2)" % (name, draw(rnd, "int16", 3)), near=True)
    for dtype in DTYPES:
        x = draw(rnd, dtype, 4)
        for name in ["sum", "prod", "cumsum", "cumprod", "max", "mean", "argmax", "median", "ptp", "any"]:
            f.either("np.%s(%s)" % (name, x))
        for other in DTYPES:
            f.exact("np.concatenate([%s, %s])" % (draw(rnd, dtype, 2), draw(rnd, other, 2)))
            f.exact("np.promote_types('%s', '%s') == '%s'" % (dtype, other, np.promote_types(dtype, other)))
            f.either("np.where([True, False], %s, %s)" % (draw(rnd, dtype, 2), draw(rnd, other, 2)))
            f.exact("np.can_cast('%s', '%s')" % (dtype, other))

    # Conversions.
    for dtype in DTYPES:
        f.exact("np.array([1.7, %s2.5, 0.0, 3.99]).astype('%s')" % ("" if dtype[0] == "u" else "-", dtype))
        f.exact("np.array([300, -1, 65536, 0]).astype(np.%s)" % (dtype if dtype != "bool" else "bool_"),
                "np.array([True, False]).astype('%s')" % dtype,
                "np.arange(3).astype(%s)" % {"float64": "float", "int64": "int", "bool": "bool"}.get(dtype, repr(dtype)),
                "np.array([1, 0, 2], dtype='%s')" % dtype, "np.array([[1], [0]], dtype='%s').tolist()" % dtype,
                "np.ones(2, dtype=np.%s).dtype == np.%s" % ((dtype.replace("bool", "bool_"),) * 2),
                "str(np.ones(2, dtype='%s').dtype) == '%s'" % (dtype, dtype),
                "np.ones(2, dtype='%s').dtype.name == '%s'" % (dtype, dtype),
                "np.zeros(3, dtype='%s').itemsize" % dtype, "np.dtype('%s').itemsize" % dtype, "np.dtype('%s').kind == 'i'" % dtype,
                "np.issubdtype(np.zeros(1, dtype='%s').dtype, np.integer)" % dtype, "np.issubdtype('%s', np.floating)" % dtype)
        if dtype in INTS:
            f.exact("np.iinfo('%s').max" % dtype, "np.iinfo(np.%s).min" % dtype, "np.iinfo('%s').bits" % dtype)
        if dtype in FLOATS:
            f.exact("float(np.finfo('%s').eps)" % dtype, "float(np.finfo(np.%s).max)" % dtype, "float(np.finfo('%s').tiny)" % dtype,
                    "np.finfo('%s').bits" % dtype)
    f.exact("np.array([1, 2.5, True])", "np.array([True, 2])", "np.array([np.float32(1), np.float32(2)])[0]",
            "np.result_type('int8', 'float32') == 'float32'", "np.float32([0.1, 0.2])",
            "np.int8(np.array([1.7, -1.7]))", "np.uint8(3) + np.array([254], dtype='uint8')", "np.array([1, 2]).dtype == 'int64'",
            "np.array([1.0]).dtype == float", "np.array([1]).dtype == int",
            "np.array([True]).dtype == bool", "np.zeros(2).dtype != 'float32'", "np.array([1.5]).dtype in ['float32', 'float64']")
    f.fails("np.array([1.5]) & 1", "~np.array([1.5])", "np.arange(3) | 1.5", "np.power(np.arange(3), -1)", "np.arange(3) ** -1",
            "np.array([1.5]) << 1", "np.zeros(2, dtype='float23')",
            "np.array([True]) - np.array([False])", "-np.array([True])", "np.array([1], dtype='uint64') | np.array([1])",
            "np.array([300], dtype='decimal')", "np.gcd(np.array([1.5]), 2)")

