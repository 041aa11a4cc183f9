def say(x):
    print("evaluated", x)
    return x


def f(*args, **kwargs):
    print(args, sorted(kwargs.items()))


f(say(1), *say([2]), k=say(3))
f(k=say(1), *say([2]))
f(say(0), *[say(1), say(2)], a=say(3), b=4, c=say(5))
xs = [1, 2]
f(*xs, a=say(2))
print(*xs, sep=", ")
print(*[say(1), 2], sep=say("-"), end=say("!\n"))
try:
    f(*[len(5)], s=say(1 // 0))
except (TypeError, ZeroDivisionError) as e:
    print(type(e).__name__)
try:
    (lambda a, b: a)(*[1], b=say(2), c=say(3))
except TypeError as e:
    print(type(e).__name__)
