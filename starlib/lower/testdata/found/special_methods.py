class A:
    def __abs__(self): return 1
    def __int__(self): return 2
    def __float__(self): return 3.5
    def __index__(self): return 1
    def __round__(self, k=None): return (7, k)
    def __divmod__(self, o): return ("divmod", o)
    def __rdivmod__(self, o): return ("rdivmod", o)


a = A()
print(abs(a), int(a), float(a), round(a), round(a, 2), divmod(a, 2), divmod(2, a), list(range(a)), hex(a), [1, 2, 3][a:])


class B:
    def __bool__(self): return 5


try:
    print(bool(B()))
except TypeError:
    print("no bool")
print(type(1).__name__, type("").__name__, type([1]) in (list, tuple), type("a") is str, type(None).__name__)
print(next((x for x in [1, 2] if x > 1), 0), next(x for x in [3]))
