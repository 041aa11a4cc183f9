"""What CPython prints for the files programs*.py, pickles that CPython and NumPy write, and whether they read those that are written here.

python3 oracle.py, in this folder, after go test ./starlib/pylib -update
"""
import collections, contextlib, glob, gzip, io, os, pickle, tempfile
import numpy as np

here = os.getcwd()
count = 0
for file in sorted(glob.glob("programs*.py")):
    out = []
    for program in open(file).read().split("# %%")[1:]:
        count += 1
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as printed:
            os.chdir(folder)
            try:
                exec("\n" + program.split("\n", 1)[1], {"__name__": "__main__"})
            finally:
                os.chdir(here)
        out.append("# %%" + program.splitlines()[0] + "\n" + printed.getvalue())
    open(file.replace(".py", ".golden"), "w").write("".join(out))

shared = [1]
values = {
    "plain": [1, 2.5, None, True, False, "a\u00e9\u20ac\U0001f600'\"\\\n", b"\x00\xff'\"", (), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), {"a": [1]}, {1, 2}, frozenset([3]), -1, 255, 256, 65536,
              2**31, 2**40, -2**63, 2**100, -2**100, -255, float("inf"), -0.0, 1e-300, [], {}, shared, shared],
    "collections": [collections.OrderedDict([("b", 1), ("a", 2)]), collections.Counter("aab"), collections.deque([1, 2], 3), bytearray(b"ab"), range(3)],
    "arrays": [np.arange(6.0).reshape(2, 3), np.float32(1.5), np.int8(-3), np.bool_(True), np.array([[1, 2], [3, 4]], order="F"), np.array(3), np.arange(3, dtype=">i4"), np.zeros((0, 2)),
               np.array([True, False]), np.arange(10)[::3], np.float64("nan"), np.arange(4, dtype="uint8"), np.arange(4, dtype="float32")[::-1]],
    "lots": list(range(3000)) + ["x" * 300, b"y" * 300, list(range(10)) * 3],
}
for name, value in values.items():
    for protocol in range(6):
        with open(f"pickles/{name}{protocol}.pkl", "wb") as f:
            pickle.dump(value, f, protocol)
# as Python 2 wrote them: text that is bytes
with open("pickles/python2.pkl", "wb") as f:
    f.write(b"\x80\x02]q\x00(U\x03abcq\x01U\x02\xe9\xffq\x02cnumpy.core.multiarray\n_reconstruct\nq\x03cnumpy\nndarray\nq\x04K\x00\x85U\x01b\x87Rq\x05(K\x01K\x02\x85cnumpy\ndtype\nq\x06U\x02f8K\x00K\x01\x87R"
            b"q\x07(K\x03U\x01<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89U\x10\x00\x00\x00\x00\x00\x00\xf0?\x00\x00\x00\x00\x00\x00\x00@tbS'q\\x01\\''\ne.")
assert pickle.load(open("pickles/python2.pkl", "rb"), encoding="latin1")[2].tolist() == [1, 2]

# the data of program/train.py, and its last cost by NumPy
rng = np.random.RandomState(0)
x = rng.randn(60, 5)
y = (x.sum(axis=1) > 0).astype("int64")
with gzip.GzipFile("program/data.pkl.gz", "wb", mtime=0) as f:
    pickle.dump(((x[:40], y[:40]), (x[40:], y[40:])), f, protocol=2)
x, y = x[:40], y[:40]
w = np.random.RandomState(1).uniform(-0.1, 0.1, (5, 2))
for _ in range(50):
    e = np.exp(x @ w)
    p = e / e.sum(axis=1, keepdims=True)
    cost = -np.mean(np.log(p[np.arange(40), y]))
    p[np.arange(40), y] -= 1
    w = w - 0.5 * (x.T @ p) / 40
open("program/cost.golden", "w").write("%.10f\n" % cost)


def same(a, b):
    if isinstance(a, np.ndarray) or isinstance(a, np.generic):
        return type(a) == type(b) and a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b)
    if isinstance(a, (list, tuple)):
        return type(a) == type(b) and len(a) == len(b) and all(map(same, a, b))
    return type(a) == type(b) and a == b


expected = [1, 2.5, None, True, "a\u00e9\u20ac", b"\x00\xff", (), (1,), (1, 2), (1, 2, 3, 4), {"a": [1]}, {1, 2}, -1, 255, 256, 65536, 2**40, -2**63, 2**100, -2**100, -128, -129, -32768, -2**31,
            -2**31 - 1, 2**31, float("inf"), np.arange(6.0).reshape(2, 3), np.float32(1.5), np.array([[True]]), np.arange(10)[::3], np.zeros((0, 2)), collections.Counter("aab"),
            collections.deque([1, 2], 3), "x" * 300, list(range(300))]
for path in sorted(glob.glob("written/*.pkl")):
    got = pickle.load(open(path, "rb"))
    assert same(got, expected), (path, got)
print(count, "programs,", len(glob.glob("written/*.pkl")), "pickles read")
