def inner():
    yield 1
    return 5
def outer(n):
    try:
        x = yield from inner()
        yield x
        yield 1 // n
    except ZeroDivisionError:
        yield "zero"
    finally:
        print("end")
print(list(outer(1)), list(outer(0)))
g = outer(1)
print(next(g), [x for x in g], next(g, "none"))
class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n <= 0: raise StopIteration
        self.n -= 1
        return self.n
print(list(Countdown(3)), sum(Countdown(4)), [x for x in Countdown(2)], max(Countdown(3)))
it = iter(Countdown(2))
print(next(it), next(it), next(it, "done"))
a, b = Countdown(2)
print(a, b, dict(zip("ab", Countdown(2))), sorted(Countdown(3)))
