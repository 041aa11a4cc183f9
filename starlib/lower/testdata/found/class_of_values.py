x = 5
print(x.__class__.__name__, "s".__class__.__name__, [].__class__ == list, x.__class__ is int, (lambda: 1).__class__.__name__, None.__class__.__name__)
class A:
    def __index__(self): return 3
class B(A):
    def __mul__(self, o): return NotImplemented
print("ab" * A(), A() * "ab", [1] * B(), B() * (1, 2), b"x" * A())
print(A().__class__.__name__, A.__class__.__name__, A().__class__ is A)
try:
    "ab" * B
except TypeError as e: print("TypeError")
for spec in ("{:+}", "{:=5}", "{:,}", "{:#}", "{:d}", "{:z}"):
    try:
        print(spec.format("a"))
    except Exception as e: print(spec, type(e).__name__)
try:
    "{:>4}|(len({c, 2, 3}))".format(1, 2)
except Exception as e: print(type(e).__name__)
