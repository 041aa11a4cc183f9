"""A polynomial of degree four by Horner's rule, summed over points: a float loop."""
from timing import report


def main(n):
    total, x, step = 0.0, -1.0, 2.0 / n
    for _ in range(n):
        total += (((0.25 * x - 1.5) * x + 0.75) * x - 2.0) * x + 3.0
        x += step
    return "%.9e" % total


report(main, 100000, 100000)
