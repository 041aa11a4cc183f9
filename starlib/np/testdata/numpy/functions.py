"""Functions of elements, orders, sets, counts and sequences, and the methods of arrays that are the same."""

import numpy as np

from common import array, draw

UNARY = ("exp exp2 expm1 log log2 log10 log1p sin cos tan arctan sinh cosh tanh sqrt "
         "arcsinh cbrt deg2rad rad2deg radians degrees sinc i0").split()
LIMITED = ["arcsin", "arccos", "arctanh"]
ROUNDING = ("absolute abs fabs negative positive sign square ceil floor rint trunc fix isnan isinf isfinite "
            "isneginf isposinf logical_not signbit nan_to_num spacing conj real imag isreal iscomplex").split()
PAIRS = ["add", "subtract", "multiply", "divide", "true_divide", "floor_divide", "mod", "remainder", "fmod", "maximum", "minimum",
         "fmax", "fmin", "copysign", "nextafter",
         "heaviside", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or",
         "logical_xor"]
NEAR_PAIRS = ["power", "float_power", "arctan2", "hypot", "logaddexp", "logaddexp2"]
SORTED = ["np.array([3, 1, 2, 3, 0, -4])", "np.array([2.5, np.nan, -1.0, 2.5, np.inf])", "np.array([[3, 1, 2], [9, 7, 8]])",
          "np.array([True, False, True])",
          "np.array([5, 5, 1], dtype='uint8')", "np.array([], dtype='int64')", "np.arange(24).reshape(2, 3, 4)[::-1, :, ::-1]",
          "np.array([0.5, -0.5, 0.0], dtype='float32')"]


def elements(f, rnd):
    edges = array([0.0, -0.0, float("inf"), -float("inf"), float("nan"), -1.0])
    for name in UNARY:
        x = [round(rnd.uniform(0.05, 4), 3) for _ in range(5)]
        if not name.startswith("log") and name != "sqrt":
            x += [-v for v in x]
        f.near(*("np.%s(%s)" % (name, a) for a in [array(x), array(x, dtype="float32"), array([0, 1, 2, 3]),
                                                   array([0, 1, 2, 3], dtype="int16"), "0.75", "2", "[0.5, 2]",
                                                   "[[1.0], [4.0]]"]))
        if name not in ("i0", "sinc"):
            f.near("np.%s(%s)" % (name, edges), "np.%s(%s)" % (name, edges.replace("])", "], dtype='float32')")))
    for name in LIMITED + ["arccosh"]:
        x = [-1.0, -0.5, 0.0, 0.25, 1.0, 1.5]
        f.near("np.%s(%s)" % (name, array(x)), "np.%s(%s)" % (name, array(x, dtype="float32")), "np.%s(%s)" % (name, edges),
               "np.%s(1)" % name)
    whole = [-2.5, -1.5, -1.0, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 2.6, float("inf"), float("nan")]
    for name in ROUNDING:
        f.either("np.%s(%s)" % (name, array(whole)), "np.%s(%s)" % (name, array(whole, dtype="float32")), "np.%s(2.25)" % name,
                 "np.%s([[1, -2], [0, 3]])" % name)
        for dtype in ["int32", "uint8", "int64", "bool"]:
            if name not in ("ceil", "floor", "rint", "trunc", "fix", "spacing", "signbit", "fabs", "sign") or dtype == "int64":
                f.either("np.%s(%s)" % (name, draw(rnd, dtype, 3)))
    for name in PAIRS:
        f.either("np.%s(%s, %s)" % (name, draw(rnd, "float64", 5), draw(rnd, "int32", 5)),
                 "np.%s(%s, %s)" % (name, draw(rnd, "int64", 5), array([1, -2, 3, 4, 5])),
                 "np.%s(%s, 2)" % (name, draw(rnd, "float32", 5)), "np.%s([1.5, np.nan, 3.0], [1.5, 2.0, np.nan])" % name,
                 "np.%s(5, 3)" % name, "np.%s(5.5, -2)" % name,
                 "np.%s(%s, [[1], [2]])" % (name, draw(rnd, "int16", 3)),
                 "np.%s([np.inf, -np.inf, 0.0, -0.0], [1.0, np.inf, 0.0, 0.0])" % name)
        if name not in ("nextafter", "heaviside", "copysign"):
            f.either("np.%s(%s, %s)" % (name, draw(rnd, "bool", 5), draw(rnd, "bool", 5)),
                     "np.%s(%s, 3)" % (name, draw(rnd, "uint8", 4)))
    for name in NEAR_PAIRS:
        f.near("np.%s(%s, %s)" % (name, array([1.0, 0.5, 2.0, 3.0]), array([2.0, -1.0, 0.5, 0.0])), "np.%s(2, 0.5)" % name,
               "np.%s(%s, 2.0)" % (name, array([1.0, 2, 4], dtype="float32")),
               "np.%s([np.inf, -np.inf, np.nan, 0.0], [1.0, 0.0, 1.0, -0.0])" % name, "np.%s([1, 2, 3], [2])" % name)
    for name in ["bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift", "gcd", "lcm"]:
        f.either("np.%s(%s, %s)" % (name, draw(rnd, "int16", 5), array([1, 2, 3, 4, 5], dtype="uint8")), "np.%s(12, 10)" % name,
                 "np.%s([12, 18, 0], 3)" % name,
                 "np.%s(%s, %s)" % (name, draw(rnd, "bool", 3), draw(rnd, "int8", 3)))
    f.exact("np.power(np.arange(5), 2)", "np.power(2, np.arange(6))", "np.power(np.array([1, 2, 3], dtype='int8'), 2)",
            "np.sqrt(16)", "np.sqrt([4, 9])", "np.divmod(7, -2)",
            "np.divmod(np.array([7, -7]), 3)", "np.modf([1.5, -2.25])", "np.frexp([8.0, 0.3])", "np.ldexp([0.5, 1.5], [3, -1])",
            "np.angle([1.0, -1.0])",
            "np.unwrap([0.0, 3.0, 7.0])", "np.square([True, False])", "np.abs([True, False])", "np.float_power(2, 3)",
            "np.invert([True, False])", "np.bitwise_not(np.array([1], dtype='uint8'))")
    f.exact("np.reciprocal([1, -2, 4])", "np.reciprocal([0.5, -0.0, np.inf])", "np.reciprocal(np.array([2, 8], dtype='float32'))")
    for c in ["[True, False, True]", "[1, 0, 2]", "[[True], [False]]", "[0.0, np.nan, -1.0]"]:
        f.exact("np.where(%s, np.arange(3), 10.5)" % c,
                "np.where(%s, np.array([1, 2, 3], dtype='int8'), np.array([4, 5, 6], dtype='float32'))" % c,
                "np.where(%s, 1, 0)" % c,
                "np.where(%s, [1, 2, 3], [[9], [8]])" % c)
    for lo, hi in [("1", "3"), ("None", "2.5"), ("1.5", "None"), ("[0, 1, 2, 3, 4, 5]", "4"), ("5", "1"), ("-np.inf", "2")]:
        f.exact("np.clip(np.arange(6), %s, %s)" % (lo, hi), "np.arange(6, dtype='float32').clip(%s, %s)" % (lo, hi),
                "np.clip([0.5, np.nan, 3.5, 1, 2, 9], %s, %s)" % (lo, hi))
    for x in ["np.array([0.125, 2.675, -1.005, 1234.5678])", "np.array([0.5, 1.5, 2.5])", "np.array([123, 255, -45])",
              "np.array([0.125, 2.7], dtype='float32')", "2.567", "[1.25, -0.05]"]:
        for d in [0, 1, 2, -1, -2]:
            f.exact("np.round(%s, %d)" % (x, d), "np.around(%s, decimals=%d)" % (x, d))
            if x.startswith("np."):
                f.exact("%s.round(%d)" % (x, d))
    f.exact("np.round([1.5, 2.5])", "np.rint([0.5, 1.5, -0.5])", "round(2.567, 2)", "round(2.5)", "abs(np.array([-1, 2]))",
            "pow(np.array([1, 2, 3]), 2)", "np.isclose([1, 2, np.nan, np.inf], [1 + 1e-9, 2.1, np.nan, np.inf])",
            "np.isclose([np.nan], [np.nan], equal_nan=True)", "np.isclose(1.0, 1.00001)",
            "np.isclose([1e10, 1e-9], [1.00001e10, 1e-8])", "np.allclose([1, 2], [1, 2.1])",
            "np.allclose([1, 2], [1, 2.1], atol=0.2)",
            "np.array_equal([1, np.nan], [1, np.nan])", "np.array_equal([1, np.nan], [1, np.nan], equal_nan=True)",
            "np.isscalar(3)", "np.isscalar([3])", "np.nan_to_num([np.nan, np.inf], nan=1.0, posinf=9.0)")
    f.exact("np.select([np.arange(5) < 2, np.arange(5) > 3], [np.arange(5), np.arange(5) * 10], 7)",
            "np.choose([0, 1, 1], [[1, 2, 3], [4, 5, 6]])", "np.piecewise(np.arange(4.0), [np.arange(4) < 2], [-1, 1])",
            "np.vectorize(lambda x: x * 2)(np.arange(3))", "np.apply_along_axis(lambda r: r.sum(), 1, np.arange(6).reshape(2, 3))",
            "np.add(1, 2)", "np.add([1, 2], 3, dtype='float64')",
            "x = np.zeros(3); np.add(np.arange(3), 1, out=x); v = x", "x = np.arange(3.0); np.sqrt(x, out=x); v = x * x",
            "np.add(np.arange(3), 10, where=[True, True, True])", "np.multiply(np.eye(2), [1, 2])")
    f.fails("np.add(1)", "np.sqrt('a')", "np.gcd(1.5, 2)", "np.left_shift(1.5, 1)", "np.clip(np.arange(3))",
            "np.choose([0, 3], [1, 2])", "np.power([1, 2], -1)", "np.sin(1, 2, 3, 4)", "np.exp(bad=1)",
            "np.add(np.arange(3), 1, out=np.zeros(2))", "np.select([[True]], [[1], [2]])", "np.round('a')", "np.where()",
            "np.where([True], 1)", "np.ldexp(1.0, 0.5)")


def orders(f, rnd):
    for x in SORTED:
        for axis in ["", ", axis=0", ", axis=None", ", axis=-1"]:
            f.either("np.sort(%s%s)" % (x, axis))
            f.either("np.argsort(%s%s, kind='stable')" % (x, axis) if axis else "np.argsort(%s, kind='stable')" % x)
        f.either("x = %s; x.sort(); v = x" % x, "x = %s; x.sort(axis=0); v = x" % x, "(%s).argsort(kind='stable')" % x,
                 "np.nonzero(%s)" % x, "np.argwhere(%s)" % x, "np.flatnonzero(%s)" % x, "np.count_nonzero(%s)" % x,
                 "np.unique(%s)" % x, "np.unique(%s, return_index=True, return_inverse=True)" % x,
                 "np.unique(%s, return_counts=True)" % x, "np.where(%s)" % x, "(%s).nonzero()" % x, "np.sort(%s)[::-1]" % x,
                 "np.searchsorted(np.sort(%s, axis=None), [1, 2.5, -9])" % x,
                 "np.searchsorted(np.sort(%s, axis=None), 3, side='right')" % x, "np.sort(np.partition(%s, 1, axis=None)[:2])" % x,
                 "np.isin(%s, [1, 3, 2.5])" % x, "np.in1d(%s, [0, 1], invert=True)" % x, "np.extract(%s > 1, %s)" % (x, x),
                 "np.compress([True, False], %s, axis=0)" % x,
                 "np.take(%s, [0, -1])" % x, "np.take(%s, 1, axis=0)" % x, "(%s).take([[0, 1]], axis=-1)" % x,
                 "np.array_equal(np.sort(%s, kind='mergesort'), np.sort(%s))" % (x, x))
    f.exact("np.lexsort(([1, 0, 1], [2, 2, 1]))", "np.sort([3, 1, 2])", "np.sort([[2, 1], [4, 3]], axis=0)",
            "np.unique([[1, 2], [1, 2], [0, 5]], axis=0)", "np.unique([2, 1, 2])", "np.digitize([0.5, 2.5, 9], [1, 2, 3])",
            "np.digitize([1, 2], [1, 2, 3], right=True)", "np.searchsorted([1, 3, 5], [0, 1, 2, 5, 6])",
            "np.searchsorted([3, 1, 2], 2, sorter=[1, 2, 0])", "np.argmax([[1, 5], [7, 2]])",
            "np.take_along_axis(np.array([[3, 1], [2, 9]]), np.argsort([[3, 1], [2, 9]], axis=1), axis=1)",
            "x = np.zeros((2, 2)); np.put_along_axis(x, np.array([[1], [0]]), 5, axis=1); v = x",
            "x = np.arange(5); np.put(x, [0, 4], [9, 8]); v = x", "x = np.arange(5); np.place(x, x > 2, [7, 8]); v = x",
            "x = np.arange(5); np.putmask(x, x > 2, -1); v = x", "x = np.zeros(3); np.copyto(x, [1, 2, 3]); v = x",
            "np.take([1, 2, 3], [5, -7], mode='wrap')", "np.take([1, 2, 3], [5, -7], mode='clip')",
            "np.partition([4, 2, 9, 1], 2)[2]", "np.argpartition([4, 2, 9, 1], 0)[0]")
    for name in ["union1d", "intersect1d", "setdiff1d", "setxor1d"]:
        for a, b in [("[3, 1, 2, 3]", "[2, 3, 9]"), ("[1.5, 2.5]", "[2.5, np.inf]"), ("[]", "[1, 2]"),
                     ("[[1, 2], [3, 4]]", "[4, 1]"), ("[True, False]", "[True]")]:
            f.exact("np.%s(%s, %s)" % (name, a, b))
    f.exact("np.intersect1d([1, 3, 5], [5, 1], return_indices=True)")
    f.fails("np.sort([1, 2], axis=1)", "np.sort(3)", "np.take([1, 2], 2)", "np.argsort([1, 2], axis=2)",
            "np.searchsorted([[1, 2]], 1)", "np.digitize([1], [3, 1, 2])", "np.lexsort([])", "np.partition([1, 2], 5)",
            "np.unique([1, 2], axis=1)", "np.compress([[True]], [1])", "np.sort([1, 2], kind='bogus')")


def sequences(f, rnd):
    for x in ["np.array([1, 4, 9, 16])", "np.array([2.5, 0.5, 8.0])", "np.arange(12).reshape(3, 4) ** 2",
              "np.array([1, 0, 3], dtype='uint8')", "np.array([True, False, False])", "np.array([0.5, 4.0, 2.0], dtype='float32')"]:
        f.either("np.diff(%s)" % x, "np.diff(%s, n=2)" % x, "np.diff(%s, axis=0)" % x, "np.ediff1d(%s)" % x,
                 "np.diff(%s, prepend=0)" % x, "np.diff(%s, append=[5])" % x, "np.gradient(%s)" % x, "np.gradient(%s, 2)" % x,
                 "np.trapz(%s)" % x, "np.trapz(%s, dx=0.5)" % x, "np.cumsum(%s)" % x, "np.cumprod(%s)" % x,
                 "np.convolve(%s, [1, -1])" % x, "np.correlate(%s, [1, 2], 'full')" % x,
                 "np.interp([1.5, 0, 99], [1, 2, 3], %s)" % x,
                 "np.histogram(%s, bins=3)" % x, "np.histogram(%s, bins=[0, 2, 5, 20])" % x, "np.bincount(%s)" % x,
                 "np.cov(%s)" % x, "np.ptp(%s)" % x, "np.cross(%s, [1, 2, 3])" % x)
        f.near("np.var(%s)" % x, "np.cov(%s)" % x, "np.corrcoef(%s, %s[::-1])" % (x, x) if "12" not in x else "np.corrcoef(%s)" % x,
               tol=1e-6)
    for mode in ["full", "same", "valid"]:
        for a, b in [("[1, 2, 3]", "[0, 1, 0.5]"), ("[1, 2, 3, 4, 5]", "[1, -1]"), ("[2]", "[3, 4]"),
                     ("np.arange(4)", "np.arange(3)")]:
            f.exact("np.convolve(%s, %s, mode='%s')" % (a, b, mode), "np.correlate(%s, %s, mode='%s')" % (a, b, mode))
    f.exact("np.interp(2.5, [1, 2, 3], [3, 2, 0])", "np.interp([0, 1, 1.5, 9], [1, 2, 3], [3, 2, 0], left=-1, right=7)",
            "np.bincount([0, 1, 1, 5])", "np.bincount([1, 2], weights=[0.5, 2])", "np.bincount([0, 3], minlength=6)",
            "np.histogram([1, 2, 1, 4], bins=[0, 1, 2, 3, 5])", "np.histogram([0.1, 0.4, 0.9], bins=2, range=(0, 1))",
            "np.histogram([1, 2, 3], bins=2, density=True)", "np.histogram([1, 2, 2], bins=2, weights=[1, 2, 3])",
            "np.histogram_bin_edges([1, 5], bins=4)", "np.histogram2d([1, 2, 2], [3, 4, 4], bins=2)[0]",
            "np.trapz([1, 2, 3], x=[4, 6, 8])", "np.gradient([1, 4, 9], [0, 1, 3])", "np.gradient([[1, 2], [4, 8]])",
            "np.cumsum([[1, 2], [3, 4]], axis=1)", "np.polyval([1, 2, 3], 2)", "np.polyval([1, 0], [1, 2])",
            "np.polyadd([1, 2], [3])", "np.polysub([1, 2], [3])", "np.polymul([1, 2], [1, -2])", "np.polyder([1, 2, 3])",
            "np.polyint([2, 2])",
            "np.polydiv([1, 0, -1], [1, 1])", "np.poly([1, 2])", "np.bartlett(5)", "np.trim_zeros(np.array([0, 1, 2, 0]))",
            "np.packbits([1, 0, 1])", "np.unpackbits(np.array([5], dtype='uint8'))", "np.ravel_multi_index((1, 2), (3, 4))",
            "np.unravel_index(7, (3, 4))", "np.unravel_index([1, 5], (2, 3))", "np.cross([1, 0, 0], [0, 1, 0])",
            "np.cross([1, 2], [3, 4])", "np.roots([1, -3, 2])", "[i for i in np.ndindex(2, 2)]",
            "[(i, int(x)) for i, x in np.ndenumerate(np.arange(4).reshape(2, 2))]")
    f.near("np.polyfit([0, 1, 2, 3], [1, 3, 5, 7], 1)", "np.polyfit([0, 1, 2], [1, 0, 1], 2)", "np.cov([1, 2, 3], [1, 4, 9])",
           "np.cov([[1, 2], [3, 9]], rowvar=False)", "np.corrcoef([1, 2, 3], [3, 1, 2])", "np.roots([1, -6, 11, -6])", tol=1e-7)
    f.near("np.hamming(6)", "np.hanning(7)", "np.blackman(5)", "np.kaiser(5, 2.0)", tol=1e-13)
    f.fails("np.bincount([-1])", "np.bincount(np.array([0.5]))", "np.convolve([], [1])", "np.convolve([1], [2], mode='all')",
            "np.interp(1, [1, 2], [1])", "np.histogram([1, 2], bins=0)", "np.histogram([1, 2], bins=[2, 1])", "np.gradient([1])",
            "np.unravel_index(12, (3, 4))", "np.diff(3)", "np.diff([1, 2], n=-1)", "np.cross([1, 2, 3, 4], [1, 2, 3, 4])",
            "np.polyfit([1, 2], [1], 1)", "np.ravel_multi_index((3, 0), (3, 4))")


def cases(f):
    for part in [elements, orders, sequences]:
        part(f, f.rnd)
