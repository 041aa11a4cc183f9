"""Writes scalars.json, the cases of TestScalarsAgainstNumPy: expressions of scalars, with the type and the repr that NumPy 1.24
(Debian 12) gives, or null where it fails. Python's warnings of overflow and division are off, as they are in Arignote.

    python3 scalars.py > scalars.json
"""

import json
import warnings

import numpy as np

warnings.simplefilter("ignore")
np.seterr(all="ignore")

OURS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<", "<=", ">", ">=", "==", "!="]
SCALARS = ["np.bool_(True)", "np.bool_(False)", "np.int8(-128)", "np.int8(100)", "np.int16(-300)", "np.int32(7)", "np.int64(-7)",
           "np.int64(2**62)", "np.uint8(200)", "np.uint16(3)", "np.uint32(4000000000)", "np.uint64(2**63)", "np.float32(0.1)",
           "np.float32(-2.5)", "np.float64(0.1)", "np.float64(1e300)", "np.float64(-0.0)", "np.float64(np.inf)", "np.float32(np.nan)"]
NUMBERS = ["2", "-3", "0", "1.5", "True", "300", "2**70"]
ARRAYS = ['np.array([1, 0], dtype="%s")' % d for d in OURS]
METHODS = ["T", "dtype.name", "shape", "ndim", "size", "itemsize", "nbytes", "strides", "real", "imag", "base", "item()", "tolist()", "sum()",
           "mean()", "std()", "prod()", "max()", "min()", "any()", "all()", "argmax()", "round()", "copy()", "squeeze()", "transpose()",
           "ravel()", "flatten()", "cumsum()", "reshape(1)", "repeat(2)", "astype('float32')", "astype('int64')", "astype('bool')"]


def ours(v):
    """Whether v has a type that Arignote has, on the way to which none was that it has not."""
    return not isinstance(v, (np.ndarray, np.generic)) or str(v.dtype) in OURS


def add(cases, code):
    try:
        v = eval(code)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        cases.append([code, None, None])
        return
    if ours(v) and not isinstance(v, complex):
        cases.append([code, type(v).__name__, repr(v)])


def main():
    cases = []
    for x in SCALARS:
        for op in OPERATORS:
            for y in SCALARS:
                add(cases, "%s %s %s" % (x, op, y))
            for y in NUMBERS:
                if op in ("//", "%") and "float" in x and y == "2**70":
                    continue  # Python's own floats, which NumPy leaves it to, differ from Starlark's at 0 and inf
                if op != "**" or y not in ("300", "2**70"):
                    add(cases, "%s %s %s" % (x, op, y))
                if op != "**" or "int" not in x:
                    add(cases, "%s %s %s" % (y, op, x))
        for y in ARRAYS:
            for op in ["+", "*", "/", "<"]:
                add(cases, "%s %s %s" % (x, op, y))
                add(cases, "%s %s %s" % (y, op, x))
        for op in "-+~":
            add(cases, op + x)
        for f in ["abs", "round", "int", "float", "bool", "str", "repr", "np.sqrt", "np.floor", "np.negative", "np.isnan"]:
            if f != "round" or "bool" not in x:  # Starlark's rounds bools
                add(cases, "%s(%s)" % (f, x))
        for m in METHODS:
            if m != "astype('int64')" or not any(big in x for big in ("1e300", "inf", "nan")):  # that is the processor's
                add(cases, "%s.%s" % (x, m))
        for spec in ["", ".3f", "g", "10", "<8", "+.1e"]:
            add(cases, "format(%s, '%s')" % (x, spec))
        add(cases, "'%%s %%r' %% (%s, %s)" % (x, x))
        for y in SCALARS[:3] + NUMBERS[:5]:
            add(cases, "max(%s, %s)" % (x, y))
            add(cases, "min([%s, %s])" % (y, x))
            add(cases, "sum([%s, %s])" % (x, y))
            add(cases, "np.maximum(%s, %s)" % (x, y))
    print("[" + ",\n".join(json.dumps(c) for c in cases) + "]")


main()
