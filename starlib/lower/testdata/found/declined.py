# What returns NotImplemented beside a number that is written: the error, or what is asked next, is Python's.
class Declines:
    def __lt__(self, o): return NotImplemented
    def __gt__(self, o): return NotImplemented
    def __le__(self, o): return NotImplemented
    def __ge__(self, o): return NotImplemented
    def __eq__(self, o): return NotImplemented
    def __ne__(self, o): return NotImplemented
    def __add__(self, o): return NotImplemented
    def __sub__(self, o): return NotImplemented
    def __mul__(self, o): return NotImplemented
    def __truediv__(self, o): return NotImplemented


def tried(f):
    try:
        print(f())
    except TypeError:
        print("TypeError")


def all_of(p, i, x):
    for f in [lambda: p < 2, lambda: p > 2, lambda: p <= 2, lambda: p >= 2, lambda: p == 2, lambda: p != 2, lambda: p + 2,
              lambda: p - 2, lambda: p * 2, lambda: p / 2]:
        tried(f)
    for f in [lambda: p < 2.5, lambda: p > 2.5, lambda: p <= 2.5, lambda: p >= 2.5, lambda: p == 2.5, lambda: p != 2.5,
              lambda: p + 2.5, lambda: p - 2.5, lambda: p * 2.5, lambda: p / 2.5]:
        tried(f)
    for f in [lambda: p < x, lambda: p == i, lambda: p != x, lambda: p + i, lambda: p / x, lambda: 2.5 + p, lambda: 2.5 * p,
              lambda: 2.5 < p, lambda: 2 - p, lambda: 2.5 / p]:
        tried(f)


all_of(Declines(), 3, 3.5)
