"""Functions of complex numbers."""
import math as _math
import numpy as _np

pi, e, tau, inf, nan = _math.pi, _math.e, _math.tau, _math.inf, _math.nan
infj, nanj = complex(0.0, _math.inf), complex(0.0, _math.nan)


def _finite(z):
    return _math.isfinite(z.real) and _math.isfinite(z.imag)


def _number(x):
    if isinstance(x, str):
        raise TypeError("must be real number, not str")
    return complex(x)


def _endless(along, across, finite=False, least=None):
    # Whether the angle is infinite, and the size is a number.
    return _math.isinf(along) and (_math.isfinite(across) if finite else across == across and across != least)


def _function(name, doc, turning=None):
    ufunc = getattr(_np, name)

    def f(x):
        x = _number(x)
        with _np.errstate(all="ignore"):
            z = complex(ufunc(_np.complex128(x)))
        if _finite(x) and not _finite(z):
            if name in ("exp", "sin", "cos", "sinh", "cosh"):
                raise OverflowError("math range error")
            raise ValueError("math domain error")
        if turning is not None and turning(x):
            raise ValueError("math domain error")
        return z

    f.__doc__ = doc
    return f


exp = _function("exp", "e to the power x.", lambda x: _endless(x.imag, x.real, least=-inf))
sqrt = _function("sqrt", "The square root whose real part is not negative.")
sin = _function("sin", "The sine.", lambda x: _endless(x.real, x.imag))
cos = _function("cos", "The cosine.", lambda x: _endless(x.real, x.imag))
tan = _function("tan", "The tangent.", lambda x: _endless(x.real, x.imag, finite=True))
sinh = _function("sinh", "The hyperbolic sine.", lambda x: _endless(x.imag, x.real))
cosh = _function("cosh", "The hyperbolic cosine.", lambda x: _endless(x.imag, x.real))
tanh = _function("tanh", "The hyperbolic tangent.", lambda x: _endless(x.imag, x.real, finite=True))
asin = _function("arcsin", "The arc sine.")
acos = _function("arccos", "The arc cosine.")
atan = _function("arctan", "The arc tangent.")
asinh = _function("arcsinh", "The inverse hyperbolic sine.")
acosh = _function("arccosh", "The inverse hyperbolic cosine.")
atanh = _function("arctanh", "The inverse hyperbolic tangent.")
_log = _function("log", "The natural logarithm.")
log10 = _function("log10", "The logarithm to the base 10.")


def log(x, base=None):
    """The logarithm to a base, e if none is given."""
    if base is None:
        return _log(x)
    return complex(_np.log(_np.complex128(_number(x)))) / _log(base)


def phase(x):
    """The angle in the complex plane, from -pi to pi."""
    x = complex(x)
    return _math.atan2(x.imag, x.real)


def polar(x):
    """The absolute value and the angle."""
    return (abs(complex(x)), phase(x))


def rect(r, phi):
    """The number of an absolute value and an angle."""
    if phi == 0:
        return complex(r, r * phi)
    return complex(r * _math.cos(phi), r * _math.sin(phi))


def isnan(x):
    """Whether a part is nan."""
    x = complex(x)
    return _math.isnan(x.real) or _math.isnan(x.imag)


def isinf(x):
    """Whether a part is infinite."""
    x = complex(x)
    return _math.isinf(x.real) or _math.isinf(x.imag)


def isfinite(x):
    """Whether neither part is infinite or nan."""
    return _finite(complex(x))


def isclose(a, b, rel_tol=1e-09, abs_tol=0.0):
    """Whether two numbers are nearly equal."""
    a, b = complex(a), complex(b)
    if rel_tol < 0 or abs_tol < 0:
        raise ValueError("tolerances must be non-negative")
    if a == b:
        return True
    if isinf(a) or isinf(b):
        return False
    distance = abs(a - b)
    return distance <= rel_tol * abs(b) or distance <= rel_tol * abs(a) or distance <= abs_tol
