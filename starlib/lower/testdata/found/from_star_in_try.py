try:
    from os.path import *
    from math import *
except ImportError:
    pass
print(join("a", "b"), sqrt(4))
for i in range(3):
    total = (0 if i == 0 else total) + i
print(total)
try:
    try:
        1 / 0
    except ZeroDivisionError as e:
        raise ValueError("bad") from e
except ValueError as e:
    print(type(e.__cause__).__name__, type(e.__context__).__name__, e.__suppress_context__)
try:
    import absent_module
except ModuleNotFoundError as e:
    print(type(e).__name__)
try:
    assert [], 5
except AssertionError as e:
    print(e)
