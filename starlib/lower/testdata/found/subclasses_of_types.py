class C: pass
class D(dict): pass
for x in (1, 1.5, "a", [], {}, (), None, True, C(), len, lambda: 1, C, range(3), {1}, b"a", D()):
    print(type(x).__name__, [issubclass(type(x), k) for k in (int, C, (str, C), object, D, dict, list, (int, float), bool)])
print(issubclass(type(1), type(2)), issubclass(type(1), type("a")), issubclass(int, (bool, str)))
print([issubclass(c, k) for c in (np.float32, np.zeros(2).dtype.type, np.int64, np.ndarray) for k in (np.floating, np.integer, np.float32, np.number, np.ndarray, object)])
for c, k in ((5, int), ("abc", int), (int, 5), (C, "abc")):
    try:
        issubclass(c, k)
    except TypeError as e:
        print("TypeError")
setattr(5, "k", 1)
