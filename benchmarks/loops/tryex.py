"""A try in a loop; one round of ten raises."""
from timing import report


def main(n):
    good, bad = 0, 0
    for i in range(n):
        try:
            if i % 10 == 9:
                raise ValueError("a ninth")
            good += i
        except ValueError:
            bad += 1
    return "%d %d" % (good, bad)


report(main, 50000, 50000)
