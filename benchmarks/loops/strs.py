"""Builds text bit by bit, and from parts: += of strings, str, join."""
from timing import report


def main(n):
    text, parts = "", []
    for i in range(n):
        text += "x"
        parts.append(str(i))
    return len(text) + len(",".join(parts))


report(main, 10000, 10000)
