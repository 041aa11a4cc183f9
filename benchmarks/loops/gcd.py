"""Greatest common divisors by recursion. Its time is that of a pair."""
from timing import report


def gcd(a, b):
    if b == 0:
        return a
    return gcd(b, a % b)


def main(n):
    total = 0
    for i in range(1, n):
        total += gcd(1071 * i, 462 + i)
    return total


report(main, 10000, 9999)
