import numpy as np
import numpy.testing as npt
from numpy.testing import assert_allclose, assert_array_equal, assert_equal, assert_almost_equal, assert_array_less, assert_raises, assert_array_almost_equal
good = [lambda: assert_allclose([1.0, 2.0], [1.0, 2.0 + 1e-9]), lambda: assert_allclose([np.nan], [np.nan]), lambda: assert_allclose(1.0, 1.1, rtol=0.2), lambda: assert_array_equal([1, 2], [1, 2]),
        lambda: assert_array_equal(np.ones(3), 1), lambda: assert_equal({"a": [1, 2]}, {"a": [1, 2]}), lambda: assert_equal(float("nan"), float("nan")), lambda: assert_almost_equal(1.0, 1.00000001),
        lambda: assert_almost_equal([1.0, 2], [1.0, 2.00000001]), lambda: assert_array_less([1, 2], [2, 3]), lambda: assert_raises(ValueError, int, "x"), lambda: assert_array_almost_equal([1.0], [1.0000001]),
        lambda: npt.assert_approx_equal(1.2345678, 1.2345679), lambda: np.testing.assert_string_equal("a", "a")]
for f in good:
    f()
bad = [lambda: assert_allclose([1.0, 2.0], [1.0, 3.0]), lambda: assert_allclose([1.0], [1.0, 2.0]), lambda: assert_array_equal([1, 2, 3], [1, 2, 4]), lambda: assert_equal([1, 2], [1, 3]),
       lambda: assert_equal(1, 2, "message"), lambda: assert_almost_equal(1.0, 1.1), lambda: assert_array_almost_equal([1.0, 2.0], [1.0, 2.1]), lambda: assert_array_less([1.0, 5.0], [2.0, 3.0]),
       lambda: assert_allclose([np.nan, 1.0], [1.0, 1.0]), lambda: assert_allclose(2.0, 1.0, atol=0.5, err_msg="far")]
for f in bad:
    try:
        f()
        print("passes")
    except AssertionError as e:
        print(str(e).strip().split("\n")[0])
with assert_raises(ZeroDivisionError):
    1 // 0
