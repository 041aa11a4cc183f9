def one():
    yield 1
    return 7
def both(it):
    x = yield from it
    return ("first", x)
g = one()
print(list(g))
def t():
    x = yield from g
    print("after the end:", x)
print(list(t()))
g = one()
print(next(g))
try:
    next(g)
except StopIteration as e:
    print(e.value)
try:
    next(g)
except StopIteration as e:
    print(e.value)
def inner():
    try:
        x = yield 1
        print("inner got", x)
        yield 2
    except ValueError as e:
        print("inner caught", e)
        yield "caught"
        return "inner result"
    finally:
        print("inner finally")
def middle():
    try:
        r = yield from inner()
        print("middle", r)
        yield "m"
    finally:
        print("middle finally")
def outer():
    r = yield from middle()
    return r
o = outer()
print(next(o))
print(o.send("s"))
print(o.throw(ValueError("v")))
print(next(o))
print(list(o))
o = outer()
next(o)
o.close()
o = outer()
next(o)
try:
    o.throw(KeyError("k"))
except KeyError as e:
    print("out", type(e).__name__)
def g():
    yield from g()
try:
    list(g())
except RecursionError as e:
    print("RecursionError")
