# What a generator has to do when its loop is left is done at once; one that has a name goes on.
class Context:
    def __init__(self, name): self.name = name

    def __enter__(self):
        print("enter", self.name)
        return self

    def __exit__(self, kind, value, trace):
        print("exit", self.name, kind.__name__ if kind else None)


def numbers(name):
    try:
        with Context(name):
            for i in range(5):
                yield i
    finally:
        print("finally", name)


for i in numbers("break"):
    if i == 1:
        break
print("after break")


def returns():
    for i in numbers("return"):
        return i


print(returns())


def raises():
    for i in numbers("error"):
        raise ValueError(i)


try:
    raises()
except ValueError as e:
    print("caught", e)


def nested():
    for i in numbers("outer"):
        for j in numbers("inner"):
            if j == 1:
                break
        if i == 1:
            return "nested"


print(nested())


def delegates():
    got = yield from numbers("delegate")
    print("got", got)


for i in delegates():
    break
kept = numbers("kept")
for i in kept:
    if i == 1:
        break
print("next of kept", next(kept))
kept.close()


class Holder:
    def start(self):
        self.numbers = numbers("held")
        return self.numbers


h = Holder()
for i in h.start():
    break
print("next of held", next(h.numbers))
h.numbers.close()


def counter():
    total = 0
    while True:
        try:
            got = yield total
        except KeyError:
            total = -1
            continue
        finally:
            print("round")
        if got is None:
            return total
        total += got


c = counter()
print(next(c), c.send(3), c.throw(KeyError("x")), c.send(5))
try:
    next(c)
except StopIteration as e:
    print("stopped", e.value)


def finally_returns():
    for i in range(3):
        try:
            if i == 1:
                return "try"
        finally:
            if i == 1:
                return "finally"


def finally_continues():
    out = []
    for i in range(4):
        try:
            if i == 2:
                break
            out.append(i)
        finally:
            out.append(-i)
    else:
        out.append("else")
    return out


def handles():
    try:
        try:
            1 // 0
        except ZeroDivisionError as e:
            raise KeyError("k") from e
        finally:
            print("inner")
    except KeyError as e:
        return type(e.__cause__).__name__, type(e.__context__).__name__
    finally:
        print("outer")


print(finally_returns(), finally_continues(), handles())
