"""A generator, and a loop over what it yields."""
from timing import report


def triangles(n):
    at = 0
    for i in range(n):
        at += i
        yield at


def main(n):
    total = 0
    for t in triangles(n):
        total += t & 1023
    return total


report(main, 50000, 50000)
