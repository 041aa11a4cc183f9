# Types as values: what type returns, how it is written, compared, called and looked up.
import collections
import numpy as np


class A:
    pass


class B(A, int):
    pass


def f():
    yield 1


values = [1, 1.5, True, None, "a", b"x", [1], (1,), {"a": 1}, {1}, frozenset([1]), A(), A, B(2), int, f, f(), slice(1), range(3),
          ValueError("x"), 1j, np.arange(3), np.float32(1), np.int8(1), np.bool_(True), len, collections,
          object(), type, Ellipsis, NotImplemented]
for v in values:
    t = type(v)
    print(t, str(t), "%s" % t, f"{t}", t.__name__, isinstance(t, type), type(t) is type, t == v.__class__, isinstance(v, t))
print(type(1)(2.7), type("a")(3), type([1])((1, 2)), type(())([1]), type({})([(1, 2)]), type(1.5)("2.5"), type(True)(0), type({1})([1, 1]) == {1})
print(type(np.float32(1))(0.1), type(np.int8(1))(300 - 200), type(1j)(1, 2))
names = {int: "int", str: "str", float: "float", list: "list", np.ndarray: "array", np.float32: "f32", A: "A", type(None): "none", type(f): "function"}
for v in values:
    print(names.get(type(v), "-"), type(v) in names, type(v) in (int, str, np.ndarray, A), type(v) in [float, type(None)], type(v) is int)
print(type(1) == int, type(1) != int, type(1) is not int, type(True) == int, type(np.float64(1)) == float, type([]) == type(()), int == int, int is int,
      int == float, np.ndarray == type(np.zeros(1)), type(np.zeros(1)) is np.ndarray, type is type(type), type(A) is type, int == "int" and False)
print(int, [int, str], {1: float}, (np.float32, np.ndarray), repr(dict), np.floating)
print(issubclass(type(True), int), issubclass(type(1), object), issubclass(type(B()), (A,)), issubclass(np.float32, np.floating))
print(*sorted([type(v).__name__ for v in values]))
print(len({type(v) for v in [1, 2, 3.0, "a", "b", True]}))
counts = collections.Counter(type(v) for v in [1, 2, 3.0, "a", "b", True])
print(counts[int], counts[str], counts[type(3.0)], counts[bool], counts[list])
try:
    type(f())()
except TypeError as e:
    print("TypeError")
try:
    type(None)(1)
except TypeError as e:
    print("TypeError")
try:
    int < str
except TypeError as e:
    print("TypeError")
