"""Functions of sparse matrices: every function of theano.sparse beside what NumPy computes of the matrices written out, and its gradient beside differences."""
from __future__ import print_function

import numpy as np
import scipy.sparse as sp

import theano
import theano.tensor as T
from theano import sparse

theano.config.floatX = 'float64'
rng = np.random.RandomState(5)


def matrices(form, dtype='float64'):
    """Matrices of 3 rows and 4 columns: plain, unsorted, with duplicates, with stored zeros, empty."""
    make = sp.csr_matrix if form == 'csr' else sp.csc_matrix
    plain = make(np.array([[0.55, 0, 0.25, 0], [0, 0, 0, 0], [0, 0.75, 0, 0.125]], dtype=dtype))
    if form == 'csr':
        twice = make((np.array([0.55, 0.25, 0.15, 0.75], dtype=dtype), np.array([3, 0, 0, 2]), np.array([0, 3, 3, 4])), shape=(3, 4))
        loose = make((np.array([0.55, 0.25, 0.75], dtype=dtype), np.array([3, 0, 2]), np.array([0, 2, 2, 3])), shape=(3, 4))
    else:
        twice = make((np.array([0.55, 0.25, 0.15, 0.75], dtype=dtype), np.array([2, 0, 0, 1]), np.array([0, 3, 3, 4, 4])), shape=(3, 4))
        loose = make((np.array([0.55, 0.25, 0.75], dtype=dtype), np.array([2, 0, 1]), np.array([0, 2, 2, 3, 3])), shape=(3, 4))
    return [plain, loose, twice, make((3, 4), dtype=dtype)]


def close(got, want, what, tolerance=1e-6):
    """Asserts that two arrays are the same."""
    got = got.toarray() if sp.issparse(got) else np.asarray(got)
    want = want.toarray() if sp.issparse(want) else np.asarray(want)
    assert got.shape == want.shape, '%s: shape %s, want %s' % (what, got.shape, want.shape)
    assert np.allclose(got, want, rtol=tolerance, atol=tolerance, equal_nan=True), '%s: %s, want %s' % (what, got, want)


def differences(f, data):
    """The derivatives of a function of a vector, by central differences."""
    step = 1e-6
    out = np.zeros(data.shape)
    for k in range(data.shape[0]):
        up, down = data.copy(), data.copy()
        up[k] += step
        down[k] -= step
        out[k] = (f(up) - f(down)) / (2 * step)
    return out


def total(y):
    """A scalar of which no element has the same weight as another."""
    if y.type.ndim == 2 and hasattr(y, 'format'):
        y = sparse.dense_from_sparse(y)
    if y.ndim == 0:
        return T.sqr(y)
    if y.ndim == 1:
        return (T.sqr(y) * (1 + T.arange(y.shape[0]))).sum()
    return (T.sqr(y) * (1 + T.arange(y.shape[0]).dimshuffle(0, 'x') + 3 * T.arange(y.shape[1]).dimshuffle('x', 0))).sum()


W = np.round(rng.uniform(-1, 1, (4, 2)), 3)
D = np.round(rng.uniform(0.5, 1, (3, 4)), 3)
row, col = np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, -1.0, 0.5])
other = sp.csr_matrix(np.array([[0, 1.5, 1, 0], [2, 0, 0, 0], [0, 3, 0, 0.5]]))
square = sp.csr_matrix(np.array([[1.0, 2, 0], [0, 0, 3], [4, 0, 5]]))

# name, what is built, what NumPy says of the matrix written out (m) and of where elements are stored (s)
cases = [
    ('dense', lambda x: sparse.dense_from_sparse(x), lambda m, s: m),
    ('round trip', lambda x: sparse.csr_from_dense(sparse.dense_from_sparse(x) * 2), lambda m, s: 2 * m),
    ('dot', lambda x: sparse.dot(x, W), lambda m, s: m.dot(W)),
    ('dot of a vector', lambda x: sparse.dot(x, row), lambda m, s: m.dot(row)),
    ('dot from the left', lambda x: sparse.dot(D.T, x), lambda m, s: D.T.dot(m)),
    ('dot of a vector from the left', lambda x: sparse.dot(col, x), lambda m, s: col.dot(m)),
    ('structured_dot', lambda x: sparse.basic.structured_dot(x, W), lambda m, s: m.dot(W)),
    ('theano.dot', lambda x: theano.dot(x, T.as_tensor(W)), lambda m, s: m.dot(W)),
    ('@', lambda x: x @ T.as_tensor(W), lambda m, s: m.dot(W)),
    ('sparse dot', lambda x: sparse.dot(x, other.T), lambda m, s: m.dot(other.toarray().T)),
    ('true_dot', lambda x: sparse.true_dot(x, other.T), lambda m, s: m.dot(other.toarray().T)),
    ('true_dot from the left', lambda x: sparse.true_dot(other.T, x), lambda m, s: other.toarray().T.dot(m)),
    ('true_dot of itself', lambda x: sparse.true_dot(x, x.T), lambda m, s: m.dot(m.T)),
    ('usmm', lambda x: sparse.usmm(2.0, x, W, np.ones((3, 2))), lambda m, s: 2 * m.dot(W) + 1),
    ('add', lambda x: sparse.add(x, other), lambda m, s: m + other.toarray()),
    ('add itself', lambda x: x + sparse.structured_exp(x), lambda m, s: m + np.exp(m) * s),
    ('add dense', lambda x: x + D, lambda m, s: m + D),
    ('sub', lambda x: sparse.sub(other, x), lambda m, s: other.toarray() - m),
    ('sub dense', lambda x: D - x, lambda m, s: D - m),
    ('mul', lambda x: sparse.mul(x, other), lambda m, s: m * other.toarray()),
    ('mul itself', lambda x: x * x, lambda m, s: m * m),
    ('mul dense', lambda x: x * D, lambda m, s: m * D),
    ('mul scalar', lambda x: 3.0 * x, lambda m, s: 3 * m),
    ('mul vector', lambda x: sparse.mul_s_v(x, row), lambda m, s: m * row),
    ('add vector', lambda x: sparse.structured_add_s_v(x, row), lambda m, s: m + row * s),
    ('neg', lambda x: -x, lambda m, s: -m),
    ('transpose', lambda x: sparse.transpose(x), lambda m, s: m.T),
    ('T dot', lambda x: sparse.dot(x.T, D), lambda m, s: m.T.dot(D)),
    ('sum', lambda x: sparse.sp_sum(x), lambda m, s: m.sum()),
    ('sum 0', lambda x: sparse.sp_sum(x, axis=0), lambda m, s: m.sum(axis=0)),
    ('sum 1', lambda x: sparse.sp_sum(x, axis=1, sparse_grad=True), lambda m, s: m.sum(axis=1)),
    ('col_scale', lambda x: sparse.col_scale(x, row), lambda m, s: m * row),
    ('row_scale', lambda x: sparse.row_scale(x, col), lambda m, s: m * col[:, np.newaxis]),
    ('hstack', lambda x: sparse.hstack([x, other], format='csr'), lambda m, s: np.hstack([m, other.toarray()])),
    ('vstack', lambda x: sparse.vstack([other, x]), lambda m, s: np.vstack([other.toarray(), m])),
    ('vstack of three', lambda x: sparse.vstack([x, other, x], format='csr'), lambda m, s: np.vstack([m, other.toarray(), m])),
    ('sorted', lambda x: sparse.ensure_sorted_indices(x), lambda m, s: m),
    ('clean', lambda x: sparse.clean(x), lambda m, s: m),
    ('remove0', lambda x: sparse.remove0(x), lambda m, s: m),
    ('slice', lambda x: x[0:2, 1:], lambda m, s: m[0:2, 1:]),
    ('slice of rows', lambda x: sparse.get_item_2d(x, slice(1, None)), lambda m, s: m[1:]),
    ('slice back', lambda x: x[::-1, ::2], lambda m, s: m[::-1, ::2]),
    ('item', lambda x: x[0, 2], lambda m, s: m[0, 2]),
    ('item from the end', lambda x: x[-1, -1], lambda m, s: m[-1, -1]),
    ('list', lambda x: sparse.get_item_list(x, [2, 0, 2]), lambda m, s: m[[2, 0, 2]]),
    ('lists', lambda x: sparse.get_item_2lists(x, [0, 2, 0], [2, 3, 0]), lambda m, s: m[[0, 2, 0], [2, 3, 0]]),
    ('diag', lambda x: sparse.diag(x[:, 0:3]), lambda m, s: np.diag(m[:, 0:3])),
    ('cast', lambda x: sparse.cast(x, 'float64'), lambda m, s: m),
    ('properties', lambda x: sparse.CSR(*sparse.csm_properties(x)) if x.format == 'csr' else sparse.CSC(*sparse.csm_properties(x)), lambda m, s: m),
    ('ones_like', lambda x: sparse.sp_ones_like(x) * x, None),
    ('conj', lambda x: sparse.conj(x), lambda m, s: m),
]
for name, f in [('sigmoid', lambda v: 1 / (1 + np.exp(-v))), ('exp', np.exp)]:
    cases.append(('structured_' + name, lambda x, name=name: getattr(sparse, 'structured_' + name)(x), lambda m, s, f=f: f(m) * s))
for name in ['sin', 'tan', 'arcsin', 'arctan', 'sinh', 'arcsinh', 'tanh', 'arctanh', 'log1p', 'expm1', 'deg2rad', 'rad2deg', 'sqrt', 'rint', 'ceil', 'floor', 'trunc']:
    cases.append((name, lambda x, name=name: getattr(sparse, name)(x), lambda m, s, name=name: getattr(np, name)(m)))
cases.append(('sqr', lambda x: sparse.sqr(x), lambda m, s: m * m))
cases.append(('sgn', lambda x: sparse.sgn(x), lambda m, s: np.sign(m)))
cases.append(('log', lambda x: sparse.structured_log(sparse.structured_add(x, 1.0)), lambda m, s: np.log1p(m)))
cases.append(('pow', lambda x: sparse.structured_pow(x, 3.0), lambda m, s: m ** 3))
cases.append(('minimum', lambda x: sparse.structured_minimum(x, 0.3), lambda m, s: np.minimum(m, 0.3) * s))
cases.append(('maximum', lambda x: sparse.structured_maximum(x, 0.3), lambda m, s: np.maximum(m, 0.3) * s))

# What acts on stored elements one by one is another function where an element is stored in two parts.
by_element = ['add itself', 'add vector', 'ones_like', 'sqr', 'log', 'pow', 'minimum', 'maximum', 'structured_sigmoid', 'structured_exp', 'sin', 'tan', 'arcsin', 'arctan', 'sinh',
              'arcsinh', 'tanh', 'arctanh', 'log1p', 'expm1', 'sqrt', 'rint', 'ceil', 'floor', 'trunc', 'sgn']


# Functions whose gradient is that of the matrix written out.
regular = ['dot', 'dot of a vector', 'dot from the left', 'dot of a vector from the left', 'theano.dot', '@', 'T dot', 'sparse dot',
           'true_dot', 'true_dot from the left', 'true_dot of itself', 'usmm', 'sum', 'sum 0', 'diag']

# Values and gradients of all of them.
for form in ['csr', 'csc']:
    for name, build, model in cases:
        x = sparse.matrix(form, name='x', dtype='float64')
        y = build(x)
        f = theano.function([x], y, name=name)
        cost = total(y)
        g = theano.function([x], [cost, theano.grad(cost, x, disconnected_inputs='ignore')], on_unused_input='ignore', name='gradient of ' + name)
        for k, m in enumerate(matrices(form)):
            stored = m.copy()
            stored.data = np.ones(stored.data.shape)
            if model is not None and not (k == 2 and name in by_element):
                close(f(m), model(m.toarray(), np.minimum(stored.toarray(), 1)), '%s of %s %d' % (name, form, k))

            def at(data):
                z = m.copy()
                z.data = data
                return float(g(z)[0])
            gradient = g(m)[1]
            assert gradient.format == form
            if gradient.indices.tolist() == m.indices.tolist():
                of_stored = gradient.data
            else:  # it has places where nothing is stored too
                assert name in regular, name
                dense, lines = gradient.toarray(), np.repeat(np.arange(len(m.indptr) - 1), np.diff(m.indptr))
                of_stored = dense[lines, m.indices] if form == 'csr' else dense[m.indices, lines]
            close(of_stored, differences(at, m.data), 'gradient of %s of %s %d' % (name, form, k), 1e-4)
    print(form, len(cases), 'functions and their gradients')


# The gradients of dense operands.
for form in ['csr', 'csc']:
    m = matrices(form)[2]
    for name, build, value in [('dot', lambda w: sparse.dot(m, w), W), ('from the left', lambda w: sparse.dot(w, m), D.T), ('vector', lambda w: sparse.dot(m, w), row), ('mul', lambda w: m_var * w, D),
                               ('add', lambda w: w + m_var, D), ('col_scale', lambda w: sparse.col_scale(m_var, w), row), ('row_scale', lambda w: sparse.row_scale(m_var, w), col),
                               ('from dense', lambda w: sparse.csc_from_dense(w), D), ('sampling x', lambda w: sparse.sampling_dot(w, W, m_var), np.round(rng.uniform(size=(3, 2)), 3)),
                               ('sampling y', lambda w: sparse.sampling_dot(np.ones((3, 2)), w, m_var), W), ('diagonal', lambda w: sparse.square_diagonal(w), row)]:
        m_var = sparse.as_sparse_variable(m)
        w = T.TensorType('float64', (None,) * value.ndim)('w')
        cost = total(build(w))
        g = theano.function([w], [cost, theano.grad(cost, w)])
        flat = value.reshape(-1)
        want = differences(lambda v: float(g(v.reshape(value.shape))[0]), flat)
        close(g(value)[1].reshape(-1), want, 'gradient of the dense operand of ' + name, 1e-4)
        again = theano.function([w], theano.grad(theano.grad(cost, w).sum(), w, disconnected_inputs='ignore'))
        close(again(value).reshape(-1), differences(lambda v: float(g(v.reshape(value.shape))[1].sum()), flat), 'second derivative of ' + name, 1e-3)
print('dense operands')


# The dot of samples, and the pieces of a matrix.
x, y = T.matrix('x'), T.matrix('y')
for form in ['csr', 'csc']:
    p = matrices(form)[0]
    f = theano.function([x, y], sparse.sampling_dot(x, y, p))
    a, b = rng.uniform(size=(3, 5)), rng.uniform(size=(4, 5))
    close(f(a, b), p.toarray() * a.dot(b.T), 'sampling_dot')
    q = sparse.matrix(form, 'q')
    parts = theano.function([q], list(sparse.csm_properties(q)) + [q.shape, q.size])(p)
    assert parts[0].tolist() == p.data.tolist() and parts[1].tolist() == p.indices.tolist() and parts[2].tolist() == p.indptr.tolist()
    assert parts[3].tolist() == [3, 4] and parts[4].tolist() == [3, 4] and parts[5] == p.nnz
    assert parts[1].dtype == 'int32' and parts[3].dtype == 'int32'
    print(form, parts[1].tolist(), parts[2].tolist())
d = T.vector('d')
close(theano.function([d], sparse.square_diagonal(d))(row), np.diag(row), 'square_diagonal')
q = sparse.csr_matrix('q')
for name in ['eq', 'neq', 'lt', 'le', 'gt', 'ge']:
    model = {'eq': np.equal, 'neq': np.not_equal, 'lt': np.less, 'le': np.less_equal, 'gt': np.greater, 'ge': np.greater_equal}[name]
    m = matrices('csr')[0]
    close(theano.function([q], getattr(sparse, name)(q, other))(m), model(m.toarray(), other.toarray()), name)
    close(theano.function([q], getattr(sparse, name)(q, D))(m), model(m.toarray(), D), name + ' dense')
close(theano.function([q], sparse.sp_zeros_like(q))(other), np.zeros((3, 4)), 'zeros')


# Other element types.
for dtype in ['float32', 'int64', 'int32', 'int8']:
    m = (matrices('csr')[0] * 8).astype(dtype)
    q = sparse.csr_matrix('q', dtype=dtype)
    w = T.TensorType(dtype, (None, None))('w')
    f = theano.function([q, w], [sparse.dot(q, w), q + q, q * q, sparse.sp_sum(q, axis=0), sparse.true_dot(q, q.T)])
    out = f(m, np.ones((4, 2), dtype=dtype))
    for got, want in zip(out, [m.toarray().dot(np.ones((4, 2), dtype=dtype)), 2 * m.toarray(), m.toarray() ** 2, m.toarray().sum(axis=0), m.toarray().dot(m.toarray().T)]):
        close(got, want, dtype, 1e-5)
    print(dtype, out[0].dtype, out[1].dtype, out[2].dtype)


# What is not finite, and nothing at all.
q, w = sparse.csr_matrix('q'), T.matrix('w')
f = theano.function([q, w], sparse.dot(q, w))
print(f(sp.csr_matrix([[np.nan, 0.0], [0.0, np.inf]]), np.array([[1.0], [2.0]])).tolist())
print(f(sp.csr_matrix((0, 3)), np.ones((3, 2))).shape, f(sp.csr_matrix((3, 0)), np.ones((0, 2))).tolist())


# Matrices that stay.
S = sparse.shared(matrices('csr')[0], name='S')
w = theano.shared(W, name='w')
cost = T.sqr(sparse.structured_dot(S, w) - 1).sum()
gS, gw = theano.grad(cost, [S, w])
step = theano.function([], cost, updates=[(S, S - 0.1 * gS), (w, w - 0.1 * gw)])
costs = [float(step()) for k in range(30)]
assert costs[-1] < costs[0] / 3 and S.get_value().nnz == 4
print(S.get_value().indices.tolist(), round(costs[0], 4))
S.set_value(other)
close(theano.function([], S.toarray())(), other, 'set_value')
x = sparse.csr_matrix('x')
close(theano.function([], x * 2.0, givens={x: S})(), 2 * other.toarray(), 'givens')
close((x + x).eval({x: other}), 2 * other.toarray(), 'eval')
f = theano.function([theano.In(x, name='m'), T.scalar('k')], {'a': x * 3.0, 'b': T.constant(1.0)}, on_unused_input='ignore')
close(f(k=1.0, m=other)['a'], 3 * other.toarray(), 'keywords')


# Every kernel beside its reference.
checked = theano.function([x], [sparse.dot(x, W), sparse.true_dot(x, x.T), x + other, x * other, sparse.sp_sum(x, axis=1), theano.grad(total(sparse.true_dot(x, x.T)), x)],
                          mode=theano.compile.DebugMode())
for m in matrices('csr'):
    checked(m)
print('checked')
