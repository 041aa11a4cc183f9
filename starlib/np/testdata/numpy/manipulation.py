"""Shapes, joins and splits, repetition, and attributes and methods of arrays."""

CUBE = "np.arange(24).reshape(2, 3, 4)"
GRID = "np.arange(6.0).reshape(2, 3)"
ROW = "np.arange(5, dtype='int16')"
FORMS = [CUBE, GRID, ROW, "np.array(7)", "np.zeros((2, 0))", "np.arange(3)[:, None] > 1", CUBE + ".T",
         "np.arange(12, dtype='float32').reshape(3, 4)[::2, ::-1]"]
METHODS = ["ravel()", "flatten()", "T", "transpose()", "copy()", "tolist()", "squeeze()", "size", "ndim", "shape", "nbytes",
           "itemsize", "strides", "dtype.name == 'int64'", "reshape(-1)", "reshape(-1, 1)", "reshape((1, -1))", "real",
           "swapaxes(0, -1)", "swapaxes(0, 1)", "repeat(2)", "repeat(2, axis=0)", "diagonal()", "transpose(1, 0)", "squeeze(0)",
           "astype('float32')", "astype(int)", "flags.writeable", "flags.c_contiguous", "ravel('F')",
           "flatten(order='F')", "reshape(-1, order='F')", "any()", "all()", "view()", "conj()", "T.shape", "reshape(2, -1).shape",
           "item(0)", "tolist()[0]", "max()", "sum(axis=0)", "nonzero()[0]"]
FUNCTIONS = ["np.ravel(X)", "np.transpose(X)", "np.squeeze(X)", "np.atleast_1d(X)", "np.atleast_2d(X)", "np.atleast_3d(X)",
             "np.expand_dims(X, 0)", "np.expand_dims(X, -1)", "np.expand_dims(X, (0, 2))", "np.ndim(X)",
             "np.size(X)", "np.size(X, 0)", "np.shape(X)", "np.flip(X)", "np.flip(X, 0)", "np.flip(X, axis=-1)", "np.fliplr(X)",
             "np.flipud(X)", "np.roll(X, 1)", "np.roll(X, -2, axis=0)", "np.roll(X, (1, 2), axis=(0, 1))",
             "np.rot90(X)", "np.rot90(X, -1)", "np.tile(X, 2)", "np.tile(X, (2, 1))", "np.repeat(X, 2)", "np.repeat(X, 2, axis=-1)",
             "np.moveaxis(X, 0, -1)", "np.rollaxis(X, 1)", "np.swapaxes(X, 0, 1)", "np.diagonal(X)",
             "np.diagonal(X, 1)", "np.tril(X)", "np.triu(X, 1)", "np.concatenate([X, X])", "np.concatenate([X, X], axis=-1)",
             "np.concatenate((X, X), axis=None)", "np.stack([X, X])", "np.stack([X, X], axis=-1)",
             "np.stack((X, X), axis=1)", "np.vstack([X, X])", "np.hstack([X, X])", "np.dstack([X, X])", "np.column_stack([X, X])",
             "np.append(X, X)", "np.append(X, X, axis=0)", "np.append(X, 9)", "np.insert(X, 1, 9)",
             "np.insert(X, 0, 9, axis=0)", "np.delete(X, 0)", "np.delete(X, 0, axis=0)", "np.delete(X, [0, 1])", "np.split(X, 2)",
             "np.split(X, [1])", "np.array_split(X, 3)", "np.array_split(X, 2, axis=-1)", "np.hsplit(X, 2)",
             "np.vsplit(X, 2)", "np.pad(X, 1)", "np.pad(X, (1, 2))", "np.pad(X, 1, mode='edge')", "np.pad(X, 2, mode='reflect')",
             "np.pad(X, 1, mode='wrap')", "np.pad(X, 1, constant_values=5)", "np.resize(X, (2, 4))",
             "np.reshape(X, (3, -1))", "np.reshape(X, -1)", "np.broadcast_to(X, (2,) + X.shape)", "np.asarray(X)", "np.array(X)",
             "np.copy(X)", "np.ascontiguousarray(X)", "np.zeros_like(X)", "np.ones_like(X)",
             "np.full_like(X, 3)", "np.empty_like(X).shape", "np.array([X, X]).shape", "len(X)", "[len(r) for r in X]", "X.T.T",
             "X + X.T", "np.pad(X, 1, mode='symmetric')", "np.pad(X, (2, 0), 'linear_ramp')", "np.pad(X, 1, mode='mean')",
             "np.unique(X)", "np.diag(X)", "np.meshgrid(X, [1, 2])", "np.block([[X, X]])", "np.may_share_memory(X, X)",
             "np.shares_memory(X, X.copy())", "np.trim_zeros(X)", "2 in X", "np.kron(X, [1, 2])"]


def cases(f):
    rnd = f.rnd
    for x in FORMS:
        for method in METHODS:
            if method != "strides" or "0))" not in x:  # of no elements, they depend on the version
                f.either("(%s).%s" % (x, method))
        for call in FUNCTIONS:
            f.either("x = %s; v = %s" % (x, call.replace("X", "x")))

    for shape in ["(2, 12)", "(24,)", "(4, 3, 2)", "(2, 3, 4, 1)", "(-1, 6)", "(5, 5)", "(-1, -1)", "(2, -1, 3)", "24", "()",
                  "(-1, 0)", "(2, 3, 4, 0)"]:
        f.either("%s.reshape(%s)" % (CUBE, shape), "%s.T.reshape(%s)" % (CUBE, shape),
                 "np.reshape(%s, %s, order='F')" % (CUBE, shape),
                 "np.zeros(%s).shape" % shape)
    for axes in ["(0, 1, 2)", "(1, 0, 2)", "(2, 0, 1)", "(2, 1, 0)", "(-1, 0, 1)", "(0, 0, 1)", "(0, 1)", "None", "(0, 1, 3)"]:
        f.either("np.transpose(%s, %s)" % (CUBE, axes), "%s.transpose(%s).strides" % (CUBE, axes),
                 "%s.transpose(%s)[1]" % (CUBE, axes.strip("()")), "np.moveaxis(%s, (0, 1), %s)" % (CUBE, axes))
    for source, to in [("0", "2"), ("-1", "0"), ("(0, 2)", "(1, 0)"), ("1", "1"), ("3", "0")]:
        f.either("np.moveaxis(%s, %s, %s)" % (CUBE, source, to), "np.moveaxis(%s, %s, %s).shape" % (CUBE, source, to))
    for axis in ["0", "1", "2", "-1", "3", "(0, 2)", "None"]:
        f.either("np.squeeze(np.zeros((1, 3, 1)), axis=%s).shape" % axis, "np.expand_dims(np.arange(3), %s)" % axis,
                 "np.repeat(%s, [1, 2], axis=%s)" % ("np.arange(4).reshape(2, 2)", axis),
                 "np.concatenate([np.zeros((2, 1)), np.ones((2, 2))], axis=%s)" % axis,
                 "np.stack([[1, 2], [3, 4]], axis=%s)" % axis, "np.flip(%s, %s)" % (CUBE, axis),
                 "np.insert(np.eye(2), 1, [5, 6], axis=%s)" % axis,
                 "np.delete(np.eye(3), 1, axis=%s)" % axis, "np.append(np.eye(2), [[7, 8]], axis=%s)" % axis,
                 "np.roll(np.eye(3), 1, axis=%s)" % axis, "np.array_split(np.arange(9).reshape(3, 3), 2, axis=%s)" % axis,
                 "np.swapaxes(%s, 0, %s).shape" % (CUBE, axis), "np.split(%s, 1, axis=%s)[0].shape" % (CUBE, axis),
                 "np.unique([[1, 2], [1, 2]], axis=%s)" % axis, "np.size(%s, %s)" % (CUBE, axis))
    for k in ["0", "1", "-1", "3"]:
        f.exact("np.diag([1, 2], %s)" % k, "np.diag(np.arange(9).reshape(3, 3), k=%s)" % k, "np.tril(np.ones((3, 3)), %s)" % k,
                "np.triu(np.arange(9).reshape(3, 3), %s)" % k, "np.diagflat([1, 2], %s)" % k,
                "np.tril_indices(3, %s)" % k, "np.triu_indices(3, %s)" % k, "np.roll(np.arange(5), %s)" % k,
                "np.rot90(np.arange(6).reshape(2, 3), %s)" % k)
    for n in ["1", "3", "[1, 3]", "[0, 9]", "[2, 1]", "4", "0"]:
        f.either("np.split(np.arange(6), %s)" % n, "np.array_split(np.arange(7), %s)" % n,
                 "np.hsplit(np.arange(12).reshape(2, 6), %s)" % n, "np.vsplit(np.arange(12).reshape(6, 2), %s)" % n)
    for pad in ["2", "(1, 2)", "((0, 1), (2, 0))", "0", "[[1, 1]]", "-1"]:
        for mode in ["constant", "edge", "reflect", "symmetric", "wrap", "maximum"]:
            f.either("np.pad(np.arange(1, 7).reshape(2, 3), %s, mode='%s')" % (pad, mode))
    for arguments in ["1, 5", "[0, 2], [7, 8]", "-1, 5", "3, [1, 2]", "slice(0, 2), 9", "9, 1", "[1, 1], 0", "1, 2.7"]:
        f.either("np.insert(np.arange(3), %s)" % arguments)
    for index in ["0", "-1", "[0, 2]", "slice(None, None, 2)", "[True, False, False, True]", "9", "[]"]:
        f.either("np.delete(np.arange(4), %s)" % index, "np.delete(np.arange(8).reshape(2, 4), %s, axis=1)" % index)
    for reps in ["2", "(2,)", "(2, 2)", "(1, 2, 1)", "0", "[3, 1]", "(2, 0)"]:
        f.exact("np.tile([1, 2], %s)" % reps, "np.tile([[1], [2]], %s)" % reps)
    f.exact("np.concatenate([[1, 2], [3.5]])", "np.concatenate([np.int8([1]), np.uint8([2])])", "np.hstack([1, 2])",
            "np.hstack([[1, 2], [3]])", "np.vstack([[1, 2], [3, 4]])", "np.vstack([np.zeros((1, 2)), [3, 4]])",
            "np.block([[np.eye(2), np.zeros((2, 1))], [np.ones((1, 3))]])", "np.r_[1:4, 0, 9]", "np.c_[[1, 2], [3, 4]]",
            "np.r_[np.arange(2), [5.5]]", "np.row_stack([[1], [2]])", "np.meshgrid([1, 2], [3, 4, 5], indexing='ij')",
            "np.meshgrid([1, 2], [3, 4, 5], sparse=True)", "np.mgrid[0:2, 0:3]", "np.ogrid[0:2, 0:3][0]", "np.indices((2, 2))",
            "np.tri(3)", "np.tri(2, 3, 1, dtype='int8')", "np.vander([1, 2, 3])", "np.vander([1, 2], 3, increasing=True)",
            "np.apply_along_axis(np.sum, 0, np.arange(6).reshape(2, 3))", "x = np.eye(3); np.fill_diagonal(x, 5); v = x",
            "np.arange(6).reshape(2, 3).T.strides", "np.arange(6, dtype='int16')[::2].strides",
            "np.array([[1, 2], [3, 4]]).item(2)",
            "x = np.arange(4); x.resize((2, 3)); v = x", "np.resize(np.arange(3), 7)", "[x for x in np.arange(3)] == [0, 1, 2]",
            "5 in np.arange(3)", "len(np.zeros((4, 2)))", "np.float32([0.5, 0.1]).tolist()", "list(np.arange(3)) == [0, 1, 2]",
            "tuple(np.arange(2)) == (0, 1)", "[float(a + b) for a, b in np.eye(2)]", "a, b = np.arange(2); v = [int(a), int(b)]",
            "[i * 2 for i in range(3)] + np.arange(3)", "np.array_split(np.arange(5), 2)[0]",
            "x = np.eye(2); x[0, 0] = 9; y = x.copy(); y[:] = 0; v = x",
            "hasattr(np.arange(3), 'shape')", "type(np.arange(3)) == np.ndarray", "isinstance(np.arange(3), np.ndarray)",
            "str(np.arange(3).dtype) == 'int64'", "np.arange(3).dtype == np.arange(2).dtype", "np.iterable([1])",
            "np.arange(3.0).astype(bool)",
            "np.array([1, 2, 3]).astype(str(np.arange(2.0).dtype))", "np.arange(4).reshape(2, 2).flat[1:3]")
    f.fails("np.concatenate([[1], [[2]]])", "np.stack([[1], [2, 3]])", "np.concatenate([])", "np.stack([])",
            "np.vstack([[1, 2], [3]])", "np.hstack([np.zeros((2, 1)), np.zeros((3, 1))])", "np.split(np.arange(5), 2)",
            "np.fliplr(np.arange(3))",
            "np.rot90(np.arange(3))", "np.array([1, 2]).item()", "np.array([1, 2]).item(2)", "np.expand_dims(np.arange(3), 5)",
            "np.repeat([1, 2], [1, 2, 3])", "np.repeat([1, 2], -1)", "np.concatenate(np.arange(3))", "np.delete(np.arange(3), 5)",
            "len(np.array(3))", "[x for x in np.array(3)]", "np.arange(6).reshape(4, 2)", "np.moveaxis(np.eye(2), 2, 0)",
            "np.pad([1, 2], 1, mode='nosuch')", "np.meshgrid([1], [2], indexing='ab')", "np.tile()", "np.diag(3)",
            "np.arange(3).reshape('a')", "np.zeros((2, 3)).transpose(0, 0)", "np.block([[np.eye(2), np.zeros((3, 1))]])",
            "a, b = np.arange(3); v = a")
