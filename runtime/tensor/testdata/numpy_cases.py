"""Writes numpy_cases.json: what NumPy 1.24 makes of random subscripts, orders, scans and rearrangements.

    python3 runtime/tensor/testdata/numpy_cases.py > runtime/tensor/testdata/numpy_cases.json

A case is {op, in: arrays, args, want: arrays} or {..., error: true}. An array is "dtype shape|elements in C order".
"""

import json
import warnings

import numpy as np

warnings.simplefilter("error")  # NumPy deprecates what will be errors
r = np.random.RandomState(20240501)
DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]
INTS = DTYPES[1:9]
cases = []


def text(a):
    a = np.asarray(a)
    form = repr if a.dtype.kind == "f" else int
    values = (float(v).__repr__() if form is repr else str(int(v)) for v in a.ravel())
    return "%s %s|%s" % (a.dtype, ",".join(map(str, a.shape)), " ".join(values))


def case(op, inputs, compute, /, **args):
    """Records compute(), which returns one array or a list of them, or fails."""
    row = {"op": op, "in": [text(a) for a in inputs]}
    if args:
        row["args"] = args
    try:
        want = compute()
    except Exception as e:
        if isinstance(e, (NameError, AttributeError)):
            raise
        row["error"] = True
    else:
        row["want"] = [text(a) for a in (want if isinstance(want, list) else [want])]
    cases.append(row)


def shape(rank=None, most=4, empty=True):
    rank = r.randint(0, 5) if rank is None else rank
    return tuple(int(n) for n in r.randint(0 if empty and r.rand() < 0.1 else 1, most + 1, rank))


def array(shape, dtype=None, spread=20, nan=0.15):
    dtype = dtype or DTYPES[r.randint(len(DTYPES))]
    low = 0 if dtype[0] in "ub" else -spread
    a = np.asarray(r.randint(low, 2 if dtype == "bool" else spread, shape)).astype(dtype)
    if dtype[0] == "f":
        a = np.asarray(a / np.dtype(dtype).type(4))
        if nan and r.rand() < 0.6:
            a[r.rand(*a.shape) < nan] = np.nan
            a[r.rand(*a.shape) < nan / 3] = np.inf
            a[r.rand(*a.shape) < nan / 3] = -np.inf
            a[r.rand(*a.shape) < nan / 3] = -0.0
    return a


def bound(n):
    return None if r.rand() < 0.4 else int(r.randint(-n - 2, n + 3))


def subscript(dims):
    """A random subscript of an array, as Python has it and as the test reads it."""
    items, rows, axis, rank = [], [], 0, len(dims)
    common = shape(r.randint(1, 3), 3)
    ellipsis = r.rand() < 0.3

    def add(item, row):
        items.append(item)
        rows.append(row)

    for _ in range(r.randint(1, rank + 3)):
        p = r.rand()
        n = dims[axis] if axis < rank else 1
        if p < 0.1:
            add(None, {"new": True})
        elif p < 0.18 and ellipsis:
            add(Ellipsis, {"ellipsis": True})
            ellipsis = r.rand() < 0.05
            axis += r.randint(0, 2)
        elif axis >= rank and r.rand() < 0.9:
            break
        elif p < 0.35:
            i = int(r.randint(-n, n + (r.rand() < 0.03))) if n else 0
            add(i, {"at": i})
            axis += 1
        elif p < 0.6:
            s = [bound(n), bound(n), [None, 1, 2, -1, -2][r.randint(5)]]
            add(slice(*s), {"slice": s})
            axis += 1
        elif p < 0.85:
            dims_ = tuple(1 if r.rand() < 0.2 else d for d in common)
            if r.rand() < 0.2:
                dims_ = dims_[1:]
            dtype = INTS[r.randint(len(INTS))]
            x = np.asarray(r.randint(0 if dtype[0] == "u" else -n, max(n, 1) + (r.rand() < 0.02), dims_)).astype(dtype)
            add(x, {"array": text(x)})
            axis += 1
        elif p < 0.88:
            x = np.array(bool(r.randint(2)))
            add(x, {"array": text(x)})
        else:
            k = r.randint(1, 3)
            mask = r.rand(*dims[axis:axis + k]) < r.rand() if r.rand() < 0.97 else r.rand(3) < 0.5
            add(np.asarray(mask), {"array": text(np.asarray(mask))})
            axis += k
    return tuple(items), rows


def selections():
    dims = shape()
    index, rows = subscript(dims)
    a = np.arange(int(np.prod(dims))).reshape(dims)
    basic = all(not isinstance(i, np.ndarray) or i.ndim == 0 and i.dtype != bool for i in index)
    case("get", [a], lambda: np.array(a[index]), items=rows, view=basic)
    if "error" in cases[-1]:
        return
    a = array(dims, nan=0)
    got = a[index]
    values = tuple(1 if r.rand() < 0.3 else n for n in got.shape)
    values = (1,) * r.randint(0, 2) + values if r.rand() < 0.2 else values[r.randint(0, len(values) + 1):]
    v = array(values, a.dtype.name if r.rand() < 0.5 else "int8", 5, nan=0)
    if a.dtype == bool:
        v = v.astype(bool)

    def store():
        z = a.copy()
        z[index] = v
        return z

    def accumulate():
        z = a.copy()
        extra = max(v.ndim - got.ndim, 0)  # which assignment takes, and add.at refuses
        np.add.at(z, index, np.broadcast_to(v.reshape(v.shape[extra:]), got.shape).astype(z.dtype))
        return z

    case("set", [a, v], store, items=rows)
    case("add", [a, v], accumulate, items=rows)


def axis_of(a):
    return int(r.randint(-a.ndim, a.ndim))


def orders():
    a = array(shape(r.randint(1, 4), 6))
    axis = axis_of(a)
    case("sort", [a], lambda: np.sort(a, axis, "stable"), axis=axis)
    case("argsort", [a], lambda: np.argsort(a, axis, "stable"), axis=axis)
    keys = [array(a.shape, spread=2, nan=0.3) for _ in range(r.randint(1, 4))]
    case("lexsort", keys, lambda: np.lexsort(keys, axis), axis=axis)
    u = array(shape(most=5), spread=4)

    def unique():
        values, first, inverse, counts = np.unique(u, True, True, True)
        return [values, first, inverse, counts]

    if not (u.dtype.kind == "f" and np.any(np.signbit(u) & (u == 0))):  # which of the zeros NumPy leaves is not defined
        case("unique", [u], unique)
    values = array(shape())
    sorted_ = np.sort(array(shape(1, 12)))
    right = bool(r.randint(2))
    side = "right" if right else "left"
    case("searchsorted", [sorted_, values], lambda: np.searchsorted(sorted_, values, side), right=right)
    nans = [array(shape(1, 8), "float64", 3, 0.4) for _ in range(2)]
    case("searchsorted", [np.sort(nans[0]), nans[1]], lambda: np.searchsorted(np.sort(nans[0]), nans[1], side), right=right)
    x = array(shape(1, 12))
    sorter = np.argsort(x, kind="stable")
    case("searchsorted", [x, values, sorter], lambda: np.searchsorted(x, values, side, sorter), right=right)
    bins = np.sort(array(shape(1, 6), nan=0))[:: r.choice([1, -1])]
    if r.rand() < 0.1:
        bins = array((5,), nan=0)
    bins = bins.astype("float64")
    case("digitize", [values, bins], lambda: np.digitize(values, bins, right), right=right)
    xp = np.unique(array((r.randint(1, 8),), "float64", 8, nan=0))
    fp = np.where(r.rand(len(xp)) < 0.3, np.inf, array(xp.shape, "float64"))
    x = array(shape(), "float64", 10, 0.15 if len(xp) > 1 else 0)  # of one point, NumPy takes NaN for it
    ends = {} if r.rand() < 0.5 else {"left": -77.0, "right": 99.0}
    case("interp", [x, xp, fp], lambda: np.interp(x, xp, fp, **ends), ends=list(ends.values()))


def long_orders():
    """Lines that are sorted by digits."""
    for dtype in DTYPES:
        a = array((1, 220), dtype, 127, 0.05)
        if dtype in ("int64", "uint64"):
            a = (a.astype("float64") * 2.0 ** 50).astype(dtype)
        if dtype == "float64":
            a = a * 10.0 ** r.randint(-300, 300, a.shape)
        case("argsort", [a], lambda: np.argsort(a, 1, "stable"), axis=1)
        case("sort", [a], lambda: np.sort(a, 1, "stable"), axis=1)


def scans():
    a = array(shape(r.randint(1, 4), 5), spread=9)
    axis = axis_of(a)
    for op, f in ("sum", np.add), ("prod", np.multiply), ("max", np.maximum), ("min", np.minimum):
        dtype = a.dtype.name if r.rand() < 0.5 else "float64"

        def run():
            with np.errstate(all="ignore"):
                return f.accumulate(a.astype(dtype), axis, dtype)

        case("scan", [a], run, of=op, axis=axis, dtype=dtype)
    n = int(r.randint(0, 4))

    def difference():
        with np.errstate(all="ignore"):
            return np.diff(a, n, axis)

    case("diff", [a], difference, n=n, axis=axis)
    x = array(shape(1, 8), INTS[r.randint(len(INTS))], 9)
    x = abs(x) if r.rand() < 0.9 else x
    if x.dtype != "uint64":  # NumPy refuses it
        m = int(r.randint(0, 9))
        case("bincount", [x], lambda: np.bincount(x, None, m), minlength=m)
        w = array(x.shape, nan=0)
        if len(x):  # else NumPy forgets the type of the weights
            case("bincount", [x, w], lambda: np.bincount(x, w, m), minlength=m)
    b = array(shape(), spread=2)
    if b.ndim > 0:
        case("nonzero", [b], lambda: list(np.nonzero(b)))
    case("argwhere", [b], lambda: np.argwhere(b))
    case("countnonzero", [b], lambda: np.count_nonzero(b))


def rearrangements():
    a = array(shape(r.randint(1, 4)))
    axis = axis_of(a)
    n = a.shape[axis]
    counts = array(() if r.rand() < 0.3 else (n,) if r.rand() < 0.8 else (1,), "int64", 4)
    counts = abs(counts) if r.rand() < 0.9 else counts
    case("repeat", [a, counts], lambda: np.repeat(a, counts, axis), axis=axis)
    reps = [int(v) for v in r.randint(0 if r.rand() < 0.1 else 1, 4, r.randint(0, 4))]
    case("tile", [a], lambda: np.tile(a, reps), reps=reps)
    shift = int(r.randint(-9, 10))
    case("roll", [a], lambda: np.roll(a, shift, axis), shift=shift, axis=axis)
    case("flip", [a], lambda: np.flip(a, axis), axis=axis)
    mode = ["raise", "wrap", "clip"][r.randint(3)]
    spread = max(n, 1) if mode == "raise" and r.rand() < 0.9 else 2 * n + 2
    index = array(shape(r.randint(0, 3)), "int64", spread)
    case("take", [a, index], lambda: np.take(a, index, axis, mode=mode), axis=axis, mode=mode)
    dims = list(a.shape)
    dims[axis] = int(r.randint(0, 4))
    dims = [1 if i != axis % a.ndim and r.rand() < 0.2 else d for i, d in enumerate(dims)]
    along = array(tuple(dims), "int32", n + (r.rand() < 0.05)) if n else np.zeros(dims, "int32")
    case("takealong", [a, along], lambda: np.take_along_axis(a, along, axis), axis=axis)
    v = array(() if r.rand() < 0.5 else along.shape, a.dtype.name, nan=0)

    def put():
        z = a.copy()
        np.put_along_axis(z, along, v, axis)
        return z

    case("putalong", [a, along, v], put, axis=axis)
    m = array(shape(r.randint(2, 5)))
    k = int(r.randint(-6, 7))
    x, y = int(r.randint(-m.ndim, m.ndim)), int(r.randint(-m.ndim, m.ndim))
    case("diagonal", [m], lambda: np.diagonal(m, k, x, y), offset=k, axis1=x, axis2=y)
    case("tril", [m], lambda: np.tril(m, k), k=k)
    case("triu", [m], lambda: np.triu(m, k), k=k)
    p, q = int(r.randint(0, 6)), int(r.randint(0, 6))
    case("tri", [], lambda: np.tri(p, q, k, bool), n=p, m=q, k=k)


for _ in range(400):
    selections()
for _ in range(110):
    orders()
    scans()
    rearrangements()
long_orders()
print("[" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "]")
