"""A histogram in a dict with int keys."""
from timing import report


def main(n):
    bins, x = {}, 12345
    for _ in range(n):
        x = (x * 1103515245 + 12345) % 2147483648
        k = x >> 24
        if k in bins:
            bins[k] += 1
        else:
            bins[k] = 1
    return "%d %d" % (len(bins), max(bins.values()))


report(main, 50000, 50000)
