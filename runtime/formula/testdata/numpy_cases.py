"""Writes numpy_cases.json: what NumPy 1.24 computes of the arrays below.

    python3 runtime/formula/testdata/numpy_cases.py > runtime/formula/testdata/numpy_cases.json

A case is {op, in: arrays, args, want: arrays}. An array is "dtype shape|elements in C order".
"""

import json
import warnings

import numpy as np

warnings.simplefilter("ignore")  # of means of nothing
INTS = ["int8", "int64", "uint64"]
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
            b = a + a.dtype.type(0)  # NumPy's partitions put zeros of both signs in any order
            for nan in [False, True]:
                q, method, keep = fractions[r.randint(2 if nan else 3)], METHODS[r.randint(len(METHODS))], bool(r.randint(2))
                compute = np.nanquantile if nan else np.quantile  # nanquantile confuses the axes of a matrix of fractions
                want = compute(b, q, axis=axis, method=method, keepdims=keep)
                exact = a.dtype == "float32" or method in METHODS[1:3] + METHODS[4:6] + METHODS[7:8]
                want = np.asarray(want).astype(a.dtype if exact else "float64")  # other types depend on NumPy's order of conversions
                case("quantile", [b, q], want, axes=as_list(axis), all=axis is None, method=method, keep=keep, nan=nan)
            compute = np.nanmedian if keep else np.median
            case("median", [a], compute(a, axis=axis, keepdims=keep), axes=as_list(axis), all=axis is None, keep=keep, nan=keep)


PAD_MODES = ["constant", "edge", "reflect", "symmetric", "wrap", "maximum", "minimum", "mean", "linear_ramp"]


def pads():
    r = np.random.RandomState(2)
    for a in arrays(r, ["bool", "int8", "uint64"] + FLOATS, [(1,), (5,), (3, 4), (2, 1, 3)]):
        for mode in PAD_MODES if a.dtype != "bool" else PAD_MODES[:5]:
            if mode == "linear_ramp" and a.dtype.kind == "u" or mode == "mean" and a.dtype.kind == "f" and not (np.isfinite(a) & (a != 0)).all():
                continue  # NumPy's ramps wrap on their way; its means of -0.0 depend on the axis
            widths = [r.randint(0, 4), r.randint(0, 9, 2), r.randint(0, 4, (a.ndim, 2))][r.randint(3)]
            ends = [r.randint(0, 9), r.randint(0, 9, 2), r.randint(0, 9, (a.ndim, 2))][r.randint(3)]
            if mode in ["reflect", "wrap"]:  # where an axis is short, NumPy repeats what it has padded; later versions do not
                widths = np.minimum(widths, [[n - (mode == "reflect")] for n in a.shape])
            options = {"constant": {"constant_values": ends}, "linear_ramp": {"end_values": ends}}.get(mode, {})
            case("pad", [a, widths, ends], np.pad(a, widths, mode, **options), mode=mode)
    for a in [np.zeros((0,)), np.zeros((2, 0), "int8")]:
        case("pad", [a, 2, 7], np.pad(a, 2, constant_values=7), mode="constant")
    case("pad", [np.float64(3), np.zeros((0, 2), int), 0], np.float64(3), mode="edge")


def sets():
    r = np.random.RandomState(3)
    shapes = [(0,), (1,), (8,)]
    for a in arrays(r, ["bool"] + INTS + FLOATS, shapes):
        other = str(r.choice(["int8", "int64", str(a.dtype)])) if a.dtype != "uint64" else "uint64"
        for b in arrays(r, [other], shapes):
            case("in", [a, b], np.isin(a, b))
            case("not in", [a, b], np.isin(a, b, invert=True))
            case("union", [a, b], np.union1d(a, b))
            if not (a.dtype.kind == "f" and (np.isnan(a).any() or np.isnan(b).any())):  # which NumPy takes for different ones here
                case("difference", [a, b], np.setdiff1d(a, b))
                case("symmetric difference", [a, b], np.setxor1d(a, b))
                common, i, j = np.intersect1d(a, b, return_indices=True)
                case("intersect", [a, b], (common.astype(a.dtype), i, j))
    for a in arrays(r, ["bool"] + INTS + FLOATS, [(1, 2), (5, 2), (4, 3, 2)]):
        if a.dtype.kind != "f" or not np.isnan(a).any():
            a[-1] = a[0]
            for axis in range(a.ndim):
                case("unique along", [a], np.unique(a, return_index=True, return_inverse=True, return_counts=True, axis=axis), axes=[axis])


def statistics():
    r = np.random.RandomState(4)
    for a in arrays(r, ["bool", "int8", "uint64"] + FLOATS, [(1,), (5,), (3, 4), (2, 0), (2, 3, 2)]):
        for axis in axes_of(a):
            if a.size > 0:
                case("average", [a], (np.average(a, axis=axis), np.average(a, axis=axis, returned=True)[1]), axes=as_list(axis), all=axis is None)
                w = r.randint(1, 5, a.shape) if axis is None else r.rand(a.shape[axis]) + 0.1 if isinstance(axis, int) else None
                if w is not None:
                    want = np.average(a, axis=axis, weights=w, returned=True)
                    case("average", [a, w], want, axes=as_list(axis), all=axis is None)
        if a.ndim < 3 and np.isfinite(a).all():
            n, columns, ddof = a.shape[-1], bool(r.randint(2)), int(r.randint(2))
            if columns and a.ndim == 2:
                n = a.shape[0]
            f, w = r.randint(1, 4, n), r.rand(n) + 0.1
            if n > 1:
                case("covariance", [a], np.cov(a, rowvar=not columns, ddof=ddof), columns=columns, ddof=ddof)
                case("covariance", [a, f, w], np.cov(a, rowvar=not columns, ddof=ddof, fweights=f, aweights=w), columns=columns, ddof=ddof)
                b = r.randn(*a.shape)
                case("correlation", [a], np.corrcoef(a, rowvar=not columns), columns=columns)
        x = a[np.isfinite(a)] if a.dtype != "bool" else a.astype("int8")
        w = [r.randint(0, 4, x.shape), r.rand(*x.shape)][r.randint(2)]
        for bins in [1, 4, [-3.0, 0, 0.5, 9]]:
            whole = x.size > 0 and bins != [-3.0, 0, 0.5, 9] and a.dtype != "float32"  # whose widths NumPy rounds
            for density in [False, True] if whole else [False]:
                case("histogram", [x, w], np.histogram(x, bins, density=density, weights=w), bins=np.ravel(bins).tolist(), density=density)
                case("histogram", [x], np.histogram(x, bins, density=density), bins=np.ravel(bins).tolist(), density=density)
    for a in arrays(r, ["bool", "int64"] + FLOATS, [(1,), (9,)]):
        b, bins = r.randn(*a.shape), [-2.0, 0.0, 1.0, 2.5]
        case("histogram2d", [a, b], np.histogram2d(a, b, [bins, bins])[0], bins=bins)
        case("histogram2d", [a, b, np.abs(b)], np.histogram2d(a, b, [bins, bins], weights=np.abs(b))[0], bins=bins)


def calculus():
    r = np.random.RandomState(5)
    for a in arrays(r, ["bool", "int8", "uint64"] + FLOATS, [(2,), (6,), (3, 4), (0,), (1,), (2, 0), (2, 3, 2)]):
        for axis in range(a.ndim):
            n = a.shape[axis]
            if a.dtype not in ["bool", "uint64"]:  # whose differences are refused, or wrap
                x = np.cumsum(r.rand(n) + 0.1)
                case("trapezoid", [a], np.asarray(np.trapz(a, dx=0.5, axis=axis)), axes=[axis], dx=0.5)
                case("trapezoid", [a, x], np.asarray(np.trapz(a, x, axis=axis)), axes=[axis])
                if np.isfinite(a).all():
                    case("unwrap", [a], np.unwrap(a, axis=axis), axes=[axis], limit=np.pi, period=2 * np.pi)
                    case("unwrap", [a], np.unwrap(a, discont=3, axis=axis, period=5.0), axes=[axis], limit=3, period=5.0)
                for edge in [1, 2]:
                    if n > edge and a.dtype != "float32":
                        case("gradient", [a], np.gradient(a.astype("float64"), axis=axis, edge_order=edge), axes=[axis], edge=edge)
                        case("gradient", [a, x], np.gradient(a.astype("float64"), x, axis=axis, edge_order=edge), axes=[axis], edge=edge)
        if a.ndim == 1 and a.dtype != "bool":
            case("differences", [a], np.ediff1d(a))
            case("differences", [a, a[:1], a[-2:]], np.ediff1d(a, to_begin=a[:1], to_end=a[-2:]))


quantiles()
pads()
sets()
statistics()
calculus()
print("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]")
