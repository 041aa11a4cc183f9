"""Fills a list by append, and adds up what is in it."""
from timing import report


def main(n):
    squares = []
    for i in range(n):
        squares.append(i * i)
    total = 0
    for s in squares:
        total += s
    return total


report(main, 50000, 50000)
