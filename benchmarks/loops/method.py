"""A method that changes two fields of its object."""
from timing import report


class Mean:
    def __init__(self):
        self.total = 0
        self.count = 0

    def see(self, x):
        self.total += x
        self.count += 1


def main(n):
    mean = Mean()
    for i in range(n):
        mean.see(i)
    return "%d %d" % (mean.total, mean.count)


report(main, 50000, 50000)
