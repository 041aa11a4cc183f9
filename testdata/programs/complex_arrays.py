# Arrays of complex numbers beside NumPy: texts, types, operators, functions, subscripts, shapes.
import numpy as np
import warnings

warnings.filterwarnings("ignore")
np.seterr(all="ignore")


def show(x):
    if isinstance(x, np.ndarray):
        if x.dtype.kind in "fc":
            x = np.round(x, 7) + 0
        return ("%s %s %s" % (x.dtype, x.shape, x)).replace("\n", "/")
    if isinstance(x, (tuple, list)):
        return "[" + "; ".join([show(y) for y in x]) + "]"
    if isinstance(x, (float, complex)) and abs(x) < 1e300:
        return "%.9g %.9g" % (x.real, x.imag)
    return str(x)


def t(label, f):
    try:
        print(label, "|", show(f()))
    except Exception as e:
        print(label, "|", type(e).__name__)
inf = float("inf"); nan = float("nan")
z = np.array([1+2j, -3.5j, 0, 2.25, complex(-1, 0.5)])
w = np.array([[1+1j, 2-1j, 0.5], [3j, -4, 1-0.25j]])
c = z.astype("complex64")
r = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
i = np.arange(5)
f32 = r.astype("float32")
s = np.array([complex(inf, 1), complex(nan, 0), complex(0.0, -inf), complex(-0.0, 0.0), complex(0.0, -0.0), 1e300+1e-300j])
for q in [z, w, c, s]: print(repr(q).replace("\n", "/"), str(q).replace("\n", "/"))
print(repr(np.array([1j])), repr(np.array(2j)), np.array(2j), repr(np.zeros(0, dtype=complex)), repr(np.zeros((2, 0), dtype="complex64")), repr(np.array([1e-10+1e10j, 3])), repr(np.array([0.1+0.2j, 1/3+2j/3])))
print(repr(np.arange(2000) * 1j)[:80], repr(z[0]), repr(c[0]), z[1], c[3], np.complex64(0.1+0.2j), np.complex128(0.1), repr(np.complex64(1/3)))
for name, a in [("z", z), ("w", w), ("c", c * 2), ("s", s)]:
    print(name, a.dtype, a.shape, a.ndim, a.size, a.itemsize, a.nbytes, a.strides, a.dtype.kind, a.dtype.name, a.dtype.char, a.dtype.num, a.dtype.str)
    t("real", lambda: a.real); t("imag", lambda: a.imag); t("conj", lambda: a.conj()); t("T", lambda: a.T); t("abs", lambda: abs(a)); t("angle", lambda: np.angle(a)); t("deg", lambda: np.angle(a, deg=True))
    for fn in ["sum", "mean", "prod", "cumsum", "cumprod", "std", "var", "any", "all", "max", "min", "argmax", "argmin", "ravel", "flatten", "tolist", "copy", "conjugate", "transpose"]:
        t(fn, lambda: getattr(a, fn)())
    for fn in ["sum", "mean", "prod", "cumsum", "max", "std", "any", "argmax"]:
        t(fn + " axis", lambda: getattr(np, fn)(a, axis=-1))
    for fn in ["sum", "mean", "prod", "max"]:
        t(fn + " keep", lambda: getattr(np, fn)(a, axis=0, keepdims=True))
    for fn in ["isnan", "isinf", "isfinite", "iscomplex", "isreal", "logical_not", "iscomplexobj", "isrealobj", "count_nonzero", "nonzero", "flipud", "square", "negative", "positive", "real_if_close", "nan_to_num", "shape", "ndim", "size"]:
        t(fn, lambda: getattr(np, fn)(a))
for name, a, b in [("zz", z, z[::-1]), ("zc", z, c), ("zr", z, r), ("rz", r, z), ("ci", c, i), ("cf", c, f32), ("cr", c, r), ("z2", z, 2), ("2z", 2, z), ("z2j", z, 2j), ("c2j", c, 2j), ("2jc", 2j, c), ("r2j", r, 2j), ("2jr", 2j, r), ("i2j", i, 2j), ("f2j", f32, 2j), ("w1", w, np.array([1, 1j, 2])), ("wcol", w, np.array([[1j], [2]])), ("sc", z[0], r), ("rsc", r, z[0]), ("s64", c[0], z), ("zl", z, [1, 2, 3, 4, 5j]), ("bool", z, True), ("i8", np.int8([1, 2, 3, 4, 5]), 1j), ("s", s, s), ("f64sc", np.float64(2), 1j), ("i8sc", np.int8(2), 1j), ("c64s", np.complex64(1j), 2), ("c64f", np.complex64(1j), np.float32(2)), ("c64c", np.complex64(1j), np.complex128(1j)), ("c64z", np.complex64(1j), z)]:
    t(name + "+", lambda: a + b); t(name + "-", lambda: a - b); t(name + "*", lambda: a * b); t(name + "==", lambda: a == b); t(name + "!=", lambda: a != b)
    t(name + "type", lambda: (a * b).dtype); t(name + "<", lambda: a < b); t(name + ">=", lambda: a >= b)
    t(name + "np", lambda: np.add(a, b)); t(name + "maximum", lambda: np.maximum(a, b))
    t(name + "//", lambda: a // b); t(name + "%", lambda: a % b)
t("idx", lambda: [z[0], z[-1], z[1:3], z[::2], z[[0, 2]], z[np.array([True, False, True, False, True])], w[0], w[:, 1], w[1, 2], w[..., 0], w[None].shape, w[[0, 1], [1, 2]], w[w.real > 0], w[1][0], z[i > 2], z[np.array(1)]])
t("oob", lambda: z[5]); t("many", lambda: z[0, 0]); t("many2", lambda: w[0, 0, 0]); t("ell", lambda: w[0, ..., 1]); t("fidx", lambda: z[1.0]); t("cidx", lambda: z[1j]); t("ridx", lambda: r[1j])
def assign(f):
    a = w.copy(); f(a); return a
def e1(a): a[0] = 1j
def e2(a): a[:, 1] = [5, 6j]
def e3(a): a[0, 0] = 7
def e4(a): a.real = 0
def e5(a): a.imag[0] = [1, 2, 3]
def e6(a): a[a.real > 0] = 0
def e7(a): a[...] = r[:3]
def e8(a): a += 1j
def e9(a): a *= a
def e10(a): a.real[:, 0] += 10
def e11(a): a[1, 1:] = a[0, :2]
def e12(a): a /= 2
def e13(a): a **= 2
def e16(a): a.fill(3j)
def e17(a): a.T[0] = 9
def e18(a): a.shape = (3, 2)
def e19(a): a[[0, 1], [0, 1]] = [1j, 2j]
def e20(a): a.flat[1] = 5j
for k, e in enumerate([e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, e13, e16, e17, e18, e19, e20]):
    t("assign%d" % (k + 1), lambda: assign(e))
def x1(): r[0] = 1j
def x5(): r.fill(1j)
for x in [x1, x5]: t("refuse", x)
for a in [z, w, c]:
    t("reshape", lambda: a.reshape(-1)); t("view", lambda: a.reshape(-1)[:2]); t("swap", lambda: w.swapaxes(0, 1)); t("moveaxis", lambda: np.moveaxis(w, 0, 1)); t("tr", lambda: np.transpose(w, (1, 0)))
t("concat", lambda: np.concatenate([z, r])); t("stack", lambda: np.stack([z, z])); t("vstack", lambda: np.vstack([c, f32])); t("hstack", lambda: np.hstack([z, [1, 2]])); t("append", lambda: np.append(z, 1)); t("append2", lambda: np.append(r, 1j)); t("where", lambda: np.where(r > 2, z, r)); t("where2", lambda: np.where(r > 2, z, 0)); t("where3", lambda: np.where(z))
t("flip", lambda: np.flip(w)); t("roll", lambda: np.roll(z, 2)); t("tile", lambda: np.tile(z[:2], 2)); t("repeat", lambda: np.repeat(z[:2], 2)); t("take", lambda: np.take(z, [0, 2])); t("diag", lambda: np.diag(z[:2])); t("diag2", lambda: np.diag(w)); t("tril", lambda: np.tril(w)); t("pad", lambda: np.pad(z[:2], 1)); t("split", lambda: np.split(z[:4], 2)); t("rot90", lambda: np.rot90(w)); t("exp_dims", lambda: np.expand_dims(z, 0)); t("squeeze", lambda: z[None].squeeze()); t("bcast", lambda: np.broadcast_to(z[:2], (2, 2))); t("atl2", lambda: np.atleast_2d(z)); t("insert", lambda: np.insert(z, 1, 9j)); t("delete", lambda: np.delete(z, 0)); t("mesh", lambda: np.meshgrid(z[:2], r[:2])[0].shape); t("column", lambda: np.column_stack([z[:2], r[:2]])); t("ravelF", lambda: w.ravel("F")); t("diagonal", lambda: w.diagonal()); t("trace", lambda: np.trace(w)); t("diff", lambda: np.diff(z)); t("average", lambda: np.average(z, weights=r)); t("interp", lambda: np.interp([0.5], [0, 1], [1j, 2]))
for fn in ["dot", "vdot", "inner", "outer", "kron", "convolve", "correlate"]:
    t(fn, lambda: getattr(np, fn)(z, z[::-1])); t(fn + "r", lambda: getattr(np, fn)(z, r)); t(fn + "l", lambda: getattr(np, fn)(r, z)); t(fn + "c", lambda: getattr(np, fn)(c, c))
t("matmul", lambda: w @ w.T); t("matmul2", lambda: w @ np.eye(3)); t("matmul3", lambda: np.eye(2) @ w); t("mdot", lambda: w.dot(w.conj().T)); t("rdot", lambda: r.dot(z)); t("norm", lambda: np.linalg.norm(z)); t("norm2", lambda: np.linalg.norm(w)); t("norm3", lambda: np.linalg.norm(w, axis=1)); t("tdot", lambda: np.matmul(w[None], w.T[None]))
for e in ["np.zeros(2, dtype=complex)", "np.zeros((2, 2), complex)", "np.ones(2, dtype='complex64')", "np.empty(0, dtype=np.complex128)", "np.full(2, 1j)", "np.full((2,), 3, dtype=complex)", "np.eye(2, dtype=complex)", "np.zeros_like(z)", "np.ones_like(c)", "np.zeros_like(r, dtype=complex)", "np.zeros_like(z, dtype=float)", "np.full_like(z, 2j)", "np.identity(2, dtype=complex)", "np.arange(3, dtype=complex)", "np.linspace(0, 1j, 3)", "np.array([1, 2], dtype=complex)", "np.array([1, 2], dtype='F')", "np.array([[1j, 2], [3, 4]])", "np.array((1j, 2.5, True))", "np.asarray(z) is z", "np.array(z) is z", "np.array(z, dtype='complex64')", "np.array(1j)", "np.array(1j).shape", "np.array([z, z]).shape", "np.array([c, c]).dtype", "np.array([np.float32(1), 1j]).dtype", "np.array([np.complex64(1)]).dtype", "np.array([1j], ndmin=2).shape", "np.asarray([1j, 2], dtype=np.complex64)", "r.astype(complex)", "f32.astype('complex64')", "i.astype(np.complex128)", "z.astype('complex64').dtype", "np.complex128([1, 2])", "np.complex64(3)", "np.complex128('1+2j')", "np.dtype(complex)", "np.dtype('c8')", "np.dtype('<c16')", "np.dtype('complex64').itemsize", "np.result_type(z, c)", "np.result_type(c, r)", "np.result_type(c, f32)", "np.result_type(c, i)", "np.result_type(c, 1)", "np.result_type('complex64', 'int8')", "np.promote_types('complex64', 'float64')", "np.promote_types('complex64', 'int16')", "np.promote_types('complex64', 'int32')", "np.can_cast('complex64', 'complex128')", "np.can_cast('complex128', 'complex64')", "np.can_cast('float64', 'complex64')", "np.can_cast('float32', 'complex64')", "np.can_cast('complex64', 'float64')", "np.issubdtype(z.dtype, np.complexfloating)", "np.issubdtype(np.complex64, np.floating)", "np.issubdtype(z.dtype, np.number)", "np.issubdtype(np.float64, np.complexfloating)", "z.dtype == complex", "z.dtype == np.complex128", "z.dtype == 'complex128'", "c.dtype == np.complex64", "c.dtype == float", "r.dtype == complex", "z.dtype != complex", "isinstance(z, np.ndarray)", "isinstance(z[0], np.complex128)", "isinstance(z[0], complex)", "isinstance(z[0], np.complexfloating)", "isinstance(z[0], np.number)", "isinstance(1j, np.complex128)", "isinstance(c[0], complex)", "z[0] == 1+2j", "1+2j == z[0]", "z[0] in [1+2j]", "{z[0]: 1}[1+2j]", "hash(z[0]) == hash(1+2j)", "hash(c[3]) == hash(2.25)", "z[0] + 1", "1 + z[0]", "z[0] * 2j", "2.5 * z[0]", "z[0] / z[1]", "z[0] ** 2", "2 ** z[0]", "abs(z[0])", "z[0].real", "z[0].imag", "z[0].conj()", "z[0].conjugate()", "z[0].dtype", "z[0].shape", "z[0].item()", "z[0].astype('complex64')", "complex(z[0])", "complex(r[0])", "bool(z[2])", "bool(z[0])", "z[0].tolist()", "str(z[0])", "'%s' % z[0]", "f'{z[0]}'", "f'{z[0]:.2f}'", "f'{c[0]:.1f}'", "-z[0]", "c[0] + 1", "(c[0] + 1).dtype", "(c[0] * 1j).dtype", "z[0] < z[1]", "z[3] == 2.25", "list(z)", "[complex(x) for x in z]", "len(z)", "sum(z)", "max(z, key=abs)", "z.item(0)", "z.tolist()", "w.tolist()", "1j in z", "5j in z", "np.allclose(z, z + 1e-10)", "np.allclose(z, z + 1)", "np.isclose(z, z + 1e-10)", "np.array_equal(z, z)", "np.array_equal(z, r)", "np.array_equal(z, z[:2])", "(z == z).all()", "np.real(z)", "np.imag(z)", "np.real(r)", "np.real(1j)", "np.imag(2j)", "np.iscomplex([1, 1j])", "np.isreal(1j)", "np.iscomplexobj(1j)", "np.iscomplexobj(r)", "np.isrealobj(r)", "np.angle(1j)", "np.angle([1, 1j, -1])", "np.abs(3+4j)", "np.conj(1j)", "np.conjugate(r)", "np.sqrt(-1+0j)", "np.exp(1j * np.pi).real", "np.sum([1j, 2])", "np.mean([1j, 2])", "np.prod([1j, 2])", "np.shape([1j])", "np.size(z)", "np.round(z * 1.2345, 1)", "np.around(1.26+2.34j, 1)", "z.round(1)", "np.real_if_close(np.array([1+1e-20j, 2]))", "np.array2string(z)", "np.array_repr(c)", "np.array_str(z)", "z.view(float)", "r[:4].view(complex)", "z.base is None", "z[1:].base is z", "float(1j)", "bool(z)", "np.floor(z)", "np.sin(c).dtype", "np.exp(c).dtype", "np.abs(c).dtype", "np.angle(c).dtype", "c.mean().dtype", "c.sum().dtype", "np.arctan2(z, 1)", "np.remainder(z, 2)", "np.heaviside(z, 1)", "z @ z", "np.add(z, 1, dtype='complex64').dtype", "np.sum(z, dtype='complex64').dtype", "np.sum(r, dtype=complex)", "np.power(z, 2)", "np.power(z, 0.5)", "z ** 2", "z ** -1", "z ** 0", "z ** 0.5", "z ** 3", "z ** 1j", "2 ** z", "2j ** i", "r ** 1j", "c ** 2", "z ** z", "np.sign(z)", "np.reciprocal(z[:2])", "z / 0", "z / 2", "1 / z[:2]", "s / s", "z / z", "np.true_divide(z, 2j)"]:
    t(e, lambda: eval(e))
