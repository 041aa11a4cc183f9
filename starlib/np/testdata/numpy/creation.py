"""Arrays from numbers, lists, ranges and shapes."""

from common import DTYPES


def cases(f):
    rnd = f.rnd
    for dtype in DTYPES:
        name = "np." + dtype.replace("bool", "bool_")
        f.exact("np.zeros(3, dtype='%s')" % dtype, "np.ones((2, 2), dtype=%s)" % name, "np.full((2, 2), 7, dtype='%s')" % dtype,
                "np.eye(2, 3, 1, dtype='%s')" % dtype, "np.identity(2, dtype='%s')" % dtype,
                "np.array([[1, 0], [1, 1]], dtype='%s')" % dtype, "np.zeros_like([1, 2], dtype='%s')" % dtype,
                "np.empty((2, 0), dtype='%s')" % dtype, "np.asarray([1, 0], dtype='%s')" % dtype,
                "np.array(1, dtype='%s')" % dtype, "np.linspace(0, 4, 3, dtype='%s')" % dtype,
                "np.ones_like(np.zeros(2, dtype='%s'))" % dtype, "np.full_like(np.zeros(2, dtype='%s'), 1)" % dtype,
                "np.tri(2, dtype='%s')" % dtype, "%s(1)" % name, "%s([1, 0])" % name,
                "np.array([0, 1]).astype(%s).dtype == '%s'" % (name, dtype), "np.fromiter([1, 0, 1], dtype='%s')" % dtype)
        if dtype != "bool":
            f.exact("np.arange(5, dtype='%s')" % dtype, "np.arange(1, 9, 3, dtype=%s)" % name,
                    "np.logspace(0, 2, 3, dtype='%s')" % dtype, "np.geomspace(1, 8, 4, dtype='%s')" % dtype)
    starts = ["0", "1", "-2", "0.5", "-1.5", "3", "10"]
    stops = ["5", "1", "-3", "2.5", "0.3", "0", "7.1"]
    for _ in range(90):
        f.either("np.arange(%s, %s, %s)" % (rnd.choice(starts), rnd.choice(stops),
                                            rnd.choice(["1", "2", "-1", "0.5", "0.1", "-0.25", "0.3", "3"])))
    for _ in range(60):
        extra = rnd.choice(["", "", ", endpoint=False", ", dtype='float32'", ", dtype='int64'"])
        f.either("np.linspace(%s, %s, %s%s)" % (rnd.choice(starts), rnd.choice(stops),
                                                rnd.choice(["2", "3", "5", "7", "1", "0", "11"]), extra))
    for lo, hi in [("0", "3"), ("-2", "2"), ("1", "0.5"), ("2", "2")]:
        for n in ["1", "4", "7"]:
            f.near("np.logspace(%s, %s, %s)" % (lo, hi, n), "np.logspace(%s, %s, %s, base=2)" % (lo, hi, n),
                   "np.logspace(%s, %s, %s, endpoint=False)" % (lo, hi, n), tol=1e-14)
    for lo, hi in [("1", "1000"), ("1", "256"), ("0.5", "8.0"), ("-1", "-100"), ("10", "0.1")]:
        f.near("np.geomspace(%s, %s, 4)" % (lo, hi), "np.geomspace(%s, %s, num=5, endpoint=False)" % (lo, hi), tol=1e-14)
    for shape in ["0", "3", "(2, 3)", "[2, 2]", "()", "(1, 0, 2)", "(2,)", "np.int64(2)"]:
        f.exact("np.zeros(%s)" % shape, "np.ones(%s)" % shape, "np.full(%s, 2.5)" % shape, "np.empty(%s).shape" % shape,
                "np.zeros(shape=%s, dtype=int)" % shape)
    for n in ["0", "1", "3"]:
        for k in ["0", "1", "-1", "5"]:
            f.exact("np.eye(%s, k=%s)" % (n, k), "np.eye(%s, 4, %s, dtype=int)" % (n, k), "np.tri(%s, 3, %s)" % (n, k))
    f.exact("np.array([1, 2.5, True])", "np.array([True, 2])", "np.array((1, (2)))", "np.array([np.arange(2), np.arange(2) * 1.5])",
            "np.array([np.float32([1]), np.float32([2])])", "np.array(range(3))", "np.array([[], []])",
            "np.array([18446744073709551615])", "np.array([1, 2], ndmin=2)", "np.array([9223372036854775807])",
            "np.full(2, 0.5, dtype='int64')", "np.full((2, 3), [1, 2, 3])", "np.zeros_like([1, 2])",
            "np.ones_like(np.float32([1, 2]))",
            "np.full_like([1.5, 2.5], 3)", "np.full_like([1, 2], 2.7)", "np.arange(10)", "np.arange(0)", "np.arange(3.5)",
            "np.arange(0, 1, 0.1, dtype='float32')", "np.arange(start=1, stop=4)", "np.arange(5, step=2)",
            "np.arange(2, 10, 3)[::-1]", "np.linspace(0, 1)", "np.linspace([0, 1], [2, 5], 3)",
            "np.linspace(0, 1, 5, retstep=True)", "np.array([[1, 2], [3, 4]]).copy()", "np.array(np.eye(2), dtype='int8')",
            "np.array([np.nan, np.inf, -np.inf])",
            "np.array([True, False, True])", "np.array([[True], [False]])", "np.array(3.5)", "np.array([1, 2, 3], dtype=float)",
            "np.array([[1, 2], (3, 4)])", "np.array([np.array(1), np.array(2)])",
            "np.array([-0.0])", "np.array([1 << 62])", "np.array([0.1 + 0.2])[0]",
            "np.array([5 // 2, 5 % 3, -7 // 2])", "np.asarray(np.arange(3)) is not None", "np.asanyarray([1, 2])",
            "np.atleast_1d(3)", "np.atleast_2d([1, 2])",
            "np.atleast_3d([1, 2]).shape", "np.fromfunction(lambda i, j: i + j, (2, 3))",
            "np.fromfunction(lambda i: i * 2, (3,), dtype=int)", "np.frombuffer(np.array([1, 2]).tobytes(), dtype='int64')",
            "np.fromiter([x * x for x in range(4)], dtype=float)",
            "np.diag(np.arange(3))", "np.meshgrid(np.arange(2), np.arange(3))[0]", "np.indices((2, 3))[1]", "np.pi", "np.e",
            "np.inf", "np.nan", "-np.inf", "np.newaxis", "np.PINF", "np.euler_gamma", "np.float64('1.5')", "np.int64(3.9)",
            "np.float32(0.1)",
            "np.bool_(2)", "np.uint8(7)", "float(np.array(2.5))", "int(np.array([3])[0])", "float(np.float32(0.1))",
            "np.array([1, 2, 3]) is None", "np.copy([1, 2])", "np.require([1, 2], dtype=float)", "np.array([0, 1], dtype='i4')",
            "np.array([0, 1], dtype='f4')",
            "np.array([1], dtype='<f8')", "np.array([1], dtype='u1')", "np.array([1], dtype='?')", "np.array([1], dtype='b')",
            "np.array([1], dtype='d')", "np.array([1], dtype='float')", "np.array([1], dtype='int')",
            "np.array([2], dtype=np.intp)",
            "np.array([2], dtype=np.double)", "np.array([2], dtype=np.single)", "np.array([2], dtype=np.dtype('int16'))",
            "np.bartlett(4)", "np.zeros((2, 3)).size", "np.identity(3)", "np.vander([1, 2, 4], 2)")
    f.fails("np.zeros(-1)", "np.zeros((2, -1))", "np.array([1, [2, 3]])", "np.array([[1, 2], [3]])",
            "np.array([18446744073709551616], dtype='uint64')", "np.zeros(3, dtype='float23')", "np.arange(0, 1, 0)",
            "np.zeros('a')", "np.zeros(2.5)", "np.ones((2, 'a'))",
            "np.linspace(0, 1, -1)", "np.linspace(0, 1, 2.5)", "np.array()", "np.arange()", "np.eye(-1)", "np.eye(2.5)",
            "np.full(3)", "np.array([1], dtype='nosuch')", "np.arange('a')", "np.array([None], dtype=float) + {}",
            "np.geomspace(0, 1)", "np.tri('a')",
            "np.array(['a'], dtype=float)", "np.zeros(1, 2, 3, 4)", "np.zeros(shape=2, size=3)", "np.full((2, 2), [1, 2, 3])",
            "np.fromfunction(3, (2,))", "np.diag([[[1]]])", "np.identity()", "np.array([1, 2], ndmin=99)",
            "np.array([[1, 2], [3, 4, 5]], dtype=float)")
