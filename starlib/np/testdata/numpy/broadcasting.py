"""Operands of different shapes, in operators, functions and assignments."""

import numpy as np

SHAPES = [(3,), (1,), (2, 3), (2, 1), (1, 3), (1, 1), (4, 2, 3), (4, 1, 3), (4, 1, 1), (0,), (0, 3), (1, 2, 1), (2,), (4, 1), ()]
OPERATORS = ["+", "-", "*", "/", "<", "==", ">=", "//", "%"]
PAIRS = ["np.maximum", "np.arctan2", "np.logical_and", "np.hypot", "np.copysign", "np.fmin", "np.equal", "np.power", "np.subtract"]


def operand(shape, start, dtype):
    n = int(np.prod(shape))
    if shape == ():
        return "np.array(%d%s)" % (start, ".0" if dtype == "float64" else "")
    code = "np.arange(%d, %d%s)" % (start, start + n, ".0" if dtype == "float64" else "")
    return code if len(shape) == 1 else code + ".reshape(%s)" % (shape,)


def cases(f):
    rnd = f.rnd
    for s in SHAPES:
        for t in SHAPES:
            op = rnd.choice(OPERATORS)
            f.either("%s %s %s" % (operand(s, 0, "float64"), op, operand(t, 1, "int64")))
    for s in SHAPES:
        for t in rnd.sample(SHAPES, 9):
            name = rnd.choice(PAIRS)
            f.either("%s(%s, %s)" % (name, operand(s, 1, "float64"), operand(t, 2, "int64")),
                     near=name in ("np.arctan2", "np.hypot", "np.power"))
    for s in SHAPES:
        for t in rnd.sample(SHAPES, 5):
            f.either("x = np.zeros(%s); x[...] = %s; v = x" % (s, operand(t, 1, "int64")),
                     "np.broadcast_to(%s, %s)" % (operand(t, 1, "int64"), s),
                     "x = %s; x += %s; v = x" % (operand(s, 1, "float64"), operand(t, 5, "float64")))
    for _ in range(60):
        a, b, c = (rnd.choice(SHAPES) for _ in range(3))
        f.either("np.where(%s > 1, %s, %s)" % (operand(a, 0, "int64"), operand(b, 10, "int64"), operand(c, -9, "int64")),
                 "np.broadcast_shapes(%s, %s, %s)" % (a, b, c))
        f.either("%s + %s * %s" % (operand(a, 0, "int64"), operand(b, 1, "int64"), operand(c, 2, "int64")))
    for _ in range(25):
        a, b = (rnd.choice(SHAPES) for _ in range(2))
        f.either("[x.tolist() for x in np.broadcast_arrays(%s, %s)]" % (operand(a, 0, "int64"), operand(b, 9, "int64")))
        f.either("np.clip(%s, 2, %s)" % (operand(a, 0, "int64"), operand(b, 3, "int64")))
    # Lists and tuples on either side.
    for op in ["+", "-", "*", "/", "//", "%", "<", "==", "!=", ">="]:
        f.exact("np.arange(3) %s [10, 20, 30]" % op, "(1.5, 2.5) %s np.arange(1, 3)" % op, "[[1], [2]] %s np.array([1, 2])" % op,
                "np.arange(3) %s 2" % op)
    f.exact("np.arange(3) == [0, 1, 5]", "np.arange(4).reshape(2, 2) == 3", "np.arange(3) != np.arange(3)",
            "np.eye(2) == np.eye(2).T", "np.arange(3) ** [2, 1, 0]",
            "2 ** np.arange(5)", "np.arange(3)[:, None] * np.arange(4)",
            "np.arange(3)[:, np.newaxis] - np.arange(3)[np.newaxis, :]",
            "x = np.arange(6.0).reshape(2, 3); v = x - x.mean(axis=0)",
            "x = np.arange(6.0).reshape(2, 3); v = x / x.sum(axis=1, keepdims=True)",
            "x = np.arange(6.0).reshape(2, 3); v = x - x.mean(axis=1)[:, None]", "np.arange(3) @ np.arange(3)",
            "np.ix_([0, 2], [1, 3])[0]",
            "np.arange(12).reshape(3, 4)[np.ix_([0, 2], [1, 3])]", "np.add.outer(np.arange(3), np.arange(2))",
            "np.multiply.outer([1, 2], [3, 4, 5])",
            "np.broadcast_to(5, (2, 2))", "np.broadcast_to([1, 2], (3, 2)).shape", "np.zeros((3, 1)) + np.zeros((1, 4)) == 0")
    f.fails("np.arange(3) + np.arange(4)", "np.zeros((2, 3)) * np.zeros((3, 2))", "np.zeros((2, 3)) - [1, 2]",
            "np.broadcast_to(np.arange(3), (3, 2))",
            "np.broadcast_to(np.arange(3), 2)", "np.broadcast_shapes((2, 3), (3, 2))", "np.maximum(np.zeros(2), np.zeros(3))",
            "np.where([True, False], [1, 2, 3], 0)",
            "np.arange(3) + 'a'", "np.arange(3) + None", "np.arange(3) * {}", "np.clip(np.arange(3), [1, 2], 4)",
            "np.arange(0) + np.arange(2)")
