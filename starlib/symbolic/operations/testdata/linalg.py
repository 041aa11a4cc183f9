"""Writes linalg.jsonl beside it: expressions of T, their operands, and what NumPy and SciPy compute: python3 linalg.py > linalg.jsonl"""

import json

import numpy as np
import scipy.linalg as sl

rnd = np.random.RandomState(7)


def show(x):
    x = np.asarray(x)
    return [str(x.dtype), list(x.shape), [float("%.15g" % v) for v in x.astype(float).ravel()]]


def case(expression, value, tol=1e-10, **operands):
    print(json.dumps([expression, {k: show(v) for k, v in operands.items()}, show(value), tol]))


def each(f, *stacks):
    """f of every matrix of stacks."""
    return np.array([f(*parts) for parts in zip(*stacks)])


for n in (1, 2, 4):
    a = rnd.normal(size=(n, n)) + n * np.eye(n)
    s = a @ a.T
    v, b = rnd.normal(size=n), rnd.normal(size=(n, 2))
    stack, cols = np.stack([a, 2 * a + 1]), np.stack([b, b - 3])
    sym = np.stack([s, s + np.eye(n)])
    tri = np.tril(a)
    case("T.nlinalg.matrix_inverse(a)", np.linalg.inv(a), a=a)
    case("T.linalg.inv(a)", np.linalg.inv(stack), a=stack)
    case("T.linalg.inv(a)", np.linalg.inv(a.astype("float32")), 1e-4, a=a.astype("float32"))
    case("T.nlinalg.det(a)", np.linalg.det(a), a=a)
    case("T.nlinalg.det(a)", np.linalg.det(stack), a=stack)
    case("T.linalg.slogdet(a)[0]", np.linalg.slogdet(-a)[0], a=-a)
    case("T.linalg.slogdet(a)[1]", np.linalg.slogdet(stack)[1], a=stack)
    case("T.slinalg.cholesky(a)", sl.cholesky(s, lower=True), a=s)
    case("T.slinalg.cholesky(a, lower=False)", sl.cholesky(s, lower=False), a=s)
    case("T.slinalg.cholesky(a)", np.linalg.cholesky(sym), a=sym)
    case("T.slinalg.cholesky(a)", np.linalg.cholesky(np.tril(s)), a=np.tril(s))
    case("T.slinalg.cholesky(a, on_error=\"nan\")", np.full((n, n), np.nan), a=-s)
    case("T.slinalg.solve(a, b)", sl.solve(a, v), a=a, b=v)
    case("T.slinalg.solve(a, b)", sl.solve(a, b), a=a, b=b)
    case("T.slinalg.solve(a, b)", each(sl.solve, stack, cols), a=stack, b=cols)
    case("T.slinalg.solve(a, b, b_ndim=2)", each(lambda m: sl.solve(m, b), stack), a=stack, b=b)
    case("T.slinalg.solve(a, b, b_ndim=1)", each(lambda m: sl.solve(m, v), stack), a=stack, b=v)
    case("T.linalg.solve(a, b, transposed=True)", sl.solve(a.T, v), a=a, b=v)
    for lower in (False, True):
        half = np.tril(s) if lower else np.triu(s)
        for kind in ("sym", "pos", "her"):
            case("T.linalg.solve(a, b, assume_a=\"%s\", lower=%s)" % (kind, lower), sl.solve(s, b), a=half, b=b)
        case("T.linalg.cho_solve((T.linalg.cholesky(a, lower=%s), %s), b)" % (lower, lower), sl.cho_solve(sl.cho_factor(s), v), a=s, b=v)
        for trans in (0, 1):
            for unit in (False, True):
                case("T.linalg.solve_triangular(a, b, trans=%d, lower=%s, unit_diagonal=%s)" % (trans, lower, unit),
                     sl.solve_triangular(a, b, trans=trans, lower=lower, unit_diagonal=unit), 1e-8, a=a, b=b)
    case("T.slinalg.solve_symmetric(a, b)", sl.solve(s, b), a=np.triu(s), b=b)
    case("T.slinalg.solve_lower_triangular(a, b)", sl.solve_triangular(a, v, lower=True), a=a, b=v)
    case("T.slinalg.solve_upper_triangular(a, b)", sl.solve_triangular(a, v), a=a, b=v)
    for m in (n, n + 2, max(1, n - 2)):
        w = rnd.normal(size=(m, n))
        for i, part in enumerate(sl.lu(w)):
            case("T.linalg.lu(a)[%d]" % i, part, a=w)
        case("T.linalg.lu(a, permute_l=True)[0]", sl.lu(w, permute_l=True)[0], a=w)
        p = sl.lu(w)[0]
        case("T.linalg.lu(a, p_indices=True)[0]", np.argmax(p, axis=1).astype("int64"), a=w)
        case("T.linalg.lu(T.stack([a, a]))[0]", np.stack([p, p]), a=w)
        case("T.nlinalg.pinv(a)", np.linalg.pinv(w), 1e-8, a=w)
        q, r = np.linalg.qr(w)
        case("T.nlinalg.qr(a)[0]", q, a=w)
        case("T.nlinalg.qr(a)[1]", r, a=w)
        case("T.nlinalg.qr(a, mode=\"r\")", r, a=w)
        case("T.nlinalg.qr(a, mode=\"complete\")[1]", np.linalg.qr(w, mode="complete")[1], a=w)
        case("T.nlinalg.svd(a, compute_uv=False)", np.linalg.svd(w, compute_uv=False), a=w)
        case("T.abs(T.nlinalg.svd(a, full_matrices=False)[0])", np.abs(np.linalg.svd(w, full_matrices=False)[0]), 1e-8, a=w)
        case("T.abs(T.nlinalg.svd(a)[2])[:%d]" % min(m, n), np.abs(np.linalg.svd(w)[2][:min(m, n)]), 1e-8, a=w)
        case("T.nlinalg.lstsq(a, b, None)[0]", np.linalg.lstsq(w, np.arange(m) + 1.0, rcond=None)[0], 1e-8, a=w, b=np.arange(m) + 1.0)
        case("T.nlinalg.lstsq(a, b, None)[3]", np.linalg.lstsq(w, np.ones(m), rcond=None)[3], a=w, b=np.ones(m))
    case("T.linalg.lu_factor(a)[0]", sl.lu_factor(a)[0], a=a)
    case("T.linalg.lu_factor(a)[1]", sl.lu_factor(a)[1], a=a)
    case("T.linalg.lu_solve(T.linalg.lu_factor(a), b)", sl.solve(a, b), 1e-8, a=a, b=b)
    case("T.linalg.lu_solve(T.linalg.lu_factor(a), b, trans=1)", sl.solve(a.T, v), 1e-8, a=a, b=v)
    case("T.linalg.lu_solve(T.linalg.lu_factor(a), b, trans=1)", each(lambda m, c: sl.solve(m.T, c), stack, cols), 1e-8, a=stack, b=cols)
    case("T.linalg.lu_solve(T.linalg.lu_factor(a), b)", each(sl.solve, stack, cols), 1e-8, a=stack, b=cols)
    case("T.nlinalg.eigh(a)[0]", np.linalg.eigh(s)[0], 1e-8, a=s)
    case("T.abs(T.nlinalg.eigh(a, \"U\")[1])", np.abs(np.linalg.eigh(s)[1]), 1e-7, a=np.triu(s))
    case("T.slinalg.eigvalsh(a)", np.linalg.eigvalsh(s), 1e-8, a=np.tril(s))
    case("T.slinalg.eigvalsh(a, None, False)", np.linalg.eigvalsh(s), 1e-8, a=np.triu(s))
    for lower in (True, False):
        half = np.tril if lower else np.triu
        case("T.slinalg.eigvalsh(a, b, lower=%s)" % lower, sl.eigvalsh(a + a.T, s), 1e-7, a=half(a + a.T), b=half(s))
    case("T.sort(T.nlinalg.eig(a)[0])", np.sort(np.linalg.eigvals(s)), 1e-8, a=s)
    case("T.slinalg.expm(a)", sl.expm(a / 4), 1e-10, a=a / 4)
    case("T.slinalg.expm(a)", each(sl.expm, stack / 4), 1e-9, a=stack / 4)
    for power in (-3, -1, 0, 1, 2, 5, 6):
        case("T.nlinalg.matrix_power(a, %d)" % power, np.linalg.matrix_power(a, power), a=a)
        case("T.nlinalg.matrix_power(a, %d)" % power, np.linalg.matrix_power(stack, power), a=stack)
    case("T.nlinalg.trace(a)", np.trace(a), a=a)
    case("T.slinalg.kron(a, b)", np.kron(a, b), a=a, b=b)
    case("T.linalg.block_diag(a, b, a)", sl.block_diag(a, b, a), a=a, b=b)
    case("T.linalg.block_diag(a, b)", each(sl.block_diag, stack, cols), a=stack, b=cols)
    case("T.nlinalg.matrix_dot(a, b, b.T, c)", a @ b @ b.T @ v, a=a, b=b, c=v)
    for order in (None, "fro", 1, -1, 2, -2, np.inf, -np.inf, "nuc"):
        text = {np.inf: "np.inf", -np.inf: "-np.inf"}.get(order, json.dumps(order) if order is not None else "None")
        case("T.nlinalg.norm(a, %s)" % text, np.linalg.norm(b, order), a=b)
        case("T.nlinalg.norm(a, %s, axis=(1, 0), keepdims=True)" % text, np.linalg.norm(b, order, axis=(1, 0), keepdims=True), a=b)
        if order is not None:
            case("T.nlinalg.norm(a, %s, axis=(2, 0))" % text, np.linalg.norm(stack, order, axis=(2, 0)), a=stack)
    for order in (None, 0, 0.5, 1, 2, 3, np.inf, -np.inf, -2):
        text = {np.inf: "np.inf", -np.inf: "-np.inf"}.get(order, str(order))
        case("T.nlinalg.norm(a, %s)" % text, np.linalg.norm(v, order), a=v)
        case("T.nlinalg.norm(a, %s, axis=1)" % text, np.linalg.norm(stack, order, axis=1), a=stack)
    case("T.dot(a, b)", np.dot(stack, b), a=stack, b=b)
    case("T.dot(a, b)", np.dot(v, cols), a=v, b=cols)
    case("T.dot(a, b)", np.dot(stack, cols), a=stack, b=cols)
    case("T.vecdot(a, b)", np.einsum("...i,...i->...", stack, v), a=stack, b=v)
    case("T.matvec(a, b)", np.einsum("...ij,...j->...i", stack, v), a=stack, b=v)
    case("T.vecmat(a, b)", np.einsum("...i,...ij->...j", v, stack), a=v, b=stack)
    case("T.batched_dot(a, b)", np.einsum("bij,bjk->bik", stack, cols), a=stack, b=cols)
    case("T.batched_tensordot(a, b, 1)", np.einsum("bij,bjk->bik", stack, cols), a=stack, b=cols)
    case("T.batched_tensordot(a, b, 2)", np.einsum("bij,bij->b", stack, stack), a=stack, b=stack)
    case("T.batched_tensordot(a, b, 0)", np.einsum("bij,bkl->bijkl", cols, cols), a=cols, b=cols)
    case("T.batched_tensordot(a, b, [[1], [1]])", np.einsum("bij,bik->bjk", stack, cols), a=stack, b=cols)
    case("T.tensordot(a, b, [[1, 0], [0, 1]])", np.tensordot(a, a, [[1, 0], [0, 1]]), a=a, b=a)
    case("T.tensordot(a, b, 1)", np.tensordot(stack, b, 1), a=stack, b=b)
    for k in (-2, 0, 1):
        d = np.array([np.diag(x, k) for x in (v, v + 1)])
        case("T.alloc_diag(a, %d, 1, 2)" % k, d, a=np.stack([v, v + 1]))
        case("T.alloc_diag(a, %d, -1, 0)" % k, np.transpose(d, (2, 0, 1)), a=np.stack([v, v + 1]))
    case("T.extract_diag(a, 0, 1, 2)", np.diagonal(stack, 0, 1, 2), a=stack)

t = rnd.normal(size=(4, 6, 8, 3))
case("T.nlinalg.tensorinv(a)", np.linalg.tensorinv(t), 1e-7, a=t)
t = rnd.normal(size=(24, 8, 3))
case("T.nlinalg.tensorinv(a, 1)", np.linalg.tensorinv(t, 1), 1e-7, a=t)
case("T.nlinalg.tensorsolve(a, b)", np.linalg.tensorsolve(t, np.arange(24.0)), 1e-7, a=t, b=np.arange(24.0))
t = rnd.normal(size=(2, 6, 3))
case("T.nlinalg.tensorsolve(a, b, (0, 2))", np.linalg.tensorsolve(t, np.ones(6), (0, 2)), 1e-7, a=t, b=np.ones(6))
case("T.linalg.inv(a)", np.zeros((0, 0)), a=np.zeros((0, 0)))
case("T.linalg.det(a)", 1.0, a=np.zeros((0, 0)))
case("T.linalg.det(a)", np.ones(3), a=np.zeros((3, 0, 0)))
case("T.linalg.inv(a)", np.zeros((0, 3, 3)), a=np.zeros((0, 3, 3)))
case("T.linalg.svd(a, False)[0]", np.zeros((0, 0)), a=np.zeros((0, 3)))
case("T.linalg.svd(a)[2]", np.eye(3), a=np.zeros((0, 3)))
case("T.linalg.solve(a, b)", np.zeros((0, 2)), a=np.zeros((0, 0)), b=np.zeros((0, 2)))
case("T.linalg.eigh(a)[0]", np.zeros(0), a=np.zeros((0, 0)))
case("T.linalg.inv(a)", np.linalg.inv([[1, 2], [3, 4]]), a=np.array([[1, 2], [3, 4]]))
case("T.linalg.det(a)", 5.0, a=np.array([[2, 1], [1, 3]], dtype="int8"))
