"""The special methods of the builtin types, and what they return.

/usr/bin/python3 table.py > table.golden, in this folder: what CPython and NumPy say.
"""
import numpy as np

# What acts on how Python stores values, and what belongs to classes and not to values.
left_out = set("""__class_getitem__ __getnewargs__ __getformat__ __getstate__ __setstate__ __reduce__ __reduce_ex__ __sizeof__ __subclasshook__
__init_subclass__ __new__ __bytes__ __array__ __array_finalize__ __array_function__ __array_interface__ __array_prepare__ __array_priority__ __array_struct__
__array_ufunc__ __array_wrap__ __dlpack__ __dlpack_device__ __annotations__ __builtins__ __call__ __closure__ __code__ __defaults__
__dict__ __globals__ __kwdefaults__ __module__ __name__ __qualname__ __self__ __text_signature__ __del__""".split())


def function():
    return 1


def generate():
    yield 1


values = [
    ("int", 3), ("bool", True), ("float", 2.5), ("complex", 1j), ("str", "ab"), ("bytes", b"ab"), ("list", [1, 2]), ("tuple", (1, 2)),
    ("dict", {1: 2}), ("set", {1}), ("frozenset", frozenset([1, 2])), ("range", range(3)), ("NoneType", None), ("function", function),
    ("builtin", len), ("slice", slice(1)), ("ellipsis", ...), ("generator", generate()), ("ndarray", np.array([1.0, 2.0])),
    ("int64", np.int64(3)), ("float64", np.float64(2.5)), ("bool_", np.bool_(True)), ("negative", -7), ("zero", 0), ("empty", ""),
]
of_scalars = {"__getitem__"}  # np.float64(1)[()]
kinds = ["int64", "float64", "bool_"]

for name, x in values:
    names = [n for n in dir(x) if n.startswith("__") and n not in left_out and not (name in kinds and n in of_scalars)]
    print(name, " ".join(names))
    for n in names:
        if not hasattr(x, n):
            print("  has no", n)

for t in [int, float, str, list, tuple, dict, set, frozenset, bool, bytes, complex]:
    print(t.__name__, " ".join([n for n in dir(t) if n.startswith("__") and n not in left_out]))


def show(x):
    if x is NotImplemented:
        return "NotImplemented"
    if isinstance(x, (list, tuple)):
        return type(x).__name__ + "(" + ", ".join([show(y) for y in x]) + ")"
    if isinstance(x, (set, frozenset)):
        return type(x).__name__ + "(" + ", ".join(sorted([show(y) for y in x])) + ")"
    if isinstance(x, dict):
        return type(x).__name__ + "(" + ", ".join([show(k) + ": " + show(x[k]) for k in x]) + ")"
    if type(x) == complex:  # powers differ in the last place
        return "complex %.12g %.12g" % (x.real, x.imag)
    if isinstance(x, bytes):
        return "bytes " + x.decode()
    return type(x).__name__ + " " + str(x)


def call(x, name, *args):
    try:
        return show(getattr(x, name)(*args))
    except Exception as e:
        return type(e).__name__


binary = "add sub mul truediv floordiv mod divmod pow lshift rshift and or xor".split()
operators = ["__%s__" % n for n in binary] + ["__r%s__" % n for n in binary] + ["__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"]
plain = [v for v in values if v[0] not in ["function", "builtin", "generator", "ndarray", "slice", "ellipsis"] + kinds]
for name, x in plain:
    for n in operators:
        if hasattr(x, n):
            print(name, n, "|", " | ".join([call(x, n, y) for _, y in plain]))
    for n in "__len__ __bool__ __int__ __float__ __complex__ __index__ __trunc__ __floor__ __ceil__ __abs__ __neg__ __pos__ __invert__ __round__".split():
        if hasattr(x, n):
            print(name, n, call(x, n))
    for n in ["__contains__", "__getitem__"]:
        if hasattr(x, n):
            print(name, n, "|", " | ".join([call(x, n, y) for k, y in plain if k != "range"]))

for n in "__len__ __iter__ __reversed__".split():
    for name, x in plain:
        if hasattr(x, n):
            y = getattr(x, n)()
            print(name, n, y if n == "__len__" else show(list(y)))

x = [1, 2, 3]
x.__setitem__(0, 5)
x.__delitem__(1)
print(show(x.__iadd__([7])), show(x.__imul__(2)), show(x))
x.__init__([4, 5])
print(show(x))
d = {"a": 1}
d.__setitem__("b", 2)
d.__delitem__("a")
print(show(d.__or__({"c": 3})), show(d.__ior__({"d": 4})), show(d))
s = {1, 2}
print(show(s.__iand__({2, 3})), show(s.__ior__({5})), show(s))
print([].__hash__, {}.__hash__, set().__hash__, (3).__hash__() == hash(3), (3).__format__("05d"), "a".__format__(">3"))
print(list.__len__([1, 2]), dict.__getitem__({1: 2}, 1), int.__add__(1, 2), str.__contains__("ab", "b"), float.__mul__(2.0, 3))
print(list(map(int.__mul__, [1, 2], [3, 4])), max([[1], [1, 2]], key=list.__len__))


class Listed(list):
    def __getitem__(self, i):
        return list.__getitem__(self, i) * 10


a, b = Listed([1, 2]), Listed([3])
print(a[1], list.__getitem__(a, 1), list.__len__(a), a < b, a >= b, show(a + b), show(2 * a), a.__lt__([0]), list.__eq__(a, [1, 2]))
print(function.__get__(3, int)() if False else "bound", hasattr(function, "__call__"), hasattr(3, "__call__"), hasattr(int, "__call__"))
a = np.array([1.0, 2.0])
print(show(a.__getitem__(0)), a.__len__(), show(a.__add__(1.0).tolist()), show(a.__rsub__(1.0).tolist()), show(a.__lt__(1.5).tolist()))
a.__setitem__(0, 7.0)
a.__iadd__(1.0)
print(show(a.tolist()), show(a.__matmul__(a)), a.__contains__(8.0), np.float64(2.5).__int__(), np.int64(3).__index__())
for f in [lambda: "a".__add__(3), lambda: [].__getitem__(3), lambda: [1].__len__(3), lambda: int.__add__("a", 1), lambda: {}.__getitem__(3),
          lambda: [].__getitem__("a"), lambda: (3).__getitem__(0), lambda: list.__add__(), lambda: (1).__floordiv__(0)]:
    try:
        f()
        print("no error")
    except Exception as e:
        print(type(e).__name__)
