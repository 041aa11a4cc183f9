"""Reductions: axes, kept dimensions, types of accumulation, nan, nothing to reduce."""

from common import run

SOURCES = [
    "np.arange(24).reshape(2, 3, 4)", "np.arange(24.0).reshape(2, 3, 4) / 8", "np.arange(24, dtype='float32').reshape(4, 6) - 11.5",
    "np.arange(12, dtype='int8').reshape(3, 4) - 6", "np.arange(6, dtype='uint8')", "np.array([[3.5, np.nan], [1.25, -2.0]])",
    "np.array([[True, False, True], [False, False, True]])", "np.arange(24).reshape(2, 3, 4).T", "np.arange(20)[::-3]",
    "np.array([[2, 7, 7], [9, 9, 1]])", "np.array(2.5)", "np.array([[np.inf, 1.0], [-np.inf, np.inf]])",
    "np.array([0.1, 0.2, 0.3, 0.4])",
]
ROUNDED = ("var", "std", "mean", "prod", "nanmean", "nanstd", "nanvar", "nanprod", "average")
NANS = ["np.array([[3.5, np.nan, 1.0], [1.25, -2.0, np.nan]])", "np.array([np.nan, 2.0, 5.5, -1.0])", "np.arange(6).reshape(2, 3)",
        "np.array([[np.nan, 1.0], [np.nan, 4.0]], dtype='float32')", "np.array([np.inf, np.nan, 1.0])"]


def cases(f):
    rnd = f.rnd

    def axes(x, several):
        rank = run("v = " + x).ndim
        out = [None] + list(range(rank)) + ([-1] if rank else [])
        return out + ([(0, 2), (1, 2), (0, 1, 2)] if rank == 3 and several else [])

    for name in ["sum", "prod", "max", "min", "mean", "any", "all", "var", "std", "argmax", "argmin", "ptp", "median"]:
        for x in SOURCES:
            for axis in axes(x, name not in ("argmax", "argmin", "ptp")):
                keep = rnd.choice(["", ", keepdims=True"])
                f.either("np.%s(%s, axis=%s%s)" % (name, x, axis, keep), near=name in ROUNDED)
                if rnd.random() < 0.4 and name != "median":
                    f.either("(%s).%s(axis=%s)" % (x, name, axis), "(%s).%s(%s)" % (x, name, axis if axis is not None else ""),
                             near=name in ROUNDED)
    for name in ["nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanstd", "nanvar", "nanmedian", "nanargmax", "nanargmin"]:
        for x in NANS:
            for axis in axes(x, True):
                f.either("np.%s(%s, axis=%s)" % (name, x, axis), near=name in ROUNDED)
            f.either("np.%s(%s, axis=0, keepdims=True)" % (name, x), near=name in ROUNDED)
    for name in ["cumsum", "cumprod"]:
        for x in SOURCES:
            for axis in axes(x, False):
                f.either("np.%s(%s, axis=%s)" % (name, x, axis), "(%s).%s(%s)" % (x, name, axis if axis is not None else ""),
                         near="0.1" in x)
    for x in NANS:
        f.exact("np.nancumsum(%s)" % x, "np.nancumsum(%s, axis=-1)" % x, "np.nancumprod(%s)" % x, "np.nan_to_num(%s)" % x)

    # Nothing to reduce.
    for name in ["sum", "prod", "any", "all", "max", "min", "argmax", "argmin", "mean", "cumsum", "ptp", "median", "std",
                 "count_nonzero", "nansum", "nanmax"]:
        for shape in ["0", "(0, 3)", "(3, 0)", "(2, 0, 2)"]:
            for axis in ["None", "0", "-1"]:
                f.either("np.%s(np.zeros(%s), axis=%s)" % (name, shape, axis))
    f.exact("np.max(np.zeros(0), initial=-1)", "np.sum([1, 2], initial=10)", "np.min([5, 3], initial=2)",
            "np.prod([2, 3], initial=2)", "np.sum(np.zeros((2, 0)), axis=1, keepdims=True)")

    # Types of the accumulation.
    for dtype in ["float32", "float64", "int32", "uint8", "int64"]:
        for x in ["[1, 2, 3]", "np.array([200, 100], dtype='uint8')", "np.array([1.75, 2.5])", "np.array([True, True])"]:
            f.either("np.sum(%s, dtype='%s')" % (x, dtype), "np.prod(%s, dtype='%s')" % (x, dtype),
                     "np.cumsum(%s, dtype='%s')" % (x, dtype),
                     "np.array(%s).sum(dtype=np.%s)" % (x, dtype))
            if dtype.startswith("float"):
                f.near("np.mean(%s, dtype='%s')" % (x, dtype), "np.std(%s, dtype='%s')" % (x, dtype))
    for n in [7, 8, 9, 100, 127, 128, 129, 1000, 5000]:
        f.near("np.sum(np.arange(%d) * 0.1)" % n, "np.mean(np.arange(%d) * 0.1)" % n,
               "np.sum(np.arange(%d, dtype='float32') * np.float32([0.1]))" % n,
               "np.var(np.arange(%d) * 0.1)" % n, "np.sum(np.arange(%d * 3).reshape(%d, 3) * 0.1, axis=0)" % (n, n),
               "np.mean(np.arange(%d, dtype='float32') / 3)" % n)
        f.exact("np.arange(%d).sum()" % n, "np.arange(%d, dtype='int8').max()" % n, "(np.arange(%d) %% 7).argmax()" % n,
                "np.count_nonzero(np.arange(%d) %% 3)" % n)
    for x in SOURCES[:8]:
        for axis in axes(x, False):
            f.near("np.var(%s, axis=%s, ddof=1)" % (x, axis), "np.std(%s, axis=%s, ddof=1, keepdims=True)" % (x, axis),
                   "(%s).std(axis=%s)" % (x, axis))
            f.either("np.count_nonzero(%s, axis=%s)" % (x, axis), "np.amax(%s, axis=%s)" % (x, axis), "np.amin(%s, %s)" % (x, axis))

    # With where=.
    for mask in ["np.array([True, False, True])", "np.array([[True], [False]])", "x > 1", "False"]:
        code = "x = np.arange(6.0).reshape(2, 3); v = np.%s(x, axis=%s, where=%s%s)"
        for axis in ["None", "0", "1"]:
            f.exact(code % ("sum", axis, mask, ""), code % ("max", axis, mask, ", initial=-1"), code % ("any", axis, mask, ""),
                    code % ("mean", axis, mask, ""))

    # Orders.
    data = ["np.array([3.0, 1.0, 2.0, 10.0, 7.5])", "np.array([[1, 9, 3], [7, 5, 2]])", "np.arange(11) ** 2", "np.array([2.5])"]
    for x in data:
        for q in ["0", "25", "50", "90", "100", "[10, 50, 99]", "33.3"]:
            f.near("np.percentile(%s, %s)" % (x, q), "np.percentile(%s, %s, axis=0)" % (x, q),
                   "np.quantile(%s, %s)" % (x, "[0.1, 0.5]" if q[0] == "[" else float(q) / 100))
        for method in ["lower", "higher", "nearest", "midpoint", "linear"]:
            f.near("np.percentile(%s, 40, method='%s')" % (x, method), "np.quantile(%s, [0.2, 0.7], method='%s')" % (x, method))
        f.near("np.median(%s)" % x, "np.average(%s)" % x, "np.ptp(%s)" % x, "np.nanpercentile(%s, 30)" % x,
               "np.nanquantile(%s, 0.3)" % x)
    f.near("np.average([1, 2, 3], weights=[3, 1, 0])", "np.average([[1.0, 2], [3, 4]], axis=0, weights=[0.25, 0.75])",
           "np.average([[1.0, 2], [3, 4]], axis=1)",
           "np.percentile([1, np.nan, 3], 50)", "np.median([[1, 2], [3, 4]], axis=1)", "np.median([1.0, np.nan])",
           "np.nanmedian([[1, np.nan, 3]], axis=1)",
           "np.percentile([[10, 7, 4], [3, 2, 1]], 50, axis=1, keepdims=True)", "np.linalg.norm([3.0, 4.0])")
    f.exact("np.argmax([1.0, np.nan, 3.0])", "np.argmin([[4, 1], [1, 4]], axis=1)", "np.argmax([True, False, True])",
            "np.max([1.0, np.nan])", "np.min([np.nan, -1])", "np.maximum.reduce([3, 1, 2])",
            "np.add.reduce([[1, 2], [3, 4]])", "np.add.reduce([[1, 2], [3, 4]], axis=1)", "np.multiply.accumulate([1, 2, 3, 4])",
            "np.add.accumulate([1, 2, 3])", "np.logical_or.reduce([False, True])",
            "np.add.reduceat(np.arange(8), [0, 4, 1, 5])", "np.sum(5)", "np.max(3.5)", "np.all([])", "np.any([[]], axis=1)",
            "np.mean([True, False])", "np.sum([[1, 2], [3, 4]], axis=(0, 1))",
            "np.sum((1, 2, 3))", "sum(np.arange(4))", "sum(np.arange(4).reshape(2, 2))", "max(np.array([3, 7, 5]))",
            "min(np.array([3, 7, 5]))", "np.trace(np.arange(9).reshape(3, 3))",
            "np.trace(np.arange(9).reshape(3, 3), offset=1)", "np.arange(9).reshape(3, 3).trace()", "all(np.array([1, 2]))",
            "any(np.zeros(2))", "bool(np.array([3]))", "1 if np.array([2.5]) else 0",
            "np.allclose([], [])", "np.array_equal([1, 2], [1, 2, 3])", "np.array_equiv([1, 1], [[1, 1], [1, 1]])")
    f.fails("np.max(np.zeros(0))", "np.argmin(np.zeros((0, 2)), axis=0)", "np.sum(np.zeros(3), axis=1)",
            "np.sum(np.zeros((2, 2)), axis=(0, 0))", "np.mean(np.zeros(3), axis=-2)",
            "np.percentile([1, 2], 101)", "np.quantile([1, 2], -0.1)", "np.average([1, 2], weights=[1, 2, 3])",
            "np.average([1, 2], weights=[1, -1])", "np.nanargmax([np.nan, np.nan])",
            "np.zeros(2) if np.zeros(2) else 1", "np.cumsum(np.zeros((2, 2)), axis=2)", "np.sum(np.zeros((2, 2)), axis=(0, 2))",
            "np.max([[1, 2]], axis=0.5)",
            "bool(np.array([1, 2]))", "not np.arange(3)", "np.arange(2) and 1", "np.percentile([1, 2], 50, method='best')",
            "np.std([1, 2], axis=3)")
