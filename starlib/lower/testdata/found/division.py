for x in (7, -7, 0.0, -0.0, 1.0, 5.5, -5.5, 1e300):
    for y in (3.5, -3.5, 0.1, -0.1, 3, -3):
        print(x % y, x // y, divmod(x, y))
def f(x, y):
    for i in range(1):
        x = x % y
    return x
print(f(7, -3.5), f(-7.0, 3.5))
inf = float("inf")
print(5 % inf, -5 % inf, 5 % -inf, -5.0 // inf, 5 // inf, 0.0 % -inf)
x = 7.0
x %= -3.5
print(x)
