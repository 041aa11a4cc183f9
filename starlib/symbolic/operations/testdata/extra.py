"""Writes extra.jsonl beside it: expressions of T, their operands, and what NumPy computes: python3 extra.py > extra.jsonl

Reductions, positions, orders and padding, over axes, types and lengths of 0 and 1, with nan and infinity."""

import json
import warnings

import numpy as np

warnings.simplefilter("ignore")
rnd = np.random.RandomState(11)


def show(x):
    x = np.asarray(x)
    return [str(x.dtype), list(x.shape), [v if np.isfinite(v) else str(v) for v in (float("%.16g" % v) for v in x.astype(float).ravel())]]


def case(expression, value, tol=1e-12, **operands):
    print(json.dumps([expression, {k: show(v) for k, v in operands.items()}, show(value), tol]))


def numbers(shape, dtype):
    if dtype == "bool":
        return rnd.rand(*shape) < 0.5
    if dtype.startswith("float"):
        return rnd.choice([-2.5, -1.0, -0.0, 0.0, 0.5, 1.0, 3.0], shape).astype(dtype)
    return rnd.randint(0 if dtype.startswith("u") else -4, 5, shape).astype(dtype)


def holes(x, share=0.3):
    x = x.copy()
    x[rnd.rand(*x.shape) < share] = np.nan
    return x


def axes(rank):
    return [None] + list(range(-rank, rank)) + ([(0, -1), (1, 0)] if rank > 1 else []) + ([(0, 1, 2)] if rank == 3 else [])


def attempt(f):
    """The value of f, or None where NumPy refuses."""
    try:
        return f()
    except (ValueError, IndexError, TypeError, np.AxisError):
        return None


TYPES = "bool int8 uint8 int32 int64 uint64 float32 float64".split()
SHAPES = [(3,), (0,), (1,), (2, 3), (0, 3), (3, 0), (2, 1), (2, 3, 2)]

for dtype in TYPES:
    for shape in SHAPES:
        x = numbers(shape, dtype)
        tol = 2e-6 if dtype == "float32" else 1e-12
        for axis in axes(x.ndim):
            for keep in (False, True):
                for name in "sum prod mean var std max min ptp any all median nansum nanprod nanmean nanvar nanstd nanmax nanmin nanmedian".split():
                    if rnd.rand() > 0.06 or dtype == "bool" and name in ("ptp",):
                        continue
                    f, kw = getattr(np, name), {}
                    value = attempt(lambda: f(x, axis=axis, keepdims=keep))
                    if value is not None:
                        case("T.%s(x, axis=%s, keepdims=%s)" % (name, axis, keep), value, tol, x=x)
                for name in ("argmax", "argmin"):
                    if rnd.rand() < 0.08 and not isinstance(axis, tuple):
                        value = attempt(lambda: getattr(np, name)(x, axis=axis, keepdims=keep))
                        if value is not None:
                            case("T.%s(x, axis=%s, keepdims=%s)" % (name, axis, keep), value, x=x)
            if rnd.rand() < 0.08 and not isinstance(axis, tuple):
                case("T.cumsum(x, axis=%s)" % axis, np.cumsum(x, axis=axis), tol, x=x)
                case("T.cumprod(x, axis=%s)" % axis, np.cumprod(x, axis=axis), tol, x=x)
            if rnd.rand() < 0.3:
                case("T.count_nonzero(x, axis=%s)" % (axis,), np.count_nonzero(x, axis=axis), x=x)
            if rnd.rand() < 0.08 and not dtype.startswith("bool") and x.size:
                for to in ("float32", "float64", "int64"):
                    case("T.sum(x, axis=%s, dtype=\"%s\")" % (axis, to), x.sum(axis=axis, dtype=to), 1e-6, x=x)

# argmax over several axes is that of the elements along them, in C order
x = rnd.permutation(24).reshape(2, 3, 4).astype(float)
for pair in ((0, 1), (0, 2), (1, 2)):
    moved = np.moveaxis(x, pair, (1, 2)).reshape(x.shape[3 - sum(pair)], -1)
    case("T.argmax(x, axis=%s)" % (pair,), moved.argmax(1), x=x)
    case("T.argmin(x, axis=%s)" % (list(pair[::-1]),), moved.argmin(1), x=x)
    case("T.max_and_argmax(x, axis=%s)[1]" % (pair,), moved.argmax(1), x=x)
    case("T.max_and_argmax(x, axis=%s, keepdims=True)[0]" % (pair,), x.max(axis=pair, keepdims=True), x=x)

# nan
for dtype in ("float32", "float64"):
    tol = 2e-6 if dtype == "float32" else 1e-12
    for shape in ((4,), (3, 4), (2, 3, 3), (2, 0), (1,)):
        for share in (0.3, 1.0):
            x = holes(numbers(shape, dtype), share)
            for axis in axes(x.ndim):
                for name in "sum prod mean var std max min median".split():
                    for f in (name, "nan" + name):
                        if rnd.rand() < 0.15:
                            value = attempt(lambda: getattr(np, f)(x, axis=axis))
                            if value is not None:
                                case("T.%s(x, axis=%s)" % (f, axis), value, tol, x=x)
                if rnd.rand() < 0.2:
                    case("T.nanvar(x, axis=%s, ddof=1)" % (axis,), np.nanvar(x, axis=axis, ddof=1), tol, x=x)
                if not isinstance(axis, tuple) and rnd.rand() < 0.4:
                    for name in ("nanargmax", "nanargmin"):
                        value = attempt(lambda: getattr(np, name)(x, axis=axis))
                        if value is not None:
                            case("T.%s(x, axis=%s)" % (name, axis), value, x=x)
                    case("T.nancumsum(x, axis=%s)" % axis, np.nancumsum(x, axis=axis), tol, x=x)
                    case("T.nancumprod(x, axis=%s)" % axis, np.nancumprod(x, axis=axis), tol, x=x)

# quantiles
METHODS = ("linear lower higher nearest midpoint inverted_cdf averaged_inverted_cdf closest_observation interpolated_inverted_cdf hazen weibull "
           "median_unbiased normal_unbiased").split()
for method in METHODS:
    for q in (0.0, 0.3, 1.0, [0.1, 0.5, 0.77], [[0.25, 0.5]]):
        for dtype in ("float64", "float32", "int64"):
            if rnd.rand() < 0.5:
                continue
            x = numbers((3, 5), dtype)
            axis = [None, 0, 1, (0, 1)][rnd.randint(4)]
            keep = bool(rnd.randint(2))
            tol = 2e-6 if dtype == "float32" else 1e-12
            kind = dtype if dtype != "int64" or method in ("lower", "higher", "nearest", "inverted_cdf", "closest_observation") else "float64"
            case("T.quantile(x, %s, axis=%s, method=\"%s\", keepdims=%s)" % (q, axis, method, keep), np.quantile(x, q, axis=axis, method=method, keepdims=keep).astype(kind), tol, x=x)
            if dtype == "float64" and np.ndim(q) < 2:
                x = holes(x)
                case("T.nanquantile(x, %s, axis=%s, method=\"%s\", keepdims=%s)" % (q, axis, method, keep), np.nanquantile(x, q, axis=axis, method=method, keepdims=keep),
                     x=x)
                case("T.percentile(x, np.array(%s) * 100, axis=%s)" % (q, axis), np.percentile(x, np.array(q) * 100, axis=axis), x=x)
x = numbers((3, 4, 2), "float64")
case("T.quantile(x, q, axis=1)", np.quantile(x, [0.2, 0.9], axis=1), x=x, q=np.array([0.2, 0.9]))
case("T.percentile(x, q)", np.percentile(x, 30.0), x=x, q=np.array(30.0))

# the largest
for dtype in TYPES:
    for shape, axis in (((7,), -1), ((3, 5), 0), ((3, 5), 1), ((2, 4, 3), 1), ((4, 3), None)):
        x = numbers(shape, dtype)
        n = x.size if axis is None else x.shape[axis]
        for k in rnd.choice([1, 2, n, -1, -2, -n], 2, replace=False):
            flat = x.ravel() if axis is None else x
            along = 0 if axis is None else axis
            key = flat.astype(float) if k < 0 else -flat.astype(float)
            at = np.argsort(key, axis=along, kind="stable").take(range(abs(k)), axis=along)
            case("T.argtopk(x, %d, axis=%s)" % (k, axis), at, x=x)
            case("T.topk(x, %d, axis=%s)" % (k, axis), np.take_along_axis(flat, at, along), x=x)
x = np.array([np.nan, 1.0, -np.inf, np.nan, np.inf, 0.0])
case("T.topk(x, 4)", [np.nan, np.nan, np.inf, 1.0], x=x)
case("T.topk(x, -5)", [-np.inf, 0.0, 1.0, np.inf, np.nan], x=x)
x = rnd.permutation(1000).astype("float32")
case("T.topk(x, 10)", -np.sort(-x)[:10], x=x)
case("T.argtopk(x, -300, idx_dtype=\"int32\")", np.argsort(x)[:300].astype("int32"), x=x)

# what differs
for dtype in TYPES:
    for shape, axis in (((9,), None), ((0,), None), ((3, 4), None), ((5, 2), 0), ((2, 5), 1), ((2, 4, 2), -2)):
        x = numbers(shape, dtype) if dtype != "float64" else numbers(shape, "int8").astype(dtype)
        for part, value in enumerate(np.unique(x, True, True, True, axis=axis)):
            case("T.unique(x, True, True, True, axis=%s)[%d]" % (axis, part), value, x=x)
case("T.unique(x)", np.unique(np.array([np.nan, 1.0, np.nan])), x=np.array([np.nan, 1.0, np.nan]))

# positions
for order in "CF":
    for shape in ((2, 3), (4, 1, 2), (6,)):
        p = rnd.randint(0, np.prod(shape), (2, 3))
        parts = np.unravel_index(p, shape, order=order)
        for axis, value in enumerate(parts):
            case("T.unravel_index(p, %s, order=\"%s\")[%d]" % (shape, order, axis), value, p=p)
        operands = {"i%d" % axis: value for axis, value in enumerate(parts)}
        case("T.ravel_multi_index((%s,), %s, order=\"%s\")" % (", ".join(operands), shape, order), p, **operands)
i = np.array([-3, 0, 7])
for mode in ("wrap", "clip"):
    case("T.ravel_multi_index((i, i), (2, 3), mode=\"%s\")" % mode, np.ravel_multi_index((i, i), (2, 3), mode=mode), i=i)
for y, n in (([0, 2, 1], 3), ([], 2), ([4], 5)):
    y = np.array(y, dtype="int32")
    case("T.to_one_hot(y, %d)" % n, np.eye(n)[y], y=y)
    case("T.to_one_hot(y, %d, dtype=\"int8\")" % n, np.eye(n, dtype="int8")[y], y=y)
for k in (-2, 0, 1, 5):
    for upper in ("l", "u"):
        for part in (0, 1):
            case("T.tri%s_indices(n, %d, 4)[%d]" % (upper, k, part), getattr(np, "tri%s_indices" % upper)(3, k, 4)[part], n=np.array(3))
            case("T.tri%s_indices_from(x, %d)[%d]" % (upper, k, part), getattr(np, "tri%s_indices" % upper)(2, k, 3)[part], x=np.zeros((2, 3)))
x, y = rnd.rand(3, 4), np.array([rnd.permutation(4) for _ in range(3)])
case("T.permute_row_elements(x, y)", np.take_along_axis(x, y, 1), x=x, y=y)
case("T.permute_row_elements(x, y, True)", np.take_along_axis(x, np.argsort(y, 1), 1), x=x, y=y)
case("T.permute_row_elements(x[0], y[1])", x[0][y[1]], x=x, y=y)
case("T.inverse_permutation(y)", np.argsort(y, 1), y=y)

# padding
for dtype in ("float64", "float32", "int64", "uint8"):
    for mode in "constant edge reflect symmetric wrap maximum minimum mean linear_ramp".split():
        for shape, width in (((4,), 2), ((1,), 3), ((3, 2), (1, 2)), ((2, 3), ((0, 1), (2, 0))), ((2, 1, 3), ((0, 0), (1, 1), (4, 7)))):
            if rnd.rand() < 0.4:
                continue
            x = numbers(shape, dtype) if mode != "mean" else numbers(shape, "uint8").astype(dtype)
            more, kw = "", {}
            if mode in ("constant", "linear_ramp") and rnd.rand() < 0.6:
                kw = {{"constant": "constant_values", "linear_ramp": "end_values"}[mode]: (2, 5)}
                more = ", %s=(2, 5)" % list(kw)[0]
            case("T.pad(x, %s, mode=\"%s\"%s)" % (width, mode, more), np.pad(x, width, mode=mode, **kw), 1e-6, x=x)
case("T.pad(x, w)", np.pad(np.arange(3.0), (2, 1)), x=np.arange(3.0), w=np.array([2, 1]))
case("T.pad(x, w, mode=\"reflect\")", np.pad(np.arange(6.0).reshape(2, 3), ((1, 0), (2, 4)), mode="reflect"), x=np.arange(6.0).reshape(2, 3), w=np.array([[1, 0], [2, 4]]))

# statistics
x, y = rnd.rand(3, 6), rnd.rand(6)
f, w = np.array([1, 2, 0, 3, 1, 1]), rnd.rand(6)
for row in (True, False):
    case("T.cov(x, rowvar=%s)" % row, np.cov(x, rowvar=row), x=x)
    case("T.corrcoef(x, rowvar=%s)" % row, np.corrcoef(x, rowvar=row), x=x)
case("T.cov(x, y)", np.cov(x, y), x=x, y=y)
case("T.cov(y)", np.cov(y), y=y)
case("T.corrcoef(y)", np.corrcoef(y), y=y)
case("T.cov(x, bias=True)", np.cov(x, bias=True), x=x)
case("T.cov(x, ddof=3)", np.cov(x, ddof=3), x=x)
case("T.cov(x, fweights=f)", np.cov(x, fweights=f), x=x, f=f)
case("T.cov(x, aweights=w)", np.cov(x, aweights=w), x=x, w=w)
case("T.cov(x, fweights=f, aweights=w, ddof=0)", np.cov(x, fweights=f, aweights=w, ddof=0), x=x, f=f, w=w)
case("T.average(x, axis=1, weights=w)", np.average(x, axis=1, weights=w), x=x, w=w)
case("T.average(x, weights=x)", np.average(x, weights=x), x=x)
case("T.average(x, axis=0)", np.average(x, axis=0), x=x)
xp, fp = np.array([-1.0, 0.0, 2.0, 2.5]), np.array([3.0, -1.0, 4.0, np.inf])
at = np.array([[-2.0, -1.0, -0.5, 0.0], [1.0, 2.0, 2.5, 3.0]])
case("T.interp(x, p, f)", np.interp(at, xp, fp), x=at, p=xp, f=fp)
case("T.interp(x, p, f, left=-7, right=9.5)", np.interp(at, xp, fp, left=-7, right=9.5), x=at, p=xp, f=fp)
case("T.interp(x, p, f)", np.interp(0.7, xp, fp), x=np.array(0.7), p=xp, f=fp)
case("T.interp(x, p, f)", np.interp([np.nan, 1.0], [0.5, 2.0], [2.0, 3.0]), x=np.array([np.nan, 1.0]), p=np.array([0.5, 2.0]), f=np.array([2.0, 3.0]))

# sequences and grids
for n in (0, 1, 2, 5, 8):
    for name in "bartlett hanning hamming blackman".split():
        case("T.%s(n)" % name, getattr(np, name)(n), n=np.array(n))
for end in (True, False):
    case("T.geomspace(a, b, 5, endpoint=%s)" % end, np.geomspace(2.0, 1000.0, 5, endpoint=end), a=np.array(2.0), b=np.array(1000.0))
    case("T.geomspace(a, -8, 4, endpoint=%s)" % end, np.geomspace(-1, -8, 4, endpoint=end), a=np.array(-1.0))
u, v, w = np.arange(3.0), np.arange(2), np.array([7.0])
for indexing in ("xy", "ij"):
    for sparse in (False, True):
        for part, value in enumerate(np.meshgrid(u, v, w, indexing=indexing, sparse=sparse)):
            case("T.meshgrid(u, v, w, indexing=\"%s\", sparse=%s)[%d]" % (indexing, sparse, part), value, u=u, v=v, w=w)
n = np.array(4)
case("T.mgrid[0:n, 1:n:2]", np.mgrid[0:4, 1:4:2], n=n)
case("T.mgrid[0:n]", np.mgrid[0:4], n=n)
case("T.mgrid[0:1:0.25, n:1:-1]", np.mgrid[0:1:0.25, 4:1:-1], n=n)
case("T.mgrid[0:n:\"5j\"]", np.mgrid[0:4:5j], n=n)
case("T.ogrid[0:n, 1:3][0]", np.ogrid[0:4, 1:3][0], n=n)
case("T.ogrid[0:n, 1:3][1]", np.ogrid[0:4, 1:3][1], n=n)

# axes
x = rnd.rand(2, 3, 4)
for k in range(-1, 5):
    case("T.rot90(x, %d)" % k, np.rot90(x, k), x=x)
    case("T.rot90(x, %d, axes=(2, 1))" % k, np.rot90(x, k, axes=(2, 1)), x=x)
case("T.flipud(x)", np.flipud(x), x=x)
case("T.fliplr(x)", np.fliplr(x), x=x)
case("T.empty_like(x).shape", [2, 3, 4], x=x)
case("T.atleast_Nd(x, n=5)", x[None, None], x=x)
case("T.atleast_Nd(x, n=5, left=False)", x[..., None, None], x=x)
case("T.join_dims(x)", x.ravel(), x=x)
case("T.join_dims(x, 1)", x.reshape(2, 12), x=x)
case("T.join_dims(x, 0, 2)", x.reshape(6, 4), x=x)
case("T.join_dims(x, -1, 0)", x.reshape(2, 3, 1, 4), x=x)
case("T.split_dims(x, (2, 2), -1)", x.reshape(2, 3, 2, 2), x=x)
case("T.split_dims(x, (1, -1), 1)", x.reshape(2, 1, 3, 4), x=x)
case("x[T.slice_at_axis(slice(1, None), 1)]", x[:, 1:], x=x)
case("x[T.slice_at_axis(slice(None, None, -2), -1)]", x[..., ::-2], x=x)
case("T.broadcast_arrays(x, x[0, :, 0][:, None])[1]", np.broadcast_to(x[0, :, 0][:, None], x.shape), x=x)
for kth in (0, 2, -1):
    case("T.sort(T.partition(x, %d)[..., :1] * 0)" % kth, np.zeros((2, 3, 1)), x=x)
case("T.partition(x, 1, axis=0)", np.partition(x, 1, axis=0), x=x)
case("T.argpartition(x, 1, axis=0)", np.argpartition(x, 1, axis=0), x=x)
