# The transforms of np.fft beside NumPy's, functions of complex numbers, files, linear algebra.
import numpy as np
import os, tempfile, warnings

warnings.filterwarnings("ignore")
np.seterr(all="ignore")
def show(x):
    if isinstance(x, np.ndarray):
        if x.dtype.kind in "fc":
            x = np.round(x, 7) + 0
        return ("%s %s %s" % (x.dtype, x.shape, x.tolist())).replace("\n", "/")
    if isinstance(x, (tuple, list)):
        return "[" + "; ".join([show(y) for y in x]) + "]"
    return str(x)
def t(label, f):
    try:
        print(label, "|", show(f()))
    except Exception as e:
        print(label, "|", type(e).__name__)
F = np.fft
rs = np.random.RandomState(3)
for n in [1, 2, 3, 5, 8, 17, 37]:
    x = rs.uniform(-1, 1, n); y = rs.uniform(-1, 1, n); z = x + 1j * y
    def fit(f):
        for norm in [None, "ortho", "forward", "backward"]:
            v = f(norm)
            print(n, norm, v.dtype, v.shape, (np.round(v, 7) + 0).tolist()[:20])
    for g in ["fft", "ifft"]:
        fit(lambda norm: getattr(F, g)(z, norm=norm) + 0.0)
        fit(lambda norm: getattr(F, g)(x, norm=norm) + 0.0)
    fit(lambda norm: F.rfft(x, norm=norm) + 0.0)
    fit(lambda norm: F.irfft(z, n=n, norm=norm) + 0.0)
    t("irfft", lambda: np.round(F.irfft(z), 9) + 0.0)
    t("back", lambda: np.allclose(F.ifft(F.fft(z)), z))
    t("backr", lambda: np.allclose(F.irfft(F.rfft(x), n), x))
    for k in [1, n - 1, n + 3, 2 * n]:
        t("n=%d" % k, lambda: np.round(F.fft(z, k), 9) + 0.0); t("rn=%d" % k, lambda: np.round(F.rfft(x, n=k), 9) + 0.0); t("irn=%d" % k, lambda: np.round(F.irfft(z, n=k), 9) + 0.0)
    t("freq", lambda: F.fftfreq(n)); t("freqd", lambda: F.fftfreq(n, 0.1)); t("rfreq", lambda: F.rfftfreq(n, d=0.25)); t("shift", lambda: F.fftshift(np.arange(n))); t("ishift", lambda: F.ifftshift(z).shape)
w = rs.uniform(-1, 1, (3, 4, 5)); wz = w + 1j * rs.uniform(-1, 1, (3, 4, 5))
for g in ["fft", "ifft", "fft2", "ifft2", "fftn", "ifftn"]:
    t(g, lambda: np.round(getattr(F, g)(wz), 9)); t(g + "r", lambda: np.round(getattr(F, g)(w), 9))
for a in [0, 1, 2, -1, -3, 3]:
    t("axis", lambda: np.round(F.fft(wz, axis=a), 9)); t("raxis", lambda: np.round(F.rfft(w, axis=a), 9)); t("iraxis", lambda: np.round(F.irfft(wz, axis=a), 9)); t("shiftaxis", lambda: np.round(F.fftshift(wz, axes=a), 9))
t("rfft2", lambda: np.round(F.rfft2(w), 9)); t("irfft2", lambda: np.round(F.irfft2(wz), 9)); t("rfftn", lambda: np.round(F.rfftn(w), 9)); t("irfftn", lambda: np.round(F.irfftn(wz), 9)); t("s", lambda: np.round(F.fft2(w, s=(2, 3)), 9)); t("axes", lambda: np.round(F.fftn(w, axes=(0, 2)), 9)); t("s2", lambda: np.round(F.fftn(w, s=(5, 2), axes=(0, 2), norm="ortho"), 9)); t("irs", lambda: np.round(F.irfftn(wz, s=(4, 7)), 9)); t("rs", lambda: np.round(F.rfft2(w, axes=(0, 1)), 9)); t("shift2", lambda: F.fftshift(w).shape); t("ishift2", lambda: F.ifftshift(wz, axes=(0, 1)))
t("T", lambda: np.round(F.fft(wz.T), 9)); t("str", lambda: np.round(F.fft(wz[::2, ::-1, ::2]), 9)); t("int", lambda: F.fft([1, 2, 3, 4])); t("f32", lambda: F.fft(np.float32([1, 2])).dtype); t("c64", lambda: F.fft(np.complex64([1, 2j])).dtype); t("bool", lambda: F.fft([True, False])); t("list", lambda: F.fft([1j, 2]))
t("empty", lambda: F.fft([])); t("n0", lambda: F.fft([1, 2], 0)); t("n-1", lambda: F.fft([1, 2], -1)); t("scalar", lambda: F.fft(1.0)); t("badnorm", lambda: F.fft([1, 2], norm="x")); t("emptyr", lambda: F.rfft([])); t("ir1", lambda: F.irfft([1])); t("e2", lambda: F.fft(np.zeros((0, 3)))); t("e3", lambda: F.fft(np.zeros((3, 0)), n=2)); t("f0", lambda: F.fftfreq(0)); t("saxes", lambda: F.fftn(w, s=(2,), axes=(0, 1))); t("inf", lambda: F.fft([1, float("inf")])); t("nan", lambda: F.fft([1, float("nan"), 2, 3])); t("f2d", lambda: F.fft2([1, 2]))
# functions of single numbers


def digits(x):
    if isinstance(x, bool):
        return x
    x = complex(x)
    if x != x:  # the sign of the other part is not specified
        return "nan"
    return "%.9g %.9g" % (x.real, x.imag)


inf = float("inf"); nan = float("nan")
grid = [0.0, -0.0, 1.0, -2.0, 0.5, 1e3, inf, -inf, nan]
zs = np.array([complex(a, b) for a in grid for b in grid])
for g in ["exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "square", "reciprocal", "sin", "cos", "tan", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh", "sign", "rint", "abs", "angle", "conj", "negative", "isnan", "isinf", "isfinite"]:
    v = getattr(np, g)(zs)
    for q, r in zip(zs.tolist(), v.tolist()):
        print(g, q, "->", digits(r))
for g in ["add", "subtract", "multiply", "divide", "equal", "less", "greater_equal", "maximum", "minimum", "logical_and", "logical_xor"]:
    v = getattr(np, g)(zs[::7, None], zs[None, ::11])
    print(g, *[digits(x) for x in v.ravel().tolist()])
v = np.power(zs[::17, None], np.array([0, 1, 2, 3, -1, -2, 0.5, 1j, 5, 101, -0.25 + 2j])[None, :])
print("power", *[digits(x) for x in v.ravel().tolist()])
folder = tempfile.mkdtemp()
np.save(os.path.join(folder, "a.npy"), wz); np.save(os.path.join(folder, "f.npy"), wz.T); np.savez(os.path.join(folder, "z.npz"), wz, x=np.complex64([1j, 2]), y=[1.0]); np.savez_compressed(os.path.join(folder, "zc.npz"), a=np.array(1j))
print(open(os.path.join(folder, "a.npy"), "rb").read() == b"", len(open(os.path.join(folder, "f.npy"), "rb").read()))
u = np.load(os.path.join(folder, "a.npy")); print(u.dtype, u.shape, (u == wz).all(), (np.load(os.path.join(folder, "f.npy")) == wz.T).all(), np.load(os.path.join(folder, "z.npz"))["x"], np.load(os.path.join(folder, "z.npz"))["arr_0"].shape, np.load(os.path.join(folder, "zc.npz"))["a"])
A = np.array([[1+1j, 2, 0], [3, -1j, 1], [0.5, 2, 1]])
t("inv", lambda: np.round(np.linalg.inv(A), 9)); t("solve", lambda: np.round(np.linalg.solve(A, [1, 2j, 3]), 9)); t("solve2", lambda: np.round(np.linalg.solve(A, np.eye(3)), 9)); t("solve3", lambda: np.round(np.linalg.solve(A.real, A), 9)); t("det", lambda: np.round(np.linalg.det(A), 9)); t("sing", lambda: np.linalg.inv(np.array([[1j, 1j], [1, 1]]))); t("invst", lambda: np.round(np.linalg.inv(np.stack([A, A.T])), 9)); t("detst", lambda: np.round(np.linalg.det(np.stack([A, A.T])), 9)); t("ns", lambda: np.linalg.inv(A[:2]))
