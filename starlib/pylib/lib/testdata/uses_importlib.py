import importlib
import importlib.util
import marshal

math = importlib.import_module("math")
print(math.floor(2.5), importlib.import_module("os.path").join("a", "b"), importlib.import_module(".path", "os").basename("a/b"))
print(importlib.import_module("json").__name__, importlib.util.find_spec("there_is_no_such_module"), importlib.util.find_spec("json").name)
try:
    importlib.import_module("there_is_no_such_module")
except ImportError as e:
    print("ImportError")
try:
    importlib.import_module(".a")
except TypeError as e:
    print("TypeError")
importlib.invalidate_caches()

values = [None, True, False, 0, -1, 2**31 - 1, 2**40, -2**100, 1.5, float("inf"), 2 + 3j, "", "a\u00e9", b"ab\x00", (), (1, "a"), [1, [2]], {"a": 1, 2: [3]},
          frozenset([1]), {5}, ...]
for v in values:
    data = marshal.dumps(v, 2)
    print(data.hex() if not isinstance(v, (str, tuple, list, dict)) else "", marshal.loads(data) == v)
print(marshal.loads(bytes.fromhex("a902da0161e907000000")) == ("a", 7))
for bad in [b"", b"?", b"i\x01"]:
    try:
        marshal.loads(bad)
    except (EOFError, ValueError) as e:
        print(type(e).__name__)
try:
    marshal.dumps(print)
except ValueError as e:
    print("ValueError")
