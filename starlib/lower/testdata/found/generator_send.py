def echo():
    try:
        while True:
            try:
                got = yield 1
                print("got", got)
            except ValueError as e:
                print("caught", e)
    finally:
        print("closed")


g = echo()
print(next(g), g.send(5), g.throw(ValueError("x")))
g.close()
print(list(g))


def outer():
    r = yield from inner()
    print("r", r)


def inner():
    x = yield 1
    return x


o = outer()
next(o)
try:
    o.send(7)
except StopIteration as e:
    print("stop", e.value)
try:
    echo().send(1)
except TypeError as e:
    print("not begun")
