# What exceptions say of those before them, what generators do of those thrown in, and loops' else beside comprehensions.
def chain(e):
    out = []
    while e is not None and len(out) < 10:
        args = e.args if isinstance(e, (ValueError, KeyError)) else ()
        out.append("%s%d %s" % (type(e).__name__, len(args), type(e.__cause__).__name__))
        e = e.__context__
    return ", ".join(out)


def caught(f):
    try:
        return f()
    except Exception as e:
        return chain(e)


def while_handled():
    try:
        1 // 0
    except ZeroDivisionError:
        raise ValueError("second")


def error_while_handled():
    try:
        raise ValueError("first")
    except ValueError:
        1 // 0


def error_in_function():
    def broken():
        return [][0] if False else 1 // 0
    try:
        raise KeyError("k")
    except KeyError:
        broken()


def again():
    try:
        raise ValueError("a")
    except ValueError as a:
        try:
            raise KeyError("b")
        except KeyError as b:
            raise a


def caused():
    e = TypeError("effect")
    e.__cause__ = ValueError("cause")
    raise e


def no_cause():
    try:
        1 // 0
    except ZeroDivisionError:
        raise ValueError("x") from None


def in_finally():
    try:
        raise ValueError("body")
    finally:
        raise KeyError("finally")


for f in (while_handled, error_while_handled, error_in_function, again, caused, no_cause, in_finally):
    print(f.__name__, caught(f))


def stops():
    yield 1
    raise StopIteration(5)


def thrown():
    try:
        yield 1
    except ValueError as e:
        yield chain(e)
    raise KeyError("end")


def handles():
    try:
        raise ValueError("inside")
    except ValueError:
        yield 1
        yield 2


def delegating():
    r = yield from thrown()
    print("got", r)


print(caught(lambda: list(stops())))
g = thrown()
next(g)
print(g.throw(ValueError("in")), caught(lambda: next(g)), caught(lambda: next(g)))
g = delegating()
next(g)
print(g.throw(ValueError("through")), caught(lambda: next(g)))
g = handles()
next(g)
print(caught(lambda: g.throw(TypeError("t"))))
g = thrown()
print(caught(lambda: g.throw(TypeError("before"))), list(g))


def over_list():
    yield from [1, 2, 3]


g = over_list()
print(next(g), g.send(None))
try:
    g.send(5)
except AttributeError:
    print("no send")


def closes():
    try:
        yield from closing()
    finally:
        print("outer closes")


def closing():
    try:
        yield 1
    finally:
        print("inner closes")


g = closes()
next(g)
g.close()
g.close()

try:
    e = ValueError("x")
    e.__cause__ = 5
except TypeError as t:
    print("TypeError")


def loop_else(n):
    while n > 0:
        n -= 1
        x = [k for k in range(n) if k % 2]
        if n == 5 and len(x) > 10:
            break
    else:
        return "else", x
    return "break"


def for_else(rows):
    for r in [q for q in rows if q]:
        if any([v > 9 for v in r]):
            break
    else:
        return "none"
    return "found"


print(loop_else(7)[0], for_else([[1], [], [2, 3]]), for_else([[1], [10]]))


class Stop(StopIteration):
    def __init__(self, n):
        self.n = n


try:
    raise Stop(4)
except StopIteration as e:
    print(e.args, e.n)
