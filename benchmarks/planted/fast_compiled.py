# rule: not-optimized
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(0)
X = rng.randn(1500, 1000)
x = T.dmatrix("x")
y = T.sqrt(x * x + 2.0 * x + 5.0) - x  # planted
# slow
f = theano.function([x], y, mode="FAST_COMPILE", name="f")
# changed
f = theano.function([x], y, name="f")
# both
for i in range(30):
    f(X)
