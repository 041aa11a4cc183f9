"""Fibonacci numbers the slow way: calls. Its time is that of a call."""
from timing import report


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


report(fib, 23, 2 * fib(24) - 1)
