"""Subscripts: what they take, what they set, what they refuse, and what shares memory."""

BOUNDS = ["", "0", "1", "2", "-1", "-2", "5", "-9"]
STEPS = ["", "", "1", "2", "-1", "-2", "3"]
CUBE = "x = np.arange(24).reshape(2, 3, 4); "


def cases(f):
    rnd = f.rnd

    def piece(step=True):
        text = rnd.choice(BOUNDS) + ":" + rnd.choice(BOUNDS)
        return text + (":" + rnd.choice(STEPS) if step else "")

    # One axis.
    for _ in range(90):
        f.exact("np.arange(6)[%s]" % piece())
    for _ in range(25):
        f.exact("np.arange(24).reshape(2, 3, 4)[%s]" % piece(rnd.random() < 0.5))

    # Several: ints, slices, None, ....
    def item():
        kind = rnd.random()
        if kind < 0.33:
            return str(rnd.choice([0, 1, -1]))
        if kind < 0.8:
            return piece(rnd.random() < 0.5)
        return rnd.choice(["None", "...", "Ellipsis", "np.newaxis", "slice(1, None)", "slice(None, None, -1)"])

    def basic(rank):
        while True:
            items = [item() for _ in range(rnd.randint(1, rank + 1))]
            full = sum(i not in ("None", "np.newaxis", "...", "Ellipsis") for i in items)
            if items.count("...") + items.count("Ellipsis") < 2 and full <= rank:
                return ", ".join(items)

    for _ in range(230):
        f.exact(CUBE + "v = x[%s]" % basic(3))
    for _ in range(40):
        f.exact("x = np.arange(6.0).reshape(2, 3).T; v = x[%s]" % basic(2))

    # Arrays of ints.
    def ints(n, shape=""):
        return "[%s]" % ", ".join(str(rnd.randrange(-n, n)) for _ in range(rnd.randint(1, 4)))

    for _ in range(50):
        f.exact("np.arange(10)[%s]" % ints(10), "(np.arange(10) * 1.5)[np.array(%s)]" % ints(10))
        f.exact(CUBE + "v = x[%s]" % ints(2))
        f.exact(CUBE + "v = x[:, %s]" % ints(3))
        f.exact(CUBE + "v = x[..., %s]" % ints(4))
    for rows in ["[0, 1]", "[[0], [1]]", "[1, -1, 0]", "np.array([[0, 1], [1, 0]])", "1", "np.array([], dtype='int64')", "(0, 1)"]:
        for columns in ["[0, 2]", "[[2, 0]]", "[1]", "2", ":", "1:", "::-1", "...", "None", "[0, 1, 2]", "np.array([1, 1])"]:
            for third in [None, "[3, 0]", "::2", "0", "None", "1:3"]:
                f.either(CUBE + "v = x[%s, %s%s]" % (rows, columns, ", " + third if third else ""))
    # Arrays apart from each other bring their axes to the front.
    for key in ["[0, 1], :, [1, 2]", "0, :, [1, 2]", ":, [0, 1], [1, 2]", ":, 0, [1, 2]", "[[0]], None, [1]", "..., [0, 2], 1",
                "None, [0, 1]",
                "[1], ..., 1:2", "0, ..., [3, 3]", "[0, 1], None, 1, :", ":, None, [1, 0]", "[True, False], :, [0, 1]",
                "np.array(1), 1:, np.array([0, 1])"]:
        f.either(CUBE + "v = x[%s]" % key, CUBE + "v = x[%s].shape" % key, CUBE + "x[%s] = -1; v = x" % key)

    # Masks.
    for n in (1, 4, 7):
        for _ in range(6):
            mask = [rnd.random() < 0.5 for _ in range(n)]
            f.exact("np.arange(%d)[np.array(%s)]" % (n, mask), "(np.arange(%d) / 4)[%s]" % (n, mask))
    for mask in ["x > 11", "x % 5 == 0", "(x > 3) & (x < 17)", "(x < 3) | (x > 21)", "~(x % 2 == 0)", "x < 0", "x >= 0",
                 "x[:, :, 0] > 5", "x[:, 0, 0] > 5",
                 "np.array([True, False])", "[False, True]", "[[True, False, True], [False, True, False]]",
                 "np.zeros((2, 3, 4), dtype='bool')",
                 "x[0] > 3", "[True, False, True]", "np.array([[True, False]])"]:
        f.either(CUBE + "v = x[%s]" % mask, CUBE + "v = x[%s].shape" % mask, CUBE + "x[%s] = 0; v = x" % mask,
                 CUBE + "x[%s] += 100; v = x" % mask,
                 CUBE + "v = x[%s, ...]" % mask, CUBE + "v = x[%s].sum()" % mask)
    for key in ["np.array([True, False]), 1", "np.array([True, True]), :, 2", ":, np.array([True, False, True])",
                "..., np.array([True, False, True, True])",
                "0, np.array([True, False, True]), [0, 1]", "0, [True, False, True]", "1, x[1, :, 0] > 14",
                "[1, 0], np.array([True, False, True])",
                "x[..., 0] > 8, 1", "None, [True, False]", ":, [True, False]", "True", "False", "True, 0", "np.array(True)"]:
        f.either(CUBE + "v = x[%s]" % key, CUBE + "x[%s] = 7; v = x" % key)

    # Mixes at random, also wrong ones.
    def mixed():
        kind = rnd.random()
        if kind < 0.35:
            return item()
        if kind < 0.6:
            return ints(2)
        return rnd.choice(["[True, False]", "[True, False, True]", "[[0, 1], [1, 1]]", "1", ":", "[0]", "np.array([1, 0])", "2",
                           "-3"])

    for _ in range(230):
        f.either(CUBE + "v = x[%s]" % ", ".join(mixed() for _ in range(rnd.randint(1, 4))))

    # What is set.
    values = ["9", "-1.75", "True", "[1, 2, 3, 4]", "[[1], [2], [3]]", "np.arange(4)", "np.array([1.9, -1.9, 0.5, 2.5])", "[1, 2]",
              "np.arange(3)", "[[7]]", "x[0]",
              "np.arange(12).reshape(3, 4)", "[]", "np.zeros((1, 1, 4))"]
    keys = ["0", "1, 2", "1:, 0", "::-1", "..., 1", ":, ::2", "None, 0", "0:2", "...", "[0, 2]", "[0, 2], [1, 3]", ":, [1, 1]",
            "x > 5", "[True, False, True]", "2, 1:3",
            "-1, -1", "1:1", ":", "[], 0", ":, None, 1"]
    for key in keys:
        for value in rnd.sample(values, 9):
            dtype = rnd.choice(["int64", "int64", "float32", "float64", "int8", "bool"])
            f.either("x = np.arange(12).reshape(3, 4).astype('%s'); x[%s] = %s; v = x" % (dtype, key, value))
    for key in keys:
        op, by = rnd.choice(["+=", "-=", "*=", "//=", "%=", "**="]), rnd.choice(["2", "3", "[1, 2, 3, 4]"])
        f.either("x = np.arange(1, 13).reshape(3, 4); x[%s] %s %s; v = x" % (key, op, by))
    for op in ["+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>="]:
        for dtype in ["int64", "float64", "uint8", "bool"]:
            f.either("x = np.array([1, 0, 3]).astype('%s'); x %s 2; v = x" % (dtype, op),
                     "x = np.arange(4).astype('%s'); x[1:3] %s 2; v = x" % (dtype, op))
    f.exact("x = np.arange(3); y = x; y += 1; v = x", "x = np.arange(3.0); y = x[1:]; y *= 10; v = x",
            "x = np.arange(3); y = x; y = y + 1; v = x",
            "x = np.zeros(3, dtype='int64'); x[[0, 0, 1]] += 1; v = x", "x = np.zeros(4); x[[1, 1]] = [2, 3]; v = x",
            "x = np.arange(6); x[1:] = x[:-1]; v = x",
            "x = np.arange(6); x[::-1] = x; v = x", "x = np.arange(4.0); x[1] += 5; v = x",
            "x = np.zeros((2, 2)); x.fill(3.5); v = x",
            "x = np.arange(6); x[:3], x[3:] = x[3:].copy(), x[:3].copy(); v = x", "x = np.arange(4); x[[0, 3]] = x[[3, 0]]; v = x",
            "x = np.eye(3); x[np.arange(3), np.arange(3)] = [1, 2, 3]; v = x", "x = np.zeros((2, 3)); x.T[0] = 5; v = x",
            "x = np.zeros(3); x.flat = 2; v = x",
            "x = np.zeros((2, 2)); x.flat[3] = 2; v = x", "np.arange(6).reshape(2, 3).flat[4]",
            "x = np.arange(6).reshape(2, 3); v = [int(i) for i in x.flat]",
            "x = np.arange(3); v = [int(i) for i in x]", "[r.tolist() for r in np.eye(2)]",
            "x = np.arange(24).reshape(2, 3, 4); v = x[1][2][3]",
            "x = np.arange(5); i = 3; v = x[i - 1:i + 1]", "x = np.arange(5); i = np.array([1, 2])[0]; v = x[i]",
            "np.arange(5)[np.int64(2)]", "np.arange(5)[np.array(2)]",
            "k = (0, 1); v = np.eye(2)[k]", "k = [0, 1]; v = np.eye(2)[k]", "k = slice(1, 3); v = np.arange(5)[k]",
            "k = (slice(None), 0); v = np.eye(2)[k]",
            "np.arange(6).reshape(2, 3).item(4)", "np.arange(6).reshape(2, 3).item(1, 2)",
            "np.arange(6).reshape(2, 3).item((0, 1))")

    # Views share, copies do not.
    for view in ["x[1:]", "x.T", "x.reshape(4, 3)", "x.ravel()", "x[None]", "np.transpose(x)", "x[::-1]", "np.asarray(x)",
                 "x.squeeze()", "x[:, 1]", "x[...]", "x.view()",
                 "x.swapaxes(0, 1)", "np.swapaxes(x, 0, 1)", "np.flip(x)", "np.expand_dims(x, 0)", "np.atleast_2d(x)",
                 "np.rot90(x, 2)", "np.split(x, 3)[0]", "x.diagonal().copy()"]:
        f.exact("x = np.arange(12).reshape(3, 4); y = %s; y[0] = -1; v = x" % view)
    for copy in ["x.copy()", "x.astype('int64')", "np.array(x)", "x.flatten()", "x.T.ravel()", "x.T.reshape(12)", "x + 0",
                 "x[[0, 1, 2]]", "x[x >= 0]", "+x", "np.copy(x)", "np.tile(x, 1)",
                 "np.repeat(x, 1)", "np.concatenate([x])", "np.roll(x, 0)", "np.sort(x)", "x[[0]]", "np.where(True, x, x)",
                 "np.take(x, [0, 1])", "np.array(x, dtype='float64')"]:
        f.exact("x = np.arange(12).reshape(3, 4); y = %s; y[0] = -1; v = x" % copy)

    # What is refused.
    f.fails("np.arange(3)[3]", "np.arange(3)[-4]", "np.arange(3)[0, 0]", "np.arange(3)[1.0]", "np.arange(3)[::0]",
            "np.zeros((2, 2))[0, 2]", "np.arange(3)[..., ...]",
            "np.array(3)[0]", "np.arange(3)['a']", "np.arange(3)[[0.5]]", "np.arange(3)[[3]]", "np.arange(3)[[-4]]",
            "np.arange(4)[np.array([True, False])]",
            "np.zeros((2, 3))[[0, 1], [0, 1, 2]]", "np.zeros((2, 3))[:, :, 0]", "np.zeros((2, 3))[[True, False, True]]",
            "np.arange(3)[1.5:]", "np.arange(3)[[[0, 1], [2]]]",
            "x = np.zeros(3); x[:2] = [1, 2, 3]; v = x", "x = np.zeros(3); x[0] = [1, 2]; v = x",
            "x = np.zeros(3); x[5] = 1; v = x", "x = np.zeros(3); x[[0, 5]] = 1; v = x",
            "x = np.zeros((2, 3)); x[:, [0, 1]] = [1, 2, 3]; v = x", "x = np.arange(4); x[x > 1] = [1, 2, 3]; v = x",
            "x = np.arange(3); x += 0.5; v = x",
            "x = np.arange(3); x += np.arange(2); v = x", "x = np.arange(3); x += np.ones((2, 3), dtype='int64'); v = x",
            "x = np.arange(3); x /= 2; v = x",
            "x = np.zeros(2); x[0] = 'a'; v = x", "x = np.zeros(2); x[:] = None; x[0] = {}; v = x")
