"""A recurrence over the elements of arrays, one by one."""
import numpy as np

from timing import report


def main(n):
    a, b = np.zeros(n), np.linspace(0.0, 1.0, n)
    for i in range(1, n):
        a[i] = a[i - 1] * 0.5 + b[i]
    return "%.9f" % a[n - 1]


report(main, 50000, 50000)
