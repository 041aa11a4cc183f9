"""Sparse matrices as values: what SciPy computes of them, for every format and element type, with what is odd about a matrix."""
from __future__ import print_function

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csr_matrix, isspmatrix_csc


def show(name, m):
    """Prints a matrix: dense or sparse."""
    if sp.issparse(m):
        print(name, m.format, m.dtype.name, m.shape, np.round(m.toarray(), 5).tolist())
    else:
        print(name, np.asarray(m).dtype.name, np.round(np.asarray(m), 5).tolist())


def odd(form, dtype):
    """Matrices of 3 rows and 4 columns: plain, unsorted with duplicates, with stored zeros, without elements."""
    make = sp.csr_matrix if form == 'csr' else sp.csc_matrix
    plain = make(np.array([[1, 0, 2, 0], [0, 0, 0, 0], [0, 3, 0, 4]], dtype=dtype))
    row, col = np.array([2, 0, 0, 2, 0]), np.array([3, 2, 0, 1, 2])
    coords = make((np.array([1, 2, 3, 4, 5], dtype=dtype), (row, col)), shape=(3, 4))
    if form == 'csr':
        twice = make((np.array([5, 6, 7, 8], dtype=dtype), np.array([3, 0, 0, 2]), np.array([0, 3, 3, 4])), shape=(3, 4))
    else:
        twice = make((np.array([5, 6, 7, 8], dtype=dtype), np.array([2, 0, 0, 1]), np.array([0, 3, 3, 4, 4])), shape=(3, 4))
    zeros = make((np.array([0, 1, 0], dtype=dtype), np.array([0, 2, 1]), plain.indptr * 0 + np.minimum(np.arange(plain.indptr.shape[0]), 3)), shape=(3, 4))
    return [plain, coords, twice, zeros, make((3, 4), dtype=dtype)]


def values(form, dtype):
    """All of it for one format and one type."""
    dense = (np.arange(8).reshape(4, 2) - 3).astype(dtype)
    whole = (np.arange(12).reshape(3, 4) + 1).astype(dtype)
    weights = np.array([1, 2, 3], dtype=dtype)
    other = sp.csr_matrix(np.array([[0, 1, 1, 0], [2, 0, 0, 0], [0, 3, 0, 0]], dtype=dtype))
    for k, m in enumerate(odd(form, dtype)):
        print(form, dtype, k, m.nnz, m.size, m.ndim, m.getnnz(), m.count_nonzero(), m.has_sorted_indices == True)
        print(m.data.tolist(), m.indices.tolist(), m.indptr.tolist(), m.indices.dtype.name)
        show('dense', m.toarray())
        show('dot', m.dot(dense))
        show('@', m @ dense)
        show('vector', m * np.array([1, 2, 3, 4], dtype=dtype))
        show('left', weights @ m)
        show('wide', np.ones((2, 3), dtype=dtype) @ m)
        show('sum', m + other)
        show('difference', m - other)
        show('with dense', m + whole)
        show('product', m @ other.T)
        show('star', m * other.T.tocsc())
        show('multiply', m.multiply(other))
        show('by dense', m.multiply(whole).tocsr())
        show('by row', m.multiply(np.array([[1, 2, 3, 4]], dtype=dtype)).tocsr())
        show('by column', m.multiply(np.array([[1], [2], [3]], dtype=dtype)).tocsr())
        show('by number', m.multiply(2))
        show('twice', 2 * m)
        show('negative', -m)
        show('T', m.T)
        show('csr', m.tocsr())
        show('csc', m.tocsc())
        show('rows', m[1:])
        show('part', m[::2, 1:3])
        show('back', m[::-1])
        show('columns', m[:, [3, 0, 0]])
        show('list', m[[2, 0]])
        show('row', m.getrow(2))
        show('column', m.getcol(-1))
        print(m[0, 2], m[-1, -1], m[1, 1])
        print(m.sum(), np.asarray(m.sum(axis=0)).tolist(), np.asarray(m.sum(axis=1)).tolist(), round(float(m.mean()), 5))
        print(m.diagonal().tolist())
        show('absolute', abs(m))
        show('power', m.power(2))
        show('stack', sp.vstack([m, other]))
        show('beside', sp.hstack([m, other], format='csc'))
        copied = m.copy()
        copied.eliminate_zeros()
        print('without zeros', copied.nnz)
        copied.sum_duplicates()
        print('canonical', copied.nnz, copied.indices.tolist(), copied.data.tolist(), copied.has_canonical_format == True)
        ordered = m.sorted_indices()
        show('sorted', ordered)
        rows, columns = m.nonzero()
        print(sorted(zip(rows.tolist(), columns.tolist())))


for form in ['csr', 'csc']:
    for dtype in ['float64', 'float32', 'int64', 'int32', 'int8', 'uint8']:
        values(form, dtype)


# What is not finite.
for form in ['csr', 'csc']:
    m = csr_matrix(np.array([[np.nan, 0.0, np.inf], [0.0, -np.inf, 1.0]])).asformat(form)
    show('product', m @ np.array([[1.0], [2.0], [1.0]]))
    show('sqrt', abs(m).sqrt())
    show('sum', m.sum(axis=0))
    show('tanh', m.tanh())
    show('sign', csr_matrix([[-2.0, 0.0, 3.0]]).sign())
    show('floor', csr_matrix([[-2.5, 0.0, 3.5]]).floor())


# Nothing in it.
for shape in [(0, 3), (3, 0), (1, 1)]:
    m = csr_matrix(shape)
    print(repr(m))
    show('dot', m @ np.ones((shape[1], 2)))
    show('T', m.T)
    print(m.sum(), m.nnz)


# How they print.
small = csr_matrix(np.array([[0, 1.5], [2, 0]]))
print(small)
print(repr(small), repr(small.tocsc()), repr(small.tocoo()))
print(csr_matrix(np.eye(60)))
print(isspmatrix_csc(small), isspmatrix_csc(small.T), sp.issparse(small), sp.issparse(3), sp.isspmatrix(small))


# Constructors.
show('eye', sp.eye(3, 4, k=1, format='csr'))
show('identity', sp.identity(2, format='csc'))
show('diags', sp.diags([[1, 2, 3], [4, 5]], [0, 1], format='csr'))
show('one diagonal', sp.diags([1, 2, 3], 1, format='csr'))
show('numbers', sp.diags([1, -2, 1], [-1, 0, 1], shape=(4, 4), format='csr'))
show('random', sp.random(5, 6, density=0.3, random_state=3, format='csr'))
show('seeded', sp.random(4, 4, density=0.5, random_state=np.random.RandomState(7), format='csc', dtype='float32'))
np.random.seed(11)
show('global', sp.random(3, 5, density=0.4, format='csr'))
show('drawn', sp.random(3, 3, density=0.6, random_state=1, format='csr', data_rvs=lambda n: np.arange(n) + 1.0))
coo = sp.coo_matrix(([1, 2, 3], ([0, 1, 1], [2, 0, 0])), shape=(2, 3))
print(coo.row.tolist(), coo.col.tolist(), coo.nnz, coo.tocsr().nnz)
show('coo', coo)
show('typed', csr_matrix([[1, 0], [0, 2]], dtype='float32'))
show('of a list', csr_matrix([1, 2, 0]))
changed = csr_matrix([[1.0, 0.0], [0.0, 2.0]])
changed.data *= 3
show('changed', changed)
changed.data = np.array([7.0, 8.0])
show('assigned', changed.astype('int32'))
