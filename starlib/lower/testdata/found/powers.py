# Powers of negative numbers, whose last bits are those of positive ones, and squares, which are not x * x.
def random(s):
    return (s * 6364136223846793005 + 1442695040888963407) % (1 << 64)


def main():
    s = 12345
    for i in range(3000):
        s = random(s)
        x = (s >> 11) / (1 << 53) * 200 - 100
        s = random(s)
        y = [2, 0.5, 3, -1, 2.5, 10, -0.5, 17.0, -6][(s >> 40) % 9]
        if y in (0.5, 2.5, -0.5):
            x = abs(x)
        print(x, y, x ** y, pow(x, y))


main()
inf = float("inf")
for x in [inf, -inf, 0.0, -0.0, 1.0, -1.0, float("nan"), -1e308, 5e-324, -5e-324, 3, -3, True]:
    for y in [0, 1, 2, 3, -1, -2, inf, -inf, 0.5, -0.5, 1e300, float("nan"), 9007199254740993.0, False]:
        try:
            z = x ** y
            print(x, y, "complex" if str(z).startswith("(") else z)
        except (ZeroDivisionError, OverflowError):
            print(x, y, "error")
        except (ValueError, TypeError):
            print(x, y, "complex")
