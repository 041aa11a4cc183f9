# Functions of numbers that the machine asks first, with what they leave to the functions.
import math
from math import floor, sqrt


def tried(f, *args):
    try:
        return repr(f(*args))
    except (ValueError, TypeError, OverflowError, ZeroDivisionError) as e:
        return type(e).__name__


inf, nan = float("inf"), float("nan")
numbers = [0, 1, -1, 7, -7, 2**53 + 1, 2**63 - 1, -(2**63), 2**64, 0.0, -0.0, 0.5, 1.5, 2.5, -2.5, 1e15 + 0.5, 4.7e18, 1e300, inf, -inf, nan, True, None, "1", [], (1,), {}, {1}]
for x in numbers:
    print(type(x).__name__, tried(bool, x), tried(round, x), tried(abs, x))
    print(tried(math.floor, x), tried(math.ceil, x), tried(math.trunc, x), tried(floor, x))
    print(tried(math.sqrt, x), tried(sqrt, x), tried(math.fabs, x), tried(math.isnan, x), tried(math.isfinite, x), tried(math.isinf, x))
    print([isinstance(x, t) for t in (int, float, bool, str, list, tuple, dict, set, (int, str), ())])
    for y in [0, 1, 2, -3, 2**62, 0.5, inf, nan, True, "a"]:
        print(tried(divmod, x, y), tried(math.fmod, x, y), tried(math.copysign, x, y), tried(math.atan2, x, y)[:12], end=" ")
    print()


def loops():
    t = 0
    for i in range(200):
        t += math.sqrt(i) + math.floor(i / 3) + sqrt(i) + math.pi + floor(i * 0.5)
        q, r = divmod(i * 37 - 900, 11)
        t += q * r + round(i * 0.5)
        if isinstance(i, int) and not isinstance(t, int) and bool(i):
            t -= 1
    return t


print(loops())


class Own:
    def __bool__(self):
        return False

    def __round__(self):
        return 5

    def __floor__(self):
        return 6

    def __float__(self):
        return 9.0


class Small:
    def __index__(self):
        return 16


print(bool(Own()), round(Own()), math.floor(Own()), isinstance(Own(), int), isinstance(Own(), (str, Own)))
print(math.sqrt(Own()), math.hypot(Own(), 12), math.sqrt(Small()), math.log2(Small()), math.ceil(Own()), tried(math.floor, Small()))
