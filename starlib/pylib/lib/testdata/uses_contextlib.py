import contextlib
from contextlib import contextmanager, closing, suppress, redirect_stdout, ExitStack, nullcontext
@contextmanager
def tag(name):
    print("<%s>" % name)
    try:
        yield name.upper()
    finally:
        print("</%s>" % name)
with tag("a") as t:
    print(t)
try:
    with tag("b"):
        raise ValueError("inside")
except ValueError as e:
    print("caught", e)
@contextmanager
def swallow():
    try:
        yield
    except KeyError as e:
        print("swallowed", e.args[0])
with swallow():
    {}["k"]
try:
    with swallow():
        raise RuntimeError("r")
except RuntimeError as e:
    print(e)
@contextmanager
def never():
    if False:
        yield
try:
    with never():
        pass
except RuntimeError as e:
    print(e)
@contextmanager
def twice():
    yield 1
    yield 2
try:
    with twice():
        pass
except RuntimeError as e:
    print(e)
@tag("deco")
def f(x):
    print("f", x)
    return x + 1
print(f(1))
print(f(2))
class R:
    def close(self):
        print("closed")
with closing(R()) as r:
    print(type(r).__name__)
with suppress(ZeroDivisionError, KeyError):
    1 / 0
    print("not reached")
try:
    with suppress(KeyError):
        1 / 0
except ZeroDivisionError:
    print("not suppressed")
with nullcontext(5) as x:
    print(x)
class Buffer:
    def __init__(self):
        self.text = ""
    def write(self, s):
        self.text += s
        return len(s)
    def flush(self):
        pass
b = Buffer()
with redirect_stdout(b):
    print("hidden", 1)
    print("more")
print(repr(b.text) == repr("hidden 1\nmore\n"))
with ExitStack() as stack:
    print(stack.enter_context(tag("one")))
    stack.callback(print, "callback", 2)
    stack.enter_context(tag("two"))
    print("body")
try:
    with ExitStack() as stack:
        stack.enter_context(tag("x"))
        raise ValueError("v")
except ValueError as e:
    print("out", e)
with ExitStack() as stack:
    stack.enter_context(suppress(ValueError))
    raise ValueError("gone")
with ExitStack() as stack:
    stack.callback(print, "kept")
    kept = stack.pop_all()
print("later")
kept.close()
class Mine(contextlib.AbstractContextManager):
    def __exit__(self, *exc):
        print("mine", exc[0] is None)
with Mine() as m:
    print(type(m).__name__)
class Deco(contextlib.ContextDecorator):
    def __enter__(self):
        print("in")
    def __exit__(self, *exc):
        print("out")
@Deco()
def h():
    return 3
print(h())
