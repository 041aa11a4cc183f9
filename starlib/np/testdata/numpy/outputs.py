"""Functions that put their results into arrays: contiguous, strided and transposed ones, and such as share memory with operands."""

SETUP = "a = np.arange(12.0).reshape(3, 4) - 5; b = np.arange(12.0).reshape(4, 3) * 0.5; s = (np.arange(9) % 4).reshape(3, 3) + 0.5; i = np.arange(12).reshape(3, 4); "

# A call, where {} is out, and the shape and type of its result.
CALLS = [
    ("np.dot(a, b, out={})", (3, 3), "float64"), ("np.dot(a, b, {})", (3, 3), "float64"), ("a.dot(b, out={})", (3, 3), "float64"),
    ("np.dot(a, b[:, 1], out={})", (3,), "float64"), ("np.dot(i, i.T, out={})", (3, 3), "int64"), ("np.dot(i > 3, i.T > 3, out={})", (3, 3), "bool"),
    ("np.dot(a.astype('float32'), b.astype('float32'), out={})", (3, 3), "float32"), ("np.dot(s[:, :0], s[:0], out={})", (3, 3), "float64"),
    ("np.matmul(a, b, out={})", (3, 3), "float64"), ("np.matmul(a, b, {})", (3, 3), "float64"), ("np.matmul(i > 3, i.T > 3, out={})", (3, 3), "bool"),
    ("np.matmul(np.stack([a, -a]), b, out={})", (2, 3, 3), "float64"), ("np.matmul(a, b[:, 0], out={})", (3,), "float64"),
    ("np.outer(a[0], b[0], out={})", (4, 3), "float64"), ("np.einsum('ij,jk->ik', a, b, out={})", (3, 3), "float64"),
    ("np.einsum('ij->j', a, out={})", (4,), "float64"), ("np.linalg.multi_dot([a, b, s], out={})", (3, 3), "float64"),
    ("np.cumsum(a, axis=1, out={})", (3, 4), "float64"), ("np.cumsum(a, out={})", (12,), "float64"), ("a.cumsum(0, None, {})", (3, 4), "float64"),
    ("np.cumprod(i, axis=0, out={})", (3, 4), "int64"), ("np.round(a / 3, 1, {})", (3, 4), "float64"), ("np.around(a / 3, out={})", (3, 4), "float64"),
    ("(a / 3).round(2, out={})", (3, 4), "float64"), ("np.take(a, [2, 0], axis=0, out={})", (2, 4), "float64"), ("a.take([5, 1, -1], out={})", (3,), "float64"),
    ("np.concatenate([a, a[:1]], out={})", (4, 4), "float64"), ("np.stack([a[0], a[2]], 1, {})", (4, 2), "float64"),
    ("np.compress([True, False, True], a, axis=0, out={})", (2, 4), "float64"), ("a.compress([True, False, True], 0, {})", (2, 4), "float64"),
    ("np.argmax(a, axis=0, out={})", (4,), "int64"), ("a.argmin(axis=1, out={})", (3,), "int64"), ("np.argmax(a, axis=1, keepdims=True, out={})", (3, 1), "int64"),
    ("np.median(a, axis=0, out={})", (4,), "float64"), ("np.median(a, 1, {})", (3,), "float64"), ("np.percentile(a, 30, axis=1, out={})", (3,), "float64"),
    ("np.quantile(a, [0.2, 0.7], 0, {})", (2, 4), "float64"), ("np.nanmedian(a, axis=0, out={})", (4,), "float64"), ("np.trace(np.stack([s, -s], 2), out={})", (2,), "float64"),
    ("np.sum(a, axis=0, out={})", (4,), "float64"), ("a.max(1, out={})", (3,), "float64"), ("np.mean(i, axis=0, out={})", (4,), "float64"),
    ("np.std(a, axis=1, out={})", (3,), "float64"), ("np.all(a > 0, axis=0, out={})", (4,), "bool"), ("np.clip(a, -1, 2, out={})", (3, 4), "float64"), ("a.clip(-1, 2, {})", (3, 4), "float64"),
    ("np.choose([0, 1, 1, 0], [a[0], a[1]], out={})", (4,), "float64"), ("np.choose([0, 5], [[1, 2], [3, 4]], {}, 'wrap')", (2,), "int64"),
    ("np.argmin(i, axis=0, out={})", (4,), "int64"), ("np.prod(i, axis=1, out={})", (3,), "int64"), ("np.var(a, axis=0, out={})", (4,), "float64"),
    ("np.ptp(a, axis=0, out={})", (4,), "float64"), ("np.any(a > 5, axis=1, out={})", (3,), "bool"), ("a.mean(0, out={})", (4,), "float64"),
    ("np.nanquantile(a, 0.3, axis=1, out={})", (3,), "float64"), ("np.nanpercentile(a, 30, 0, {})", (4,), "float64"), ("np.dot(3, a, out={})", (3, 4), "float64"),
    ("np.add(a, 1, out={})", (3, 4), "float64"), ("np.add.reduce(a, 0, out={})", (4,), "float64"), ("np.add.accumulate(a, 1, out={})", (3, 4), "float64"),
]


def cases(f):
    for call, shape, dtype in CALLS:
        right = "o = np.ones(%s, dtype='%s'); " % (shape, dtype)
        call = call.replace("{}", "o")
        f.near(SETUP + right + "%s; v = o" % call, SETUP + right + "v = %s" % call)
        f.fails(SETUP + "o = np.ones(%s, dtype='%s'); v = %s" % ((5,) + shape[1:], dtype, call))
        f.fails(SETUP + "o = [0.0]; v = %s" % call)
        if "np.dot" in call or "a.dot" in call or "multi_dot" in call:
            continue  # NumPy wants contiguous memory
        strided = "w = np.ones(%s, dtype='%s'); o = w[::2]; " % ((2 * shape[0],) + shape[1:], dtype)
        f.near(SETUP + strided + "%s; v = w" % call)
        turned = "w = np.ones(%s, dtype='%s'); o = w.T; " % (shape[::-1], dtype)
        f.near(SETUP + turned + "%s; v = w" % call)
    shared(f)
    draws(f)


def shared(f):
    for code in ["np.dot(s, s, out=s); v = s", "np.dot(s, s.T, out=s); v = s", "np.matmul(s, s[::-1], out=s); v = s", "np.matmul(s, s, out=s.T); v = s",
                 "np.cumsum(s, axis=0, out=s); v = s", "np.cumsum(s, axis=1, out=s[::-1]); v = s", "np.round(s, 0, out=s); v = s",
                 "np.take(s, [2, 0, 1], axis=0, out=s); v = s", "np.cumprod(s, axis=1, out=s.T); v = s", "np.einsum('ij,jk->ik', s, s, out=s); v = s",
                 "np.outer(s[0], s[1], out=s); v = s", "np.clip(s, 1, 2, out=s); v = s", "np.sum(s, axis=0, out=s[1]); v = s"]:
        f.near(SETUP + code)
    steps = SETUP + "o = np.zeros((3, 3)); t = np.eye(3)\nfor k in range(4):\n    np.dot(t, s, out=o)\n    t, o = o, t\nv = t"
    f.near(steps, steps.replace("np.dot", "np.matmul"), SETUP + "o = np.zeros(3)\nfor k in range(3): np.cumsum(s[k], out=o)\nv = o")
    f.fails(SETUP + "o = np.zeros((3, 3), dtype='int64'); v = np.dot(a, b, out=o)", SETUP + "o = np.zeros((3, 3), dtype='int64'); v = np.matmul(a, b, out=o)")


def draws(f):
    for name in ["random", "standard_normal", "standard_exponential"]:
        f.near("g = np.random.default_rng(3); o = np.ones((2, 3)); g.%s(out=o); v = o" % name,
               "g = np.random.default_rng(3); o = np.ones(4, dtype='float32'); v = g.%s(4, dtype='float32', out=o)" % name,
               "g = np.random.default_rng(3); o = np.ones(5); g.%s(out=o); v = g.%s(2)" % (name, name))
        f.fails("np.random.default_rng(3).%s(3, out=np.ones(4))" % name, "np.random.default_rng(3).%s(out=np.ones(4, dtype='float32'))" % name,
                "np.random.default_rng(3).%s(out=np.ones(4)[::2])" % name, "np.random.default_rng(3).%s(out=[1.0])" % name)
