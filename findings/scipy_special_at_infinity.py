"""SciPy 1.10 has no limits at infinity for some Bessel functions.

i0(inf) is inf and j0(inf) is 0 by their limits. runtime/op/testdata/oracle.py puts the limits in
(limit), so that our kernels are compared with mathematics there and not with SciPy.

    /usr/bin/python3 findings/scipy_special_at_infinity.py
"""
import numpy as np
import scipy
import scipy.special

for name in ("i0", "j0", "j1"):
    print(scipy.__version__, name, "at inf:", getattr(scipy.special, name)(np.inf))
assert any(np.isnan(getattr(scipy.special, name)(np.inf)) for name in ("i0", "j0", "j1"))
