import functools

def f(x):
    f.calls += 1
    return x


f.calls = 0
f(1)
f(2)
g = lambda: 1
g.name = "g"
setattr(g, "rank", 2)
print(f.calls, g.name, g.rank, hasattr(f, "absent"), getattr(f, "absent", 5), f.__dict__, vars(g) == {"name": "g", "rank": 2})
del f.calls
try:
    f(1)
except AttributeError:
    print("no calls")


def wrapping(f):
    @functools.wraps(f)
    def inner(*args):
        return f(*args)

    return inner


@wrapping
def documented(x):
    "What it does."
    return x


documented.count = 1
print(documented.__name__, documented.__doc__, documented(3), documented.__wrapped__(4), wrapping(documented).count)
documented.__name__ = "other"
print(documented.__name__, documented.__dict__.get("count"))
