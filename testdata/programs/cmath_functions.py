# The functions of cmath beside CPython.
import cmath
from math import inf, nan
def t(f):
    try:
        x = f()
        if isinstance(x, complex): return "%.9g %.9g" % (x.real, x.imag) if x == x else "nan"
        return x
    except Exception as e:
        return type(e).__name__
for x in [0, 1, -1, 2.5, 1j, -1j, 1+2j, -3.5-0.25j, 1e-9j, complex(-1, -0.0), 1000, 1000+1j, complex(inf, 1), complex(nan, 0), complex(0, inf), complex(-inf, inf)]:
    for f in [cmath.exp, cmath.sqrt, cmath.sin, cmath.cos, cmath.tan, cmath.sinh, cmath.cosh, cmath.tanh, cmath.asin, cmath.acos, cmath.atan, cmath.asinh, cmath.acosh, cmath.atanh, cmath.log, cmath.log10, cmath.phase, cmath.isnan, cmath.isinf, cmath.isfinite]:
        print(x, t(lambda: f(x)))
    print(t(lambda: cmath.log(x, 2)), t(lambda: cmath.polar(x)[1]), t(lambda: cmath.rect(2, 0.5)), t(lambda: cmath.rect(1, 0)))
print(cmath.pi, cmath.e, cmath.infj, cmath.nanj, cmath.isclose(1+1e-10j, 1), cmath.isclose(1, 2), cmath.isclose(1j, 1.1j, rel_tol=0.2), t(lambda: cmath.log(0, 2)), t(lambda: cmath.exp("a")))
