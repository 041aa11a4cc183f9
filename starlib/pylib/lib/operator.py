"""Operators as functions, and functions that take an element, an attribute or a method of what they are called with."""


def lt(a, b):
    """a < b"""
    return a < b


def le(a, b):
    """a <= b"""
    return a <= b


def eq(a, b):
    """a == b"""
    return a == b


def ne(a, b):
    """a != b"""
    return a != b


def ge(a, b):
    """a >= b"""
    return a >= b


def gt(a, b):
    """a > b"""
    return a > b


def not_(a):
    """not a"""
    return not a


def truth(a):
    """bool(a)"""
    return True if a else False


def is_(a, b):
    """a is b"""
    return a is b


def is_not(a, b):
    """a is not b"""
    return a is not b


_abs = abs
_pow = pow


def abs(a):
    """The absolute value of a."""
    return _abs(a)


def add(a, b):
    """a + b"""
    return a + b


def sub(a, b):
    """a - b"""
    return a - b


def mul(a, b):
    """a * b"""
    return a * b


def truediv(a, b):
    """a / b"""
    return a / b


def floordiv(a, b):
    """a // b"""
    return a // b


def mod(a, b):
    """a % b"""
    return a % b


def pow(a, b):
    """a ** b"""
    return a ** b


def matmul(a, b):
    """a @ b"""
    return a @ b


def neg(a):
    """-a"""
    return -a


def pos(a):
    """+a"""
    return +a


def inv(a):
    """~a"""
    return ~a


invert = inv


def and_(a, b):
    """a & b"""
    return a & b


def or_(a, b):
    """a | b"""
    return a | b


def xor(a, b):
    """a ^ b"""
    return a ^ b


def lshift(a, b):
    """a << b"""
    return a << b


def rshift(a, b):
    """a >> b"""
    return a >> b


def index(a):
    """a as an int: a.__index__() of an instance."""
    if isinstance(a, int):
        return int(a)
    if hasattr(a, "__index__"):
        return a.__index__()
    raise TypeError("'%s' object cannot be interpreted as an integer" % type(a).__name__)


def concat(a, b):
    """a + b, of sequences."""
    return a + b


def contains(a, b):
    """b in a"""
    return b in a


def countOf(a, b):
    """How many elements of a equal b."""
    n = 0
    for x in a:
        if x is b or x == b:
            n += 1
    return n


def indexOf(a, b):
    """Where b is first in a."""
    for i, x in enumerate(a):
        if x is b or x == b:
            return i
    raise ValueError("sequence.index(x): x not in sequence")


def getitem(a, b):
    """a[b]"""
    return a[b]


def setitem(a, b, c):
    """a[b] = c"""
    a[b] = c


def delitem(a, b):
    """del a[b]"""
    del a[b]


def length_hint(obj, default=0):
    """len(obj), or the default where it has no length."""
    try:
        return len(obj)
    except TypeError:
        return default


def call(obj, *args, **kwargs):
    """obj(*args, **kwargs)"""
    return obj(*args, **kwargs)


def iadd(a, b):
    """a += b, and its result."""
    a += b
    return a


def isub(a, b):
    """a -= b, and its result."""
    a -= b
    return a


def imul(a, b):
    """a *= b, and its result."""
    a *= b
    return a


def itruediv(a, b):
    """a /= b, and its result."""
    a /= b
    return a


def ifloordiv(a, b):
    """a //= b, and its result."""
    a //= b
    return a


def imod(a, b):
    """a %= b, and its result."""
    a %= b
    return a


def ipow(a, b):
    """a **= b, and its result."""
    a **= b
    return a


def imatmul(a, b):
    """a @= b, and its result."""
    a @= b
    return a


def iand(a, b):
    """a &= b, and its result."""
    a &= b
    return a


def ior(a, b):
    """a |= b, and its result."""
    a |= b
    return a


def ixor(a, b):
    """a ^= b, and its result."""
    a ^= b
    return a


def ilshift(a, b):
    """a <<= b, and its result."""
    a <<= b
    return a


def irshift(a, b):
    """a >>= b, and its result."""
    a >>= b
    return a


iconcat = iadd


def itemgetter(item, *items):
    """A function that gives x[item] of x; of several items, a tuple of them."""
    if not items:
        def get(obj):
            return obj[item]
        return get
    items = (item,) + items

    def get_all(obj):
        return tuple([obj[i] for i in items])
    return get_all


def attrgetter(attr, *attrs):
    """A function that gives x.attr of x, where attr may have dots; of several, a tuple of them."""
    for a in (attr,) + attrs:
        if not isinstance(a, str):
            raise TypeError("attribute name must be a string")

    def path(name):
        parts = name.split(".")
        if len(parts) == 1:
            def get_one(obj):
                return getattr(obj, name)
            return get_one

        def get_path(obj):
            for part in parts:
                obj = getattr(obj, part)
            return obj
        return get_path
    if not attrs:
        return path(attr)
    getters = [path(a) for a in (attr,) + attrs]

    def get_all(obj):
        return tuple([get(obj) for get in getters])
    return get_all


def methodcaller(name, *args, **kwargs):
    """A function that calls the method name of x with the arguments."""
    if not isinstance(name, str):
        raise TypeError("method name must be a string")

    def caller(obj):
        return getattr(obj, name)(*args, **kwargs)
    return caller


__lt__, __le__, __eq__, __ne__, __ge__, __gt__ = lt, le, eq, ne, ge, gt
__not__, __abs__, __add__, __sub__, __mul__ = not_, abs, add, sub, mul
__truediv__, __floordiv__, __mod__, __pow__, __matmul__ = truediv, floordiv, mod, pow, matmul
__neg__, __pos__, __inv__, __invert__ = neg, pos, inv, invert
__and__, __or__, __xor__, __lshift__, __rshift__ = and_, or_, xor, lshift, rshift
__concat__, __contains__, __getitem__, __setitem__, __delitem__ = concat, contains, getitem, setitem, delitem
div = truediv
