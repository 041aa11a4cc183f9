def f(n):
    try:
        return 1 % n
    finally:
        try:
            if n == 0:
                raise
        except KeyError:
            print("not this")
try:
    f(0)
except ZeroDivisionError as e:
    print(type(e).__name__)
print(f(2))
