"""Computes with NumPy, SciPy and mpmath what oracle_test.go asks: lines of an operation and its operands, with tabs between."""
import ast
import re
import sys

import mpmath
import numpy as np
import scipy.linalg
import scipy.special

np.seterr(all="ignore")


def value(text):
    """The array that stands as float64[2,3](1 2 3 4 5 6)."""
    if text in ("true", "false"):
        return np.array(text == "true")
    if re.fullmatch(r"-?\d+", text):
        return np.array(int(text), "int64")
    if re.fullmatch(r"[-+.\deEinfNa]+", text):
        return np.array(float(text))
    dtype, shape, elements = re.fullmatch(r"(\w+)(?:\[([\d,]*)\])?\((.*)\)", text).groups()
    shape = [int(n) for n in shape.split(",")] if shape else []
    words = elements.split()
    if dtype.startswith("float"):
        return np.array([float(w) for w in words], dtype).reshape(shape)
    if dtype == "bool":
        return np.array([w in ("1", "true", "True") for w in words], bool).reshape(shape)
    return np.array([int(w) for w in words], dtype).reshape(shape)


def text(a):
    a = np.asarray(a)
    shape = "[%s]" % ",".join(map(str, a.shape)) if a.ndim else ""
    if a.dtype.kind == "f":
        words = [repr(float(v)) for v in a.ravel()]
        words = [{"nan": "NaN", "inf": "+Inf", "-inf": "-Inf"}.get(w, w) for w in words]
    else:
        words = [str(int(v)) for v in a.ravel()]
    return "%s%s(%s)" % (a.dtype, shape, " ".join(words))


def params(text):
    """The parameters of axes=0 1,keep=true."""
    before, op, body = text.partition("op=")  # which may have commas
    given = dict(p.split("=", 1) for p in before.split(",") if p)
    return dict(given, op=body) if op else given


def numbers(p, name):
    return tuple(int(n) for n in p.get(name, "").split())


def number(p, name="axis", default=0):
    return int(p.get(name, default))


def true(p, name):
    return p.get(name) == "true"


def index(pattern, operands):
    """The subscript of a pattern of words: : slices, i operands that are numbers, v arrays, x new axes, and integers."""
    operands = list(operands)

    def bound(word):
        if word == "":
            return None
        return int(operands.pop(0)) if word == "i" else int(word)

    subscript = []
    for word in pattern.split():
        if word == "v":
            subscript.append(operands.pop(0))
        elif word == "x":
            subscript.append(None)
        elif ":" in word:
            subscript.append(slice(*[bound(b) for b in word.split(":")]))
        else:
            subscript.append(bound(word))
    return tuple(subscript)


def put(p, x, y, *operands):
    z, at = x.copy(), index(p["index"], operands)
    if true(p, "set"):
        z[at] = y
    elif any(isinstance(w, np.ndarray) for w in at):
        np.add.at(z, at, y)
    else:
        z[at] += y
    return z


def take(p, x, at):
    return np.take(x, at, axis=number(p))


def inc_take(p, x, y, at):
    z = x.copy()
    subscript = (slice(None),) * number(p) + (at,)
    if true(p, "set"):
        z[subscript] = y
    else:
        np.add.at(z, subscript, y)
    return z


def reduction(f, empty=None):
    def apply(p, x):
        axes = numbers(p, "axes")
        if f in (np.sum, np.prod):
            wide = {"b": "int64", "i": "int64", "u": "uint64"}.get(x.dtype.kind, x.dtype)
            if x.dtype == np.float32 and not true(p, "narrow"):
                return f(x, axis=axes, dtype="float64").astype(x.dtype)
            return f(x, axis=axes, dtype=wide)
        if empty is not None:
            return f(x, axis=axes, initial=empty)
        return f(x, axis=axes)

    return apply


def dimshuffle(p, x):
    pattern = p.get("pattern", "").split()
    kept = [int(w) for w in pattern if w != "x"]
    z = x.reshape([n for i, n in enumerate(x.shape) if i in kept])
    order = sorted(kept)
    z = z.transpose([order.index(k) for k in kept])
    for i, w in enumerate(pattern):
        if w == "x":
            z = np.expand_dims(z, i)
    return z


def gemm(p, z, alpha, x, y, beta):
    return (beta * z + alpha * np.dot(x, y)).astype(z.dtype)


def floating(*arrays):
    """The floats that Theano computes in: float32 for integers of up to 16 bits, and float64 for larger ones."""
    kinds = ["float32" if a.dtype.itemsize <= 2 else "float64" if a.dtype.kind in "iu" else a.dtype for a in arrays]
    return np.result_type(*kinds)


def linear(f):
    """f of floats, over stacks; results have the type of the operands."""

    def apply(p, *arrays):
        kind = np.result_type(*["float64" if a.dtype.kind in "iub" else a.dtype for a in arrays])
        out = f(p, *[a.astype(kind) for a in arrays])
        return [np.asarray(a).astype(kind) for a in out] if isinstance(out, (tuple, list)) else np.asarray(out).astype(kind)

    return apply


def stacked(f, core):
    """f of matrices, for stacks of them; core are the shapes of results without any."""

    def apply(p, x):
        if x.ndim == 2:
            return f(p, x)
        flat = [f(p, m) for m in x.reshape((-1,) + x.shape[-2:])]
        if not flat:
            return np.zeros(x.shape[:-2] + core(x))
        return np.array(flat).reshape(x.shape[:-2] + np.shape(flat[0]))

    return apply


def cholesky(p, x):
    def one(p, m):
        try:
            return np.linalg.cholesky(m)
        except np.linalg.LinAlgError:
            return np.full(m.shape, np.nan)

    return stacked(one, lambda x: x.shape[-2:])(p, x)


def expm(p, x):
    if 0 in x.shape:
        return np.zeros(x.shape)
    return stacked(lambda p, m: scipy.linalg.expm(m), lambda x: x.shape[-2:])(p, x)


def real(f):
    def apply(p, *arrays):
        out = f(p, *arrays)
        return [np.real(a) for a in out] if isinstance(out, (tuple, list)) else np.real(out)

    return apply


def solve(p, a, b):
    lead = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a = np.broadcast_to(a, lead + a.shape[-2:])
    b = np.broadcast_to(b, lead + b.shape[-2:])
    return np.linalg.solve(a, b)


def solve_triangular(p, a, b):
    a = np.triu(a) if true(p, "upper") else np.tril(a)
    if true(p, "unit"):
        n = a.shape[-1]
        a = a * (1 - np.eye(n)) + np.eye(n)
    return solve({}, np.swapaxes(a, -1, -2) if true(p, "trans") else a, b)


def svd(p, x):
    if p.get("values") == "true":
        return np.linalg.svd(x, compute_uv=False)
    return np.linalg.svd(x, full_matrices=p.get("full") == "true")


def lstsq(p, a, b, rcond):
    x, residuals, rank, s = np.linalg.lstsq(a, b, rcond=float(rcond))
    kind = np.result_type(a, b)
    return x.astype(kind), residuals.astype(kind), np.int64(rank), s.astype(kind)


def softmax(log):
    return lambda p, x: (scipy.special.log_softmax if log else scipy.special.softmax)(x, axis=-1) if x.size else x


def argmax(f):
    return lambda p, x: f(x, axis=number(p))


def sort(p, x):
    return np.sort(x, axis=number(p))


def evaluate(body, operands):
    """The results of t0=add(i0,i1);t1=exp(t0);t0,t1."""
    known = {"i%d" % i: a for i, a in enumerate(operands)}
    *steps, last = body.split(";")
    for step in steps:
        name, call = step.split("=", 1)
        o, arguments = re.fullmatch(r"(.*)\((.*)\)", call).groups()
        known[name] = apply(o, [known[a] if a in known else np.asarray(float(a)) for a in arguments.split(",")])
    return [known[w] for w in last.split(",")]


def argtopk(p, x, k):
    """A stable order from the outermost: nan is larger than all."""
    k, axis = int(k), number(p)

    def line(v):
        key = [(not (e == e), e if e == e else 0) for e in v.tolist()]
        if k < 0:
            return sorted(range(len(v)), key=lambda i: key[i])[:-k]
        return largest(key, k)

    return np.apply_along_axis(lambda v: np.array(line(v), "int64"), axis, x) if x.size else np.zeros([abs(k) if i == axis else n for i, n in enumerate(x.shape)], "int64")


def largest(key, k):
    left = list(range(len(key)))
    out = []
    for _ in range(k):
        best = left[0]
        for i in left[1:]:
            if key[i] > key[best]:
                best = i
        left.remove(best)
        out.append(best)
    return out


def unique(p, x):
    axis = number(p)
    if x.size == 0:
        return [np.zeros(0, "int64")] * 3 if x.shape[axis] == 0 else [np.zeros(1, "int64"), np.zeros(x.shape[axis], "int64"), np.full(1, x.shape[axis])]
    if np.isnan(x.astype("float64")).any() and x.ndim > 1:  # here nan are equal, which NumPy has for vectors alone
        x = np.where(np.isnan(x), 1e300, x)
    kw = dict(return_index=True, return_inverse=True, return_counts=True)
    out = np.unique(x, **kw) if x.ndim == 1 else np.unique(x, axis=axis, **kw)
    return [a.astype("int64") for a in out[1:]]


def log_softmax_at(p, x, labels):
    m = len(labels)
    logp = scipy.special.log_softmax(x, axis=-1) if x.size else x
    at = np.take_along_axis(logp[:m], np.where(labels < 0, labels + x.shape[-1], labels)[..., None], -1)[..., 0] if labels.size else np.zeros(labels.shape, x.dtype)
    return [at, scipy.special.softmax(x, axis=-1) if x.size else x] if true(p, "softmax") else at


def log_softmax_at_grad(p, x, labels, g):
    if not x.size:
        z = np.zeros_like(x)
    else:
        soft, z = scipy.special.softmax(x, axis=-1), np.zeros_like(x)
        places = np.where(labels < 0, labels + x.shape[-1], labels)
        hot = np.eye(x.shape[-1], dtype=x.dtype)[places]
        z[:len(labels)] = np.broadcast_to(g, labels.shape)[..., None] * (hot - soft[:len(labels)])
    z += 0.0  # zeros are positive
    return [z, log_softmax_at({}, x, labels)] if true(p, "value") else z


def scan(p, steps, *operands):
    """The loop of sequences=1,states=-1 -2:-1!,until=false,body="func(x float64[?]) ...": what states were in all steps, or at last, and results."""
    body = ast.literal_eval(p["body"])
    inputs = [w.split()[0] for w in re.search(r"\((.*)\)", body.split("\n")[0])[1].split(", ")]
    rows, operands = operands[: number(p, "sequences")], operands[number(p, "sequences") :]
    states = [([int(t) for t in w.rstrip("!").split(":")], w.endswith("!")) for w in p["states"].split()]
    seen = [[begin] if last else list(begin) for begin, (_, last) in zip(operands, states)]
    fixed, depths, results = operands[len(states) :], [len(s) for s in seen], []
    for k in range(int(steps)):
        taps = [s[t] for s, (taps, _) in zip(seen, states) for t in taps]
        known = dict(zip(inputs, [x[k] for x in rows] + taps + list(fixed)))
        for line in body.split("\n")[1:]:
            left, _, call = line.strip().partition(" = ")
            if call:
                o, *arguments = call.split()
                known[left] = np.asarray(apply(o, [known[a] if a in known else value(a) for a in arguments]))
            elif left:
                out = [known[w] for w in left.removeprefix("return ").split(", ")]
        for s, new in zip(seen, out):
            s.append(new)
        results.append(out[len(states) :])
        if true(p, "until") and results[-1].pop():
            break
    kept = [s[-1] if last else np.array(s[n:]).reshape((len(s) - n,) + s[0].shape) for s, n, (_, last) in zip(seen, depths, states)]
    return kept + [np.array(r) for r in zip(*results)]


def generator(words):
    """The Generator whose state the words are."""
    w = [int(x) for x in words]
    g = np.random.default_rng()
    wide = [sum(x << (32 * i) for i, x in enumerate(w[k : k + 4])) for k in (0, 4)]
    g.bit_generator.state = {
        "bit_generator": "PCG64", "state": {"state": wide[0], "inc": wide[1] | 1}, "has_uint32": int(w[8] != 0), "uinteger": w[9],
    }
    return g


def state_words(g):
    state = g.bit_generator.state
    words = [(state["state"][k] >> (32 * i)) & 0xFFFFFFFF for k in ("state", "inc") for i in range(4)]
    return np.array(words + [state["has_uint32"], state["uinteger"]], "uint32")


def draw_categorical(g, probabilities, size):
    return np.searchsorted(np.cumsum(probabilities), g.uniform(size=size))


def draw_permutations(g, n, size):
    return np.array([g.permutation(int(n)) for _ in range(int(np.prod(size)))]).reshape(tuple(size) + (int(n),))


def draw_dirichlet(g, alpha, size):
    return np.array([g.dirichlet(a) for a in alpha.reshape(-1, alpha.shape[-1])]).reshape(alpha.shape)


def draw_normals(g, mean, cov, size):
    z = g.normal(size=tuple(size) + mean.shape)
    return mean + np.einsum("ij,...j->...i", np.linalg.cholesky(cov), z)


draws = {
    "random_integers": lambda g, low, high, size: g.integers(low, high + 1, size),
    "categorical": draw_categorical,
    "choice_distinct": lambda g, n, size: g.choice(int(n), size, replace=False),
    "choice_by": lambda g, p, size: g.choice(len(p), size, p=p),
    "choice_distinct_by": lambda g, p, size: g.choice(len(p), size, replace=False, p=p),
    "choice": lambda g, n, size: g.choice(int(n), size),
    "permutation": draw_permutations,
    "dirichlet": draw_dirichlet,
    "multivariate_normal": draw_normals,
    "bernoulli": lambda g, p, size: g.binomial(1, p, size),
}


def draw(p, words, size, *operands):
    g = generator(words)
    size = tuple(size) if size.size else None
    if p["dist"] in draws:
        z = draws[p["dist"]](g, *operands, size)
    else:
        z = getattr(g, p["dist"])(*operands, size)
    return state_words(g), np.asarray(z).astype(p["dtype"])


def mrg_uniform(p, states, size):
    """The recurrences of L'Ecuyer and Touzin (2000), with Python's integers."""
    m1, m2 = 2**31 - 1, 2**31 - 21069
    rows = [[int(x) for x in row] for row in states]
    values = []
    for i in range(int(np.prod(size))):
        x = rows[i % len(rows)]
        a = ((x[1] << 22) + (2**7 + 1) * x[2]) % m1
        b = ((x[3] << 15) + (2**15 + 1) * x[5]) % m2
        x[:] = [a, x[0], x[1], b, x[3], x[4]]
        values.append((a - b) % m1 or m1)
    if p["dtype"] == "float32":
        z = np.array(values, "int64").astype("float32") * np.float32(4.6566126e-10)
    else:
        z = np.array(values, "float64") * 4.656612873077392578125e-10
    return np.array(rows, "int32").reshape(states.shape), z.astype(p["dtype"]).reshape(tuple(size))


def from_uniform(p, pvals, u, n):
    rows, outcomes = pvals.shape
    pvals, n = pvals.copy(), int(n)
    counts = true(p, "counts")
    z = np.zeros((rows, outcomes)) if counts else np.full((rows, n), -1)
    for k in range(n):
        for row in range(rows):
            above = np.nonzero(np.cumsum(pvals[row], dtype="float64") > u[k * rows + row])[0]
            if not len(above):
                continue
            if counts:
                z[row, above[0]] += 1
            else:
                z[row, k] = above[0]
                pvals[row, above[0]] = 0
                if k < n - 1:
                    pvals[row] /= pvals[row].sum()
    return z.astype(p["dtype"])


def pair(p, name, default):
    return [int(n) for n in p[name].split("x")] if name in p else default


def places(p, size, k, dilation):
    """The border before and after an image, by axis."""
    span = [(k[a] - 1) * dilation[a] + 1 for a in (0, 1)]
    border = p.get("border", "valid")
    if border == "half":
        return [(s // 2, s // 2) for s in span]
    if border == "full":
        return [(s - 1, s - 1) for s in span]
    if border == "valid":
        return [(0, 0), (0, 0)]
    n = [int(v) for v in re.findall(r"\d+", border)]
    return [(n[0], n[1]), (n[2], n[3])]


def convolution(p, size, channels, filters, k, visit):
    """Calls visit for each product of an element of the image and one of a filter: by the definition."""
    stride, dilation, groups = pair(p, "stride", [1, 1]), pair(p, "dilation", [1, 1]), number(p, "groups", 1)
    pad = places(p, size, k, dilation)
    out = [(size[a] + sum(pad[a]) - (k[a] - 1) * dilation[a] - 1) // stride[a] + 1 for a in (0, 1)]
    flip = true(p, "flip")
    for f in range(filters):
        group = f // max(filters // groups, 1)
        for c in range(channels // groups):
            for i in range(out[0]):
                for j in range(out[1]):
                    for u in range(k[0]):
                        for v in range(k[1]):
                            y, x = i * stride[0] - pad[0][0] + u * dilation[0], j * stride[1] - pad[1][0] + v * dilation[1]
                            if 0 <= y < size[0] and 0 <= x < size[1]:
                                fu, fv = (k[0] - 1 - u, k[1] - 1 - v) if flip else (u, v)
                                at = (f, i, j, c, fu, fv) if true(p, "unshared") else (f, c, fu, fv)
                                visit((slice(None), group * (channels // groups) + c, y, x), at, (slice(None), f, i, j))
    return out


def conv2d(p, x, w):
    k, size = w.shape[-2:], x.shape[2:]
    groups = number(p, "groups", 1)
    y = {}

    def visit(at_x, at_w, at_y):
        y[at_y[1:]] = y.get(at_y[1:], 0) + x[at_x] * w[at_w]

    out = convolution(p, size, x.shape[1], w.shape[0], k, visit)
    z = np.zeros((x.shape[0], w.shape[0], *out), x.dtype)
    for at, value in y.items():
        z[(slice(None), *at)] = value
    return z


def conv2d_input(p, w, y, rows, columns):
    z = np.zeros((y.shape[0], w.shape[3 if true(p, "unshared") else 1] * number(p, "groups", 1), int(rows), int(columns)), w.dtype)

    def visit(at_x, at_w, at_y):
        z[at_x] += y[at_y] * w[at_w]

    convolution(p, z.shape[2:], z.shape[1], w.shape[0], w.shape[-2:], visit)
    return z


def conv2d_filters(p, x, y, rows, columns):
    k = (int(rows), int(columns))
    c = x.shape[1] // number(p, "groups", 1)
    shape = (y.shape[1], *y.shape[2:], c, *k) if true(p, "unshared") else (y.shape[1], c, *k)
    z = np.zeros(shape, x.dtype)

    def visit(at_x, at_w, at_y):
        z[at_w] += np.sum(x[at_x] * y[at_y])

    convolution(p, x.shape[2:], x.shape[1], y.shape[1], k, visit)
    return z


def windows(p, size):
    """The rows and columns of each window, and how many elements it has with its border."""
    window = pair(p, "window", None)
    stride, pad, partial = pair(p, "stride", window), pair(p, "pad", [0, 0]), true(p, "partial")
    lists = []
    for a in (0, 1):
        n = size[a] + 2 * pad[a]
        if not partial:
            count = max((n - window[a]) // stride[a] + 1, 0)
        elif stride[a] >= window[a]:
            count = (n - 1) // stride[a] + 1
        else:
            count = max(0, (n - 1 - window[a]) // stride[a] + 1) + 1
        starts = [i * stride[a] for i in range(count)]
        lists.append([(max(at - pad[a], 0), min(at + window[a] - pad[a], size[a]), min(at + window[a], n) - at) for at in starts])
    return lists


def pooled(p, size):
    rows, columns = windows(p, size)
    for i, (a, b, m) in enumerate(rows):
        for j, (c, d, n) in enumerate(columns):
            inside = max(b - a, 0) * max(d - c, 0)
            count = {"sum": 1, "average_inc_pad": m * n, "average_exc_pad": inside}.get(p.get("kind", "max"))
            yield (..., i, j), (..., slice(a, max(a, b)), slice(c, max(c, d))), count


def pool(p, x):
    rows, columns = windows(p, x.shape[-2:])
    z = np.zeros(x.shape[:-2] + (len(rows), len(columns)), x.dtype)
    for at, part, count in pooled(p, x.shape[-2:]):
        v = x[part]
        if count is None:
            z[at] = v.max(axis=(-2, -1), initial=-np.inf)
        else:
            z[at] = v.sum(axis=(-2, -1)) / x.dtype.type(count)
    return z


def pool_spread(p, g, rows, columns):
    z = np.zeros(g.shape[:-2] + (int(rows), int(columns)), g.dtype)
    for at, part, count in pooled(p, z.shape[-2:]):
        z[part] += (g[at] / g.dtype.type(count))[..., None, None]
    return z


def pool_max_grad(p, x, y, g):
    z = np.zeros_like(x)
    for at, part, _ in pooled(p, x.shape[-2:]):
        z[part] += (x[part] == y[at][..., None, None]) * g[at][..., None, None]
    return z


def pool_max_gather(p, x, y, v):
    z = np.zeros_like(y)
    for at, part, _ in pooled(p, x.shape[-2:]):
        z[at] = ((x[part] == y[at][..., None, None]) * v[part]).sum(axis=(-2, -1))
    return z


def first(p, x, *rest):
    return x


STRUCTURAL = {
    "advanced_inc_subtensor": put, "inc_subtensor": put,
    "advanced_subtensor": lambda p, x, *at: x[index(p["index"], at)], "subtensor": lambda p, x, *at: x[index(p["index"], at)],
    "take": take, "inc_take": inc_take,
    "all": reduction(np.all), "any": reduction(np.any), "max": reduction(np.max), "min": reduction(np.min), "sup": reduction(np.max, -np.inf),
    "sum": reduction(np.sum), "prod": reduction(np.prod), "argmax": argmax(np.argmax), "argmin": argmax(np.argmin),
    "alloc": lambda p, x, *shape: np.broadcast_to(x, [int(n) for n in shape]),
    "argwhere": lambda p, x: np.argwhere(x),
    "argtopk": argtopk, "unique": unique, "unbroadcast": first,
    "logsoftmax_at": log_softmax_at, "logsoftmax_at_grad": log_softmax_at_grad,
    "conv2d": conv2d, "conv2d_input": conv2d_input, "conv2d_filters": conv2d_filters,
    "pool": pool, "poolspread": pool_spread, "poolmaxgrad": pool_max_grad, "poolmaxgather": pool_max_gather,
    "arange": lambda p, a, b, c: np.arange(a, b, c, dtype=np.result_type(a.dtype, b.dtype, c.dtype)),
    "assert": first, "check_labels": first, "print": first, "deep_copy": first, "specify_shape": first,
    "draw": draw, "mrg_uniform": mrg_uniform, "from_uniform": from_uniform, "undefined_grad": first,
    "sparse_stored": first, "sparse_regular": first, "disconnected_grad": first, "zero_grad": first, "grad_clip": first, "grad_scale": first,
    "composite": lambda p, *arrays: evaluate(p["code"], arrays),
    "inplace": lambda p, *arrays: apply(p["op"], arrays),
    "cumsum": lambda p, x: np.cumsum(x, axis=number(p)), "cumprod": lambda p, x: np.cumprod(x, axis=number(p)),
    "dimshuffle": dimshuffle, "reshape": lambda p, x, shape: x.reshape(shape),
    "dot": lambda p, x, y: wide(np.dot)(x, y), "matmul": lambda p, x, y: wide(np.matmul)(x, y), "gemm": gemm, "gemv": gemm,
    "join": lambda p, *arrays: np.concatenate(arrays, axis=number(p)),
    "make_vector": lambda p, *numbers: np.array(numbers, np.result_type(*numbers)),
    "repeat": lambda p, x, n: np.repeat(x, n, axis=number(p)),
    "searchsorted": lambda p, x, v: np.searchsorted(x, v, side="right" if true(p, "right") else "left"),
    "shape_i": lambda p, x: np.int64(x.shape[number(p)]),
    "scan": scan, "ifelse": lambda p, c, *v: list(v[: number(p, "n")] if c else v[number(p, "n") :]), "sort": sort, "argsort": lambda p, x: np.argsort(x, axis=number(p), kind="stable"),
    "softmax": softmax(False), "logsoftmax": softmax(True),
    "cholesky": linear(cholesky), "det": linear(lambda p, x: np.linalg.det(x)), "slogdet": linear(lambda p, x: np.linalg.slogdet(x)),
    "inv": linear(lambda p, x: np.linalg.inv(x)), "pinv": lambda p, x, rcond: np.linalg.pinv(x, rcond=float(rcond)),
    "eig": linear(real(lambda p, x: np.linalg.eig(x))), "eigvals": linear(real(lambda p, x: np.linalg.eigvals(x))),
    "eigh": linear(lambda p, x: np.linalg.eigh(x, UPLO="U" if true(p, "upper") else "L")), "eigvalsh": linear(lambda p, x: np.linalg.eigvalsh(x, UPLO="U" if true(p, "upper") else "L")),
    "expm": linear(expm), "qr": linear(lambda p, x: np.linalg.qr(x, mode=p.get("mode", "reduced"))),
    "solve": linear(solve), "solve_triangular": linear(solve_triangular), "svd": linear(svd), "lstsq": lstsq,
}



def hyper_slope(which):
    """The derivative of hyp2f1 with respect to a parameter; nan where there is none."""

    def slope(*x):
        still = [v for i, v in enumerate(x[:2]) if i != which]
        ends = min([-v for v in still if v <= 0 and v == np.floor(v)], default=np.inf)
        a, b, c, z = x
        if c <= 0 and c == np.floor(c) and ends > -c or ends == np.inf and (z > 1 or z == 1 and c <= a + b):
            return np.nan
        if z == 0 or 0 in still:
            return 0.0
        return float(mpmath.diff(lambda v: mpmath.hyp2f1(*(v if i == which else w for i, w in enumerate(x))), x[which]))

    return np.vectorize(lambda *x: slope(*map(float, x)), otypes=["float64"])


def real_rows(names):
    """Functions of floats: other operands become float64."""
    special = {
        "reciprocal": lambda x: 1 / x, "sigmoid": scipy.special.expit, "softplus": lambda x: np.logaddexp(0, x).astype(x.dtype),
        "softsign": lambda x: np.where(np.isinf(x), np.nan, x / (1 + np.abs(x))).astype(x.dtype), "erf": scipy.special.erf, "erfc": scipy.special.erfc, "round": np.rint,
        "log1mexp": lambda x: np.where(x > -0.6931471805599453, np.log(-np.expm1(x)), np.log1p(-np.exp(x))).astype(x.dtype),
    }

    limit = lambda f, value: lambda x: np.where(np.isinf(x), value, f(x))  # where SciPy 1.10 has nan
    odd = lambda f: lambda x: np.where(x == 0, x, f(x))
    wider = lambda f: lambda *a: f(*[x.astype("float64") for x in a])
    special.update({
        "gamma": lambda x: np.where((x < 0) & (x == np.floor(x)), np.nan, scipy.special.gamma(x)),  # at a pole, as C has it
        "tri_gamma": lambda x: np.where(x == -np.inf, np.nan, scipy.special.polygamma(1, x)), "polygamma": wider(scipy.special.polygamma),
        "j0": limit(scipy.special.j0, 0), "j1": lambda x: np.where(np.isinf(x), 0 * np.sign(x), scipy.special.j1(x)),
        "i1": odd(lambda x: np.where(np.isinf(x), x, scipy.special.i1(x))), "erfinv": odd(scipy.special.erfinv),
        "erfcinv": lambda x: scipy.special.erfcinv(x) + 0.0, "jv": lambda v, x: wider(scipy.special.jv)(v, x) + 0.0,
        "round_half_away_from_zero": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x),
        "betaincinv": lambda a, b, p: np.where((p < 0) | (p > 1) | (a <= 0) | (b <= 0), np.nan, scipy.special.betaincinv(a, b, p)),
        "hyp2f1": wider(scipy.special.hyp2f1), "hyp2f1_a": hyper_slope(0), "hyp2f1_c": hyper_slope(2),
        "gammaln": scipy.special.gammaln, "i0": limit(scipy.special.i0, np.inf),
    })

    def row(f):
        def apply(*arrays):
            kind = floating(*arrays)
            z = np.asarray(f(*[a.astype(kind) for a in arrays]))
            return z.astype(kind) if z.dtype.kind == "f" else z

        return apply

    return {n: row(special.get(n) or getattr(np, n, None) or getattr(scipy.special, n)) for n in names.split()}


def bits(f, logical):
    return lambda *a: logical(*a) if a[0].dtype == bool else f(*a)


def shift(f):
    """A shift by as many places as there are bits, or more, or by a negative number, moves all bits out."""

    def apply(x, y):
        size = 8 * x.dtype.itemsize
        out = (y < 0) | (y >= size)
        z = f(x, np.where(out, 0, y).astype(y.dtype))
        rest = np.where(x < 0, -1, 0) if f is np.right_shift and x.dtype.kind == "i" else np.zeros_like(x)
        return np.where(out, rest, z).astype(x.dtype)

    return apply


def wide(f):
    """f of bools is computed in int8."""
    return lambda *a: f(*[x.astype("int8") if x.dtype == bool else x for x in a])


def power(x, y):
    if np.result_type(x, y).kind == "f":
        return np.power(x, y)
    z = [int(a) ** int(b) if b >= 0 else (0 if abs(int(a)) != 1 else int(a) ** (-int(b))) for a, b in zip(x.ravel(), y.ravel())]
    return np.array([v % 2**64 for v in z], "uint64").astype(x.dtype).reshape(x.shape)


def cast(dtype):
    """Floats beyond the integers of the type become the nearest, and nan 0, where C leaves it open."""

    def apply(x):
        if x.dtype.kind != "f" or np.dtype(dtype).kind not in "iu":
            return x.astype(dtype)
        info = np.iinfo(dtype)
        return np.array([0 if v != v else info.max if v >= info.max else info.min if v <= info.min else int(v) for v in x], dtype)

    return apply


ROWS = real_rows(
    "sqrt cbrt hypot reciprocal exp exp2 expm1 log log2 log10 log1p log1mexp logaddexp logaddexp2 sin cos tan arcsin arccos arctan arctan2 "
    "deg2rad rad2deg sinh cosh tanh arcsinh arccosh arctanh sigmoid softplus softsign erf erfc ceil floor round trunc copysign heaviside "
    "nextafter spacing signbit isnan isinf gamma gammaln digamma tri_gamma polygamma gammainc gammaincc betainc gammaincinv gammainccinv betaincinv ndtri_exp owens_t hyp2f1 hyp2f1_a hyp2f1_c erfinv erfcinv erfcx i0 i1 iv ive kv kve "
    "j0 j1 jv xlogy xlog1py round_half_away_from_zero"
)
ROWS.update({
    "add": np.add, "sub": wide(np.subtract), "mul": np.multiply, "true_div": lambda x, y: np.true_divide(x, y, dtype=x.dtype if x.dtype.kind == "f" else "float64"),
    "int_div": wide(np.floor_divide), "mod": wide(np.mod), "pow": wide(power), "fmod": wide(np.fmod), "gcd": wide(np.gcd), "lcm": wide(np.lcm),
    "neg": wide(np.negative), "abs": np.abs, "sgn": wide(np.sign), "sqr": wide(np.square),
    "maximum": np.maximum, "minimum": np.minimum, "fmax": np.fmax, "fmin": np.fmin, "switch": lambda c, x, y: np.where(c != 0, x, y),
    "eq": np.equal, "neq": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
    "and": bits(np.bitwise_and, np.logical_and), "or": bits(np.bitwise_or, np.logical_or), "xor": bits(np.bitwise_xor, np.logical_xor),
    "invert": bits(np.invert, np.logical_not), "left_shift": wide(shift(np.left_shift)), "right_shift": wide(shift(np.right_shift)),
    "identity": lambda x: x, "second": lambda x, y: np.broadcast_arrays(x, y)[1],
})
ROWS.update({"cast_" + d: cast(d) for d in "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split()})


def apply(name, operands):
    base, given = re.fullmatch(r"(\w+)(?:\{(.*)\})?", name, re.S).groups()
    if base not in STRUCTURAL:
        return ROWS[base](*operands)
    if base in ("print", "assert"):
        given = ""
    return STRUCTURAL[base]({"code": (given or "")[5:]} if base == "composite" else params(given or ""), *operands)


def main():
    for line in sys.stdin:
        name, *operands = line.rstrip("\n").split("\t")
        try:
            out = apply(name, [value(t) for t in operands])
        except Exception as e:
            print("%s: %s: %s" % (line.rstrip()[:200], type(e).__name__, e), file=sys.stderr)
            continue
        out = out if isinstance(out, (tuple, list)) else [out]
        print(line.rstrip("\n"), "=", *[text(a) for a in out], sep="\t")


main()
