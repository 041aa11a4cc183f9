"""Adds the ints that leave one of two remainders: an int loop with a branch."""
from timing import report


def main(n):
    total = 0
    for i in range(n):
        if i % 7 == 3:
            total += i
        else:
            total -= 1
    return total


report(main, 100000, 100000)
