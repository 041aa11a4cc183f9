"""Classes of numbers: isinstance(x, numbers.Real)."""
from abc import ABCMeta


class Number(metaclass=ABCMeta):
    """Any number."""


class Complex(Number):
    """A number that may have an imaginary part."""


class Real(Complex):
    """A number on the line."""


class Rational(Real):
    """A fraction."""


class Integral(Rational):
    """A whole number."""


Integral.register(int)
Real.register(float)
try:
    import numpy as _np
    for _t in (_np.integer,):
        Integral.register(_t)
    for _t in (_np.floating,):
        Real.register(_t)
except (ImportError, AttributeError):
    pass
