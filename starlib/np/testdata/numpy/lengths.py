"""Functions that choose a way to compute by how long, how full or how strided their operands are."""

from common import DTYPES


def cases(f):
    masks(f)
    differences(f)
    products(f)
    rims(f)
    deletions(f)
    windows(f)


def masks(f):
    for n in [7, 8, 9, 64, 203]:
        for full in [0, 1, 5, 10, 11]:
            m = "m = np.arange(%d) * 37 %% 11 < %d; " % (n, full)
            f.exact(m + "v = np.flatnonzero(m).tolist()", m + "v = np.nonzero(m[::-2])[0].tolist()", m + "v = np.where(m.astype(float))[0].tolist()",
                    m + "v = np.arange(%d)[m].tolist()" % n)
    for m in ["np.arange(60).reshape(4, 15) % 4 == 1", "(np.arange(60).reshape(4, 15) % 7 < 3).T", "np.ones((3, 9), dtype=bool)",
              "np.array([0.0, -0.0, np.nan, 2.0] * 6)"]:
        f.exact("np.argwhere(%s)" % m, "np.nonzero(%s)" % m, "np.count_nonzero(%s)" % m)


def differences(f):
    for dtype in DTYPES:
        x = "x = (np.arange(90) ** 2 %% 119).astype('%s'); " % dtype
        f.exact(x + "v = np.diff(x)", x + "v = np.diff(x[::-4], n=2)", x + "v = np.diff(x.reshape(9, 10), axis=0)",
                x + "v = np.diff(x.reshape(9, 10).T, axis=-1)", x + "v = np.diff(x.reshape(3, 5, 6)[:, ::2], axis=1)", x + "v = np.diff(x[:1])",
                x + "v = np.diff(x[:0])", x + "v = np.diff(x[:3], n=5)")
    f.exact("np.diff([np.nan, 1.0, np.inf, np.inf, -0.0, 0.0, -0.0])")
    f.fails("np.diff([[1, 2]], axis=2)", "np.diff([[1, 2]], axis=-3)")


def products(f):
    for spec, operands in [("i,i", "x[0], y[1]"), ("i,i->i", "x[0], y[1]"), ("ij,ij->i", "x, y"), ("ij,ij->j", "x, y"), ("ij,ij", "x, y"),
                           ("ij,ji->j", "x, y.T"), ("ij,ij->i", "x[::-1], y[:, ::-1]"), ("ij,j->i", "x, y[2]"), ("j,ij->i", "y[2], x"),
                           ("ij,i->j", "x, y[:, 3][:5]"), ("ijk,ijk->ik", "c, c"), ("ijk,ijk->k", "c, c"), ("ijk,jk->i", "c, c[0]"),
                           ("ijk,kj->i", "c, c[1].T"), ("ijk,ikl->ijl", "c, c.transpose(0, 2, 1)"), ("ij,ij,ij->i", "x, y, x"), ("ij->ji", "x"),
                           ("i,j,ij->", "x[:, 0], y[0], x"), ("ij,ij->i", "x[:0], y[:0]"), ("ij,ij->j", "x[:0], y[:0]"), ("i,i", "x[0, :0], y[0, :0]"),
                           ("ij,ij->i", "x, y[:1]"), ("...j,j", "c, c[0, 0]")]:
        for dtype in ["int64", "int8", "bool", "float32", "float64"]:
            data = "x = (np.arange(35) %% 5).reshape(5, 7).astype('%s'); y = (np.arange(35) %% 3).reshape(5, 7).astype('%s'); " % (dtype, dtype)
            f.exact(data + "c = (np.arange(24) %% 4).reshape(2, 3, 4).astype('%s'); v = np.einsum('%s', %s)" % (dtype, spec, operands))
    f.exact("x = np.arange(4.0); z = np.einsum('i->i', x).copy(); z[0] = 9; v = x", "x = np.arange(4); v = np.einsum('i,i->i', x, x * 0.5)",
            "x = np.arange(4.0); y = np.einsum('i,i->i', x, x); y[0] = 5; v = x")
    for axis in ["0", "1", "-1", "(0, 1)"]:
        f.near("x = np.arange(36.0).reshape(4, 9); v = np.linalg.norm(x[::2], axis=%s)" % axis,
               "x = np.arange(36.0).reshape(4, 9); v = np.linalg.norm(x.T * 1e200, axis=%s)" % axis)


def rims(f):
    for x in ["np.arange(12.0).reshape(3, 4)", "np.arange(12).reshape(3, 4).T", "np.arange(24, dtype='int8').reshape(4, 6)[::2, ::-2]",
              "np.arange(24, dtype='float32').reshape(2, 3, 4)", "np.array([True, False, True])"]:
        for pad in ["1", "(2, 0)", "(0, 2)"]:
            for mode in ["constant", "edge", "reflect", "symmetric", "wrap"]:
                f.either("np.pad(%s, %s, mode='%s')" % (x, pad, mode))
            f.either("np.pad(%s, %s, constant_values=(1, 2))" % (x, pad), "np.pad(%s, %s, constant_values=1.7)" % (x, pad))
        if "True" not in x:
            for mode in ["maximum", "minimum", "mean", "linear_ramp"]:
                f.either("np.pad(%s, 2, mode='%s')" % (x, mode))
    for mode in ["constant", "edge", "linear_ramp", "maximum"]:
        f.either("np.pad(np.zeros((0, 2)), ((0, 0), (1, 1)), mode='%s')" % mode, "np.pad(np.zeros(0), 2, mode='%s')" % mode)
    f.exact("x = np.arange(3); y = np.pad(x, 0); y[0] = 9; v = x", "np.pad([np.nan, -0.0], 1, mode='edge')")


def deletions(f):
    for index in ["list(range(20))", "list(range(3, 33))", "[5, 5, -1, 0, 39, 38, 5]", "np.arange(0, 40, 2)", "np.arange(39, -1, -1)", "[-3] * 20",
                  "slice(None)", "slice(35, 2, -3)", "list(range(30)) + [99]", "np.arange(40) % 3 == 0", "7"]:
        f.either("np.delete(np.arange(40), %s)" % index, "np.delete(np.arange(80)[::2] * 0.5, %s)" % index,
                 "np.delete(np.arange(80).reshape(2, 40), %s, axis=1)" % index, "np.delete(np.arange(80).reshape(2, 40).T, %s, axis=0)" % index)
    f.exact("x = np.arange(3); y = np.delete(x, []); y[0] = 9; v = x")


def windows(f):
    for k in range(1, 13):
        for mode in ["full", "same", "valid"]:
            for dtype in ["float64", "float32", "int32"]:
                data = "x = (np.arange(70) * 7 %% 23 - 4).astype('%s'); w = (np.arange(%d) - 2).astype('%s'); " % (dtype, k, dtype)
                f.exact(data + "v = np.convolve(x, w, '%s')" % mode)
                if dtype == "float64":
                    f.exact(data + "v = np.correlate(x, w, '%s')" % mode, data + "v = np.convolve(w, x[::2], '%s')" % mode,
                            data + "v = np.correlate(w, x[:%d], '%s')" % (k + 1, mode))
    for special in ["np.inf", "np.nan", "-0.0"]:
        f.exact("x = np.arange(12.0); x[5] = %s; v = np.convolve(x, [1.0, 2.0, 4.0])" % special,
                "x = np.arange(12.0); v = np.convolve(x, [1.0, %s, 4.0])" % special, "x = np.arange(12.0); v = np.convolve(x, [%s])" % special)
