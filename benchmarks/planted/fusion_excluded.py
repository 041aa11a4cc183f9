# rule: not-optimized
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(0)
X = rng.randn(1200, 1000)
x = T.dmatrix("x")
y = abs(x * 3.0 - 1.0) + x * x + 0.5 * x  # planted
# slow
f = theano.function([x], y, mode=theano.Mode(optimizer="fast_run").excluding("fusion"), name="f")
# changed
f = theano.function([x], y, name="f")
# both
for i in range(30):
    f(X)
