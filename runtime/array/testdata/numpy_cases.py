"""Writes numpy_cases.json: what NumPy 1.24 computes of the arrays below.

    python3 runtime/array/testdata/numpy_cases.py > runtime/array/testdata/numpy_cases.json

A case is {op, in: arrays, args, want: arrays}. An array is "dtype shape|elements in C order".
"""

import json
import warnings

import numpy as np

warnings.simplefilter("ignore")  # of means of nothing
INTS = ["int8", "int64", "uint8", "uint64"]
FLOATS = ["float32", "float64"]
SHAPES = [(), (0,), (1,), (5,), (3, 4), (2, 0), (2, 3, 2)]
SPECIAL = [np.nan, np.inf, -np.inf, -0.0, 0.0]
cases = []


def text(a):
    a = np.asarray(a)
    form = (lambda v: repr(float(v))) if a.dtype.kind == "f" else (lambda v: str(int(v)))
    return "%s %s|%s" % (a.dtype, ",".join(map(str, a.shape)), " ".join(form(v) for v in a.ravel()))


def case(op, inputs, want, /, **args):
    """Records an array or a tuple of them."""
    row = {"op": op, "in": [text(a) for a in inputs]}
    if args:
        row["args"] = args
    row["want"] = [text(a) for a in (want if isinstance(want, (tuple, list)) else [want])]
    cases.append(row)


def numbers(r, dtype, shape):
    """Small numbers, of which some are equal."""
    if dtype == "bool":
        return r.randint(0, 2, shape).astype(bool)
    if dtype in INTS:
        return r.randint(0 if dtype[0] == "u" else -9, 10, shape).astype(dtype)
    return np.asarray(np.round(r.randn(*shape) * 4, 2), dtype)


def special(r, dtype, shape):
    """Floats among which are nan, infinities and zeros of both signs."""
    x = numbers(r, dtype, shape)
    return np.where(r.rand(*shape) < 0.3, r.choice(SPECIAL, shape), x).astype(dtype)


def arrays(r, dtypes, shapes=SHAPES):
    """All shapes in all types, and floats with special values."""
    for dtype in dtypes:
        for shape in shapes:
            yield numbers(r, dtype, shape)
            if dtype in FLOATS and len(shape) > 0:
                yield special(r, dtype, shape)


def axes_of(a):
    return [None] + list(range(a.ndim)) + ([(0, a.ndim - 1)] if a.ndim > 1 else [])


def as_list(axis):
    return [] if axis is None else list(axis) if isinstance(axis, tuple) else [axis]


METHODS = ["linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf", "averaged_inverted_cdf", "closest_observation",
           "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased", "normal_unbiased"]


def quantiles():
    r = np.random.RandomState(1)
    fractions = [0.5, [0.0, 1.0], [[0.1, 0.25], [1 / 3, 0.9]]]
    for a in arrays(r, INTS + FLOATS):
        for axis in axes_of(a):
            if a.size == 0:
                continue
            for nan in [False, True]:
                q, method, keep = fractions[r.randint(2 if nan else 3)], METHODS[r.randint(len(METHODS))], bool(r.randint(2))
                compute = np.nanquantile if nan else np.quantile  # nanquantile confuses the axes of a matrix of fractions
                want = compute(a, q, axis=axis, method=method, keepdims=keep)
                exact = a.dtype == "float32" or method in METHODS[1:3] + METHODS[4:6] + METHODS[7:8]
                want = np.asarray(want).astype(a.dtype if exact else "float64")  # other types depend on NumPy's order of conversions
                case("quantile", [a, q], want, axes=as_list(axis), all=axis is None, method=method, keep=keep, nan=nan)
            compute = np.nanmedian if keep else np.median
            case("median", [a], compute(a, axis=axis, keepdims=keep), axes=as_list(axis), all=axis is None, keep=keep, nan=keep)


quantiles()
print("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]")
