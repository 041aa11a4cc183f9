# What NumPy's functions return of an array: itself (=), a view (v), an array of its own (c), a number (s), or an error (e); and what is one there cannot be told apart
# from memory that is not there, in arrays without elements.
import numpy as np


base = np.arange(24.).reshape(4,6)
def arrays():
    yield 'scalar0d', np.array(3.0)
    yield 'vec', np.arange(5.)
    yield 'intvec', np.arange(5)
    yield 'strided', np.arange(10.)[::2]
    yield 'neg', np.arange(6.)[::-1]
    yield 'empty', np.zeros(0)
    yield 'empty2', np.zeros((0,3))
    yield 'one', np.ones(1)
    yield 'mat', base.copy()
    yield 'matT', base.copy().T
    yield 'matslice', base.copy()[1:, ::2]
    yield 'row', np.ones((1,4))
    yield 'col', np.ones((4,1))
    yield 't3', np.ones((2,3,4))
    yield 't3one', np.ones((1,3,1))
    yield 'f32', np.ones((2,3),'float32')
    yield 'bool', np.ones((2,3),bool)
    yield 'nan', np.array([1.0, np.nan, np.inf])
    yield 'u8', np.ones((2,2),'uint8')
    yield 'fortran', np.asfortranarray(np.arange(6.).reshape(2,3))


functions = [
    ("asarray", lambda a: np.asarray(a)),
    ("asarray_same", lambda a: np.asarray(a, dtype=a.dtype)),
    ("asarray_f8", lambda a: np.asarray(a, dtype='float64')),
    ("asanyarray", lambda a: np.asanyarray(a)),
    ("ascontiguousarray", lambda a: np.ascontiguousarray(a)),
    ("asfarray", lambda a: np.asfarray(a)),
    ("require", lambda a: np.require(a)),
    ("requireC", lambda a: np.require(a, requirements='C')),
    ("requireCW", lambda a: np.require(a, None, ['C','W'])),
    ("atleast_1d", lambda a: np.atleast_1d(a)),
    ("atleast_2d", lambda a: np.atleast_2d(a)),
    ("atleast_3d", lambda a: np.atleast_3d(a)),
    ("atleast_two", lambda a: np.atleast_2d(a, a)[1]),
    ("real", lambda a: np.real(a)),
    ("areal", lambda a: a.real),
    ("squeeze", lambda a: np.squeeze(a)),
    ("asqueeze", lambda a: a.squeeze()),
    ("ravel", lambda a: np.ravel(a)),
    ("aravel", lambda a: a.ravel()),
    ("flatten", lambda a: a.flatten()),
    ("reshape", lambda a: np.reshape(a, -1)),
    ("areshape", lambda a: a.reshape(a.shape)),
    ("reshape2", lambda a: a.reshape(-1, 1) if a.size else a),
    ("nan_to_num", lambda a: np.nan_to_num(a)),
    ("nan_to_num_inplace", lambda a: np.nan_to_num(a, copy=False)),
    ("expand_dims", lambda a: np.expand_dims(a, 0)),
    ("broadcast_to", lambda a: np.broadcast_to(a, a.shape)),
    ("broadcast_to2", lambda a: np.broadcast_to(a, (2,)+a.shape)),
    ("broadcast_arrays", lambda a: np.broadcast_arrays(a, a)[0]),
    ("transpose", lambda a: np.transpose(a)),
    ("T", lambda a: a.T),
    ("swapaxes", lambda a: np.swapaxes(a, 0, -1)),
    ("moveaxis", lambda a: np.moveaxis(a, 0, -1)),
    ("rollaxis", lambda a: np.rollaxis(a, a.ndim-1)),
    ("rollaxis0", lambda a: np.rollaxis(a, 0)),
    ("diagonal", lambda a: np.diagonal(a)),
    ("adiagonal", lambda a: a.diagonal()),
    ("diag", lambda a: np.diag(a)),
    ("array_nocopy", lambda a: np.array(a, copy=False)),
    ("array", lambda a: np.array(a)),
    ("array_ndmin", lambda a: np.array(a, copy=False, ndmin=3)),
    ("astype_nocopy", lambda a: a.astype(a.dtype, copy=False)),
    ("astype", lambda a: a.astype(a.dtype)),
    ("astype_f8", lambda a: a.astype('float64', copy=False)),
    ("view", lambda a: a.view()),
    ("slice", lambda a: a[...]),
    ("flip", lambda a: np.flip(a)),
    ("fliplr", lambda a: np.fliplr(a)),
    ("flipud", lambda a: np.flipud(a)),
    ("rot90", lambda a: np.rot90(a)),
    ("rot90_0", lambda a: np.rot90(a, 0)),
    ("rot90_4", lambda a: np.rot90(a, 4)),
    ("roll", lambda a: np.roll(a, 1)),
    ("split", lambda a: np.split(a, 1)[0]),
    ("array_split", lambda a: np.array_split(a, 2)[0]),
    ("hsplit", lambda a: np.hsplit(a, 1)[0]),
    ("vsplit", lambda a: np.vsplit(a,1)[0]),
    ("hstack", lambda a: np.hstack([a])),
    ("vstack", lambda a: np.vstack([a])),
    ("concatenate", lambda a: np.concatenate([a])),
    ("stack", lambda a: np.stack([a])),
    ("trim_zeros", lambda a: np.trim_zeros(a)),
    ("clip", lambda a: np.clip(a, -9e9, 9e9)),
    ("abs", lambda a: np.abs(a)),
    ("copy", lambda a: np.copy(a)),
    ("copyK", lambda a: a.copy()),
    ("take", lambda a: a.take([0])),
    ("compress", lambda a: np.compress([True]*len(a), a, axis=0)),
    ("repeat", lambda a: np.repeat(a,1)),
    ("tile", lambda a: np.tile(a, 1)),
    ("tile2", lambda a: np.tile(a, (1,1))),
    ("unique", lambda a: np.unique(a)),
    ("sort", lambda a: np.sort(a)),
    ("triu", lambda a: np.triu(a)),
    ("tril", lambda a: np.tril(a)),
    ("cumsum", lambda a: np.cumsum(a)),
    ("sum_noaxis", lambda a: np.sum(a, axis=())),
    ("delete", lambda a: np.delete(a, [], 0)),
    ("insert", lambda a: np.insert(a, [], 0)),
    ("append", lambda a: np.append(a, [])),
    ("newaxis", lambda a: a[None]),
    ("getfield", lambda a: a[()]),
    ("dsplit", lambda a: np.dsplit(a, 1)[0]),
    ("column_stack", lambda a: np.column_stack([a])),
    ("nansum", lambda a: np.nansum(a, axis=())),
    ("choose", lambda a: np.choose(0, [a])),
    ("apply", lambda a: np.extract(a==a, a)),
    ("put", lambda a: np.ravel(a, order='F')),
    ("reshapeF", lambda a: a.reshape(-1, order='F')),
    ("ravelK", lambda a: a.ravel(order='K')),
    ("ravelA", lambda a: a.ravel('A')),
    ("ediff", lambda a: np.ediff1d(a)),
    ("asarr_list", lambda a: np.asarray([a])),
]


def kind(f, a):
    try:
        z = f(a)
    except Exception:
        return "e"
    if z is a:
        return "="
    if not isinstance(z, np.ndarray):
        return "s"
    if a.size and np.shares_memory(z, a):
        return "v"
    return "c"


print("kinds of arrays:", " ".join([name for name, a in arrays()]))
for name, f in functions:
    print(name, "".join([kind(f, a) for _, a in arrays()]))


# A view is written through, whatever its strides.
a = np.arange(24.0).reshape(4, 6)
a[::2, ::-1].reshape(2, 3, 2)[1, 0] = -1
np.squeeze(a[None, 1:2])[:2] = -2
np.atleast_3d(a[3])[0, 1, 0] = -3
np.nan_to_num(np.divide(a, a, out=a, where=a == 0), copy=False, nan=7)
print(a)


# The vectors of the only singular value have the signs of LAPACK's.
def signs(x):
    return "".join(["-" if v < -1e-6 else "+" if v > 1e-6 else "0" for v in np.ravel(x)])


rng = np.random.RandomState(3)
for dtype in ["float64", "float32"]:
    for shape in [(1, 1), (2, 1), (3, 1), (7, 1), (1, 2), (1, 5), (40, 1), (1, 40)]:
        for k in range(6):
            m = rng.uniform(0.1, 2, shape) * (1 if k % 2 else -1)
            m = [m, m, m * 0, m * 0, np.eye(*shape) * m.flat[0], rng.standard_normal(shape)][k].astype(dtype)
            for full in [True, False]:
                u, s, v = np.linalg.svd(m, full_matrices=full)
                print(dtype, shape, k, u.shape, v.shape, signs(u[:, 0]), signs(v[0]))


# Python's sum of an array is start + x[0] + x[1] ...
for d in ["int8", "int16", "uint8", "int32", "uint64", "int64", "float32", "float64", "bool"]:
    z = np.ones(3, d)
    rows = np.ones((3, 2), d)
    print(d, *["%s of %s" % (x, np.asarray(x).dtype) for x in [sum(z), sum(z, 2), sum(z, 1.5), sum(z, np.float32(0)), sum(list(z)), sum(rows), sum(rows, 1.5), sum(z[:0])]])
print(sum(np.array([1e8, 1, -1e8], "float32")), np.array([1e8, 1, -1e8], "float32").sum(), sum([1, 2], np.array([1.0, 2.0])))
