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
