import six


def decorate(f):
    @six.wraps(f)
    def g(*args):
        return f(*args) + 1
    return g


@decorate
def one():
    """doc"""
    return 1


print(one(), one.__name__, one.__doc__)


class Meta(type):
    def __new__(cls, name, bases, members):
        members["made"] = True
        return type.__new__(cls, name, bases, members)


@six.add_metaclass(Meta)
class A(object):
    x = 1


class B(six.with_metaclass(Meta, A)):
    pass


print(A.made, A().x, A.__name__, B.made, type(A) is Meta, issubclass(B, A))
print(six.u("a"), six.b("a") == b"a", six.int2byte(65) == b"A", six.unichr(97), six.ensure_str(b"x"), six.ensure_binary("x") == b"x")
print(list(six.viewkeys({"a": 1})) == ["a"], list(six.viewitems({1: 2})), isinstance(int, six.class_types), six.PY34, six.MAXSIZE)
print(six.advance_iterator(iter([4])), six.get_function_defaults(lambda a=3: a))
try:
    six.reraise(ValueError, ValueError("again"))
except ValueError as e:
    print(e)
try:
    six.raise_from(KeyError("k"), ValueError("v"))
except KeyError as e:
    print(type(e.__cause__).__name__)
