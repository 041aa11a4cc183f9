class Take:
    def __init__(self, xs):
        self.it = iter(xs)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.it)


print(list(Take([1, 2])), sum(Take([3, 4])), [x for x in Take("ab")], next(Take([]), "end"))


def first(xs):
    yield next(iter(xs))
    yield next(Take([5]))
    yield next(Take([]))


try:
    for x in first([7]):
        print(x)
except RuntimeError as e:
    print("RuntimeError")


def empty():
    next(x for x in [])
    yield 1


try:
    print(list(empty()))
except RuntimeError:
    print("RuntimeError")
try:
    print(next(empty()))
except RuntimeError:
    print("RuntimeError")
