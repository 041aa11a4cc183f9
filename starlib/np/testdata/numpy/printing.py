"""Text of arrays: digits, exponents, widths, wrapping, summaries, and the options."""

import numpy as np

from common import INTS, array

STANDARD = ("np.set_printoptions(precision=8, threshold=1000, edgeitems=3, linewidth=75, suppress=False, "
            "nanstr='nan', infstr='inf', sign='-', floatmode='maxprec')")
FIXED = [
    "np.array([])", "np.zeros(0)", "np.zeros((0, 3))", "np.zeros((2, 0, 3), dtype='int8')", "np.zeros(0, dtype='int64')",
    "np.zeros(0, dtype='float32')", "np.zeros((2, 3, 4, 2))", "np.arange(1000)", "np.arange(1001)", "np.arange(2000) / 3",
    "np.arange(10000).reshape(100, 100)", "np.arange(10000).reshape(10, 1000)", "np.arange(4096).reshape(16, 16, 16)",
    "np.arange(4096).reshape(4, 4, 256)", "np.arange(1500).reshape(1500, 1)", "np.arange(1500).reshape(1, 1500)",
    "np.arange(3000).reshape(3, 1000) * 0.001", "np.arange(1001) * 1e-5", "np.arange(2002, dtype='int8')",
    "np.arange(1200).reshape(2, 600) > 700",
    "np.ones(2000, dtype='float32')", "np.full((40, 40), -1.5)", "np.full((3, 400), np.nan)", "np.eye(5)", "np.eye(12)",
    "np.eye(25)",
    "np.array(5)", "np.array(1.5)", "np.array(True)", "np.array(2, dtype='float32')", "np.array(1e20)",
    "np.array(-3, dtype='int8')",
    "np.array(np.nan)", "np.array(0.1, dtype='float32')", "np.zeros(())", "np.array([[1.5]])", "np.array([[[[1]]]])",
    "np.array([1e16, 1.0])", "np.array([1e15])", "np.array([99999999.0])", "np.array([100000000.0])", "np.array([123456789.0])",
    "np.array([0.0001])", "np.array([0.00009999])", "np.array([0.1, 100.0])", "np.array([0.1, 100.1])", "np.array([0.1, 99.9])",
    "np.array([1e-5, 1.0])", "np.array([5e-324])", "np.array([1.7976931348623157e308, 1.0])", "np.array([1e-320, 1e10])",
    "np.array([0.123456785, 0.5])", "np.array([1.000000005, 2.0])", "np.array([2.0, 0.000000001])", "np.array([1/3, 2/3])",
    "np.array([0.1], dtype='float32')", "np.array([16777216, 0.1], dtype='float32')", "np.array([3.4e38, 1], dtype='float32')",
    "np.array([1e-45, 1], dtype='float32')", "np.array([np.inf, 1])", "np.array([-np.inf, 1])", "np.array([np.nan, 1e10])",
    "np.array([np.nan, np.nan])", "np.array([np.inf, -np.inf])", "np.array([-0.0, 0.0])", "np.linspace(0, 1, 11)",
    "np.linspace(-1, 1, 30)",
    "np.arange(0, 1, 0.1)", "np.zeros((3, 30))", "np.arange(60).reshape(2, 30)", "np.arange(90).reshape(3, 30) * 1.5",
    "np.arange(24, dtype='int8')", "np.arange(26, dtype='int16')", "np.arange(22, dtype='float32')",
    "np.arange(60, dtype='uint8').reshape(3, 20)",
    "np.array([True, False])", "np.ones((3, 5), dtype='bool')", "np.zeros(40, dtype='bool')",
    "np.array([[0.5, np.nan], [np.inf, -3]])", "np.array([[1e-10, 1]])",
    "np.arange(-5, 5)", "np.arange(8).reshape(2, 2, 2) - 4.5", "np.array([-1])", "np.array([1.0, -1e-9])", "np.array([1e3, 1e-4])",
    "np.zeros((1, 0))",
]
OPTIONS = ["precision=0", "precision=1", "precision=3", "precision=12", "precision=17", "suppress=True",
           "suppress=True, precision=2", "suppress=True, precision=4",
           "threshold=5", "threshold=5, edgeitems=1", "threshold=0", "threshold=3, edgeitems=2", "edgeitems=1", "linewidth=20",
           "linewidth=40", "linewidth=120", "linewidth=200",
           "nanstr='-'", "infstr='oo'", "sign='+'", "sign=' '", "floatmode='fixed'", "floatmode='unique'",
           "floatmode='maxprec_equal'", "floatmode='fixed', precision=2",
           "precision=2, threshold=6, edgeitems=2, linewidth=50", "precision=3, suppress=True, linewidth=30", "threshold=100000"]
SHOWN = ["np.array([0.123456789, 1.5, -100.25])", "np.array([1e-7, 1.0, 12345.678])", "np.array([1e10, 1.0])",
         "np.array([np.nan, np.inf, -np.inf, 0.5])", "np.arange(12)",
         "np.arange(30) / 7", "np.arange(20.0).reshape(4, 5)", "np.array([[1/3, 2/3], [1e-3, 5]])",
         "np.array([0.1, 0.25], dtype='float32')", "np.arange(60).reshape(3, 4, 5)",
         "np.array([True, False, True, True, False, False, True])", "np.array([])", "np.array(3.14159265)", "np.arange(1001)",
         "np.array([-0.0, 1e-20])", "np.arange(40, dtype='int16')"]


def cases(f):
    rnd = f.rnd
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
        single = None if name == "extreme" else "float32"
        for n in (1, 2, 3, 7, 20):
            for dtype in dict.fromkeys([None, single]):
                f.exact(array([draw() for _ in range(n)], dtype=dtype))
                f.exact(array([draw() for _ in range(n)], dtype=dtype))
        f.exact(array([draw() for _ in range(12)], shape=(3, 4)), array([draw() for _ in range(12)], shape=(2, 3, 2), dtype=single))
        f.text(array([draw() for _ in range(12)], shape=(2, 6)), array([draw() for _ in range(4)], dtype=single))
        for options in rnd.sample(OPTIONS, 8):
            x = array([draw() for _ in range(rnd.choice([1, 4, 9]))], dtype=rnd.choice([None, single]))
            f.text("np.set_printoptions(%s); v = str(%s); %s" % (options, x, STANDARD))
    for dtype in INTS:
        info = np.iinfo(dtype)
        for n in (1, 5, 30):
            f.exact(array([rnd.randint(info.min, info.max) for _ in range(n)], dtype=dtype),
                    array([rnd.randint(0, 100) for _ in range(n)], dtype=dtype))
        f.text(array([rnd.randint(0, 100) for _ in range(30)], dtype=dtype),
               array([rnd.randint(0, 9) for _ in range(8)], shape=(2, 4), dtype=dtype))
    for n in (1, 2, 9, 30):
        f.exact(array([rnd.random() < 0.5 for _ in range(n)]))
        f.text(array([rnd.random() < 0.5 for _ in range(n)]))
    f.exact(*FIXED)
    f.text(*FIXED)
    for e in range(-12, 20):
        f.exact("np.array([1.5e%d, 1.0])" % e, "np.array([%r, %r], dtype='float32')" % (1.23456789 * 10.0**e, 2.0 * 10.0**e))
        f.text("np.array(3e%d)" % e, "np.array([-7.25e%d])" % e)

    # Widths: where lines break.
    for n in (6, 10, 17, 18, 19, 24, 25, 40):
        for x in ["np.arange(%d)", "np.arange(%d) * 1.5", "np.arange(%d) * 1e5", "np.arange(%d) > 3",
                  "np.arange(%d, dtype='float32') / 3", "-np.arange(%d.0)"]:
            f.exact(x % n)
            f.text(x % n)
            f.exact("(%s).reshape(1, -1)" % (x % n), "(%s).reshape(2, 1, -1)" % (x % (2 * n)))

    # Options, set and put back.
    for options in OPTIONS:
        for x in rnd.sample(SHOWN, 8):
            way = rnd.choice(["str", "repr", "repr"])
            f.text("np.set_printoptions(%s); v = %s(%s); %s" % (options, way, x, STANDARD))
    for name, other in [("precision", "3"), ("threshold", "7"), ("edgeitems", "2"), ("linewidth", "60"), ("suppress", "True"),
                        ("nanstr", "'NA'"), ("infstr", "'Inf'"), ("sign", "'+'"),
                        ("floatmode", "'unique'")]:
        f.exact("np.get_printoptions()['%s'] == %r" % (name, np.get_printoptions()[name]))
        f.text("np.set_printoptions(%s=%s); v = str(np.get_printoptions()['%s']); %s" % (name, other, name, STANDARD))
        f.text("np.set_printoptions(%s=%s); %s; v = repr(np.array([1 / 3, np.nan, -np.inf, 1e-9]))" % (name, other, STANDARD))
    for x in SHOWN:
        f.text("np.array2string(%s)" % x, "np.array2string(%s, precision=2)" % x, "np.array2string(%s, separator=', ')" % x,
               "np.array2string(%s, max_line_width=30)" % x,
               "np.array2string(%s, threshold=4, edgeitems=1)" % x, "np.array2string(%s, suppress_small=True, prefix='>>> ')" % x,
               "np.array_repr(%s, precision=3)" % x,
               "np.array_str(%s, precision=1)" % x, "repr(%s)" % x, "str(%s)" % x, "'%%s' %% (%s,)" % x, "'{}'.format(%s)" % x,
               "x = %s\nv = f'{x}|'" % x, "x = %s\nv = f'{x!r}'" % x)
    f.text("np.array2string(np.arange(3.0), formatter={'float_kind': lambda x: '%.2f' % x})",
           "np.array2string(np.arange(3), formatter={'int': lambda x: '<' + str(x) + '>'})",
           "np.array2string(np.array([0.5, 1.25]), floatmode='fixed', precision=1)",
           "np.format_float_positional(1 / 3, precision=4)", "np.format_float_scientific(12345.678, precision=3)",
           "np.format_float_positional(1e-5)", "np.format_float_positional(100.0, trim='-')", "np.format_float_scientific(0.001)")
    # Numbers out of arrays, and arrays in lists.
    for value in ["0.1", "1e22", "1e16", "123456789.123", "1e-5", "0.0001", "-0.0", "np.nan", "-np.inf", "5e-324", "100.0", "2.5"]:
        f.text("str(float(np.array([%s])[0]))" % value, "str(np.array([%s]).tolist())" % value,
               "str(float(np.array([%s], dtype='float32')[0]))" % value)
    f.exact("[np.arange(2), np.zeros(1)]", "(np.arange(3), 1)", "[np.array([0.5])]", "[np.array(2)]",
            "(np.array([[1, 2], [3, 4]]),)")
    f.text("str([np.arange(2)])", "str((np.zeros((2, 2)), 1))")
    f.fails("np.set_printoptions(precision=-1, floatmode='exact'); v = 1", "np.set_printoptions(depth=3); v = 1",
            "np.set_printoptions(threshold=np.nan); v = 1",
            "np.set_printoptions(sign='x'); v = repr(np.array([1.0])); v = v + 1")
