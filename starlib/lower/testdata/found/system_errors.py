import os
import sys

try:
    open("/absent/file")
except IOError as e:
    print(type(e).__name__, e.errno, e.strerror, e.filename)
try:
    os.makedirs("/proc")
except OSError as e:
    print(type(e).__name__, e.errno == 17, e.strerror)
for e in (OSError(2, "No such", "f.txt"), OSError("only"), OSError(5, "io"), OSError()):
    print(e, e.args if len(e.args) < 3 else 3, e.errno, e.strerror, e.filename)
for status in (3, 0, None, "bye", True):
    try:
        sys.exit(status)
    except SystemExit as e:
        print(repr(e.code), e.args, str(e))
try:
    raise SystemExit
except SystemExit as e:
    print(e.code, e.args)
try:
    assert 1 == 2, ("a", 3)
except AssertionError as e:
    print(e, e.args)
try:
    assert False
except AssertionError as e:
    print([str(e)], e.args, repr(e))
try:
    assert 0, [1]
except AssertionError as e:
    print(e, e.args[0][0])
print(sys.exc_info())
try:
    {}["k"]
except KeyError:
    kind, value, trace = sys.exc_info()
    print(kind is KeyError, isinstance(value, KeyError))
    try:
        1 // 0
    except ZeroDivisionError:
        print(sys.exc_info()[0].__name__)
    print(sys.exc_info()[0].__name__)
print(sys.exc_info()[0])
