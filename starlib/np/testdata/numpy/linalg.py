"""Linear algebra. What is determined up to a sign or a basis is compared by what it multiplies to."""

import numpy as np

from common import array

PRODUCTS = ["np.dot(A, B)", "np.matmul(A, B)", "A @ B", "np.inner(A, B)", "np.outer(A, B)", "np.vdot(A, B)",
            "np.tensordot(A, B, axes=1)", "np.tensordot(A, B, axes=0).shape", "np.kron(A, B)", "A.dot(B)"]
SHAPES = [(3,), (2, 3), (3, 2), (3, 3), (2, 2, 3), (2, 3, 2), (), (1, 3), (0,), (0, 3)]


def cases(f):
    rnd = f.rnd
    for a in SHAPES:
        for b in SHAPES:
            for product in rnd.sample(PRODUCTS, 3):
                left, right = ("np.arange(%d%s).reshape(%s)" % (np.prod(s, dtype=int), dot, s) for s, dot in ((a, ""), (b, ".0")))
                f.either("a = %s; b = %s; v = %s" % (left, right, product.replace("A", "a").replace("B", "b")))
    for a, b in [("int8", "uint8"), ("bool", "bool"), ("float32", "float32"), ("int32", "float32"), ("int64", "bool"),
                 ("uint64", "int64")]:
        f.exact("np.arange(3).astype('%s') @ np.ones(3, dtype='%s')" % (a, b),
                "np.dot(np.eye(2, dtype='%s'), np.eye(2, dtype='%s'))" % (a, b),
                "np.outer(np.array([0, 1], dtype='%s'), np.array([1, 1], dtype='%s'))" % (a, b),
                "np.inner(np.array([0, 1], dtype='%s'), np.array([1, 1], dtype='%s'))" % (a, b))
    for spec, operands in [("ij,jk->ik", "a, b"), ("ij->ji", "a"), ("ii", "c"), ("ii->i", "c"), ("ij->", "a"), ("ij->j", "a"),
                           ("ij,ij->ij", "a, a"), ("i,j->ij", "d, d"), ("ij,j->i", "a, d"), ("i,i", "d, d"), ("ij,jk", "a, b"),
                           ("ij,kj->ik", "a, a"),
                           ("...ij,...jk->...ik", "a, b"), ("bij,bjk->bik", "e, e"), ("bij->bji", "e"), ("ij,jk,kl->il", "a, b, a"),
                           ("ji", "a"), ("i...->...", "a"), ("ij,ij->i", "a, a"), ("i,i,i->i", "d, d, d"), ("bij,ij->b", "e, c")]:
        f.exact("a = np.arange(6).reshape(2, 3); b = a.T + 1; c = np.arange(9).reshape(3, 3); d = np.arange(3); "
                "e = np.arange(18).reshape(2, 3, 3); v = np.einsum('%s', %s)" % (spec, operands))
    for axes in ["1", "0", "2", "([1], [0])", "([0, 1], [1, 0])", "[[1], [0]]", "(1, 0)"]:
        f.either("a = np.arange(6).reshape(2, 3); v = np.tensordot(a, a.T, axes=%s)" % axes)

    # Matrices: general, symmetric and positive, of both types.
    for n in (1, 2, 3, 4, 6):
        for trial in range(3):
            for dtype in [None, "float32"] if trial == 0 else [None]:
                tol = 1e-4 if dtype else 1e-10
                a = "a = %s; " % array([round(rnd.uniform(-3, 3), 2) + (4 if i % (n + 1) == 0 else 0) for i in range(n * n)],
                                       (n, n), dtype)
                s = a + "a = a @ a.T; "
                f.near(*(a + "v = " + call for call in [
                    "np.linalg.inv(a)", "np.linalg.det(a)", "np.linalg.solve(a, np.arange(%d.0))" % n,
                    "np.linalg.solve(a, np.eye(%d))" % n, "np.linalg.norm(a)", "np.linalg.norm(a, 1)", "np.linalg.norm(a, np.inf)",
                    "np.linalg.norm(a, 2)",
                    "np.linalg.norm(a, 'nuc')", "np.linalg.norm(a, axis=0)", "np.linalg.norm(a, -1)", "np.linalg.cond(a)",
                    "np.linalg.slogdet(a)[1]", "np.linalg.slogdet(a)[0]", "np.linalg.svd(a, compute_uv=False)", "np.linalg.pinv(a)",
                    "np.linalg.matrix_power(a, 3)", "np.linalg.matrix_power(a, -1)", "np.linalg.matrix_power(a, 0)",
                    "np.abs(np.linalg.qr(a)[1])", "q, r = np.linalg.qr(a); v = q @ r",
                    "u, s, t = np.linalg.svd(a); v = (u * s) @ t",
                    "q, r = np.linalg.qr(a); v = np.round(q.T @ q, 3)", "np.linalg.lstsq(a, np.ones(%d), rcond=None)[0]" % n,
                    "a @ np.linalg.inv(a) - np.eye(%d) < 1e-3" % n, "np.linalg.multi_dot([a, a, a])", "np.trace(a)",
                ]), tol=tol)
                f.near(*(s + "v = " + call for call in [
                    "np.linalg.cholesky(a)", "np.linalg.eigvalsh(a)", "np.linalg.eigh(a)[0]",
                    "w, u = np.linalg.eigh(a); v = (u * w) @ u.T", "np.sort(np.linalg.eigvals(a))", "np.abs(np.linalg.eigh(a)[1])",
                    "w, u = np.linalg.eig(a); v = u @ np.diag(w) @ np.linalg.inv(u)",
                ]), tol=tol * 10)
                f.exact(a + "v = int(np.linalg.matrix_rank(a))")
    for m, n in [(4, 2), (2, 4), (5, 3), (3, 1)]:
        a = "a = %s; " % array([round(rnd.uniform(-3, 3), 2) for _ in range(m * n)], (m, n))
        f.near(*(a + "v = " + call for call in [
            "np.linalg.pinv(a)", "np.linalg.svd(a, compute_uv=False)",
            "u, s, t = np.linalg.svd(a, full_matrices=False); v = (u * s) @ t", "np.array(np.linalg.svd(a)[0].shape)",
            "q, r = np.linalg.qr(a); v = q @ r", "np.linalg.norm(a, 2)",
            "np.linalg.lstsq(a, np.ones(%d), rcond=None)[0]" % m, "np.abs(np.linalg.qr(a, mode='r'))",
            "np.array(np.linalg.qr(a, mode='complete')[0].shape)", "np.linalg.norm(a, axis=1, keepdims=True)",
            "np.linalg.lstsq(a, np.ones(%d), rcond=None)[1]" % m,
            "np.linalg.svd(a.T, compute_uv=False)",
        ]), tol=1e-9)
        f.exact(a + "v = int(np.linalg.matrix_rank(a))", a + "v = np.linalg.qr(a)[1].shape",
                a + "v = [x.shape for x in np.linalg.svd(a)]")
    for order in ["None", "1", "2", "np.inf", "-np.inf", "0", "3", "0.5"]:
        f.near("np.linalg.norm([3.0, -4.0, 0.0], %s)" % order, "np.linalg.norm([[1.0, 2.0], [-3.0, 0.5]], %s, axis=1)" % order,
               tol=1e-14)
    for order in ["'fro'", "1", "-1", "2", "-2", "np.inf", "-np.inf", "'nuc'"]:
        f.near("np.linalg.norm([[1.0, 2.0], [-3.0, 0.5]], %s)" % order,
               "np.linalg.norm(np.arange(8.0).reshape(2, 2, 2), %s, axis=(1, 2))" % order, tol=1e-12)
    f.near("np.linalg.inv(np.array([[[2.0, 0], [0, 4]], [[1, 1], [0, 1]]]))", "np.linalg.det(np.arange(8.0).reshape(2, 2, 2))",
           "np.linalg.solve(np.eye(2) * 2, [1, 3])", "np.linalg.inv([[2, 1], [1, 1]])", "np.linalg.norm([3, 4])",
           "np.linalg.norm(5.0)",
           "np.linalg.det([[1, 2], [2, 4]])", "np.linalg.det(np.zeros((0, 0)))", "np.linalg.pinv(np.zeros((2, 3)))",
           "np.linalg.cholesky([[4, 2], [2, 3]])", "np.linalg.eigvalsh([[2, 0], [0, 1]])",
           "np.linalg.solve([[3, 1], [1, 2]], [9, 8])", tol=1e-13)
    f.exact("np.dot([1, 2, 3], [4, 5, 6])", "np.dot([[1, 2], [3, 4]], [5, 6])", "np.dot(3, [1, 2])",
            "np.dot(np.arange(24.0).reshape(2, 3, 4), np.arange(4))",
            "np.dot(np.arange(6.0).reshape(3, 2).T, np.arange(3, dtype='float32'))", "np.dot(np.zeros((2, 0)), np.zeros((0, 3)))",
            "np.matmul([[1.5, 2], [3, 4]], [[1, 0], [0, 1]])", "np.outer([1, 2], [3.5, 4])",
            "np.outer(np.arange(4).reshape(2, 2), [1, -1])", "np.matmul(np.arange(8).reshape(2, 2, 2), np.eye(2, dtype=int))",
            "np.kron([1, 2], [[1, 0], [0, 1]])",
            "np.trace(np.arange(8).reshape(2, 2, 2))", "x = np.eye(2); x = x @ [1, 2]; v = x", "[1, 2] @ np.eye(2)",
            "np.linalg.matrix_rank(np.ones((3, 3)))", "np.linalg.matrix_power([[1, 1], [1, 0]], 10)",
            "np.linalg.matrix_rank([[0]])", "np.vdot([[1, 2]], [[3], [4]])")
    f.fails("np.dot([1, 2], [1, 2, 3])", "np.dot(np.zeros((2, 3)), np.zeros((2, 3)))", "np.matmul(2, [1])", "np.eye(2) @ 3",
            "np.linalg.inv(np.zeros((2, 2)))", "np.linalg.inv(np.zeros((2, 3)))", "np.linalg.solve(np.eye(2), [1, 2, 3])",
            "np.linalg.solve(np.ones((2, 2)), [1, 2])",
            "np.linalg.cholesky([[1, 2], [2, 1]])", "np.linalg.det([1, 2])", "np.linalg.eigh(np.zeros((2, 3)))",
            "np.linalg.svd([1, 2])", "np.linalg.norm(np.eye(2), 'bad')", "np.linalg.norm(np.zeros((2, 2, 2)), 1)",
            "np.linalg.matrix_power(np.zeros((2, 3)), 2)",
            "np.linalg.matrix_power(np.eye(2), 0.5)", "np.einsum('ij,jk', np.eye(2))", "np.einsum('ij', np.arange(3))",
            "np.einsum('i,i', [1, 2], [1, 2, 3])", "np.einsum('i->j', [1, 2])", "np.tensordot(np.eye(2), np.eye(3))",
            "np.linalg.inv([[np.array([1]), 2]])",
            "np.linalg.lstsq(np.eye(2), [1, 2, 3], rcond=None)", "np.linalg.qr(np.eye(2), mode='bad')",
            "np.linalg.multi_dot([np.eye(2)])", "np.linalg.norm(np.eye(2), axis=3)", "np.vdot([1, 2], [1])",
            "np.inner([1, 2], [1])", "np.cross([1], [2])", "np.trace([1, 2])")
