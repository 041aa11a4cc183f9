# Sums, products and means of float32 are computed in float64, as acc_dtype says: alone, fused, along each axis, strided, within loops, in what rules make of them.
import numpy as np
import theano
import theano.tensor as T

v = np.array([1e8, 1, -1e8], dtype="float32")
rows = np.tile(v, (4, 1))
x, m, t = T.fvector("x"), T.fmatrix("m"), T.ftensor3("t")


def check(want, inp, out, value, narrow=False):
    got = theano.function([inp], out)(value)
    assert got.dtype == np.dtype("float32"), got.dtype
    assert np.all(got == np.float32(want)), (got, want, out)


third = np.float32(1) / np.float32(3)
for mode in [None, "FAST_COMPILE", "DebugMode"]:
    assert theano.function([x], x.sum(), mode=mode)(v) == 1 and theano.function([x], (x + 0).mean(), mode=mode)(v) == third
for many in [1, 2, 50, 5000, 400000]:  # of each length, in parts and by threads
    big = np.zeros(3 * many, dtype="float32")
    big[0], big[len(big) // 2], big[-1] = v
    check(1, x, x.sum(), big)
    check(2, x, (x * 2).sum(), big)
    check(1, x, x[::-1].sum(), big)
    check(1, m, m.sum(), big.reshape(3, many))
    wide = np.zeros((3, many), dtype="float32")
    wide[:] = v[:, None]
    for value, axis in [(wide, 0), (np.ascontiguousarray(wide.T), 1), (wide.T, 1), (wide[:, ::-1], 0)]:
        check(np.ones(many), m, m.sum(axis), value)
        check(np.ones(many), m, (-m).sum(axis) * -1, value)
        check(np.ones(many) * third, m, m.mean(axis), value)
        check(np.ones(many) * 2, m, T.sum(m * 2, axis=axis), value)
for axes in [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]:
    shape = [2, 2, 2]
    for axis in axes:
        shape[axis] = 1
    at = [1, 1, 1]
    at[axes[0]] = 3
    value = np.ones(shape, dtype="float32") * v.reshape(at)
    check(np.ones([n for axis, n in enumerate(value.shape) if axis not in axes]), t, t.sum(axes), value)
    check(np.ones([n for axis, n in enumerate(value.shape) if axis not in axes]), t, (t * 1.0 + T.zeros_like(t)).sum(axes), value)
steps, _ = theano.scan(lambda q: (x * q).sum(), sequences=T.ones((2,), dtype="float32"))
check([1, 1], x, steps, v)
check(1, x, T.join(0, x[:1], x[1:]).sum(), v)
check(1, x, T.stack([x[0], x[1], x[2]]).sum(), v)
check(1, x, (x.dimshuffle(0, "x") * x.dimshuffle("x", 0)).sum(), v)
check(np.ones((4, 4)), m, (m.dimshuffle(0, 1, "x") * T.ones_like(m).dimshuffle("x", 1, 0)).sum(1), rows)
check(1, x, T.prod(x), np.array([1e30, 1e30, 1e-30, 1e-30], dtype="float32"))
check(1, x, T.sum(x, dtype="float64").astype("float32"), v)
assert np.allclose(theano.function([x], x.std())(v), np.std(v.astype("float64")), rtol=2e-7)
print("sums and products are computed in float64")


s, narrow = x.sum(), x.sum(acc_dtype="float32")
assert theano.function([x], narrow)(v) == 0 and theano.function([x], x.mean(acc_dtype="float32"))(v) == 0
assert theano.function([x], (x * 2).sum(acc_dtype="float32"))(v) == 0
print([o.owner.op.acc_dtype for o in [s, narrow, x.sum(acc_dtype="float64"), T.prod(x), T.ivector().sum(), T.dvector().sum()]])
print(T.grad(s, x).dtype, T.grad(narrow, x).dtype, s.dtype, x.mean().dtype, x.var().dtype, narrow.owner.op)
try:
    T.dvector().sum(acc_dtype="float32")
except Exception as e:
    print(str(e).split("\n")[0])
