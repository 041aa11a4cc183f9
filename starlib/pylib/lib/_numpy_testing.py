"""Assertions about arrays."""
import numpy as _np


def _fraction(bad, n):
    text = "%.3g" % (100.0 * bad / n)
    return "Mismatched elements: %d / %d (%s%%)" % (bad, n, text)


def _report(title, x, y, bad, numeric, err_msg, verbose):
    lines = ["", title + ("\n" + err_msg if err_msg else "")]
    if bad is not None:
        n = _np.asarray(bad).size
        lines.append(_fraction(int(_np.sum(bad)), n))
        if numeric:
            xs, ys = _np.broadcast_arrays(_np.asarray(x), _np.asarray(y))
            d = _np.abs(_np.asarray(xs, dtype="float64") - _np.asarray(ys, dtype="float64"))[_np.isfinite(xs) & _np.isfinite(ys)]
            if d.size:
                lines.append("Max absolute difference: %s" % _np.max(d))
                size = _np.abs(_np.asarray(ys, dtype="float64"))[_np.isfinite(xs) & _np.isfinite(ys)]
                whole = size != 0
                lines.append("Max relative difference: %s" % (_np.max(d[whole] / size[whole]) if whole.any() else "inf"))
    if verbose:
        for name, v in ((" x: ", x), (" y: ", y)):
            lines.append(name + repr(v))
    raise AssertionError("\n".join(lines))


def _shapes(x, y, title, err_msg, verbose):
    if x.shape != y.shape and x.shape != () and y.shape != ():
        _report(title, x, y, None, False, "\n(shapes %s, %s mismatch)" % (x.shape, y.shape) + ("\n" + err_msg if err_msg else ""), verbose)


def _places(x, y, what, title, err_msg, verbose):
    # nan and inf have to be in the same places.
    if x.dtype.kind not in "fc" and y.dtype.kind not in "fc":
        return _np.zeros(_np.broadcast_arrays(x, y)[0].shape, dtype=bool)
    a, b = what(x), what(y)
    if _np.any(a != b):
        _report(title, x, y, None, False, "\nx and y %s location mismatch:" % ("nan" if what is _np.isnan else "inf") + ("\n" + err_msg if err_msg else ""), verbose)
    return a & b


def assert_(val, msg=""):
    """Fails unless it is true."""
    if not val:
        raise AssertionError(msg() if callable(msg) else msg)


def assert_allclose(actual, desired, rtol=1e-07, atol=0, equal_nan=True, err_msg="", verbose=True):
    """Fails unless the elements are equal up to atol + rtol * abs(desired)."""
    x, y = _np.asarray(actual), _np.asarray(desired)
    title = "Not equal to tolerance rtol=%g, atol=%g" % (rtol, atol)
    _shapes(x, y, title, err_msg, verbose)
    if equal_nan:
        _places(x, y, _np.isnan, title, err_msg, verbose)
    bad = ~_np.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if _np.any(bad):
        _report(title + ("" if err_msg else "\n"), x, y, bad, True, err_msg, verbose)


def assert_array_equal(x, y, err_msg="", verbose=True, *, strict=False):
    """Fails unless shapes and elements are equal; nan equals nan."""
    a, b = _np.asarray(x), _np.asarray(y)
    title = "Arrays are not equal"
    if strict and (a.shape != b.shape or a.dtype != b.dtype):
        _report(title, a, b, None, False, "\n(shapes %s, %s mismatch)" % (a.shape, b.shape) if a.shape != b.shape else "\n(dtypes %s, %s mismatch)" % (a.dtype, b.dtype), verbose)
    _shapes(a, b, title, err_msg, verbose)
    nans = _places(a, b, _np.isnan, title, err_msg, verbose) if a.dtype.kind in "fiub" and b.dtype.kind in "fiub" else False
    bad = (a != b) & ~_np.asarray(nans, dtype=bool)
    if _np.any(bad):
        _report(title + ("" if err_msg else "\n"), a, b, bad, a.dtype.kind in "fiu" and b.dtype.kind in "fiu", err_msg, verbose)


def assert_array_almost_equal(x, y, decimal=6, err_msg="", verbose=True):
    """Fails unless the elements differ by less than 1.5 * 10 ** -decimal."""
    a, b = _np.asarray(x), _np.asarray(y)
    title = "Arrays are not almost equal to %d decimals" % decimal
    _shapes(a, b, title, err_msg, verbose)
    nans = _places(a, b, _np.isnan, title, err_msg, verbose)
    same = (a == b) | nans
    bad = ~(same | (_np.abs(_np.asarray(a - b, dtype="float64")) < 1.5 * 10.0 ** -decimal))
    if _np.any(bad):
        _report(title + ("" if err_msg else "\n"), a, b, bad, True, err_msg, verbose)


def assert_array_less(x, y, err_msg="", verbose=True):
    """Fails unless each element of x is less than that of y."""
    a, b = _np.asarray(x), _np.asarray(y)
    title = "Arrays are not less-ordered"
    _shapes(a, b, title, err_msg, verbose)
    bad = ~(a < b)
    if _np.any(bad):
        _report(title + ("" if err_msg else "\n"), a, b, bad, True, err_msg, verbose)


def assert_equal(actual, desired, err_msg="", verbose=True):
    """Fails unless two values are equal: arrays, numbers, or lists and dicts of them."""
    if isinstance(desired, dict):
        if not isinstance(actual, dict):
            raise AssertionError(repr(type(actual)))
        assert_equal(len(actual), len(desired), err_msg, verbose)
        for k in desired:
            if k not in actual:
                raise AssertionError(repr(k))
            assert_equal(actual[k], desired[k], "key=%s\n%s" % (repr(k), err_msg), verbose)
        return
    if isinstance(desired, (list, tuple)) and isinstance(actual, (list, tuple)):
        assert_equal(len(actual), len(desired), err_msg, verbose)
        for k in range(len(desired)):
            assert_equal(actual[k], desired[k], "item=%d\n%s" % (k, err_msg), verbose)
        return
    if hasattr(actual, "shape") and actual.shape != () or hasattr(desired, "shape") and desired.shape != () or isinstance(actual, (list, tuple)) and hasattr(desired, "shape"):
        return assert_array_equal(actual, desired, err_msg, verbose)
    if actual == desired:
        return
    if isinstance(actual, float) and isinstance(desired, float) and actual != actual and desired != desired:
        return
    raise AssertionError("\nItems are not equal:" + (" " + err_msg if err_msg and "\n" not in err_msg else "\n" + err_msg if err_msg else "") + "\n ACTUAL: %s\n DESIRED: %s" % (repr(actual), repr(desired)))


def assert_almost_equal(actual, desired, decimal=7, err_msg="", verbose=True):
    """Fails unless two numbers, or the elements of arrays, differ by less than 1.5 * 10 ** -decimal."""
    if isinstance(actual, (list, tuple)) or isinstance(desired, (list, tuple)) or hasattr(actual, "shape") and actual.shape != () or hasattr(desired, "shape") and desired.shape != ():
        return assert_array_almost_equal(actual, desired, decimal, err_msg, verbose)
    if actual == desired or actual != actual and desired != desired:
        return
    if not abs(desired - actual) < 1.5 * 10.0 ** -decimal:
        raise AssertionError("\nArrays are not almost equal to %d decimals" % decimal + ("\n" + err_msg if err_msg else "") + "\n ACTUAL: %s\n DESIRED: %s" % (repr(actual), repr(desired)))


def assert_approx_equal(actual, desired, significant=7, err_msg="", verbose=True):
    """Fails unless two numbers are equal in so many digits."""
    if actual == desired:
        return
    import math
    scale = 10.0 ** math.floor(math.log10(0.5 * (abs(desired) + abs(actual))))
    if not abs(desired / scale - actual / scale) < 10.0 ** -(significant - 1):
        raise AssertionError("\nItems are not equal to %d significant digits:\n ACTUAL: %s\n DESIRED: %s" % (significant, repr(actual), repr(desired)))


def assert_array_almost_equal_nulp(x, y, nulp=1):
    """Fails unless the elements differ by at most nulp roundings."""
    a, b = _np.asarray(x), _np.asarray(y)
    if _np.any(_np.abs(a - b) > nulp * _np.spacing(_np.maximum(_np.abs(a), _np.abs(b)))):
        raise AssertionError("X and Y are not equal to %d ULP" % nulp)


def assert_string_equal(actual, desired):
    """Fails unless two texts are equal."""
    if actual != desired:
        raise AssertionError("Differences in strings:\n- %s\n+ %s" % (actual, desired))


def assert_raises(exception_class, *args, **kwargs):
    """A context that fails unless it ends with an error of a class; or calls a function so."""
    import unittest
    return unittest.TestCase().assertRaises(exception_class, *args, **kwargs)


def assert_raises_regex(exception_class, expected_regexp, *args, **kwargs):
    """assert_raises, where the text of the error has a pattern in it."""
    import unittest
    return unittest.TestCase().assertRaisesRegex(exception_class, expected_regexp, *args, **kwargs)


def assert_warns(warning_class, *args, **kwargs):
    """A context that fails unless a warning of a class is given."""
    import unittest
    return unittest.TestCase().assertWarns(warning_class, *args, **kwargs)


class KnownFailureException(Exception):
    """A failure that is known."""


class IgnoreException(Exception):
    """An error that is passed over."""


class SkipTest(Exception):
    """A test that is skipped."""


def assert_array_compare(comparison, x, y, err_msg="", verbose=True, header="", precision=6, equal_nan=True, equal_inf=True):
    """Fails unless a comparison holds for all elements."""
    a, b = _np.asarray(x), _np.asarray(y)
    _shapes(a, b, header, err_msg, verbose)
    bad = ~_np.asarray(comparison(a, b), dtype=bool)
    if _np.any(bad):
        _report(header, a, b, bad, False, err_msg, verbose)


def assert_array_max_ulp(a, b, maxulp=1, dtype=None):
    """Fails unless the elements differ by at most maxulp roundings."""
    assert_array_almost_equal_nulp(a, b, maxulp)


def clear_and_catch_warnings(record=False, modules=()):
    """A context that keeps the settings of warnings."""
    import warnings
    return warnings.catch_warnings(record=record)


suppress_warnings = clear_and_catch_warnings


def assert_no_warnings(func, *args, **kwargs):
    """Calls a function."""
    return func(*args, **kwargs)


def assert_no_gc_cycles(func, *args, **kwargs):
    """Calls a function."""
    return func(*args, **kwargs)


def break_cycles():
    """Does nothing."""
