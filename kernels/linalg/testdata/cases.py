"""Writes cases.json: what numpy.linalg (1.24) and scipy.linalg.expm compute.

    python3 cases.py > cases.json

A case is the operation, its parameter, its arguments, and the results or the error of NumPy. A matrix is its rows, its columns
and its elements; a vector has one column, a number is a vector of one.
"""
import json
import warnings
import numpy as np
import numpy.linalg as la
from scipy.linalg import expm

warnings.simplefilter('ignore')
rng = np.random.RandomState(7)
inf, nan = np.inf, np.nan
cases = []


def matrix(a):
    a = np.asarray(a, dtype=float)
    rows = a.shape[0] if a.ndim else 1
    cols = a.shape[1] if a.ndim == 2 else 1
    return {'rows': rows, 'cols': cols, 'data': ' '.join(repr(float(x)) for x in a.ravel())}


def case(op, f, *args, param=''):
    c = {'op': op, 'param': param, 'args': [matrix(a) for a in args]}
    try:
        want = f(*[np.asarray(a, dtype=float) for a in args])
        c['want'] = [matrix(w) for w in (want if isinstance(want, tuple) else (want,))]
        if any(np.iscomplexobj(w) for w in (want if isinstance(want, tuple) else (want,))):
            c = {**c, 'want': [], 'error': 'complex'}
    except (la.LinAlgError, ValueError) as e:
        c['error'] = str(e)
    cases.append(c)


def random(m, n):
    return rng.randint(-50, 50, (m, n)) / 8


def comparable(a, order):
    """Whether theory, and not rounding or an overflow on the way, says what the norm and the condition number are."""
    a = np.asarray(a, dtype=float)
    if a.size == 0 or np.isnan(np.sum(a)) or not np.any(a) and order != 'nuc':
        return True
    if order == 'fro':
        return 1e-150 < np.min(np.abs(a[a != 0])) and np.max(np.abs(a)) < 1e150
    return order not in (2, -2, 'nuc') or la.matrix_rank(a) == min(a.shape)


def symmetric(n):
    a = random(n, n)
    return a + a.T


square = [random(n, n) for n in (1, 2, 3, 5, 8)] + [
    [[1, 2], [3, 4]], np.eye(3) * 2, [[1, 2], [2, 4]], np.zeros((2, 2)), np.zeros((0, 0)), [[0, 1], [1, 0]], random(2, 3),
    [[1e100, 0], [0, 1e200]],
    [[nan, 1], [1, 2]], [[4, 1e-300], [1e-300, 1e-300]], np.diag([3., 1, 2]), np.arange(9).reshape(3, 3) + np.eye(3)]
for a in square:
    case('inv', la.inv, a)
    case('det', la.det, a)
    case('slogdet', la.slogdet, a)
    n = len(a)
    case('solve', la.solve, a, random(n, 1)[:, 0] if n else np.zeros(0))
    case('solve', la.solve, a, random(n, 2))
case('solve', la.solve, np.eye(2), np.ones((3, 1)))

for n in (0, 1, 2, 4, 7):
    b = random(n, n)
    case('cholesky', la.cholesky, b @ b.T + np.eye(n))
case('cholesky', la.cholesky, [[1, 99], [0.5, 2]])
case('cholesky', la.cholesky, [[1, 2], [2, 1]])
case('cholesky', la.cholesky, [[0, 0], [0, 0]])
case('cholesky', la.cholesky, random(2, 3))

for a in [random(4, 3), random(3, 4), random(3, 3), random(1, 5), random(5, 1), np.zeros((2, 3)), np.zeros((0, 3)),
          np.zeros((3, 0)), np.zeros((0, 0))]:
    case('qr', lambda x: la.qr(x), a, param='reduced')
    case('qr', lambda x: la.qr(x, 'complete'), a, param='complete')
    case('qr', lambda x: la.qr(x, 'r'), a, param='r')

tall = [random(4, 3), random(3, 4), random(3, 3), random(1, 5), random(5, 1), random(9, 7), random(2, 9), random(40, 3),
        random(3, 40), np.zeros((2, 3)), np.zeros((0, 3)), np.zeros((3, 0)), np.zeros((0, 0)),
        np.ones((3, 2)), np.outer([1, 2, 3], [4, 5, 6, 7]), random(4, 3) * 1e-200, random(4, 3) * 1e200, [[nan, 1], [1, 2]]]
for a in tall:
    m, n = np.shape(a)
    case('svdvals', lambda x: la.svd(x, compute_uv=False), a)
    if m * n == 0 or np.isnan(np.sum(a)) or la.matrix_rank(a) == min(m, n):
        case('svd', lambda x: la.svd(x, full_matrices=False), a, param='reduced')
        case('svd', lambda x: la.svd(x), a, param='full')
    case('pinv', lambda x: la.pinv(x, 1e-15), a, param='1e-15')
    case('pinv', lambda x: la.pinv(x, 0.2), a, param='0.2')
    if m * n:
        case('matrix_rank', la.matrix_rank, a, param='-1')
        case('matrix_rank', lambda x: la.matrix_rank(x, 1.0), a, param='1')
    for rcond in (-1, 1e-10, 0.5):
        if not np.isnan(np.sum(a)):
            case('lstsq', lambda x, y: la.lstsq(x, y, rcond=rcond), a, random(m, 2), param=repr(rcond))
    for order in ('fro', 'nuc', 1, -1, 2, -2, inf, -inf):
        if comparable(a, order):
            case('norm', lambda x: la.norm(x, order), a, param=str(order))
    case('norm', lambda x: la.norm(x, 3), a, param='3')
for a in square + tall:
    for order in ('fro', 'nuc', 1, -1, 2, -2, inf, -inf):
        if comparable(a, order):
            case('cond', lambda x: la.cond(x, order), a, param=str(order))

for v in [[3, 4], [0, -3, 4], [], [-1.5, 2.25, 1e-3, 7, -8, 0.5, 11, 3, 9, 1], [nan, 1], [inf, -1], [-2]]:
    for order in (0, 1, 2, 3, -1, 0.5, -2, inf, -inf):
        case('vectornorm', lambda x: la.norm(x, order), v, param=str(order))

for n in (0, 1, 2, 3, 6, 12):
    a = symmetric(n)
    case('eigh', la.eigh, a, param='L')
    case('eigh', lambda x: la.eigh(x, 'U'), np.triu(a), param='U')
    case('eigvalsh', la.eigvalsh, np.tril(a), param='L')
    case('eig', la.eig, a)
    case('eigvals', la.eigvals, np.triu(a))
case('eigh', la.eigh, random(2, 3), param='L')
for a in ([[0, 1], [-1, 0]], [[2, 0], [0, 1]], [[1, 2], [3, 4]], [[4, 1, 0], [2, 3, 1], [0, 1, 2]], np.diag([1, 2, 3]),
          random(2, 3), [[nan, 1], [1, 2]], [[1, inf], [1, 2]], [[0.5, 0.25, 0.25], [0.2, 0.6, 0.2], [0.1, 0.3, 0.6]]):
    case('eig', la.eig, a)
    case('eigvals', la.eigvals, a)

for a in [np.zeros((2, 2)), np.eye(2), [[0, 1], [0, 0]], [[0, -1], [1, 0]], random(3, 3), random(5, 5) / 64, random(4, 4) * 4,
          np.zeros((0, 0)), [[-700, 3], [2, -5]]]:
    case('expm', lambda x: expm(x) if x.size else x, a)

print('[')
print(',\n'.join(json.dumps(c) for c in cases))
print(']')
