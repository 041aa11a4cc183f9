import numpy as np
out = []
def log(x):
    out.append(x)
    return x
print(log(log(1) < log(2) < log(3)), out)
print(log(log(2) < log(1) < log(3)), out)
print(log(log(1) < log(2) <= log(2) != log(2) == log(0)), out)
print([i for i in range(5) if 0 < log(i) < 3], out)
i = 0
l = [0, 0, 0]
i = l[i] = 2
print(i, l)
l[i] = i = 0
print(i, l)
a = b = log([])
a.append(1)
print(b)
a, *b = c = log([1, 2, 3])
print(a, b, c)
*a, b = (1, 2, 3)
print(a, b)
for a, *b in [(1, 2, 3), (4,)]: print(a, b)
print([x for *_, x in [(1, 2), (3,)]])
print([*[1, 2], 3, *(4,)], (*[1], 2)); x = 0, *[1]; print(x)
print(sorted({1, 1, 2}), sorted({x % 2 for x in range(5)}), sorted(x for x in [2, 1]))
try:
    a, *b, c = [1]
except (ValueError, AssertionError) as e:
    print(type(e).__name__)
try:
    a, b, *c = [1]
except (ValueError, AssertionError) as e:
    print(type(e).__name__)
try:
    *a, b = []
except (ValueError, AssertionError) as e:
    print(type(e).__name__)
a, *b, c = [1, 2]
print(a, b, c)
w, x, d = 8, 1.23456, {"k": 2}
print(f"{x:.3f}|{x:{w}.2f}|{d['k']!r:>4}|{x=}|{d['k'] + 1 = }|{{{w}}}")
print(rf'\d{w}' "t" f"""{
w}""")
print(f"{w, x}", f"{np.arange(3)}", f"{'a'}", f"{None!s}", f"{[1, 'a']}")
m = np.arange(12).reshape(3, 4)
print(m[:, 0], m[..., None].shape, m[1:, ::2], m[0, -1,], m[::-1, 1:])
m[1:, 2] = 7
m[:1] = 5
m[:, 0] += 1
m[1:] *= 2
m[:, 1] **= 2
print(m, m @ m.T, -2 ** 2, 2 ** 3 ** 0)
def deco(f):
    return lambda *a: f(*a) + 1
@deco
@deco  # twice
def inc(x: int, /, y: int = 2) -> int:
    assert x > 0, f"x is {x}"
    if x > 5: assert x < 7; x += 10
    return x + y
print(inc(1), inc(6))
try:
    inc(0)
except (ValueError, AssertionError) as e:
    print(type(e).__name__)
try:
    inc(8)
except (ValueError, AssertionError) as e:
    print(type(e).__name__)
def local():
    import numpy, math as m
    from math import pi as p, cos
    x: float = cos(p)
    y: int
    return numpy.ones(1)[0] + x, m.floor(1_0.5)
print(local(), None is None, 1 is not None, "a" "b" 'c'[0], ("a" "b")[0])
