"""Bubble sort: elements that change places. Its time is that of a comparison."""
from timing import report

SIZE = 250


def main(n):
    xs = [(i * 7919) % 1009 for i in range(n)]
    for end in range(n - 1, 0, -1):
        for i in range(end):
            if xs[i] > xs[i + 1]:
                xs[i], xs[i + 1] = xs[i + 1], xs[i]
    return "%d %d %d" % (xs[0], xs[n // 2], xs[n - 1])


report(main, SIZE, SIZE * (SIZE - 1) // 2)
