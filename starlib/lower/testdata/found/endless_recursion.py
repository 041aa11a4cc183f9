class A:
    def __repr__(self): return repr(self)
try:
    repr(A())
except RecursionError as e:
    print("RecursionError")
def g():
    yield from g()
try:
    list(g())
except RecursionError as e:
    print("RecursionError")
class B:
    def __str__(self): return "%s" % self
    def __eq__(self, o): return self == o
    def __getattr__(self, n): return getattr(self, n + "x")
for f in (lambda: str(B()), lambda: B() == B(), lambda: B().foo):
    try:
        f()
    except RecursionError as e:
        print("RecursionError")
